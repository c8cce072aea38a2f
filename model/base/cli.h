/* What the programs' mains share: help, messages, texts given on the command line, exit statuses.
 *
 * Arguments are taken as the bytes they are, whatever the locale: names of files hold any, texts
 * must be UTF-8, which what reads them says.
 *
 * Only mains call this. Texts become sources of their own (source.h), so that problems in them are
 * shown with their place: "--set:1:7: error: ...".
 */
#ifndef ATLAS_MODEL_BASE_CLI_H
#define ATLAS_MODEL_BASE_CLI_H

#include "model/base/diag.h"
#include "model/base/rational.h"

enum { ATLAS_EXIT_PASS = 0, ATLAS_EXIT_FAIL = 1, ATLAS_EXIT_USAGE = 2, ATLAS_EXIT_OPEN = 3 };

typedef struct {
    const char *program;
    const char *color;  /* the value of --color, or NULL */
    GPtrArray *sources; /* of AtlasSource*: texts of the command line */
    AtlasDiags *diags;
} AtlasCli;

void atlas_cli_init(AtlasCli *cli, const char *program);
void atlas_cli_clear(AtlasCli *cli);

/* Parses the command line, whose texts (G_OPTION_ARG_STRING and its arrays) are not converted from
 * the locale; an option that takes one text is given once. Numbers are texts here. FALSE, with the
 * reason printed, where it is wrong. */
gboolean atlas_cli_parse(const AtlasCli *cli, const GOptionEntry *entries, int *argc, char ***argv);

/* Appends one line for each option that has a description: "  -t, --toggle T        what it does".
 */
void atlas_cli_help(GString *out, const GOptionEntry *entries);

/* A line of its own over the option of that name; a list of these ends with no name. */
typedef struct {
    const char *option, *heading;
} AtlasCliHeading;

/* The same with headings. */
void atlas_cli_help_grouped(GString *out, const GOptionEntry *entries,
                            const AtlasCliHeading *headings);

/* Says on standard error what is wrong with the command line, and where help is; returns
 * ATLAS_EXIT_USAGE. */
int atlas_cli_usage(const AtlasCli *cli, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Prints a line on standard error that is no problem: what the output does not say. Call it before
 * the output. */
void atlas_cli_notice(const AtlasCli *cli, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Prints the problems found so far on standard error; returns ATLAS_EXIT_USAGE. */
int atlas_cli_problems(const AtlasCli *cli);

/* Writes a result to standard output; returns `status`, or ATLAS_EXIT_USAGE with a message if it
 * could not be written. */
int atlas_cli_finish(const AtlasCli *cli, const char *text, int status);

/* Makes a source of an option's value; FALSE, with a problem added, if it is no text. */
gboolean atlas_cli_text(AtlasCli *cli, const char *option, const char *value, AtlasText *text);

/* The same for the name of a file and what may stand behind it: `text` is the value itself, whose
 * bytes may be any, `at` holds it as far as it is text. */
void atlas_cli_file(AtlasCli *cli, const char *option, const char *value, AtlasText *text);

/* Reads a decimal number >= 0 where `value` is not NULL; adds a problem where it is none. */
void atlas_cli_number(AtlasCli *cli, const char *option, const char *value, AtlasRat *number);

/* Whether `value` (or NULL) is one of `words`; else says so and returns FALSE. */
gboolean atlas_cli_word(const AtlasCli *cli, const char *option, const char *value,
                        const char *const *words);

/* The same for --format and --color, which every program has; remembers the latter. */
gboolean atlas_cli_output(AtlasCli *cli, const char *format, const char *color);

#endif

/* Diagnostics: all problems of an input, each at its place.
 *
 * A reader adds an error for every problem it finds, goes on as far as it makes sense, and the
 * program prints the whole list at the end:
 *
 *     step.yaml:13:13: error: no stream named 'compue'
 *        13 |     stream: compue
 *           |             ^~~~~~
 *     step.yaml:8:1: note: streams are declared here: compute, copy
 *     hint: did you mean 'compute'?
 *
 * Notes and hints belong to the error added last. Messages follow git's rules: what failed first,
 * the subject in single quotes, no capital at the start, no full stop at the end.
 *
 * Life cycle: atlas_diags_new / atlas_diags_free. Spans are borrowed: their sources must outlive
 * the list. Library code adds and counts; only a program's main prints.
 */
#ifndef ATLAS_MODEL_BASE_DIAG_H
#define ATLAS_MODEL_BASE_DIAG_H

#include "model/base/source.h"

typedef struct AtlasDiags AtlasDiags;

AtlasDiags *atlas_diags_new(void);
void atlas_diags_free(AtlasDiags *diags);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasDiags, atlas_diags_free)

/* Adds an error at `at` (which may have no source: then only the message is shown). */
void atlas_diags_error(AtlasDiags *diags, AtlasSpan at, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

/* Adds an error whose text already holds its place, as a GError of source.h does. Takes over and
 * frees `error`. */
void atlas_diags_take(AtlasDiags *diags, GError *error);

/* Adds a note with a place of its own to the last error. */
void atlas_diags_note(AtlasDiags *diags, AtlasSpan at, const char *format, ...) G_GNUC_PRINTF(3, 4);

/* Adds to the last error how to mend it. */
void atlas_diags_hint(AtlasDiags *diags, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Adds the hint "did you mean 'x'?" to the last error, where one of the NULL-terminated
 * `candidates` is near enough to `word`; else, where there are few of them, lists them as `what`
 * ("toggles are: a, b"). */
void atlas_diags_suggest(AtlasDiags *diags, const char *word, const char *what,
                         const char *const *candidates);

guint atlas_diags_errors(const AtlasDiags *diags);

/* Whether an error was added at exactly this place already. */
gboolean atlas_diags_has(const AtlasDiags *diags, AtlasSpan at);

/* A message with '?' for what a terminal would obey: messages quote what input holds. It is the one
 * that was given, changed. */
char *atlas_diags_safe(char *message);

/* The whole list as text, in the order of files and places; `colour` adds terminal colours. The
 * caller frees it. At most ATLAS_DIAGS_SHOWN errors are written out; a last line counts the rest.
 */
char *atlas_diags_render(const AtlasDiags *diags, gboolean colour);
#define ATLAS_DIAGS_SHOWN 100

#endif

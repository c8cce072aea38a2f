/* atlas-record: records what a program launches. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "backends/record/record.h"
#include "model/base/cli.h"
#include "model/base/version.h"

static struct {
    char *output, *format, *stages, *step, *count, *detail, *attach;
    gboolean quiet, version, help;
    char **files;
} option;

/* The one table of options: parsing and --help both come from it. */
static const GOptionEntry entries[] = {
    {"output", 'o', 0, G_OPTION_ARG_FILENAME, &option.output,
     "write what was recorded to FILE (nowhere)", "FILE"},
    {"format", 'f', 0, G_OPTION_ARG_STRING, &option.format,
     "log or ndjson (by FILE's name: .ndjson, .jsonl; else log)", "F"},
    {"stages", 0, 0, G_OPTION_ARG_STRING, &option.stages,
     "ranges that are stages, others are not: fwd,bwd,opt", "LIST"},
    {"step", 0, 0, G_OPTION_ARG_STRING, &option.step,
     "the range that is a step: NAME, also with a number", "NAME"},
    {"count", 0, 0, G_OPTION_ARG_STRING, &option.count,
     "what a log holds: submissions, calls, graph_nodes, activities", "WHAT"},
    {"detail", 0, 0, G_OPTION_ARG_STRING, &option.detail,
     "activities: kernels that the device ran, too (launches get dearer)", "WHAT"},
    {"attach", 0, 0, G_OPTION_ARG_STRING, &option.attach,
     "preload (stand before the driver) or cupti (be told by it)", "HOW"},
    {"quiet", 'q', 0, G_OPTION_ARG_NONE, &option.quiet, "no table at the end", NULL},
    {"version", 0, 0, G_OPTION_ARG_NONE, &option.version, "print the version", NULL},
    {"help", 'h', 0, G_OPTION_ARG_NONE, &option.help, "print this help", NULL},
    {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &option.files, NULL, NULL},
    {NULL, 0, 0, 0, NULL, NULL, NULL},
};

static int print_help(const AtlasCli *cli) {
    g_autoptr(GString) out = g_string_new(
        "usage: atlas-record [OPTION...] -- COMMAND [ARGUMENT...]\n"
        "Runs COMMAND and counts what it launches on the GPU, for each stage (range of NVTX) of "
        "each\n"
        "step. Its output and exit status stay its own; a table comes last, on standard error.\n"
        "\n");
    atlas_cli_help(out, entries);
    g_string_append(out, "\nexit status: COMMAND's, 128 + N where signal N ended it; 126, 127 it "
                         "could not be\nstarted; 2 usage or output error\n");
    return atlas_cli_finish(cli, out->str, ATLAS_EXIT_PASS);
}

/* Which count a log holds. */
static gboolean read_count(const AtlasCli *cli, RecordRequest *request) {
    static const char *const words[] = {"submissions", "calls", "graph_nodes", "activities", NULL};
    static const char *const details[] = {"activities", NULL};
    static const char *const ways[] = {"preload", "cupti", NULL};
    request->counted = ATLAS_COUNT_SUBMISSIONS;
    request->activities = option.detail != NULL;
    if (!atlas_cli_word(cli, "--count", option.count, words) ||
        !atlas_cli_word(cli, "--detail", option.detail, details) ||
        !atlas_cli_word(cli, "--attach", option.attach, ways))
        return FALSE;
    request->cupti = option.attach ? g_str_equal(option.attach, "cupti") : request->activities;
    if (request->activities && !request->cupti) {
        atlas_cli_usage(cli, "--detail activities needs CUPTI: --attach cupti");
        return FALSE;
    }
    for (guint k = 0; option.count && k < ATLAS_COUNT_KINDS; k++)
        if (g_str_equal(atlas_count_name(k), option.count))
            request->counted = k;
    if (request->counted == ATLAS_COUNT_ACTIVITIES && !option.detail) {
        atlas_cli_usage(cli, "--count activities needs --detail activities");
        return FALSE;
    }
    return TRUE;
}

static gboolean read_output(const AtlasCli *cli, RecordRequest *request) {
    static const char *const formats[] = {"log", "ndjson", NULL};
    const char *output = request->output = option.output;
    request->ndjson = option.format ? g_str_equal(option.format, "ndjson")
                                    : output && (g_str_has_suffix(output, ".ndjson") ||
                                                 g_str_has_suffix(output, ".jsonl"));
    if (!atlas_cli_word(cli, "--format", option.format, formats))
        return FALSE;
    if (!output || !g_str_equal(output, "-"))
        return TRUE;
    atlas_cli_usage(cli, "-o needs a file: standard output is COMMAND's");
    return FALSE;
}

/* Names are compared as they are: "fwd, bwd" would be a name that begins with a blank. */
static gboolean read_stages(const AtlasCli *cli, RecordRequest *request) {
    g_auto(GStrv) names = g_strsplit(option.stages ? option.stages : "all", ",", -1);
    request->stages = option.stages;
    request->step = option.step;
    for (guint i = 0; names[i]; i++)
        if (!*names[i] || g_ascii_isspace(names[i][0]) ||
            g_ascii_isspace(names[i][strlen(names[i]) - 1])) {
            atlas_cli_usage(cli,
                            "--stages takes names with commas between, and no blanks, not '%s'",
                            option.stages);
            return FALSE;
        }
    return TRUE;
}

/* Ends as the program did: whoever started us finds the same signal, and no second core file. */
static void end_by(int number) {
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    signal(number, SIG_DFL);
    raise(number);
}

static int record(const AtlasCli *cli, const RecordRequest *request) {
    RecordOutcome outcome;
    g_autoptr(GError) error = NULL;
    record_outcome_init(&outcome);
    gboolean ok = record_perform(request, &outcome, &error);
    for (guint i = 0; i < outcome.summary->len && !option.quiet; i++)
        fprintf(stderr, "%s: %s", cli->program, (char *)g_ptr_array_index(outcome.summary, i));
    for (guint i = 0; i < outcome.said->len; i++)
        fprintf(stderr, "%s: %s\n", cli->program, (char *)g_ptr_array_index(outcome.said, i));
    if (!ok)
        fprintf(stderr, "%s: %s\n", cli->program, error->message);
    int status = outcome.status, number = outcome.signal;
    if (!ok && status == 0)
        status = ATLAS_EXIT_USAGE;
    record_outcome_clear(&outcome);
    if (number)
        end_by(number);
    return status;
}

/* `command`: what stands behind "--", or NULL. */
static int dispatch(const AtlasCli *cli, char **command) {
    RecordRequest request = {.command = command};
    if (option.help)
        return print_help(cli);
    if (option.version)
        return atlas_cli_finish(cli, "atlas-record " ATLAS_VERSION "\n", ATLAS_EXIT_PASS);
    if (!command || !command[0] || option.files)
        return atlas_cli_usage(cli, "expected the program to record behind '--'");
    if (!read_count(cli, &request) || !read_output(cli, &request) || !read_stages(cli, &request))
        return ATLAS_EXIT_USAGE;
    return record(cli, &request);
}

/* Cuts the program's command line off ours: what stands behind the first "--". */
static char **cut_command(int *argc, char **argv) {
    for (int i = 1; i < *argc; i++)
        if (strcmp(argv[i], "--") == 0) {
            argv[i] = NULL;
            *argc = i;
            return argv + i + 1;
        }
    return NULL;
}

int main(int argc, char **argv) {
    AtlasCli cli;
    char **command = cut_command(&argc, argv);
    atlas_cli_init(&cli, "atlas-record");
    int status =
        atlas_cli_parse(&cli, entries, &argc, &argv) ? dispatch(&cli, command) : ATLAS_EXIT_USAGE;
    atlas_cli_clear(&cli);
    return status;
}

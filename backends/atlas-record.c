/* atlas-record: records what a program launches, and surveys recordings, logs and traces. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "backends/record/record.h"
#include "backends/survey/survey.h"
#include "model/base/cli.h"
#include "model/base/version.h"

static struct {
    char *output, *format, *stages, *step, *count, *detail, *attach, *color;
    gboolean quiet, version, help;
} option;
static SurveyOptions survey;

/* The one table of options: parsing and --help both come from it. */
static const GOptionEntry entries[] = {
    {"output", 'o', 0, G_OPTION_ARG_FILENAME, &option.output,
     "write what was recorded to FILE: .ndjson, .jsonl all of it, else a log", "FILE"},
    {"stages", 0, 0, G_OPTION_ARG_STRING, &option.stages,
     "ranges that are stages, others are not: fwd,bwd,opt", "LIST"},
    {"count", 0, 0, G_OPTION_ARG_STRING, &option.count,
     "what a log holds: submissions, calls, graph_nodes, activities", "WHAT"},
    {"detail", 0, 0, G_OPTION_ARG_STRING, &option.detail,
     "activities: kernels that the device ran, too (launches get dearer)", "WHAT"},
    {"attach", 0, 0, G_OPTION_ARG_STRING, &option.attach,
     "preload (stand before the driver) or cupti (be told by it)", "HOW"},
    {"quiet", 'q', 0, G_OPTION_ARG_NONE, &option.quiet, "no table at the end", NULL},
    {"plan", 0, 0, G_OPTION_ARG_STRING, &survey.plan,
     "write a capture plan of a trace: .dot, .json, or - for a table", "FILE"},
    {"launch-us", 0, 0, G_OPTION_ARG_STRING, &survey.launch_us,
     "plan: host time of one launch in microseconds (the trace's)", "U"},
    {"emit-program", 0, 0, G_OPTION_ARG_NONE, &survey.emit_program,
     "print a trace's typical step as a program", NULL},
    {"emit-spec", 0, 0, G_OPTION_ARG_NONE, &survey.emit_spec,
     "print a spec of a trace's typical step, to start from", NULL},
    {"step", 0, 0, G_OPTION_ARG_STRING, &option.step,
     "the range that is a step: NAME, also with a number", "NAME"},
    {"format", 'f', 0, G_OPTION_ARG_STRING, &option.format,
     "log or ndjson, of a recording; table, json or tsv, of a survey", "F"},
    {"color", 0, 0, G_OPTION_ARG_STRING, &option.color, "auto, always or never", "WHEN"},
    {"version", 0, 0, G_OPTION_ARG_NONE, &option.version, "print the version", NULL},
    {"help", 'h', 0, G_OPTION_ARG_NONE, &option.help, "print this help", NULL},
    {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &survey.files, NULL, NULL},
    {NULL, 0, 0, 0, NULL, NULL, NULL},
};

/* What stands over which of them. */
static const AtlasCliHeading headings[] = {
    {"output", "recording"}, {"plan", "surveys"}, {"step", "both"}, {NULL, NULL}};

static int print_help(const AtlasCli *cli) {
    g_autoptr(GString) out = g_string_new(
        "usage: atlas-record [OPTION...] -- COMMAND [ARGUMENT...]\n"
        "       atlas-record [OPTION...] FILE...\n"
        "Runs COMMAND and counts what it launches on the GPU, for each stage (range of NVTX) of "
        "each\n"
        "step. Its output and exit status stay its own; a table comes last, on standard error.\n"
        "Or says what FILE tells of a program: a recording, a log with ATLAS lines, a trace of\n"
        "PyTorch's profiler or of Nsight Systems ('-' is standard input); of two, how the second\n"
        "differs.\n");
    atlas_cli_help_grouped(out, entries, headings);
    g_string_append(out, "\nexit status: COMMAND's, 128 + N where signal N ended it; 126, 127 it "
                         "could not be\nstarted; of surveys 0; 2 usage, input or output error\n");
    return atlas_cli_finish(cli, out->str, ATLAS_EXIT_PASS);
}

/* An option that is for one side only, and whether it was given. */
typedef struct {
    gboolean given;
    const char *name;
} Given;

static int refuse(const AtlasCli *cli, const Given *options, const char *form) {
    for (; options->name; options++)
        if (options->given)
            return atlas_cli_usage(cli, "%s does not go with %s", options->name, form);
    return ATLAS_EXIT_PASS;
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

static int record_command(const AtlasCli *cli, char **command) {
    RecordRequest request = {.command = command};
    const Given of_surveys[] = {{survey.plan != NULL, "--plan"},
                                {survey.launch_us != NULL, "--launch-us"},
                                {survey.emit_program, "--emit-program"},
                                {survey.emit_spec, "--emit-spec"},
                                {FALSE, NULL}};
    int status = refuse(cli, of_surveys, "-- COMMAND");
    if (status != ATLAS_EXIT_PASS)
        return status;
    if (!command[0] || survey.files)
        return atlas_cli_usage(cli, "expected the program to record behind '--'");
    if (!read_count(cli, &request) || !read_output(cli, &request) || !read_stages(cli, &request))
        return ATLAS_EXIT_USAGE;
    return record(cli, &request);
}

static int survey_files(AtlasCli *cli) {
    const Given of_recordings[] = {{option.output != NULL, "--output"},
                                   {option.stages != NULL, "--stages"},
                                   {option.count != NULL, "--count"},
                                   {option.detail != NULL, "--detail"},
                                   {option.attach != NULL, "--attach"},
                                   {option.quiet, "--quiet"},
                                   {FALSE, NULL}};
    int status = refuse(cli, of_recordings, "a survey of FILE");
    if (status != ATLAS_EXIT_PASS)
        return status;
    if (!atlas_cli_output(cli, option.format, option.color))
        return ATLAS_EXIT_USAGE;
    survey.format = option.format;
    survey.step = option.step;
    return survey_main(cli, &survey);
}

/* `command`: what stands behind "--", or NULL. */
static int dispatch(AtlasCli *cli, char **command) {
    if (option.help)
        return print_help(cli);
    if (option.version)
        return atlas_cli_finish(cli, "atlas-record " ATLAS_VERSION "\n", ATLAS_EXIT_PASS);
    if (command)
        return record_command(cli, command);
    if (!survey.files)
        return atlas_cli_usage(cli,
                               "expected the program to record behind '--', or files to survey");
    return survey_files(cli);
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

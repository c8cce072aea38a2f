/* atlas-check: judges measurements, runs and claims by a model. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "backends/check.h"
#include "backends/cuda/child.h"
#include "backends/cuda/guard.h"
#include "backends/programs.h"
#include "model/base/output.h"
#include "model/base/version.h"
#include "model/check/baseline.h"
#include "model/check/claims.h"
#include "model/launch/locate.h"

static CheckOptions option;

/* The one table of options: parsing and --help both come from it. */
static const GOptionEntry entries[] = {
    {"runs", 0, 0, G_OPTION_ARG_NONE, &option.runs,
     "judge the spec's own runs: can all be explained", NULL},
    {"claims", 0, 0, G_OPTION_ARG_NONE, &option.claims,
     "judge the statements of the spec's claims file", NULL},
    {"budget", 0, 0, G_OPTION_ARG_STRING_ARRAY, &option.budgets,
     "the most launches a step: fwd=9100,total=21500", "STAGE=N"},
    {"lag", 0, 0, G_OPTION_ARG_STRING, &option.lag,
     "the lag of the runs' counter, instead of the spec's", "L"},
    {"report", 0, 0, G_OPTION_ARG_STRING, &option.report,
     "write a report of the spec's runs and claims: F.md, F.tsv or -", "F"},
    {"launch-us", 0, 0, G_OPTION_ARG_STRING, &option.launch_us,
     "report, plan: host time of one launch in microseconds (24)", "U"},
    {"prove", 'p', 0, G_OPTION_ARG_NONE, &option.prove,
     "prove the spec's program, or PROGRAMs: races, deadlock ...", NULL},
    {"toggles", 0, 0, G_OPTION_ARG_STRING, &option.toggle_sets,
     "prove: every combination of toggles (with: all)", "all"},
    {"sweep", 0, 0, G_OPTION_ARG_STRING_ARRAY, &option.sweeps,
     "prove: every value: iters=1..8, kda=on,off; repeats", "NAME=A..B"},
    {"depth", 0, 0, G_OPTION_ARG_STRING, &option.depth,
     "prove: entries that a stream holds (without end)", "N"},
    {"trail", 0, 0, G_OPTION_ARG_FILENAME, &option.trail,
     "prove: write what is refuted first as programs", "FILE"},
    {"plan", 0, 0, G_OPTION_ARG_STRING, &option.plan,
     "write a capture plan: .dot, .json, or - for a table", "FILE"},
    {"plan-with", 0, 0, G_OPTION_ARG_STRING, &option.plan_with,
     "plan: what to change first: in-place,device-scalars,...", "LIST"},
    {"plan-steps", 0, 0, G_OPTION_ARG_STRING, &option.plan_steps,
     "plan: steps that a graph is used for (1000)", "N"},
    {"plan-nodes", 0, 0, G_OPTION_ARG_STRING, &option.plan_nodes, "plan: the most nodes of a graph",
     "N"},
    {"plan-graphs", 0, 0, G_OPTION_ARG_STRING, &option.plan_graphs,
     "plan: the most graphs that are held", "N"},
    {"run-plan", 0, 0, G_OPTION_ARG_STRING, &option.run_plan,
     "sim, cuda: run a plan and judge what it promises", "FILE"},
    {"backend", 'b', 0, G_OPTION_ARG_STRING, &option.backend,
     "judge FILEs: log, kineto, nsys; or sim (simulated), cuda (replayed)", "B"},
    {"stage-map", 0, 0, G_OPTION_ARG_STRING_ARRAY, &option.stage_maps,
     "kineto, nsys: ranges (or kernels) like R are stage S; repeats", "R=S"},
    {"arm-map", 0, 0, G_OPTION_ARG_STRING_ARRAY, &option.arm_maps,
     "kineto, nsys: ranges (or kernels) like R are of an arm; repeats", "R=ARM"},
    {"steps", 0, 0, G_OPTION_ARG_STRING, &option.steps,
     "steps that count: a log's last third, a trace's all, 20-29 else", "A-B"},
    {"about", 0, 0, G_OPTION_ARG_STRING_ARRAY, &option.abouts,
     "what counted, where the log does not say: device=NAME", "KEY=V"},
    {"baseline", 0, 0, G_OPTION_ARG_FILENAME, &option.baseline,
     "compare measurements with those that F has", "F"},
    {"write-baseline", 0, 0, G_OPTION_ARG_FILENAME, &option.write_baseline,
     "write what was measured to F, to be compared with", "F"},
    {"toggle", 't', 0, G_OPTION_ARG_STRING_ARRAY, &option.toggles,
     "sim, cuda, prove, plan, budget: switch a toggle; takes commas", "T"},
    {"set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &option.sets,
     "sim, cuda, prove, plan, budget: set a value: iters=2, kda=off", "NAME=V"},
    {"counter-lag", 0, 0, G_OPTION_ARG_STRING, &option.counter_lag,
     "sim: its counter's greatest lag (the spec's)", "L"},
    {"seed", 0, 0, G_OPTION_ARG_STRING, &option.seed,
     "sim: which lags its counter shows; --random: which programs", "N"},
    {"change", 0, 0, G_OPTION_ARG_STRING_ARRAY, &option.changes,
     "sim, cuda: launch N more (or -N fewer) each time KEY does", "KEY=N"},
    {"answers", 0, 0, G_OPTION_ARG_NONE, &option.answers,
     "programs: print what was answered, judge nothing", NULL},
    {"explain", 0, 0, G_OPTION_ARG_NONE, &option.explain, "programs: why each call that failed did",
     NULL},
    {"random", 0, 0, G_OPTION_ARG_STRING, &option.random, "programs: generate N and run them", "N"},
    {"against", 0, 0, G_OPTION_ARG_STRING, &option.against,
     "cuda: compare with sim, shrink what differs", "B"},
    {"kernel-us", 0, 0, G_OPTION_ARG_STRING, &option.kernel_us,
     "cuda: kernels take N microseconds, if nothing says what they take", "N"},
    {"time-limit", 0, 0, G_OPTION_ARG_STRING, &option.limit,
     "cuda: seconds that one driver call may take (10)", "S"},
    {"sharing", 0, 0, G_OPTION_ARG_STRING, &option.sharing,
     "cuda: programs to a context; 1: a new one for each", "N"},
    {"jobs", 'j', 0, G_OPTION_ARG_STRING, &option.jobs, "cuda: programs at once", "N"},
    {"all", 'a', 0, G_OPTION_ARG_NONE, &option.all,
     "show every check, not only what fails or is open", NULL},
    {"format", 'f', 0, G_OPTION_ARG_STRING, &option.format, "table, json or tsv", "F"},
    {"color", 0, 0, G_OPTION_ARG_STRING, &option.color, "auto, always or never", "WHEN"},
    {"print-schema", 0, 0, G_OPTION_ARG_STRING, &option.schema,
     "print a JSON Schema: of claims, baseline, result, programs", "OF"},
    {"version", 0, 0, G_OPTION_ARG_NONE, &option.version, "print the version", NULL},
    {"help", 'h', 0, G_OPTION_ARG_NONE, &option.help, "print this help", NULL},
    {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &option.files, NULL, NULL},
    {NULL, 0, 0, 0, NULL, NULL, NULL},
};

/* What stands over which of them. */
static const AtlasCliHeading headings[] = {{"runs", "a spec by itself"},
                                           {"prove", "proofs"},
                                           {"plan", "capture plans"},
                                           {"backend", "measurements"},
                                           {"answers", "programs"},
                                           {"all", "output"},
                                           {NULL, NULL}};

static int print_help(const AtlasCli *cli) {
    g_autoptr(GString) out = g_string_new(
        "usage: atlas-check [OPTION...] [SPEC] [FILE[@CONFIG]...]\n"
        "       atlas-check [OPTION...] PROGRAM...\n"
        "Judges by SPEC (a file, or a shipped spec; default: " ATLAS_DEFAULT_SPEC ") measurements\n"
        "in FILEs ('-' is standard input), or, without a backend, the spec's own runs and claims,\n"
        "and proves its program; or what of these is asked for. Runs PROGRAMs (files without the\n"
        "key 'atlas') on the simulated driver, or with --backend cuda on the GPU's: one that "
        "states\n"
        "results is compared with them, any other printed with its results. With --backend cuda\n"
        "and --steps, PROGRAMs are replayed, counted and fingerprinted. With --prove it proves "
        "them.\n");
    atlas_cli_help_grouped(out, entries, headings);
    g_string_append(out, "\nbackends:\n");
    atlas_backends_help(out);
    g_string_append(
        out, "\nexit status: 0 all pass; 1 one fails; 2 usage or input error; 3 one is open;\n"
             "with --report 0 if it was written, whatever it says\n");
    return atlas_cli_finish(cli, out->str, ATLAS_EXIT_PASS);
}

static void print_notice(const CheckRequest *request) {
    if (request->notice)
        fprintf(stderr, "atlas-check: %s\n", request->notice);
}

static int print_result(const CheckRequest *request, const AtlasResult *result, const char *what) {
    static const int statuses[ATLAS_VERDICTS] = {[ATLAS_PASS] = ATLAS_EXIT_PASS,
                                                 [ATLAS_FAIL] = ATLAS_EXIT_FAIL,
                                                 [ATLAS_INCONCLUSIVE] = ATLAS_EXIT_OPEN};
    g_autofree char *text = NULL;
    if (g_strcmp0(option.format, "json") == 0) {
        text = atlas_json_text(atlas_result_json(result), 0);
    } else if (g_strcmp0(option.format, "tsv") == 0) {
        g_autoptr(AtlasTable) table = atlas_result_table(result);
        text = atlas_table_render_tsv(table);
    } else {
        text = atlas_result_render(result, what, option.all,
                                   atlas_output_colour(STDOUT_FILENO, option.color),
                                   atlas_output_columns(STDOUT_FILENO));
    }
    int status = atlas_cli_finish(&request->cli, text, statuses[atlas_result_verdict(result)]);
    print_notice(request);
    return status;
}

/* A program file is replayed, not only run, where steps are asked for. */
static gboolean wants_replays(const CheckRequest *request) {
    return request->programs->len > 0 && request->cuda && request->window_given;
}

/* An option, and whether it was given. */
typedef struct {
    gboolean given;
    const char *name;
} Given;

/* The first one that was given; NULL: none was. */
static const char *first_given(const Given *options, guint count) {
    for (guint i = 0; i < count; i++)
        if (options[i].given)
            return options[i].name;
    return NULL;
}

/* Options on specs and measurements do not go with programs. */
static int check_against_programs(const CheckRequest *request, gboolean replays) {
    const Given of_specs[] = {
        {option.toggles != NULL, "--toggle"},
        {option.sets != NULL, "--set"},
        {option.counter_lag != NULL, "--counter-lag"},
        {option.budgets != NULL, "--budget"},
        {option.runs, "--runs"},
        {option.claims, "--claims"},
        {option.lag != NULL, "--lag"},
        {option.report != NULL, "--report"},
        {option.baseline != NULL, "--baseline"},
        {option.write_baseline != NULL, "--write-baseline"},
        {option.abouts != NULL, "--about"},
        {option.toggle_sets != NULL, "--toggles"},
        {option.sweeps != NULL, "--sweep"},
    };
    const Given of_replays[] = {
        {option.steps != NULL, "--steps"},
        {option.changes != NULL, "--change"},
        {option.kernel_us != NULL, "--kernel-us"},
        {option.all && !option.prove, "--all"},
    };
    const AtlasCli *cli = &request->cli;
    const char *wrong = first_given(of_specs, G_N_ELEMENTS(of_specs));
    if (wrong)
        return atlas_cli_usage(cli, "%s does not go with programs, which are %s", wrong,
                               option.prove ? "proved by themselves"
                               : replays    ? "replayed as they are"
                                            : "run, and compared with what they state");
    wrong = replays ? NULL : first_given(of_replays, G_N_ELEMENTS(of_replays));
    if (wrong)
        return atlas_cli_usage(
            cli, "%s goes with programs where they are replayed: --backend cuda --steps A-B",
            wrong);
    return ATLAS_EXIT_PASS;
}

/* What the positional arguments turned out to be does not go with every option. */
static int check_against_inputs(const CheckRequest *request) {
    const AtlasCli *cli = &request->cli;
    gboolean replays = wants_replays(request), programs = check_wants_programs(request);
    const Given of_runs[] = {
        {option.answers, "--answers"},         {option.explain, "--explain"},
        {option.against != NULL, "--against"}, {option.jobs != NULL, "--jobs"},
        {option.sharing != NULL, "--sharing"},
    };
    const char *wrong = programs && !replays ? NULL : first_given(of_runs, G_N_ELEMENTS(of_runs));
    if (wrong)
        return atlas_cli_usage(cli, "%s goes with programs%s", wrong,
                               programs ? " that are run once: without --steps" : "");
    return programs ? check_against_programs(request, replays) : ATLAS_EXIT_PASS;
}

/* A result to print, or problems; what cannot be measured here is no mistake of the user's. */
static int finish(CheckRequest *request, const AtlasResult *result, const char *what) {
    if (atlas_diags_errors(request->cli.diags) == 0)
        return print_result(request, result, what);
    int status = atlas_cli_problems(&request->cli);
    return request->cannot ? ATLAS_EXIT_OPEN : status;
}

static int run_programs(CheckRequest *request) {
    int status = ATLAS_EXIT_USAGE;
    if (option.prove) {
        g_autoptr(AtlasResult) result = atlas_result_new();
        check_proved_programs(request, result);
        return finish(request, result, "proofs");
    }
    g_autofree char *text = check_programs(request, &status);
    if (text)
        return atlas_cli_finish(&request->cli, text, status);
    atlas_cli_problems(&request->cli);
    return status;
}

/* Of a spec's configuration; of a program where `study` is NULL. */
static int plan(CheckRequest *request, AtlasStudy *study) {
    int status = study ? check_plan(request, study) : check_plan_program(request);
    print_notice(request);
    return status;
}

static int run(CheckRequest *request) {
    AtlasDiags *diags = request->cli.diags;
    const char *what = "checks";
    check_request_read(request);
    if (atlas_diags_errors(diags))
        return atlas_cli_problems(&request->cli);
    if (check_against_inputs(request) != ATLAS_EXIT_PASS)
        return ATLAS_EXIT_USAGE;
    if (option.plan && request->programs->len > 0)
        return plan(request, NULL);
    if (check_wants_programs(request) && !wants_replays(request))
        return run_programs(request);
    g_autoptr(AtlasResult) result = atlas_result_new();
    if (wants_replays(request) || option.run_plan) {
        if (option.run_plan)
            check_run_plan(request, result);
        else
            check_replayed(request, result);
        return finish(request, result, what);
    }
    g_autoptr(AtlasStudy) study =
        request->spec_source ? atlas_study_open_source(g_steal_pointer(&request->spec_source), NULL,
                                                       request->lag, diags)
                             : atlas_study_open(request->spec, NULL, request->lag, diags);
    if ((request->backend || option.report || option.plan) && atlas_diags_errors(diags) == 0)
        atlas_study_require(study, diags);
    if (option.report && atlas_diags_errors(diags) == 0)
        return check_report(request, study);
    if (option.plan && atlas_diags_errors(diags) == 0)
        return plan(request, study);
    if (atlas_diags_errors(diags) == 0) {
        if (request->backend)
            check_measured(request, study, result);
        else
            what = check_spec(request, study, result);
    }
    return finish(request, result, what);
}

/* Options of plans that contradict each other or others, or hold no value they can have. */
static int check_plan_options(const CheckRequest *request) {
    const AtlasCli *cli = &request->cli;
    if (!option.plan &&
        (option.plan_with || option.plan_steps || option.plan_nodes || option.plan_graphs))
        return atlas_cli_usage(cli, "--plan-with, --plan-steps, --plan-nodes and --plan-graphs go "
                                    "with --plan");
    if (option.plan && (request->backend || option.report || option.runs || option.claims ||
                        option.budgets || option.prove || option.run_plan))
        return atlas_cli_usage(cli, "--plan goes without a backend, and without other checks");
    if (option.plan && !g_str_equal(option.plan, "-") && !g_str_has_suffix(option.plan, ".dot") &&
        !g_str_has_suffix(option.plan, ".json"))
        return atlas_cli_usage(cli, "--plan: expected FILE.dot, FILE.json, or - for a table");
    if (option.plan && g_strcmp0(option.format, "tsv") == 0)
        return atlas_cli_usage(cli, "--plan is a table or, with --format json, the plan file");
    if (option.run_plan &&
        (!request->backend || request->backend->reads_files || option.files || option.toggles ||
         option.sets || option.changes || option.counter_lag || option.seed))
        return atlas_cli_usage(cli, "--run-plan goes with --backend sim or cuda, and runs the "
                                    "programs that the plan holds, no others");
    return ATLAS_EXIT_PASS;
}

/* The same for those that go with programs. */
static int check_program_options(const CheckRequest *request) {
    static const char *const others[] = {"sim", NULL};
    const AtlasCli *cli = &request->cli;
    if (!atlas_cli_word(cli, "--against", option.against, others))
        return ATLAS_EXIT_USAGE;
    if (!request->cuda && (option.against || option.limit || option.jobs || option.sharing))
        return atlas_cli_usage(
            cli, "--against, --time-limit, --sharing and --jobs go with --backend cuda");
    if (!request->cuda && option.kernel_us)
        return atlas_cli_usage(cli, "--kernel-us goes with --backend cuda");
    if (option.random && option.files)
        return atlas_cli_usage(cli, "--random makes its own programs, and reads none");
    if (option.random && request->backend && request->backend->reads_files)
        return atlas_cli_usage(cli, "--random goes without a backend, or with sim or cuda");
    return ATLAS_EXIT_PASS;
}

/* The same for those that go with proofs. */
static int check_prove_options(const AtlasCli *cli) {
    static const char *const sets[] = {"all", NULL};
    if (!atlas_cli_word(cli, "--toggles", option.toggle_sets, sets))
        return ATLAS_EXIT_USAGE;
    if (!option.prove && (option.toggle_sets || option.sweeps || option.depth || option.trail))
        return atlas_cli_usage(cli, "--toggles, --sweep, --depth and --trail go with --prove");
    if (option.prove && option.backend)
        return atlas_cli_usage(cli, "--prove goes without a backend: what is proved holds in every "
                                    "schedule, and is not measured");
    if (option.prove && (option.random || option.answers || option.explain || option.report))
        return atlas_cli_usage(cli, "--random, --answers, --explain and --report do not go with "
                                    "--prove");
    return ATLAS_EXIT_PASS;
}

/* What is written, and in which form, its name says; "-" leaves it to --format. */
static int check_outputs(const AtlasCli *cli) {
    const char *report = option.report, *format = option.format;
    gboolean tsv = report && g_str_has_suffix(report, ".tsv");
    if (report && !tsv && !g_str_has_suffix(report, ".md") && !g_str_equal(report, "-"))
        return atlas_cli_usage(cli, "--report writes FILE.md, FILE.tsv or '-', not '%s'", report);
    if (report && format && !g_str_equal(report, "-") && tsv != g_str_equal(format, "tsv"))
        return atlas_cli_usage(cli, "--report %s and --format %s contradict each other", report,
                               format);
    if (option.write_baseline && g_str_equal(option.write_baseline, "-"))
        return atlas_cli_usage(cli,
                               "--write-baseline writes a file: standard output has the result");
    if (option.trail && g_str_equal(option.trail, "-"))
        return atlas_cli_usage(cli, "--trail writes a file: standard output has the result");
    return ATLAS_EXIT_PASS;
}

/* The same for all options. */
static int check_options(CheckRequest *request) {
    int status;
    const AtlasCli *cli = &request->cli;
    if (!atlas_cli_output(&request->cli, option.format, option.color))
        return ATLAS_EXIT_USAGE;
    request->backend = option.backend ? atlas_backend_find(option.backend) : NULL;
    if (option.backend && !request->backend) {
        g_autofree char *all = atlas_backends_list();
        return atlas_cli_usage(cli, "--backend is one of %s, not '%s'", all, option.backend);
    }
    request->cuda = request->backend == &atlas_backend_cuda;
    gboolean simulates = request->backend == &atlas_backend_sim;
    gboolean configures = simulates || request->cuda;
    gboolean predicts = option.prove || option.plan || (!option.backend && option.budgets);
    if (!configures && !predicts && (option.toggles || option.sets))
        return atlas_cli_usage(cli, "--toggle and --set go with --prove, --plan or --budget, or "
                                    "--backend sim or cuda");
    if (!configures && option.changes)
        return atlas_cli_usage(cli, "--change goes with --backend sim or cuda");
    if (!simulates && option.counter_lag)
        return atlas_cli_usage(cli, "--counter-lag goes with --backend sim");
    if (!simulates && option.seed && !option.random)
        return atlas_cli_usage(cli, "--seed goes with --backend sim, or with --random");
    if (!request->backend &&
        (option.steps || option.baseline || option.write_baseline || option.abouts))
        return atlas_cli_usage(cli, "--steps, --baseline, --write-baseline and --about go with a "
                                    "--backend");
    if (request->backend && (option.runs || option.claims || option.report))
        return atlas_cli_usage(cli, "--runs, --claims and --report go without a backend");
    if (option.report && (option.runs || option.claims || option.budgets || option.all ||
                          g_strcmp0(option.format, "json") == 0))
        return atlas_cli_usage(cli, "--report writes a document: --runs, --claims, --budget, --all "
                                    "and --format json do not go with it");
    if (option.launch_us && !option.report && !option.plan)
        return atlas_cli_usage(cli, "--launch-us goes with --report or --plan");
    if (request->backend && request->backend->reads_files && !option.files)
        return atlas_cli_usage(cli, "--backend %s needs a FILE to judge", option.backend);
    gboolean traces =
        request->backend == &atlas_backend_kineto || request->backend == &atlas_backend_nsys;
    if ((option.stage_maps || option.arm_maps) && !traces)
        return atlas_cli_usage(cli, "--stage-map and --arm-map go with --backend kineto or nsys");
    status = check_prove_options(cli);
    if (status == ATLAS_EXIT_PASS)
        status = check_outputs(cli);
    if (status == ATLAS_EXIT_PASS)
        status = check_plan_options(request);
    return status == ATLAS_EXIT_PASS ? check_program_options(request) : status;
}

static int print_schema(const AtlasCli *cli) {
    static const char *const words[] = {"claims", "baseline", "result", "programs", NULL};
    if (!atlas_cli_word(cli, "--print-schema", option.schema, words))
        return ATLAS_EXIT_USAGE;
    g_autofree char *schema =
        g_str_equal(option.schema, "claims")
            ? atlas_fields_schema(&atlas_claims_root, "Launch Atlas claims")
        : g_str_equal(option.schema, "baseline")
            ? atlas_fields_schema(&atlas_baseline_root, "Launch Atlas baseline")
        : g_str_equal(option.schema, "programs") ? programs_schema()
                                                 : atlas_result_schema();
    return atlas_cli_finish(cli, schema, ATLAS_EXIT_PASS);
}

/* What talks to the driver is done by a process that this one watches. */
static int run_watched(CheckRequest *request, char **argv) {
    GError *error = NULL;
    int status = cuda_guard(argv, &error);
    if (status >= 0)
        return status;
    atlas_diags_take(request->cli.diags, error);
    atlas_cli_problems(&request->cli);
    return ATLAS_EXIT_OPEN;
}

/* `argv` is what this process was started with; NULL where it is watched already. */
static int dispatch(CheckRequest *request, char **argv) {
    int status = check_options(request);
    if (status != ATLAS_EXIT_PASS)
        return status;
    if (option.help)
        return print_help(&request->cli);
    if (option.version)
        return atlas_cli_finish(&request->cli, "atlas-check " ATLAS_VERSION "\n", ATLAS_EXIT_PASS);
    if (option.schema)
        return print_schema(&request->cli);
    return request->cuda && argv ? run_watched(request, argv) : run(request);
}

int main(int argc, char **argv) {
    CheckRequest request;
    if (argc == 3 && strcmp(argv[1], CUDA_CHILD_OPTION) == 0) /* started by pool.c, not by a user */
        return cuda_child_main(argv[2]);
    gboolean watched = argc >= 3 && strcmp(argv[1], CUDA_WATCHED_OPTION) == 0; /* by guard.c */
    if (watched && !cuda_watch_attach(argv[2]))
        return ATLAS_EXIT_OPEN;
    argc -= watched ? 2 : 0;
    argv += watched ? 2 : 0;
    g_auto(GStrv) started_with = watched ? NULL : g_strdupv(argv);
    check_request_init(&request, &option);
    int status = atlas_cli_parse(&request.cli, entries, &argc, &argv)
                     ? dispatch(&request, started_with)
                     : ATLAS_EXIT_USAGE;
    check_request_clear(&request);
    return status;
}

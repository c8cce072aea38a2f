/* --plan: the capture plan of a configuration or of a program, as a table, a picture or a file. */
#include "backends/check.h"
#include "graphs/plan_show.h"
#include "model/base/output.h"
#include "model/launch/lower.h"
#include "model/solve/next.h"

static void refuse_word(CheckRequest *request, const char *word) {
    const char *names[ATLAS_WITHS + 1] = {NULL};
    for (guint row = 0; row < ATLAS_WITHS; row++)
        names[row] = atlas_plan_withs[row].name;
    atlas_diags_error(request->cli.diags, (AtlasSpan){NULL, 0, 0},
                      *word ? "--plan-with: no change is called '%s'"
                            : "--plan-with: expected changes with commas between, not '%s'",
                      *word ? word : request->option->plan_with);
    atlas_diags_suggest(request->cli.diags, word, "changes", names);
}

/* The words of --plan-with, as bits. */
static guint read_with(CheckRequest *request) {
    const guint both = ATLAS_WITH_ITERATIONS | ATLAS_WITH_ACROSS_STAGES;
    const char *value = request->option->plan_with;
    guint with = 0;
    g_auto(GStrv) words = g_strsplit(value ? value : "", ",", -1);
    for (guint i = 0; words[i]; i++) {
        guint row = 0;
        while (row < ATLAS_WITHS && !g_str_equal(words[i], atlas_plan_withs[row].name))
            row++;
        if (row < ATLAS_WITHS)
            with |= atlas_plan_withs[row].bit;
        else
            refuse_word(request, words[i]);
    }
    if (value && !*value)
        refuse_word(request, "");
    if ((with & both) == both)
        atlas_diags_error(request->cli.diags, (AtlasSpan){NULL, 0, 0},
                          "--plan-with: 'iterations' keeps windows inside of loops, where none "
                          "goes across stages: 'across-stages' contradicts it");
    return with;
}

static AtlasPlanCosts read_costs(CheckRequest *request) {
    AtlasPlanCosts costs = atlas_plan_costs();
    atlas_plan_costs_launch(&costs, request->launch_us, request->cli.diags);
    if (atlas_rat_ok(request->plan_steps))
        costs.over = request->plan_steps.num;
    if (atlas_rat_ok(request->plan_nodes))
        costs.most_nodes = request->plan_nodes.num;
    if (atlas_rat_ok(request->plan_graphs))
        costs.most_graphs = request->plan_graphs.num;
    return costs;
}

/* Writes it where --plan says; the status says whether the plan is proved, and if it is not seen, a
 * notice does. `study` is what it was
 * made by, NULL for a program. */
static int write_out(CheckRequest *request, const AtlasStudy *study, const AtlasPlanShown *shown) {
    const char *path = request->option->plan;
    int status = shown->plan->proved ? ATLAS_EXIT_PASS : ATLAS_EXIT_OPEN;
    g_autoptr(GError) error = NULL;
    g_autofree char *text =
        atlas_plan_render(shown, path, g_strcmp0(request->option->format, "json") == 0, &error);
    if (!text) {
        atlas_diags_take(request->cli.diags, g_steal_pointer(&error));
        return atlas_cli_problems(&request->cli);
    }
    if (g_str_equal(path, "-"))
        return atlas_cli_finish(&request->cli, text, status);
    if (!check_output(request, study, NULL, path))
        return atlas_cli_problems(&request->cli);
    if (atlas_output_replace(path, text, &error)) {
        if (status == ATLAS_EXIT_OPEN)
            request->notice = g_strdup_printf("'%s' holds a plan that is not proved: %s", path,
                                              shown->plan->proof);
        return status;
    }
    atlas_diags_error(request->cli.diags, (AtlasSpan){NULL, 0, 0}, "%s", error->message);
    return atlas_cli_problems(&request->cli);
}

/* The file with the program; NULL, or errors: it is not one. */
static AtlasProgramFile *read_program(CheckRequest *request) {
    AtlasDiags *diags = request->cli.diags;
    const AtlasSource *source = g_ptr_array_index(request->programs, 0);
    if (request->programs->len > 1) {
        atlas_diags_error(
            diags, (AtlasSpan){NULL, 0, 0}, "--plan: one program at a time, not '%s' and '%s'",
            atlas_source_path(source), atlas_source_path(g_ptr_array_index(request->programs, 1)));
        return NULL;
    }
    AtlasProgramFile *file = atlas_program_read(source, diags);
    if (file && atlas_program_file_count(file) > 1) {
        atlas_diags_error(diags, atlas_program_file_get(file, 1)->at,
                          "--plan: one program at a time: '%s' is the second",
                          atlas_program_file_get(file, 1)->name);
        atlas_diags_hint(diags, "--run-plan judges an eager program and a planned one; to plan a "
                                "program, give it a file of its own");
    }
    return file;
}

int check_plan_program(CheckRequest *request) {
    AtlasDiags *diags = request->cli.diags;
    guint with = read_with(request);
    AtlasPlanCosts costs = read_costs(request);
    g_autoptr(AtlasProgramFile) file = read_program(request);
    g_autoptr(AtlasPlan) plan =
        file && atlas_diags_errors(diags) == 0
            ? atlas_plan_make(file, atlas_program_file_get(file, 0), with, &costs, diags)
            : NULL;
    if (!plan)
        return atlas_cli_problems(&request->cli);
    AtlasPlanShown shown = {plan, NULL};
    return write_out(request, NULL, &shown);
}

/* The plan without changes says what each target needs. */
static int plan_config(CheckRequest *request, AtlasStudy *study, const AtlasConfig *config,
                       guint with, const AtlasPlanCosts *costs) {
    AtlasDiags *diags = request->cli.diags;
    g_autoptr(AtlasProgramFile) file = atlas_program_file_new();
    const AtlasProgram *program = atlas_lower(config, study->point->unknowns, file, diags);
    g_autoptr(AtlasPlan) bare = program ? atlas_plan_make(file, program, 0, costs, diags) : NULL;
    g_autoptr(AtlasPlan) plan = bare ? atlas_plan_make(file, program, with, costs, diags) : NULL;
    g_autoptr(AtlasRoadmap) map = plan ? atlas_roadmap_make(study, config, bare, diags) : NULL;
    if (!map)
        return atlas_cli_problems(&request->cli);
    AtlasPlanShown shown = {plan, map};
    return write_out(request, study, &shown);
}

/* Whether the runs bound what a configuration launches: nothing is guessed. */
static gboolean is_bounded(CheckRequest *request, AtlasStudy *study, const AtlasConfig *config) {
    AtlasDiags *diags = request->cli.diags;
    g_autoptr(AtlasPrediction) p = atlas_predict(study, config, NULL, diags);
    if (!p || p->decided)
        return p != NULL;
    g_autoptr(AtlasConfig) run =
        atlas_settling_run(study->evidence, config, study->lag, study->point);
    g_autofree char *label = atlas_config_describe(run), *asked = atlas_config_describe(config);
    atlas_diags_error(diags, (AtlasSpan){NULL, 0, 0},
                      "the runs do not bound what '%s' launches: nothing to plan", asked);
    atlas_diags_hint(diags, "a run of '%s' would", label);
    request->cannot = TRUE;
    return FALSE;
}

int check_plan(CheckRequest *request, AtlasStudy *study) {
    guint with = read_with(request);
    AtlasPlanCosts costs = read_costs(request);
    g_autoptr(AtlasConfig) config = atlas_config_new(study->model);
    atlas_config_options(config, &request->cli, request->option->toggles, request->option->sets);
    if (!study->point)
        atlas_diags_error(request->cli.diags, (AtlasSpan){NULL, 0, 0},
                          "no whole numbers are known that explain the runs: nothing to plan");
    if (atlas_diags_errors(request->cli.diags) || !is_bounded(request, study, config)) {
        int status = atlas_cli_problems(&request->cli);
        return request->cannot ? ATLAS_EXIT_OPEN : status;
    }
    return plan_config(request, study, config, with, &costs);
}

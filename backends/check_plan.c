/* --plan: the capture plan of a configuration or of a program, as a table, a picture or a file. */
#include "backends/check.h"
#include "graphs/plan_show.h"
#include "model/base/output.h"
#include "model/launch/lower.h"

/* The words of --plan-with, as bits. */
static guint read_with(CheckRequest *request) {
    guint with = 0;
    g_auto(GStrv) words =
        g_strsplit(request->option->plan_with ? request->option->plan_with : "", ",", -1);
    for (guint i = 0; words[i]; i++) {
        guint row = 0;
        while (row < ATLAS_WITHS && !g_str_equal(words[i], atlas_plan_withs[row].name))
            row++;
        if (row < ATLAS_WITHS) {
            with |= atlas_plan_withs[row].bit;
            continue;
        }
        if (!*words[i])
            continue;
        atlas_diags_error(request->cli.diags, (AtlasSpan){NULL, 0, 0},
                          "--plan-with: no change is called '%s'", words[i]);
        const char *names[ATLAS_WITHS + 1] = {NULL};
        for (row = 0; row < ATLAS_WITHS; row++)
            names[row] = atlas_plan_withs[row].name;
        atlas_diags_suggest(request->cli.diags, words[i], "changes", names);
    }
    return with;
}

static AtlasPlanCosts read_costs(CheckRequest *request) {
    AtlasPlanCosts costs = atlas_plan_costs();
    AtlasRat ns = atlas_rat_mul(request->launch_us, atlas_rat(1000));
    costs.clock.launch_ns = atlas_rat_floor(ns).num;
    if (atlas_rat_ok(request->plan_steps))
        costs.over = request->plan_steps.num;
    if (atlas_rat_ok(request->plan_nodes))
        costs.most_nodes = request->plan_nodes.num;
    if (atlas_rat_ok(request->plan_graphs))
        costs.most_graphs = request->plan_graphs.num;
    if (costs.most_graphs > ATLAS_PLAN_GRAPHS_MAX)
        atlas_diags_error(request->cli.diags, (AtlasSpan){NULL, 0, 0},
                          "--plan-graphs: expected at most %d graphs", ATLAS_PLAN_GRAPHS_MAX);
    return costs;
}

/* Writes it where --plan says; the status says whether the plan is proved. `study` is what it was
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
    if (atlas_output_replace(path, text, &error))
        return status;
    atlas_diags_error(request->cli.diags, (AtlasSpan){NULL, 0, 0}, "%s", error->message);
    return atlas_cli_problems(&request->cli);
}

int check_plan_program(CheckRequest *request) {
    AtlasDiags *diags = request->cli.diags;
    guint with = read_with(request);
    AtlasPlanCosts costs = read_costs(request);
    g_autoptr(AtlasProgramFile) file =
        atlas_program_read(g_ptr_array_index(request->programs, 0), diags);
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

int check_plan(CheckRequest *request, AtlasStudy *study) {
    guint with = read_with(request);
    AtlasPlanCosts costs = read_costs(request);
    g_autoptr(AtlasConfig) config = atlas_config_new(study->model);
    atlas_config_options(config, &request->cli, request->option->toggles, request->option->sets);
    if (!study->point)
        atlas_diags_error(request->cli.diags, (AtlasSpan){NULL, 0, 0},
                          "no whole numbers are known that explain the runs: nothing to plan");
    if (atlas_diags_errors(request->cli.diags))
        return atlas_cli_problems(&request->cli);
    return plan_config(request, study, config, with, &costs);
}

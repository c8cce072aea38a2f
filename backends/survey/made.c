/* What is made of a survey: a capture plan, a program, a spec. */
#include "backends/survey/show.h"
#include "backends/survey/survey.h"
#include "graphs/plan_show.h"
#include "graphs/seen_program.h"
#include "model/base/output.h"

/* Host time of a launch: the one that was stated, else the trace's, else the planner's. */
static AtlasPlanCosts costs_of(AtlasCli *cli, const SurveyOptions *option,
                               const AtlasSurvey *survey) {
    AtlasPlanCosts costs = atlas_plan_costs();
    AtlasRat us = ATLAS_RAT_NONE;
    if (survey->time.launch >= 0)
        costs.clock.launch_ns = survey->time.launch;
    atlas_cli_number(cli, "--launch-us", option->launch_us, &us);
    if (atlas_rat_ok(us))
        atlas_plan_costs_launch(&costs, us, cli->diags);
    return costs;
}

static int write_plan(AtlasCli *cli, const SurveyOptions *option, const AtlasPlan *plan) {
    AtlasPlanShown shown = {plan, NULL};
    g_autoptr(GError) error = NULL;
    g_autofree char *text =
        atlas_plan_render(&shown, option->plan, g_strcmp0(option->format, "json") == 0, &error);
    if (text && g_str_equal(option->plan, "-"))
        return atlas_cli_finish(cli, text, ATLAS_EXIT_PASS);
    if (text && atlas_output_replace(option->plan, text, &error))
        return ATLAS_EXIT_PASS;
    atlas_diags_take(cli->diags, g_steal_pointer(&error));
    return atlas_cli_problems(cli);
}

int survey_plan(AtlasCli *cli, const SurveyOptions *option, const AtlasSurvey *survey) {
    AtlasPlanCosts costs = costs_of(cli, option, survey);
    if (atlas_output_same_file(option->plan, survey->name)) {
        atlas_diags_error(cli->diags, (AtlasSpan){NULL, 0, 0},
                          "'%s' is read by this command, and would be overwritten", option->plan);
        atlas_diags_hint(cli->diags, "name another file to write");
    }
    if (atlas_diags_errors(cli->diags))
        return atlas_cli_problems(cli);
    g_autoptr(AtlasProgramFile) file = atlas_program_file_new();
    const AtlasProgram *program = atlas_seen_program(survey, file, cli->diags);
    g_autoptr(AtlasPlan) plan =
        program ? atlas_plan_make(file, program, 0, &costs, cli->diags) : NULL;
    if (!plan)
        return atlas_cli_problems(cli);
    atlas_plan_assume(plan, ATLAS_SEEN_ASSUMED);
    return write_plan(cli, option, plan);
}

int survey_program(AtlasCli *cli, const AtlasSurvey *survey) {
    g_autoptr(AtlasProgramFile) file = atlas_program_file_new();
    const AtlasProgram *program = atlas_seen_program(survey, file, cli->diags);
    if (!program)
        return atlas_cli_problems(cli);
    g_autoptr(GString) out = g_string_new(NULL);
    atlas_program_write(program, out);
    return atlas_cli_finish(cli, out->str, ATLAS_EXIT_PASS);
}

int survey_spec(AtlasCli *cli, const AtlasSurvey *survey) {
    g_autofree char *text = atlas_seen_spec(survey, cli->diags);
    return text ? atlas_cli_finish(cli, text, ATLAS_EXIT_PASS) : atlas_cli_problems(cli);
}

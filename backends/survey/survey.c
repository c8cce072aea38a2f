#include "backends/survey/survey.h"

#include "backends/survey/show.h"

static char *show_text(const GPtrArray *surveys) {
    GString *out = g_string_new(NULL);
    if (surveys->len == 2) {
        g_string_free(out, TRUE);
        return survey_difference_text(g_ptr_array_index(surveys, 0), g_ptr_array_index(surveys, 1));
    }
    for (guint i = 0; i < surveys->len; i++) {
        g_autofree char *text = survey_text(g_ptr_array_index(surveys, i));
        g_string_append_printf(out, "%s%s", i ? "\n" : "", text);
    }
    if (surveys->len == 1) {
        g_autofree char *next = survey_next(g_ptr_array_index(surveys, 0));
        g_string_append(out, next);
    }
    return g_string_free(out, FALSE);
}

static json_t *all_json(const GPtrArray *surveys) {
    if (surveys->len == 1)
        return survey_json(g_ptr_array_index(surveys, 0));
    json_t *root = json_object(), *list = json_array();
    json_object_set_new(root, "schema", json_string("atlas-survey/1"));
    for (guint i = 0; i < surveys->len; i++)
        json_array_append_new(list, survey_json(g_ptr_array_index(surveys, i)));
    json_object_set_new(root, "surveys", list);
    if (surveys->len == 2)
        json_object_set_new(
            root, "difference",
            survey_difference_json(g_ptr_array_index(surveys, 0), g_ptr_array_index(surveys, 1)));
    return root;
}

static char *show(const GPtrArray *surveys, const char *format) {
    if (g_strcmp0(format, "json") == 0)
        return atlas_json_text(all_json(surveys), 0);
    return g_strcmp0(format, "tsv") == 0 ? survey_tsv(surveys) : show_text(surveys);
}

/* Options that do not go together. */
static int check_options(const AtlasCli *cli, const SurveyOptions *option) {
    const struct {
        gboolean given;
        const char *name;
    } made[] = {{option->plan != NULL, "--plan"},
                {option->emit_program, "--emit-program"},
                {option->emit_spec, "--emit-spec"}};
    const char *given = NULL;
    for (guint i = 0; i < G_N_ELEMENTS(made); i++) {
        if (made[i].given && given)
            return atlas_cli_usage(cli, "%s and %s do not go together", given, made[i].name);
        given = made[i].given ? made[i].name : given;
    }
    if (given && option->files[1])
        return atlas_cli_usage(cli, "%s takes one file, not '%s' and '%s'", given, option->files[0],
                               option->files[1]);
    if (option->launch_us && !option->plan)
        return atlas_cli_usage(cli, "--launch-us is for --plan");
    if (given && !option->plan && option->format)
        return atlas_cli_usage(cli, "%s prints text: --format does not go with it", given);
    return ATLAS_EXIT_PASS;
}

static int present(AtlasCli *cli, const SurveyOptions *option, const GPtrArray *surveys) {
    const AtlasSurvey *first = g_ptr_array_index(surveys, 0);
    if (option->plan)
        return survey_plan(cli, option, first);
    if (option->emit_program)
        return survey_program(cli, first);
    if (option->emit_spec)
        return survey_spec(cli, first);
    g_autofree char *text = show(surveys, option->format);
    return atlas_cli_finish(cli, text, ATLAS_EXIT_PASS);
}

/* Whether what is printed says itself what the recordings have not: the tables of each file do, and
 * JSON has keys for it. */
static gboolean says_gaps(const SurveyOptions *option, const GPtrArray *surveys) {
    if (option->plan || option->emit_program || option->emit_spec)
        return FALSE;
    return g_strcmp0(option->format, "json") == 0 ||
           (g_strcmp0(option->format, "tsv") != 0 && surveys->len != 2);
}

/* Says of which recordings something is missing. */
static void note_gaps(const AtlasCli *cli, const GPtrArray *surveys) {
    for (guint i = 0; i < surveys->len; i++) {
        const AtlasSurvey *survey = g_ptr_array_index(surveys, i);
        g_autofree char *gap = survey_gap(survey);
        if (gap)
            atlas_cli_notice(cli, "'%s' is incomplete: %s", survey->name, gap);
    }
}

int survey_main(AtlasCli *cli, const SurveyOptions *option) {
    int status = check_options(cli, option);
    if (status != ATLAS_EXIT_PASS)
        return status;
    g_autoptr(GPtrArray) surveys =
        g_ptr_array_new_with_free_func((GDestroyNotify)atlas_survey_free);
    for (guint i = 0; option->files[i]; i++) {
        AtlasSurvey *survey = survey_read(option->files[i], option->step, cli->diags);
        if (survey)
            g_ptr_array_add(surveys, survey);
    }
    if (atlas_diags_errors(cli->diags))
        return atlas_cli_problems(cli);
    if (!says_gaps(option, surveys))
        note_gaps(cli, surveys);
    return present(cli, option, surveys);
}

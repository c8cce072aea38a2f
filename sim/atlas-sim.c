/* atlas-sim: predicts what a training step launches under toggles. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "model/base/output.h"
#include "model/base/version.h"
#include "model/launch/locate.h"
#include "model/launch/lower.h"
#include "sim/report.h"

enum { EXIT_DECIDED = 0, EXIT_USAGE = 2, EXIT_UNDECIDED = 3 };

/* Decimals of a lag or a width that people see. */
enum { PLACES = 2 };

static struct {
    char **toggles, **sets, **runs, **spec;
    char *steps, *lag, *launch_us, *format, *color;
    gboolean marginals, populations, next_run, leave_one_out, emit_program, print_schema;
    gboolean version, help;
} option;

/* The one table of options: parsing and --help both come from it. */
static const GOptionEntry entries[] = {
    {"toggle", 't', 0, G_OPTION_ARG_STRING_ARRAY, &option.toggles,
     "switch a toggle of the spec; repeats, takes commas", "T"},
    {"set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &option.sets,
     "set a parameter or an arm: iters=2, kda=off", "NAME=V"},
    {"steps", 0, 0, G_OPTION_ARG_STRING, &option.steps,
     "predict means over these steps (default: one period)", "A-B"},
    {"runs", 0, 0, G_OPTION_ARG_STRING_ARRAY, &option.runs,
     "use these runs too: a table, or a log[@CONFIG]", "FILE"},
    {"lag", 0, 0, G_OPTION_ARG_STRING, &option.lag,
     "the counter's greatest lag, instead of the spec's", "L"},
    {"launch-us", 0, 0, G_OPTION_ARG_STRING, &option.launch_us,
     "host time of one launch in microseconds (24)", "U"},
    {"marginals", 0, 0, G_OPTION_ARG_NONE, &option.marginals,
     "what each toggle changes against the base", NULL},
    {"populations", 0, 0, G_OPTION_ARG_NONE, &option.populations,
     "launches of every item, with bounds", NULL},
    {"next-run", 0, 0, G_OPTION_ARG_NONE, &option.next_run,
     "which run would narrow this prediction most", NULL},
    {"leave-one-out", 0, 0, G_OPTION_ARG_NONE, &option.leave_one_out,
     "every run against what the others say", NULL},
    {"emit-program", 0, 0, G_OPTION_ARG_NONE, &option.emit_program,
     "print the program this configuration runs", NULL},
    {"print-schema", 0, 0, G_OPTION_ARG_NONE, &option.print_schema,
     "print the JSON Schema of specs, for editors", NULL},
    {"format", 'f', 0, G_OPTION_ARG_STRING, &option.format, "table, json or tsv", "F"},
    {"color", 0, 0, G_OPTION_ARG_STRING, &option.color, "auto, always or never", "WHEN"},
    {"version", 0, 0, G_OPTION_ARG_NONE, &option.version, "print the version", NULL},
    {"help", 'h', 0, G_OPTION_ARG_NONE, &option.help, "print this help", NULL},
    {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &option.spec, NULL, NULL},
    {NULL, 0, 0, 0, NULL, NULL, NULL},
};

static void print_help(GString *out) {
    g_string_append(
        out, "usage: atlas-sim [OPTION...] [SPEC]\n"
             "Predicts the kernel launches of a training step, stage by stage, with bounds.\n"
             "SPEC is a file, or a shipped spec's name (default: " ATLAS_DEFAULT_SPEC ").\n");
    for (const GOptionEntry *e = entries; e->description; e++) {
        const char *arg = e->arg_description;
        g_autofree char *name =
            g_strdup_printf("--%s%s%s", e->long_name, arg ? " " : "", arg ? arg : "");
        char letter[5] = "    ";
        if (e->short_name)
            g_snprintf(letter, sizeof letter, "-%c, ", e->short_name);
        g_string_append_printf(out, "  %s%-17s %s\n", letter, name, e->description);
    }
    g_string_append(out,
                    "exit status: 0 predicted; 2 usage or input error; 3 the runs do not tell\n");
}

/* ---- problems ---- */

static int usage(const char *format, ...) G_GNUC_PRINTF(1, 2);
static int usage(const char *format, ...) {
    va_list args;
    va_start(args, format);
    g_autofree char *message = g_strdup_vprintf(format, args);
    va_end(args);
    fprintf(stderr, "atlas-sim: %s\nhint: atlas-sim --help lists the options\n", message);
    return EXIT_USAGE;
}

static int show(const AtlasDiags *diags) {
    g_autofree char *text =
        atlas_diags_render(diags, atlas_output_colour(STDERR_FILENO, option.color));
    fputs(text, stderr);
    return EXIT_USAGE;
}

static int finish(const char *text, int status) {
    if (atlas_output_write(text))
        return status;
    fprintf(stderr, "atlas-sim: cannot write the output: %s\n", g_strerror(errno));
    return EXIT_USAGE;
}

/* ---- what was asked for ---- */

/* Texts given on the command line, as sources of their own so that problems show their place. */
typedef struct {
    GPtrArray *sources; /* of AtlasSource* */
    AtlasDiags *diags;
    AtlasRat lag, launch_us;
    AtlasWindow window;
    gboolean window_given;
    GArray *runs; /* of AtlasText */
} Request;

static gboolean as_text(Request *request, const char *name, const char *value, AtlasText *text) {
    GError *error = NULL;
    AtlasSource *source = atlas_source_new(name, value, strlen(value), &error);
    if (!source) {
        atlas_diags_take(request->diags, error);
        return FALSE;
    }
    g_ptr_array_add(request->sources, source);
    *text = (AtlasText){atlas_source_text(source), {source, 0, strlen(value)}};
    return TRUE;
}

static void read_number(Request *request, const char *name, const char *value, AtlasRat *number) {
    AtlasText text;
    if (!value || !as_text(request, name, value, &text))
        return;
    *number = atlas_rat_parse(value, strlen(value), NULL);
    if (atlas_rat_ok(*number) && number->num >= 0)
        return;
    atlas_diags_error(request->diags, text.at, "expected a decimal number >= 0, not '%s'", value);
}

static void read_request(Request *request) {
    AtlasText text;
    request->launch_us = atlas_rat(24); /* the study's price of one launch */
    request->lag = ATLAS_RAT_NONE;
    read_number(request, "--lag", option.lag, &request->lag);
    read_number(request, "--launch-us", option.launch_us, &request->launch_us);
    if (option.steps && as_text(request, "--steps", option.steps, &text)) {
        request->window_given = atlas_window_parse(option.steps, &request->window);
        if (!request->window_given) {
            atlas_diags_error(request->diags, text.at, "expected steps as A-B, not '%s'",
                              option.steps);
            atlas_diags_hint(request->diags, "both are inclusive and A <= B: --steps 20-29");
        }
    }
    for (guint i = 0; option.runs && option.runs[i]; i++)
        if (as_text(request, "--runs", option.runs[i], &text))
            g_array_append_val(request->runs, text);
}

static void read_settings(Request *request, AtlasConfig *config) {
    AtlasText text;
    for (guint i = 0; option.toggles && option.toggles[i]; i++)
        if (as_text(request, "--toggle", option.toggles[i], &text))
            atlas_config_apply(config, &text, request->diags);
    for (guint i = 0; option.sets && option.sets[i]; i++)
        if (as_text(request, "--set", option.sets[i], &text))
            atlas_config_apply(config, &text, request->diags);
    if (atlas_diags_errors(request->diags) == 0)
        atlas_config_finish(config, request->diags);
}

/* ---- views ---- */

/* One thing to print: for people with a title above and remarks below; for programs under a key. */
typedef struct {
    const char *key;
    char *title;
    AtlasTable *table;
    GString *remarks;
    json_t *json; /* instead of the table's rows, where the two differ */
} View;

static void view_clear(gpointer data) {
    View *view = data;
    g_free(view->title);
    atlas_table_free(view->table);
    g_string_free(view->remarks, TRUE);
    if (view->json)
        json_decref(view->json);
}

static View *add_view(GArray *views, const char *key, char *title, AtlasTable *table) {
    View view = {key, title, table, g_string_new(NULL), NULL};
    g_array_append_val(views, view);
    return &g_array_index(views, View, views->len - 1);
}

static char *steps_text(AtlasWindow window, gboolean given) {
    if (!given && window.last == 0)
        return g_strdup("launches a step");
    return g_strdup_printf("launches a step, mean over steps %" G_GINT64_FORMAT
                           "-%" G_GINT64_FORMAT,
                           window.first, window.last);
}

static void remark_lag(GString *remarks, const AtlasStudy *study) {
    char lag[64];
    atlas_rat_format(study->lag, PLACES, lag, sizeof lag);
    guint used = 0, excluded = 0;
    for (guint i = 0; i < study->evidence->observations->len; i++)
        if (atlas_evidence_get(study->evidence, i)->excluded)
            excluded++;
        else
            used++;
    if (used == 0)
        g_string_append(remarks, "no run is given: counts are the spec's own\n");
    else
        g_string_append_printf(remarks,
                               "%u runs, counter lag %s (the least that explains them: %.2f)\n",
                               used, lag, study->least_lag);
    for (guint i = 0; excluded && i < study->evidence->observations->len; i++) {
        const AtlasObservation *o = atlas_evidence_get(study->evidence, i);
        if (o->excluded)
            g_string_append_printf(remarks, "run '%s' is left out: %s\n", o->run->name,
                                   o->excluded);
    }
    if (!study->point)
        g_string_append(remarks, "no whole numbers were found that explain all runs at this lag: "
                                 "bounds only\n");
    else if (used)
        g_string_append_printf(remarks, "whole numbers that explain them need lag %.2f\n",
                               study->point->lag);
}

static void view_stages(GArray *views, const AtlasStudy *study, const AtlasPrediction *p,
                        const Request *request) {
    g_autofree char *label = atlas_config_describe(p->config);
    g_autofree char *steps = steps_text(p->window, request->window_given);
    View *view =
        add_view(views, "stages", g_strdup_printf("%s, %s: %s", study->model->name, label, steps),
                 atlas_report_stages(p, request->launch_us));
    char us[64];
    g_string_append_printf(view->remarks, "host ms: launches x %s us\n",
                           atlas_rat_format(request->launch_us, PLACES, us, sizeof us));
    remark_lag(view->remarks, study);
}

static gboolean view_marginals(GArray *views, AtlasStudy *study, const Request *request,
                               const AtlasTableColumn *columns) {
    const AtlasModel *model = study->model;
    g_autoptr(GPtrArray) all =
        g_ptr_array_new_with_free_func((GDestroyNotify)atlas_prediction_free);
    g_autoptr(GPtrArray) configs =
        g_ptr_array_new_with_free_func((GDestroyNotify)atlas_config_free);
    gboolean decided = TRUE;
    for (guint i = 0; i < model->toggles->len; i++) {
        AtlasConfig *config = atlas_config_new(model);
        AtlasText name = {ATLAS_TOGGLE(model, i)->name, {NULL, 0, 0}};
        g_ptr_array_add(configs, config);
        atlas_config_apply(config, &name, request->diags);
        atlas_config_finish(config, request->diags);
        AtlasPrediction *p = atlas_predict(
            study, config, request->window_given ? &request->window : NULL, request->diags);
        g_ptr_array_add(all, p);
        decided = decided && p && p->decided;
    }
    add_view(views, "marginals",
             g_strdup_printf("%s: what each toggle changes against the base", model->name),
             atlas_report_marginals(model, all, columns));
    return decided;
}

static void view_populations(GArray *views, const AtlasStudy *study, const AtlasPrediction *p) {
    g_autofree char *label = atlas_config_describe(p->config);
    guint open = 0;
    for (guint i = 0; i < p->populations->len; i++) {
        const AtlasInterval *b = &g_array_index(p->populations, AtlasPredicted, i).bounds;
        open += !b->lo_known || !b->hi_known || atlas_rat_cmp(b->lo, b->hi) != 0;
    }
    View *view = add_view(views, "populations",
                          g_strdup_printf("%s, %s: populations", study->model->name, label),
                          atlas_report_populations(p));
    g_string_append_printf(view->remarks,
                           open ? "%u populations are not determined by the runs; launches are one "
                                  "solution among many\n"
                                : "every population is determined by the runs\n",
                           open);
}

static json_t *spread_json(const AtlasSpread *spread) {
    return json_pack("{s:i, s:o}", "unbounded", (int)spread->unbounded, "width",
                     atlas_json_number(spread->width));
}

static const AtlasTableColumn next_columns[] = {
    {"run this", "configuration", FALSE},
    {"settings", "changes", TRUE},
    {"away from", "near", FALSE},
    {"widths now", "width_before", TRUE},
    {"then", "width_after", TRUE},
    {"unbounded now", "unbounded_before", TRUE},
    {"unbounded then", "unbounded_after", TRUE},
    {NULL, NULL, FALSE},
};

static void view_next_run(GArray *views, AtlasStudy *study, const AtlasPrediction *p) {
    g_autofree char *label = atlas_config_describe(p->config);
    g_autoptr(AtlasNextRun) next =
        study->point ? atlas_next_run(study->evidence, p->config, study->lag, study->point) : NULL;
    AtlasTable *table = atlas_table_new(next_columns);
    View *view =
        add_view(views, "next_run",
                 g_strdup_printf("%s, %s: the next run", study->model->name, label), table);
    view->json = json_null();
    if (!next) {
        g_string_append(view->remarks, !study->point
                                           ? "without a point no run can be supposed\n"
                                           : "no run that the spec can express would narrow this "
                                             "prediction's populations\n");
        return;
    }
    g_autofree char *settings = atlas_config_describe(next->config);
    atlas_table_row(table);
    atlas_table_text(table, "%s", settings);
    atlas_table_number(table, atlas_rat(next->changes), 0);
    atlas_table_text(table, "%s", next->near->run ? next->near->run->name : "");
    atlas_table_number(table, next->before.width, PLACES);
    atlas_table_number(table, next->after.width, PLACES);
    if (next->before.unbounded) {
        atlas_table_number(table, atlas_rat(next->before.unbounded), 0);
        atlas_table_number(table, atlas_rat(next->after.unbounded), 0);
    }
    json_decref(view->json);
    view->json = json_pack("{s:s, s:i, s:s, s:o, s:o, s:i}", "configuration", settings, "changes",
                           (int)next->changes, "near", next->near->run->name, "before",
                           spread_json(&next->before), "after", spread_json(&next->after),
                           "looked_at", (int)next->looked_at);
    g_string_append_printf(view->remarks,
                           "widths: the sum over all populations of hi - lo, launches a step; "
                           "%u runs compared%s\n",
                           next->looked_at, next->left_out ? ", more were left out" : "");
}

/* ---- formats ---- */

static json_t *configuration_json(const AtlasConfig *config) {
    const AtlasModel *model = config->model;
    json_t *toggles = json_array(), *params = json_object(), *arms = json_object();
    for (guint i = 0; i < config->toggles->len; i++)
        json_array_append_new(toggles, json_string(g_ptr_array_index(config->toggles, i)));
    for (guint i = 0; i < model->params->len; i++)
        json_object_set_new(params, ATLAS_PARAM(model, i)->name, json_integer(config->params[i]));
    for (guint i = 0; i < model->arms->len; i++)
        json_object_set_new(arms, ATLAS_ARM(model, i)->name,
                            json_boolean(atlas_config_arm(config, i)));
    return json_pack("{s:o, s:o, s:o}", "toggles", toggles, "params", params, "arms", arms);
}

static json_t *finite_json(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

static char *as_json(const GArray *views, const AtlasStudy *study, const AtlasPrediction *p,
                     const Request *request) {
    json_t *root =
        json_pack("{s:s, s:s, s:o, s:{s:I, s:I}, s:o, s:o, s:o, s:o}", "schema", "atlas-sim/1",
                  "spec", study->model->name, "configuration", configuration_json(p->config),
                  "steps", "first", (json_int_t)p->window.first, "last", (json_int_t)p->window.last,
                  "launch_us", atlas_json_number(request->launch_us), "lag",
                  atlas_json_number(study->lag), "least_lag", finite_json(study->least_lag),
                  "point_lag", finite_json(study->point ? study->point->lag : (double)NAN));
    for (guint i = 0; i < views->len; i++) {
        const View *view = &g_array_index(views, View, i);
        json_t *rows = view->json ? json_incref(view->json) : atlas_table_json(view->table);
        if (g_str_equal(view->key, "stages")) { /* its last row is the total */
            size_t last = json_array_size(rows) - 1;
            json_t *total = json_incref(json_array_get(rows, last));
            json_object_del(total, "stage");
            json_array_remove(rows, last);
            json_object_set_new(root, "stages", rows);
            json_object_set_new(root, "total", total);
        } else {
            json_object_set_new(root, view->key, rows);
        }
    }
    char *text = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(12));
    char *copy = g_strconcat(text, "\n", NULL);
    free(text);
    json_decref(root);
    return copy;
}

static char *as_table(const GArray *views) {
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < views->len; i++) {
        const View *view = &g_array_index(views, View, i);
        g_autofree char *table = atlas_table_render(view->table);
        g_string_append_printf(out, "%s%s\n\n%s%s%s", i ? "\n" : "", view->title, table,
                               *table && view->remarks->len ? "\n" : "", view->remarks->str);
    }
    return g_string_free(out, FALSE);
}

/* ---- the program ---- */

static int print_views(AtlasStudy *study, const AtlasConfig *config, Request *request) {
    g_autoptr(AtlasPrediction) p = atlas_predict(
        study, config, request->window_given ? &request->window : NULL, request->diags);
    if (!p)
        return show(request->diags);
    g_autoptr(GArray) views = g_array_new(FALSE, FALSE, sizeof(View));
    g_autofree AtlasTableColumn *columns = atlas_report_marginal_columns(study->model);
    gboolean decided = TRUE, others = option.marginals || option.populations || option.next_run ||
                                      option.leave_one_out;
    g_array_set_clear_func(views, view_clear);
    if (!others || g_strcmp0(option.format, "json") == 0) {
        view_stages(views, study, p, request);
        decided = p->decided;
    }
    if (option.marginals)
        decided = view_marginals(views, study, request, columns) && decided;
    if (option.populations)
        view_populations(views, study, p);
    if (option.next_run)
        view_next_run(views, study, p);
    if (option.leave_one_out)
        add_view(views, "leave_one_out",
                 g_strdup_printf("%s: every run against what the others say", study->model->name),
                 atlas_report_leave_one_out(study));
    g_autofree char *text = g_strcmp0(option.format, "json") == 0
                                ? as_json(views, study, p, request)
                            : g_strcmp0(option.format, "tsv") == 0
                                ? atlas_table_render_tsv(g_array_index(views, View, 0).table)
                                : as_table(views);
    int status = finish(text, decided ? EXIT_DECIDED : EXIT_UNDECIDED);
    if (status == EXIT_UNDECIDED && !p->decided) {
        g_autoptr(AtlasConfig) run =
            atlas_settling_run(study->evidence, config, study->lag, study->point);
        g_autofree char *label = atlas_config_describe(run);
        fprintf(stderr, "atlas-sim: the runs do not bound this prediction; a run of '%s' would\n",
                label);
    }
    return status;
}

static int print_program(const AtlasStudy *study, const AtlasConfig *config, Request *request) {
    if (!study->point)
        return usage(
            "no whole numbers are known that explain the runs: there is no program to print");
    g_autoptr(AtlasProgramFile) file = atlas_program_file_new();
    GString *out = g_string_new(NULL);
    const AtlasProgram *program = atlas_lower(config, study->point->unknowns, file, request->diags);
    if (program)
        atlas_program_write(program, out);
    int status = program ? finish(out->str, EXIT_DECIDED) : show(request->diags);
    g_string_free(out, TRUE);
    return status;
}

static int run(Request *request) {
    read_request(request);
    if (atlas_diags_errors(request->diags))
        return show(request->diags);
    const char *spec = option.spec ? option.spec[0] : ATLAS_DEFAULT_SPEC;
    g_autoptr(AtlasStudy) study =
        atlas_study_load(spec, request->runs, request->lag, request->diags);
    if (atlas_diags_errors(request->diags))
        return show(request->diags);
    g_autoptr(AtlasConfig) config = atlas_config_new(study->model);
    read_settings(request, config);
    if (atlas_diags_errors(request->diags))
        return show(request->diags);
    return option.emit_program ? print_program(study, config, request)
                               : print_views(study, config, request);
}

/* Options that contradict each other or hold no value they can have. */
static int check_options(void) {
    static const char *const formats[] = {"table", "json", "tsv", NULL};
    static const char *const colours[] = {"auto", "always", "never", NULL};
    int views = option.marginals + option.populations + option.next_run + option.leave_one_out;
    if (option.spec && option.spec[1])
        return usage("one spec at a time, not '%s' and '%s'", option.spec[0], option.spec[1]);
    if (option.format && !g_strv_contains(formats, option.format))
        return usage("--format is table, json or tsv, not '%s'", option.format);
    if (option.color && !g_strv_contains(colours, option.color))
        return usage("--color is auto, always or never, not '%s'", option.color);
    if (g_strcmp0(option.format, "tsv") == 0 && views > 1)
        return usage("--format tsv prints one table: ask for one view at a time");
    if (option.emit_program && (views || option.format))
        return usage("--emit-program prints a program: no view or --format goes with it");
    return EXIT_DECIDED;
}

int main(int argc, char **argv) {
    g_autoptr(GError) error = NULL;
    GOptionContext *context = g_option_context_new(NULL);
    g_option_context_set_help_enabled(context, FALSE);
    g_option_context_add_main_entries(context, entries, NULL);
    gboolean parsed = g_option_context_parse(context, &argc, &argv, &error);
    g_option_context_free(context);
    if (!parsed)
        return usage("%s", error->message);
    int status = check_options();
    if (status != EXIT_DECIDED)
        return status;
    if (option.help || option.version || option.print_schema) {
        GString *out = g_string_new(NULL);
        g_autofree char *schema = option.print_schema ? atlas_spec_schema() : NULL;
        if (option.help)
            print_help(out);
        else
            g_string_append(out, schema ? schema : "atlas-sim " ATLAS_VERSION "\n");
        status = finish(out->str, EXIT_DECIDED);
        g_string_free(out, TRUE);
        return status;
    }
    Request request = {.sources = g_ptr_array_new_with_free_func((GDestroyNotify)atlas_source_free),
                       .diags = atlas_diags_new(),
                       .runs = g_array_new(FALSE, FALSE, sizeof(AtlasText))};
    status = run(&request);
    atlas_diags_free(request.diags);
    g_array_unref(request.runs);
    g_ptr_array_unref(request.sources);
    return status;
}

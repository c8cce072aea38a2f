#include "model/check/baseline.h"

#include <stddef.h>
#include <string.h>

#include "model/check/agree_text.h"
#include "model/measure/field.h"

/* ---- reading ---- */

#define FIELD(key, type, needed, member, doc)                                                      \
    { key, ATLAS_FIELD_##type, needed, AT(member), doc, NULL, NULL }
#define END                                                                                        \
    { NULL, ATLAS_FIELD_TEXT, FALSE, 0, NULL, NULL, NULL }

static const char *const kinds[] = {"calls", "submissions", "activities", "graph_nodes", NULL};

#define AT(member) offsetof(AtlasBaselineRun, member)
static const AtlasSpecField run_fields[] = {
    FIELD("run", TEXT, TRUE, run, "the run's name"),
    FIELD("configuration", TEXT, TRUE, configuration, "its settings: no-kda,iters=2; or base"),
    FIELD("recipe", TEXT, FALSE, recipe, "what else it depended on, where that is not the spec's"),
    FIELD("steps", TEXT, TRUE, steps, "the steps counted: 20-29, or how many"),
    FIELD("source", NAME, TRUE, source, "the backend that measured"),
    {"counted", ATLAS_FIELD_CHOICE, FALSE, AT(counted), "which launches were counted", kinds, NULL},
    FIELD("lag", NUMBER, TRUE, lag, "the counter's greatest lag, in launches; 0: exact"),
    FIELD("about", PAIRS, FALSE, about, "device, driver, versions: what else must be the same"),
    FIELD("launches", PAIRS, TRUE, launches, "for each stage the launches of all steps"),
    END,
};
#undef AT
static const AtlasObjectKind run_kind = {"a run", sizeof(AtlasBaselineRun), run_fields};

#define AT(member) offsetof(AtlasBaseline, member)
static const AtlasSpecField root_fields[] = {
    FIELD("baseline", INT, TRUE, version, "the version of this form: 1"),
    {"runs", ATLAS_FIELD_SEQUENCE, TRUE, AT(runs), "what was measured", NULL, &run_kind},
    END,
};
#undef AT
const AtlasObjectKind atlas_baseline_root = {"a baseline", sizeof(AtlasBaseline), root_fields};

static gboolean whole(const char *text, gsize length, gint64 *value) {
    return atlas_field_whole((AtlasField){text, length}, value);
}

AtlasSum atlas_baseline_sum(const char *text) {
    AtlasSum sum = {.known = FALSE};
    const char *dots = strstr(text, "..");
    const char *hi = dots ? dots + 2 : text;
    sum.known = whole(text, dots ? (gsize)(dots - text) : strlen(text), &sum.lo) &&
                whole(hi, strlen(hi), &sum.hi) && sum.lo <= sum.hi;
    return sum;
}

static void check_run(const AtlasBaselineRun *run, AtlasDiags *diags) {
    AtlasWindow window;
    gint64 count = 0;
    const char *steps = run->steps.text;
    gboolean number = steps && whole(steps, strlen(steps), &count) && count > 0;
    if (steps && !number && !atlas_window_parse(steps, &window)) {
        atlas_diags_error(diags, run->steps.at, "expected steps as A-B, or how many, not '%s'",
                          steps);
        atlas_diags_hint(diags, "for example 20-29");
    }
    for (guint i = 0; run->launches && i < run->launches->len; i++) {
        const AtlasText *value = &g_array_index(run->launches, AtlasPair, i).value;
        const AtlasText *stage = &g_array_index(run->launches, AtlasPair, i).key;
        if (g_str_equal(stage->text, "total") && run->launches->len > 1) {
            atlas_diags_error(diags, stage->at, "'total' stands beside stages");
            atlas_diags_hint(diags, "it is the sum of the stages, and written where no stage is "
                                    "known");
        }
        if (atlas_baseline_sum(value->text).known)
            continue;
        atlas_diags_error(diags, value->at, "expected the launches of all steps, not '%s'",
                          value->text);
        atlas_diags_hint(diags, "a whole number >= 0, or LO..HI of two");
    }
}

static gboolean same_run(const AtlasBaselineRun *a, const AtlasBaselineRun *b) {
    return g_strcmp0(a->run.text, b->run.text) == 0 &&
           g_strcmp0(a->configuration.text, b->configuration.text) == 0;
}

AtlasBaseline *atlas_baseline_read(const AtlasSource *source, AtlasDiags *diags) {
    guint before = atlas_diags_errors(diags);
    g_autoptr(AtlasBaseline) baseline = g_new0(AtlasBaseline, 1);
    atlas_tree_init(&baseline->tree);
    atlas_tree_read(&baseline->tree, source, &atlas_baseline_root, baseline, diags);
    for (guint i = 0; baseline->runs && i < baseline->runs->len; i++) {
        const AtlasBaselineRun *run = g_ptr_array_index(baseline->runs, i);
        check_run(run, diags);
        for (guint j = 0; run->run.text && j < i; j++) {
            const AtlasBaselineRun *first = g_ptr_array_index(baseline->runs, j);
            if (!same_run(run, first))
                continue;
            atlas_diags_error(diags, run->run.at, "run '%s' of this configuration comes twice",
                              run->run.text);
            atlas_diags_note(diags, first->run.at, "it stands here first");
            break;
        }
    }
    return atlas_diags_errors(diags) == before ? g_steal_pointer(&baseline) : NULL;
}

void atlas_baseline_free(AtlasBaseline *baseline) {
    if (!baseline)
        return;
    atlas_tree_clear(&baseline->tree);
    g_free(baseline);
}

/* ---- writing ---- */

char *atlas_baseline_configuration(const AtlasModel *model, const AtlasText *settings,
                                   AtlasDiags *diags) {
    g_autoptr(AtlasConfig) config = atlas_config_read(model, settings, diags);
    return config ? atlas_config_describe(config) : NULL;
}

char *atlas_baseline_steps(const AtlasRun *run) {
    return run->window_known
               ? g_strdup_printf("%" G_GINT64_FORMAT "-%" G_GINT64_FORMAT, run->window.first,
                                 run->window.last)
               : g_strdup_printf("%" G_GINT64_FORMAT, atlas_window_steps(run->window));
}

/* Text in double quotes, in which YAML reads it as it is. */
static void append_quoted(GString *out, const char *text) {
    g_string_append_c(out, '"');
    for (const char *p = text; *p; p = g_utf8_next_char(p)) {
        gunichar c = g_utf8_get_char(p);
        if (c == '"' || c == '\\')
            g_string_append_printf(out, "\\%c", (char)c);
        else if (g_unichar_isprint(c))
            g_string_append_unichar(out, c);
        else
            g_string_append_printf(out, "\\U%08X", c);
    }
    g_string_append_c(out, '"');
}

static void append_text(GString *out, const char *key, const char *text) {
    g_string_append_printf(out, "    %s: ", key);
    append_quoted(out, text);
    g_string_append_c(out, '\n');
}

static void append_sum(GString *out, const char *stage, const AtlasSum *sum, gint64 steps) {
    g_autofree char *mean = agree_number(agree_mean(sum, steps));
    g_string_append_printf(out, "      %s: %" G_GINT64_FORMAT, stage, sum->lo);
    if (sum->hi != sum->lo)
        g_string_append_printf(out, "..%" G_GINT64_FORMAT, sum->hi);
    g_string_append_printf(out, "  # %s a step\n", mean);
}

static void append_launches(GString *out, const AtlasRun *run) {
    gint64 steps = atlas_window_steps(run->window);
    gboolean any = FALSE;
    g_string_append(out, "    launches:\n");
    for (guint i = 0; i < run->stages->len; i++) {
        const AtlasRunStage *stage = &g_array_index(run->stages, AtlasRunStage, i);
        any = any || stage->sum.known;
        if (stage->sum.known)
            append_sum(out, stage->name, &stage->sum, steps);
    }
    if (!any)
        append_sum(out, "total", &run->total, steps);
}

static void append_run(GString *out, const AtlasMeasurement *m, const char *configuration,
                       AtlasRat lag) {
    const AtlasRun *run = m->run;
    char number[64];
    g_autofree char *steps = atlas_baseline_steps(run);
    g_string_append(out, "  - run: ");
    append_quoted(out, run->name);
    g_string_append_c(out, '\n');
    append_text(out, "configuration", configuration);
    if (*run->recipe.text)
        append_text(out, "recipe", run->recipe.text);
    /* A number alone is text here, too. */
    g_string_append_printf(out, run->window_known ? "    steps: %s\n" : "    steps: \"%s\"\n",
                           steps);
    g_string_append_printf(out, "    source: %s\n", m->source);
    if (run->by.counted != ATLAS_COUNT_KINDS)
        g_string_append_printf(out, "    counted: %s\n", atlas_count_name(run->by.counted));
    g_string_append_printf(
        out, "    lag: %s\n",
        atlas_rat_format(atlas_measurement_lag(m, lag), 15, number, sizeof number));
    for (guint i = 0; i < run->by.about->len; i++) {
        const AtlasAbout *about = &g_array_index(run->by.about, AtlasAbout, i);
        g_string_append_printf(out, "%s      %s: ", i ? "" : "    about:\n", about->key);
        append_quoted(out, about->value);
        g_string_append_c(out, '\n');
    }
    append_launches(out, run);
}

/* What makes no baseline. */
static gboolean can_write(const AtlasMeasurement *m, const char *configuration, GHashTable *seen,
                          AtlasDiags *diags) {
    AtlasSpan nowhere = {NULL, 0, 0};
    char *key = g_strdup_printf("%s\n%s", m->run->name, configuration);
    if (m->run->by.lost > 0) {
        g_autofree char *lost = atlas_provenance_lost(&m->run->by);
        atlas_diags_error(diags, nowhere, "run '%s' makes no baseline: %s", m->run->name, lost);
        atlas_diags_hint(diags, "count it again, with greater buffers or fewer steps");
    } else if (g_hash_table_contains(seen, key)) {
        atlas_diags_error(diags, nowhere, "two runs '%s' of configuration '%s' make no baseline",
                          m->run->name, configuration);
        atlas_diags_hint(diags, "a run is named after its file, or in its table: give each its own "
                                "name");
    }
    return g_hash_table_add(seen, key) && m->run->by.lost == 0;
}

char *atlas_baseline_write(const AtlasMeasured *measured, AtlasDiags *diags) {
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GString) out = g_string_new(
        "# Launches that atlas-check measured: --baseline compares with them, --write-baseline\n"
        "# writes them anew. Launches are sums over the steps.\n"
        "baseline: 1\n"
        "runs:\n");
    gboolean ok = TRUE;
    for (guint i = 0; i < measured->measurements->list->len; i++) {
        const AtlasMeasurement *m = g_ptr_array_index(measured->measurements->list, i);
        g_autofree char *configuration =
            atlas_baseline_configuration(measured->model, &m->run->configuration, diags);
        ok = configuration && can_write(m, configuration, seen, diags) && ok;
        if (ok)
            append_run(out, m, configuration, measured->lag);
    }
    return ok ? g_string_free(g_steal_pointer(&out), FALSE) : NULL;
}

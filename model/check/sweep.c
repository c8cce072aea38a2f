#include "model/check/sweep.h"

#include <string.h>

#include "model/proof/tell.h"
#include "model/launch/lower.h"

/* ---- axes ---- */

static void axis_clear(gpointer data) {
    g_array_unref(((AtlasAxis *)data)->values);
}

static void value_clear(gpointer data) {
    g_free((char *)((AtlasText *)data)->text);
}

GArray *atlas_axes_new(void) {
    GArray *axes = g_array_new(FALSE, FALSE, sizeof(AtlasAxis));
    g_array_set_clear_func(axes, axis_clear);
    return axes;
}

static AtlasAxis *add_axis(GArray *axes) {
    AtlasAxis axis = {g_array_new(FALSE, FALSE, sizeof(AtlasText))};
    g_array_set_clear_func(axis.values, value_clear);
    g_array_append_val(axes, axis);
    return &g_array_index(axes, AtlasAxis, axes->len - 1);
}

static void add_value(AtlasAxis *axis, char *text, AtlasSpan at) {
    AtlasText value = {text, at};
    g_array_append_val(axis->values, value);
}

void atlas_axes_add_toggles(GArray *axes, const AtlasModel *model) {
    for (guint i = 0; i < model->toggles->len; i++) {
        AtlasAxis *axis = add_axis(axes);
        add_value(axis, g_strdup(""), (AtlasSpan){NULL, 0, 0});
        add_value(axis, g_strdup(ATLAS_TOGGLE(model, i)->name), (AtlasSpan){NULL, 0, 0});
    }
}

/* Adds A to B of "A..B", or the one value that the text is. FALSE: no range. */
static gboolean add_range(AtlasAxis *axis, const char *name, const char *text, AtlasSpan at) {
    const char *dots = strstr(text, "..");
    if (!dots) {
        add_value(axis, g_strdup_printf("%s=%s", name, text), at);
        return TRUE;
    }
    AtlasRat first = atlas_rat_parse(text, (gsize)(dots - text), NULL);
    AtlasRat last = atlas_rat_parse(dots + 2, strlen(dots + 2), NULL);
    if (!atlas_rat_is_whole(first) || !atlas_rat_is_whole(last) || last.num < first.num ||
        last.num - first.num >= ATLAS_SWEEP_MAX)
        return FALSE;
    for (gint64 i = first.num; i <= last.num; i++)
        add_value(axis, g_strdup_printf("%s=%" G_GINT64_FORMAT, name, i), at);
    return TRUE;
}

void atlas_axes_add(GArray *axes, const AtlasText *text, const AtlasModel *model,
                    AtlasDiags *diags) {
    g_auto(GStrv) sides = g_strsplit(text->text, "=", 2);
    g_auto(GStrv) values = g_strsplit(sides[0] && sides[1] ? sides[1] : "", ",", -1);
    AtlasAxis *axis = add_axis(axes);
    gboolean good = values[0] != NULL && *sides[0];
    for (guint i = 0; values[i] && good; i++)
        good = *values[i] && add_range(axis, sides[0], values[i], text->at);
    if (!good) {
        atlas_diags_error(diags, text->at, "expected NAME=A..B or NAME=A,B,C, not '%s'",
                          text->text);
        atlas_diags_hint(diags, "for example iters=1..8");
        return;
    }
    guint errors = atlas_diags_errors(diags);
    for (guint i = 0; i < axis->values->len && atlas_diags_errors(diags) == errors; i++) {
        g_autoptr(AtlasConfig) config = atlas_config_new(model);
        const AtlasText *value = &g_array_index(axis->values, AtlasText, i);
        atlas_config_apply(config, value, diags);
    }
}

/* ---- one combination after the other ---- */

/* What was found of one program: rows, and how each was judged. */
typedef struct {
    guint row;
    AtlasVerdict verdict;
} Finding;

typedef struct {
    const AtlasStudy *study;
    const AtlasProveOptions *options;
    AtlasSweep *sweep;
    gboolean *measured; /* by arm */
    GHashTable *seen;   /* of GArray of Finding, by the program's checksum */
    AtlasDiags *diags;
} Sweeper;

static void row_clear(gpointer data) {
    AtlasSweepRow *row = data;
    g_free(row->of);
    g_free(row->method);
    g_free(row->assumes);
    atlas_config_free(row->smallest);
}

void atlas_sweep_free(AtlasSweep *sweep) {
    if (!sweep)
        return;
    g_array_unref(sweep->rows);
    g_free(sweep->over);
    g_free(sweep);
}

static gboolean *measured_arms(const AtlasStudy *study, const AtlasConfig *base) {
    gboolean *measured = g_new0(gboolean, study->model->arms->len + 1);
    for (guint i = 0; i < study->model->arms->len; i++) {
        measured[i] = atlas_config_arm(base, i) || ATLAS_ARM(study->model, i)->standard;
        for (guint k = 0; k < study->evidence->observations->len; k++) {
            const AtlasObservation *o = atlas_evidence_get(study->evidence, k);
            measured[i] |= !o->excluded && atlas_config_arm(o->config, i);
        }
    }
    return measured;
}

static guint count_settings(const AtlasConfig *config) {
    g_autofree char *text = atlas_config_describe(config);
    guint count = !g_str_equal(text, "base");
    for (const char *p = text; *p; p++)
        count += *p == ',';
    return count;
}

/* Counts a configuration in one row. One that fails is of more interest than one that is open. */
static void count_in(AtlasSweepRow *row, const AtlasConfig *config, AtlasVerdict verdict) {
    gboolean fails = verdict == ATLAS_FAIL, first = fails && row->failing == 0;
    row->configurations++;
    row->failing += fails;
    row->open += verdict == ATLAS_INCONCLUSIVE;
    if (verdict == ATLAS_PASS || (!fails && row->failing > 0))
        return;
    guint size = count_settings(config);
    if (row->smallest && !first && size >= row->size)
        return;
    atlas_config_free(row->smallest);
    row->smallest = atlas_config_copy(config);
    row->size = size;
}

static guint find_row(AtlasSweep *sweep, const AtlasProof *proof, char *of) {
    for (guint i = 0; i < sweep->rows->len; i++) {
        AtlasSweepRow *row = &g_array_index(sweep->rows, AtlasSweepRow, i);
        if (row->property == proof->property && g_strcmp0(row->of, of) == 0) {
            g_free(of);
            return i;
        }
    }
    AtlasSweepRow row = {.property = proof->property,
                         .of = of,
                         .least = proof->least,
                         .most = proof->most,
                         .method = g_strdup(proof->method),
                         .assumes = g_strdup(proof->assumes)};
    g_array_append_val(sweep->rows, row);
    return sweep->rows->len - 1;
}

static GArray *prove(Sweeper *s, const AtlasProgram *program) {
    GArray *findings = g_array_new(FALSE, FALSE, sizeof(Finding));
    g_autoptr(AtlasProofs) proofs = atlas_prove(program, s->options);
    for (guint i = 0; i < atlas_proofs_count(proofs); i++) {
        const AtlasProof *proof = atlas_proofs_get(proofs, i);
        Finding found = {find_row(s->sweep, proof, atlas_tell_of(proof, program)),
                         atlas_proved_judge(proof)};
        AtlasSweepRow *row = &g_array_index(s->sweep->rows, AtlasSweepRow, found.row);
        row->least = MIN(row->least, proof->least);
        row->most = row->most < 0 || proof->most < 0 ? -1 : MAX(row->most, proof->most);
        g_array_append_val(findings, found);
    }
    if (!s->sweep->over)
        s->sweep->over = g_strdup(atlas_proofs_get(proofs, 0)->over);
    s->sweep->programs++;
    return findings;
}

static gboolean check(Sweeper *s, const AtlasConfig *config) {
    g_autoptr(AtlasProgramFile) file = atlas_program_file_new();
    g_autoptr(GString) text = g_string_new(NULL);
    AtlasProgram *program = atlas_lower(config, s->study->point->unknowns, file, s->diags);
    if (!program)
        return FALSE;
    atlas_program_write(program, text);
    char *sum = g_compute_checksum_for_string(G_CHECKSUM_SHA256, strchr(text->str, '\n'), -1);
    GArray *findings = g_hash_table_lookup(s->seen, sum);
    if (!findings)
        g_hash_table_insert(s->seen, g_strdup(sum), findings = prove(s, program));
    g_free(sum);
    for (guint i = 0; i < findings->len; i++) {
        const Finding *found = &g_array_index(findings, Finding, i);
        count_in(&g_array_index(s->sweep->rows, AtlasSweepRow, found->row), config, found->verdict);
    }
    s->sweep->configurations++;
    return TRUE;
}

/* The combination of that number; NULL where it is skipped. */
static AtlasConfig *combine(Sweeper *s, const AtlasConfig *base, const GArray *axes, guint number) {
    g_autoptr(AtlasDiags) ignored = atlas_diags_new();
    g_autoptr(AtlasConfig) config = atlas_config_copy(base);
    for (guint i = axes->len; i-- > 0;) {
        const GArray *values = g_array_index(axes, AtlasAxis, i).values;
        atlas_config_apply(config, &g_array_index(values, AtlasText, number % values->len),
                           ignored);
        number /= values->len;
    }
    atlas_config_finish(config, ignored);
    if (atlas_diags_errors(ignored) > 0) {
        s->sweep->contradictory++;
        return NULL;
    }
    for (guint i = 0; i < s->study->model->arms->len; i++) {
        if (atlas_config_arm(config, i) && !s->measured[i]) {
            s->sweep->unmeasured++;
            return NULL;
        }
    }
    return g_steal_pointer(&config);
}

/* How many combinations there are; 0, with an error: too many. */
static guint count_combinations(const GArray *axes, AtlasDiags *diags) {
    guint64 count = 1;
    for (guint i = 0; i < axes->len && count <= ATLAS_SWEEP_MAX; i++)
        count *= g_array_index(axes, AtlasAxis, i).values->len;
    if (count <= ATLAS_SWEEP_MAX)
        return (guint)count;
    atlas_diags_error(diags, (AtlasSpan){NULL, 0, 0}, "these are more than %d combinations",
                      ATLAS_SWEEP_MAX);
    atlas_diags_hint(diags, "sweep fewer values, or without --toggles all");
    return 0;
}

static void findings_free(gpointer findings) {
    g_array_unref(findings);
}

AtlasSweep *atlas_sweep(const AtlasStudy *study, const AtlasConfig *base, const GArray *axes,
                        const AtlasProveOptions *options, AtlasProgress *progress,
                        AtlasDiags *diags) {
    g_autoptr(AtlasSweep) sweep = g_new0(AtlasSweep, 1);
    g_autoptr(GHashTable) seen =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, findings_free);
    g_autofree gboolean *measured = measured_arms(study, base);
    Sweeper s = {study, options, sweep, measured, seen, diags};
    gboolean good = TRUE;
    sweep->rows = g_array_new(FALSE, FALSE, sizeof(AtlasSweepRow));
    g_array_set_clear_func(sweep->rows, row_clear);
    sweep->combinations = count_combinations(axes, diags);
    for (guint i = 0; i < sweep->combinations && good; i++) {
        g_autoptr(AtlasConfig) config = combine(&s, base, axes, i);
        good = !config || check(&s, config);
        atlas_progress_update(progress, i, sweep->combinations);
    }
    if (good && sweep->combinations > 0 && sweep->configurations == 0) {
        atlas_diags_error(diags, (AtlasSpan){NULL, 0, 0},
                          "no combination is left: %u contradict themselves, %u have an arm that "
                          "was never measured",
                          sweep->contradictory, sweep->unmeasured);
        atlas_diags_hint(diags, "--set and --toggle hold in all of them");
    }
    return sweep->configurations > 0 && good ? g_steal_pointer(&sweep) : NULL;
}

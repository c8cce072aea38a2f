#include "backends/replayed.h"

#include <string.h>

#include "model/launch/lower.h"

/* ---- what runs ---- */

AtlasProgram *replayed_program(const AtlasAsk *ask, AtlasProgramFile *file, AtlasDiags *diags) {
    if (ask->study->point)
        return atlas_lower(ask->config, ask->study->point->unknowns, file, diags);
    atlas_diags_error(diags, (AtlasSpan){NULL, 0, 0},
                      "no whole numbers are known that explain the runs: nothing to run");
    return NULL;
}

AtlasWindow replayed_window(const AtlasAsk *ask) {
    return ask->window ? *ask->window
                       : (AtlasWindow){REPLAYED_WARM, REPLAYED_WARM + REPLAYED_STEPS - 1};
}

AtlasRun *replayed_run(const AtlasAsk *ask, AtlasMeasurements *into) {
    g_autofree char *label = atlas_config_describe(ask->config);
    AtlasRun *run = atlas_runs_add(into->runs, label);
    run->configuration.text = atlas_runs_string(into->runs, label, strlen(label));
    run->window = replayed_window(ask);
    run->window_known = TRUE;
    run->log_first = run->window.first;
    return run;
}

/* ---- fingerprints and answers ---- */

/* "0x…" of what was seen, or that nothing was. */
static char *value_of(const AtlasSeen *seen) {
    return seen ? g_strdup_printf("0x%016" G_GINT64_MODIFIER "x", seen->value)
                : g_strdup("nothing");
}

static char *describe_seen(const AtlasExecution *e, const AtlasSeen *seen) {
    if (seen->op == e->program->ops->len)
        return g_strdup_printf("buffer '%s' at the end", seen->buffer);
    if (seen->step == ATLAS_NO_STEP)
        return g_strdup_printf("the host's read of '%s' before the first step", seen->buffer);
    return g_strdup_printf("the host's read of '%s' in step %" G_GINT64_FORMAT, seen->buffer,
                           seen->step);
}

void replayed_fingerprints(AtlasMeasurement *m, const AtlasExecution *expected,
                           const ReplayedPass *passes, guint count) {
    guint all = expected->reads->len + expected->ends->len, least = all;
    AtlasFinding *finding = atlas_measurement_find(m, "fingerprint");
    for (guint i = 0; i < count; i++) {
        const AtlasSeen *right, *wrong;
        guint equal = atlas_execution_compare(expected, passes[i].run, &right, &wrong);
        least = MIN(least, equal);
        if ((!right && !wrong) || finding->found == ATLAS_FOUND_WRONG)
            continue;
        g_autofree char *what = describe_seen(expected, right ? right : wrong);
        g_autofree char *is = value_of(wrong), *should = value_of(right);
        finding->found = ATLAS_FOUND_WRONG;
        finding->why = g_strdup_printf("the first that differs, %s: %s is %s, not %s",
                                       passes[i].name, what, is, should);
    }
    finding->expected = g_strdup_printf("%u equal", all);
    finding->measured = g_strdup_printf("%u equal", least);
    finding->number = atlas_rat(least);
    if (!finding->why)
        finding->why = g_strdup_printf("%u host reads and %u buffers at the end hold what the CPU "
                                       "computed, in %s",
                                       expected->reads->len, expected->ends->len,
                                       count == 1 ? "one pass" : "each pass");
}

void replayed_answers(AtlasMeasurement *m, const AtlasExecution *expected,
                      const AtlasExecution *got) {
    g_autoptr(GArray) differences =
        atlas_outcome_differences(expected->program, expected->outcome, got->outcome);
    AtlasFinding *finding = atlas_measurement_find(m, "answers");
    gint64 calls = got->outcome->calls;
    finding->expected = g_strdup("as the machine");
    finding->measured = g_strdup_printf("%u differ", differences->len);
    finding->number = atlas_rat(differences->len);
    if (differences->len == 0) {
        finding->why = g_strdup_printf(
            "%" G_GINT64_FORMAT " ops that call the driver were answered alike", calls);
        return;
    }
    const AtlasDifference *first = &g_array_index(differences, AtlasDifference, 0);
    gboolean op = first->op < expected->program->ops->len;
    g_autoptr(GString) what = g_string_new(NULL);
    if (op)
        atlas_op_write_call(&g_array_index(expected->program->ops, AtlasOp, first->op), what);
    finding->found = ATLAS_FOUND_WRONG;
    finding->why = g_strdup_printf("the first: %s%s%s, not %s", what->str, op ? " => " : "",
                                   first->got, first->expected);
}

/* ---- counts ---- */

static const char *stage_name(const AtlasExecution *e, guint stage) {
    return stage ? g_ptr_array_index(e->stages, stage) : "unmarked";
}

/* Whether a difference says nothing, since records were lost. */
static gboolean is_open(const AtlasMeasurement *m, guint kind, gint64 got, gint64 expected) {
    return m->run->by.lost > 0 && kind >= ATLAS_COUNT_ACTIVITIES && got < expected;
}

/* What a finding becomes with one difference more. */
static AtlasFound worse(AtlasFound found, gboolean open) {
    return open && found != ATLAS_FOUND_WRONG ? ATLAS_FOUND_OPEN : ATLAS_FOUND_WRONG;
}

static char *row_name(const AtlasExecution *e, guint row) {
    return row == 0 ? g_strdup("before the first step")
           : row == e->rows - 1
               ? g_strdup("behind the last step")
               : g_strdup_printf("step %" G_GINT64_FORMAT, e->steps.first + row - 1);
}

void replayed_counts(AtlasMeasurement *m, const AtlasExecution *expected,
                     const AtlasExecution *got) {
    AtlasFinding *finding = atlas_measurement_find(m, "counts");
    AtlasTally total = atlas_execution_total(got);
    guint wrong = 0, cells = got->rows * got->stages->len * ATLAS_COUNT_KINDS;
    for (guint i = 0; i < cells; i++) {
        guint kind = i % ATLAS_COUNT_KINDS, stage = i / ATLAS_COUNT_KINDS % got->stages->len;
        guint row = i / ATLAS_COUNT_KINDS / got->stages->len;
        gint64 should = atlas_execution_at(expected, row, stage)->of[kind];
        gint64 is = atlas_execution_at(got, row, stage)->of[kind];
        if (is == should)
            continue;
        if (wrong++ == 0) {
            g_autofree char *where = row_name(got, row);
            finding->why = g_strdup_printf(
                "the first: %s, stage %s: %" G_GINT64_FORMAT " %s, not %" G_GINT64_FORMAT, where,
                stage_name(got, stage), is, atlas_count_name(kind), should);
        }
        finding->found = worse(finding->found, is_open(m, kind, is, should));
    }
    finding->expected = g_strdup("as simulated");
    finding->measured = g_strdup_printf("%u of %u differ", wrong, cells);
    finding->number = atlas_rat(wrong);
    if (!finding->why)
        finding->why = g_strdup_printf(
            "in the window %" G_GINT64_FORMAT " calls, %" G_GINT64_FORMAT
            " submissions, %" G_GINT64_FORMAT " activities, %" G_GINT64_FORMAT
            " graph nodes; each count of each stage and step, those before the window too, is as "
            "simulated",
            total.of[0], total.of[1], total.of[2], total.of[3]);
}

void replayed_populations(AtlasMeasurement *m, const AtlasExecution *expected,
                          const AtlasExecution *got) {
    AtlasFinding *finding = atlas_measurement_find(m, "populations");
    guint equal = 0;
    for (guint i = 0; i < got->populations->len; i++) {
        gint64 should = expected->window[i].of[ATLAS_COUNT_ACTIVITIES];
        gint64 is = got->window[i].of[ATLAS_COUNT_ACTIVITIES];
        if (is == should) {
            equal++;
            continue;
        }
        if (finding->found == ATLAS_FOUND_RIGHT)
            finding->why =
                g_strdup_printf("the first: %s executed %" G_GINT64_FORMAT
                                " kernels in the window, not %" G_GINT64_FORMAT,
                                (const char *)g_ptr_array_index(got->populations, i), is, should);
        finding->found = worse(finding->found, is_open(m, ATLAS_COUNT_ACTIVITIES, is, should));
    }
    finding->expected = g_strdup_printf("%u equal", got->populations->len);
    finding->measured = g_strdup_printf("%u equal", equal);
    finding->number = atlas_rat(equal);
    if (!finding->why)
        finding->why = g_strdup("by the names of the kernels that the device executed");
}

/* ---- stages ---- */

/* The stages that are shown: those that are marked; the unmarked one where it counts. */
static gboolean is_shown(const AtlasExecution *e, guint stage) {
    return stage > 0 || e->stages->len == 1 || atlas_execution_stage(e, 0).of[0] > 0 ||
           atlas_execution_stage(e, 0).of[ATLAS_COUNT_ACTIVITIES] > 0;
}

static void add_stage(AtlasMeasurement *m, AtlasRuns *runs, const AtlasExecution *got, guint s) {
    AtlasRunStage *stage = atlas_runs_add_stage(runs, m->run, stage_name(got, s));
    stage->counts = g_array_new(FALSE, FALSE, sizeof(gint64));
    stage->sum = (AtlasSum){TRUE, 0, 0, {NULL, 0, 0}};
    for (gint64 step = got->steps.window; step <= got->steps.last; step++) {
        guint row = (guint)(step - got->steps.first) + 1;
        gint64 count = atlas_execution_at(got, row, s)->of[ATLAS_COUNT_ACTIVITIES];
        g_array_append_val(stage->counts, count);
        stage->sum.lo = stage->sum.hi = stage->sum.lo + count;
    }
}

void replayed_stages(AtlasMeasurement *m, AtlasRuns *runs, const AtlasExecution *got) {
    AtlasTally total = atlas_execution_total(got);
    m->run->by.counted = ATLAS_COUNT_ACTIVITIES;
    m->run->by.lag = atlas_rat(0);
    for (guint s = 0; s < got->stages->len; s++)
        if (is_shown(got, s))
            add_stage(m, runs, got, s);
    for (guint k = 0; k < ATLAS_COUNT_KINDS; k++)
        m->counts[k] = (AtlasSum){TRUE, total.of[k], total.of[k], {NULL, 0, 0}};
}

gint64 *replayed_expected(const AtlasMeasurement *m, const AtlasExecution *expected) {
    gint64 steps = atlas_window_steps(m->run->window);
    gint64 *counts = g_new0(gint64, m->run->stages->len * (gsize)steps + 1);
    for (guint i = 0; i < m->run->stages->len; i++) {
        const char *name = g_array_index(m->run->stages, AtlasRunStage, i).name;
        for (guint s = 0; s < expected->stages->len; s++)
            for (gint64 k = 0; k < steps && g_str_equal(stage_name(expected, s), name); k++) {
                guint row = (guint)(expected->steps.window - expected->steps.first + k) + 1;
                counts[i * (gsize)steps + (gsize)k] =
                    atlas_execution_at(expected, row, s)->of[ATLAS_COUNT_ACTIVITIES];
            }
    }
    return counts;
}

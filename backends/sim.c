/* A simulated run of the model's own program, with a counter that may lag.
 *
 * The program of the configuration is counted step by step (sim/count.h). A counter of lag L shows
 * at the end of each stage what was enqueued so far less something between 0 and L, never more
 * than was enqueued since it last showed anything; how much is pseudo-random, by the seed, and the
 * same on every machine.
 */
#include <string.h>

#include "backends/backend.h"
#include "model/launch/lower.h"
#include "sim/count.h"

/* Steps that are simulated where none are named: warm ones of a run of thirty. */
static const AtlasWindow usual = {20, 29};

/* xorshift64*: small, and the same everywhere. */
static guint64 next_random(guint64 *state) {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * G_GUINT64_CONSTANT(2685821657736338717);
}

/* Applies the changes to the program's launch ops. Reports a population that launches nothing. */
static gboolean change(AtlasProgram *program, const GArray *changes, AtlasDiags *diags) {
    gboolean ok = TRUE;
    for (guint i = 0; changes && i < changes->len; i++) {
        const AtlasChange *c = &g_array_index(changes, AtlasChange, i);
        gboolean found = FALSE;
        for (guint k = 0; k < program->ops->len; k++) {
            AtlasOp *op = &g_array_index(program->ops, AtlasOp, k);
            if (op->kind != ATLAS_OP_LAUNCH || g_strcmp0(op->of, c->population) != 0)
                continue;
            op->count = MAX(op->count + c->by, 0);
            found = TRUE;
        }
        if (found)
            continue;
        ok = FALSE;
        atlas_diags_error(diags, (AtlasSpan){NULL, 0, 0},
                          "population '%s' launches nothing under this configuration",
                          c->population);
        atlas_diags_hint(diags, "atlas-sim --populations lists those that do");
    }
    return ok;
}

typedef struct {
    gint64 lag; /* whole launches */
    gint64 enqueued, shown;
    guint64 random;
} Counter;

/* What the counter has shown by the end of a stage, over what it had shown before. */
static gint64 read_counter(Counter *counter, gint64 launches) {
    counter->enqueued += launches;
    gint64 behind =
        counter->lag ? (gint64)(next_random(&counter->random) % (guint64)(counter->lag + 1)) : 0;
    gint64 now = MAX(counter->enqueued - behind, counter->shown);
    gint64 reading = now - counter->shown;
    counter->shown = now;
    return reading;
}

static void fill(const AtlasAsk *ask, const AtlasProgram *program, AtlasWindow window,
                 AtlasMeasurements *into, AtlasMeasurement *m) {
    const AtlasModel *model = ask->study->model;
    AtlasRun *run = m->run;
    Counter counter = {atlas_rat_floor(ask->lag).num, 0, 0, ask->seed * 2 + 1};
    gint64 total = 0;
    for (guint s = 0; s < model->stages->len; s++) {
        AtlasRunStage *stage = atlas_runs_add_stage(into->runs, run, ATLAS_STAGE(model, s)->name);
        stage->counts = g_array_new(FALSE, FALSE, sizeof(gint64));
        stage->sum = (AtlasSum){TRUE, 0, 0, {NULL, 0, 0}};
    }
    /* The step before the window leaves its lag behind. */
    for (gint64 step = MAX(window.first - 1, 0); step <= window.last; step++) {
        g_autoptr(AtlasCounts) counts = atlas_count(program, step, step);
        for (guint s = 0; s < model->stages->len; s++) {
            AtlasRunStage *stage = &g_array_index(run->stages, AtlasRunStage, s);
            gint64 launches = g_array_index(counts->stages, AtlasCount, s).launches;
            gint64 reading = read_counter(&counter, launches);
            if (step < window.first)
                continue;
            g_array_append_val(stage->counts, reading);
            stage->sum.lo = stage->sum.hi = stage->sum.lo + reading;
            total += launches;
        }
    }
    AtlasSum all = {TRUE, total, total, {NULL, 0, 0}};
    m->counts[ATLAS_COUNT_CALLS] = m->counts[ATLAS_COUNT_SUBMISSIONS] = all;
    m->counts[ATLAS_COUNT_ACTIVITIES] = all;
    m->counts[ATLAS_COUNT_GRAPH_NODES] = (AtlasSum){TRUE, 0, 0, {NULL, 0, 0}};
}

static gboolean measure(const AtlasAsk *ask, AtlasMeasurements *into, AtlasDiags *diags) {
    g_autoptr(AtlasProgramFile) file = atlas_program_file_new();
    g_autofree char *label = atlas_config_describe(ask->config);
    if (!ask->study->point) {
        atlas_diags_error(diags, (AtlasSpan){NULL, 0, 0},
                          "no whole numbers are known that explain the runs: nothing to simulate");
        return FALSE;
    }
    AtlasProgram *program = atlas_lower(ask->config, ask->study->point->unknowns, file, diags);
    if (!program || !change(program, ask->changes, diags))
        return FALSE;
    AtlasRun *run = atlas_runs_add(into->runs, label);
    run->configuration.text = atlas_runs_string(into->runs, label, strlen(label));
    run->window = ask->window ? *ask->window : usual;
    run->window_known = TRUE;
    run->log_first = run->window.first;
    AtlasMeasurement *m = atlas_measurements_add(into, run, "sim");
    m->replay = TRUE;
    run->by.counted = ATLAS_COUNT_SUBMISSIONS;
    run->by.lag = ask->lag;
    fill(ask, program, run->window, into, m);
    return TRUE;
}

const AtlasBackend atlas_backend_sim = {
    "sim", "a simulated run of the model's own program, with a counter that may lag", FALSE,
    measure};

/* A simulated run of the model's own program, with a counter that may lag.
 *
 * The program of the configuration is counted step by step (sim/count.h). A counter of lag L shows
 * at the end of each stage what was enqueued so far less something between 0 and L, never more
 * than was enqueued since it last showed anything; how much is pseudo-random, by the seed, and the
 * same on every machine.
 *
 * A change adds to the count of a population's launch ops, which a loop around them repeats. What a
 * program may not hold (program.h) a changed one may not hold either.
 */
#include "backends/replayed.h"
#include "sim/count.h"

/* Steps that are simulated at most: every one is counted by itself, and kept. */
enum { STEPS_MAX = 100000 };

/* xorshift64*: small, and the same everywhere. */
static guint64 next_random(guint64 *state) {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * G_GUINT64_CONSTANT(2685821657736338717);
}

/* Whether what is launched up to the end of the window, from a step before it, can be summed. */
static gboolean sums_fit(const AtlasProgram *program, AtlasWindow window, AtlasDiags *diags) {
    g_autoptr(AtlasCounts) counts = atlas_count(program, MAX(window.first - 1, 0), window.last);
    if (counts)
        return TRUE;
    atlas_diags_error(diags, (AtlasSpan){NULL, 0, 0},
                      "the launches of steps %" G_GINT64_FORMAT "-%" G_GINT64_FORMAT
                      " are too many to be summed",
                      window.first, window.last);
    atlas_diags_hint(diags, "name fewer steps with --steps, or change counts by less");
    return FALSE;
}

static gboolean can_simulate(AtlasWindow window, AtlasDiags *diags) {
    if (atlas_window_steps(window) <= STEPS_MAX)
        return TRUE;
    atlas_diags_error(diags, (AtlasSpan){NULL, 0, 0},
                      "cannot simulate %" G_GINT64_FORMAT " steps: at most %d",
                      atlas_window_steps(window), STEPS_MAX);
    atlas_diags_hint(diags, "every step is counted by itself: name fewer with --steps A-B");
    return FALSE;
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
    AtlasProgram *program = replayed_program(ask, file, diags);
    AtlasWindow window = replayed_window(ask);
    if (!program || !can_simulate(window, diags) || !sums_fit(program, window, diags) ||
        !replayed_change(program, ask->study->model, ask->changes, diags) ||
        !sums_fit(program, window, diags))
        return FALSE;
    AtlasRun *run = replayed_run(ask, into);
    AtlasMeasurement *m = atlas_measurements_add(into, run, "sim");
    m->replay = TRUE;
    run->by.counted = ATLAS_COUNT_SUBMISSIONS;
    run->by.lag = ask->lag;
    fill(ask, program, run->window, into, m);
    return TRUE;
}

const AtlasBackend atlas_backend_sim = {
    "sim", "a simulated run of the model's own program, with a counter that may lag", FALSE,
    measure, NULL};

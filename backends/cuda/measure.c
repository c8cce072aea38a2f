#include "backends/cuda/measure.h"

#include <string.h>

#include "backends/cuda/image.h"
#include "backends/cuda/ranges.h"
#include "backends/cuda/replay.h"
#include "backends/cuda/watch.h"
#include "sim/execute.h"

/* Steps that run before the window. */
enum { WARM = 2 };

/* Launches that a stream holds before the host blocks, as measured on an H200. */
enum { DEPTH = 1021 };

AtlasSteps cuda_steps(AtlasWindow window) {
    return (AtlasSteps){MAX(window.first - WARM, 0), window.first, window.last};
}

/* ---- what the plain pass shows ---- */

static const CudaMark *mark_at(const CudaReplay *r, guint i) {
    return &g_array_index(r->marks, CudaMark, i);
}

static gboolean in_window(const AtlasExecution *e, guint row) {
    return row >= 1 + (guint)(e->steps.window - e->steps.first) && row < e->rows - 1;
}

/* Mean host time of each stage a step. */
static void time_stages(AtlasMeasurement *m, const CudaReplay *plain) {
    gint64 steps = atlas_window_steps(m->run->window);
    for (guint s = 0; s < m->run->stages->len; s++)
        g_array_index(m->run->stages, AtlasRunStage, s).ms = 0;
    for (guint i = 0; i + 1 < plain->marks->len; i++) {
        const CudaMark *mark = mark_at(plain, i);
        const char *name =
            mark->stage ? g_ptr_array_index(plain->run->stages, mark->stage) : "unmarked";
        for (guint s = 0; s < m->run->stages->len && in_window(plain->run, mark->row); s++) {
            AtlasRunStage *stage = &g_array_index(m->run->stages, AtlasRunStage, s);
            if (g_str_equal(stage->name, name))
                stage->ms += (double)(mark_at(plain, i + 1)->us - mark->us) / 1000 / (double)steps;
        }
    }
}

static void find_timing(AtlasMeasurement *m, const CudaReplay *plain, gboolean detached) {
    const CudaMark *first = NULL, *last = NULL;
    for (guint i = 0; i < plain->marks->len; i++) {
        const CudaMark *mark = mark_at(plain, i);
        if (!first && in_window(plain->run, mark->row))
            first = mark;
        if (first && !last && !in_window(plain->run, mark->row))
            last = mark;
    }
    if (!first || !last)
        return;
    double us = (double)(last->us - first->us);
    double steps = (double)atlas_window_steps(m->run->window);
    gint64 launches = last->enqueued - first->enqueued;
    AtlasFinding *finding = atlas_measurement_find(m, "timing");
    finding->asked = TRUE;
    finding->ms = us / steps / 1000;
    finding->measured = g_strdup_printf("%.3f ms a step", finding->ms);
    g_autoptr(GString) why = g_string_new("host time of the plain pass, waits included");
    if (launches)
        g_string_append_printf(why, "; %.2f µs for each of its launch calls",
                               us / (double)launches);
    if (detached)
        g_string_append(why, "; CUPTI was attached before it, which may cost");
    finding->why = g_string_free(g_steal_pointer(&why), FALSE);
}

/* How far behind the kernels' own counter was, at the marks of the window. */
static void find_smear(AtlasMeasurement *m, const CudaReplay *plain) {
    const CudaMark *at = NULL;
    gint64 most = 0, enqueued = mark_at(plain, plain->marks->len - 1)->enqueued;
    if (plain->counted < 0 || plain->run->outcome->calls == 0)
        return;
    for (guint i = 0; i < plain->marks->len; i++) {
        const CudaMark *mark = mark_at(plain, i);
        gint64 lag = mark->enqueued - mark->counted;
        if (mark->counted >= 0 && in_window(plain->run, mark->row) && (!at || lag > most)) {
            most = lag;
            at = mark;
        }
    }
    if (!at)
        return;
    guint streams = MAX(plain->streams, 1);
    AtlasFinding *finding = atlas_measurement_find(m, "smear");
    finding->asked = TRUE;
    finding->found = plain->counted == enqueued ? ATLAS_FOUND_RIGHT : ATLAS_FOUND_WRONG;
    finding->expected = g_strdup_printf("%u held", DEPTH * streams);
    finding->measured = g_strdup_printf("%" G_GINT64_FORMAT, most);
    finding->number = atlas_rat(most);
    finding->why = g_strdup_printf(
        "launches that the device had not counted when the host read its counter, at most (step "
        "%" G_GINT64_FORMAT "); %u stream%s hold%s %d each, and run one; in the end it counted "
        "%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT,
        plain->run->steps.first + at->row - 1, streams, streams == 1 ? "" : "s",
        streams == 1 ? "s" : "", DEPTH, plain->counted, enqueued);
}

/* Whether kernels run elsewhere than where their calls stand: calls and what the device counted can
 * then not be compared. */
static gboolean has_graphs(const AtlasProgram *program) {
    for (guint i = 0; i < program->ops->len; i++)
        if (g_array_index(program->ops, AtlasOp, i).kind == ATLAS_OP_BEGIN)
            return TRUE;
    return FALSE;
}

/* ---- what it means ---- */

static void find_strangers(AtlasMeasurement *m, gint64 strangers) {
    if (strangers == 0)
        return;
    AtlasFinding *finding = atlas_measurement_find(m, "strangers");
    finding->found = ATLAS_FOUND_OPEN;
    finding->expected = g_strdup("0");
    finding->measured = g_strdup_printf("%" G_GINT64_FORMAT, strangers);
    finding->number = atlas_rat(strangers);
    finding->why = g_strdup("kernels were executed that are not of the program");
}

static void find_meaning(AtlasMeasurement *m, const char *whose) {
    static const char *const how[] = {" as predicted", ", and not as predicted",
                                      ", and whether as predicted is open"};
    AtlasFound found = ATLAS_FOUND_RIGHT;
    for (guint i = 0; i < m->findings->len; i++) {
        AtlasFound one = ((const AtlasFinding *)g_ptr_array_index(m->findings, i))->found;
        if (one != ATLAS_FOUND_RIGHT && found != ATLAS_FOUND_WRONG)
            found = one;
    }
    AtlasFinding *finding = atlas_measurement_find(m, "replay");
    finding->asked = TRUE;
    finding->found = found;
    finding->why = g_strdup_printf(
        "the device executed %s program%s; the user's program was not measured", whose, how[found]);
}

static void say(AtlasMeasurement *m, AtlasMeasurements *into, const char *key, const char *value) {
    const char *kept = atlas_runs_string(into->runs, value, strlen(value));
    AtlasSaid said = atlas_provenance_say(&m->run->by, key, kept);
    g_assert(said == ATLAS_SAID);
}

static void say_all(AtlasMeasurement *m, AtlasMeasurements *into, const CudaOpened *opened,
                    const char *cupti) {
    g_autofree char *release = cuda_driver_release();
    g_autofree char *cuda = cuda_version_text(opened->version);
    say(m, into, "device", opened->name);
    say(m, into, "cuda", cuda);
    if (release)
        say(m, into, "driver", release);
    say(m, into, "cupti", cupti);
}

/* ---- passes ---- */

typedef struct {
    CudaDriver driver;
    CudaOpened opened;
    CudaReplay *plain, *counted;
    char *cupti;
    gint64 strangers, lost;
    gboolean detached; /* CUPTI had been attached before the plain pass */
} Passes;

/* How long a call may take: one that waits may wait for all kernels of the run. */
static gint64 limit_of(const CudaMeasured *what, const AtlasExecution *expected) {
    gint64 seconds = what->limit_s ? what->limit_s : CUDA_LIMIT_S, kernels = 0;
    for (gsize i = 0; i < expected->rows * (gsize)expected->stages->len; i++)
        kernels += expected->tallies[i].of[ATLAS_COUNT_ACTIVITIES];
    return seconds * G_TIME_SPAN_SECOND + expected->cost_ns / 1000 +
           (kernels - expected->costed) * (gint64)(what->kernel_ns / 1000);
}

static gboolean run_passes(const CudaMeasured *what, const AtlasExecution *expected, Passes *p,
                           GError **error) {
    CudaReplayAsk ask = {.program = what->program,
                         .steps = what->steps,
                         .cells = expected->cells,
                         .kernel_ns = what->kernel_ns};
    cuda_watch_limit((gint64)(what->limit_s ? what->limit_s : CUDA_LOAD_LIMIT_S) *
                     G_TIME_SPAN_SECOND);
    if (!cuda_image(error) || !cuda_driver_open(&p->driver, &p->opened, error) ||
        !cuda_ranges_open(error))
        return FALSE;
    cuda_watch_limit(limit_of(what, expected));
    p->detached = cuda_counter_was();
    p->plain = cuda_replay(&p->driver, p->opened.device, &ask, error);
    if (!p->plain)
        return FALSE;
    g_autoptr(CudaCounter) counter = cuda_counter_new(TRUE, error);
    if (!counter)
        return FALSE;
    ask.counter = counter;
    p->counted = cuda_replay(&p->driver, p->opened.device, &ask, error);
    p->cupti = g_strdup(cuda_counter_version(counter));
    p->strangers = cuda_counter_strangers(counter);
    p->lost = cuda_counter_lost(counter);
    return p->counted != NULL;
}

static void passes_clear(Passes *p) {
    cuda_replay_free(p->plain);
    cuda_replay_free(p->counted);
    g_free(p->cupti);
}

static void fill(const CudaMeasured *what, const AtlasExecution *expected, const Passes *p,
                 AtlasMeasurement *m, AtlasMeasurements *into) {
    const ReplayedPass passes[] = {{"plain", p->plain->run}, {"with CUPTI", p->counted->run}};
    m->replay = TRUE;
    m->run->by.lost = p->lost;
    say_all(m, into, &p->opened, p->cupti);
    replayed_stages(m, into->runs, p->counted->run);
    time_stages(m, p->plain);
    replayed_fingerprints(m, expected, passes, G_N_ELEMENTS(passes));
    replayed_answers(m, expected, p->plain->run);
    replayed_counts(m, expected, p->counted->run);
    replayed_populations(m, expected, p->counted->run);
    if (!has_graphs(what->program))
        find_smear(m, p->plain);
    find_timing(m, p->plain, p->detached);
    find_strangers(m, p->strangers);
    find_meaning(m, what->whose);
    replayed_stated(m, what->program, what->steps, p->plain->run->outcome);
}

/* A changed program keeps within what the CPU may run, too. */
static gboolean is_bounded(const CudaMeasured *what, AtlasDiags *diags) {
    if (!what->changes || what->changes->len == 0)
        return TRUE;
    g_autoptr(AtlasExecution) changed = atlas_execute(what->program, what->steps, diags);
    return changed != NULL;
}

AtlasExecution *cuda_measure(const CudaMeasured *what, AtlasMeasurement *m, AtlasMeasurements *into,
                             AtlasDiags *diags) {
    g_autoptr(GError) error = NULL;
    Passes passes = {0};
    g_autoptr(AtlasExecution) expected = atlas_execute(what->program, what->steps, diags);
    if (!expected || !cuda_replay_can(expected, diags) ||
        !replayed_change(what->program, what->model, what->changes, diags) ||
        !is_bounded(what, diags))
        return NULL;
    gboolean ran = run_passes(what, expected, &passes, &error);
    cuda_watch_limit(0);
    if (ran) {
        fill(what, expected, &passes, m, into);
    } else {
        atlas_diags_error(diags, (AtlasSpan){NULL, 0, 0}, "%s", error->message);
        into->cannot = TRUE;
    }
    passes_clear(&passes);
    return error ? NULL : g_steal_pointer(&expected);
}

/* ---- the backend ---- */

static gboolean measure(const AtlasAsk *ask, AtlasMeasurements *into, AtlasDiags *diags) {
    g_autoptr(AtlasProgramFile) file = atlas_program_file_new();
    CudaMeasured what = {
        replayed_program(ask, file, diags), "the model's",  ask->study->model, ask->changes,
        cuda_steps(replayed_window(ask)),   ask->kernel_ns, ask->limit_s};
    if (!what.program)
        return FALSE;
    AtlasMeasurement *m = atlas_measurements_add(into, replayed_run(ask, into), "replay");
    g_autoptr(AtlasExecution) expected = cuda_measure(&what, m, into, diags);
    return expected != NULL;
}

static const char *lacks(void) {
    return cuda_image(NULL) ? NULL : CUDA_IMAGE_NOT_BUILT;
}

const AtlasBackend atlas_backend_cuda = {
    "cuda", "the model's own program, replayed on the GPU and counted by CUPTI", FALSE, measure,
    lacks};

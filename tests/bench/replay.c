/* What running the study's program costs: on the CPU, and, where there is a GPU, replayed on it
 * beside the barest loops that launch the same kernels.
 *
 * Replays and bare loops take turns, in one process; their ratio is the median of the turns' ratios,
 * since one turn differs from the next by more (a tenth) than what is compared. Passes with CUPTI
 * come after all of them, since what it costs stays once it was there, and are compared by medians.
 * Nothing passes or fails here; 1.05 is what a replay is meant to stay under, against both loops.
 */
#include "backends/cuda/image.h"
#include "backends/cuda/kernels.h"
#include "backends/cuda/place.h"
#include "backends/cuda/replay.h"
#include "model/launch/lower.h"
#include "model/solve/study.h"
#include "sim/execute.h"
#include "tests/bench/bench.h"

enum { ROUNDS = 11, COUNTED = 5, STEPS = 6 };

static void must(gboolean ok, const GError *error) {
    if (!ok)
        fail(error ? error->message : "failed");
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Sorts them. */
static double median(double *values, guint count) {
    qsort(values, count, sizeof *values, compare);
    return values[count / 2];
}

/* Of rounds that took turns: before either is sorted. */
static double ratio(const double *values, const double *against) {
    double ratios[ROUNDS];
    for (guint i = 0; i < ROUNDS; i++)
        ratios[i] = values[i] / against[i];
    return median(ratios, ROUNDS);
}

/* ---- programs ---- */

typedef struct {
    AtlasDiags *diags;
    AtlasStudy *study;
    AtlasConfig *config;
    AtlasProgramFile *file, *captured_file;
    AtlasSource *source;
    const AtlasProgram *eager, *captured;
} Subject;

/* The first stage of a program, captured, and launched in every step. */
static const AtlasProgram *capture_stage(Subject *s) {
    GString *text = g_string_new("# captured\n");
    gboolean inside = FALSE;
    for (guint i = 0; i < s->eager->ops->len; i++) {
        const AtlasOp *op = &g_array_index(s->eager->ops, AtlasOp, i);
        if (op->kind == ATLAS_OP_STAGE && inside)
            break;
        if (op->kind == ATLAS_OP_STEP || op->kind == ATLAS_OP_STAGE) {
            inside = op->kind == ATLAS_OP_STAGE;
            g_string_append(text, inside ? "begin main relaxed\n" : "");
            continue;
        }
        atlas_op_write(op, text);
        g_string_append_c(text, '\n');
    }
    g_string_append(text, "end main g\ninstantiate g x\nstep\n  stage fwd\n"
                          "  graph_launch x main\n  sync_stream main\nend\n");
    s->source = atlas_source_new("captured", text->str, text->len, NULL);
    s->captured_file = atlas_program_read(s->source, s->diags);
    g_string_free(text, TRUE);
    return s->captured_file ? atlas_program_file_get(s->captured_file, 0) : NULL;
}

static Subject subject_new(void) {
    Subject s = {.diags = atlas_diags_new(), .file = atlas_program_file_new()};
    s.study = atlas_study_load("specs/dormouse-small.yaml", NULL, ATLAS_RAT_NONE, s.diags);
    if (s.study) {
        s.config = atlas_config_new(s.study->model);
        s.eager = atlas_lower(s.config, s.study->point->unknowns, s.file, s.diags);
        s.captured = capture_stage(&s);
    }
    if (atlas_diags_errors(s.diags)) {
        g_autofree char *text = atlas_diags_render(s.diags, FALSE);
        fail(text);
    }
    return s;
}

static void subject_clear(Subject *s) {
    atlas_program_file_free(s->captured_file);
    atlas_program_file_free(s->file);
    atlas_source_free(s->source);
    atlas_config_free(s->config);
    atlas_study_free(s->study);
    atlas_diags_free(s->diags);
}

/* ---- on the CPU ---- */

static guint on_cpu(const Subject *s, const AtlasProgram *program, const char *name) {
    enum { MANY = 200 };
    double start = now();
    g_autoptr(AtlasExecution) run = atlas_execute(program, (AtlasSteps){0, 0, MANY - 1}, s->diags);
    double ms = (now() - start) * 1000 / MANY;
    if (!run)
        fail("the program does not run on the CPU");
    sink += run->reads->len;
    double launches = (double)atlas_execution_total(run).of[ATLAS_COUNT_ACTIVITIES] / MANY;
    printf("%-34s %8.3f ms a step %8.1f ns a launch\n", name, ms, ms * 1e6 / launches);
    return run->cells;
}

/* ---- the barest loops ---- */

typedef struct {
    const CudaDriver *cuda;
    CudaPlace *place;
    CudaFunction functions[CUDA_KERNELS];
    CudaStream stream;
    CudaWorld world;
    GArray *works; /* of AtlasWork: the launches of a step */
    guint *population_of;
    AtlasExecution *names;
} Bare;

/* The launches of a program in its order, those of its step once. */
static void gather(Bare *b, const AtlasProgram *program, AtlasDiags *diags) {
    g_autoptr(AtlasFlow) flow = atlas_flow_new(program, 0, 0);
    g_autoptr(AtlasBinding) binding = atlas_binding_new(program, diags);
    b->works = g_array_new(FALSE, FALSE, sizeof(AtlasWork));
    b->names = atlas_execution_new(flow, 0);
    while (atlas_flow_next(flow)) {
        AtlasWork work;
        if (atlas_binding_bind(binding, flow, &work) && work.kind == ATLAS_OP_LAUNCH)
            g_array_append_val(b->works, work);
    }
}

static Bare bare_new(const CudaDriver *cuda, CudaDevice device, const AtlasProgram *program,
                     guint cells, AtlasDiags *diags) {
    Bare b = {.cuda = cuda};
    GError *error = NULL;
    CudaModule module;
    b.place = cuda_place_new(cuda, device, &error);
    must(b.place != NULL, error);
    const void *image = cuda_image(&error);
    must(image != NULL, error);
    must(cuda_check(cuda->cuModuleLoadData(&module, image), "cuModuleLoadData", &error), error);
    gather(&b, program, diags);
    for (guint i = 0; i < b.names->populations->len; i++) {
        g_autofree char *name = g_strdup_printf(CUDA_KERNEL_PREFIX "%u", i);
        cuda->cuModuleGetFunction(&b.functions[i], module, name);
    }
    CudaMemory memory = 0;
    must(cuda_check(cuda->cuMemAlloc_v2(&memory, cells * sizeof(guint64)), "cuMemAlloc", &error),
         error);
    cuda->cuMemsetD8_v2(memory, 0, cells * sizeof(guint64));
    b.world.cells = memory;
    cuda->cuStreamCreate(&b.stream, CUDA_STREAM_NONBLOCKING);
    return b;
}

static void bare_clear(Bare *b) {
    cuda_place_free(b->place);
    g_array_unref(b->works);
    atlas_execution_free(b->names);
}

static void launch_all(const Bare *b) {
    for (guint i = 0; i < b->works->len; i++) {
        AtlasWork *work = &g_array_index(b->works, AtlasWork, i);
        void *parameters[] = {&work->first, (void *)&b->world};
        CudaFunction function = b->functions[b->names->population_of[work->op]];
        for (guint64 k = 0; k < work->count; k++)
            b->cuda->cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, b->stream, parameters, NULL);
    }
}

static double bare_eager(const Bare *b) {
    double start = now();
    for (guint i = 0; i < STEPS; i++) {
        launch_all(b);
        b->cuda->cuStreamSynchronize(b->stream);
    }
    return (now() - start) * 1000 / STEPS;
}

static double bare_graph(const Bare *b) {
    CudaGraph graph = NULL;
    CudaExec exec = NULL;
    b->cuda->cuStreamBeginCapture_v2(b->stream, 2);
    launch_all(b);
    b->cuda->cuStreamEndCapture(b->stream, &graph);
    b->cuda->cuGraphInstantiateWithFlags(&exec, graph, 0);
    b->cuda->cuGraphLaunch(exec, b->stream);
    b->cuda->cuStreamSynchronize(b->stream);
    double start = now();
    for (guint i = 0; i < STEPS; i++) {
        b->cuda->cuGraphLaunch(exec, b->stream);
        b->cuda->cuStreamSynchronize(b->stream);
    }
    double ms = (now() - start) * 1000 / STEPS;
    b->cuda->cuGraphExecDestroy(exec);
    b->cuda->cuGraphDestroy(graph);
    return ms;
}

/* ---- replays ---- */

static double replayed(const CudaDriver *cuda, CudaDevice device, const AtlasProgram *program,
                       guint cells, CudaCounter *counter) {
    GError *error = NULL;
    CudaReplayAsk ask = {
        .program = program, .steps = {0, 2, STEPS + 1}, .cells = cells, .counter = counter};
    g_autoptr(CudaReplay) r = cuda_replay(cuda, device, &ask, &error);
    must(r != NULL, error);
    gint64 first = -1, last = -1;
    for (guint i = 0; i < r->marks->len; i++) {
        const CudaMark *mark = &g_array_index(r->marks, CudaMark, i);
        if (first < 0 && mark->row == 3)
            first = mark->us;
        if (last < 0 && mark->row == STEPS + 3)
            last = mark->us;
    }
    return (double)(last - first) / 1000 / STEPS;
}

static void print(const char *what, double ms) {
    printf("%-34s %8.3f ms a step\n", what, ms);
}

static void print_beside(const char *what, double ms, double ratio, const char *than) {
    printf("%-34s %8.3f ms a step %8.3f of %s\n", what, ms, ratio, than);
}

static void on_gpu(const CudaDriver *cuda, const CudaOpened *opened, const Subject *s,
                   const guint *cells) {
    double bare[2][ROUNDS], plain[2][ROUNDS], counted[2][COUNTED], ratios[2];
    const AtlasProgram *programs[] = {s->eager, s->captured};
    for (guint i = 0; i < ROUNDS; i++)
        for (guint p = 0; p < 2; p++) {
            Bare b = bare_new(cuda, opened->device, programs[p], cells[p], s->diags);
            bare[p][i] = p == 0 ? bare_eager(&b) : bare_graph(&b);
            bare_clear(&b);
            plain[p][i] = replayed(cuda, opened->device, programs[p], cells[p], NULL);
        }
    for (guint i = 0; i < 2 * COUNTED; i++) {
        GError *error = NULL;
        g_autoptr(CudaCounter) counter = cuda_counter_new(i % 2 == 1, &error);
        must(counter != NULL, error);
        counted[i % 2][i / 2] = replayed(cuda, opened->device, s->eager, cells[0], counter);
    }
    for (guint p = 0; p < 2; p++)
        ratios[p] = ratio(plain[p], bare[p]);
    double eager = median(plain[0], ROUNDS);
    double calls = median(counted[0], COUNTED), all = median(counted[1], COUNTED);
    printf("%s\n", opened->name);
    print("bare loop of cuLaunchKernel", median(bare[0], ROUNDS));
    print_beside("eager replay", eager, ratios[0], "the bare loop");
    print_beside("  counted, calls only", calls, calls / eager, "the plain replay");
    print_beside("  counted, and activities", all, all / eager, "the plain replay");
    print("bare cuGraphLaunch of a stage", median(bare[1], ROUNDS));
    print_beside("replay of the captured stage", median(plain[1], ROUNDS), ratios[1],
                 "the bare launches");
}

int main(void) {
    Subject s = subject_new();
    CudaDriver cuda;
    CudaOpened opened;
    g_autoptr(GError) error = NULL;
    guint cells[] = {on_cpu(&s, s.eager, "on the CPU"),
                     on_cpu(&s, s.captured, "on the CPU, the captured stage")};
    if (cuda_driver_open(&cuda, &opened, &error))
        on_gpu(&cuda, &opened, &s, cells);
    else
        printf("skipped on a GPU: %s\n", error->message);
    subject_clear(&s);
    return 0;
}

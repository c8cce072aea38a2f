#include "backends/cuda/counter.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cuda/cupti_abi.h"
#include "backends/cuda/cupti_library.h"
#include "backends/cuda/driver.h"
#include "backends/cuda/kernels.h"
#include "backends/cuda/watch.h"

/* From this correlation on, calls belong to this row and stage. */
typedef struct {
    guint32 correlation;
    guint row, stage;
} Since;

struct CudaCounter {
    Cupti cupti;
    CuptiSubscriber subscriber;
    gboolean activities;
    char version[16];
    gint64 lost, strangers;
    /* Records are handed over by a thread of CUPTI's. */
    GMutex lock;
    AtlasExecution *into; /* NULL: nothing counts now */
    GArray *since;        /* of Since, ascending */
    guint row, stage;
    gboolean marked;     /* since the last call */
    gboolean makes_node; /* the call in progress does */
    guint *op_of;        /* of each population, one of its launch ops */
};

/* CUPTI hands over buffers without any word of whose they are. */
static CudaCounter *running;
static gboolean attached; /* once one was */

static const char *const symbols[] = {
#define CUPTI_SYMBOL(symbol, parameters) #symbol,
    CUPTI_CALLS(CUPTI_SYMBOL)
#undef CUPTI_SYMBOL
};

/* Calls that launch kernels, and those that launch graphs. */
static const struct {
    unsigned id;
    gboolean graph;
} launches[] = {
    {CUPTI_LAUNCH_KERNEL, FALSE},      {CUPTI_LAUNCH_KERNEL_PTSZ, FALSE},
    {CUPTI_LAUNCH_KERNEL_EX, FALSE},   {CUPTI_LAUNCH_KERNEL_EX_PTSZ, FALSE},
    {CUPTI_LAUNCH_COOPERATIVE, FALSE}, {CUPTI_LAUNCH_COOPERATIVE_PTSZ, FALSE},
    {CUPTI_GRAPH_LAUNCH, TRUE},        {CUPTI_GRAPH_LAUNCH_PTSZ, TRUE},
};

/* ---- the library ---- */

static gboolean load(Cupti *cupti, GError **error) {
    void *library = cupti_library();
    if (!library) {
        g_set_error(error, CUDA_ERROR, CUDA_ERROR_MISSING,
                    "no CUPTI here, which counts launches (libcupti.so): " CUPTI_HINT);
        return FALSE;
    }
    for (guint i = 0; i < G_N_ELEMENTS(symbols); i++) {
        void *call = dlsym(library, symbols[i]);
        if (!call) {
            g_set_error(error, CUDA_ERROR, CUDA_ERROR_MISSING,
                        "this CUPTI is too old: it lacks %s; that of CUDA 12 has it", symbols[i]);
            return FALSE;
        }
        memcpy((char *)cupti + i * sizeof call, &call, sizeof call);
    }
    return TRUE;
}

static gboolean check(const Cupti *cupti, unsigned result, const char *call, GError **error) {
    const char *text = "unknown error", *mend = "";
    if (result == CUPTI_OK)
        return TRUE;
    cupti->cuptiGetResultString(result, &text);
    if (result == CUPTI_NOT_PERMITTED || result == CUPTI_NOT_PERMITTED_VIRTUAL)
        mend = ": run as root, or let the driver's administrator set the module option "
               "NVreg_RestrictProfilingToAdminUsers=0";
    if (result == CUPTI_OTHER_PROFILER)
        mend = ": another profiler is attached; run without it (nsys, ncu, CUDA_INJECTION64_PATH)";
    g_set_error(error, CUDA_ERROR, CUDA_ERROR_MISSING, "CUPTI refuses %s: %s%s", call, text, mend);
    return FALSE;
}

/* ---- counting ---- */

/* The population of a kernel by its name; FALSE: it is none of the replay's. */
static gboolean population_of(const CudaCounter *c, const char *kernel, guint *population) {
    if (!kernel || !g_str_has_prefix(kernel, CUDA_KERNEL_PREFIX))
        return FALSE;
    guint64 number = g_ascii_strtoull(kernel + strlen(CUDA_KERNEL_PREFIX), NULL, 10);
    *population = (guint)number;
    return number < c->into->populations->len;
}

static void add(CudaCounter *c, guint row, guint stage, AtlasCountKind kind) {
    atlas_execution_add(c->into, row, stage, kind, 1);
}

/* A launch call has returned. */
static void count_call(CudaCounter *c, const CuptiCallbackData *call, gboolean graph) {
    guint population;
    if (c->marked) {
        Since since = {call->correlation, c->row, c->stage};
        g_array_append_val(c->since, since);
        c->marked = FALSE;
    }
    if (*(const unsigned *)call->result != CUDA_OK)
        return;
    gboolean known = !graph && population_of(c, call->symbol, &population);
    if (!graph) {
        add(c, c->row, c->stage, ATLAS_COUNT_CALLS);
        if (known)
            atlas_execution_add_population(c->into, c->row, c->op_of[population], ATLAS_COUNT_CALLS,
                                           1);
    }
    if (c->makes_node)
        return;
    add(c, c->row, c->stage, ATLAS_COUNT_SUBMISSIONS);
    if (known)
        atlas_execution_add_population(c->into, c->row, c->op_of[population],
                                       ATLAS_COUNT_SUBMISSIONS, 1);
}

static void on_callback(void *data, unsigned domain, unsigned id, const void *about) {
    CudaCounter *c = data;
    if (domain == CUPTI_RESOURCES) {
        c->makes_node = TRUE;
        return;
    }
    const CuptiCallbackData *call = about;
    if (call->site == CUPTI_ENTER) {
        c->makes_node = FALSE;
        return;
    }
    g_mutex_lock(&c->lock);
    for (guint i = 0; c->into && i < G_N_ELEMENTS(launches); i++)
        if (launches[i].id == id)
            count_call(c, call, launches[i].graph);
    g_mutex_unlock(&c->lock);
}

/* Where a kernel belongs whose launch has this correlation. */
static Since since_of(const CudaCounter *c, guint32 correlation) {
    Since found = {0, 0, 0};
    guint low = 0, high = c->since->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        const Since *since = &g_array_index(c->since, Since, middle);
        if (since->correlation <= correlation) {
            found = *since;
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return found;
}

static void count_kernel(CudaCounter *c, const CuptiKernel *kernel) {
    Since since = since_of(c, kernel->correlation);
    guint population;
    if (!population_of(c, kernel->name, &population)) {
        c->strangers++;
        return;
    }
    for (guint k = ATLAS_COUNT_ACTIVITIES; k <= ATLAS_COUNT_GRAPH_NODES; k++) {
        if (k == ATLAS_COUNT_GRAPH_NODES && !kernel->graph_node)
            break;
        add(c, since.row, since.stage, k);
        atlas_execution_add_population(c->into, since.row, c->op_of[population], k, 1);
    }
}

static void give_buffer(uint8_t **buffer, size_t *size, size_t *records) {
    *size = (size_t)8 << 20;
    *records = 0;
    *buffer = malloc(*size);
    if (!*buffer)
        *size = 0; /* CUPTI then drops records, and says so */
}

static void take_buffer(CudaContext context, uint32_t stream, uint8_t *buffer, size_t size,
                        size_t valid) {
    CudaCounter *c = running;
    CuptiActivity *record = NULL;
    size_t dropped = 0;
    (void)size;
    cuda_beat();
    g_mutex_lock(&c->lock);
    while (c->into && valid > 0 &&
           c->cupti.cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_OK)
        if (record->kind == CUPTI_CONCURRENT_KERNEL)
            count_kernel(c, (const CuptiKernel *)(const void *)record);
    if (c->cupti.cuptiActivityGetNumDroppedRecords(context, stream, &dropped) == CUPTI_OK)
        c->lost += (gint64)dropped;
    g_mutex_unlock(&c->lock);
    free(buffer);
}

/* ---- life ---- */

static gboolean enable_callbacks(CudaCounter *c, GError **error) {
    const Cupti *cupti = &c->cupti;
    for (guint i = 0; i < G_N_ELEMENTS(launches); i++)
        if (!check(cupti,
                   cupti->cuptiEnableCallback(1, c->subscriber, CUPTI_DRIVER_CALLS, launches[i].id),
                   "cuptiEnableCallback", error))
            return FALSE;
    return check(cupti,
                 cupti->cuptiEnableCallback(1, c->subscriber, CUPTI_RESOURCES, CUPTI_NODE_CREATED),
                 "cuptiEnableCallback", error);
}

static gboolean enable_activities(CudaCounter *c, GError **error) {
    const Cupti *cupti = &c->cupti;
    return check(cupti, cupti->cuptiActivityRegisterCallbacks(give_buffer, take_buffer),
                 "cuptiActivityRegisterCallbacks", error) &&
           check(cupti, cupti->cuptiActivityEnable(CUPTI_CONCURRENT_KERNEL), "cuptiActivityEnable",
                 error);
}

CudaCounter *cuda_counter_new(gboolean activities, GError **error) {
    g_assert(!running);
    g_autoptr(CudaCounter) c = g_new0(CudaCounter, 1);
    uint32_t version = 0;
    cuda_watch_phase("CUPTI was attached");
    c->activities = activities;
    c->since = g_array_new(FALSE, FALSE, sizeof(Since));
    g_mutex_init(&c->lock);
    if (!load(&c->cupti, error) ||
        !check(&c->cupti, c->cupti.cuptiGetVersion(&version), "cuptiGetVersion", error) ||
        !check(&c->cupti, c->cupti.cuptiSubscribe(&c->subscriber, on_callback, c), "cuptiSubscribe",
               error))
        return NULL;
    running = c;
    attached = TRUE;
    g_snprintf(c->version, sizeof c->version, "%u", version);
    if (!enable_callbacks(c, error) || (activities && !enable_activities(c, error)))
        return NULL;
    return g_steal_pointer(&c);
}

gboolean cuda_counter_was(void) {
    return attached;
}

void cuda_counter_open(CudaCounter *c, AtlasExecution *into) {
    g_mutex_lock(&c->lock);
    c->into = into;
    g_array_set_size(c->since, 0);
    c->row = c->stage = 0;
    c->marked = TRUE;
    g_free(c->op_of);
    c->op_of = g_new0(guint, into->populations->len + 1);
    for (guint i = into->program->ops->len; i-- > 0;)
        if (g_array_index(into->program->ops, AtlasOp, i).kind == ATLAS_OP_LAUNCH)
            c->op_of[into->population_of[i]] = i;
    g_mutex_unlock(&c->lock);
}

void cuda_counter_mark(CudaCounter *c, guint row, guint stage) {
    g_mutex_lock(&c->lock);
    c->row = row;
    c->stage = stage;
    c->marked = TRUE;
    g_mutex_unlock(&c->lock);
}

void cuda_counter_drop(CudaCounter *c) {
    g_mutex_lock(&c->lock);
    c->into = NULL;
    g_mutex_unlock(&c->lock);
}

gboolean cuda_counter_close(CudaCounter *c, GError **error) {
    cuda_watch_phase("CUPTI handed its records over");
    gboolean ok =
        !c->activities || check(&c->cupti, c->cupti.cuptiActivityFlushAll(CUPTI_FLUSH_FORCED),
                                "cuptiActivityFlushAll", error);
    cuda_counter_drop(c);
    return ok;
}

void cuda_counter_free(CudaCounter *c) {
    if (!c)
        return;
    cuda_watch_phase("CUPTI was detached");
    if (running == c) {
        c->cupti.cuptiUnsubscribe(c->subscriber);
        if (c->activities)
            c->cupti.cuptiActivityDisable(CUPTI_CONCURRENT_KERNEL);
        c->cupti.cuptiActivityFlushAll(CUPTI_FLUSH_FORCED);
        running = NULL;
    }
    g_array_unref(c->since);
    g_mutex_clear(&c->lock);
    g_free(c->op_of);
    g_free(c);
}

gint64 cuda_counter_lost(const CudaCounter *c) {
    return c->lost;
}
gint64 cuda_counter_strangers(const CudaCounter *c) {
    return c->strangers;
}
const char *cuda_counter_version(const CudaCounter *c) {
    return c->version;
}

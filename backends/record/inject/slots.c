#include "backends/record/inject/slots.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "backends/record/inject/hooks.h"

static const struct {
    CallKind kind;
    const char *symbol;
} calls[] = {
#define CALL_ROW(id, symbol, kind) {CALL_##kind, #symbol},
    CALLS_ALL(CALL_ROW) CALLS_HANDLES(CALL_ROW)
#undef CALL_ROW
};

typedef struct {
    _Atomic(SlotCall *) real;
    CallKind kind;
    bool per_thread;
} Slot;

static Slot slots[SLOTS];
static unsigned count;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool stopped;
static __thread bool passing; /* a call of this thread is being passed on */

static void in_child(void) {
    pthread_mutex_init(&mutex, NULL);
}

__attribute__((constructor)) static void watch_forks(void) {
    pthread_atfork(NULL, NULL, in_child);
}

/* How much of a name all variants share: "cuMemAlloc" of "cuMemAlloc_v2_ptsz". */
static size_t stem(const char *symbol) {
    const char *version = strstr(symbol, "_v"), *stream = strstr(symbol, "_pt");
    size_t length = strlen(symbol);
    length = version && (size_t)(version - symbol) < length ? (size_t)(version - symbol) : length;
    return stream && (size_t)(stream - symbol) < length ? (size_t)(stream - symbol) : length;
}

CallKind slot_kind(const char *symbol) {
    size_t length = stem(symbol);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strncmp(calls[i].symbol, symbol, length) == 0 && stem(calls[i].symbol) == length)
            return calls[i].kind;
    return CALL_NONE;
}

unsigned slot_for(const void *pointer, const char *symbol, bool per_thread) {
    CallKind kind = slot_kind(symbol);
    SlotCall *real;
    unsigned i = 0;
    memcpy(&real, &pointer, sizeof real);
    per_thread = per_thread || strstr(symbol, "_pt");
    pthread_mutex_lock(&mutex);
    while (i < count && (atomic_load(&slots[i].real) != real || slots[i].kind != kind ||
                         slots[i].per_thread != per_thread))
        i++;
    if (i == count && i < SLOTS) {
        slots[i].kind = kind;
        slots[i].per_thread = per_thread;
        atomic_store_explicit(&slots[i].real, real, memory_order_release);
        count++;
    }
    pthread_mutex_unlock(&mutex);
    return i;
}

void slots_stop(void) {
    atomic_store(&stopped, true);
}

/* ---- calls ---- */

static unsigned pass(const Slot *slot, const SlotWords *words) {
    const uintptr_t *w = words->w;
    SlotCall *real = atomic_load_explicit(&slot->real, memory_order_acquire);
    return real(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9], w[10]);
}

unsigned slot_call(unsigned number, const SlotWords *words) {
    const Slot *slot = &slots[number];
    const uintptr_t *w = words->w;
    CallLaunch launch = {.function = (CudaFunction)w[0], .stream = (CudaStream)w[8]};
    CallLaunchOld old = {.function = (CudaFunction)w[0], .stream = (CudaStream)w[3]};
    /* The parameters of all other kinds begin with pointers, and lie as the words do. */
    const void *parameters = slot->kind == CALL_LAUNCH          ? (const void *)&launch
                             : slot->kind == CALL_LAUNCH_OLD_ON ? (const void *)&old
                                                                : w;
    if (passing || atomic_load_explicit(&stopped, memory_order_relaxed))
        return pass(slot, words);
    passing = true;
    hook_enter(slot->kind, parameters);
    unsigned result = pass(slot, words);
    hook_leave(slot->kind, parameters, result, slot->per_thread, NULL);
    passing = false;
    return result;
}

/* ---- a function for each slot ---- */

#define FUNCTION(n)                                                                                \
    static unsigned function_##n(SLOT_PARAMETERS) {                                                \
        return slot_call(0x##n, &(SlotWords){{SLOT_ARGUMENTS}});                                   \
    }
#define NAME(n) function_##n,

/* X with every number of two digits to the base of 16: those that begin with `high`, and all. */
#define ROW(X, high)                                                                               \
    X(high##0)                                                                                     \
    X(high##1)                                                                                     \
    X(high##2)                                                                                     \
    X(high##3)                                                                                     \
    X(high##4)                                                                                     \
    X(high##5)                                                                                     \
    X(high##6) X(high##7) X(high##8) X(high##9) X(high##a) X(high##b) X(high##c) X(high##d)        \
        X(high##e) X(high##f)
#define ALL(X)                                                                                     \
    ROW(X, 0)                                                                                      \
    ROW(X, 1)                                                                                      \
    ROW(X, 2)                                                                                      \
    ROW(X, 3)                                                                                      \
    ROW(X, 4)                                                                                      \
    ROW(X, 5)                                                                                      \
    ROW(X, 6) ROW(X, 7) ROW(X, 8) ROW(X, 9) ROW(X, a) ROW(X, b) ROW(X, c) ROW(X, d) ROW(X, e)      \
        ROW(X, f)

ALL(FUNCTION)

SlotCall *slot_function(unsigned number) {
    static SlotCall *const functions[SLOTS] = {ALL(NAME)};
    return functions[number];
}

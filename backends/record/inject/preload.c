/* Counting without CUPTI: the library is preloaded (LD_PRELOAD) and stands between the program and
 * the driver. A program comes by the driver's calls in three ways, and each leads to a slot:
 *
 *   - dlsym on the driver's library: CUDA's runtime (linked into the program or not), Python's
 *     ctypes, Triton. This library exports dlsym;
 *   - cuGetProcAddress, which CUDA's runtime finds by dlsym, and asks for all other calls;
 *   - symbols that the program is linked to: this library exports those that count.
 *
 * So graph launches keep their price, no permission is needed, and a profiler may be attached as
 * well. What it cannot do: a program that is linked statically, or runs with another user's rights,
 * preloads nothing; who reads the driver's file, or calls dlvsym, goes by; a program with a shared
 * address sanitizer insists on being the first that is loaded.
 */
#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>

#include "backends/record/inject/arena.h"
#include "backends/record/inject/driver.h"
#include "backends/record/inject/slots.h"

#define EXPORTED __attribute__((visibility("default")))

enum { PER_THREAD = 2, GETTERS = 4, NOT_INITIALIZED = 3 }; /* a flag, and a CUresult */

typedef void *Dlsym(void *, const char *);
typedef unsigned Getter(const char *symbol, void **call, int version, uint64_t flags, void *status);

EXPORTED void *dlsym(void *restrict handle, const char *restrict symbol);
EXPORTED Getter cuGetProcAddress, cuGetProcAddress_v2;

/* ---- what is there without us ---- */

static Dlsym *find_dlsym(void) {
    static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17"};
    static _Atomic(Dlsym *) real;
    Dlsym *found = atomic_load_explicit(&real, memory_order_acquire);
    for (size_t i = 0; i < sizeof versions / sizeof *versions && !found; i++) {
        void *pointer = dlvsym(RTLD_NEXT, "dlsym", versions[i]);
        memcpy(&found, &pointer, sizeof found);
    }
    atomic_store_explicit(&real, found, memory_order_release);
    return found;
}

static void *open_driver(void) {
    return dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
}

/* A call of the driver, where that is loaded. */
static void *find_real(const char *symbol) {
    void *library = open_driver();
    Dlsym *find = find_dlsym();
    return library && find ? find(library, symbol) : NULL;
}

/* Whether a function is one of this library's. */
static bool is_ours(const void *function) {
    Dl_info here, there;
    return function && dladdr((const void *)&driver, &here) && dladdr(function, &there) &&
           here.dli_fbase == there.dli_fbase;
}

/* ---- wrapping ---- */

/* The driver is there, and is counted from now on. */
static void attach(void) {
    static atomic_bool attached;
    if (atomic_exchange(&attached, true))
        return;
    driver_find(open_driver());
    if (arena_enter()) {
        arena_head()->flags |= RECORD_ATTACHED;
        arena_leave();
    }
}

static void *wrap_getter(void *real);

static bool is_getter(const char *symbol) {
    return strcmp(symbol, "cuGetProcAddress") == 0 || strcmp(symbol, "cuGetProcAddress_v2") == 0;
}

/* What the program gets for a pointer of the driver's. */
static void *wrap(const char *symbol, void *real, bool per_thread) {
    if (!real || is_ours(real))
        return real;
    if (is_getter(symbol))
        return wrap_getter(real);
    if (slot_kind(symbol) == CALL_NONE)
        return real;
    attach();
    unsigned number = slot_for(real, symbol, per_thread);
    SlotCall *function = number < SLOTS ? slot_function(number) : NULL;
    if (function)
        memcpy(&real, &function, sizeof real);
    return real;
}

/* ---- cuGetProcAddress: its versions, and whoever stands before it ---- */

static _Atomic(void *) getters[GETTERS];

static unsigned get(void *pointer, const char *symbol, void **call, int version, uint64_t flags,
                    void *status) {
    Getter *real;
    memcpy(&real, &pointer, sizeof real);
    unsigned result = real ? real(symbol, call, version, flags, status) : NOT_INITIALIZED;
    if (result == CUDA_OK && symbol && call)
        *call = wrap(symbol, *call, flags & PER_THREAD);
    return result;
}

#define GETTER(n)                                                                                  \
    static unsigned getter_##n(const char *s, void **c, int v, uint64_t f, void *status) {         \
        return get(atomic_load(&getters[n]), s, c, v, f, status);                                  \
    }
GETTER(0)
GETTER(1)
GETTER(2)
GETTER(3)

static void *wrap_getter(void *real) {
    static Getter *const wrappers[GETTERS] = {getter_0, getter_1, getter_2, getter_3};
    for (unsigned i = 0; i < GETTERS; i++) {
        void *there = NULL, *wrapper;
        memcpy(&wrapper, &wrappers[i], sizeof wrapper);
        if (atomic_compare_exchange_strong(&getters[i], &there, real) || there == real)
            return wrapper;
    }
    return real;
}

unsigned cuGetProcAddress(const char *s, void **c, int v, uint64_t f, void *status) {
    return get(find_real("cuGetProcAddress"), s, c, v, f, status);
}
unsigned cuGetProcAddress_v2(const char *s, void **c, int v, uint64_t f, void *status) {
    return get(find_real("cuGetProcAddress_v2"), s, c, v, f, status);
}

/* ---- dlsym ---- */

/* A call that counts. Where any library's is asked for, ours is found, and the driver's is meant. */
static void *find_call(void *handle, const char *symbol) {
    Dlsym *find = find_dlsym();
    void *real = find(handle, symbol);
    if (is_ours(real))
        real = find_real(symbol);
    return wrap(symbol, real, false);
}

/* All others are passed on by a jump, as compilers do with a call that comes last (this is built
 * with -O2): what RTLD_NEXT and RTLD_DEFAULT mean depends on where dlsym returns to. */
void *dlsym(void *restrict handle, const char *restrict symbol) {
    Dlsym *find = find_dlsym();
    if (!find)
        return NULL;
    if (symbol[0] == 'c' && symbol[1] == 'u' &&
        (slot_kind(symbol) != CALL_NONE || is_getter(symbol)))
        return find_call(handle, symbol);
    return find(handle, symbol);
}

/* ---- symbols that a program is linked to ---- */

static unsigned call_export(atomic_uint *number, const char *symbol, const SlotWords *words) {
    unsigned known = atomic_load_explicit(number, memory_order_acquire);
    if (known == 0) {
        void *real = find_real(symbol);
        unsigned found = real ? slot_for(real, symbol, false) : SLOTS;
        if (found == SLOTS)
            return NOT_INITIALIZED;
        attach();
        known = found + 1;
        atomic_store_explicit(number, known, memory_order_release);
    }
    return slot_call(known - 1, words);
}

#define EXPORT(id, symbol, kind)                                                                   \
    EXPORTED SlotCall symbol;                                                                      \
    unsigned symbol(SLOT_PARAMETERS) {                                                             \
        static atomic_uint number;                                                                 \
        return call_export(&number, #symbol, &(SlotWords){{SLOT_ARGUMENTS}});                      \
    }
CALLS_ALL(EXPORT)
CALLS_HANDLES(EXPORT)

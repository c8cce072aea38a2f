#include "backends/record/inject/names.h"

#include <pthread.h>
#include <stdlib.h>

#include "backends/record/inject/driver.h"

enum { SLOTS_FIRST = 1024 };

typedef struct {
    CudaFunction handle;
    bool kernel;
} Slot;

/* Open addressing, a power of 2, never full. */
static Slot *slots;
static size_t slot_count, used;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void in_child(void) {
    pthread_mutex_init(&mutex, NULL);
}

__attribute__((constructor)) static void watch_forks(void) {
    pthread_atfork(NULL, NULL, in_child);
}

static Slot *slot_of(Slot *table, size_t count, CudaFunction handle) {
    size_t i = (size_t)(((uintptr_t)handle >> 4) * 0x9e3779b97f4a7c15u >> 32) & (count - 1);
    while (table[i].handle && table[i].handle != handle)
        i = (i + 1) & (count - 1);
    return &table[i];
}

static bool make_room(void) {
    size_t count = slot_count ? 2 * slot_count : SLOTS_FIRST;
    if (2 * used < slot_count)
        return true;
    Slot *table = calloc(count, sizeof *table);
    for (size_t i = 0; table && i < slot_count; i++)
        if (slots[i].handle)
            *slot_of(table, count, slots[i].handle) = slots[i];
    if (!table)
        return false;
    free(slots);
    slots = table;
    slot_count = count;
    return true;
}

void name_add(CudaFunction handle, bool kernel) {
    pthread_mutex_lock(&mutex);
    if (handle && make_room()) {
        Slot *slot = slot_of(slots, slot_count, handle);
        used += !slot->handle;
        *slot = (Slot){handle, kernel};
    }
    pthread_mutex_unlock(&mutex);
}

const char *name_find(CudaFunction handle) {
    const char *name = NULL;
    pthread_mutex_lock(&mutex);
    Slot slot = slot_count ? *slot_of(slots, slot_count, handle) : (Slot){NULL, false};
    pthread_mutex_unlock(&mutex);
    unsigned (*ask)(const char **, CudaFunction) =
        slot.kernel ? driver.cuKernelGetName : driver.cuFuncGetName;
    return slot.handle && ask && ask(&name, handle) == CUDA_OK ? name : NULL;
}

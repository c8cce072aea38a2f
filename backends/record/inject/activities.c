#include "backends/record/inject/activities.h"

#include <stdlib.h>
#include <string.h>

#include "backends/record/inject/count.h"

enum { REMEMBERED = 1 << 20, BUFFER = 1 << 20, BUFFER_ALIGNMENT = 8 };

static const Cupti *cupti;
/* Correlation << 32 | offset of the block, by the correlation's low bits. */
static _Atomic uint64_t *launches;

bool activities_wanted(void) {
    const char *detail = getenv(RECORD_DETAIL);
    return detail && strcmp(detail, "activities") == 0;
}

void activities_launched(uint32_t correlation) {
    RecordBlock *block = launches ? count_block() : NULL;
    if (block)
        atomic_store_explicit(&launches[correlation % REMEMBERED],
                              (uint64_t)correlation << 32 | arena_offset(block),
                              memory_order_release);
}

static void give_buffer(uint8_t **buffer, size_t *size, size_t *records) {
    *size = BUFFER;
    *records = 0;
    *buffer = aligned_alloc(BUFFER_ALIGNMENT, BUFFER);
    if (!*buffer)
        *size = 0; /* CUPTI then drops records, and says so */
}

static void count_kernel(RecordHead *head, const CuptiKernel *kernel) {
    uint64_t launch =
        atomic_load_explicit(&launches[kernel->correlation % REMEMBERED], memory_order_acquire);
    if (launch >> 32 != kernel->correlation) {
        head->lost_activities++;
        return;
    }
    RecordBlock *block = arena_at((uint32_t)launch);
    block->counts[RECORD_ACTIVITIES]++;
    block->counts[RECORD_GRAPH_ACTIVITIES] += kernel->graph_node != 0;
    block->counts[RECORD_DEVICE_NS] += kernel->end - kernel->start;
}

static void take_buffer(CudaContext context, uint32_t stream, uint8_t *buffer, size_t size,
                        size_t valid) {
    CuptiActivity *record = NULL;
    size_t dropped = 0;
    (void)size;
    if (arena_enter()) {
        RecordHead *head = arena_head();
        while (valid > 0 && cupti->cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_OK)
            if (record->kind == CUPTI_CONCURRENT_KERNEL)
                count_kernel(head, (const CuptiKernel *)(const void *)record);
        if (cupti->cuptiActivityGetNumDroppedRecords(context, stream, &dropped) == CUPTI_OK)
            head->lost_activities += dropped;
        arena_leave();
    }
    free(buffer);
}

static void flush(void) {
    RecordHead *head = arena_head();
    if (head && cupti->cuptiActivityFlushAll(CUPTI_FLUSH_FORCED) == CUPTI_OK)
        head->flags |= RECORD_FLUSHED;
}

unsigned activities_begin(const Cupti *with) {
    cupti = with;
    launches = calloc(REMEMBERED, sizeof *launches);
    if (!launches || atexit(flush) != 0)
        return CUPTI_OUT_OF_MEMORY;
    unsigned result = cupti->cuptiActivityRegisterCallbacks(give_buffer, take_buffer);
    return result == CUPTI_OK ? cupti->cuptiActivityEnable(CUPTI_CONCURRENT_KERNEL) : result;
}

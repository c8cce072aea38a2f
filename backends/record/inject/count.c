#include "backends/record/inject/count.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "backends/record/inject/driver.h"
#include "backends/record/inject/names.h"
#include "backends/record/inject/ranges.h"

enum { USES_FIRST = 64, STREAMS_FIRST = 2, STREAMS_MAX = 256 };

static atomic_uint epoch;
static CudaStream streams[STREAMS_MAX]; /* by number - STREAMS_FIRST, as they were first used */
static uint32_t stream_count;

static void in_child(void) {
    stream_count = 0;
}

__attribute__((constructor)) static void watch_forks(void) {
    pthread_atfork(NULL, NULL, in_child);
}

/* ---- blocks ---- */

/* Which devices kernels run on, and what drives them. */
static void note_device(RecordHead *head) {
    static uint64_t seen;
    CudaDevice device;
    int version;
    if (head->driver == 0 && driver.cuDriverGetVersion &&
        driver.cuDriverGetVersion(&version) == CUDA_OK)
        head->driver = (uint32_t)version;
    if (!driver.cuCtxGetDevice || driver.cuCtxGetDevice(&device) != CUDA_OK || device < 0 ||
        device >= 64 || seen >> device & 1)
        return;
    seen = head->devices == 0 ? (uint64_t)1 << device : seen | (uint64_t)1 << device;
    if (head->devices++ == 0 && driver.cuDeviceGetName)
        driver.cuDeviceGetName(head->device, (int)sizeof head->device, device);
}

static bool is_own(const Thread *thread, const RecordRange *range) {
    return range && range->thread == thread->number;
}

static RecordBlock *add_block(const Thread *thread, RecordRange *range) {
    if (!arena_enter())
        return NULL;
    RecordBlock made = {.piece.kind = RECORD_BLOCK, .thread = thread->number};
    made.range = range ? range->id : 0;
    made.begin = arena_now();
    RecordBlock *block = arena_add(&made, sizeof made, NULL, 0);
    if (block && is_own(thread, range))
        range->block = arena_offset(block);
    note_device(arena_head());
    arena_leave();
    return block;
}

static RecordBlock *block_of(Thread *thread) {
    uint64_t moment = range_moment();
    RecordRange *range = range_now(thread);
    bool own = is_own(thread, range);
    if (thread->block && thread->block_range == range &&
        (own ? range->block != 0 : thread->block_moment == moment))
        return thread->block;
    RecordBlock *block = own && range->block ? arena_at(range->block) : add_block(thread, range);
    thread->block = block; /* NULL: there is no more room, which the recording says */
    thread->block_range = range;
    thread->block_moment = moment;
    return block;
}

RecordBlock *count_block(void) {
    Thread *thread = thread_self();
    return thread ? block_of(thread) : NULL;
}

void count_add(unsigned number, uint64_t n) {
    RecordBlock *block = count_block();
    if (block)
        block->counts[number] += n;
}

/* ---- kernels ---- */

void count_unloaded(void) {
    atomic_fetch_add_explicit(&epoch, 1, memory_order_release);
}

static uint32_t stream_number(CudaStream stream) {
    uintptr_t handle = (uintptr_t)stream;
    if (handle <= 2) /* none, the legacy one, the thread's own */
        return handle == 2;
    for (uint32_t i = 0; i < stream_count; i++)
        if (streams[i] == stream)
            return STREAMS_FIRST + i;
    if (stream_count == STREAMS_MAX - 1)
        return STREAMS_FIRST + stream_count; /* all others together */
    streams[stream_count] = stream;
    return STREAMS_FIRST + stream_count++;
}

static Use *slot_of(Use *uses, uint32_t slots, const Use *key) {
    uint64_t h = ((uintptr_t)key->function >> 4) * 0x9e3779b97f4a7c15u;
    h ^= ((uintptr_t)key->stream >> 4) + key->range * 0x85ebca6bu + key->epoch;
    for (uint32_t i = (uint32_t)(h ^ h >> 32) & (slots - 1);; i = (i + 1) & (slots - 1))
        if (!uses[i].use || (uses[i].function == key->function && uses[i].stream == key->stream &&
                             uses[i].range == key->range && uses[i].epoch == key->epoch))
            return &uses[i];
}

static bool make_slots(Thread *thread) {
    uint32_t count = thread->use_slots ? 2 * thread->use_slots : USES_FIRST;
    Use *uses = calloc(count, sizeof *uses);
    for (uint32_t i = 0; uses && i < thread->use_slots; i++)
        if (thread->uses[i].use)
            *slot_of(uses, count, &thread->uses[i]) = thread->uses[i];
    if (!uses)
        return false;
    free(thread->uses);
    thread->uses = uses;
    thread->use_slots = count;
    return true;
}

static RecordUse *add_use(const Thread *thread, const Use *key, const char *symbol) {
    RecordUse use = {.piece.kind = RECORD_USE, .range = key->range, .thread = thread->number};
    symbol = symbol ? symbol : name_find(key->function);
    if (!arena_enter())
        return NULL;
    use.kernel = symbol ? arena_name(symbol, strlen(symbol)) : 0;
    use.stream = stream_number(key->stream);
    RecordUse *made = arena_add(&use, sizeof use, NULL, 0);
    arena_leave();
    return made;
}

static RecordUse *use_of(Thread *thread, const Use *key, const char *symbol) {
    if (2 * thread->use_count >= thread->use_slots && !make_slots(thread))
        return NULL;
    Use *slot = slot_of(thread->uses, thread->use_slots, key);
    if (!slot->use) {
        RecordUse *use = add_use(thread, key, symbol);
        if (!use)
            return NULL;
        *slot = *key;
        slot->use = use;
        thread->use_count++;
    }
    return slot->use;
}

void count_launch(CudaFunction function, CudaStream stream, const char *symbol, bool captured) {
    Thread *thread = thread_self();
    RecordBlock *block = thread ? block_of(thread) : NULL;
    if (!block)
        return;
    block->counts[RECORD_CALLS]++;
    block->counts[RECORD_CAPTURED] += captured;
    Use key = {function, stream, 0, atomic_load_explicit(&epoch, memory_order_acquire), NULL};
    key.range = thread->block_range ? thread->block_range->name : 0;
    RecordUse *use = use_of(thread, &key, symbol);
    if (use) {
        use->calls++;
        use->captured += captured;
    }
}

/* What the library knows of a thread of the program. */
#ifndef ATLAS_BACKENDS_RECORD_INJECT_THREADS_H
#define ATLAS_BACKENDS_RECORD_INJECT_THREADS_H

#include <stdatomic.h>

#include "backends/cuda/abi.h"
#include "backends/record/inject/arena.h"

typedef struct Open Open; /* ranges.c */

/* A kernel that the thread launched on a stream in ranges of a name. */
typedef struct {
    CudaFunction function;
    CudaStream stream;
    uint32_t range, epoch;
    RecordUse *use;
} Use;

typedef struct {
    uint32_t number;            /* from 1 */
    _Atomic(RecordRange *) own; /* its innermost range that is recorded; written under the lock */
    Open *open;                 /* its innermost range of any kind; under the lock */
    RecordBlock *block;         /* what it counts into, which is for ... */
    const RecordRange *block_range; /* ... this range, or for none ... */
    uint64_t block_moment;          /* ... and if that is not its own, at this moment (ranges.h) */
    Use *uses;                      /* open addressing, a power of 2, never full */
    uint32_t use_count, use_slots;
} Thread;

/* This thread; NULL where there is no memory. After fork it is as new. */
Thread *thread_self(void);

#endif

/* Counting: what the program asked of the driver, into the range it belongs to (ranges.h).
 *
 * A thread counts into blocks of its own, so that counting takes no lock; the lock is taken where
 * a thread first counts for a range, and where it first launches a kernel there.
 */
#ifndef ATLAS_BACKENDS_RECORD_INJECT_COUNT_H
#define ATLAS_BACKENDS_RECORD_INJECT_COUNT_H

#include "backends/record/inject/threads.h"

/* What this thread counts into now; NULL where nothing is recorded. */
RecordBlock *count_block(void);

/* Counts n of a RECORD_ number. */
void count_add(unsigned number, uint64_t n);

/* Counts the launch of a kernel; `symbol`: its name, NULL where only the driver knows. */
void count_launch(CudaFunction function, CudaStream stream, const char *symbol, bool captured);

/* Handles of kernels may stand for others from now on. */
void count_unloaded(void);

#endif

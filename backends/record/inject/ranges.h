/* Ranges that are open, and which of them holds what is launched now.
 *
 * A launch belongs to the innermost range of its own thread; where that has none, to the range of
 * the process that began last (PyTorch's backward pass runs on a thread of its own, without any).
 * With RECORD_STAGES only the ranges named there hold launches. Others are then recorded as long as
 * no stage is open, for they may be steps; what is nested in a stage belongs to it.
 *
 * Ranges of a domain of its own (libraries name theirs so) count where RECORD_STAGES names them;
 * the domain NVTX is that of Python's package nvtx, for programs' own ranges.
 *
 * A range that was started, not pushed, is its thread's as long as it is open, and may be ended by
 * any thread. Pops close what was pushed last on their thread in the same domain.
 */
#ifndef ATLAS_BACKENDS_RECORD_INJECT_RANGES_H
#define ATLAS_BACKENDS_RECORD_INJECT_RANGES_H

#include "backends/cuda/nvtx_abi.h"
#include "backends/record/inject/threads.h"

typedef struct RangeDomain RangeDomain; /* NULL: the default one */

/* A domain by its name; the same one for the same name. NULL where there is no memory. */
const RangeDomain *range_domain(const char *name);

/* How many pushed ranges of the domain lie around the one that begins, or ends; NVTX_UNTRACKED
 * where it is not known, or there is nothing to pop. */
int range_push(const RangeDomain *domain, const char *name);
int range_pop(const RangeDomain *domain);

/* Starts a range, ends one; what start returned, 0 where it failed. */
uint64_t range_start(const RangeDomain *domain, const char *name);
void range_end(uint64_t id);

/* The range that launches of this thread belong to; NULL: none. Takes no lock. */
RecordRange *range_now(const Thread *thread);

/* Changes whenever a recorded range begins or ends. */
uint64_t range_moment(void);

#endif

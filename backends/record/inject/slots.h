/* Slots: functions of ours that stand for functions of the driver's, count and call those.
 *
 * Every pointer that the driver hands out has a slot of its own, since a call has variants (of old
 * versions, of the threads' own streams) under one name. A slot passes on as many words as the
 * longest call takes; what a shorter call did not pass is whatever lay there, and the driver does
 * not look at it. A call that the driver makes itself, within another, does not count.
 */
#ifndef ATLAS_BACKENDS_RECORD_INJECT_SLOTS_H
#define ATLAS_BACKENDS_RECORD_INJECT_SLOTS_H

#include <stdbool.h>

#include "backends/record/calls.h"

enum { SLOTS = 256 };

/* Enough for cuLaunchKernel. */
#define SLOT_PARAMETERS                                                                            \
    uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e, uintptr_t f, uintptr_t g,     \
        uintptr_t h, uintptr_t i, uintptr_t j, uintptr_t k
#define SLOT_ARGUMENTS a, b, c, d, e, f, g, h, i, j, k

typedef unsigned SlotCall(SLOT_PARAMETERS);
typedef struct {
    uintptr_t w[11];
} SlotWords;

/* What a call of the driver counts as, by its name in any variant; CALL_NONE: it does not. */
CallKind slot_kind(const char *symbol);

/* The number of the slot that stands for `real`, one of a name that counts. `per_thread`: in it no
 * stream is the thread's own, even where the name does not say so. SLOTS: there are no more. */
unsigned slot_for(const void *real, const char *symbol, bool per_thread);

/* From now on CUPTI tells of all calls: slots only pass on. */
void slots_stop(void);

/* The function that the program gets in its place. */
SlotCall *slot_function(unsigned number);

/* Counts, and calls what the slot stands for. */
unsigned slot_call(unsigned number, const SlotWords *words);

#endif

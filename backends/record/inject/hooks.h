/* What a call of the driver counts as, whoever tells of it. */
#ifndef ATLAS_BACKENDS_RECORD_INJECT_HOOKS_H
#define ATLAS_BACKENDS_RECORD_INJECT_HOOKS_H

#include <stdbool.h>

#include "backends/record/calls.h"

/* Before a call of CALL_NODE_ENABLE; nothing else needs it. */
void hook_enter(CallKind kind, const void *parameters);

/* A call has returned. `parameters` are those of its kind (calls.h), NULL where it has none;
 * `per_thread`: no stream is the thread's own; `symbol`: the kernel's name, or NULL. */
void hook_leave(CallKind kind, const void *parameters, unsigned result, bool per_thread,
                const char *symbol);

#endif

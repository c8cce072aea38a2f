/* Work that the device performs late: what an execution that follows a schedule has enqueued and
 * not performed. Internal to execute.c.
 *
 * The schedule is that of a refuted race in a program of straight lines (model/proof/prove.h): calls
 * of the host, and work that is complete between them. Behind it both accesses are under way. Then
 * what was called before the first access is performed, the second access, and all else in the order
 * of the calls; work that is left waits for nothing but what comes before it there, so this, too, is
 * a schedule: that of a device on which the first access takes long.
 */
#ifndef ATLAS_SIM_LATE_H
#define ATLAS_SIM_LATE_H

#include "model/machine/machine.h"
#include "model/proof/prove.h"
#include "sim/binding.h"

typedef struct Late Late;

/* Performs a work's repetitions from … to - 1; FALSE where the run ends with it. */
typedef gboolean LatePerform(gpointer user, const AtlasWork *work, guint64 from, guint64 to);

Late *late_new(const AtlasProof *race, LatePerform *perform, gpointer user);
void late_free(Late *late);

/* The host is about to call an op: performs what is complete before. */
gboolean late_call(Late *late, guint op);

/* What a call gave to a stream: one work, or those of a graph, which is taken over (else NULL). */
gboolean late_add(Late *late, guint op, const AtlasWork *works, guint len, AtlasGraph *graph);

/* Performs all that is left. */
gboolean late_end(Late *late);

#endif

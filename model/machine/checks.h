/* What many calls share: the checks that come before a call does its work, and their effects.
 *
 * Each check stands here once and each call, in calls_*.c, says in which order it makes them. A
 * check that fails has the call's answer in `answer` and its effects done.
 *
 *     check_legacy       the legacy stream may not be used while a blocking stream captures
 *     check_unsafe       what might be unsafe is not to be called beside a capture
 *     check_invalidated  nothing can be enqueued to a stream whose capture is invalidated
 */
#ifndef ATLAS_MODEL_MACHINE_CHECKS_H
#define ATLAS_MODEL_MACHINE_CHECKS_H

#include "model/machine/rules.h"
#include "model/machine/state.h"

/* ---- answers ---- */

/* Success, with nothing to say about it. */
AtlasAnswer ok(void);

/* The answer that a rule gives, with the rule's effect on the capture that it is about (0: on no
 * capture). */
AtlasAnswer by_rule(AtlasMachine *m, AtlasRule rule, Ref capture);

/* ---- checks ---- */

gboolean check_legacy(AtlasMachine *m, const ScriptOp *op, AtlasAnswer *answer);
gboolean check_unsafe(AtlasMachine *m, const ScriptOp *op, AtlasAnswer *answer);
gboolean check_invalidated(AtlasMachine *m, const ScriptOp *op, AtlasAnswer *answer);

/* The two checks of a call that enqueues: legacy, then invalidated. */
gboolean check_enqueue(AtlasMachine *m, const ScriptOp *op, AtlasAnswer *answer);

/* ---- captures ---- */

/* Nothing further can be captured; until its end, the capture stays open for every check. */
void invalidate(AtlasMachine *m, Ref capture);
void invalidate_all(AtlasMachine *m);

/* Appends a node for this op to the stream's capture, behind all that the stream depends on. */
Node *capture_node(AtlasMachine *m, const ScriptOp *op);

/* Counts kernels as executed. */
AtlasAnswer execute(AtlasMachine *m, gint64 kernels);

#endif

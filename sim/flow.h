/* Flow: the ops of a program in the order in which a host performs them.
 *
 *     AtlasFlow *flow = atlas_flow_new(program, first, last);
 *     while (atlas_flow_next(flow))
 *         … program->ops at flow->op, in flow->step, on behalf of flow->stage …
 *
 * What stands before the program's step is performed once, the step in steps first..last (ops with
 * every:E in those that are multiples of E), what follows once. Loops repeat what they hold. Ops
 * that are structure (blocks, stage marks, comments) are followed, not handed out. Each step begins
 * without a stage mark; the last one's goes on behind the step.
 */
#ifndef ATLAS_SIM_FLOW_H
#define ATLAS_SIM_FLOW_H

#include "model/op/program.h"

/* The step of ops that stand before the program's step. */
#define ATLAS_NO_STEP ((gint64)-1)

typedef struct {
    const char *name;
    gint64 value, last;
    guint start; /* the loop's op */
} AtlasFlowLoop;

typedef struct {
    /* where it stands now */
    guint op;
    gint64 step; /* the step's number; behind the step, that of the last one */
    guint row;   /* 0 before the step, 1 in the first one, …; steps + 1 behind the last */
    guint stage; /* 0 before any stage mark, else 1 + the mark's place in `stages` */
    guint depth; /* loops open; the innermost is loops[depth - 1] */
    AtlasFlowLoop loops[ATLAS_PROGRAM_NESTING_MAX];
    /* fixed */
    const AtlasProgram *program;
    gint64 first, last;
    GPtrArray *stages; /* of const char*, in the order of their first mark */
    guint rows;
    /* its own */
    guint *ends;        /* of each step and loop, the op that ends it */
    guint *stage_marks; /* of each stage op, the value for `stage` */
    guint next;
    guint step_start;
    gboolean in_step;
} AtlasFlow;

AtlasFlow *atlas_flow_new(const AtlasProgram *program, gint64 first, gint64 last);
void atlas_flow_free(AtlasFlow *flow);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasFlow, atlas_flow_free)

/* Goes to the next op; FALSE behind the last. */
gboolean atlas_flow_next(AtlasFlow *flow);

/* Steps after which the step is performed alike: the least common multiple of all every:;
 * G_MAXINT64 where it does not fit. */
gint64 atlas_flow_period(const AtlasProgram *program);

/* The value of an open loop's index; the name is interned in the program's file. */
gint64 atlas_flow_index(const AtlasFlow *flow, const char *loop);

#endif

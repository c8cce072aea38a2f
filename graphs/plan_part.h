/* What the files of the planner share. Internal to plan*.c.
 *
 * plan.c goes round: the given program is looked at (plan_given.c); then every op that can be in a graph is put into one of its own, the result is
 * judged (plan_judge.c, plan_blame.c), what breaks a property is blocked, until nothing does; then windows are
 * chosen (plan_choose.c, plan_share.c), the planned program is written (plan_write.c) and judged in
 * its turn.
 */
#ifndef ATLAS_GRAPHS_PLAN_PART_H
#define ATLAS_GRAPHS_PLAN_PART_H

#include "graphs/plan.h"

/* The changes that make another program of the given one (plan_edit). */
#define PLAN_EDITS ((guint)ATLAS_WITH_IN_PLACE | ATLAS_WITH_DEVICE_SCALARS)

/* The step's body as a tree: what is known of each op. */
typedef struct {
    const AtlasProgram *program;
    guint step, step_end; /* the STEP op and its END_BLOCK */
    guint *end;           /* of LOOP and STEP: the END_BLOCK */
    guint *loop;          /* the innermost loop around, or G_MAXUINT */
    guint *stage;         /* the STAGE op before it in the step, or G_MAXUINT */
    gboolean *parts;      /* no window holds it: a barrier, or a loop that holds one */
    gboolean *blocked;    /* it broke a property, or the loop holds one that did */
} PlanTree;

/* NULL with an error where the program has no step, or captures itself. */
PlanTree *plan_tree_new(const AtlasProgram *program, AtlasDiags *diags);
void plan_tree_free(PlanTree *tree);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PlanTree, plan_tree_free)

void plan_tree_block(PlanTree *tree, guint op);
/* How often a step performs an op of the loops around it. */
gint64 plan_tree_times(const PlanTree *tree, guint op);
/* The loops around a window whose index it uses, outermost first: of guint. */
GArray *plan_tree_indices(const PlanTree *tree, guint first, guint last);

static inline AtlasOp *plan_op(const AtlasProgram *program, guint i) {
    return &g_array_index(program->ops, AtlasOp, i);
}

/* How often a loop performs what it holds. */
static inline gint64 plan_iterations(const AtlasOp *loop) {
    return MAX(loop->last - loop->first + 1, 0);
}

/* The window, of AtlasPlanWindow, that holds an op; NULL: none does. */
const AtlasPlanWindow *plan_window_of(const GArray *windows, guint op);

/* Where the stream stands in an op's operands; -1: nowhere. */
int plan_stream_operand(AtlasOpKind kind);

/* ---- plan_edit.c ---- */

/* The program with the changes of `with`; itself where there are none. */
const AtlasProgram *plan_edit(AtlasProgramFile *file, const AtlasProgram *program, guint with);
/* Whether a scalar's name stands for device memory in the program, so that DEVICE_SCALARS leaves
 * alone what is passed by value under it. */
gboolean plan_scalar_is_device(const AtlasProgram *program, const char *name);

/* ---- plan_given.c ---- */

/* Whether the program may be planned, and its changed one in its stead: every call of it succeeds,
 * in every interleaving of its host threads, and the changed one does the same, without a race that
 * the given one does not have. FALSE with errors where not. *open becomes why nothing can be proved
 * of any plan, since the program itself races or that is not known; NULL: something can. The caller
 * frees it. */
gboolean plan_given(const AtlasPlan *plan, char **open, AtlasDiags *diags);

/* ---- plan_rename.c ---- */

/* A window's places, of AtlasPlanSlot, in the order in which it comes to them; those are `copied`
 * whose part the index of a loop around says. NULL: they cannot be elsewhere. The caller owns it. */
GArray *plan_slots(const PlanTree *tree, guint first, guint last);
/* Whether an access of the window is to this place. */
gboolean plan_slot_holds(const AtlasPlanSlot *slot, const AtlasAccess *access);
/* Marks as copied the slots that are not the same place in all of these, of GArray*, which must be of
 * one signature; TRUE where none is. */
gboolean plan_slots_mark(const GPtrArray *all);
/* Copies around a launch; slots may be NULL. */
guint plan_slots_copies(const GArray *slots);
/* What a window does to its places, as text. The caller frees it. */
char *plan_signature(const PlanTree *tree, guint first, guint last, const GArray *slots);

/* ---- plan_choose.c, plan_share.c ---- */

/* The windows of least cost, of AtlasPlanWindow, in order, as far as can be told: `gap_ns` becomes
 * what another choice could cost less a step, at most. */
GArray *plan_choose(const PlanTree *tree, guint with, const AtlasPlanCosts *costs, gint64 *gap_ns);
/* Every op that may be in a window, as a window of its own. */
GArray *plan_singles(const PlanTree *tree);
void plan_window_clear(gpointer window);

/* ---- plan_write.c ---- */

/* The program that captures and launches the windows. `origin` becomes an array, the caller's, of
 * guint: the eager op that each op of the result is made of, G_MAXUINT for those of the plan. */
const AtlasProgram *plan_write(AtlasProgramFile *file, const PlanTree *tree, const GArray *windows,
                               guint with, const char *name, GArray **origin);

/* ---- plan_judge.c ---- */

typedef struct {
    GArray *blocks; /* of AtlasPlanBlock: what it breaks, at ops of the eager program */
    gboolean open;  /* nothing breaks it, but not all is proved */
    char *proof;
    gint64 steps, reads;
} PlanJudged;

/* What the planned program breaks; FALSE with errors where that cannot be told. `given` is why
 * nothing can be proved (plan_given): then races are not looked for, and the judgement is open. */
gboolean plan_judge(const PlanTree *tree, const GArray *windows, const AtlasProgram *planned,
                    const GArray *origin, const char *given, PlanJudged *judged, AtlasDiags *diags);
void plan_judged_clear(PlanJudged *judged);
void plan_block_clear(gpointer block);

#endif

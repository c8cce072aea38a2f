#include "model/machine/run.h"

#include "model/base/rational.h"
#include "model/machine/rules.h"
#include "model/machine/state.h"

/* So many records that a call looks at one by one take as long as an op. */
enum { LOOKS = 16 };

/* A block that is open: which iteration is performed, from 0, and how many there are. */
typedef struct {
    gint64 iteration, times;
} Level;

/* A run of a program. */
typedef struct {
    AtlasMachine *m;
    const AtlasProgram *program;
    AtlasOutcome *outcome; /* NULL: only the first call that fails is taken down */
    AtlasFailure failure;
    AtlasDiags *diags;
    guint *ends;        /* for step and loop: the op that closes the block */
    gint64 steps, step; /* how many, and which one is being performed */
    Level levels[ATLAS_PROGRAM_NESTING_MAX];
    guint depth;
    gint64 performed; /* ops */
    gint64 calls;
    gint64 allowed; /* what the run may cost, in ops */
} Run;

static gboolean run_ops(Run *r, guint first, guint end);

/* What the run has cost so far, in ops. */
static gint64 cost(const Run *r) {
    return r->performed + (gint64)(r->m->looked_at / LOOKS);
}

static const AtlasOp *program_op(const Run *r, guint index) {
    return &g_array_index(r->program->ops, AtlasOp, index);
}

static gboolean refuse(Run *r, guint op, const char *what) {
    atlas_diags_error(r->diags, program_op(r, op)->at, "program '%s' %s", r->program->name, what);
    return FALSE;
}

static guint *find_ends(const AtlasProgram *program) {
    guint *ends = g_new0(guint, program->ops->len);
    guint open[ATLAS_PROGRAM_NESTING_MAX], depth = 0;
    for (guint i = 0; i < program->ops->len; i++) {
        AtlasOpKind kind = g_array_index(program->ops, AtlasOp, i).kind;
        g_assert(depth < G_N_ELEMENTS(open) || kind == ATLAS_OP_END_BLOCK);
        if (kind == ATLAS_OP_STEP || kind == ATLAS_OP_LOOP)
            open[depth++] = i;
        else if (kind == ATLAS_OP_END_BLOCK)
            ends[open[--depth]] = i;
    }
    return ends;
}

/* Takes down the how-manieth of how many times an op is performed now. The step is the outermost
 * block, wherever there is one. */
static void count_times(const Run *r, guint op, AtlasAnswer *answer) {
    answer->times = 1;
    for (guint i = 0; i < r->depth; i++) {
        const Level *level = &r->levels[i];
        gint64 every = i == 0 ? program_op(r, op)->every : 1;
        answer->time =
            answer->time * ((level->times + every - 1) / every) + level->iteration / every;
        answer->times *= (level->times + every - 1) / every;
    }
    answer->time++;
}

/* FALSE where the run ends here. */
static gboolean run_op(Run *r, guint index) {
    AtlasAnswer answer = atlas_machine_apply(r->m, index);
    if (answer.code == ATLAS_RESULT_NONE)
        return TRUE;
    if (answer.rule == ATLAS_RULE_LIMIT) {
        refuse(r, index, "is more than the simulated driver holds");
        atlas_diags_hint(r->diags,
                         "at most %d captures may be open, %d words of state be in use, 2^63 "
                         "kernels be executed",
                         ATLAS_MACHINE_CAPTURES_MAX, ATLAS_MACHINE_WORDS_MAX);
        return FALSE;
    }
    r->calls++;
    if (answer.rule != ATLAS_RULE_NONE)
        count_times(r, index, &answer);
    if (!r->outcome) {
        if (atlas_answer_failed(&answer))
            r->failure = (AtlasFailure){index, answer};
        return r->failure.op == ATLAS_NO_FAILURE;
    }
    atlas_outcome_put(r->outcome, index, &answer);
    if (answer.code != ATLAS_RESULT_UNDEFINED)
        return TRUE;
    r->outcome->state = ATLAS_OUTCOME_UNDEFINED;
    r->outcome->ended_at = index;
    return FALSE;
}

/* ---- blocks ---- */

/* After how many iterations a block does the same again; a number above ATLAS_PROGRAM_TIMES_MAX where it
 * never does within what a run may perform. */
static gint64 period_of(const Run *r, guint first, guint end) {
    gint64 period = 1;
    if (program_op(r, first)->kind == ATLAS_OP_STEP)
        for (guint i = first; i < end && period <= ATLAS_PROGRAM_TIMES_MAX; i++)
            period = atlas_lcm(period, program_op(r, i)->every);
    return period;
}

/* What a run had done when an iteration began. */
typedef struct {
    AtlasMachine *machine;
    gint64 iteration, executed, calls;
} Mark;

static void mark_here(const Run *r, Mark *mark, gint64 iteration) {
    if (!mark->machine)
        mark->machine = atlas_machine_new(r->m->script);
    state_tidy(r->m);
    atlas_machine_copy(mark->machine, r->m);
    mark->iteration = iteration;
    mark->executed = atlas_machine_executed(r->m);
    mark->calls = r->calls;
}

static gboolean add_times(gint64 *sum, gint64 what, gint64 times) {
    return !__builtin_mul_overflow(what, times, &what) && !__builtin_add_overflow(*sum, what, sum);
}

/* Counts what was done since the mark so many times more. */
static gboolean repeat_since(Run *r, const Mark *mark, gint64 times, guint op) {
    gint64 executed = atlas_machine_executed(r->m);
    if (!add_times(&executed, executed - mark->executed, times) ||
        !add_times(&r->calls, r->calls - mark->calls, times))
        return refuse(r, op, "executes more kernels, or makes more calls, than 63 bits count");
    state_set_executed(r->m, executed);
    return TRUE;
}

/* Performs the ops [first + 1, end) so many times. Where a period has left the state as it was, all
 * further ones will: they are counted, not performed. That is looked for in periods ever further
 * apart, and not before the block has cost as much as looking does. */
static gboolean run_block(Run *r, guint first, guint end, gint64 times) {
    gboolean is_step = program_op(r, first)->kind == ATLAS_OP_STEP, goes_on = TRUE;
    gint64 period = period_of(r, first, end), next = 0, started = cost(r);
    Mark mark = {.iteration = -1};
    Level *level = &r->levels[r->depth++];
    for (gint64 i = 0; i < times && goes_on;) {
        if (i >= next && period < times - i && cost(r) - started >= head_of(r->m)->used / LOOKS) {
            mark_here(r, &mark, i);
            next = i + period + 1;
        }
        *level = (Level){i, times};
        if (is_step)
            r->step = i;
        goes_on = run_ops(r, first + 1, end);
        i++;
        if (!goes_on || mark.iteration < 0 || i != mark.iteration + period)
            continue;
        state_tidy(r->m);
        next = 2 * i;
        if (state_equal(r->m, mark.machine)) {
            gint64 more = (times - i) / period;
            goes_on = repeat_since(r, &mark, more, first);
            i += more * period;
        }
    }
    r->depth--;
    atlas_machine_free(mark.machine);
    return goes_on;
}

static gint64 times_of(const Run *r, const AtlasOp *op) {
    return op->kind == ATLAS_OP_STEP ? r->steps : MAX(op->last - op->first + 1, 0);
}

/* Performs the ops [first, end); FALSE where the run ends among them. */
static gboolean run_ops(Run *r, guint first, guint end) {
    for (guint i = first; i < end; i++) {
        const AtlasOp *op = program_op(r, i);
        r->performed++;
        if (cost(r) > r->allowed) {
            refuse(r, i, "goes on for too long");
            atlas_diags_hint(r->diags,
                             "a run performs at most %" G_GINT64_FORMAT
                             " ops, fewer where they look at many nodes; a loop whose "
                             "iterations leave everything as it was may go on for ever",
                             r->allowed);
            return FALSE;
        }
        if (r->ends[i]) {
            if (!run_block(r, i, r->ends[i], times_of(r, op)))
                return FALSE;
            i = r->ends[i];
        } else if ((op->every == 1 || r->step % op->every == 0) && !run_op(r, i)) {
            return FALSE;
        }
    }
    return TRUE;
}

/* ---- programs ---- */

/* Performs the program; whether it came to its end. */
static gboolean run_whole(Run *r, AtlasMachine *machine, gint64 steps, gint64 ops) {
    const AtlasProgram *program = machine->script->program;
    g_autofree guint *ends = find_ends(program);
    g_assert(steps >= 0);
    r->m = machine;
    r->program = program;
    r->ends = ends;
    r->steps = steps;
    r->allowed = ops;
    r->failure.op = ATLAS_NO_FAILURE;
    atlas_machine_reset(machine);
    machine->looked_at = 0;
    return run_ops(r, 0, program->ops->len);
}

AtlasOutcome *atlas_run_on(AtlasMachine *machine, gint64 steps, gint64 ops, AtlasDiags *diags) {
    g_autoptr(AtlasOutcome) outcome = atlas_outcome_new(machine->script->program);
    Run r = {.outcome = outcome, .diags = diags};
    if (run_whole(&r, machine, steps, ops)) {
        outcome->state = ATLAS_OUTCOME_FINISHED;
        outcome->executed = atlas_machine_executed(machine);
    }
    outcome->calls = r.calls;
    return outcome->state == ATLAS_OUTCOME_NOT_RUN ? NULL : g_steal_pointer(&outcome);
}

gboolean atlas_run_to_failure(AtlasMachine *machine, gint64 steps, gint64 ops,
                              AtlasFailure *failure, AtlasDiags *diags) {
    Run r = {.diags = diags};
    gboolean whole = run_whole(&r, machine, steps, ops);
    *failure = r.failure;
    return whole || r.failure.op != ATLAS_NO_FAILURE;
}

AtlasOutcome *atlas_run(const AtlasProgram *program, gint64 steps, AtlasDiags *diags) {
    g_autoptr(AtlasScript) script = atlas_script_new(program, diags);
    if (!script)
        return NULL;
    g_autoptr(AtlasMachine) machine = atlas_machine_new(script);
    return atlas_run_on(machine, steps, ATLAS_RUN_OPS_MAX, diags);
}

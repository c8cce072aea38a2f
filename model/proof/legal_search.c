#include "model/proof/legal.h"

#include "model/proof/search_table.h"
#include "model/proof/unroll.h"
#include "model/machine/machine.h"

/* Ops that one thread may perform. */
enum { OPS_MAX = 1 << 16 };

/* How a state was reached. */
typedef struct {
    guint from;          /* a state; its own number: the first one */
    guint thread, place; /* what was performed there: in Search.ops; thread FLOW_NONE: nothing */
} Origin;

typedef struct {
    const Flow *flow;
    const AtlasProgram *program;
    AtlasScript *script;
    guint threads, words;
    GArray **ops;    /* of AtlasWhen: what each thread performs, in its order */
    GArray *origins; /* of Origin, of all states */
    SearchTable *seen;
    GPtrArray *now, *next; /* of AtlasMachine: states of the driver, at one distance */
    GArray *at, *at_next;  /* of guint: their number, then the place of each thread */
    Legal legal;
    guint64 max_states;
} Search;

static const AtlasOp *op_of(const Search *s, guint op) {
    return &g_array_index(s->program->ops, AtlasOp, op);
}

/* ---- what threads perform ---- */

static gboolean is_structure(AtlasOpKind kind) {
    return kind <= ATLAS_OP_SLOT;
}

guint legal_opening(const AtlasProgram *program) {
    guint i = 0;
    while (i < program->ops->len) {
        const AtlasOp *op = &g_array_index(program->ops, AtlasOp, i);
        gboolean opens = op->kind >= ATLAS_OP_COMMENT && op->kind <= ATLAS_OP_FLAG;
        if (!opens || op->thread > 1)
            break;
        i++;
    }
    return i;
}

/* Gives each thread what it performs of the ops from `first` on, out of loops and one step. FALSE:
 * too much. */
static gboolean deal_out(Search *s, guint first) {
    Unroll u;
    unroll_init(&u, s->program);
    g_autoptr(GArray) all = unroll_all(&u, 1, OPS_MAX * s->threads);
    unroll_clear(&u);
    for (guint i = 0; all && i < all->len; i++) {
        const AtlasWhen *when = &g_array_index(all, AtlasWhen, i);
        const AtlasOp *op = op_of(s, when->op);
        if (when->op < first || is_structure(op->kind))
            continue;
        GArray *ops = s->ops[op->thread - 1];
        if (ops->len == OPS_MAX)
            return FALSE;
        g_array_append_vals(ops, when, 1);
    }
    return all != NULL;
}

static const AtlasWhen *when_at(const Search *s, guint thread, guint place) {
    return &g_array_index(s->ops[thread], AtlasWhen, place);
}

static const AtlasOp *op_at(const Search *s, guint thread, guint place) {
    return op_of(s, when_at(s, thread, place)->op);
}

/* ---- states ---- */

static guint *places(GArray *at, const Search *s, guint i) {
    return &g_array_index(at, guint, (gsize)i * (s->threads + 1)) + 1;
}

/* Adds a state unless it was seen; takes the machine over. */
static void add_state(Search *s, AtlasMachine *machine, const guint *place, Origin origin) {
    guint64 key[SEARCH_WORDS_MAX] = {SEARCH_STATE_BIT};
    for (guint t = 0; t < s->threads; t++)
        key[t / 3] |= (guint64)place[t] << (t % 3 * 20);
    key[s->words - 1] = atlas_machine_hash(machine, ATLAS_HASH_BY_NAME);
    if (!search_table_add(s->seen, key, search_table_hash(s->seen, key))) {
        atlas_machine_free(machine);
        return;
    }
    guint number = s->origins->len;
    if (origin.from == FLOW_NONE)
        origin.from = number;
    g_array_append_val(s->origins, origin);
    g_array_append_val(s->at_next, number);
    g_array_append_vals(s->at_next, place, s->threads);
    g_ptr_array_add(s->next, machine);
}

/* Whether a thread was past an op that sets a flag. */
static gboolean is_set(const Search *s, const guint *place, const char *flag) {
    for (guint t = 0; t < s->threads; t++) {
        for (guint i = 0; i < place[t]; i++) {
            const AtlasOp *op = op_at(s, t, i);
            if ((op->kind == ATLAS_OP_HOST_FLAG_SET && op->operands[0] == flag) ||
                (op->kind == ATLAS_OP_FLAG_SET && op->operands[1] == flag))
                return TRUE;
        }
    }
    return FALSE;
}

static gboolean can_go(const Search *s, const guint *place, guint thread) {
    if (place[thread] == s->ops[thread]->len)
        return FALSE;
    const AtlasOp *op = op_at(s, thread, place[thread]);
    return op->kind != ATLAS_OP_HOST_FLAG_WAIT || is_set(s, place, op->operands[0]);
}

/* The calls that lead to a state, then the one that fails. */
static void refute(Search *s, guint state, Origin last, const AtlasAnswer *answer) {
    s->legal.verdict = LEGAL_NO;
    s->legal.op = when_at(s, last.thread, last.place)->op;
    s->legal.why = legal_why(s->flow, s->legal.op, answer);
    s->legal.schedule = g_array_new(FALSE, FALSE, sizeof(AtlasScheduleEvent));
    for (Origin o = last; o.thread != FLOW_NONE;
         o = g_array_index(s->origins, Origin, state), state = o.from) {
        AtlasScheduleEvent event = {FALSE, *when_at(s, o.thread, o.place), 1};
        g_array_prepend_val(s->legal.schedule, event);
    }
}

/* One thread performs its next op in a state. */
static void go(Search *s, const AtlasMachine *machine, const guint *at, guint thread) {
    guint place[ATLAS_PROGRAM_THREADS_MAX], number = at[-1];
    for (guint t = 0; t < s->threads; t++)
        place[t] = at[t];
    Origin origin = {number, thread, place[thread]};
    AtlasMachine *moved = atlas_machine_new(s->script);
    atlas_machine_copy(moved, machine);
    AtlasAnswer answer = atlas_machine_apply(moved, when_at(s, thread, place[thread])->op);
    place[thread]++;
    if (!atlas_answer_failed(&answer)) {
        add_state(s, moved, place, origin);
        return;
    }
    if (s->legal.verdict != LEGAL_NO)
        refute(s, number, origin, &answer);
    atlas_machine_free(moved);
}

/* A thread whose next op commutes with all others, or FLOW_NONE. */
static guint free_thread(const Search *s, const guint *place) {
    for (guint t = 0; t < s->threads; t++)
        if (can_go(s, place, t) && !atlas_op_call(op_at(s, t, place[t])->kind))
            return t;
    return FLOW_NONE;
}

static void explore(Search *s) {
    while (s->next->len > 0 && s->legal.verdict == LEGAL_YES) {
        GPtrArray *machines = s->now;
        GArray *at = s->at;
        s->now = s->next;
        s->at = s->at_next;
        s->next = machines;
        s->at_next = at;
        g_ptr_array_set_size(s->next, 0);
        g_array_set_size(s->at_next, 0);
        for (guint i = 0; i < s->now->len && s->legal.verdict == LEGAL_YES; i++) {
            const guint *place = places(s->at, s, i);
            guint alone = free_thread(s, place);
            for (guint t = 0; t < s->threads && s->legal.verdict == LEGAL_YES; t++)
                if (alone == FLOW_NONE ? can_go(s, place, t) : t == alone)
                    go(s, s->now->pdata[i], place, t);
        }
        if (search_table_count(s->seen) > s->max_states && s->legal.verdict == LEGAL_YES)
            s->legal = legal_unknown("too many interleavings of the host threads");
    }
}

static void destroy_machine(gpointer machine) {
    atlas_machine_free(machine);
}

static void begin(Search *s, guint behind) {
    guint place[ATLAS_PROGRAM_THREADS_MAX] = {0};
    AtlasMachine *machine = atlas_machine_new(s->script);
    for (guint i = 0; i < behind; i++)
        if (atlas_op_call(op_of(s, i)->kind))
            atlas_machine_apply(machine, i);
    add_state(s, machine, place, (Origin){FLOW_NONE, FLOW_NONE, 0});
}

static void search_init(Search *s, const Flow *flow, guint64 max_states) {
    *s = (Search){.flow = flow, .program = flow->program, .max_states = max_states};
    for (guint i = 0; i < s->program->ops->len; i++)
        s->threads = MAX(s->threads, op_of(s, i)->thread);
    s->ops = g_new0(GArray *, s->threads);
    for (guint t = 0; t < s->threads; t++)
        s->ops[t] = g_array_new(FALSE, FALSE, sizeof(AtlasWhen));
    s->words = (s->threads + 2) / 3 + 1;
    s->origins = g_array_new(FALSE, FALSE, sizeof(Origin));
    s->now = g_ptr_array_new_with_free_func(destroy_machine);
    s->next = g_ptr_array_new_with_free_func(destroy_machine);
    s->at = g_array_new(FALSE, FALSE, sizeof(guint));
    s->at_next = g_array_new(FALSE, FALSE, sizeof(guint));
    s->seen = search_table_new(s->words);
}

static void search_clear(Search *s) {
    for (guint t = 0; t < s->threads; t++)
        g_array_unref(s->ops[t]);
    g_free(s->ops);
    g_array_unref(s->origins);
    g_ptr_array_unref(s->now);
    g_ptr_array_unref(s->next);
    g_array_unref(s->at);
    g_array_unref(s->at_next);
    search_table_free(s->seen);
}

Legal legal_search(const Flow *flow, guint64 max_states) {
    Search s;
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasScript) script = atlas_script_new(flow->program, diags);
    guint behind = legal_opening(flow->program);
    if (!script)
        return legal_unknown("the program exceeds the limits of the simulated driver");
    search_init(&s, flow, max_states);
    s.script = script;
    if (s.words > SEARCH_WORDS_MAX || !deal_out(&s, behind)) {
        s.legal = legal_unknown("too many host threads, or calls of one");
    } else {
        begin(&s, behind);
        explore(&s);
        if (s.legal.verdict == LEGAL_YES && flow->step != FLOW_NONE)
            s.legal = legal_unknown("every interleaving of one step was tried, not of several");
    }
    s.legal.states = search_table_count(s.seen);
    search_clear(&s);
    return s.legal;
}

#include "sim/reads_from.h"

#include "model/base/rational.h"
#include "sim/trace.h"

/* Periods that are looked at before the state is said not to settle, and differences listed. */
enum { PERIODS_FIRST = 4, PERIODS_MOST = 64, UNEQUAL_MOST = 200 };

const char *atlas_equal_mend(AtlasEqualProperty property) {
    static const char *const mends[] = {
        [ATLAS_EQUAL_EFFECT] = "leave it out of the window, or let the window hold it",
        [ATLAS_EQUAL_ADDRESS] = "write the buffer in place, or at a handle that stays",
        [ATLAS_EQUAL_OWNER] = "give what the graph writes memory that nothing else uses",
        [ATLAS_EQUAL_SCALAR] = "keep the scalar in device memory and set it before the launch",
        [ATLAS_EQUAL_ARM] = "launch the graph only in the steps that do this",
        [ATLAS_EQUAL_ORDER] = "launch the graph where the eager program does its work",
        [ATLAS_EQUAL_INIT] = "zero it inside of the window, or before each launch",
        [ATLAS_EQUAL_SEEN] = "copy the result before the graph is launched again",
    };
    return mends[property];
}

/* ---- how many steps are enough ---- */

typedef enum { NEITHER, STILL, MOVED } Motion;

static Motion motion(const TraceOrigin *a, const TraceOrigin *b, gint64 period) {
    return trace_same(a, b, 0) ? STILL : trace_same(a, b, period) ? MOVED : NEITHER;
}

/* Whether the periods that end in states n and n + 1 move each cell alike. */
static gboolean moves_alike(const Trace *t, guint n) {
    const GArray *a = g_ptr_array_index(t->states, n - 1), *b = g_ptr_array_index(t->states, n);
    const GArray *c = g_ptr_array_index(t->states, n + 1);
    if (a->len != b->len || b->len != c->len)
        return FALSE;
    for (guint i = 0; i < a->len; i++) {
        const TraceOrigin *y = &g_array_index(b, TraceOrigin, i);
        Motion first = motion(&g_array_index(a, TraceOrigin, i), y, t->period);
        Motion second = motion(y, &g_array_index(c, TraceOrigin, i), t->period);
        if (first == NEITHER || first != second)
            return FALSE;
    }
    return TRUE;
}

/* Whether there are two such periods with another one behind them. */
static gboolean settles(const Trace *eager, const Trace *plan) {
    guint states = MIN(eager->states->len, plan->states->len);
    for (guint n = 1; n + 2 < states; n++)
        if (moves_alike(eager, n) && moves_alike(plan, n))
            return TRUE;
    return FALSE;
}

/* ---- comparing ---- */

typedef struct {
    const Trace *eager, *plan;
    GHashTable *of_plan, *of_eager; /* sets of TraceEvent* */
    GHashTable *said;               /* of char*: differences that stand already */
    AtlasReadsFrom *result;
} Compare;

static guint event_hash(gconstpointer key) {
    const TraceEvent *e = key;
    return (guint)((gsize)e->name >> 3) * 31u + (guint)e->step * 1009u + e->nth * 17u +
           (guint)e->kind;
}

static gboolean event_equal(gconstpointer a, gconstpointer b) {
    const TraceEvent *x = a, *y = b;
    return x->kind == y->kind && x->name == y->name && x->step == y->step && x->nth == y->nth;
}

static GHashTable *index_events(const Trace *t) {
    GHashTable *index = g_hash_table_new(event_hash, event_equal);
    for (guint i = 0; i < t->events->len; i++)
        g_hash_table_add(index, (gpointer)trace_event(t, i));
    return index;
}

static const TraceEvent *find_writer(GHashTable *index, const TraceOrigin *origin) {
    TraceEvent key = {
        .kind = origin->kind, .name = origin->name, .step = origin->step, .nth = origin->nth};
    return g_hash_table_lookup(index, &key);
}

/* Notes a difference, once; takes over `why`. */
static void note(Compare *c, AtlasUnequal one) {
    g_autofree char *key = g_strdup_printf("%d %u %d %u %s", one.property, one.op, one.missing,
                                           one.by, one.buffer ? one.buffer : "");
    if (c->result->unequal->len >= UNEQUAL_MOST || g_hash_table_contains(c->said, key)) {
        g_free(one.why);
        return;
    }
    g_hash_table_add(c->said, g_steal_pointer(&key));
    g_array_append_val(c->result->unequal, one);
}

static char *describe(const TraceOrigin *origin, const char *buffer) {
    switch (origin->kind) {
    case TRACE_LAUNCH:
        return origin->step < 0 ? g_strdup_printf("%s left it before the first step", origin->name)
                                : g_strdup_printf("%s left it in step %" G_GINT64_FORMAT,
                                                  origin->name, origin->step);
    case TRACE_MEMSET:
        return g_strdup_printf("it was zeroed in step %" G_GINT64_FORMAT, origin->step);
    case TRACE_HOST:
        return g_strdup_printf("the host wrote it in step %" G_GINT64_FORMAT, origin->step);
    default:
        return !origin->name            ? g_strdup("new memory is")
               : origin->name == buffer ? g_strdup("it was at first")
                                        : g_strdup_printf("%s was at first", origin->name);
    }
}

/* Whether an eager op writes a buffer. */
static gboolean writes(const AtlasOp *op, const char *buffer) {
    const GArray *lists[] = {op->writes, op->fresh};
    for (guint k = 0; k < G_N_ELEMENTS(lists); k++)
        for (guint i = 0; lists[k] && i < lists[k]->len; i++)
            if (g_array_index(lists[k], AtlasAccess, i).buffer == buffer)
                return TRUE;
    return FALSE;
}

static gboolean is_end(const TraceEvent *event) {
    return event->kind == TRACE_END || event->kind == TRACE_HOST_END;
}

static AtlasEqualProperty classify(const Compare *c, const TraceEvent *reader,
                                   const TraceLook *eager, const TraceLook *plan) {
    const TraceEvent *seen = find_writer(c->of_eager, &plan->from);
    const TraceEvent *writer = find_writer(c->of_plan, &eager->from);
    if (plan->stale || (writer && writer->astray))
        return ATLAS_EQUAL_ADDRESS;
    if (reader->kind == TRACE_SEEN ||
        reader->kind == TRACE_HOST_END) /* it finds what was copied from another buffer */
        return ATLAS_EQUAL_SEEN;
    if (seen && seen->kind == TRACE_LAUNCH && !writes(trace_op(c->eager, seen->op), eager->what))
        return ATLAS_EQUAL_OWNER;
    return is_end(reader) ? ATLAS_EQUAL_SEEN : ATLAS_EQUAL_ORDER;
}

static const char *reader_name(const TraceEvent *reader) {
    return reader->kind == TRACE_LAUNCH     ? reader->name
           : reader->kind == TRACE_SEEN     ? "the host"
           : reader->kind == TRACE_HOST_END ? "the end of a step, in host memory,"
                                            : "the end of a step";
}

static void compare_scalar(Compare *c, const TraceEvent *reader, const TraceLook *eager,
                           const TraceLook *plan) {
    if (eager->value == plan->value)
        return;
    AtlasUnequal one = {ATLAS_EQUAL_SCALAR, reader->op, FALSE,        reader->by,
                        reader->op,         plan->what, reader->step, NULL};
    one.why = g_strdup_printf("%s is given %s of another step: %s", reader->name, plan->what,
                              plan->frozen ? "the graph keeps the value that it was captured with"
                                           : "its memory does not hold the value of this step");
    note(c, one);
}

static void compare_look(Compare *c, const TraceEvent *reader, const TraceLook *eager,
                         const TraceLook *plan) {
    c->result->reads++;
    if (eager->scalar || plan->scalar) {
        compare_scalar(c, reader, eager, plan);
        return;
    }
    const TraceEvent *writer = find_writer(c->of_plan, &eager->from);
    if (trace_same(&eager->from, &plan->from, 0) || (eager->from.step >= 0 && !writer))
        return; /* that the writer is missing is said of the writer */
    g_autofree char *right = describe(&eager->from, eager->what);
    g_autofree char *wrong = describe(&plan->from, eager->what);
    AtlasUnequal one = {classify(c, reader, eager, plan), reader->op,  FALSE,        reader->by,
                        writer ? writer->op : G_MAXUINT,  eager->what, reader->step, NULL};
    if (is_end(reader))
        one.op = one.by = writer ? writer->op : G_MAXUINT;
    one.why = g_strdup_printf("%s finds %s as %s, not as %s", reader_name(reader), eager->what,
                              wrong, right);
    note(c, one);
}

/* Host memory that one of the two leaves as it was at first (trace.h). */
static void compare_with_first(Compare *c, const TraceEvent *end, const Trace *of) {
    for (guint i = 0; i < end->looks; i++) {
        const TraceLook *held = trace_look(of, end->look + i);
        TraceLook first = {.from = trace_first(end->name, i), .what = end->name};
        compare_look(c, end, of == c->eager ? held : &first, of == c->eager ? &first : held);
    }
}

static void compare_event(Compare *c, const TraceEvent *eager) {
    const TraceEvent *plan = g_hash_table_lookup(c->of_plan, eager);
    if (!plan && eager->kind == TRACE_END)
        return; /* the plan has no such buffer: what reads it is what counts */
    if (!plan && eager->kind == TRACE_HOST_END) {
        compare_with_first(c, eager, c->eager);
        return;
    }
    if (!plan || plan->looks != eager->looks || plan->count != eager->count) {
        AtlasUnequal one = {eager->kind == TRACE_MEMSET ? ATLAS_EQUAL_INIT : ATLAS_EQUAL_EFFECT,
                            eager->op,
                            TRUE,
                            G_MAXUINT,
                            G_MAXUINT,
                            NULL,
                            eager->step,
                            NULL};
        one.why = g_strdup_printf("the plan does not perform %s in this step as the eager program "
                                  "does",
                                  eager->name);
        note(c, one);
        return;
    }
    for (guint i = 0; i < eager->looks; i++)
        compare_look(c, plan, trace_look(c->eager, eager->look + i),
                     trace_look(c->plan, plan->look + i));
}

static void compare_freed(Compare *c) {
    for (guint i = 0; i < c->plan->freed->len; i++) {
        const TraceFreed *use = &g_array_index(c->plan->freed, TraceFreed, i);
        const AtlasOp *op = trace_op(c->plan, use->op);
        AtlasUnequal one = {ATLAS_EQUAL_ADDRESS, use->op,     FALSE,     use->by,
                            G_MAXUINT,           use->buffer, use->step, NULL};
        one.why = g_strdup_printf("%s uses the memory of %s after that was freed",
                                  op->kind == ATLAS_OP_LAUNCH && op->operands[1]
                                      ? op->operands[1]
                                      : atlas_op_word(op->kind),
                                  use->buffer);
        note(c, one);
    }
}

static gboolean has_step(const AtlasProgram *program) {
    for (guint i = 0; i < program->ops->len; i++)
        if (g_array_index(program->ops, AtlasOp, i).kind == ATLAS_OP_STEP)
            return TRUE;
    return FALSE;
}

static void compare(Compare *c) {
    gboolean steps = has_step(c->plan->program);
    compare_freed(c);
    for (guint i = 0; i < c->eager->events->len; i++)
        compare_event(c, trace_event(c->eager, i));
    for (guint i = 0; i < c->plan->events->len; i++) {
        const TraceEvent *plan = trace_event(c->plan, i);
        gboolean before = steps && plan->step < 0;
        if (plan->kind == TRACE_END || before || g_hash_table_contains(c->of_eager, plan))
            continue; /* what comes before the first step matters where something reads it */
        if (plan->kind == TRACE_HOST_END) {
            compare_with_first(c, plan, c->plan);
            continue;
        }
        AtlasUnequal one = {ATLAS_EQUAL_ARM, plan->op, FALSE,      plan->by,
                            plan->op,        NULL,     plan->step, NULL};
        one.why = g_strdup_printf("the plan performs %s in this step; the eager program does not",
                                  plan->name);
        note(c, one);
    }
}

static void unequal_clear(gpointer data) {
    g_free(((AtlasUnequal *)data)->why);
}

/* Runs both for so many periods, and compares them. */
static AtlasReadsFrom *compare_for(const AtlasProgram *eager, const AtlasProgram *plan,
                                   gint64 period, gint64 periods, AtlasDiags *diags) {
    g_autoptr(Trace) e = trace_run(eager, period * periods, period, diags);
    g_autoptr(Trace) p = e ? trace_run(plan, period * periods, period, diags) : NULL;
    if (!p)
        return NULL;
    AtlasReadsFrom *result = g_new0(AtlasReadsFrom, 1);
    result->unequal = g_array_new(FALSE, FALSE, sizeof(AtlasUnequal));
    g_array_set_clear_func(result->unequal, unequal_clear);
    result->steps = period * periods;
    result->settled = settles(e, p);
    Compare c = {.eager = e, .plan = p, .result = result};
    c.of_eager = index_events(e);
    c.of_plan = index_events(p);
    c.said = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    compare(&c);
    g_hash_table_unref(c.of_eager);
    g_hash_table_unref(c.of_plan);
    g_hash_table_unref(c.said);
    return result;
}

/* Says that a period is too long, and where it gets so long. */
static void tell_period(const AtlasProgram *eager, AtlasDiags *diags) {
    enum { MOST = ATLAS_EXECUTE_STEPS_MAX / PERIODS_MOST };
    AtlasSpan at = {NULL, 0, 0};
    gint64 period = 1;
    for (guint i = 0; i < eager->ops->len && period <= MOST; i++) {
        const AtlasOp *op = &g_array_index(eager->ops, AtlasOp, i);
        period = atlas_lcm(period, op->every);
        at = op->at;
    }
    atlas_diags_error(diags, at,
                      "the every: of '%s' meet after more than %d steps, which is the most",
                      eager->name, MOST);
    atlas_diags_hint(diags, "numbers that divide one another meet sooner: 7 and 14, not 7 and 13");
}

AtlasReadsFrom *atlas_reads_from(const AtlasProgram *eager, const AtlasProgram *plan,
                                 AtlasDiags *diags) {
    gint64 period = atlas_lcm(atlas_flow_period(eager), atlas_flow_period(plan));
    if (period > ATLAS_EXECUTE_STEPS_MAX / PERIODS_MOST) {
        tell_period(eager, diags);
        return NULL;
    }
    for (gint64 periods = PERIODS_FIRST;; periods *= 2) {
        AtlasReadsFrom *result = compare_for(eager, plan, period, periods, diags);
        if (!result || result->settled || result->unequal->len || periods >= PERIODS_MOST)
            return result;
        atlas_reads_from_free(result);
    }
}

void atlas_reads_from_free(AtlasReadsFrom *result) {
    if (!result)
        return;
    g_array_unref(result->unequal);
    g_free(result);
}

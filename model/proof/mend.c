#include "model/proof/mend.h"

#include "model/proof/legal.h"
#include "model/proof/unroll.h"

/* A copy of a program that is being changed. `origin` says which op of the program each was. */
typedef struct {
    AtlasProgram program;
    GArray *origin; /* of guint; G_MAXUINT: new */
} Draft;

static void draft_init(Draft *d, const AtlasProgram *program) {
    d->program = *program;
    d->program.ops = g_array_new(FALSE, FALSE, sizeof(AtlasOp));
    d->origin = g_array_new(FALSE, FALSE, sizeof(guint));
    g_array_append_vals(d->program.ops, program->ops->data, program->ops->len);
    for (guint i = 0; i < program->ops->len; i++)
        g_array_append_val(d->origin, i);
}

static void draft_clear(Draft *d) {
    g_array_unref(d->program.ops);
    g_array_unref(d->origin);
}

static void insert(Draft *d, guint at, AtlasOpKind kind, const char *first, const char *second) {
    guint new_op = G_MAXUINT;
    AtlasOp op = {.kind = kind, .thread = 1, .operands = {first, second}, .count = 1, .every = 1};
    g_array_insert_val(d->program.ops, at, op);
    g_array_insert_val(d->origin, at, new_op);
}

static const AtlasOp *op_at(const Draft *d, guint i) {
    return &g_array_index(d->program.ops, AtlasOp, i);
}

/* ---- edges ---- */

static void name_op(const Draft *d, guint at, GString *out) {
    const AtlasOp *op = op_at(d, at);
    guint line, column;
    g_string_append_printf(out, "'%s'", unroll_name(op));
    if (op->at.source) {
        atlas_source_position(op->at.source, op->at.start, &line, &column);
        g_string_append_printf(out, " (line %u)", line);
    }
}

/* The stream that an op of a flow is on. */
static const char *stream_name(const Flow *flow, guint at) {
    return flow_stream(flow, flow_op(flow, at)->chain)->name;
}

/* Adds the edge that a race lacks, and says so; FALSE where none can be. */
static gboolean add_edge(Draft *d, const Flow *flow, const Race *race, guint number, GString *say) {
    guint from = race->inside ? race->place[0].flow : race->by[0];
    guint to = race->inside ? race->place[1].flow : race->by[1];
    g_autofree char *name = g_strdup_printf("mend%u", number);
    const char *event = g_intern_string(name);
    guint first = flow_op(flow, from)->op, second = flow_op(flow, to)->op;
    gboolean host = race->host[1];
    if (race->host[0])
        return FALSE;
    g_string_append_printf(say, "%srecord a new event after ", say->len ? "; " : "");
    name_op(d, first, say);
    g_string_append_printf(say, " in %s, %s", stream_name(flow, from),
                           host ? "synchronize with it before " : "wait for it before ");
    name_op(d, second, say);
    if (!host)
        g_string_append_printf(say, " in %s", stream_name(flow, to));
    AtlasOpKind kind = host ? ATLAS_OP_SYNC_EVENT : ATLAS_OP_WAIT;
    const char *a = host ? event : stream_name(flow, to), *b = host ? NULL : event;
    if (second > first) {
        insert(d, second, kind, a, b);
        insert(d, first + 1, ATLAS_OP_RECORD, event, stream_name(flow, from));
    } else {
        insert(d, first + 1, ATLAS_OP_RECORD, event, stream_name(flow, from));
        insert(d, second, kind, a, b);
    }
    insert(d, 0, ATLAS_OP_EVENT, event, NULL);
    return TRUE;
}

/* Whether the draft runs; its first race, if it has one, and its flow. */
static gboolean prove_draft(const Draft *d, gint64 depth, gint64 steps, Flow **flow, Race *race,
                            gboolean *raced) {
    *flow = flow_new(&d->program);
    Legal legal = legal_run(*flow, steps);
    gboolean runs = legal.verdict == LEGAL_YES;
    legal_clear(&legal);
    if (!runs)
        return FALSE;
    g_autoptr(Engine) e = engine_run(*flow, 0, steps, ENGINE_RACES, NULL);
    g_autoptr(Engine) deep = engine_run(*flow, depth, steps, 0, NULL);
    const GArray *found = race_found(e->races);
    *raced = found->len > 0;
    if (*raced)
        *race = g_array_index(found, Race, 0);
    return e->end == ENGINE_DONE && deep->end == ENGINE_DONE;
}

/* Adds edges until nothing races any more, beginning with this race, and says which; FALSE where
 * more than MEND_EDGES are needed, or the program with them does not run. */
static gboolean add_edges(Draft *d, gint64 depth, gint64 steps, const Flow *flow, const Race *race,
                          GString *say) {
    Race next = *race;
    g_autoptr(Flow) now = NULL;
    gboolean good = TRUE, raced = TRUE;
    for (guint i = 0; i < MEND_EDGES && good && raced; i++) {
        good = add_edge(d, now ? now : flow, &next, i, say);
        g_clear_pointer(&now, flow_free);
        good = good && prove_draft(d, depth, steps, &now, &next, &raced);
    }
    return good && !raced;
}

char *mend_races(const AtlasProgram *program, gint64 depth, gint64 steps, const Flow *flow,
                 const Race *race) {
    Draft d;
    GString *say = g_string_new(NULL);
    draft_init(&d, program);
    gboolean good = add_edges(&d, depth, steps, flow, race, say);
    draft_clear(&d);
    return g_string_free(say, !good);
}

char *mend_program(const AtlasProgram *program, const char *name) {
    Draft d;
    g_autoptr(Flow) flow = flow_new(program);
    g_autoptr(Engine) e = engine_run(flow, 0, 0, ENGINE_RACES, NULL);
    g_autoptr(GString) say = g_string_new(NULL), text = g_string_new(NULL);
    if (race_found(e->races)->len == 0)
        return NULL;
    draft_init(&d, program);
    d.program.name = name;
    gboolean good =
        add_edges(&d, flow->depth, 0, flow, &g_array_index(race_found(e->races), Race, 0), say);
    if (good)
        atlas_program_write(&d.program, text);
    draft_clear(&d);
    return good ? g_strdup(text->str) : NULL;
}

/* ---- depth and reads ---- */

static gboolean is_stuck(const Flow *flow, gint64 depth, gint64 steps) {
    g_autoptr(Engine) e = engine_run(flow, depth, steps, 0, NULL);
    return e->end != ENGINE_DONE;
}

/* A deeper queue orders less, so what does not get stuck at a depth does not at a greater one. */
char *mend_stuck(const Flow *flow, gint64 depth, gint64 steps) {
    gint64 bad = depth, good = MEND_DEPTH_MAX;
    if (depth == 0 || depth >= good || is_stuck(flow, good, steps))
        return NULL;
    while (good - bad > 1) {
        gint64 middle = bad + (good - bad) / 2;
        if (is_stuck(flow, middle, steps))
            bad = middle;
        else
            good = middle;
    }
    return g_strdup_printf("a queue of %" G_GINT64_FORMAT " places", good);
}

char *mend_read(const AtlasProgram *program, gint64 depth, gint64 steps, guint op) {
    Draft d;
    gint64 most = -1;
    if (op == ATLAS_PROOF_NO_OP)
        return NULL;
    draft_init(&d, program);
    insert(&d, op, ATLAS_OP_SYNC_CTX, NULL, NULL);
    g_autoptr(Flow) flow = flow_new(&d.program);
    Legal legal = legal_run(flow, steps);
    if (legal.verdict == LEGAL_YES) {
        g_autoptr(Engine) e = engine_run(flow, depth, steps, ENGINE_READINGS, NULL);
        for (guint i = 0; i < e->smear.readings->len && e->end == ENGINE_DONE; i++) {
            const Reading *r = &g_array_index(e->smear.readings, Reading, i);
            if (r->flow != FLOW_NONE && flow_op(flow, r->flow)->op == op + 1)
                most = r->most;
        }
    }
    legal_clear(&legal);
    draft_clear(&d);
    return most == 0 ? g_strdup("sync_ctx before it") : NULL;
}

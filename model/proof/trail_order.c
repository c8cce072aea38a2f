#include "model/proof/trail_write.h"

#include "model/proof/mend.h"

/* How long the first access is held up, and for each op of the program beside that, since on a GPU
 * the host needs microseconds for a call; and beside the times that the program states of work. */
enum { DELAY_NS = 2000000, DELAY_NS_EACH = 20000, DELAY_NS_MAX = 1000000000 };
/* The longest that a trail is to hold up a GPU. */
#define HELD_NS_MAX (60 * ATLAS_PROGRAM_COST_MAX)

static gboolean has_kind(const AtlasProgram *program, AtlasOpKind kind) {
    for (guint i = 0; i < program->ops->len; i++)
        if (g_array_index(program->ops, AtlasOp, i).kind == kind)
            return TRUE;
    return FALSE;
}

/* ---- what makes the other order likely, and seen ---- */

/* Whether this is the first access, or, where graphs perform it, may be captured as it. */
static gboolean is_first(const Trail *t, AtlasWhen when) {
    return when.op == t->proof->at[0].op &&
           (has_kind(t->program, ATLAS_OP_BEGIN) || trail_same(when, t->proof->at[0]));
}

/* How long all that is stated takes at most, one after the other, graphs as often as they are
 * launched; HELD_NS_MAX where it is more. */
static gint64 stated_ns(const Trail *t) {
    gint64 sum = 0, times = 1;
    for (guint i = 0; i < t->all->len; i++)
        times += trail_op(t, g_array_index(t->all, AtlasWhen, i).op)->kind == ATLAS_OP_GRAPH_LAUNCH;
    for (guint i = 0; i < t->all->len; i++) {
        const AtlasOp *op = trail_op(t, g_array_index(t->all, AtlasWhen, i).op);
        gint64 work;
        if (__builtin_mul_overflow(op->cost_ns, MAX(op->count, 1), &work) ||
            __builtin_mul_overflow(work, times, &work) || work > HELD_NS_MAX - sum)
            return HELD_NS_MAX;
        sum += work;
    }
    return sum;
}

/* A launch that takes longer than all that may come before the second access, before the first one
 * on its stream: it delays, and orders nothing else. */
static void put_delay(Trail *t, const AtlasOp *first, gint64 stated) {
    const char *stream = unroll_stream(first);
    AtlasOp *op = trail_put(t, ATLAS_OP_LAUNCH, stream ? stream : "legacy", "trail_delay");
    gint64 ns = stated + MIN(DELAY_NS + DELAY_NS_EACH * (gint64)t->all->len, DELAY_NS_MAX);
    op->thread = first->thread;
    op->count = (ns - 1) / ATLAS_PROGRAM_COST_MAX + 1;
    op->cost_ns = (ns - 1) / op->count + 1;
}

/* A launch that writes nothing leaves no trace of what it read: here it does. */
static gboolean is_blind(const AtlasOp *op) {
    return op->kind == ATLAS_OP_LAUNCH && !op->writes && !op->fresh;
}

static const char *seen_by(const Trail *t, int side) {
    return atlas_program_file_intern(t->unroll.file, side == 0 ? "trail_seen0" : "trail_seen1");
}

/* A program declares its buffers, or none. */
static void put_seen(Trail *t) {
    for (int side = 0; side < 2 && has_kind(t->program, ATLAS_OP_BUFFER); side++)
        if (is_blind(trail_op(t, t->proof->at[side].op)))
            trail_put(t, ATLAS_OP_BUFFER, seen_by(t, side), NULL);
}

/* One performance; an access that would be blind writes down what it read. */
static void put_seeing(Trail *t, AtlasWhen when) {
    trail_put_op(t, when);
    for (int side = 0; side < 2; side++) {
        AtlasAccess seen = {.buffer = seen_by(t, side)};
        if (when.op != t->proof->at[side].op || !is_blind(trail_op(t, when.op)))
            continue;
        AtlasOp *op = &g_array_index(t->out->ops, AtlasOp, t->out->ops->len - 1);
        op->writes = atlas_program_list_new(t->unroll.file, sizeof(AtlasAccess));
        g_array_append_val(op->writes, seen);
    }
}

static gboolean is_of_host(AtlasOpKind kind) {
    return kind == ATLAS_OP_HTOD_ASYNC || kind == ATLAS_OP_HTOD_SYNC ||
           kind == ATLAS_OP_DTOH_ASYNC || kind == ATLAS_OP_DTOH_SYNC || kind == ATLAS_OP_HOST_FN ||
           kind == ATLAS_OP_STREAM_CALLBACK || kind == ATLAS_OP_HOST_WRITE;
}

/* The host reads a buffer, unless it did behind `from`. */
static void put_host_read(Trail *t, const char *buffer, guint from) {
    AtlasAccess read = {.buffer = buffer};
    GArray *reads = atlas_program_list_new(t->unroll.file, sizeof(AtlasAccess));
    for (guint i = from; i < t->out->ops->len; i++) {
        const AtlasOp *op = &g_array_index(t->out->ops, AtlasOp, i);
        if (g_str_equal(g_array_index(op->reads, AtlasAccess, 0).buffer, buffer))
            return;
    }
    g_array_append_val(reads, read);
    trail_put(t, ATLAS_OP_HOST_READ, NULL, NULL)->reads = reads;
}

/* What the accesses left on the host's side is seen where the host reads it. */
static void put_host_reads(Trail *t) {
    guint from = t->out->ops->len;
    for (int side = 0; side < 2; side++) {
        const AtlasOp *op = trail_op(t, t->proof->at[side].op);
        const GArray *lists[] = {op->reads, op->writes};
        for (guint l = 0; l < G_N_ELEMENTS(lists) && is_of_host(op->kind); l++)
            for (guint i = 0; lists[l] && i < lists[l]->len; i++)
                put_host_read(t, g_array_index(lists[l], AtlasAccess, i).buffer, from);
    }
}

/* ---- the program ---- */

/* The last call of the schedule. */
static AtlasWhen last_call(const Trail *t) {
    const GArray *schedule = t->proof->schedule;
    AtlasWhen last = t->proof->at[1];
    for (guint i = 0; i < schedule->len; i++) {
        const AtlasScheduleEvent *e = &g_array_index(schedule, AtlasScheduleEvent, i);
        if (!e->complete)
            last = e->when;
    }
    return last;
}

/* The calls up to where both accesses are under way, the first one late. */
static gboolean put_late(Trail *t) {
    AtlasWhen last = last_call(t);
    gint64 stated = stated_ns(t);
    if (stated == HELD_NS_MAX)
        return FALSE;
    put_seen(t);
    while (t->next < t->all->len) {
        AtlasWhen when = g_array_index(t->all, AtlasWhen, t->next++);
        if (is_first(t, when))
            put_delay(t, trail_op(t, when.op), stated);
        put_seeing(t, when);
        if (!trail_same(when, last))
            continue;
        trail_put(t, ATLAS_OP_SYNC_CTX, NULL, NULL);
        put_host_reads(t);
        return TRUE;
    }
    return FALSE;
}

/* Whether a program is proved to have the race, and its other order to be seen. */
static gboolean shows_it(const AtlasProgram *program, AtlasTrailShows *shows) {
    g_autoptr(AtlasProofs) proofs = atlas_prove(program, NULL);
    const AtlasProof *race = atlas_proofs_find(proofs, ATLAS_PROPERTY_RACE);
    return race && race->verdict == ATLAS_PROOF_REFUTED && race->schedule && shows(program, race);
}

static void write_mended(Trail *t, const AtlasProgram *raced, GString *out) {
    Again again;
    g_autofree char *name = g_strdup_printf("%s: mended", t->program->name);
    g_autofree char *text = mend_program(raced, name);
    if (!text)
        return;
    again_read(&again, text);
    if (again.program) {
        again_open(&again, 0, ATLAS_OP_COMMENT, "the same with what orders the accesses");
        again_open(&again, 1, ATLAS_OP_EXPECT, "race=no fingerprint=equal");
        again_write(&again, out);
    }
    again_clear(&again);
}

void trail_order(Trail *t, AtlasTrailShows *shows, GString *out) {
    Again again;
    if (has_kind(t->program, ATLAS_OP_FLAG_WAIT) || has_kind(t->program, ATLAS_OP_HOST_FLAG_WAIT))
        return;
    if (trail_begin(t, "the second access first", -1) && !t->unroll.threads && put_late(t)) {
        again_init(&again, t->out);
        if (again.program && shows_it(again.program, shows)) {
            g_autoptr(GString) mended = g_string_new(NULL);
            write_mended(t, again.program, mended);
            again_open(&again, 0, ATLAS_OP_COMMENT,
                       "what delays the first access orders nothing: the second may come first");
            again_open(&again, 1, ATLAS_OP_COMMENT,
                       "'atlas-check' runs it in that order, and with '--backend cuda' on a GPU");
            again_open(&again, 2, ATLAS_OP_EXPECT, "race=yes fingerprint=differs");
            again_write(&again, out);
            g_string_append(out, mended->str);
        }
        again_clear(&again);
    }
    trail_end(t);
}

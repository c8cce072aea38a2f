#include "model/proof/tell.h"

#include <string.h>

#include "model/base/json.h"
#include "model/proof/unroll.h"

/* So many alike in a row are told at once. */
enum { RUN_LEAST = 4 };

static const AtlasOp *op_at(const AtlasProgram *program, guint op) {
    return &g_array_index(program->ops, AtlasOp, op);
}

/* ---- places and names ---- */

char *atlas_tell_place(const AtlasProgram *program, guint op) {
    guint line, column;
    AtlasSpan at = op < program->ops->len ? op_at(program, op)->at : (AtlasSpan){NULL, 0, 0};
    if (!at.source)
        return NULL;
    atlas_source_position(at.source, at.start, &line, &column);
    return g_strdup_printf("%s:%u", atlas_source_path(at.source), line);
}

/* A read of the counter: "at stage bwd", "at line 12", "at the end". */
static char *read_name(const AtlasProof *proof, const AtlasProgram *program) {
    guint line, column;
    if (proof->op == ATLAS_PROOF_NO_OP)
        return g_strdup("at the end");
    const AtlasOp *op = op_at(program, proof->op);
    if (op->kind == ATLAS_OP_STAGE)
        return g_strdup_printf("at stage %s", op->operands[0]);
    if (!op->at.source)
        return g_strdup_printf("at op %u", proof->op + 1);
    atlas_source_position(op->at.source, op->at.start, &line, &column);
    return g_strdup_printf("at line %u", line);
}

char *atlas_tell_of(const AtlasProof *proof, const AtlasProgram *program) {
    if (proof->property == ATLAS_PROPERTY_COUNT && proof->stage)
        return g_strdup(proof->stage);
    if (proof->property == ATLAS_PROPERTY_COUNT || proof->property == ATLAS_PROPERTY_SMEAR)
        return read_name(proof, program);
    return NULL;
}

char *atlas_tell_value(const AtlasProof *proof) {
    gboolean exact =
        proof->property == ATLAS_PROPERTY_WINDOW && proof->verdict != ATLAS_PROOF_REFUTED;
    gboolean open = proof->verdict > ATLAS_PROOF_REFUTED;
    if (!atlas_property_counts(proof->property) || exact || open)
        return g_strdup(atlas_proof_verdict_name(proof->verdict));
    if (proof->most < 0)
        return g_strdup_printf("%" G_GINT64_FORMAT " or more", proof->least);
    if (proof->most == proof->least)
        return g_strdup_printf("%" G_GINT64_FORMAT, proof->least);
    return g_strdup_printf("%" G_GINT64_FORMAT "..%" G_GINT64_FORMAT, proof->least, proof->most);
}

char *atlas_tell_why(const AtlasProof *proof) {
    GString *why = g_string_new(atlas_proof_verdict_name(proof->verdict));
    if (proof->verdict == ATLAS_PROOF_HOLDS)
        g_string_append_printf(why, " over %s, by %s", proof->over, proof->method);
    else
        g_string_append_printf(why, ": %s", proof->why);
    if (proof->assumes && proof->verdict <= ATLAS_PROOF_REFUTED)
        g_string_append_printf(why, "; assuming: %s", proof->assumes);
    if (proof->mend)
        g_string_append_printf(why, "; mended by: %s", proof->mend);
    return g_string_free(why, FALSE);
}

/* ---- for people ---- */

/* "step.yaml:31: launch s1 opt x3 w:params, in step 1, its 3rd time". */
static void tell_op(const Unroll *u, AtlasWhen when, GString *out) {
    if (when.op == ATLAS_PROOF_NO_OP) {
        g_string_append(out, "the end of the program\n");
        return;
    }
    g_autofree char *place = atlas_tell_place(u->program, when.op), *text = unroll_text(u, when);
    g_string_append_printf(out, "%s%s%s", place ? place : "", place ? ": " : "", text);
    if (when.step > 0)
        g_string_append_printf(out, ", in step %" G_GUINT64_FORMAT, when.step);
    if (when.nth > 0)
        g_string_append_printf(out, ", time %" G_GINT64_FORMAT, when.nth + 1);
    g_string_append_c(out, '\n');
}

/* The work that an op gave to a stream, without the stream: "kda x786", "3 of 786 of kda". */
static void tell_work(const AtlasOp *op, gint64 count, GString *out) {
    if (count < op->count)
        g_string_append_printf(out, "%" G_GINT64_FORMAT " of the %" G_GINT64_FORMAT " of ", count,
                               op->count);
    g_string_append(out, unroll_name(op));
    if (op->count > 1 && count == op->count)
        g_string_append_printf(out, " x%" G_GINT64_FORMAT, op->count);
    g_string_append(out, " complete");
}

/* Who performs an op: "host", or "thread 2" where there are several. */
static char *host_name(const Unroll *u, const AtlasOp *op) {
    return u->threads ? g_strdup_printf("thread %u", op->thread) : g_strdup("host");
}

static gsize who_width(const Unroll *u, const GArray *schedule) {
    gsize width = strlen("host");
    for (guint i = 0; i < schedule->len; i++) {
        const AtlasScheduleEvent *e = &g_array_index(schedule, AtlasScheduleEvent, i);
        const AtlasOp *op = op_at(u->program, e->when.op);
        g_autofree char *host = host_name(u, op);
        const char *who = e->complete ? unroll_stream(op) : host;
        width = who ? MAX(width, strlen(who)) : width;
    }
    return width;
}

/* One step, or several in a row that differ in their number only: "1-40". */
static void tell_event(const Unroll *u, const GArray *schedule, guint first, guint times,
                       gsize width, GString *out) {
    const AtlasScheduleEvent *e = &g_array_index(schedule, AtlasScheduleEvent, first);
    const AtlasOp *op = op_at(u->program, e->when.op);
    g_autofree char *host = host_name(u, op);
    g_autofree char *number = times == 1 ? g_strdup_printf("%u", first + 1)
                                         : g_strdup_printf("%u-%u", first + 1, first + times);
    const char *who = e->complete ? unroll_stream(op) : host;
    g_string_append_printf(out, "  %5s  %-*s  ", number, (int)width, who ? who : "");
    if (e->complete) {
        tell_work(op, e->count, out);
    } else {
        AtlasOp performed = unroll_op(u, e->when);
        performed.thread = 1;
        performed.of = NULL;
        atlas_op_write(&performed, out);
    }
    g_string_append_printf(out, times > 1 ? ", and so on\n" : "\n");
}

/* How many events from `first` on are of the same op in the same step. */
static guint run_length(const GArray *schedule, guint first) {
    const AtlasScheduleEvent *a = &g_array_index(schedule, AtlasScheduleEvent, first);
    guint i = first + 1;
    for (; i < schedule->len; i++) {
        const AtlasScheduleEvent *b = &g_array_index(schedule, AtlasScheduleEvent, i);
        if (a->complete != b->complete || a->when.op != b->when.op ||
            a->when.step != b->when.step || a->count != b->count)
            break;
    }
    return i - first < RUN_LEAST ? 1 : i - first;
}

/* The schedule, its steps numbered; of a long one, both ends. */
static void tell_schedule(const Unroll *u, const AtlasProof *proof, GString *out) {
    const GArray *schedule = proof->schedule;
    g_autoptr(GArray) firsts = g_array_new(FALSE, FALSE, sizeof(guint)); /* of what is shown */
    gsize width = who_width(u, schedule);
    guint64 step = 0;
    for (guint i = 0; i < schedule->len; i += run_length(schedule, i))
        g_array_append_val(firsts, i);
    guint skip = firsts->len > ATLAS_TELL_STEPS ? firsts->len - ATLAS_TELL_STEPS : 0;
    g_string_append_printf(out, "  a %s, of %u:\n",
                           proof->longer ? "schedule, perhaps not a shortest" : "shortest schedule",
                           schedule->len);
    for (guint n = 0; n < firsts->len; n++) {
        guint i = g_array_index(firsts, guint, n);
        const AtlasScheduleEvent *e = &g_array_index(schedule, AtlasScheduleEvent, i);
        if (skip > 0 && n == ATLAS_TELL_STEPS / 2) {
            n += skip;
            g_string_append_printf(out, "         … %u more …\n",
                                   g_array_index(firsts, guint, n) - i);
            n--;
            continue;
        }
        if (!e->complete && e->when.step != step)
            g_string_append_printf(out, "         in step %" G_GUINT64_FORMAT ":\n", e->when.step);
        step = e->complete ? step : e->when.step;
        tell_event(u, schedule, i, run_length(schedule, i), width, out);
    }
}

static void tell_outcome(const AtlasProof *proof, GString *out) {
    static const char *const outcomes[ATLAS_PROPERTIES] = {
        [ATLAS_PROPERTY_LEGAL] = "the last call fails",
        [ATLAS_PROPERTY_RACE] = "now either access may come first",
        [ATLAS_PROPERTY_RACE_AT_DEPTH] = "now either access may come first",
        [ATLAS_PROPERTY_DEADLOCK] = "now nothing can go on",
        [ATLAS_PROPERTY_SMEAR] = "the counter lags most there",
        [ATLAS_PROPERTY_WINDOW] = "the counter lags most there",
    };
    if (outcomes[proof->property])
        g_string_append_printf(out, "         %s\n", outcomes[proof->property]);
}

void atlas_tell(const AtlasProof *proof, const AtlasProgram *program, GString *out) {
    static const char *const waits[] = {"", "waits for "};
    Unroll u;
    unroll_init(&u, program);
    g_string_append_printf(out, "%s, %s: %s\n", atlas_property_name(proof->property),
                           atlas_proof_verdict_name(proof->verdict), proof->why);
    for (guint i = 0; i < proof->ats; i++) {
        gboolean nothing = i == 1 && proof->property == ATLAS_PROPERTY_DEADLOCK &&
                           proof->at[1].op == ATLAS_PROOF_NO_OP;
        g_string_append_printf(out, "  %s",
                               waits[i == 1 && proof->property == ATLAS_PROPERTY_DEADLOCK]);
        if (nothing)
            g_string_append(out, "a flag that nothing sets\n");
        else
            tell_op(&u, proof->at[i], out);
    }
    if (proof->schedule) {
        tell_schedule(&u, proof, out);
        tell_outcome(proof, out);
    }
    if (proof->mend)
        g_string_append_printf(out, "  mend, proved: %s\n", proof->mend);
    if (proof->others > 0)
        g_string_append_printf(out, "  %u%s further pair%s of ops race%s\n", proof->others,
                               proof->others == 63 ? " or more" : "", proof->others == 1 ? "" : "s",
                               proof->others == 1 ? "s" : "");
    unroll_clear(&u);
}

/* ---- for programs ---- */

static json_t *op_json(const Unroll *u, AtlasWhen when) {
    gboolean no_op = when.op == ATLAS_PROOF_NO_OP;
    g_autofree char *place = atlas_tell_place(u->program, when.op);
    g_autofree char *text = no_op ? NULL : unroll_text(u, when);
    return json_pack("{s:o, s:o, s:I, s:I}", "place", atlas_json_string(place), "op",
                     atlas_json_string(text), "step", (json_int_t)when.step, "nth",
                     (json_int_t)when.nth);
}

static json_t *schedule_json(const Unroll *u, const GArray *schedule) {
    json_t *list = schedule ? json_array() : json_null();
    for (guint i = 0; schedule && i < schedule->len; i++) {
        const AtlasScheduleEvent *e = &g_array_index(schedule, AtlasScheduleEvent, i);
        json_t *event = op_json(u, e->when);
        const AtlasOp *op = op_at(u->program, e->when.op);
        g_autofree char *host = host_name(u, op);
        json_object_set_new(event, "by", atlas_json_string(e->complete ? unroll_stream(op) : host));
        json_object_set_new(event, "does", json_string(e->complete ? "complete" : "perform"));
        json_object_set_new(event, "count", json_integer(e->count));
        json_array_append_new(list, event);
    }
    return list;
}

json_t *atlas_tell_json(const AtlasProof *proof, const AtlasProgram *program) {
    Unroll u;
    unroll_init(&u, program);
    gboolean refuted = proof->verdict == ATLAS_PROOF_REFUTED;
    json_t *accesses = json_array();
    for (guint i = 0; i < proof->ats; i++)
        json_array_append_new(accesses, op_json(&u, proof->at[i]));
    json_t *json = json_pack(
        "{s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "verdict",
        atlas_proof_verdict_name(proof->verdict), "over", proof->over, "method", proof->method,
        "assumes", atlas_json_string(proof->assumes), "why", atlas_json_string(proof->why),
        "accesses", accesses, "buffer", atlas_json_string(proof->buffer), "further",
        refuted && proof->buffer ? json_integer(proof->others) : json_null(), "schedule",
        schedule_json(&u, proof->schedule), "mend", atlas_json_string(proof->mend));
    unroll_clear(&u);
    return json;
}

char *atlas_tell_smears(const AtlasProofs *proofs) {
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < atlas_proofs_count(proofs); i++) {
        const AtlasProof *proof = atlas_proofs_get(proofs, i);
        if (proof->property != ATLAS_PROPERTY_SMEAR)
            continue;
        g_string_append(out, out->len ? "," : "smear=");
        if (proof->most < 0)
            g_string_append(out, "any");
        else
            g_string_append_printf(out, "%" G_GINT64_FORMAT, proof->most);
    }
    return g_string_free(out, FALSE);
}

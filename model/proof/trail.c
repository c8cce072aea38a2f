#include "model/proof/trail.h"

#include "model/proof/legal.h"
#include "model/proof/tell.h"
#include "model/proof/unroll.h"
#include "model/machine/run.h"

/* Ops of a trail. */
#define OPS_MAX 100000

/* Steps of a program of one thread that are tried until a call fails. */
enum { STEPS_MAX = 64 };

/* A trail that is being written, op after op. */
typedef struct {
    const AtlasProgram *program;
    const AtlasProof *proof;
    const AtlasProveOptions *options;
    Unroll unroll;
    AtlasProgram *out; /* in unroll.file */
    GArray *all;       /* of AtlasWhen: all performances, in the order of the text */
    guint next;        /* of `all`: what comes next */
} Trail;

GQuark atlas_trail_error_quark(void) {
    return g_quark_from_static_string("atlas-trail-error");
}

static gboolean fail(const Trail *t, GError **error, const char *why) {
    g_set_error(error, ATLAS_TRAIL_ERROR, 0, "cannot write a trail of '%s': %s", t->program->name,
                why);
    return FALSE;
}

static const AtlasOp *op_at(const AtlasProgram *program, guint op) {
    return &g_array_index(program->ops, AtlasOp, op);
}

static gboolean same(AtlasWhen a, AtlasWhen b) {
    return a.op == b.op && a.step == b.step && a.nth == b.nth;
}

/* ---- ops ---- */

static AtlasOp *put(Trail *t, AtlasOpKind kind, const char *first, const char *second) {
    AtlasOp *op = atlas_program_append(t->out, kind);
    op->operands[0] = first ? atlas_program_file_intern(t->unroll.file, first) : NULL;
    op->operands[1] = second ? atlas_program_file_intern(t->unroll.file, second) : NULL;
    return op;
}

static void put_comment(Trail *t, const char *text) {
    put(t, ATLAS_OP_COMMENT, NULL, NULL)->text = atlas_program_file_intern(t->unroll.file, text);
}

/* One performance; what the trail says itself is left out. */
static void put_op(Trail *t, AtlasWhen when) {
    AtlasOp op = unroll_op(&t->unroll, when);
    if (op.kind != ATLAS_OP_COMMENT && op.kind != ATLAS_OP_EXPECT)
        g_array_append_val(t->out->ops, op);
}

/* The calls up to one of them. FALSE: there is none such. */
static gboolean put_until(Trail *t, AtlasWhen when) {
    while (t->next < t->all->len) {
        AtlasWhen now = g_array_index(t->all, AtlasWhen, t->next++);
        put_op(t, now);
        if (same(now, when))
            return TRUE;
    }
    return FALSE;
}

static void put_event(Trail *t, const AtlasScheduleEvent *e) {
    const AtlasOp *op = op_at(t->program, e->when.op);
    g_autofree char *text = unroll_text(&t->unroll, e->when);
    g_autofree char *line =
        g_strdup_printf("complete now, of '%s': %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT, text,
                        e->count, op->count);
    if (e->complete)
        put_comment(t, line);
}

/* Steps that are performed until an op is: ops behind the step count those before them. */
static gint64 steps_until(const Trail *t, AtlasWhen when) {
    gboolean inside = FALSE;
    for (guint i = when.op; i != UNROLL_NONE && i != ATLAS_PROOF_NO_OP; i = t->unroll.outer[i])
        inside |= op_at(t->program, i)->kind == ATLAS_OP_STEP;
    return (gint64)when.step + inside;
}

/* Steps that the schedule reaches. */
static gint64 steps_of(const Trail *t) {
    const GArray *schedule = t->proof->schedule;
    gint64 steps = 0;
    for (guint i = 0; schedule && i < schedule->len; i++)
        steps = MAX(steps, steps_until(t, g_array_index(schedule, AtlasScheduleEvent, i).when));
    for (guint i = 0; i < t->proof->ats; i++)
        steps = MAX(steps, steps_until(t, t->proof->at[i]));
    return steps;
}

/* `steps` -1: those of the schedule. */
static gboolean trail_begin(Trail *t, const char *suffix, gint64 steps) {
    unroll_init(&t->unroll, t->program);
    g_autofree char *name = g_strdup_printf("%s: %s", t->program->name, suffix);
    t->out = atlas_program_file_add(t->unroll.file, name);
    t->all = unroll_all(&t->unroll, steps < 0 ? steps_of(t) : steps, OPS_MAX);
    t->next = 0;
    return t->all != NULL;
}

static void trail_end(Trail *t) {
    if (t->all)
        g_array_unref(t->all);
    unroll_clear(&t->unroll);
}

/* ---- legality ---- */

/* Declarations that open the program: they are no part of a schedule of threads. */
static void put_opening(Trail *t) {
    guint opening = legal_opening(t->program);
    for (; t->next < t->all->len; t->next++) {
        AtlasWhen when = g_array_index(t->all, AtlasWhen, t->next);
        if (when.op >= opening)
            return;
        put_op(t, when);
    }
}

static void put_threads(Trail *t) {
    put_opening(t);
    for (guint i = 0; i < t->proof->schedule->len; i++)
        put_op(t, g_array_index(t->proof->schedule, AtlasScheduleEvent, i).when);
}

/* All calls, cut behind the first that fails; FALSE: none does. */
static gboolean put_failing(Trail *t) {
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    while (t->next < t->all->len)
        put_op(t, g_array_index(t->all, AtlasWhen, t->next++));
    g_autoptr(AtlasOutcome) outcome = atlas_run(t->out, 1, diags);
    for (guint i = 0; outcome && i < t->out->ops->len; i++) {
        if (atlas_answer_failed(atlas_outcome_get(outcome, i))) {
            g_array_set_size(t->out->ops, i + 1);
            return TRUE;
        }
    }
    return FALSE;
}

/* ---- other properties ---- */

static void put_depth(Trail *t) {
    for (guint i = 0; i < t->program->ops->len; i++)
        if (op_at(t->program, i)->kind == ATLAS_OP_DEPTH)
            return;
    if (t->options && t->options->depth > 0)
        put(t, ATLAS_OP_DEPTH, NULL, NULL)->count = t->options->depth;
}

/* The schedule: calls as calls, work that is complete as comments. */
static gboolean put_schedule(Trail *t) {
    put_depth(t);
    for (guint i = 0; i < t->proof->schedule->len; i++) {
        const AtlasScheduleEvent *e = &g_array_index(t->proof->schedule, AtlasScheduleEvent, i);
        if (e->complete)
            put_event(t, e);
        else if (!put_until(t, e->when))
            return FALSE;
    }
    /* What cannot go on was called, too. */
    if (t->proof->property == ATLAS_PROPERTY_DEADLOCK && t->next < t->all->len)
        put_until(t, t->proof->at[0]);
    return TRUE;
}

/* The calls up to the second access, the first held back by a flag until the second is done. */
static gboolean put_held(Trail *t) {
    const AtlasOp *ops[2] = {op_at(t->program, t->proof->at[0].op),
                             op_at(t->program, t->proof->at[1].op)};
    const char *first = unroll_stream(ops[0]), *second = unroll_stream(ops[1]);
    if (!first || first == second)
        return FALSE;
    put_depth(t);
    put(t, ATLAS_OP_FLAG, "trail_hold", NULL);
    while (t->next < t->all->len) {
        AtlasWhen when = g_array_index(t->all, AtlasWhen, t->next++);
        if (same(when, t->proof->at[0]))
            put(t, ATLAS_OP_FLAG_WAIT, first, "trail_hold");
        put_op(t, when);
        if (!same(when, t->proof->at[1]))
            continue;
        if (second)
            put(t, ATLAS_OP_FLAG_SET, second, "trail_hold");
        else
            put(t, ATLAS_OP_HOST_FLAG_SET, "trail_hold", NULL);
        put(t, ATLAS_OP_SYNC_CTX, NULL, NULL);
        return TRUE;
    }
    return FALSE;
}

/* ---- reading it back ---- */

/* Text that is read, proved, and run, before it is handed out. */
typedef struct {
    AtlasSource *source;
    AtlasDiags *diags;
    AtlasProgramFile *file;
    AtlasProgram *program; /* NULL: it does not read */
} Again;

static void again_init(Again *a, const AtlasProgram *program) {
    g_autoptr(GString) text = g_string_new(NULL);
    atlas_program_write(program, text);
    a->diags = atlas_diags_new();
    a->source = atlas_source_new("trail", text->str, text->len, NULL);
    a->file = a->source ? atlas_program_read(a->source, a->diags) : NULL;
    a->program = a->file ? atlas_program_file_get(a->file, 0) : NULL;
}

static void again_clear(Again *a) {
    g_clear_pointer(&a->file, atlas_program_file_free);
    g_clear_pointer(&a->source, atlas_source_free);
    atlas_diags_free(a->diags);
}

static void open_with(Again *a, guint at, AtlasOpKind kind, const char *text) {
    AtlasOp op = {.kind = kind, .thread = 1, .count = 1, .every = 1};
    op.text = atlas_program_file_intern(a->file, text);
    g_array_insert_val(a->program->ops, at, op);
}

/* Says at the top what is refuted, and where. */
static guint open_with_reason(Again *a, const Trail *t) {
    guint lines = 0;
    g_autofree char *why = g_strdup_printf("%s is refuted: %s",
                                           atlas_property_name(t->proof->property), t->proof->why);
    open_with(a, lines++, ATLAS_OP_COMMENT, why);
    for (guint i = 0; i < t->proof->ats && t->proof->at[i].op != ATLAS_PROOF_NO_OP; i++) {
        g_autofree char *place = atlas_tell_place(t->program, t->proof->at[i].op);
        g_autofree char *text = unroll_text(&t->unroll, t->proof->at[i]);
        g_autofree char *line =
            g_strdup_printf("%s%s%s", place ? place : "", place ? ": " : "", text);
        open_with(a, lines++, ATLAS_OP_COMMENT, line);
    }
    return lines;
}

/* Appends the program with the results of the simulated driver. FALSE: it cannot be run. */
static gboolean write_answered(Again *a, GString *out) {
    g_autoptr(AtlasOutcome) outcome = atlas_run(a->program, 1, a->diags);
    if (outcome)
        atlas_outcome_write(a->program, outcome, out);
    return outcome != NULL;
}

/* The expectation that a trail proves; NULL: it does not show the refutation. */
static char *expectation(const Trail *t, const AtlasProgram *again) {
    static const char *const words[ATLAS_PROPERTIES] = {
        [ATLAS_PROPERTY_RACE] = "race=yes",
        [ATLAS_PROPERTY_RACE_AT_DEPTH] = "raceD=yes",
        [ATLAS_PROPERTY_DEADLOCK] = "deadlock=yes",
        [ATLAS_PROPERTY_WINDOW] = "window=inexact",
    };
    AtlasProveOptions options = {.depth = t->options ? t->options->depth : 0, .brief = TRUE};
    g_autoptr(AtlasProofs) proofs = atlas_prove(again, &options);
    const AtlasProof *proof = atlas_proofs_find(proofs, t->proof->property);
    gboolean shown = proof && proof->verdict == ATLAS_PROOF_REFUTED;
    gboolean lags = t->proof->property == ATLAS_PROPERTY_SMEAR ||
                    (t->proof->property == ATLAS_PROPERTY_WINDOW && !shown);
    if (lags && atlas_proofs_find(proofs, ATLAS_PROPERTY_SMEAR))
        return atlas_tell_smears(proofs);
    return shown ? g_strdup(words[t->proof->property]) : NULL;
}

/* ---- the programs of a trail ---- */

static gboolean write_legal(Trail *t, GString *out, GError **error) {
    gboolean shown = FALSE;
    for (gint64 steps = 1; steps <= STEPS_MAX && !shown; steps++) {
        Again again;
        if (!trail_begin(t, "the call that fails", steps)) {
            trail_end(t);
            return fail(t, error, "it is longer than " G_STRINGIFY(OPS_MAX) " calls");
        }
        if (t->proof->schedule)
            put_threads(t);
        if (t->proof->schedule || put_failing(t)) {
            again_init(&again, t->out);
            shown = again.program != NULL;
            if (shown) {
                guint lines = open_with_reason(&again, t);
                open_with(&again, lines, ATLAS_OP_EXPECT, "capture=illegal");
                shown = write_answered(&again, out);
            }
            again_clear(&again);
            if (!shown)
                steps = STEPS_MAX;
        }
        trail_end(t);
    }
    return shown || fail(t, error, "as a straight line it does not run");
}

static gboolean write_schedule(Trail *t, GString *out, GError **error) {
    Again again;
    gboolean shown = FALSE;
    if (!t->proof->schedule || !trail_begin(t, atlas_property_name(t->proof->property), -1)) {
        if (t->proof->schedule)
            trail_end(t);
        return fail(t, error, "it has no schedule, or one that is too long");
    }
    if (put_schedule(t)) {
        again_init(&again, t->out);
        g_autofree char *expected = again.program ? expectation(t, again.program) : NULL;
        if (expected) {
            guint lines = open_with_reason(&again, t);
            open_with(&again, lines++, ATLAS_OP_COMMENT,
                      "'atlas-check --prove' on this file proves it again");
            if (t->proof->property == ATLAS_PROPERTY_DEADLOCK)
                open_with(&again, lines++, ATLAS_OP_COMMENT, "a real driver hangs here");
            open_with(&again, lines, ATLAS_OP_EXPECT, expected);
            shown = write_answered(&again, out);
        }
        again_clear(&again);
    }
    trail_end(t);
    return shown || fail(t, error, "as a straight line it does not show it");
}

static gboolean captures(const AtlasProgram *program) {
    for (guint i = 0; i < program->ops->len; i++)
        if (op_at(program, i)->kind == ATLAS_OP_BEGIN)
            return TRUE;
    return FALSE;
}

/* Appends the program in which the second access comes first, where that can be had. */
static void write_held(Trail *t, GString *out) {
    Again again;
    if (captures(t->program))
        return;
    if (trail_begin(t, "the second access first", -1) && put_held(t)) {
        again_init(&again, t->out);
        g_autoptr(AtlasProofs) proofs = again.program ? atlas_prove(again.program, NULL) : NULL;
        const AtlasProof *stuck =
            proofs ? atlas_proofs_find(proofs, ATLAS_PROPERTY_DEADLOCK) : NULL;
        if (stuck && stuck->verdict == ATLAS_PROOF_HOLDS) {
            open_with(
                &again, 0, ATLAS_OP_COMMENT,
                "the first access waits for the second, and nothing gets stuck: nothing put it "
                "first");
            open_with(&again, 1, ATLAS_OP_EXPECT, "deadlock=no");
            write_answered(&again, out);
        }
        again_clear(&again);
    }
    trail_end(t);
}

char *atlas_trail(const AtlasProgram *program, const AtlasProof *proof,
                  const AtlasProveOptions *options, GError **error) {
    Trail t = {.program = program, .proof = proof, .options = options};
    g_autoptr(GString) out = g_string_new(NULL);
    g_assert(proof->verdict == ATLAS_PROOF_REFUTED);
    gboolean good = proof->property == ATLAS_PROPERTY_LEGAL ? write_legal(&t, out, error)
                                                            : write_schedule(&t, out, error);
    if (good &&
        (proof->property == ATLAS_PROPERTY_RACE || proof->property == ATLAS_PROPERTY_RACE_AT_DEPTH))
        write_held(&t, out);
    return good ? g_strdup(out->str) : NULL;
}

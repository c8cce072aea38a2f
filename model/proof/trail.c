#include "model/proof/trail_write.h"

#include "model/proof/legal.h"
#include "model/proof/tell.h"
#include "model/machine/run.h"

/* Steps of a program of one thread that are tried until a call fails. */
enum { STEPS_MAX = 64 };

GQuark atlas_trail_error_quark(void) {
    return g_quark_from_static_string("atlas-trail-error");
}

static gboolean fail(GError **error, const char *why) {
    g_set_error(error, ATLAS_TRAIL_ERROR, 0, "%s", why);
    return FALSE;
}

/* ---- ops ---- */

static void put_comment(Trail *t, const char *text) {
    trail_put(t, ATLAS_OP_COMMENT, NULL, NULL)->text =
        atlas_program_file_intern(t->unroll.file, text);
}

/* The calls up to one of them. FALSE: there is none such. */
static gboolean put_until(Trail *t, AtlasWhen when) {
    while (t->next < t->all->len) {
        AtlasWhen now = g_array_index(t->all, AtlasWhen, t->next++);
        trail_put_op(t, now);
        if (trail_same(now, when))
            return TRUE;
    }
    return FALSE;
}

static void put_event(Trail *t, const AtlasScheduleEvent *e) {
    const AtlasOp *op = trail_op(t, e->when.op);
    g_autofree char *text = unroll_text(&t->unroll, e->when);
    g_autofree char *line =
        g_strdup_printf("complete now, of '%s': %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT, text,
                        e->count, op->count);
    if (e->complete)
        put_comment(t, line);
}

/* ---- legality ---- */

/* Declarations that open the program: they are no part of a schedule of threads. */
static void put_opening(Trail *t) {
    guint opening = legal_opening(t->program);
    for (; t->next < t->all->len; t->next++) {
        AtlasWhen when = g_array_index(t->all, AtlasWhen, t->next);
        if (when.op >= opening)
            return;
        trail_put_op(t, when);
    }
}

static void put_threads(Trail *t) {
    put_opening(t);
    for (guint i = 0; i < t->proof->schedule->len; i++)
        trail_put_op(t, g_array_index(t->proof->schedule, AtlasScheduleEvent, i).when);
}

/* All calls, cut behind the first that fails; FALSE: none does. */
static gboolean put_failing(Trail *t) {
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    while (t->next < t->all->len)
        trail_put_op(t, g_array_index(t->all, AtlasWhen, t->next++));
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
        if (trail_op(t, i)->kind == ATLAS_OP_DEPTH)
            return;
    if (t->options && t->options->depth > 0)
        trail_put(t, ATLAS_OP_DEPTH, NULL, NULL)->count = t->options->depth;
}

/* What each thread would perform behind the schedule. */
static void put_rest(Trail *t) {
    guint performed[ATLAS_PROGRAM_THREADS_MAX + 1] = {0};
    for (guint i = 0; i < t->proof->schedule->len; i++) {
        const AtlasScheduleEvent *e = &g_array_index(t->proof->schedule, AtlasScheduleEvent, i);
        performed[e->complete ? 0 : trail_op(t, e->when.op)->thread]++;
    }
    for (; t->next < t->all->len; t->next++) {
        AtlasWhen when = g_array_index(t->all, AtlasWhen, t->next);
        const AtlasOp *op = trail_op(t, when.op);
        if (op->kind > ATLAS_OP_SLOT && performed[op->thread] > 0)
            performed[op->thread]--;
        else
            trail_put_op(t, when);
    }
}

/* The schedule: calls as calls, work that is complete as comments; behind a deadlock what is never
 * performed, or never returns, *unstated ops. */
static gboolean put_schedule(Trail *t, guint *unstated) {
    put_depth(t);
    if (t->unroll.threads)
        put_opening(t);
    for (guint i = 0; i < t->proof->schedule->len; i++) {
        const AtlasScheduleEvent *e = &g_array_index(t->proof->schedule, AtlasScheduleEvent, i);
        if (e->complete)
            put_event(t, e);
        else if (t->unroll.threads)
            trail_put_op(t, e->when);
        else if (!put_until(t, e->when))
            return FALSE;
    }
    guint performed = t->out->ops->len;
    gboolean stuck = t->proof->property == ATLAS_PROPERTY_DEADLOCK;
    if (stuck && t->unroll.threads)
        put_rest(t);
    else if (stuck && t->next < t->all->len)
        put_until(t, t->proof->at[0]);
    *unstated = t->out->ops->len - performed;
    return TRUE;
}

/* ---- reading it back ---- */

/* Says at the top what is refuted, and where. */
static guint open_with_reason(Again *a, const Trail *t) {
    guint lines = 0;
    g_autofree char *why = g_strdup_printf("%s is refuted: %s",
                                           atlas_property_name(t->proof->property), t->proof->why);
    again_open(a, lines++, ATLAS_OP_COMMENT, why);
    for (guint i = 0; i < t->proof->ats && t->proof->at[i].op != ATLAS_PROOF_NO_OP; i++) {
        g_autofree char *place = atlas_tell_place(t->program, t->proof->at[i].op);
        g_autofree char *text = unroll_text(&t->unroll, t->proof->at[i]);
        g_autofree char *line =
            g_strdup_printf("%s%s%s", place ? place : "", place ? ": " : "", text);
        again_open(a, lines++, ATLAS_OP_COMMENT, line);
    }
    return lines;
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
    const AtlasProof *smear = atlas_proofs_find(proofs, ATLAS_PROPERTY_SMEAR);
    if (lags && smear && smear->verdict <= ATLAS_PROOF_REFUTED)
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
            return fail(error, "it is longer than " G_STRINGIFY(TRAIL_OPS_MAX) " calls");
        }
        if (t->proof->schedule)
            put_threads(t);
        if (t->proof->schedule || put_failing(t)) {
            again_init(&again, t->out);
            shown = again.program != NULL;
            if (shown) {
                guint lines = open_with_reason(&again, t);
                again_open(&again, lines, ATLAS_OP_EXPECT, "capture=illegal");
                shown = again_write(&again, out);
            }
            again_clear(&again);
            if (!shown)
                steps = STEPS_MAX;
        }
        trail_end(t);
    }
    return shown || fail(error, "as a straight line it does not run");
}

static gboolean write_schedule(Trail *t, GString *out, GError **error) {
    Again again;
    gboolean shown = FALSE;
    guint unstated;
    if (!t->proof->schedule || !trail_begin(t, atlas_property_name(t->proof->property), -1)) {
        if (t->proof->schedule)
            trail_end(t);
        return fail(error, "it has no schedule, or one that is too long");
    }
    if (put_schedule(t, &unstated)) {
        again_init(&again, t->out);
        again.stuck = t->proof->property == ATLAS_PROPERTY_DEADLOCK;
        again.unstated = unstated;
        g_autofree char *expected = again.program ? expectation(t, again.program) : NULL;
        if (expected) {
            guint lines = open_with_reason(&again, t);
            again_open(&again, lines++, ATLAS_OP_COMMENT,
                       "'atlas-check --prove' on this file proves it again");
            if (t->proof->property == ATLAS_PROPERTY_DEADLOCK)
                again_open(&again, lines++, ATLAS_OP_COMMENT, "a real driver hangs here");
            again_open(&again, lines, ATLAS_OP_EXPECT, expected);
            shown = again_write(&again, out);
        }
        again_clear(&again);
    }
    trail_end(t);
    return shown || fail(error, "as a straight line it does not show it");
}

char *atlas_trail(const AtlasProgram *program, const AtlasProof *proof,
                  const AtlasProveOptions *options, AtlasTrailShows *shows, GError **error) {
    Trail t = {.program = program, .proof = proof, .options = options};
    g_autoptr(GString) out = g_string_new(NULL);
    g_assert(proof->verdict == ATLAS_PROOF_REFUTED);
    gboolean good = proof->property == ATLAS_PROPERTY_LEGAL ? write_legal(&t, out, error)
                                                            : write_schedule(&t, out, error);
    gboolean race =
        proof->property == ATLAS_PROPERTY_RACE || proof->property == ATLAS_PROPERTY_RACE_AT_DEPTH;
    if (good && race && shows)
        trail_order(&t, shows, out);
    return good ? g_strdup(out->str) : NULL;
}

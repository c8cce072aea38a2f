/* What differs between outcomes, and their text form. */
#include "model/machine/outcome.h"

static void difference_clear(gpointer data) {
    AtlasDifference *difference = data;
    g_free(difference->expected);
    g_free(difference->got);
}

static GArray *differences_new(void) {
    GArray *list = g_array_new(FALSE, FALSE, sizeof(AtlasDifference));
    g_array_set_clear_func(list, difference_clear);
    return list;
}

/* Adds what differs; takes over both texts. */
static void judge(GArray *list, const AtlasProgram *program, guint op, char *expected, char *got) {
    AtlasSpan at =
        op < program->ops->len ? g_array_index(program->ops, AtlasOp, op).at : program->at;
    AtlasDifference difference = {op, at, expected, got};
    if (g_strcmp0(expected, got) != 0)
        g_array_append_val(list, difference);
    else
        difference_clear(&difference);
}

static char *executed_text(gint64 executed) {
    return g_strdup_printf("executed %" G_GINT64_FORMAT, executed);
}

/* How many kernels were executed, or why nobody knows. */
static char *count_text(const AtlasOutcome *outcome) {
    return outcome->uncounted ? g_strconcat("no count: ", outcome->uncounted, NULL)
                              : executed_text(outcome->executed);
}

/* An op's answer in words; NULL where it was not answered. */
static char *answer_text(const AtlasOutcome *outcome, guint op, gboolean details) {
    AtlasAnswer answer = *atlas_outcome_get(outcome, op);
    GString *out;
    if (op == outcome->ended_at && outcome->state == ATLAS_OUTCOME_HUNG)
        return g_strdup("hung");
    if (op == outcome->ended_at && outcome->state == ATLAS_OUTCOME_CRASHED)
        return g_strdup("crashed");
    if (answer.code == ATLAS_RESULT_NONE)
        return NULL;
    if (!details)
        answer.details = ATLAS_DETAILS_NONE;
    out = g_string_new(NULL);
    atlas_answer_write(&answer, out);
    return g_string_free(out, FALSE);
}

GArray *atlas_outcome_compare(const AtlasProgram *program, const AtlasOutcome *outcome) {
    GArray *list = differences_new();
    for (guint i = 0; i < program->ops->len && i <= outcome->ended_at; i++) {
        const AtlasOp *op = &g_array_index(program->ops, AtlasOp, i);
        char *got = op->result ? answer_text(outcome, i, op->details != NULL) : NULL;
        if (got)
            judge(list, program, i,
                  op->details ? g_strconcat(op->result, " ", op->details, NULL)
                              : g_strdup(op->result),
                  got);
    }
    if (program->executed >= 0 && outcome->state == ATLAS_OUTCOME_FINISHED)
        judge(list, program, program->ops->len, executed_text(program->executed),
              count_text(outcome));
    return list;
}

GArray *atlas_outcome_differences(const AtlasProgram *program, const AtlasOutcome *first,
                                  const AtlasOutcome *second) {
    GArray *list = differences_new();
    guint end = MIN(first->ended_at, second->ended_at);
    for (guint i = 0; i < program->ops->len && i <= end; i++)
        judge(list, program, i, answer_text(first, i, TRUE), answer_text(second, i, TRUE));
    if (first->state == ATLAS_OUTCOME_FINISHED && second->state == ATLAS_OUTCOME_FINISHED)
        judge(list, program, program->ops->len, count_text(first), count_text(second));
    return list;
}

/* ---- text ---- */

void atlas_outcome_write(const AtlasProgram *program, const AtlasOutcome *outcome, GString *out) {
    AtlasProgram answered = *program;
    GPtrArray *texts = g_ptr_array_new_with_free_func(g_free);
    answered.ops = g_array_copy(program->ops);
    answered.executed = outcome->executed;
    for (guint i = 0; i < answered.ops->len; i++) {
        AtlasOp *op = &g_array_index(answered.ops, AtlasOp, i);
        const AtlasAnswer *answer = atlas_outcome_get(outcome, i);
        char *text = answer_text(outcome, i, TRUE);
        op->result = answer->code == ATLAS_RESULT_NONE ? NULL : text;
        op->details = NULL;
        g_ptr_array_add(texts, text);
    }
    atlas_program_write(&answered, out);
    g_array_unref(answered.ops);
    g_ptr_array_unref(texts);
}

/* Printing what programs were answered. */
#include <string.h>

#include "backends/cuda/device.h"
#include "backends/programs.h"
#include "model/check/proved.h"
#include "model/machine/explain.h"

/* ---- words ---- */

/* An answer as program files write it; NULL where there is none. */
static char *answer_text(const AtlasOutcome *outcome, guint op) {
    g_autoptr(GString) text = g_string_new(NULL);
    atlas_answer_write(atlas_outcome_get(outcome, op), text);
    return text->len ? g_strdup(text->str) : NULL;
}

/* A wait of the host's own, in which no driver has a part. */
static gboolean is_host_wait(const AtlasProgram *program, guint op) {
    return op < program->ops->len &&
           g_array_index(program->ops, AtlasOp, op).kind == ATLAS_OP_HOST_FLAG_WAIT;
}

static gboolean is_set_below(const AtlasProgram *program, guint wait) {
    const char *flag = g_array_index(program->ops, AtlasOp, wait).operands[0];
    for (guint i = wait + 1; i < program->ops->len; i++) {
        const AtlasOp *op = &g_array_index(program->ops, AtlasOp, i);
        if ((op->kind == ATLAS_OP_HOST_FLAG_SET && op->operands[0] == flag) ||
            (op->kind == ATLAS_OP_FLAG_SET && op->operands[1] == flag))
            return TRUE;
    }
    return FALSE;
}

/* Why a run came no further. One host performs the ops of all threads as they stand in the file. */
static const char *hung(const AtlasProgram *program, guint op) {
    gboolean expected = stated_deadlock(program);
    if (!is_host_wait(program, op))
        return expected ? "the driver hung here, as 'deadlock=yes' has it" : "the driver hung here";
    if (expected)
        return "the host waited here for a flag that nothing set, as 'deadlock=yes' has it";
    return is_set_below(program, op)
               ? "the host waited here for a flag that is set further down: ops are performed in "
                 "the order of the file"
               : "the host waited here for a flag that nothing set";
}

/* How a run ended, where it ended at this op before its time or was not counted; else NULL. */
static const char *ending(const AtlasProgram *program, const AtlasOutcome *outcome, guint op) {
    if (op != outcome->ended_at)
        return NULL;
    return outcome->uncounted                          ? outcome->uncounted
           : outcome->state == ATLAS_OUTCOME_HUNG      ? hung(program, op)
           : outcome->state == ATLAS_OUTCOME_CRASHED   ? "the driver crashed here"
           : outcome->state == ATLAS_OUTCOME_UNDEFINED ? "CUDA leaves this undefined"
                                                       : NULL;
}

/* Why an op was answered as it was, as the machine knows it, where the driver that was asked
 * answered the same; NULL where there is nothing to explain. */
static char *reason(const Checked *checked, guint op) {
    g_autoptr(GString) text = g_string_new(NULL);
    if (checked->sim && atlas_explain_wait(checked->program, op, text))
        return g_strdup(text->str);
    const AtlasAnswer *answer = checked->sim ? atlas_outcome_get(checked->sim, op) : NULL;
    if (!answer || atlas_outcome_get(programs_outcome(checked), op)->code != answer->code ||
        !atlas_explain(checked->program, op, answer, text))
        return NULL;
    return g_strdup(text->str);
}

/* An op as it stands in its program, without its result. */
static char *op_text(const AtlasProgram *program, guint op) {
    g_autoptr(GString) text = g_string_new(NULL);
    if (op == program->ops->len)
        return g_strdup("executed");
    atlas_op_write_call(&g_array_index(program->ops, AtlasOp, op), text);
    return g_strdup(text->str);
}

/* Where an op stands: in its file, or, of a program that was generated, in its text. */
static const char *place(const AtlasProgram *program, guint op, guint *line) {
    guint column;
    gboolean last = op == program->ops->len;
    AtlasSpan at = last ? program->at : g_array_index(program->ops, AtlasOp, op).at;
    *line = last ? 1 : op + 2;
    if (!at.source)
        return program->name;
    atlas_source_position(at.source, at.start, line, &column);
    return atlas_source_path(at.source);
}

/* ---- programs with their answers, as program files have them ---- */

static void append_comment(AtlasProgramFile *file, AtlasProgram *program, const char *text) {
    if (text)
        atlas_program_append(program, ATLAS_OP_COMMENT)->text =
            atlas_program_file_intern(file, text);
}

static void append_answered(AtlasProgramFile *file, AtlasProgram *program, AtlasOp op,
                            const char *answer) {
    const char *space = answer ? strchr(answer, ' ') : NULL;
    g_autofree char *result = space ? g_strndup(answer, (gsize)(space - answer)) : NULL;
    op.result = answer ? atlas_program_file_intern(file, result ? result : answer) : NULL;
    op.details = space ? atlas_program_file_intern(file, space + 1) : NULL;
    g_array_append_val(program->ops, op);
}

/* Writes a program with an outcome's answers. What is known beside them stands in comments: the
 * reasons of `explained`, and what `other` answered where that differs; both may be NULL. */
static void write_answered(const AtlasProgram *program, const AtlasOutcome *outcome,
                           const Checked *explained, const AtlasOutcome *other, GString *out) {
    g_autoptr(AtlasProgramFile) file = atlas_program_file_new();
    AtlasProgram *answered = atlas_program_file_add(file, program->name);
    for (guint i = 0; i < program->ops->len; i++) {
        g_autofree char *answer = answer_text(outcome, i);
        g_autofree char *why = explained ? reason(explained, i) : NULL;
        g_autofree char *others = other ? answer_text(other, i) : NULL;
        append_answered(file, answered, g_array_index(program->ops, AtlasOp, i), answer);
        append_comment(file, answered, why);
        if (others && g_strcmp0(others, answer) != 0) {
            g_autofree char *text = g_strconcat("sim: ", others, NULL);
            append_comment(file, answered, text);
        }
        append_comment(file, answered, ending(program, outcome, i));
    }
    if (other && other->executed != outcome->executed) {
        g_autofree char *text = g_strdup_printf("sim: executed %" G_GINT64_FORMAT, other->executed);
        append_comment(file, answered, text);
    }
    append_comment(file, answered, ending(program, outcome, program->ops->len));
    answered->executed = outcome->executed;
    atlas_program_write(answered, out);
}

/* ---- for people ---- */

/* "FILE:LINE: PROGRAM: OP: ", or "PROGRAM:LINE: OP: " of a generated one; no op at the end. */
static void print_place(const AtlasProgram *program, guint op, GString *out) {
    guint line;
    const char *path = place(program, op, &line);
    g_autofree char *text = op_text(program, op);
    g_string_append_printf(out, "%s:%u: ", path, line);
    if (path != program->name)
        g_string_append_printf(out, "%s: ", program->name);
    if (op < program->ops->len)
        g_string_append_printf(out, "%s: ", text);
}

static void print_differences(const Programs *p, const Checked *checked, GString *out) {
    const AtlasOutcome *outcome = programs_outcome(checked);
    gboolean told = FALSE;
    for (guint i = 0; i < checked->differences->len; i++) {
        const AtlasDifference *d = &g_array_index(checked->differences, AtlasDifference, i);
        told |= d->op == outcome->ended_at;
        print_place(checked->program, d->op, out);
        g_string_append_printf(out, "%s %s, %s %s\n", p->against ? "sim says" : "expected",
                               d->expected ? d->expected : "nothing",
                               p->against ? "the driver" : "got", d->got ? d->got : "nothing");
    }
    if (told || !ending(checked->program, outcome, outcome->ended_at))
        return;
    print_place(checked->program, outcome->ended_at, out);
    g_string_append_printf(out, "%s\n", ending(checked->program, outcome, outcome->ended_at));
}

/* What became of fingerprints, and whether that is as stated. */
static void print_memory(const Checked *checked, GString *out) {
    if (!checked->how)
        return;
    guint line;
    const char *path = place(checked->program, checked->memory_op, &line);
    g_string_append_printf(out, "%s:%u: %s: %s", path, line, checked->program->name, checked->how);
    if (g_strcmp0(checked->memory, checked->found) != 0)
        g_string_append_printf(out, ", expected " ATLAS_EXPECT_FINGERPRINT "=%s", checked->memory);
    g_string_append_c(out, '\n');
}

static void print_reasons(const Checked *checked, GString *out) {
    for (guint i = 0; i < checked->program->ops->len; i++) {
        g_autofree char *why = reason(checked, i);
        if (!why)
            continue;
        print_place(checked->program, i, out);
        g_string_append_printf(out, "%s\n", why);
    }
}

static char *print_text(const Programs *p) {
    g_autoptr(GString) out = g_string_new(NULL);
    guint judged = 0;
    for (guint i = 0; i < p->list->len; i++) {
        const Checked *checked = &g_array_index(p->list, Checked, i);
        judged += checked->differences != NULL;
        if (!checked->differences) {
            write_answered(checked->program, programs_outcome(checked), p->explain ? checked : NULL,
                           NULL, out);
            continue;
        }
        print_differences(p, checked, out);
        print_memory(checked, out);
        if (p->explain)
            print_reasons(checked, out);
        if (checked->shrunk) {
            g_string_append_c(out, '\n');
            write_answered(checked->shrunk, checked->shrunk_cuda, NULL, checked->shrunk_sim, out);
        }
    }
    if (judged > 0)
        g_string_append_printf(out, "%u program%s (%" G_GINT64_FORMAT " call%s), %u differ%s",
                               p->list->len, p->list->len == 1 ? "" : "s", p->calls,
                               p->calls == 1 ? "" : "s", p->differ, p->differ == 1 ? "s" : "");
    if (judged > 0 && p->open > 0)
        g_string_append_printf(out, ", %u open", p->open);
    if (judged > 0 && judged < p->list->len)
        g_string_append_printf(out, "; %u state%s no results", p->list->len - judged,
                               p->list->len - judged == 1 ? "s" : "");
    if (judged > 0 && p->verdicts > 0)
        g_string_append_printf(out, "; %u expected verdict%s for --prove", p->verdicts,
                               p->verdicts == 1 ? " is" : "s are");
    g_string_append(out, judged > 0 ? "\n" : "");
    return g_strdup(out->str);
}

/* ---- for programs ---- */

static const AtlasTableColumn columns[] = {
    {NULL, "file", FALSE},     {NULL, "line", TRUE}, {NULL, "program", FALSE}, {NULL, "op", FALSE},
    {NULL, "expected", FALSE}, {NULL, "got", FALSE}, {NULL, "why", FALSE},     {NULL, NULL, FALSE},
};

static void text_cell(AtlasTable *table, const char *text) {
    if (text)
        atlas_table_text(table, "%s", text);
    else
        atlas_table_skip(table);
}

static void add_row(AtlasTable *table, const Checked *checked, guint op, const char *expected,
                    const char *got, const char *why) {
    guint line;
    const char *path = place(checked->program, op, &line);
    g_autofree char *shown = op_text(checked->program, op);
    atlas_table_row(table);
    text_cell(table, path);
    atlas_table_number(table, atlas_rat(line), 0);
    text_cell(table, checked->program->name);
    text_cell(table, shown);
    text_cell(table, expected);
    text_cell(table, got);
    text_cell(table, why);
}

/* The same of an answer. */
static void add_answer(AtlasTable *table, const Programs *p, const Checked *checked, guint op,
                       const char *expected, const char *got) {
    g_autofree char *why =
        p->explain && op < checked->program->ops->len ? reason(checked, op) : NULL;
    add_row(table, checked, op, expected, got, why);
}

/* Every call of a program that is not judged, and how many kernels were executed. */
static void add_answers(AtlasTable *table, const Programs *p, const Checked *checked) {
    const AtlasOutcome *outcome = programs_outcome(checked);
    for (guint i = 0; i < checked->program->ops->len; i++) {
        g_autofree char *answer = answer_text(outcome, i);
        const char *end = ending(checked->program, outcome, i);
        if (answer || end)
            add_answer(table, p, checked, i, NULL, answer ? answer : end);
    }
    g_autofree char *executed = g_strdup_printf("%" G_GINT64_FORMAT, outcome->executed);
    const char *end = ending(checked->program, outcome, checked->program->ops->len);
    if (outcome->executed >= 0 || end)
        add_answer(table, p, checked, checked->program->ops->len, NULL, end ? end : executed);
}

static AtlasTable *rows_of(const Programs *p) {
    AtlasTable *table = atlas_table_new(columns);
    for (guint i = 0; i < p->list->len; i++) {
        const Checked *checked = &g_array_index(p->list, Checked, i);
        if (!checked->differences)
            add_answers(table, p, checked);
        for (guint k = 0; checked->differences && k < checked->differences->len; k++) {
            const AtlasDifference *d = &g_array_index(checked->differences, AtlasDifference, k);
            add_answer(table, p, checked, d->op, d->expected, d->got);
        }
        if (checked->how)
            add_row(table, checked, checked->memory_op, checked->memory,
                    checked->found ? checked->found : "open", checked->how);
    }
    return table;
}

static json_t *shrunk_json(const Programs *p) {
    json_t *list = json_array();
    for (guint i = 0; i < p->list->len; i++) {
        const Checked *checked = &g_array_index(p->list, Checked, i);
        g_autoptr(GString) text = g_string_new(NULL);
        if (!checked->shrunk)
            continue;
        write_answered(checked->shrunk, checked->shrunk_cuda, NULL, checked->shrunk_sim, text);
        json_array_append_new(list, json_string(text->str));
    }
    return list;
}

static char *print_json(const Programs *p) {
    g_autoptr(AtlasTable) table = rows_of(p);
    g_autoptr(GArray) about = g_array_new(FALSE, FALSE, sizeof(AtlasAbout));
    json_t *root = json_pack(
        "{s:s, s:s, s:s, s:i, s:I, s:i, s:i, s:o, s:o}", "schema", "atlas-programs/1", "verdict",
        p->differ ? "fail"
        : p->open ? "inconclusive"
                  : "pass",
        "backend", p->pool ? "cuda" : "sim", "programs", (int)p->list->len, "calls",
        (json_int_t)p->calls, "differ", (int)p->differ, "open", (int)p->open, "answers",
        atlas_table_json(table), "shrunk", shrunk_json(p));
    if (p->pool)
        atlas_cuda_about(p->pool, about);
    for (guint i = 0; i < about->len; i++) {
        const AtlasAbout *pair = &g_array_index(about, AtlasAbout, i);
        json_object_set_new(root, pair->key, json_string(pair->value));
    }
    return atlas_json_text(root, 0);
}

char *programs_print(const Programs *p, const char *format) {
    g_autoptr(AtlasTable) table = NULL;
    if (g_strcmp0(format, "json") == 0)
        return print_json(p);
    if (g_strcmp0(format, "tsv") != 0)
        return print_text(p);
    table = rows_of(p);
    return atlas_table_render_tsv(table);
}

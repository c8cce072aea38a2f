/* What the engine costs on the study's step.
 *
 * One core, no limit that passes or fails. "kept": loops and repeat counts as the spec gives them;
 * "unrolled": one op for each launch. On four streams the items are dealt in turn, each behind the
 * one before it by an event. Beside the engine stands one pass over the program's ops that only
 * adds up their counts: nothing that looks at every op can be faster.
 */
#include "model/base/table.h"
#include "model/proof/engine.h"
#include "model/proof/prove.h"
#include "model/launch/lower.h"
#include "model/solve/study.h"
#include "tests/bench/bench.h"

/* A stream's places on the GPU that was measured. */
enum { DEPTH = 1021, REPEATS = 40 };

/* ---- the study's step ---- */

typedef struct {
    AtlasProgramFile *file;
    AtlasProgram *program;
    guint streams, dealt;
} Step;

static AtlasProgram *load_step(AtlasProgramFile *file, AtlasStudy **study) {
    AtlasDiags *diags = atlas_diags_new();
    *study = atlas_study_load("specs/dormouse-small.yaml", NULL, ATLAS_RAT_NONE, diags);
    if (!*study || !(*study)->point)
        fail("the study's spec does not load");
    AtlasConfig *config = atlas_config_new((*study)->model);
    AtlasProgram *program = atlas_lower(config, (*study)->point->unknowns, file, diags);
    atlas_config_free(config);
    atlas_diags_free(diags);
    if (!program)
        fail("the study's step does not lower");
    return program;
}

static const char *stream_name(Step *s, guint number) {
    g_autofree char *name = g_strdup_printf("s%u", number);
    return atlas_program_file_intern(s->file, name);
}

static void append(Step *s, AtlasOpKind kind, const char *first, const char *second) {
    AtlasOp *op = atlas_program_append(s->program, kind);
    op->operands[0] = first;
    op->operands[1] = second;
}

/* The list, with an index's value in the place of its loop. */
static GArray *fixed(Step *s, const GArray *list, const gint64 *index) {
    GArray *made = list ? atlas_program_list_new(s->file, sizeof(AtlasAccess)) : NULL;
    for (guint i = 0; list && i < list->len; i++) {
        AtlasAccess access = g_array_index(list, AtlasAccess, i);
        if (access.loop && index) {
            access.offset += access.sign * *index;
            access.loop = NULL;
            access.sign = 0;
        }
        g_array_append_val(made, access);
    }
    return made;
}

static void deal(Step *s, const AtlasOp *op, const gint64 *index) {
    const char *event = atlas_program_file_intern(s->file, "e");
    const char *stream = stream_name(s, s->dealt++ % s->streams);
    AtlasOp copy = *op;
    copy.operands[0] = stream;
    copy.reads = fixed(s, op->reads, index);
    copy.writes = fixed(s, op->writes, index);
    copy.fresh = fixed(s, op->fresh, index);
    copy.count = index ? 1 : op->count;
    if (s->streams > 1)
        append(s, ATLAS_OP_WAIT, stream, event);
    for (gint64 i = 0; i < (index ? op->count : 1); i++)
        *atlas_program_append(s->program, op->kind) = copy;
    if (s->streams > 1)
        append(s, ATLAS_OP_RECORD, event, stream);
}

static void take(Step *s, const GArray *ops, guint first, guint end, gboolean unroll,
                 const gint64 *index) {
    static const gint64 none = 0;
    for (guint i = first; i < end; i++) {
        const AtlasOp *op = &g_array_index(ops, AtlasOp, i);
        if (op->kind == ATLAS_OP_LOOP && unroll) {
            guint close = i;
            while (g_array_index(ops, AtlasOp, close).kind != ATLAS_OP_END_BLOCK)
                close++;
            for (gint64 n = op->first; n <= op->last; n++)
                take(s, ops, i + 1, close, unroll, &n);
            i = close;
        } else if (op->kind == ATLAS_OP_LAUNCH || op->kind == ATLAS_OP_DTOH_ASYNC) {
            deal(s, op, unroll ? (index ? index : &none) : NULL);
        } else if (op->kind == ATLAS_OP_SYNC_STREAM) {
            append(s, ATLAS_OP_SYNC_CTX, NULL, NULL);
        } else if (op->kind != ATLAS_OP_STREAM) {
            *atlas_program_append(s->program, op->kind) = *op;
        }
    }
}

static AtlasProgram *variant(AtlasProgramFile *file, const AtlasProgram *base, guint streams,
                             gboolean unroll) {
    Step s = {file, atlas_program_file_add(file, "variant"), streams, 0};
    for (guint i = 0; i < streams; i++)
        append(&s, ATLAS_OP_STREAM, stream_name(&s, i),
               atlas_program_file_intern(file, "nonblocking"));
    append(&s, ATLAS_OP_EVENT, atlas_program_file_intern(file, "e"), NULL);
    take(&s, base->ops, 0, base->ops->len, unroll, NULL);
    return s.program;
}

/* ---- the engine ---- */

typedef struct {
    double engine_us, prove_us, pass_us;
    gsize bytes;
} Cost;

/* Seconds of one pass; it is too short to be timed alone. */
static double pass_over(const AtlasProgram *program) {
    guint passes = 1 + 200000 / program->ops->len;
    double start = cpu();
    for (guint n = 0; n < passes; n++)
        for (guint i = 0; i < program->ops->len; i++)
            sink += g_array_index(program->ops, AtlasOp, i).count;
    return (cpu() - start) / passes;
}

/* The least of some repetitions: races without back-pressure, then deadlock and readings with. */
static Cost measure(const AtlasProgram *program) {
    AtlasProveOptions options = {.depth = DEPTH, .brief = TRUE};
    Cost best = {1e9, 1e9, 1e9, 0};
    for (guint i = 0; i < REPEATS; i++) {
        double start = cpu();
        g_autoptr(Flow) flow = flow_new(program);
        g_autoptr(Engine) plain = engine_run(flow, 0, 0, ENGINE_RACES, NULL);
        g_autoptr(Engine) deep = engine_run(flow, DEPTH, 0, ENGINE_READINGS, NULL);
        best.engine_us = MIN(best.engine_us, (cpu() - start) * 1e6);
        if (plain->end != ENGINE_DONE || deep->end != ENGINE_DONE || race_found(plain->races)->len)
            fail("the study's step is not clean");
        best.bytes = plain->bytes + deep->bytes + flow->ops->len * sizeof(FlowOp) +
                     flow->accesses->len * sizeof(FlowAccess);
        start = cpu();
        atlas_proofs_free(atlas_prove(program, &options));
        best.prove_us = MIN(best.prove_us, (cpu() - start) * 1e6);
        best.pass_us = MIN(best.pass_us, pass_over(program) * 1e6);
    }
    return best;
}

static const AtlasTableColumn engine_columns[] = {{"step", "step", FALSE},
                                                  {"ops", "ops", TRUE},
                                                  {"engine us", "engine_us", TRUE},
                                                  {"KiB", "kib", TRUE},
                                                  {"with the driver us", "prove_us", TRUE},
                                                  {"one pass us", "pass_us", TRUE},
                                                  {"engine over pass", "ratio", TRUE},
                                                  {NULL, NULL, FALSE}};

static void report_engine(void) {
    AtlasTable *table = atlas_table_new(engine_columns);
    AtlasProgramFile *file = atlas_program_file_new();
    AtlasStudy *study;
    const AtlasProgram *base = load_step(file, &study);
    for (guint i = 0; i < 4; i++) {
        guint streams = i % 2 ? 4 : 1;
        const AtlasProgram *program = variant(file, base, streams, i >= 2);
        Cost cost = measure(program);
        atlas_table_row(table);
        atlas_table_text(table, "%s, %u stream%s", i < 2 ? "kept" : "unrolled", streams,
                         streams == 1 ? "" : "s");
        atlas_table_text(table, "%u", program->ops->len);
        atlas_table_text(table, "%.0f", cost.engine_us);
        atlas_table_text(table, "%.0f", (double)cost.bytes / 1024);
        atlas_table_text(table, "%.0f", cost.prove_us);
        atlas_table_text(table, "%.2f", cost.pass_us);
        atlas_table_text(table, "%.0f", cost.engine_us / cost.pass_us);
    }
    g_autofree char *text = atlas_table_render(table);
    puts(text);
    atlas_table_free(table);
    atlas_program_file_free(file);
    atlas_study_free(study);
}

int main(void) {
    report_engine();
    return 0;
}

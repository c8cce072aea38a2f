/* How fast the machine is, beside what the hardware allows.
 *
 *     make bench
 *
 * Programs are those of ../shared/truth/random.txt, or of tests/programs/ where that is not there;
 * each is run from a reset machine to its end, op by op, as a checker would. A copy is measured on
 * a program of three streams in the middle of a capture, beside a memcpy of as many bytes that are
 * hot as well, in the same loop. Wall time of one core, for at least
 * LONG_ENOUGH seconds.
 */
#include <string.h>

#include "model/base/table.h"
#include "model/machine/run.h"
#include "tests/bench/bench.h"

/* ---- programs, compiled ---- */

typedef struct {
    AtlasSource *source;
    AtlasProgramFile *file;
    guint count;
    AtlasScript **scripts;
    AtlasMachine **machines;
} Corpus;

static Corpus corpus_load(const char *path) {
    Corpus c = {.source = atlas_source_load(path, NULL)};
    AtlasDiags *diags = atlas_diags_new();
    c.file = c.source ? atlas_program_read(c.source, diags) : NULL;
    if (!c.file)
        fail(path);
    c.count = atlas_program_file_count(c.file);
    c.scripts = g_new(AtlasScript *, c.count);
    c.machines = g_new(AtlasMachine *, c.count);
    for (guint i = 0; i < c.count; i++) {
        c.scripts[i] = atlas_script_new(atlas_program_file_get(c.file, i), diags);
        c.machines[i] = atlas_machine_new(c.scripts[i]);
    }
    atlas_diags_free(diags);
    return c;
}

static void corpus_clear(Corpus *c) {
    for (guint i = 0; i < c->count; i++) {
        atlas_machine_free(c->machines[i]);
        atlas_script_free(c->scripts[i]);
    }
    g_free(c->machines);
    g_free(c->scripts);
    atlas_program_file_free(c->file);
    atlas_source_free(c->source);
}

/* ---- what is measured ---- */

/* Calls of all programs, once. */
static gint64 run_all(const Corpus *c) {
    gint64 calls = 0;
    for (guint i = 0; i < c->count; i++) {
        const GArray *ops = atlas_program_file_get(c->file, i)->ops;
        atlas_machine_reset(c->machines[i]);
        for (guint op = 0; op < ops->len; op++)
            calls += atlas_machine_apply(c->machines[i], op).code != ATLAS_RESULT_NONE;
    }
    return calls;
}

static double calls_per_second(const Corpus *c) {
    gint64 calls = 0;
    double start = now(), took = 0;
    for (; took < LONG_ENOUGH; took = now() - start)
        calls += run_all(c);
    return (double)calls / took;
}

typedef struct {
    AtlasMachine *machine, *other;
    char *from, *to;
    gsize size;
} Copying;

static void copy_machine(Copying *c) {
    atlas_machine_copy(c->other, c->machine);
}

static void copy_bytes(Copying *c) {
    memcpy(c->to, c->from, c->size);
    sink += c->to[c->size / 2];
}

static void hash_by_name(Copying *c) {
    sink += (gint64)atlas_machine_hash(c->machine, ATLAS_HASH_BY_NAME);
}

static double nanoseconds(void (*what)(Copying *), Copying *c) {
    gint64 times = 0, batch = 1000;
    double start = now(), took = 0;
    for (; took < LONG_ENOUGH; took = now() - start, batch *= 2)
        for (gint64 i = 0; i < batch; i++, times++)
            what(c);
    return took / (double)times * 1e9;
}

/* Three streams in one capture of eight nodes, a graph and its exec: the end of a fork and join. */
static const char three_streams[] = "# three streams\n"
                                    "stream s0 nonblocking\nstream s1 nonblocking\n"
                                    "stream s2 blocking\nevent e0\nevent e1\nevent e2\n"
                                    "begin s0 global\nlaunch s0\nrecord e0 s0\nwait s1 e0\n"
                                    "wait s2 e0\nlaunch s1\nlaunch s2\nrecord e1 s1\n"
                                    "record e2 s2\nwait s0 e1\nwait s0 e2\nlaunch s0\nend s0 g0\n"
                                    "instantiate g0 x0\ngraph_launch x0 s0\nmalloc_async m0 s1\n"
                                    "begin s0 global\nlaunch s0\nrecord e0 s0\nwait s1 e0\n"
                                    "wait s2 e0\nlaunch s1\nlaunch s2\nrecord e1 s1\n"
                                    "record e2 s2\nwait s0 e1\nwait s0 e2\nlaunch s0\n";

/* ---- reports ---- */

static const AtlasTableColumn columns[] = {{"what", "what", FALSE},
                                           {"value", "value", TRUE},
                                           {"unit", "unit", FALSE},
                                           {NULL, NULL, FALSE}};

static void add(AtlasTable *table, const char *what, double value, const char *unit) {
    atlas_table_row(table);
    atlas_table_text(table, "%s", what);
    atlas_table_text(table, value < 100 ? "%.1f" : "%.0f", value);
    atlas_table_text(table, "%s", unit);
}

static void report_calls(AtlasTable *table) {
    static const char *const paths[] = {"../shared/truth/random.txt", "tests/programs/random.txt"};
    const char *path = paths[!g_file_test(paths[0], G_FILE_TEST_EXISTS)];
    Corpus c = corpus_load(path);
    g_autofree char *what = g_strdup_printf("calls, %u programs of %s", c.count, path);
    add(table, what, calls_per_second(&c) / 1e6, "million/s");
    corpus_clear(&c);
}

static void report_copies(AtlasTable *table) {
    AtlasDiags *diags = atlas_diags_new();
    AtlasSource *source =
        atlas_source_new("three streams", three_streams, strlen(three_streams), NULL);
    AtlasProgramFile *file = atlas_program_read(source, diags);
    AtlasProgram *program = file ? atlas_program_file_get(file, 0) : NULL;
    AtlasScript *script = program ? atlas_script_new(program, diags) : NULL;
    if (!script)
        fail("the program of three streams does not compile");
    Copying c = {.machine = atlas_machine_new(script), .other = atlas_machine_new(script)};
    for (guint i = 0; i < program->ops->len; i++)
        atlas_machine_apply(c.machine, i);
    c.size = atlas_machine_size(c.machine);
    c.from = g_malloc0(c.size);
    c.to = g_malloc0(c.size);
    add(table, "machine of three streams, 8 nodes", (double)c.size, "bytes");
    add(table, "copy or undo of that", nanoseconds(copy_machine, &c), "ns");
    add(table, "memcpy of as many bytes", nanoseconds(copy_bytes, &c), "ns");
    add(table, "hash of that by name", nanoseconds(hash_by_name, &c), "ns");
    g_free(c.from);
    g_free(c.to);
    atlas_machine_free(c.machine);
    atlas_machine_free(c.other);
    atlas_script_free(script);
    atlas_program_file_free(file);
    atlas_source_free(source);
    atlas_diags_free(diags);
}

int main(void) {
    AtlasTable *table = atlas_table_new(columns);
    report_calls(table);
    report_copies(table);
    g_autofree char *text = atlas_table_render(table);
    puts(text);
    atlas_table_free(table);
    return 0;
}

/* The machine's state: copied, undone, tidied, hashed, looked into. */
#include <string.h>

#include "model/machine/state.h"
#include "model/op/op.h"
#include "tests/unit/machine_kit.h"
#include "tests/unit/suites.h"

static char *answer_text(AtlasAnswer answer) {
    GString *out = g_string_new(NULL);
    atlas_answer_write(&answer, out);
    return g_string_free(out, FALSE);
}

/* Calls `check` with a machine at the start of every program of a conformance file. */
static void for_each_program(const char *path, void (*check)(const Driver *)) {
    Programs programs;
    ck_assert(programs_of_file(path, &programs));
    for (guint i = 0; i < programs_count(&programs); i++) {
        Driver d = driver_new(&programs, i);
        check(&d);
        driver_clear(&d);
    }
    programs_clear(&programs);
}

/* ---- copies ---- */

/* Every call, undone and made again, answers the same and leads to the same state. */
static void check_undo(const Driver *d) {
    AtlasMachine *before = atlas_machine_new(d->script);
    for (guint op = 0; op < d->program->ops->len; op++) {
        guint64 hash = atlas_machine_hash(d->machine, ATLAS_HASH_BY_NAME);
        atlas_machine_copy(before, d->machine);
        g_autofree char *once = answer_text(atlas_machine_apply(d->machine, op));
        guint64 after = atlas_machine_hash(d->machine, ATLAS_HASH_BY_NAME);
        gint64 executed = atlas_machine_executed(d->machine);
        atlas_machine_copy(d->machine, before);
        ck_assert_uint_eq(atlas_machine_hash(d->machine, ATLAS_HASH_BY_NAME), hash);
        g_autofree char *again = answer_text(atlas_machine_apply(d->machine, op));
        ck_assert_str_eq(again, once);
        ck_assert_uint_eq(atlas_machine_hash(d->machine, ATLAS_HASH_BY_NAME), after);
        ck_assert_int_eq(atlas_machine_executed(d->machine), executed);
    }
    atlas_machine_free(before);
}

START_TEST(undo) {
    for_each_program(conformance_files[_i], check_undo);
}
END_TEST

/* A machine that is tidied after every call, and one that is not, are the same to whoever asks. */
static void check_tidy(const Driver *d) {
    AtlasMachine *tidied = atlas_machine_new(d->script);
    for (guint op = 0; op < d->program->ops->len; op++) {
        g_autofree char *plain = answer_text(atlas_machine_apply(d->machine, op));
        g_autofree char *tidy = answer_text(atlas_machine_apply(tidied, op));
        state_tidy(tidied);
        ck_assert_str_eq(tidy, plain);
        ck_assert_uint_eq(atlas_machine_hash(tidied, ATLAS_HASH_BY_NAME),
                          atlas_machine_hash(d->machine, ATLAS_HASH_BY_NAME));
        ck_assert_uint_le(atlas_machine_size(tidied), atlas_machine_size(d->machine));
    }
    atlas_machine_free(tidied);
}

START_TEST(tidying) {
    for_each_program(conformance_files[_i], check_tidy);
}
END_TEST

static void check_size(const Driver *d) {
    guint streams = 0;
    for (guint op = 0; op < d->program->ops->len; op++) {
        streams += g_array_index(d->program->ops, AtlasOp, op).kind == ATLAS_OP_STREAM;
        atlas_machine_apply(d->machine, op);
        ck_assert(streams > 3 || atlas_machine_size(d->machine) < 1024);
    }
}

START_TEST(size) {
    for_each_program(conformance_files[_i], check_size);
}
END_TEST

/* ---- hashes ---- */

static gboolean is_object(OpRole role) {
    return role == OP_NEW_STREAM || role == OP_STREAM || role == OP_NEW_EVENT || role == OP_EVENT ||
           role == OP_GRAPH || role == OP_EXEC || role == OP_MEMORY;
}

static void rename_op(AtlasProgramFile *file, AtlasOp *op) {
    const OpRow *row = op_row(op->kind);
    for (guint i = 0; i < OP_OPERANDS && row->operands[i]; i++) {
        const char *name = op->operands[i];
        if (!is_object(row->operands[i]) || strcmp(name, "legacy") == 0 ||
            strcmp(name, "ptds") == 0)
            continue;
        g_autofree char *other = g_strconcat("a_", name, NULL);
        op->operands[i] = atlas_program_file_intern(file, other);
    }
    op->thread = op->thread == 1 ? 2 : op->thread == 2 ? 1 : op->thread;
}

static gboolean is_declaration(const AtlasProgram *program, guint op) {
    AtlasOpKind kind = g_array_index(program->ops, AtlasOp, op).kind;
    return kind == ATLAS_OP_STREAM || kind == ATLAS_OP_EVENT || kind == ATLAS_OP_COMMENT ||
           kind == ATLAS_OP_FLAG;
}

/* The same program with other names, threads 1 and 2 exchanged and what it declares first in the
 * opposite order. The second thread is there in both. */
static void check_renaming(const Driver *d) {
    g_autoptr(AtlasProgramFile) file = atlas_program_file_new();
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    AtlasProgram *pair[2];
    AtlasScript *scripts[2];
    AtlasMachine *machines[2];
    guint len = d->program->ops->len, declared = 0;
    while (declared < len && is_declaration(d->program, declared))
        declared++;
    for (guint side = 0; side < 2; side++) {
        pair[side] = atlas_program_file_add(file, "p");
        for (guint op = 0; op < len; op++) {
            guint from = side && op < declared ? declared - 1 - op : op;
            g_array_append_val(pair[side]->ops, g_array_index(d->program->ops, AtlasOp, from));
            if (side)
                rename_op(file, &g_array_index(pair[side]->ops, AtlasOp, op));
        }
        atlas_program_append(pair[side], ATLAS_OP_MEM_INFO)->thread = 2;
        scripts[side] = atlas_script_new(pair[side], diags);
        machines[side] = atlas_machine_new(scripts[side]);
    }
    for (guint op = 0; op < len; op++) {
        AtlasAnswer a = atlas_machine_apply(machines[0], op);
        AtlasAnswer b = atlas_machine_apply(machines[1], op);
        ck_assert(op < declared || a.code == b.code);
        if (op + 1 >= declared)
            ck_assert_msg(atlas_machine_hash(machines[0], ATLAS_HASH_ANY_NAME) ==
                              atlas_machine_hash(machines[1], ATLAS_HASH_ANY_NAME),
                          "%s, op %u", d->program->name, op);
    }
    for (guint side = 0; side < 2; side++) {
        atlas_machine_free(machines[side]);
        atlas_script_free(scripts[side]);
    }
}

START_TEST(names_do_not_matter) {
    for_each_program(conformance_files[_i], check_renaming);
}
END_TEST

/* In what order two captures began, and what was captured and dropped, does not matter: by name. */
START_TEST(the_past_does_not_matter) {
    static const guint orders[][9] = {
        {2, 3, 4, 5, 6, 7, 8, 9}, {5, 6, 2, 7, 3, 8, 4, 9}, {5, 6, 7, 8, 2, 3, 4, 9}};
    Programs programs = programs_of_text("# p\n"
                                         "stream s0 nonblocking\n" /* 0 */
                                         "stream s1 nonblocking\n"
                                         "begin s0 relaxed\n" /* 2 */
                                         "launch s0\n"
                                         "memset_async s0\n"
                                         "begin s1 global\n" /* 5 */
                                         "launch s1 x4\n"
                                         "end s1 g0\n"
                                         "begin s1 global\n" /* 8 */
                                         "launch s1\n"
                                         "end s1 g0\n" /* 10: unreachable from here on */
                                         "begin s1 global\n"
                                         "launch s1\n");
    guint64 expected = 0;
    for (guint i = 0; i < G_N_ELEMENTS(orders); i++) {
        Driver d = driver_new(&programs, 0);
        driver_apply(&d, 0, 2);
        for (guint j = 0; j < 8; j++)
            driver_apply(&d, orders[i][j], orders[i][j] + 1);
        guint64 hash = atlas_machine_hash(d.machine, ATLAS_HASH_BY_NAME);
        ck_assert(i == 0 || hash == expected);
        expected = hash;
        driver_apply(&d, 10, 11);
        ck_assert_uint_ne(atlas_machine_hash(d.machine, ATLAS_HASH_BY_NAME), expected);
        driver_clear(&d);
    }
    programs_clear(&programs);
}
END_TEST

#define TWO "# p\nstream s0 nonblocking\nstream s1 nonblocking\nevent e0\n"
#define CHAIN "launch s0\nlaunch s0\nlaunch s0\nlaunch s0\n"

#define EXTERNAL TWO "event e1\nbegin s0 relaxed\nrecord_external e0 s0\n"
#define WAITING TWO "begin s0 relaxed\nwait_external s0 e0\nend s0 g0\nbegin s1 relaxed\n"
#define MEMORY TWO "begin s0 relaxed\nmalloc_async m0 s0\n"
#define FLAGGED                                                                                    \
    TWO "malloc m0\nbegin s0 relaxed\nfree_async m0 s0\nend s0 g0\nbegin s0 relaxed\nend s0 g1\n"  \
        "instantiate g0 x0\n"
#define FORKED                                                                                     \
    TWO "stream s2 nonblocking\nevent e1\nbegin s0 relaxed\nrecord e0 s0\nwait s1 e0\nwait s2 "    \
        "e0\n"                                                                                     \
        "launch s0\nmemset_async s1\nhost_fn s2\n"

/* States that differ, by whatever name. */
static const char *const different[][2] = {
    {TWO, TWO "mode relaxed\n"},
    {TWO "begin s0 global\n", TWO "begin s0 relaxed\n"},
    {TWO "begin s0 global\n", TWO "begin s0 global\nsync_stream s0\n"},
    {TWO "begin s0 global\n", "# p\nstream s0 blocking\nstream s1 nonblocking\nevent e0\n"
                              "begin s0 global\n"},
    {TWO "begin s0 global\nlaunch s0\n", TWO "begin s0 global\nmemset_async s0\n"},
    {TWO "begin s0 global\nlaunch s0 x2\n", TWO "begin s0 global\nlaunch s0 x3\n"},
    {TWO "begin s0 global\n" CHAIN "memset_async s0\n" CHAIN CHAIN,
     TWO "begin s0 global\n" CHAIN CHAIN "memset_async s0\n" CHAIN},
    {TWO "record e0 s0\n", TWO},
    {TWO "record e0 s0\n", TWO "begin s0 global\nrecord e0 s0\nend s0 g0\n"},
    {TWO "begin s0 global\nrecord e0 s0\nlaunch s0\n",
     TWO "begin s0 global\nlaunch s0\nrecord e0 s0\n"},
    {TWO "begin s0 global\nrecord e0 s0\nwait s1 e0\nlaunch s0\nlaunch s1\n",
     TWO "begin s0 global\nlaunch s0\nrecord e0 s0\nwait s1 e0\nlaunch s1\n"},
    {TWO "begin s0 global\nend s0 g0\ninstantiate g0 x0\n",
     TWO "begin s0 global\nend s0 g0\ninstantiate_autofree g0 x0\n"},
    {TWO "malloc_async m0 s0\n", TWO "malloc_async m0 s0\nfree_async m0 s0\n"},
    /* which of two events a graph records, and whether it is the one of that name */
    {EXTERNAL "end s0 g0\nrecord e0 s0\n", EXTERNAL "end s0 g0\nrecord e1 s0\n"},
    {EXTERNAL "end s0 g0\n", EXTERNAL "end s0 g0\nevent e0\n"},
    /* whether the event that a graph waits for was recorded when it lost its name */
    {WAITING "event e0\n", WAITING "record e0 s1\nevent e0\n"},
    /* where memory is freed: in its own graph, in another, in one that came to nothing */
    {MEMORY "free_async m0 s0\nend s0 g0\nlaunch s1\n",
     MEMORY "end s0 g0\nbegin s1 relaxed\nfree_async m0 s1\nend s1 g1\n"},
    {MEMORY "begin s1 relaxed\nend s1 g1\ndestroy_graph g1\n",
     MEMORY "begin s1 relaxed\nfree_async m0 s1\nend s1 g1\ndestroy_graph g1\n"},
    {MEMORY "begin s1 relaxed\nfree_async m0 s1\nend s1 g1\ndestroy_graph g1\n",
     MEMORY "begin s1 relaxed\nfree_async m0 s1\nsync_stream s1\nend s1 g1\n"},
    /* which graph only an exec may perform */
    {FLAGGED, FLAGGED "update x0 g1\n"},
    {FLAGGED "update x0 g1\n", FLAGGED "destroy_exec x0\ninstantiate g1 x0\n"},
    /* in what order a graph's exit nodes come */
    {FORKED "record e1 s1\nwait s0 e1\nrecord e0 s2\nwait s0 e0\nend s0 g0\n",
     FORKED "record e0 s2\nwait s0 e0\nrecord e1 s1\nwait s0 e1\nend s0 g0\n"},
    {TWO "begin s0 global\nmalloc_async m0 s0\nend s0 g0\ninstantiate g0 x0\n",
     TWO "begin s0 global\nmalloc_async m0 s0\nend s0 g0\ninstantiate g0 x0\n"
         "graph_launch x0 s1\n"},
};

START_TEST(states_differ) {
    for (AtlasHashKind kind = ATLAS_HASH_BY_NAME; kind <= ATLAS_HASH_ANY_NAME; kind++) {
        guint64 hashes[2];
        for (guint side = 0; side < 2; side++) {
            Programs programs = programs_of_text(different[_i][side]);
            Driver d = driver_new(&programs, 0);
            driver_apply(&d, 0, d.program->ops->len);
            hashes[side] = atlas_machine_hash(d.machine, kind);
            driver_clear(&d);
            programs_clear(&programs);
        }
        ck_assert_uint_ne(hashes[0], hashes[1]);
    }
}
END_TEST

/* ---- graphs ---- */

static char *graph_text(const AtlasMachine *machine, guint op) {
    g_autoptr(AtlasGraph) graph = atlas_machine_graph(machine, op);
    if (!graph)
        return g_strdup("none");
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < graph->nodes->len; i++) {
        const AtlasGraphNode *node = &g_array_index(graph->nodes, AtlasGraphNode, i);
        g_string_append_printf(out, "%u:%s*%d(", node->op, atlas_node_type_name(node->type),
                               (int)node->weight);
        for (guint j = 0; j < node->deps_len; j++)
            g_string_append_printf(out, j ? ",%u" : "%u", node->deps[j]);
        g_string_append(out, ") ");
    }
    g_string_append_printf(out, "%d nodes, %d edges", (int)graph->total, (int)graph->edges);
    return g_string_free(out, FALSE);
}

/* The join depends on its own stream first, then on what it waited for. */
START_TEST(graphs_are_seen) {
    static const char *const expected =
        "5:kernel*5() 8:memcpy*1(0) 9:kernel*1(0) 12:host*1(2,1) 8 nodes, 8 edges";
    Programs programs = programs_of_text(TWO "event e1\n"
                                             "begin s0 global\n" /* 4 */
                                             "launch s0 x5\n"
                                             "record e0 s0\n"
                                             "wait s1 e0\n"
                                             "htod_async s1 pinned\n"
                                             "launch s0\n"
                                             "record e1 s1\n" /* 10 */
                                             "wait s0 e1\n"
                                             "host_fn s0\n"
                                             "end s0 g0\n"
                                             "instantiate g0 x0\n"
                                             "graph_launch x0 s0\n"); /* 15 */
    Driver d = driver_new(&programs, 0);
    driver_apply(&d, 0, 13);
    g_autofree char *capturing = graph_text(d.machine, 4), *no_graph = graph_text(d.machine, 13);
    ck_assert_str_eq(capturing, expected);
    ck_assert_str_eq(no_graph, "none");
    ck_assert_int_eq(atlas_machine_status(d.machine, 8), ATLAS_CAPTURE_ACTIVE);
    driver_apply(&d, 13, 16);
    g_autofree char *ended = graph_text(d.machine, 13), *exec = graph_text(d.machine, 15);
    g_autofree char *idle = graph_text(d.machine, 4);
    ck_assert_str_eq(ended, expected);
    ck_assert_str_eq(exec, expected);
    ck_assert_str_eq(idle, "none");
    ck_assert_int_eq(atlas_machine_status(d.machine, 8), ATLAS_CAPTURE_NONE);
    ck_assert_int_eq(atlas_machine_executed(d.machine), 6);
    driver_clear(&d);
    programs_clear(&programs);
}
END_TEST

Suite *machine_state_suite(void) {
    Suite *suite = suite_create("machine_state");
    TCase *all = tcase_create("all");
    tcase_add_loop_test(all, undo, 0, 5);
    tcase_add_loop_test(all, tidying, 0, 5);
    tcase_add_loop_test(all, size, 0, 5);
    tcase_add_loop_test(all, names_do_not_matter, 0, 5);
    tcase_add_test(all, the_past_does_not_matter);
    tcase_add_loop_test(all, states_differ, 0, G_N_ELEMENTS(different));
    tcase_add_test(all, graphs_are_seen);
    suite_add_tcase(suite, all);
    return suite;
}

/* Tests of model/op: the text form of programs. */
#include <stdio.h>
#include <string.h>

#include "model/op/program.h"
#include "tests/unit/suites.h"

/* Reads a text. Returns the diagnostics as text, the programs in *file (NULL where refused), the
 * number of errors in *errors. */
static char *read_text(const char *text, AtlasSource **source, AtlasProgramFile **file,
                       guint *errors) {
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    *source = atlas_source_new("p", text, strlen(text), NULL);
    ck_assert_ptr_nonnull(*source);
    *file = atlas_program_read(*source, diags);
    *errors = atlas_diags_errors(diags);
    ck_assert_int_eq(*file == NULL, *errors > 0);
    return atlas_diags_render(diags, FALSE);
}

/* Asserts that the text is read, and gives what is written of it. */
static char *rewritten(const char *text) {
    guint errors;
    g_autoptr(AtlasSource) source = NULL;
    g_autoptr(AtlasProgramFile) file = NULL;
    g_autofree char *report = read_text(text, &source, &file, &errors);
    ck_assert_msg(file != NULL, "refused:\n%s", report);
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < atlas_program_file_count(file); i++)
        atlas_program_write(atlas_program_file_get(file, i), out);
    return g_string_free(out, FALSE);
}

/* ---- the record of a real driver ---- */

static const char *const truth[] = {"../shared/truth/rules.txt", "../shared/truth/random.txt",
                                    "../shared/truth/deep.txt"};

static char *load_truth(int i) {
    char *text = NULL;
    if (!g_file_get_contents(truth[i], &text, NULL, NULL))
        printf("skipped: no %s\n", truth[i]);
    return text;
}

START_TEST(truth_is_written_back) {
    g_autofree char *text = load_truth(_i);
    if (text) {
        g_autofree char *again = rewritten(text);
        ck_assert_msg(strcmp(text, again) == 0, "%s differs when written", truth[_i]);
    }
}
END_TEST

/* Corrupts one word after another: each must give one error, at that word. Free text cannot be
 * wrong: a program's name, the details behind a result. */
START_TEST(truth_corrupted) {
    g_autofree char *text = load_truth(0);
    gsize tried = 0, length = text ? strlen(text) : 0;
    guint word = 0; /* in its line */
    gboolean details = FALSE;
    for (gsize i = 0; i < length; i++) {
        gboolean line_start = i == 0 || text[i - 1] == '\n';
        word = line_start ? 0 : text[i - 1] == ' ' ? word + 1 : word;
        details = !line_start && (details || (i >= 4 && strncmp(text + i - 4, " => ", 4) == 0));
        gboolean result = i >= 4 && strncmp(text + i - 4, " => ", 4) == 0;
        gboolean title = word == 1 && strncmp(text + i - 2, "# ", 2) == 0;
        if (text[i] == '\n' || !(line_start || text[i - 1] == ' ') || (details && !result) ||
            title || tried++ % 3 != 0)
            continue;
        char was = text[i];
        text[i] = '%';
        guint errors, line, column;
        g_autoptr(AtlasSource) source = NULL;
        g_autoptr(AtlasProgramFile) file = NULL;
        g_autofree char *report = read_text(text, &source, &file, &errors);
        atlas_source_position(source, i, &line, &column);
        g_autofree char *place = g_strdup_printf("p:%u:%u: error: ", line, column);
        ck_assert_msg(errors == 1 && g_str_has_prefix(report, place), "expected %s got\n%s", place,
                      report);
        text[i] = was;
    }
    ck_assert(!text || tried > 3000);
}
END_TEST

/* ---- a program with every op and every attribute ---- */

static const char every_op[] =
    "# every-op\n"
    "// a comment,  with spaces and ümlauts\n"
    "//\n"
    "expect race=no smear=2,0\n"
    "depth 3 entries\n"
    "slot retire\n"
    "stream main nonblocking => OK\n"
    "stream side blocking => INVALID_VALUE\n"
    "event e\n"
    "buffer act x4\n"
    "buffer h\n"
    "scalar lr\n"
    "flag f\n"
    "mode thread_local => OK\n"
    "@2 mode relaxed\n"
    "begin main global => OK\n"
    "launch main => OK\n"
    "end main g => OK nodes=1 edges=0 kernel=1\n"
    "status main => OK none\n"
    "step\n"
    "  stage fwd\n"
    "  loop 4 as i\n"
    "    loop 1..3 as j\n"
    "      launch main kda x786 r:h,act[i] w:act[j-1],act[3-i] f:act[2] a:lr,lr@step,lr@device "
    "every:4 of:fwd.main.kda us:12.5 => OK\n"
    "      @2 launch side r:act[j]\n"
    "    end\n"
    "    loop 2 as j\n"
    "      memset_async main w:act[j+2]\n"
    "    end\n"
    "  end\n"
    "  loop 1..0 as i\n"
    "    launch main x1 x1\n"
    "  end\n"
    "  loop 0 as i\n"
    "  end\n"
    "  dtod_async main r:h w:act[0] every:2 => OK\n"
    "  htod_async main pinned r:h w:act => OK\n"
    "  dtoh_async ptds pageable r:act w:h\n"
    "  host_fn main r:h w:h\n"
    "  stream_callback legacy\n"
    "end\n"
    "malloc_async m main\n"
    "free_async m main\n"
    "flag_wait main f\n"
    "flag_set main f\n"
    "record e main\n"
    "record_external e main\n"
    "wait side e\n"
    "wait_external side e\n"
    "sync_stream main\n"
    "query_stream main\n"
    "sync_event e\n"
    "query_event e\n"
    "sync_ctx\n"
    "host_read r:act[1]\n"
    "host_write w:h\n"
    "host_set lr\n"
    "host_flag_set f\n"
    "host_flag_wait f\n"
    "counter_read\n"
    "counter_read exact\n"
    "malloc m\n"
    "free m\n"
    "host_alloc m\n"
    "host_free m\n"
    "memset_sync w:h\n"
    "htod_sync r:h w:act\n"
    "dtoh_sync r:act w:h\n"
    "module_load\n"
    "event_create\n"
    "stream_create\n"
    "mem_info => STREAM_CAPTURE_UNSUPPORTED\n"
    "instantiate g x\n"
    "instantiate_autofree g x4\n"
    "graph_launch x main\n"
    "update x g => GRAPH_EXEC_UPDATE_FAILURE result=3\n"
    "destroy_exec x\n"
    "destroy_graph g\n"
    "executed 3246\n"
    "\n"
    "# empty\n"
    "\n"
    "# none.declared iters=2,kda=off\n"
    "launch s0 of:fwd\n"
    "\n";

START_TEST(every_op_is_written_back) {
    guint errors;
    gboolean met[ATLAS_OP_KINDS] = {FALSE};
    g_autoptr(AtlasSource) source = NULL;
    g_autoptr(AtlasProgramFile) file = NULL;
    g_autofree char *report = read_text(every_op, &source, &file, &errors);
    g_autofree char *again = rewritten(every_op);
    ck_assert_str_eq(report, "");
    ck_assert_str_eq(again, every_op);
    ck_assert_uint_eq(atlas_program_file_count(file), 3);
    const GArray *ops = atlas_program_file_get(file, 0)->ops;
    for (guint i = 0; i < ops->len; i++)
        met[g_array_index(ops, AtlasOp, i).kind] = TRUE;
    for (guint kind = 0; kind < ATLAS_OP_KINDS; kind++)
        ck_assert_msg(met[kind], "the program lacks '%s' (%u)", atlas_op_word(kind), kind);
    ck_assert_int_eq(atlas_program_file_get(file, 0)->executed, 3246);
    ck_assert_int_eq(atlas_program_file_get(file, 1)->executed, -1);
    ck_assert_uint_eq(atlas_program_file_get(file, 1)->ops->len, 0);
}
END_TEST

static void check_access(const GArray *list, guint index, const char *loop, gint64 offset, int sign,
                         gboolean indexed) {
    const AtlasAccess *access = &g_array_index(list, AtlasAccess, index);
    ck_assert_uint_lt(index, list->len);
    ck_assert_ptr_eq(access->loop, loop);
    ck_assert_int_eq(access->offset, offset);
    ck_assert_int_eq(access->sign, sign);
    ck_assert_int_eq(access->indexed, indexed);
}

START_TEST(fields_of_an_op) {
    guint errors, line, column;
    g_autoptr(AtlasSource) source = NULL;
    g_autoptr(AtlasProgramFile) file = NULL;
    g_autofree char *report = read_text(every_op, &source, &file, &errors);
    ck_assert_str_eq(report, "");
    const GArray *ops = atlas_program_file_get(file, 0)->ops;
    const AtlasOp *outer = &g_array_index(ops, AtlasOp, 20);
    const AtlasOp *inner = &g_array_index(ops, AtlasOp, 21);
    const AtlasOp *op = &g_array_index(ops, AtlasOp, 22), *other = op + 1;
    const char *i = outer->operands[0], *j = inner->operands[0];
    ck_assert_int_eq(outer->first, 0);
    ck_assert_int_eq(outer->last, 3);
    ck_assert_int_eq(inner->first, 1);
    ck_assert_int_eq(inner->last, 3);
    ck_assert_int_eq(op->kind, ATLAS_OP_LAUNCH);
    ck_assert_str_eq(op->operands[0], "main");
    ck_assert_str_eq(op->operands[1], "kda");
    ck_assert_ptr_null(other->operands[1]);
    ck_assert_int_eq(op->count, 786);
    ck_assert_int_eq(op->every, 4);
    ck_assert_str_eq(op->of, "fwd.main.kda");
    ck_assert_int_eq(op->cost_ns, 12500);
    ck_assert_int_eq(other->cost_ns, 0);
    check_access(op->reads, 0, NULL, 0, 0, FALSE);
    check_access(op->reads, 1, i, 0, 1, TRUE);
    check_access(op->writes, 0, j, -1, 1, TRUE);
    check_access(op->writes, 1, i, 3, -1, TRUE);
    check_access(op->fresh, 0, NULL, 2, 0, TRUE);
    for (guint k = 0; k < 3; k++)
        ck_assert_int_eq(g_array_index(op->args, AtlasArg, k).kind, k);
    ck_assert_str_eq(op->result, "OK");
    ck_assert_ptr_null(op->details);
    ck_assert_uint_eq(other->thread, 2);
    /* equal strings are equal pointers */
    ck_assert_ptr_eq(g_array_index(op->reads, AtlasAccess, 1).buffer,
                     g_array_index(other->reads, AtlasAccess, 0).buffer);
    ck_assert_ptr_eq(op->operands[0], atlas_program_file_intern(file, "main"));
    atlas_source_position(source, op->at.start, &line, &column);
    ck_assert_uint_eq(line, 24);
    ck_assert_uint_eq(column, 7);
    ck_assert_str_eq(g_array_index(ops, AtlasOp, 0).text, "a comment,  with spaces and ümlauts");
    ck_assert_str_eq(g_array_index(ops, AtlasOp, 2).text, "race=no smear=2,0");
}
END_TEST

START_TEST(op_made_in_memory) {
    g_autoptr(AtlasProgramFile) file = atlas_program_file_new();
    g_autoptr(GString) out = g_string_new(NULL);
    AtlasProgram *program = atlas_program_file_add(file, "made");
    AtlasOp *op = atlas_program_append(program, ATLAS_OP_LAUNCH);
    AtlasAccess access = {atlas_program_file_intern(file, "act"),
                          atlas_program_file_intern(file, "i"), -2, -1, TRUE};
    op->operands[0] = atlas_program_file_intern(file, "main");
    op->operands[1] = atlas_program_file_intern(file, "x7");
    op->reads = atlas_program_list_new(file, sizeof(AtlasAccess));
    op->writes = atlas_program_list_new(file, sizeof(AtlasAccess)); /* empty: not written */
    g_array_append_val(op->reads, access);
    atlas_op_write(op, out);
    ck_assert_str_eq(out->str, "launch main x7 x1 r:act[-2-i]");
    atlas_program_append(program, ATLAS_OP_COMMENT);
    program->executed = 0;
    g_string_truncate(out, 0);
    atlas_program_write(program, out);
    ck_assert_str_eq(out->str, "# made\nlaunch main x7 x1 r:act[-2-i]\n//\nexecuted 0\n\n");
}
END_TEST

START_TEST(usage_and_calls) {
    static const struct {
        AtlasOpKind kind;
        const char *usage, *call;
    } rows[] = {
        {ATLAS_OP_RECORD, "record EVENT STREAM [every:E] [=> RESULT]", "cuEventRecord"},
        {ATLAS_OP_LOOP, "loop N|A..B as NAME", NULL},
        {ATLAS_OP_HOST_READ, "host_read r:BUFFERS [every:E]", NULL},
        {ATLAS_OP_LAUNCH,
         "launch STREAM [KERNEL] [xN] [r:BUFFERS] [w:BUFFERS] [f:BUFFERS] [a:SCALARS] [every:E] "
         "[of:POPULATION] [us:MICROSECONDS] [=> RESULT]",
         "cuLaunchKernel"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(GString) usage = g_string_new(NULL);
        atlas_op_usage(rows[i].kind, usage);
        ck_assert_str_eq(usage->str, rows[i].usage);
        ck_assert_pstr_eq(atlas_op_call(rows[i].kind), rows[i].call);
    }
}
END_TEST

/* ---- what is read, and written otherwise ---- */

static const struct {
    const char *read, *written;
} freedoms[] = {
    {"# a", "# a\n\n"},
    {"\n\n#   a   b \n\n \n\t\n# b\n", "# a b\n\n# b\n\n"},
    {"# a\nexecuted 1\n# b\n", "# a\nexecuted 1\n\n# b\n\n"},
    {"# a\n\t launch\ts  k   x02\n", "# a\nlaunch s k x2\n\n"},
    {"# a\n//x\n//  y \n", "# a\n// x\n//  y\n\n"},
    {"# a\nlaunch s of:k w:b x1 r:c\n", "# a\nlaunch s r:c w:b of:k\n\n"},
    {"# a\nlaunch s us:1.500 of:k\nlaunch s us:0.001\nlaunch s us:1000000\n",
     "# a\nlaunch s of:k us:1.5\nlaunch s us:0.001\nlaunch s us:1000000\n\n"},
    {"# a\nlaunch s x2\n", "# a\nlaunch s x2\n\n"},
    {"# a\nlaunch s x2 x3\n", "# a\nlaunch s x2 x3\n\n"}, /* the kernel x2 */
    {"# a\nlaunch s x2 x1\n", "# a\nlaunch s x2 x1\n\n"},
    {"# a\nlaunch s k x1\n", "# a\nlaunch s k\n\n"},
    {"# a\nlaunch s x2 r:x3 => OK x4\n", "# a\nlaunch s x2 r:x3 => OK x4\n\n"},
    {"# a\n@1 end s g => OK  a   b\n", "# a\nend s g => OK a b\n\n"},
    {"# a\nloop 0..3 as i\nlaunch s r:b[1+i],b[i+0],b[0-i]\nend\n",
     "# a\nloop 4 as i\n  launch s r:b[i+1],b[i],b[0-i]\nend\n\n"},
    {"# a\nstream s blocking\nstream s blocking\nevent e\nevent e\n",
     "# a\nstream s blocking\nstream s blocking\nevent e\nevent e\n\n"},
    /* a loop that never runs reads no part */
    {"# a\nbuffer b\nloop 0 as i\nloop 3 as j\nlaunch s r:b[j],b[7]\nend\nend\n",
     "# a\nbuffer b\nloop 0 as i\n  loop 3 as j\n    launch s r:b[j],b[7]\n  end\nend\n\n"},
};

START_TEST(freedom) {
    g_autofree char *once = rewritten(freedoms[_i].read);
    g_autofree char *twice = rewritten(once);
    ck_assert_str_eq(once, freedoms[_i].written);
    ck_assert_str_eq(twice, freedoms[_i].written);
}
END_TEST

Suite *program_suite(void) {
    Suite *suite = suite_create("program");
    TCase *records = tcase_create("truth"), *form = tcase_create("form");
    tcase_set_timeout(records, 120);
    tcase_add_loop_test(records, truth_is_written_back, 0, G_N_ELEMENTS(truth));
    tcase_add_test(records, truth_corrupted);
    suite_add_tcase(suite, records);
    tcase_add_test(form, every_op_is_written_back);
    tcase_add_test(form, fields_of_an_op);
    tcase_add_test(form, op_made_in_memory);
    tcase_add_test(form, usage_and_calls);
    tcase_add_loop_test(form, freedom, 0, G_N_ELEMENTS(freedoms));
    suite_add_tcase(suite, form);
    return suite;
}

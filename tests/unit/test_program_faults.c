/* Tests of model/op: every fault in a program is one error, at its place. */
#include <string.h>

#include "model/op/program.h"
#include "tests/unit/suites.h"

/* Reads a text that must be refused. Returns the report, the number of errors in *errors. */
static char *refused(const char *text, gsize length, guint *errors) {
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasSource) source = atlas_source_new("p", text, length, NULL);
    ck_assert_ptr_nonnull(source);
    g_autoptr(AtlasProgramFile) file = atlas_program_read(source, diags);
    ck_assert_ptr_null(file);
    *errors = atlas_diags_errors(diags);
    return atlas_diags_render(diags, FALSE);
}

static const struct {
    const char *text, *place, *message, *hint; /* hint: any part of a hint or note, NULL: none */
} faults[] = {
    /* programs and lines */
    {"", "1:1", "no program in this file", "'# NAME' opens a program"},
    {"\n\n", "1:1", "no program in this file", "'# NAME' opens a program"},
    {"launch s\n\n# a\n", "1:1", "text before the first program", "'# NAME' opens a program"},
    {"// about\n# a\n", "1:1", "text before the first program", "comments stand inside"},
    {"x\ny\nz\n\nw\n# a\n", "1:1", "text before the first program", NULL},
    {"atlas: 1\nname: x\n\nstages: []\n", "1:1", "text before the first program", NULL},
    {"# a\nlaunch s\n\nlaunch s\nlaunch s\n", "4:1",
     "text after the empty line that ended program 'a'", "'//' parts lines"},
    {"# a\nstep\n\nlaunch s\nend\n", "4:1", "text after the empty line that ended program 'a'",
     "'//' parts lines"},
    {"# a\nexecuted 1\nlaunch s\nlaunch s\n\n# b\n", "3:1", "text after the end of program 'a'",
     "'# NAME' opens a program"},
    {"# a\nexecuted 1\n\nexecuted 1\n", "4:1", "text after the end of program 'a'", NULL},
    {"# a\nlaunch s\n# b\n", "3:1", "'#' inside program 'a'", "an empty line ends a program"},
    {"# a\nstep\n# b\nend\n", "3:1", "'#' inside program 'a'", "a comment starts with '//'"},
    {"#a\n", "1:1", "'#' opens a program and needs its name", "expected: # NAME"},
    {"#\nlaunch s\n", "1:1", "'#' opens a program and needs its name", "expected: # NAME"},
    {"# a\r\nlaunch s\r\n", "1:4", "line ends with a carriage return", "dos2unix"},
    {"# a\n// b\r", "2:5", "line ends with a carriage return", "dos2unix"},
    {"# a\r \n", "1:4", "line has a carriage return inside", "dos2unix"},
    {"# a\nexecuted\n", "2:1", "'executed' takes one number, and no more", "executed N"},
    {"# a\nexecuted 1 2\n", "2:1", "'executed' takes one number, and no more", "executed N"},
    {"# a\n@2 executed 1\n", "2:1", "'executed' takes one number, and no more", "executed N"},
    {"# a\nexecuted -1\n", "2:10",
     "number of launches '-1' is not a whole number from 0 to 9223372036854775807", NULL},
    {"# a\nexecuted 9223372036854775808\n", "2:10",
     "number of launches '9223372036854775808' is not a whole number from 0 to 9223372036854775807",
     NULL},
    /* ops */
    {"# a\nlunch s\n", "2:1", "unknown op 'lunch'", "did you mean 'launch'?"},
    {"# a\n  executd 3\n", "2:3", "unknown op 'executd'", "did you mean 'executed'?"},
    {"# a\nLAUNCH s\n", "2:1", "unknown op 'LAUNCH'", NULL},
    {"# a\n=> OK\n", "2:1", "no op before '=>'", NULL},
    {"# a\n@2\n", "2:1", "no op after '@2'", NULL},
    {"# a\n@2 => OK\n", "2:4", "no op before '=>'", NULL},
    {"# a\n@0 launch s\n", "2:2", "thread '0' is not a whole number from 1 to 64", NULL},
    {"# a\n@65 launch s\n", "2:2", "thread '65' is not a whole number from 1 to 64", NULL},
    {"# a\n@ launch s\n", "2:2", "thread '' is not a whole number from 1 to 64", NULL},
    {"# a\n@2 stage fwd\n", "2:1", "'stage' takes no thread", "expected: stage STAGE"},
    /* operands */
    {"# a\nlaunch\n", "2:7", "'launch' lacks its stream", "expected: launch STREAM [KERNEL]"},
    {"# a\nlaunch => OK\n", "2:8", "'launch' lacks its stream", "expected: launch STREAM"},
    {"# a\nlaunch r:x s\n", "2:8", "'launch' lacks its stream", "expected: launch STREAM"},
    {"# a\nrecord e\n", "2:9", "'record' lacks its stream", "expected: record EVENT STREAM"},
    {"# a\nend s\n", "2:6", "'end' lacks its graph", "expected: end STREAM GRAPH"},
    {"# a\nlaunch S\n", "2:8", "invalid stream name 'S'", "small letter"},
    {"# a\nlaunch s Kda\n", "2:10", "invalid kernel name 'Kda'", "small letter"},
    {"# a\nlaunch sché\n", "2:8", "invalid stream name 'sché'", "small letter"},
    {"# a\nlaunch s k l\n", "2:12", "'launch' takes no 'l'", "expected: launch STREAM"},
    {"# a\nsync_ctx s\n", "2:10", "'sync_ctx' takes no 's'", "expected: sync_ctx [every:E]"},
    {"# a\nmode globl\n", "2:6", "unknown capture mode 'globl'", "did you mean 'global'?"},
    {"# a\nstream s fast\n", "2:10", "unknown stream kind 'fast'",
     "known stream kinds: nonblocking, blocking"},
    {"# a\nhtod_async s paged\n", "2:14", "unknown copy kind 'paged'", "pinned, pageable"},
    {"# a\nslot end\n", "2:6", "unknown slot rule 'end'", "known slot rules: retire, start"},
    {"# a\ncounter_read exat\n", "2:14", "unknown word 'exat'", "did you mean 'exact'?"},
    {"# a\ndepth 0\n", "2:7", "depth '0' is not a whole number from 1 to 10000000000", NULL},
    {"# a\ndepth 3 4\n", "2:9", "unknown word '4'", "known words: entries"},
    {"# a\ndepth 3 entries 4\n", "2:17", "'depth' takes no '4'", "expected: depth N [entries]"},
    {"# a\nexpect race\n", "2:8", "'race' is no verdict", "expected: expect PROPERTY=VERDICT..."},
    {"# a\nexpect race= a=b\n", "2:8", "'race=' is no verdict", NULL},
    {"# a\nexpect\n", "2:7", "'expect' lacks its verdict", NULL},
    /* attributes */
    {"# a\nlaunch s k x0\n", "2:13", "count '0' is not a whole number from 1 to 10000000000", NULL},
    {"# a\nlaunch s k x2k\n", "2:13", "count '2k' is not a whole number from 1 to 10000000000",
     NULL},
    {"# a\nlaunch s k x10000000001\n", "2:13",
     "count '10000000001' is not a whole number from 1 to 10000000000", NULL},
    {"# a\nlaunch s k x99999999999999999999999\n", "2:13",
     "count '99999999999999999999999' is not a whole number from 1 to 10000000000", NULL},
    {"# a\nbuffer b x1048577\n", "2:11",
     "number of parts '1048577' is not a whole number from 0 to 1048576", NULL},
    {"# a\nloop 100000 as i\n  launch s x100001\nend\n", "3:13",
     "line is performed more than 10000000000 times", NULL},
    {"# a\nlaunch s k x2 x3\n", "2:15", "second 'x' on this line", NULL},
    {"# a\nlaunch s k r:a r:b\n", "2:16", "second 'r:' on this line", NULL},
    {"# a\nlaunch s k q:a\n", "2:12", "unknown attribute 'q:a'", NULL},
    {"# a\nstatus s r:b\n", "2:10", "'status' takes no 'r:b'", "expected: status STREAM"},
    {"# a\nmemset_async s x3\n", "2:16", "'memset_async' takes no 'x3'", "[w:BUFFERS] [every:E]"},
    {"# a\nlaunch s k r:\n", "2:14", "invalid buffer name ''", NULL},
    {"# a\nlaunch s k r:a,,b\n", "2:16", "invalid buffer name ''", NULL},
    {"# a\nlaunch s k r:a,\n", "2:16", "invalid buffer name ''", NULL},
    {"# a\nlaunch s k a:lr@host\n", "2:17", "unknown kind of scalar 'host'", "step, device"},
    {"# a\nlaunch s k a:@step\n", "2:14", "invalid scalar name ''", NULL},
    {"# a\nlaunch s k of:fwd..a\n", "2:15", "invalid key of a population: 'fwd..a'", NULL},
    {"# a\nlaunch s us:0\n", "2:13", "invalid cost of a launch: '0'", "expected microseconds"},
    {"# a\nlaunch s us:-1\n", "2:13", "invalid cost of a launch: '-1'", "above 0"},
    {"# a\nlaunch s us:\n", "2:13", "invalid cost of a launch: ''", NULL},
    {"# a\nlaunch s us:1us\n", "2:13", "invalid cost of a launch: '1us'", NULL},
    {"# a\nlaunch s us:0.0005\n", "2:13", "invalid cost of a launch: '0.0005'", "three digits"},
    {"# a\nlaunch s us:1000000.001\n", "2:13", "invalid cost of a launch: '1000000.001'", NULL},
    {"# a\nlaunch s us:99999999999999999999\n", "2:13",
     "invalid cost of a launch: '99999999999999999999'", NULL},
    {"# a\nlaunch s us:1 us:2\n", "2:15", "second 'us:' on this line", NULL},
    {"# a\nrecord e s us:1\n", "2:12", "'record' takes no 'us:1'", "expected: record EVENT"},
    {"# a\nlaunch s k of:\n", "2:15", "invalid key of a population: ''", NULL},
    {"# a\nlaunch s k every:2\n", "2:18", "'every:' outside of 'step'", "between 'step'"},
    {"# a\nstep\n  launch s every:0\nend\n", "3:18",
     "number of steps '0' is not a whole number from 1 to 10000000000", NULL},
    {"# a\nhost_read\n", "2:1", "'host_read' lacks 'r:' with a buffer", "host_read r:BUFFERS"},
    {"# a\nhost_write r:b\n", "2:12", "'host_write' takes no 'r:b'", NULL},
    /* indices */
    {"# a\nlaunch s k r:b[\n", "2:14", "incomplete index in 'b['", "BUFFER[INDEX]"},
    {"# a\nlaunch s k r:b[]\n", "2:14", "incomplete index in 'b[]'", "BUFFER[INDEX]"},
    {"# a\nlaunch s k r:b[1]c\n", "2:14", "incomplete index in 'b[1]c'", "BUFFER[INDEX]"},
    {"# a\nlaunch s k r:[1]\n", "2:14", "invalid buffer name ''", NULL},
    {"# a\nlaunch s k r:b[i]\n", "2:16", "no loop 'i' around this line", NULL},
    {"# a\nloop 2 as iter\nend\nloop 2 as j\nlaunch s r:b[iter]\nend\n", "5:14",
     "no loop 'iter' around this line", "loops around it: j"},
    {"# a\nloop 2 as iter\nlaunch s r:b[itr+1]\nend\n", "3:14", "no loop 'itr' around this line",
     "did you mean 'iter'?"},
    {"# a\nloop 2 as i\nlaunch s r:b[i+i]\nend\n", "3:16",
     "index 'i' is not a whole number from 0 to 10000000000", NULL},
    {"# a\nloop 2 as i\nlaunch s r:b[2+1]\nend\n", "3:16", "invalid loop name '1'", NULL},
    {"# a\nloop 2 as i\nlaunch s r:b[i*2]\nend\n", "3:14", "invalid loop name 'i*2'", NULL},
    {"# a\nbuffer b x4\nloop 4 as i\nlaunch s r:b[i+1]\nend\n", "4:14", "no part 4 in buffer 'b'",
     "it is declared with 4"},
    {"# a\nbuffer b x4\nloop 1..5 as i\nlaunch s r:b[4-i]\nend\n", "4:14",
     "no part -1 in buffer 'b'", "it is declared with 4"},
    {"# a\nbuffer b x0\nlaunch s r:b[0]\n", "3:14", "no part 0 in buffer 'b'", NULL},
    {"# a\nbuffer b\nlaunch s r:b[1]\n", "3:14", "no part 1 in buffer 'b'",
     "it is declared with 1"},
    /* blocks */
    {"# a\nend\n", "2:1", "'end' without 'step' or 'loop'", "'end STREAM GRAPH' ends a capture"},
    {"# a\nstep\nend\nend\n", "4:1", "'end' without 'step' or 'loop'", NULL},
    {"# a\nstep\nend => OK\n", "3:5", "'end' is no driver call and has no result", NULL},
    {"# a\nloop 4 as i\n", "2:1", "'loop' has no 'end'", "before the program ends"},
    {"# a\nstep\n  loop 4 as i\n  end\nexecuted 3\n", "2:1", "'step' has no 'end'", NULL},
    {"# a\nstep\n  step\n  end\nend\n", "3:3", "second 'step' in program 'a'; expected at most one",
     NULL},
    {"# a\nloop 1 as i\n  step\n  end\nend\n", "3:3", "'step' inside 'loop'", "stands here"},
    {"# a\nstep\nexpect a=b\nend\n", "3:1", "'expect' inside 'step'", "stands here"},
    {"# a\ndepth 3\ndepth 3\n", "3:1", "second 'depth' in program 'a'; expected at most one", NULL},
    {"# a\nloop 4 i\nend\n", "2:8", "expected 'as', not 'i'", "loop N|A..B as NAME"},
    {"# a\nloop 4\nlaunch s r:b[i]\nend\n", "2:7", "'loop' lacks its word 'as'",
     "loop N|A..B as NAME"},
    {"# a\nloop 4 as\nend\n", "2:10", "'loop' lacks its index", "loop N|A..B as NAME"},
    {"# a\nloop -1 as i\nend\n", "2:6",
     "loop count '-1' is not a whole number from 0 to 10000000000", NULL},
    {"# a\nloop 1.. as i\nend\n", "2:9",
     "last index '' is not a whole number from -10000000000 to 10000000000", NULL},
    {"# a\nloop 10000000000 as i\nloop 2 as j\nend\nend\n", "3:6",
     "loop body is performed more than 10000000000 times", NULL},
    {"# a\nloop 2 as i\n loop 2 as i\n end\nend\n", "3:12", "loop 'i' inside a loop of that name",
     "the outer loop stands here"},
    {"# a\nlop 4 as i\nlaunch s r:b[i]\nend\n", "2:1", "unknown op 'lop'", "did you mean 'loop'?"},
    {"# a\nstep\nx end\nlaunch s\n", "3:1", "unknown op 'x'", NULL},
    {"# a\nlop 4 as i\nlaunch s r:b[i]\n", "2:1", "unknown op 'lop'", NULL},
    {"# a\nstep\nedn\nlaunch s\n", "3:1", "unknown op 'edn'", "did you mean 'end'?"},
    /* results */
    {"# a\nlaunch s =>\n", "2:10", "no result after '=>'", "CUresult"},
    {"# a\nlaunch s => O-K\n", "2:13", "invalid result 'O-K'", "CUresult"},
    {"# a\nbuffer b => OK\n", "2:10", "'buffer' is no driver call and has no result", NULL},
    /* declarations */
    {"# a\nstream s0 blocking\nlaunch s1\nlaunch s1\n", "3:8", "no stream named 's1'",
     "did you mean 's0'?"},
    {"# a\nlaunch s0\nstream s0 blocking\n", "2:8", "stream 's0' is used before its declaration",
     "declared here"},
    {"# a\nevent e\nrecord f s\n", "3:8", "no event named 'f'", "did you mean 'e'?"},
    {"# a\nscalar n\nlaunch s k a:momentum\n", "3:14", "no scalar named 'momentum'",
     "declared scalars: n"},
    {"# a\nflag f\nflag_set s go\n", "3:12", "no flag named 'go'", "declared flags: f"},
    {"# a\nbuffer b\nlaunch s w:c[0]\n", "3:12", "no buffer named 'c'", "did you mean 'b'?"},
    {"# a\nbuffer b\nbuffer b x2\n", "3:8", "buffer 'b' is declared twice", "first declared here"},
    {"# a\nstream legacy blocking\n", "2:8", "stream 'legacy' exists without a declaration", NULL},
    {"# a\nstream s0 blocking\nstream s1 blockng\nlaunch s1\n", "3:11",
     "unknown stream kind 'blockng'", "did you mean 'blocking'?"},
    {"# a\nstream s0 blocking\nstraem s1 blocking\nlaunch s1\n", "3:1", "unknown op 'straem'",
     "did you mean 'stream'?"},
    {"# a\nbuffer b x4 x5\nlaunch s r:b[4]\n", "2:13", "second 'x' on this line", NULL},
    {"# a\nstream s0 blocking\nstream S1 blocking\nlaunch s1\n", "3:8", "invalid stream name 'S1'",
     "small letter"},
    {"# a\nstream s0 blocking\nlaunch s1 q:b\n", "3:11", "unknown attribute 'q:b'", NULL},
};

START_TEST(fault) {
    guint errors;
    const char *text = faults[_i].text, *hint = faults[_i].hint;
    g_autofree char *report = refused(text, strlen(text), &errors);
    g_autofree char *expected =
        g_strdup_printf("p:%s: error: %s\n", faults[_i].place, faults[_i].message);
    ck_assert_msg(g_str_has_prefix(report, expected), "expected %s got\n%s", expected, report);
    ck_assert_msg(!hint || strstr(report, hint), "expected the hint '%s' in\n%s", hint, report);
    ck_assert_msg(errors == 1, "expected one error, got %u:\n%s", errors, report);
}
END_TEST

START_TEST(all_faults_in_order) {
    static const char text[] = "# a\n"
                               "stream main nonblocking\n"
                               "loop 2 as i\n"
                               "  launch mian\n"
                               "  wiat main e\n"
                               "@2\n"
                               "\n"
                               "# b\n"
                               "mode\n";
    static const char expected[] = "p:3:1: error: 'loop' has no 'end'\n"
                                   "    3 | loop 2 as i\n"
                                   "      | ^~~~~~~~~~~\n"
                                   "hint: 'end' must stand before the program ends, on a line of "
                                   "its own\n"
                                   "p:4:10: error: no stream named 'mian'\n"
                                   "    4 |   launch mian\n"
                                   "      |          ^~~~\n"
                                   "hint: did you mean 'main'?\n"
                                   "p:5:3: error: unknown op 'wiat'\n"
                                   "    5 |   wiat main e\n"
                                   "      |   ^~~~\n"
                                   "hint: did you mean 'wait'?\n"
                                   "p:6:1: error: no op after '@2'\n"
                                   "    6 | @2\n"
                                   "      | ^~\n"
                                   "p:9:5: error: 'mode' lacks its capture mode\n"
                                   "    9 | mode\n"
                                   "      |     ^\n"
                                   "hint: expected: mode MODE [every:E] [=> RESULT]\n";
    guint errors;
    g_autofree char *report = refused(text, strlen(text), &errors);
    ck_assert_str_eq(report, expected);
    ck_assert_uint_eq(errors, 5);
}
END_TEST

START_TEST(nesting) {
    guint errors;
    GString *text = g_string_new("# a\n");
    for (int i = 0; i < 70; i++)
        g_string_append_printf(text, "loop 1 as i%d\n", i);
    for (int i = 0; i < 70; i++)
        g_string_append(text, "end\n");
    g_autofree char *report = refused(text->str, text->len, &errors);
    g_string_free(text, TRUE);
    ck_assert(g_str_has_prefix(report, "p:66:1: error: more than 64 steps and loops inside each "
                                       "other\n"));
    ck_assert_uint_eq(errors, 6);
}
END_TEST

/* A line, a word, a name that are far too long: refused at once, and quoted in part only. */
START_TEST(long_things) {
    static const struct {
        const char *before, *after, *expected;
    } rows[] = {
        {"# a\n// ", "\n", "p:2:1: error: line of 3000003 bytes; expected at most 1048576\n"},
        {"# ", "\nlaunch s\n\n", "p:1:1: error: line of 3000002 bytes; expected at most 1048576\n"},
        {"", "", "p:1:1: error: line of 3000000 bytes; expected at most 1048576\n"},
    };
    guint errors;
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *filler = g_strnfill(3000000, 'x');
        g_autofree char *text = g_strconcat(rows[i].before, filler, rows[i].after, NULL);
        g_autofree char *report = refused(text, strlen(text), &errors);
        ck_assert_msg(g_str_has_prefix(report, rows[i].expected), "%s", report);
        ck_assert_uint_eq(errors, 1);
    }
    g_autofree char *name = g_strnfill(300, 'x');
    g_autofree char *text = g_strconcat("# a ", name, "\nlaunch ", name, "\n", name, NULL);
    g_autofree char *report = refused(text, strlen(text), &errors);
    name[76] = '\0';
    ck_assert_msg(g_str_has_prefix(report, "p:1:1: error: program's name of 302 bytes; expected at "
                                           "most 255\n"),
                  "%s", report);
    g_autofree char *first = g_strdup_printf("p:2:8: error: invalid stream name '%s...'\n", name);
    g_autofree char *second = g_strdup_printf("p:3:1: error: unknown op '%s...'\n", name);
    ck_assert_msg(strstr(report, first) != NULL, "%s", report);
    ck_assert_msg(strstr(report, second) != NULL, "%s", report);
    ck_assert_uint_eq(errors, 3);
}
END_TEST

/* Another kind of file: reading stops after 1,000 errors. */
START_TEST(something_else) {
    guint errors;
    GString *text = g_string_new("# a\n");
    for (int i = 0; i < 5000; i++)
        g_string_append_printf(text, "%d,x,y\n", i);
    g_autofree char *report = refused(text->str, text->len, &errors);
    g_string_free(text, TRUE);
    ck_assert(g_str_has_prefix(report, "p:2:1: error: unknown op '0,x,y'\n"));
    ck_assert_uint_eq(errors, 1000);
}
END_TEST

/* With many declarations, a name without one is still found, and its neighbour suggested. */
START_TEST(many_streams) {
    guint errors;
    GString *text = g_string_new("# a\n");
    for (int i = 0; i < 10000; i++)
        g_string_append_printf(text, "stream s%d blocking\nlaunch s%d\n", i, i);
    g_string_append(text, "launch stream_9\n");
    g_autofree char *report = refused(text->str, text->len, &errors);
    g_string_free(text, TRUE);
    ck_assert(g_str_has_prefix(report, "p:20002:8: error: no stream named 'stream_9'\n"));
    ck_assert_uint_eq(errors, 1);
}
END_TEST

Suite *program_faults_suite(void) {
    Suite *suite = suite_create("program faults");
    TCase *table = tcase_create("table"), *bulk = tcase_create("bulk");
    tcase_add_loop_test(table, fault, 0, G_N_ELEMENTS(faults));
    tcase_add_test(table, all_faults_in_order);
    suite_add_tcase(suite, table);
    tcase_set_timeout(bulk, 120);
    tcase_add_test(bulk, nesting);
    tcase_add_test(bulk, long_things);
    tcase_add_test(bulk, something_else);
    tcase_add_test(bulk, many_streams);
    suite_add_tcase(suite, bulk);
    return suite;
}

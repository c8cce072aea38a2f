/* Shrinking: what is left is the shortest program that still passes. */
#include <string.h>

#include "model/machine/run.h"
#include "model/machine/shrink.h"
#include "tests/unit/suites.h"

/* A program passes if some op of it is answered so by the machine. */
typedef struct {
    int code;
    guint tests, candidates;
} Wanted;

static gint answers_code(const GPtrArray *candidates, gpointer data) {
    Wanted *wanted = data;
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    wanted->tests++;
    wanted->candidates += candidates->len;
    for (guint i = 0; i < candidates->len; i++) {
        const AtlasProgram *program = g_ptr_array_index(candidates, i);
        g_autoptr(AtlasOutcome) outcome = atlas_run(program, 1, diags);
        for (guint k = 0; k < program->ops->len; k++)
            if (atlas_outcome_get(outcome, k)->code == wanted->code)
                return (gint)i;
    }
    return -1;
}

static char *shrunk(const char *text, int code, AtlasShrinkTest *test) {
    Wanted wanted = {.code = code};
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasSource) source = atlas_source_new("p", text, strlen(text), NULL);
    g_autoptr(AtlasProgramFile) file = atlas_program_read(source, diags);
    ck_assert_ptr_nonnull(file);
    GString *out = g_string_new(NULL);
    atlas_program_write(atlas_shrink(file, atlas_program_file_get(file, 0), test, &wanted), out);
    ck_assert_uint_le(wanted.tests, 100);
    return g_string_free(out, FALSE);
}

START_TEST(test_shortest) {
    static const struct {
        const char *text;
        int code;
        const char *left;
    } cases[] = {
        /* declarations stay with their uses only; results, reads and populations go */
        {"# a\nbuffer h\nstream s0 nonblocking => OK\nstream s1 nonblocking\nevent e0\n"
         "launch s1 kda x7 r:h w:h of:fwd.kda\nbegin s0 global => OK\nlaunch s0\nrecord e0 s0\n"
         "// in between\nsync_stream s1\nlaunch s0\nend s0 g0\nexecuted 0\n",
         ATLAS_RESULT_STREAM_CAPTURE_UNSUPPORTED,
         "# a shrunk\nstream s0 nonblocking\nstream s1 nonblocking\nbegin s0 global\n"
         "sync_stream s1\n\n"},
        /* steps and loops go without what stands in them */
        {"# b\nstream s0 blocking\nstep\nlaunch s0\nloop 3 as i\nbegin s0 relaxed every:2\n"
         "launch legacy\nend\nend\n\n",
         ATLAS_RESULT_STREAM_CAPTURE_IMPLICIT,
         "# b shrunk\nstream s0 blocking\nbegin s0 relaxed\nlaunch legacy\n\n"},
        /* and stay where they matter: the second time is the one that fails */
        {"# c\nstream s0 blocking\nlaunch s0\nloop 2 as i\nlaunch s0\nbegin s0 relaxed\nend\n\n",
         ATLAS_RESULT_ILLEGAL_STATE,
         "# c shrunk\nstream s0 blocking\nloop 2 as i\n  begin s0 relaxed\nend\n\n"},
        /* threads and counts become 1, unless they matter */
        {"# d\nstream s0 blocking\n@2 launch s0 x3\n@2 begin s0 global\n@3 launch s0 x2\n"
         "@4 end s0 g0\n\n",
         ATLAS_RESULT_STREAM_CAPTURE_WRONG_THREAD,
         "# d shrunk\nstream s0 blocking\nbegin s0 global\n@4 end s0 g0\n\n"},
        /* without declarations, names need none */
        {"# e\nlaunch s0\nlaunch s1\nend s1 g0\n\n", ATLAS_RESULT_ILLEGAL_STATE,
         "# e shrunk\nend s1 g0\n\n"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *left = shrunk(cases[i].text, cases[i].code, answers_code);
        ck_assert_str_eq(left, cases[i].left);
    }
}
END_TEST

static gint never(const GPtrArray *candidates, gpointer data) {
    (void)candidates, (void)data;
    return -1;
}

/* What no candidate shows is left as long as it was. */
START_TEST(test_nothing_shorter) {
    g_autofree char *left =
        shrunk("# f\nstream s0 blocking\nlaunch s0 x3\nexecuted 3\n", ATLAS_RESULT_OK, never);
    ck_assert_str_eq(left, "# f shrunk\nstream s0 blocking\nlaunch s0 x3\n\n");
}
END_TEST

Suite *shrink_suite(void) {
    Suite *suite = suite_create("shrink");
    TCase *tests = tcase_create("shrink");
    tcase_add_test(tests, test_shortest);
    tcase_add_test(tests, test_nothing_shorter);
    suite_add_tcase(suite, tests);
    return suite;
}

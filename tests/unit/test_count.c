/* Counting launches of programs written by hand. */
#include <string.h>

#include "sim/count.h"
#include "tests/unit/suites.h"

/* Counts as "stage=N …; population=N …; total N". */
static char *counted(const char *text, gint64 first, gint64 last) {
    g_autoptr(AtlasSource) source = atlas_source_new("p.program", text, strlen(text), NULL);
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasProgramFile) file = atlas_program_read(source, diags);
    g_autofree char *errors = atlas_diags_render(diags, FALSE);
    ck_assert_msg(file != NULL, "%s", errors);
    g_autoptr(AtlasCounts) counts = atlas_count(atlas_program_file_get(file, 0), first, last);
    if (!counts)
        return g_strdup("too many");
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < counts->stages->len; i++)
        g_string_append_printf(out, "%s=%" G_GINT64_FORMAT " ",
                               g_array_index(counts->stages, AtlasCount, i).name,
                               g_array_index(counts->stages, AtlasCount, i).launches);
    g_string_append(out, "; ");
    for (guint i = 0; i < counts->populations->len; i++)
        g_string_append_printf(out, "%s=%" G_GINT64_FORMAT " ",
                               g_array_index(counts->populations, AtlasCount, i).name,
                               g_array_index(counts->populations, AtlasCount, i).launches);
    g_string_append_printf(out, "; total %" G_GINT64_FORMAT, counts->total);
    return g_string_free(out, FALSE);
}

#define MAIN "# p\nstream s nonblocking\n"

static const struct {
    const char *program;
    gint64 first, last;
    const char *expected;
} cases[] = {
    {MAIN, 0, 9, "; ; total 0"},
    /* Ten steps of a stage; launches without a population count in the stage only. */
    {MAIN "step\n stage a\n launch s k x3 of:a.k\n launch s l\nend\n", 0, 9,
     "a=40 ; a.k=30 ; total 40"},
    /* Loops in loops multiply; what follows them does not. */
    {MAIN "step\n stage a\n loop 4 as i\n  launch s k of:a.k\n  loop 2..6 as j\n"
          "   launch s l x3 of:a.l\n  end\n  launch s m of:a.m\n end\n launch s k of:a.k\nend\n",
     5, 5, "a=69 ; a.k=5 a.l=60 a.m=4 ; total 69"},
    /* A loop that runs never: its populations are there, and 0. */
    {MAIN "step\n stage a\n loop 5..3 as i\n  launch s k of:a.k\n  loop 3 as j\n"
          "   launch s l of:a.l\n  end\n end\n launch s m of:a.m\nend\n",
     0, 1, "a=2 ; a.k=0 a.l=0 a.m=2 ; total 2"},
    /* Steps 20, 24 and 28; 0, 4 and 8; 3 of 3..3; none of 1..3. */
    {MAIN "step\n stage a\n launch s k x10 every:4 of:a.k\nend\n", 20, 29,
     "a=30 ; a.k=30 ; total 30"},
    {MAIN "step\n stage a\n launch s k x10 every:4 of:a.k\nend\n", 0, 9,
     "a=30 ; a.k=30 ; total 30"},
    {MAIN "step\n stage a\n launch s k every:3 of:a.k\nend\n", 3, 3, "a=1 ; a.k=1 ; total 1"},
    {MAIN "step\n stage a\n launch s k every:4 of:a.k\nend\n", 1, 3, "a=0 ; a.k=0 ; total 0"},
    /* Stages stand in the order of their first mark, and a stage can be marked again. */
    {MAIN "step\n stage b\n launch s k of:b.k\n stage a\n launch s k of:a.k\n stage b\n"
          " launch s k of:b.k\n stage none\nend\n",
     0, 0, "b=2 a=1 none=0 ; b.k=2 a.k=1 ; total 3"},
    /* Launches outside of the step count once; before any mark only in the total and their
     * population. A loop outside of the step is none of it. */
    {MAIN "launch s k of:warm.k\nloop 3 as i\n launch s k of:warm.k\nend\nstep\n launch s k of:k\n"
          " stage a\n loop 2 as i\n  launch s k of:a.k\n end\nend\nlaunch s k of:late.k\n",
     0, 9, "a=21 ; warm.k=4 k=10 a.k=20 late.k=1 ; total 35"},
    /* Other ops are no launches. */
    {MAIN "buffer b\nstep\n stage a\n dtoh_async s pinned r:b w:b\n launch s k r:b of:a.k\n"
          " sync_stream s\n host_read r:b\nend\n",
     0, 0, "a=1 ; a.k=1 ; total 1"},
    /* A window of 2^63 - 1 steps has as many launches of one kind, and no more. */
    {MAIN "step\n stage a\n launch s k of:a.k\nend\n", 1, G_MAXINT64,
     "a=9223372036854775807 ; a.k=9223372036854775807 ; total 9223372036854775807"},
    {MAIN "step\n stage a\n launch s k x2 of:a.k\nend\n", 1, G_MAXINT64, "too many"},
    {MAIN "step\n stage a\n launch s k of:a.k\n stage b\n launch s k of:b.k\nend\n", 1, G_MAXINT64,
     "too many"},
    {MAIN "step\n stage a\n loop 3 as i\n  launch s k x100 of:a.k\n end\nend\n", 1,
     G_MAXINT64 / 300 + 1, "too many"},
};

START_TEST(programs) {
    g_autofree char *text = counted(cases[_i].program, cases[_i].first, cases[_i].last);
    ck_assert_str_eq(text, cases[_i].expected);
}
END_TEST

/* A program made in memory can hold loops that no text may. */
START_TEST(large_loops) {
    g_autoptr(AtlasProgramFile) file = atlas_program_file_new();
    AtlasProgram *program = atlas_program_file_add(file, "large");
    for (int i = 0; i < 2; i++) {
        AtlasOp *loop = atlas_program_append(program, ATLAS_OP_LOOP);
        loop->first = 1;
        loop->last = (gint64)1 << 31;
    }
    atlas_program_append(program, ATLAS_OP_LAUNCH)->count = 1;
    for (int i = 0; i < 2; i++)
        atlas_program_append(program, ATLAS_OP_END_BLOCK);
    g_autoptr(AtlasCounts) counts = atlas_count(program, 0, 0);
    ck_assert_ptr_nonnull(counts);
    ck_assert_int_eq(counts->total, (gint64)1 << 62);
    g_array_index(program->ops, AtlasOp, 0).last = (gint64)1 << 32;
    ck_assert_ptr_null(atlas_count(program, 0, 0));
}
END_TEST

Suite *count_suite(void) {
    Suite *suite = suite_create("count");
    TCase *all = tcase_create("all");
    tcase_add_loop_test(all, programs, 0, G_N_ELEMENTS(cases));
    tcase_add_test(all, large_loops);
    suite_add_tcase(suite, all);
    return suite;
}

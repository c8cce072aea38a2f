/* Reports: their tables are the study's where the study is right; what they say of a split is so.
 */
#include <stdio.h>
#include <string.h>

#include "graphs/report_part.h"
#include "graphs/span.h"
#include "tests/unit/random_study.h"
#include "tests/unit/report_kit.h"
#include "tests/unit/suites.h"

/* ---- the study's tables ---- */

#define STUDY "../shared/seed/launch-atlas-2026-10-02.txt"

/* Lines of the study's tables as they are printed there, and the rows of the report's TSV whose
 * launches (and, of stage totals, milliseconds) they give. "-": a cell that the study has wrong. */
static const struct {
    const char *line, *section, *name, *stages[7];
} lines[] = {
    {"fwd\t9002.5\t42.0%\t237.5\t216.1", "runs", "base", {"fwd"}},
    {"bwd\t7026.3\t32.8%\t245.8\t168.6", "runs", "base", {"bwd"}},
    {"opt\t3921.0\t18.3%\t70.3\t94.1", "runs", "base", {"opt"}},
    {"retr\t1311.5\t6.1%\t25.1\t31.5", "runs", "base", {"retr"}},
    {"ema\t165.9\t0.8%\t2.8\t4.0", "runs", "base", {"ema"}},
    {"total\t21 427.2\t100%\t581.5\t514.3", "runs", "base", {"total"}},
    {"--no-kda\t−6245.5\t−5729.9\t−2066.7\t+4.1\t+3.6\t−14 041.6\t65.5%",
     "marginals",
     "no-kda",
     {"fwd", "bwd", "opt", "retr", "ema", "-"}}, /* its cells sum to -14034.4 */
    {"--jepa-weight 0\t−4401.7\t−137.1\t−75.6\t−1.9\t−165.9\t−4782.2\t22.3%",
     "marginals",
     "jepa-0",
     {"fwd", "bwd", "opt", "retr", "ema", "total"}},
    {"--set n_experts=1 (2 of 3 experts)\t−1222.0\t−394.6\t−901.4\t−655.1\t−38.3\t−3211.4\t15.0%",
     "marginals",
     "experts-1",
     {"fwd", "bwd", "opt", "retr", "ema", "total"}},
    {"--max-iter 2 (4→2)\t−4450.3\t−3339.1\t+0.2\t+9.2\t+1.8\t−7778.2\t36.3%",
     "marginals",
     "iters-2",
     {"fwd", "bwd", "opt", "retr", "ema", "total"}},
    {"engram ON (vs --no-engram base)\t+344.3\t+462.1\t+153.1\t−4.4\t−3.5\t+951.6\t4.4%",
     "marginals",
     "engram",
     {"fwd", "bwd", "opt", "retr", "ema", "total"}},
    {"fwd × KDA, main loop (4 iters)\t3146.1\tjepa0 fwd − cross fwd",
     "split",
     "fwd.main.kda",
     {"fwd"}},
    {"fwd × KDA, teacher copy (4 iters)\t3099.4\t(base−nokda) − main",
     "split",
     "fwd.teacher.kda",
     {"fwd"}},
    {"fwd × main non-KDA (body×4 + const)\t1454.7\tcross fwd",
     "split",
     "fwd.main without kda + fwd.loss",
     {"fwd"}},
    {"fwd × teacher non-KDA\t1302.3\tnokda fwd − cross fwd",
     "split",
     "fwd.teacher without kda + fwd.latents + fwd.aux",
     {"fwd"}},
    {"bwd × KDA, main loop\t5735.6\tjepa0 bwd − cross bwd",
     "split",
     "bwd.kda + bwd.accumulate.kda",
     {"bwd"}},
    {"bwd × aux heads (JEPA/CE heads)\t137.1\tbase bwd − jepa0 bwd", "split", "bwd.aux", {"bwd"}},
    {"bwd × main non-KDA (body×4 + const)\t1153.6\tcross bwd",
     "split",
     "bwd without aux, kda, accumulate.kda",
     {"bwd"}},
    {"opt × aux-head groups\t75.6\tbase opt − jepa0 opt", "split", "opt.aux", {"opt"}},
};

static char *report_tsv(AtlasStudy *study) {
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    AtlasReportOf of = {study, atlas_rat(24), 1, NULL, NULL};
    char *text = atlas_report_tsv(&of, diags);
    ck_assert_ptr_nonnull(text);
    return text;
}

/* A number as the study prints it: a minus of its own, a blank in thousands. */
static AtlasRat printed(const char *cell) {
    g_autoptr(GString) digits = g_string_new(NULL);
    for (const char *p = cell; *p; p = g_utf8_next_char(p)) {
        gunichar c = g_utf8_get_char(p);
        if (c == 0x2212)
            g_string_append_c(digits, '-');
        else if (c < 128 && c != ' ' && c != '+')
            g_string_append_c(digits, (char)c);
    }
    return atlas_rat_parse(digits->str, digits->len, NULL);
}

/* The cell of the row that begins with section, name and stage. */
static AtlasRat find_cell(const char *tsv, const char *section, const char *name, const char *stage,
                          guint column) {
    g_autofree char *start = g_strdup_printf("\n%s\t%s\t%s\t", section, name, stage);
    const char *row = strstr(tsv, start);
    ck_assert_msg(row != NULL, "no row %s in\n%s", start + 1, tsv);
    g_autofree char *line = g_strndup(row + 1, strcspn(row + 1, "\n"));
    g_auto(GStrv) cells = g_strsplit(line, "\t", -1);
    return atlas_rat_parse(cells[column], strlen(cells[column]), NULL);
}

START_TEST(tables_of_the_study) {
    enum { LAUNCHES = 3, MS = 6 };
    AtlasStudy *study = report_study("dormouse-small", NULL);
    g_autofree char *tsv = report_tsv(study), *text = NULL;
    if (!g_file_get_contents(STUDY, &text, NULL, NULL))
        printf("skipped: that the study prints these lines (no " STUDY ")\n");
    for (guint i = 0; i < G_N_ELEMENTS(lines); i++) {
        g_auto(GStrv) cells = g_strsplit(lines[i].line, "\t", -1);
        ck_assert_msg(!text || strstr(text, lines[i].line), "%s", lines[i].line);
        for (guint k = 0; lines[i].stages[k]; k++) {
            if (g_str_equal(lines[i].stages[k], "-"))
                continue;
            AtlasRat got =
                find_cell(tsv, lines[i].section, lines[i].name, lines[i].stages[k], LAUNCHES);
            AtlasRat expected = printed(cells[k + 1]);
            ck_assert_msg(atlas_rat_ok(got) && atlas_rat_cmp(got, expected) == 0,
                          "%s %s: %f, not %s", lines[i].name, lines[i].stages[k],
                          atlas_rat_double(got), cells[k + 1]);
        }
        if (g_str_equal(lines[i].section, "runs"))
            ck_assert_int_eq(atlas_rat_cmp(find_cell(tsv, "runs", "base", lines[i].stages[0], MS),
                                           printed(cells[3])),
                             0);
    }
    atlas_study_free(study);
}
END_TEST

/* ---- formulas ---- */

/* A formula holds whatever the unknowns are: the same combination of what the runs launch is what
 * the cell launches. */
static void check_formula(const Ground *g, const SplitCell *cell, const Formula *formula) {
    AtlasLinear *sum = atlas_linear_new(g->model->unknowns->len, 2);
    AtlasRat smear = atlas_rat_mul(g->study->lag, formula->weight);
    AtlasInterval bounds = ground_bounds(g, cell->form, cell->steps);
    for (guint k = 0; k < g->study->evidence->observations->len; k++) {
        const AtlasObservation *o = atlas_evidence_get(g->study->evidence, k);
        if (formula->factors[k].num)
            atlas_linear_add(&sum[0], &o->stages[cell->stage],
                             atlas_rat_div(formula->factors[k], atlas_rat(o->steps)));
    }
    atlas_linear_add(&sum[1], cell->form, atlas_rat_make(1, cell->steps));
    ck_assert(atlas_linear_equal(&sum[0], &sum[1]));
    atlas_linear_free(sum, 2);
    /* What it measures is no further from the launches than the counter can lag. */
    ck_assert(!bounds.hi_known ||
              atlas_rat_cmp(atlas_rat_sub(formula->value.lo, smear), bounds.hi) <= 0);
    ck_assert(!bounds.lo_known ||
              atlas_rat_cmp(atlas_rat_add(formula->value.hi, smear), bounds.lo) >= 0);
}

/* Every population of the base is in one part, and parts that add up do. */
static void check_parts(const Split *split) {
    const Ground *g = split->ground;
    AtlasRat sum = atlas_rat(0);
    for (guint i = 0; i < g->model->populations->len; i++) {
        int in = 0;
        for (guint k = 0; k < split->parts->len; k++)
            in += ((SplitCell *)g_ptr_array_index(split->parts, k))->in[i];
        ck_assert_int_eq(in, g->has[i]);
    }
    if (!split->exact || !g->run)
        return;
    for (guint k = 0; k < split->parts->len; k++)
        sum = atlas_rat_add(sum, split_measured(g_ptr_array_index(split->parts, k)));
    for (guint s = 0; s < g->model->stages->len; s++) {
        AtlasInterval mean = ground_counted(g, g->run, s);
        sum = atlas_rat_sub(sum, interval_middle(&mean));
    }
    ck_assert_int_eq(sum.num, 0);
}

static guint check_split(const Ground *g) {
    g_autoptr(Split) split = split_new(g);
    guint formulas = 0;
    for (guint i = 0; i < split->cells->len; i++) {
        const SplitCell *cell = g_ptr_array_index(split->cells, i);
        for (guint k = 0; k < cell->formulas->len; k++, formulas++)
            check_formula(g, cell, g_ptr_array_index(cell->formulas, k));
    }
    check_parts(split);
    return formulas;
}

static const char *const shipped[] = {"dormouse-small", "minimouse", "first"};

START_TEST(formulas_hold) {
    ReportKit kit = report_kit_new(shipped[_i], NULL);
    ck_assert_uint_ge(check_split(&kit.ground), 5);
    report_kit_clear(&kit);
}
END_TEST

/* Stages that were not counted, means that are rounded, items that run every few steps, halves. */
START_TEST(formulas_of_random_studies_hold) {
    guint formulas = 0;
    for (guint64 seed = 1; seed <= 60; seed++) {
        RandomStudy random = random_study(seed);
        g_autofree char *spec = g_strconcat(random.spec, "\nruns: runs.tsv\n", NULL);
        ReportKit kit = report_kit_new(spec, random.table);
        formulas += check_split(&kit.ground);
        report_kit_clear(&kit);
        random_study_clear(&random);
    }
    ck_assert_uint_ge(formulas, 60);
}
END_TEST

/* What an arm adds may be seen first in different runs, over different steps: b launches x, and y
 * with c, which one run of b switches off. */
START_TEST(formulas_of_what_is_off) {
    static const char spec[] = "atlas: 1\nname: off\narms: {b: {default: off}, c: {}}\n"
                               "unknowns: {x: {}, y: {}, z: {}}\nstages:\n- stage: fwd\n  do:\n"
                               "  - {launch: z, count: z}\n  - {launch: x, when: b, count: x}\n"
                               "  - {launch: y, when: b and c, count: y}\nruns: runs.tsv\n";
    ReportKit kit = report_kit_new(spec, "run\tconfiguration\tsteps\tfwd\nbase\t-\t0-9\t5.0\n"
                                         "less\tb=on,c=off\t0-9\t7.0\nb\tb=on\t0-4\t10.0\n");
    g_autoptr(Split) split = split_new(&kit.ground);
    const SplitCell *last = g_ptr_array_index(split->cells, split->cells->len - 1);
    g_autofree char *name = report_set_name(&kit.ground, last->in);
    g_autofree char *how = formula_text(&kit.ground, g_ptr_array_index(last->formulas, 0));
    ck_assert(last->off);
    ck_assert_str_eq(name, "fwd.x + fwd.y");
    ck_assert_str_eq(how, "b \u2212 base");
    ck_assert_int_eq(split_measured(last).num, 5);
    check_split(&kit.ground);
    report_kit_clear(&kit);
}
END_TEST

/* What the runs of dormouse-small tell apart: the first formula of each cell; NULL: there is none.
 */
static const struct {
    const char *cell, *formula, *measured;
    gboolean part;
} cells[] = {
    {"fwd.main.kda", "jepa-0 \u2212 cross", "3146.1", TRUE},
    {"fwd.teacher.kda", "base + cross \u2212 no-kda \u2212 jepa-0", "3099.4", TRUE},
    /* Two of three experts are 1222.0. */
    {"fwd.main.experts + fwd.teacher.experts", "3/2 (base \u2212 experts-1)", "1833", FALSE},
    /* Half of the iterations are 4450.3; what no iteration holds is left of twice the other half.
     */
    {"fwd.main without embed, head + fwd.teacher without embed, head", "2 (base \u2212 iters-2)",
     "8900.6", FALSE},
    {"fwd.main.embed + fwd.main.head + fwd.loss + fwd.teacher.embed + fwd.teacher.head + "
     "fwd.latents + fwd.aux",
     "2 iters-2 \u2212 base", "101.9", FALSE},
    {"fwd.main.engram + fwd.teacher.engram", "engram \u2212 base", "344.3", FALSE},
    /* 5729.9 by base - no-kda does not add up with 137.1 and 1153.6 to 7026.3. */
    {"bwd.kda + bwd.accumulate.kda", "jepa-0 \u2212 cross", "5735.6", TRUE},
    {"bwd without aux, ends", NULL, NULL,
     FALSE}, /* 1/2 of a loop, but 1/3 of what it accumulates */
    {"opt.experts", "3/2 (base \u2212 experts-1)", "1352.1", TRUE},
    /* 3921.0 - 2066.7 - 1352.1 - 75.6 */
    {"opt.rest", "1/2 (2 no-kda + 2 jepa-0 + 3 experts-1 \u2212 5 base)", "426.6", TRUE},
    {"retr.factors.lm_head", "1/2 (3 experts-1 \u2212 base)", "328.85", TRUE},
    {"ema.lerp.experts", "3/2 (base \u2212 experts-1)", "57.45", TRUE},
};

START_TEST(split_of_the_study) {
    ReportKit kit = report_kit_new("dormouse-small", NULL);
    g_autoptr(Split) split = split_new(&kit.ground);
    ck_assert(split->exact);
    ck_assert_uint_eq(split->parts->len, 16);
    for (guint i = 0; i < G_N_ELEMENTS(cells); i++) {
        const SplitCell *found = NULL;
        for (guint k = 0; k < split->cells->len; k++) {
            const SplitCell *cell = g_ptr_array_index(split->cells, k);
            g_autofree char *name = report_set_name(&kit.ground, cell->in);
            if (g_str_equal(name, cells[i].cell))
                found = cell;
        }
        ck_assert_msg(found != NULL, "no cell %s", cells[i].cell);
        ck_assert_msg(found->part == cells[i].part && found->shown, "%s", cells[i].cell);
        ck_assert_int_eq(found->formulas->len == 0, cells[i].formula == NULL);
        if (!cells[i].formula)
            continue;
        g_autofree char *text = formula_text(&kit.ground, g_ptr_array_index(found->formulas, 0));
        g_autofree char *measured = report_number(split_measured(found), REPORT_PLACES);
        ck_assert_str_eq(text, cells[i].formula);
        ck_assert_str_eq(measured, cells[i].measured);
    }
    report_kit_clear(&kit);
}
END_TEST

/* ---- ranks ---- */

/* A counter that lags by 2 leaves x at 10..., y at 12..., either of which may be the greater; z is
 * far above both. Exactly counted, they have one rank each. */
static char *ranks(const char *lag) {
    g_autofree char *spec =
        g_strdup_printf("atlas: 1\nname: ranks\narms: {a: {}, b: {}}\ncounter: {lag: %s}\n"
                        "unknowns: {x: {}, y: {}, z: {}}\nstages:\n- stage: fwd\n  do:\n"
                        "  - {launch: x, when: a, count: x}\n  - {launch: y, when: b, count: y}\n"
                        "  - {launch: z, count: z}\nruns: runs.tsv\n",
                        lag);
    AtlasStudy *study = report_study(spec, "run\tconfiguration\tsteps\tfwd\n"
                                           "base\t-\t0-9\t122.0\nno-a\ta=off\t0-9\t112.0\n"
                                           "no-b\tb=off\t0-9\t110.0\n");
    Report r = {.by_measure = TRUE};
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    ck_assert(ground_init(&r.ground, study, diags));
    r.split = split_new(&r.ground);
    g_autoptr(GArray) ranked = report_ranked(&r);
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < ranked->len; i++) {
        const ReportRanked *part = &g_array_index(ranked, ReportRanked, i);
        g_autofree char *name = report_cell_name(&r, part->cell);
        g_string_append_printf(text, "%s %u..%u;", name, part->first, part->last);
    }
    split_free(r.split);
    ground_clear(&r.ground);
    atlas_study_free(study);
    return g_string_free(text, FALSE);
}

START_TEST(ranks_that_bounds_allow) {
    g_autofree char *exact = ranks("0"), *lagging = ranks("20");
    ck_assert_str_eq(exact, "fwd.z 1..1;fwd.y 2..2;fwd.x 3..3;");
    ck_assert_str_eq(lagging, "fwd.z 1..1;fwd.y 2..3;fwd.x 2..3;");
}
END_TEST

/* ---- what equations determine ---- */

START_TEST(span) {
    static const gint64 forms[][3] = {{2, 4, 0}, {0, 1, 1}, {2, 5, 1}, {1, 0, -2}, {0, 0, 5}};
    static const gboolean known[] = {FALSE, FALSE, TRUE, TRUE, FALSE};
    Span *all = span_new(3);
    AtlasLinear *form = atlas_linear_new(3, 1);
    for (guint i = 0; i < G_N_ELEMENTS(forms); i++) {
        for (guint k = 0; k < 3; k++)
            form->coefs[k] = atlas_rat(forms[i][k]);
        ck_assert_int_eq(span_has(all, form), known[i]);
        ck_assert_int_eq(span_add(all, form), known[i]);
        ck_assert(span_has(all, form));
    }
    ck_assert(span_fits(all));
    form->coefs[0] = form->coefs[1] = form->coefs[2] = ATLAS_RAT_NONE;
    span_add(all, form);
    ck_assert(!span_fits(all));
    atlas_linear_free(form, 1);
    span_free(all);
}
END_TEST

Suite *report_suite(void) {
    Suite *suite = suite_create("report");
    TCase *tables = tcase_create("tables"), *split = tcase_create("split");
    tcase_add_test(tables, tables_of_the_study);
    tcase_add_test(tables, ranks_that_bounds_allow);
    tcase_add_loop_test(split, formulas_hold, 0, G_N_ELEMENTS(shipped));
    tcase_add_test(split, formulas_of_random_studies_hold);
    tcase_add_test(split, formulas_of_what_is_off);
    tcase_add_test(split, split_of_the_study);
    tcase_add_test(split, span);
    suite_add_tcase(suite, tables);
    suite_add_tcase(suite, split);
    return suite;
}

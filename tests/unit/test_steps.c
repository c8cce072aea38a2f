/* What single steps of a log say, against a search that knows nothing of convex hulls: all
 * boundaries of all steps, at every slope that a line through two of them can have.
 */
#include "model/measure/log.h"
#include "model/solve/reading.h"
#include "tests/unit/solve_kit.h"
#include "tests/unit/suites.h"

enum { BATCH = 40, STEPS_MAX = 24, STAGES = 2 };

/* xorshift64*, for reproducible counts. */
static guint64 state;
static gint64 below(gint64 n) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (gint64)((state * G_GUINT64_CONSTANT(2685821657736338717) >> 33) % (guint64)n);
}

/* 'a' launches what it likes, and 5 more in every third step; 'b' launches twice as much as 'a'
 * likes. So two of three boundaries of a period of x launches are x - 5 - counts, and so on. */
#define SPEC                                                                                       \
    "atlas: 1\nname: s\nstages:\n"                                                                 \
    "  - {stage: a, do: [{launch: l, count: x}, {launch: m, count: 5, every: 3}]}\n"               \
    "  - {stage: b, do: [{launch: n, count: 2 * x}]}\nunknowns: {x: {kind: %s}}\n"

/* A window from `first` on, with what was counted in it. */
typedef struct {
    gint64 first, steps;
    gint64 counts[STEPS_MAX][STAGES];
} Counts;

/* Launches of x = 0 up to the end of a stage, and how many x there are besides, less counts. */
static void boundary(const Counts *c, gint64 place, gint64 *constant, gint64 *xs) {
    *constant = *xs = 0;
    for (gint64 p = 0; p <= place; p++) {
        gint64 step = p / STAGES, stage = p % STAGES;
        *xs += stage == 0 ? 1 : 2;
        *constant += (stage == 0 && (c->first + step) % 3 == 0 ? 5 : 0) - c->counts[step][stage];
    }
}

/* The least lag that explains the counts, in 1 / den at x = num / den: the flows' range. */
static gint64 range(const gint64 *constants, const gint64 *xs, gint64 n, gint64 num, gint64 den) {
    gint64 least = 0, most = 0; /* what was left before the window */
    for (gint64 i = 0; i < n; i++) {
        gint64 at = constants[i] * den + xs[i] * num;
        least = MIN(least, at);
        most = MAX(most, at);
    }
    return most - least;
}

/* Whether some x >= 0 leaves flows within `lag`. The range is convex in x, with its corners where
 * two boundaries meet. */
static gboolean can_be(const Counts *c, gint64 lag) {
    gint64 n = c->steps * STAGES, constants[STEPS_MAX * STAGES + 1], xs[STEPS_MAX * STAGES + 1];
    for (gint64 i = 0; i < n; i++)
        boundary(c, i, &constants[i], &xs[i]);
    constants[n] = xs[n] = 0; /* before the window */
    gboolean found = range(constants, xs, n, 0, 1) <= lag;
    for (gint64 i = 0; i <= n; i++)
        for (gint64 k = 0; k <= n; k++) {
            gint64 den = xs[i] - xs[k], num = constants[k] - constants[i];
            if (den > 0 && num >= 0)
                found = found || range(constants, xs, n, num, den) <= lag * den;
        }
    return found;
}

/* Counts of x = 20 with flows up to `lag`, of which one row or two are moved by up to `by`. */
static Counts make(gint64 lag, gint64 by) {
    Counts c = {1 + below(4), 2 + below(STEPS_MAX - 2), {{0}}};
    gint64 flow = below(lag + 1);
    for (gint64 step = 0; step < c.steps; step++)
        for (gint64 stage = 0; stage < STAGES; stage++) {
            gint64 next = below(lag + 1);
            gint64 launches = stage ? 40 : (c.first + step) % 3 ? 20 : 25;
            c.counts[step][stage] = launches + flow - next;
            flow = next;
        }
    gint64 moved = below(by + 1);
    c.counts[below(c.steps)][below(STAGES)] += moved;
    if (below(2))
        c.counts[below(c.steps)][below(STAGES)] -= moved;
    return c;
}

static gboolean explicable(const Counts *c, const char *kind, gint64 lag) {
    g_autofree char *spec = g_strdup_printf(SPEC, kind);
    Kit kit = kit_new(spec, NULL);
    g_autoptr(GString) text = g_string_new("ATLAS\t0\ta\t1\t1\nATLAS\t0\tb\t1\t1\n");
    for (gint64 step = 1; step < c->first + c->steps; step++)
        for (gint64 stage = 0; stage < STAGES; stage++)
            g_string_append_printf(
                text, "ATLAS\t%" G_GINT64_FORMAT "\t%s\t%" G_GINT64_FORMAT "\t1\n", step,
                stage ? "b" : "a", step < c->first ? 7 : c->counts[step - c->first][stage]);
    AtlasWindow window = {c->first, c->first + c->steps - 1};
    AtlasRun *run = atlas_log_parse(kit.runs, "log", text->str, text->len, &window, kit.diags);
    ck_assert_ptr_nonnull(run);
    ck_assert(atlas_evidence_add(kit.evidence, run, kit.diags));
    gboolean yes = atlas_reading_explicable(kit.evidence, atlas_rat(lag));
    kit_clear(&kit);
    return yes;
}

START_TEST(against_all_boundaries) {
    guint can = 0;
    state = (guint64)_i * 2654435761 + 1;
    for (int i = 0; i < BATCH; i++) {
        gint64 lag = below(4);
        Counts c = make(lag, 2 * lag + 1);
        gboolean expected = can_be(&c, lag);
        can += expected;
        ck_assert_int_eq(explicable(&c, "whole", lag), expected);
    }
    ck_assert(can > 0 && can < BATCH); /* both come */
}
END_TEST

/* +1 and -1 in two steps cancel in the sum, not in single steps; where the unknown is a mean, no
 * more than the sum is said. */
START_TEST(means_may_vary) {
    Counts c = {1, 6, {{20, 40}, {20, 40}, {25, 40}, {21, 40}, {19, 40}, {25, 40}}};
    ck_assert(!explicable(&c, "whole", 0));
    ck_assert(explicable(&c, "whole", 1));
    ck_assert(explicable(&c, "real", 0));
}
END_TEST

Suite *steps_suite(void) {
    Suite *suite = suite_create("steps");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 60);
    tcase_add_loop_test(all, against_all_boundaries, 0, 10);
    tcase_add_test(all, means_may_vary);
    suite_add_tcase(suite, all);
    return suite;
}

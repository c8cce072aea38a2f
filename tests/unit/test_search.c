/* The engine against the search: each reads programs in its own way, and they agree on everything.
 *
 * A run of `make check` tries some programs of each kind, `make check-deep` 100,000 in all; the
 * variable ATLAS_RANDOM says how many of each kind.
 */
#include "model/proof/search.h"
#include "model/proof/search_table.h"
#include "tests/unit/flow_case.h"
#include "tests/unit/pipeline.h"
#include "tests/unit/random_flow.h"
#include "tests/unit/suites.h"

static void compare_readings(const FlowCase *c, const Engine *e, const SearchResult *s) {
    for (guint i = 0; i < s->readings->len; i++) {
        const SearchReading *want = &g_array_index(s->readings, SearchReading, i);
        const Reading *got = flow_case_reading(e, want->op);
        if (want->times == 0)
            continue;
        ck_assert_msg(got != NULL, "no reading at op %u\n%s", want->op, c->text);
        ck_assert_msg(got->least == want->least && got->most == want->most,
                      "smear at op %u: search %d..%d, engine %d..%d\n%s", want->op,
                      (int)want->least, (int)want->most, (int)got->least, (int)got->most, c->text);
        ck_assert_msg(got->fewest == want->fewest && got->greatest == want->greatest,
                      "count at op %u: search %d..%d, engine %d..%d\n%s", want->op,
                      (int)want->fewest, (int)want->greatest, (int)got->fewest, (int)got->greatest,
                      c->text);
    }
}

static gboolean search_races(const SearchResult *s, guint a, guint b) {
    for (guint i = 0; i < s->races->len; i++) {
        const SearchRace *race = &g_array_index(s->races, SearchRace, i);
        if (race->ops[0] == MIN(a, b) && race->ops[1] == MAX(a, b))
            return TRUE;
    }
    return FALSE;
}

/* Every pair that the engine names races, and it names one where there is any. */
static void compare_races(const FlowCase *c, gint64 depth, const Engine *e, const SearchResult *s) {
    const GArray *found = race_found(e->races);
    ck_assert_msg((found->len > 0) == s->race, "race at depth %d: search %d, engine %u\n%s",
                  (int)depth, s->race, found->len, c->text);
    for (guint i = 0; i < found->len; i++) {
        const Race *race = &g_array_index(found, Race, i);
        guint a = flow_op(c->flow, race->place[0].flow)->op;
        guint b = flow_op(c->flow, race->place[1].flow)->op;
        ck_assert_msg(search_races(s, a, b), "ops %u and %u do not race at depth %d\n%s", a, b,
                      (int)depth, c->text);
    }
}

/* One program, at one depth, for so many steps. FALSE: too large for the search. */
static gboolean compare(const FlowCase *c, gint64 depth, gint64 steps) {
    SearchOptions options = {
        .depth = depth, .steps = steps, .counts = TRUE, .all_races = TRUE, .max_states = 200000};
    g_autoptr(Engine) e = engine_run(c->flow, depth, steps, ENGINE_ALL, NULL);
    g_autoptr(SearchResult) s = search_run(c->program, &options);
    if (s->end != SEARCH_DONE)
        return s->end == SEARCH_NOT_MODELLED;
    ck_assert_msg(e->end == ENGINE_DONE || e->end == ENGINE_STUCK, "engine ends with %d: %s\n%s",
                  e->end, e->refusal, c->text);
    ck_assert_msg((e->end == ENGINE_STUCK) == s->deadlock,
                  "deadlock at depth %d: search %d, engine %d\n%s", (int)depth, s->deadlock,
                  e->end == ENGINE_STUCK, c->text);
    compare_races(c, depth, e, s);
    compare_readings(c, e, s);
    return TRUE;
}

/* Taking alike streams for one changes no verdict. */
static void compare_symmetry(const FlowCase *c) {
    SearchOptions options = {.depth = c->flow->depth, .counts = TRUE, .max_states = 200000};
    g_autoptr(SearchResult) plain = search_run(c->program, &options);
    options.symmetry = TRUE;
    g_autoptr(SearchResult) s = search_run(c->program, &options);
    if (plain->end != SEARCH_DONE)
        return;
    ck_assert_msg(s->states <= plain->states && s->race == plain->race &&
                      s->deadlock == plain->deadlock,
                  "%s", c->text);
    for (guint i = 0; i < s->readings->len; i++) {
        SearchReading *a = &g_array_index(s->readings, SearchReading, i);
        SearchReading *b = &g_array_index(plain->readings, SearchReading, i);
        ck_assert_msg(a->least == b->least && a->most == b->most && a->fewest == b->fewest &&
                          a->greatest == b->greatest,
                      "%s", c->text);
    }
}

static void compare_kind(guint features, guint usual) {
    guint count = flow_case_programs(usual), large = 0;
    for (guint seed = 0; seed < count; seed++) {
        FlowCase c;
        flow_case_init(&c, random_flow(seed, features));
        large += !compare(&c, 0, 1);
        large += !compare(&c, c.flow->depth, features & RANDOM_STEP ? 1 + seed % 3 : 1);
        compare_symmetry(&c);
        flow_case_clear(&c);
    }
    ck_assert_msg(large * 20 <= count * 2, "%u of %u programs were too large", large, count);
}

static const struct {
    const char *name;
    guint features, usual;
} kinds[] = {
    {"plain", 0, 600},
    {"flags", RANDOM_FLAGS, 600},
    {"loops and steps", RANDOM_LOOPS | RANDOM_STEP, 300},
    {"legacy", RANDOM_LEGACY, 500},
    {"captures", RANDOM_CAPTURES, 300},
    {"all", RANDOM_FLAGS | RANDOM_LOOPS | RANDOM_STEP | RANDOM_LEGACY | RANDOM_CAPTURES, 300},
};

START_TEST(engine_is_search) {
    compare_kind(kinds[_i].features, kinds[_i].usual);
}
END_TEST

/* Of n streams with one launch each, all given before anything else happens, it matters only how
 * many are done. A read is there so that states differ in more than their distance. */
START_TEST(symmetry) {
    for (guint n = 2; n <= 6; n++) {
        GString *text = g_string_new("# fan\n");
        FlowCase c;
        for (guint i = 0; i < n; i++)
            g_string_append_printf(text, "stream s%u nonblocking\n", i);
        for (guint i = 0; i < n; i++)
            g_string_append_printf(text, "launch s%u k\n", i);
        g_string_append(text, "counter_read\nsync_ctx\ncounter_read exact\n");
        flow_case_init(&c, g_string_free(text, FALSE));
        SearchOptions options = {.symmetry = FALSE};
        g_autoptr(SearchResult) plain = search_run(c.program, &options);
        options.symmetry = TRUE;
        g_autoptr(SearchResult) s = search_run(c.program, &options);
        /* i launches given, any of them done: 2^i states, for i = 0 … n; the same again behind the
         * first read; and the end. */
        ck_assert_uint_eq(plain->states, (1u << (n + 1)) - 1 + (1u << n) + 1);
        /* From the last launch on, only how many are done: n + 1. */
        ck_assert_uint_eq(s->states, (1u << n) - 1 + (n + 1) + (n + 1) + 1);
        flow_case_clear(&c);
    }
}
END_TEST

/* How many states the launch pipeline has was counted by Rumur on the same model (host, pending and
 * running launches, last reading). */
static const struct {
    Pipe pipe;
    guint64 states;
} pipes[] = {{{48, 3, 4, FALSE}, 304106},
             {{24, 2, 3, FALSE}, 6088},
             {{12, 3, 2, FALSE}, 5762},
             {{16, 4, 1, FALSE}, 4766}};

START_TEST(pipeline) {
    Pipe p = pipes[_i].pipe;
    FlowCase c;
    flow_case_init(&c, pipe_text(p));
    SearchOptions options = {.depth = p.depth, .counts = TRUE, .starts = TRUE};
    g_autoptr(SearchResult) s = search_run(c.program, &options);
    ck_assert_uint_eq(s->states, pipes[_i].states);
    ck_assert_uint_le(s->bytes, s->states * 16 + 100000);
    const SearchReading *third = &g_array_index(s->readings, SearchReading, 2);
    ck_assert_int_eq(third->most, MIN(p.streams * p.depth, p.launches / 4 * 3));
    flow_case_clear(&c);
}
END_TEST

/* What was added is found, through all growth, and nothing else. */
START_TEST(table) {
    for (guint words = 1; words <= 3; words++) {
        SearchTable *set = search_table_new(words);
        for (guint round = 0; round < 2; round++) {
            for (guint64 i = 0; i < 100000; i++) {
                guint64 state[3] = {SEARCH_STATE_BIT | i % 1000, i, i / 7};
                state[0] |= words == 1 ? i << 20 : 0;
                ck_assert(search_table_add(set, state, search_table_hash(set, state)) ==
                          (round == 0));
            }
        }
        guint64 other[3] = {SEARCH_STATE_BIT | 1000, 0, 0};
        ck_assert(!search_table_has(set, other));
        ck_assert_uint_eq(search_table_count(set), 100000);
        search_table_free(set);
    }
}
END_TEST

Suite *search_suite(void) {
    Suite *suite = suite_create("search");
    TCase *tc = tcase_create("random");
    tcase_set_timeout(tc, 600);
    tcase_add_loop_test(tc, engine_is_search, 0, G_N_ELEMENTS(kinds));
    tcase_add_test(tc, symmetry);
    tcase_add_loop_test(tc, pipeline, 0, G_N_ELEMENTS(pipes));
    tcase_add_test(tc, table);
    suite_add_tcase(suite, tc);
    return suite;
}

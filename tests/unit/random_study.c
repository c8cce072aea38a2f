#include "tests/unit/random_study.h"

#include <lpsolve/lp_lib.h>
#include <math.h>
#include <string.h>

#include "tests/unit/splitmix.h"

gint64 dice(Dice *dice, gint64 lo, gint64 hi) {
    return lo + (gint64)(splitmix(&dice->state) % (guint64)(hi - lo + 1));
}

/* ---- making one ---- */

static gint64 at_least(gint64 least, gint64 value) {
    return MAX(least, value);
}

/* One launch item: (a * u + b * v + constant), a and b in halves and perhaps times p. Both are
 * positive: what is made up here must be launches, and none can be fewer than none. */
static void add_item(RandomStudy *study, Dice *d, guint stage, guint number, GString *spec) {
    gint64 every = at_least(1, dice(d, -2, 3)), constant = dice(d, 0, 2);
    guint terms = (guint)dice(d, 1, 2);
    g_string_append_printf(spec, "      - {launch: i%u, every: %d, count: \"%d", number, (int)every,
                           (int)constant);
    for (guint r = 0; r < study->runs; r++)
        for (gint64 step = 0; step < study->run[r].steps; step++)
            if ((study->run[r].first + step) % every == 0)
                study->run[r].constants[stage] += constant;
    for (guint t = 0; t < terms; t++) {
        guint unknown = (guint)dice(d, 0, study->unknowns - 1);
        gint64 half = dice(d, 1, 6);
        gboolean times = dice(d, 0, 1) == 0;
        g_string_append_printf(spec, " + %g * u%u%s", (double)half / 2, unknown,
                               times ? " * p" : "");
        for (guint r = 0; r < study->runs; r++)
            for (gint64 step = 0; step < study->run[r].steps; step++)
                if ((study->run[r].first + step) % every == 0)
                    study->run[r].coefs[stage][unknown] +=
                        half * (times ? study->run[r].setting : 1);
    }
    g_string_append(spec, "\"}\n");
}

static void write_spec(RandomStudy *study, Dice *d) {
    GString *spec = g_string_new("atlas: 1\nname: random\n"
                                 "params: {p: {default: 1, min: 0, max: 9}}\n");
    g_string_append_printf(spec, "counter: {lag: %.1f}\nstages:\n", (double)study->lag2 / 2);
    for (guint s = 0; s < study->stages; s++) {
        gint64 items = dice(d, 1, 2);
        g_string_append_printf(spec, "  - stage: s%u\n    do:\n", s);
        for (guint i = 0; i < items; i++)
            add_item(study, d, s, i, spec);
    }
    g_string_append(spec, "unknowns:\n");
    for (guint u = 0; u < study->unknowns; u++) {
        study->real[u] = dice(d, 0, 4) == 0;
        study->low[u] = dice(d, 0, 3) == 0;
        study->truth[u] = 2 * dice(d, study->low[u], 4); /* even: no halves are launched */
        g_string_append_printf(spec, "  u%u: {kind: %s, min: %d}\n", u,
                               study->real[u] ? "real" : "whole", (int)study->low[u]);
    }
    study->spec = g_string_free(spec, FALSE);
}

/* Launches of a stage, twice. */
static gint64 launches2(const RandomStudy *study, const RandomRun *run, guint stage,
                        const gint64 *unknowns) {
    gint64 sum = 2 * run->constants[stage];
    for (guint u = 0; u < study->unknowns; u++)
        sum += run->coefs[stage][u] * unknowns[u];
    return sum;
}

/* Writes a sum as a mean: with two decimals, which determine it, or with none. */
static void write_sum(RandomSum *sum, gint64 steps, gint64 value, gboolean coarse, GString *table) {
    gint64 mean = (2 * value + steps) / (2 * steps);
    *sum = (RandomSum){TRUE, value, value};
    if (coarse) { /* steps * (mean - 1/2) rounded up, steps * (mean + 1/2) rounded down */
        sum->lo = at_least(0, ((2 * mean - 1) * steps + 1) / 2);
        sum->hi = (2 * mean + 1) * steps / 2;
        g_string_append_printf(table, "\t%d", (int)mean);
    } else {
        g_string_append_printf(table, "\t%.2f", (double)value / (double)steps);
    }
}

/* Draws flows, and what the counter showed: out[s] flows out of stage s. FALSE if a stage would
 * have had to show less than nothing. */
static gboolean draw_readings(const RandomStudy *study, Dice *d, const RandomRun *run,
                              gint64 *readings) {
    gint64 most = run->steps * study->lag2 / 2, ends = study->lag2 / 2;
    gint64 first = dice(d, 0, most), in = first;
    for (guint s = 0; s < study->stages; s++) {
        gboolean last = s + 1 == study->stages;
        gint64 most_out = in + launches2(study, run, s, study->truth) / 2;
        gint64 lo = last ? at_least(0, first - ends) : 0;
        gint64 hi = MIN(most_out, last ? MIN(most, first + ends) : most);
        if (lo > hi)
            return FALSE;
        gint64 out = dice(d, lo, hi);
        readings[s] = most_out - out;
        in = out;
    }
    return TRUE;
}

/* FALSE if the run would not have shown anything. */
static gboolean draw_run(RandomStudy *study, Dice *d, RandomRun *run, GString *table) {
    gint64 way = dice(d, 0, 5), total = 0, readings[RANDOM_STAGES];
    gboolean coarse = dice(d, 0, 3) == 0, any = FALSE;
    if (!draw_readings(study, d, run, readings))
        return FALSE;
    for (guint s = 0; s < study->stages; s++) {
        total += readings[s];
        if (way == 0 || (way == 1 && dice(d, 0, 1) == 0))
            g_string_append(table, "\t-");
        else
            write_sum(&run->sums[s], run->steps, readings[s], coarse && dice(d, 0, 1) == 0, table);
        any = any || run->sums[s].known;
    }
    if (way <= 2)
        write_sum(&run->total, run->steps, total, coarse && way == 0, table);
    else
        g_string_append(table, "\t-");
    return any || run->total.known;
}

static gboolean draw_runs(RandomStudy *study, Dice *d) {
    GString *table = g_string_new("run\tconfiguration\tsteps");
    gboolean ok = TRUE;
    for (guint s = 0; s < study->stages; s++)
        g_string_append_printf(table, "\ts%u", s);
    g_string_append(table, "\ttotal\n");
    for (guint r = 0; r < study->runs; r++) {
        RandomRun *run = &study->run[r];
        g_string_append_printf(table, "r%u\tp=%d\t%d-%d", r, (int)run->setting, (int)run->first,
                               (int)(run->first + run->steps - 1));
        ok = draw_run(study, d, run, table) && ok;
        g_string_append_c(table, '\n');
    }
    study->table = g_string_free(table, FALSE);
    return ok;
}

RandomStudy random_study(guint64 seed) {
    static const gint64 windows[] = {1, 2, 4, 5, 10}; /* means with two decimals are exact */
    Dice d = {seed};
    for (;;) {
        RandomStudy study = {.unknowns = (guint)dice(&d, 1, RANDOM_UNKNOWNS),
                             .stages = (guint)dice(&d, 1, RANDOM_STAGES),
                             .runs = (guint)dice(&d, 1, RANDOM_RUNS),
                             .lag2 = at_least(0, dice(&d, -4, 8))};
        for (guint r = 0; r < study.runs; r++) {
            study.run[r].setting = dice(&d, 0, 4);
            study.run[r].first = dice(&d, 0, 9);
            study.run[r].steps = windows[dice(&d, 0, G_N_ELEMENTS(windows) - 1)];
        }
        write_spec(&study, &d);
        if (draw_runs(&study, &d))
            return study;
        random_study_clear(&study);
    }
}

void random_study_clear(RandomStudy *study) {
    g_free(study->spec);
    g_free(study->table);
}

/* ---- exactly, for given values ---- */

/* Everything twice: value[to] - value[from] <= most. Nodes: 0 is zero, then what flows in, then
 * what flows out of every stage. */
typedef struct {
    guint from, to;
    gint64 most;
} Difference;

static guint differences(const RandomStudy *study, const RandomRun *run, const gint64 *unknowns,
                         Difference *d) {
    guint n = 0, last = study->stages + 1;
    gint64 all = 0;
    for (guint node = 1; node <= last; node++) {
        d[n++] = (Difference){0, node, run->steps * study->lag2};
        d[n++] = (Difference){node, 0, 0};
    }
    for (guint s = 0; s < study->stages; s++) {
        gint64 own = launches2(study, run, s, unknowns);
        all += own;
        if (!run->sums[s].known)
            continue;
        d[n++] = (Difference){s + 2, s + 1, 2 * run->sums[s].hi - own};
        d[n++] = (Difference){s + 1, s + 2, own - 2 * run->sums[s].lo};
    }
    d[n++] = (Difference){last, 1, study->lag2};
    d[n++] = (Difference){1, last, study->lag2};
    if (run->total.known) {
        d[n++] = (Difference){last, 1, 2 * run->total.hi - all};
        d[n++] = (Difference){1, last, all - 2 * run->total.lo};
    }
    return n;
}

gboolean random_study_explains(const RandomStudy *study, const gint64 *unknowns) {
    for (guint u = 0; u < study->unknowns; u++)
        if (unknowns[u] < study->low[u])
            return FALSE;
    for (guint r = 0; r < study->runs; r++) {
        Difference d[4 * RANDOM_STAGES + 6];
        gint64 value[RANDOM_STAGES + 2] = {0};
        guint n = differences(study, &study->run[r], unknowns, d);
        gboolean changed = TRUE;
        for (guint round = 0; changed && round <= study->stages + 2; round++) {
            changed = FALSE;
            for (guint i = 0; i < n; i++)
                if (value[d[i].to] > value[d[i].from] + d[i].most) {
                    value[d[i].to] = value[d[i].from] + d[i].most;
                    changed = TRUE;
                }
        }
        if (changed)
            return FALSE;
    }
    return TRUE;
}

/* ---- as a linear program in textbook form ---- */

typedef struct {
    lprec *lp;
    const RandomStudy *study;
    REAL values[RANDOM_UNKNOWNS + RANDOM_STAGES + 4];
    int columns[RANDOM_UNKNOWNS + RANDOM_STAGES + 4];
    int count, lag;
} Textbook;

static void put(Textbook *t, int column, double value) {
    t->columns[t->count] = column;
    t->values[t->count++] = value;
}

static void close_row(Textbook *t, int type, double right) {
    add_constraintex(t->lp, t->count, t->values, t->columns, type, right);
    t->count = 0;
}

/* flow - less <= factor * lag; without `less` where that is 0 */
static void within_lag(Textbook *t, int flow, int less, double factor) {
    put(t, flow, 1);
    if (less)
        put(t, less, -1);
    put(t, t->lag, -factor);
    close_row(t, LE, 0);
}

/* The launches of stages first..last, plus what flows in, minus what flows out, are what was
 * counted. */
static void counted(Textbook *t, const RandomRun *run, guint first, guint last, int in,
                    const RandomSum *sum) {
    for (int side = 0; sum->known && side < 2; side++) {
        double right = (double)(side ? sum->hi : sum->lo);
        for (guint u = 0; u < t->study->unknowns; u++) {
            gint64 coef = 0;
            for (guint s = first; s <= last; s++)
                coef += run->coefs[s][u];
            put(t, (int)u + 1, (double)coef / 2);
        }
        for (guint s = first; s <= last; s++)
            right -= (double)run->constants[s];
        put(t, in + (int)first, 1);
        put(t, in + (int)last + 1, -1);
        close_row(t, side ? LE : GE, right);
    }
}

static Textbook textbook(const RandomStudy *study) {
    int flows = (int)study->stages + 1, n = (int)study->unknowns + (int)study->runs * flows + 1;
    Textbook t = {.lp = make_lp(0, n), .study = study, .lag = n};
    set_verbose(t.lp, NEUTRAL);
    for (guint u = 0; u < study->unknowns; u++)
        set_lowbo(t.lp, (int)u + 1, (double)study->low[u]);
    for (guint r = 0; r < study->runs; r++) {
        const RandomRun *run = &study->run[r];
        int in = (int)study->unknowns + 1 + (int)r * flows, out = in + (int)study->stages;
        for (int flow = in; flow <= out; flow++)
            within_lag(&t, flow, 0, (double)run->steps);
        within_lag(&t, in, out, 1);
        within_lag(&t, out, in, 1);
        for (guint s = 0; s < study->stages; s++)
            counted(&t, run, s, s, in, &run->sums[s]);
        counted(&t, run, 0, study->stages - 1, in, &run->total);
    }
    return t;
}

double random_study_least(const RandomStudy *study, gint64 lag2, const gint64 *objective) {
    Textbook t = textbook(study);
    set_bounds(t.lp, t.lag, (double)lag2 / 2, (double)lag2 / 2);
    for (guint u = 0; u < study->unknowns; u++)
        put(&t, (int)u + 1, (double)objective[u]);
    set_obj_fnex(t.lp, t.count, t.values, t.columns);
    int result = solve(t.lp);
    double least = result == OPTIMAL     ? get_objective(t.lp)
                   : result == UNBOUNDED ? -HUGE_VAL
                                         : (double)NAN;
    delete_lp(t.lp);
    return least;
}

double random_study_least_lag(const RandomStudy *study) {
    Textbook t = textbook(study);
    put(&t, t.lag, 1);
    set_obj_fnex(t.lp, t.count, t.values, t.columns);
    double least = solve(t.lp) == OPTIMAL ? get_objective(t.lp) : (double)NAN;
    delete_lp(t.lp);
    return least;
}

/* Random studies: small ones, to check what the solver says against what is known otherwise.
 *
 * A study is made twice: as text, which goes the way of every spec and run table, and as numbers,
 * from which what must come out is found without any of the code under test. Its runs are drawn
 * from known values of the unknowns and known flows, so that it has a solution at its lag. It has
 * stages that were not measured, sums known as intervals, totals, items that run every few steps,
 * halves as coefficients, unknowns that are real or have a least value. A seed gives the same study
 * on every machine.
 */
#ifndef ATLAS_TESTS_UNIT_RANDOM_STUDY_H
#define ATLAS_TESTS_UNIT_RANDOM_STUDY_H

#include <glib.h>

typedef struct {
    guint64 state;
} Dice;

/* A number from lo..hi. */
gint64 dice(Dice *dice, gint64 lo, gint64 hi);

enum { RANDOM_UNKNOWNS = 4, RANDOM_STAGES = 4, RANDOM_RUNS = 5 };

/* lo..hi, where it is known. */
typedef struct {
    gboolean known;
    gint64 lo, hi;
} RandomSum;

/* One run, summed over its window. Launches are half of coefs * unknowns, plus constants. */
typedef struct {
    gint64 setting, first, steps; /* p=setting, steps first..first + steps - 1 */
    gint64 coefs[RANDOM_STAGES][RANDOM_UNKNOWNS], constants[RANDOM_STAGES];
    RandomSum sums[RANDOM_STAGES], total;
} RandomRun;

typedef struct {
    guint unknowns, stages, runs;
    gboolean real[RANDOM_UNKNOWNS];
    gint64 low[RANDOM_UNKNOWNS], truth[RANDOM_UNKNOWNS];
    gint64 lag2; /* twice the lag */
    RandomRun run[RANDOM_RUNS];
    char *spec, *table;
} RandomStudy;

RandomStudy random_study(guint64 seed);
void random_study_clear(RandomStudy *study);

/* Whether flows within the lag explain all runs at these values: exact, as flows obey a system of
 * differences, which has a solution if no cycle of it is negative. */
gboolean random_study_explains(const RandomStudy *study, const gint64 *unknowns);

/* The least sum of objective[i] * unknown i over all real solutions at twice the lag `lag2`, from a
 * linear program in textbook form: one variable for every flow. NAN where there is no solution,
 * -HUGE_VAL where there is no least one. */
double random_study_least(const RandomStudy *study, gint64 lag2, const gint64 *objective);

/* The least lag, from the same program. */
double random_study_least_lag(const RandomStudy *study);

#endif

/* Runs: launches per stage of one measured configuration, with where they come from.
 *
 * A run states sums: launches of a stage over all steps of its window, which are whole numbers,
 * since every counter counts whole launches. A table that prints means ("9002.5 a step over steps
 * 20-29") still determines the sum (90,025) where its decimals are enough; where they are not, the
 * sum is an interval. So nothing downstream needs a tolerance for rounding.
 *
 * Readers make runs: atlas_runs_read_table (below) of tables, atlas_log_read (log.h) of the study's
 * log format, and backends of traces (trace_stages.h).
 *
 * The table is tab-separated text; '#' lines are comments; the first other line is the header:
 *
 *     run     configuration  steps  fwd     bwd     …  total    recipe          note
 *     base    -              20-29  9002.5  7026.3  …  21427.2  -               12:04 --log run
 *     night   retract-4      100    -       -       …  19300±3  precision=fp16  …
 *
 * Columns `run`, `configuration`, `steps` are required, in any order; `total`, `recipe`, `note`
 * are optional; every other column is a stage, and stages stand in step order. A column STAGE_ms
 * beside one named STAGE holds that stage's milliseconds, as means of a step, and a column step_ms
 * those of a whole step, by a clock of its own: the stages' need not add up to it. An empty cell or
 * "-" is unknown (in `configuration`: the base). Cells are trimmed of spaces. `steps` is A-B,
 * inclusive, or a plain number of steps N, which means that it is not known which N consecutive
 * steps they were. A run must know at least one of its stages or its total. Means are decimal
 * numbers >= 0; MEAN±SLACK, or MEAN+-SLACK, is one that is known no better than that, and stands
 * for every sum whose mean lies in MEAN-SLACK..MEAN+SLACK, ends included. Where all stages and the
 * total are known, the total must be their sum (as intervals: must meet it); where some are, they
 * may not exceed it. Blank lines are skipped. A table without a run is an error: whoever names one
 * means something by it.
 */
#ifndef ATLAS_MODEL_MEASURE_RUN_H
#define ATLAS_MODEL_MEASURE_RUN_H

#include "model/base/diag.h"
#include "model/measure/provenance.h"

/* Launches summed over the window. lo == hi where exact; `known` FALSE: not measured. */
typedef struct {
    gboolean known;
    gint64 lo, hi;
    AtlasSpan at; /* the cell, or the log as a whole */
} AtlasSum;

/* Steps first..last, inclusive; 0 <= first <= last < G_MAXINT64, so that their number fits. */
typedef struct {
    gint64 first, last;
} AtlasWindow;

static inline gint64 atlas_window_steps(AtlasWindow window) {
    return window.last - window.first + 1;
}

/* One stage of a run. */
typedef struct {
    const char *name;
    AtlasSum sum;
    double ms; /* mean milliseconds a step over the window; NAN where not measured */
    /* Logs and traces: of gint64, the launches in each step from run->log_first to the window's
     * last, at least; NULL in tables. */
    GArray *counts;
    guint64 line; /* logs: of its first row; else 0 */
} AtlasRunStage;

typedef struct {
    const char *name;
    AtlasText configuration; /* as written: "no-kda,iters=2"; "" is the base */
    AtlasSpan at;            /* the run's name in the table, or the log as a whole */
    gboolean window_known;   /* FALSE: only the number of steps is known; window.first is 0 then */
    AtlasWindow window;
    GArray *stages;   /* of AtlasRunStage, in step order; all that the table or log names */
    double step_ms;   /* mean milliseconds of a whole step; NAN where it was not timed by itself */
    AtlasSum total;   /* from a `total` column only; not the sum of the stages */
    AtlasText recipe; /* "precision=fp16"; "" is the recipe of the spec */
    const char *note; /* "" where there is none */
    const char *log;  /* logs and traces: the file, for messages; NULL in tables */
    gint64 log_first; /* the same: the step of counts[0] */
    AtlasProvenance by;
} AtlasRun;

/* Runs in the order they were read; owns them and their strings. Sources are borrowed and must
 * outlive it. */
typedef struct AtlasRuns AtlasRuns;

AtlasRuns *atlas_runs_new(void);
void atlas_runs_free(AtlasRuns *runs);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasRuns, atlas_runs_free)

guint atlas_runs_count(const AtlasRuns *runs);
AtlasRun *atlas_runs_get(AtlasRuns *runs, guint index);

/* Adds an empty run (window 0-0, nothing known) and returns it, for readers. `name` is copied. */
AtlasRun *atlas_runs_add(AtlasRuns *runs, const char *name);
/* Adds an unknown stage to a run; the pointer holds until the next one is added. */
AtlasRunStage *atlas_runs_add_stage(AtlasRuns *runs, AtlasRun *run, const char *stage);
/* What a run is called by the file that it was read from: the last component of the path, without
 * those of the NULL-terminated endings that it has, one after the other, as text. The caller frees
 * it. */
char *atlas_run_name(const char *path, const char *const *endings);
/* The run's stage of that name; NULL where it names none. */
const AtlasRunStage *atlas_run_stage(const AtlasRun *run, const char *name);
/* A copy of `text` that lives as long as the runs. */
const char *atlas_runs_string(AtlasRuns *runs, const char *text, gsize length);

/* The sums a printed mean can stand for: every whole N >= 0 with N / steps rounding (half either
 * way) to `mean`, which was printed with `decimals` digits behind the point. `known` is FALSE if
 * there is none, or the greatest does not fit 64 bits: then the mean cannot be one of whole
 * launches over so many steps. */
AtlasSum atlas_sum_from_mean(AtlasRat mean, guint decimals, gint64 steps);

/* The same of a mean that is stated with its slack: every whole N >= 0 with N / steps in
 * mean - slack .. mean + slack. */
AtlasSum atlas_sum_from_range(AtlasRat mean, AtlasRat slack, gint64 steps);

/* sum += more. It is not known any more where `more` is not, or where it does not fit 64 bits. */
void atlas_sum_add(AtlasSum *sum, const AtlasSum *more);

/* Reads a table and appends its runs. Adds every problem to `diags`; returns whether there was
 * none. Duplicate run names (among all runs read so far), duplicate or unknown-looking columns,
 * cells that are no number, means that no whole launches give, totals that contradict the stages
 * are problems. A run that has one is appended all the same, with the faulty cell unknown, so that
 * whatever names it does not fail as well. */
gboolean atlas_runs_read_table(AtlasRuns *runs, const AtlasSource *source, AtlasDiags *diags);

/* Parses "A-B". Returns FALSE if text is no window. */
gboolean atlas_window_parse(const char *text, AtlasWindow *window);

/* What a window is, for messages about text that is none. */
#define ATLAS_WINDOW_HINT                                                                          \
    "both are inclusive, A is not above B, and both are below 9223372036854775807: 20-29"

#endif

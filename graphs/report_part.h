/* What the files of the report share: each writes some sections. Internal to report*.c. */
#ifndef ATLAS_GRAPHS_REPORT_PART_H
#define ATLAS_GRAPHS_REPORT_PART_H

#include "graphs/report.h"
#include "graphs/split.h"
#include "graphs/targets.h"
#include "model/solve/next.h"

/* Decimals that people see: of launches, and of milliseconds. */
enum { REPORT_PLACES = 2, REPORT_MS_PLACES = 1, REPORT_PRICE_PLACES = 9 };

/* A run, or a toggle that no run measured, against the base. */
typedef struct {
    const char *name;
    const AtlasObservation *run; /* NULL: a toggle that was not measured */
    AtlasInterval *measured;     /* of each stage, then the total; what is not known has no ends */
    AtlasInterval *solved;  /* the same of what every solution allows, over the same steps; NULL for
                               a toggle of which some steps launch more than others */
    AtlasInterval *lasting; /* the same over whole periods; NULL where that is what is solved */
} ReportMarginal;

/* A part of the split, with its place in the ranking. */
typedef struct {
    const SplitCell *cell;
    AtlasRat launches; /* measured, where the report's are, else at the point */
    AtlasInterval bounds;
    guint first, last; /* the ranks it can have */
} ReportRanked;

/* Bounds of the base's populations that the runs do not determine. */
typedef struct {
    guint population;
    AtlasInterval bounds;
    AtlasInterval share;
} ReportOpen;

typedef struct {
    GArray *list;           /* of ReportOpen: launches can be moved from one to another */
    guint exact, smeared;   /* determined; but for the counter's lag */
    AtlasRat width;         /* greatest, of those smeared */
    guint missing;          /* free parameters */
    gboolean missing_known; /* else numbers did not fit */
    AtlasNextRun *next;     /* NULL: no run narrows them */
} ReportOpenness;

typedef struct Report {
    const AtlasReportOf *of;
    Ground ground;
    Split *split;
    Targets *targets;    /* NULL: the base is no program */
    GArray *marginals;   /* of ReportMarginal */
    GArray *ranked;      /* of ReportRanked, greatest first */
    gboolean by_measure; /* parts are ranked by what was measured: it adds up */
    gboolean given;      /* nothing that the base launches is unknown */
    ReportOpenness openness;
    AtlasRat total;        /* launches of the base: measured, else at the point */
    AtlasInterval counted; /* what the base run counted in all; no ends where there is none */
    AtlasInterval bounds;  /* what every solution allows of the base, over the ground's window */
    AtlasInterval lasting; /* the same over a whole period */
    AtlasRat timed;        /* ms of the base run's stages, added up; no number without timers */
    AtlasRat step_ms;      /* ms of a step by a clock of its own; no number without one */
    char *price;           /* "ms at 24 us" */
    guint ms_places;       /* decimals of its milliseconds in tables */
    GString *out;
} Report;

/* ---- report_text.c ---- */

/* Appends text; the end of a paragraph; a table, with a blank line behind it. */
void report_say(Report *r, const char *format, ...) G_GNUC_PRINTF(2, 3);
void report_end(Report *r);
void report_table(Report *r, const AtlasTable *table);

/* A copy of a table's columns in which the heading REPORT_PRICE says the price: "ms at 24 us". To
 * be freed behind the table. */
AtlasTableColumn *report_columns(const Report *r, const AtlasTableColumn *columns);
#define REPORT_PRICE "ms at price"

/* A number for people; the caller frees it. */
char *report_number(AtlasRat number, guint places);
char *report_percent(AtlasRat part, AtlasRat whole);
/* The same of a change (at least all of the whole taken away) or of a share, as bounds: "4.4%",
 * "-21.4..-20.7%". */
char *report_share_text(const AtlasInterval *change, const AtlasInterval *whole);
char *report_share_bounds(const AtlasInterval *share);
/* Milliseconds: more decimals where there are few of them. */
char *report_ms_text(AtlasRat ms);
char *report_ms_bounds(const Report *r, const AtlasInterval *launches);
/* Of what was measured: one number, or an interval; "unknown". */
char *report_interval(const AtlasInterval *interval);
void report_interval_cell(AtlasTable *table, const AtlasInterval *interval);
/* The same, with a sign in front of what is above 0. */
void report_change_cell(AtlasTable *table, const AtlasInterval *interval);

/* A set of populations, by names that say it shortest: "fwd.main without kda + fwd.loss". The
 * caller frees it. */
char *report_set_name(const Ground *ground, const gboolean *in);
/* The same of a cell, cut where it is long. */
char *report_cell_name(const Report *r, const SplitCell *cell);

/* "" or "s" behind a number of things. */
const char *report_plural(guint count);
/* The name of a stage; "total" behind the last. */
const char *report_stage(const Report *r, guint stage);

/* ---- report_time.c ---- */

/* Milliseconds that launches take at the report's price. */
AtlasRat report_ms(const Report *r, AtlasRat launches);
/* A measured time of a stage; no number where there is none. */
AtlasRat report_time(const AtlasObservation *run, const char *stage);
/* The same of the base run, by index. */
AtlasRat report_stage_time(const Report *r, guint stage);
/* Fills in what was timed. */
void report_find_times(Report *r);
/* Appends what the price makes of the base, what was timed, and how far they agree: for the
 * headline; then, stage by stage, for the totals. */
void report_say_times(Report *r);
void report_say_stage_times(Report *r);

/* The sum of numbers as they are printed, with so many decimals. */
AtlasRat report_printed(AtlasRat number, guint places);

/* ---- report_runs.c, report_marginals.c ---- */

/* Where the counter's lag comes from: "which the spec assumes". */
const char *report_lag_source(const Report *r);
void report_method(Report *r);
/* What the base launches in a stage, or (behind the last) in all. */
typedef struct {
    AtlasRat launches;             /* measured, else at the point */
    AtlasInterval counted;         /* as measured */
    AtlasInterval bounds, lasting; /* solved, over the window; over a period, where that differs */
    AtlasRat timed;
    gboolean given; /* nothing in it is unknown */
} ReportTotal;

ReportTotal report_total(const Report *r, guint stage);
void report_stage_totals(Report *r);

GArray *report_marginals(const Report *r);
void report_marginals_free(GArray *marginals);
/* What a run or a toggle changes in the long run. */
const AtlasInterval *report_lasting(const ReportMarginal *m);
void report_marginal_table(Report *r);

/* ---- report_split.c ---- */

/* Whether an earlier formula of a cell measures the same value. */
gboolean report_formula_known(const SplitCell *cell, guint index);
void report_split(Report *r);

/* ---- report_open.c ---- */

ReportOpenness report_openness(const Report *r);
void report_openness_clear(ReportOpenness *openness);
void report_open(Report *r);
/* Arms that no run had on, nor the base; the caller frees the array, not the names. */
GPtrArray *report_never_on(const Report *r);

/* ---- report_ranked.c ---- */

GArray *report_ranked(const Report *r);
/* "3", or "3..5"; what could merge a part. The caller frees both. */
char *report_rank_text(const ReportRanked *part);
char *report_mergeable(const Report *r, const SplitCell *cell);
void report_ranking(Report *r);

/* ---- report_roadmap.c ---- */

/* Something to capture: launches of the base, one solution of them and their bounds, the graph
 * launches that are left, what the stages it lies in took as timed (no number: not timed). */
typedef struct {
    const char *name;
    const Target *target; /* NULL: a ceiling */
    AtlasRat launches;
    AtlasInterval bounds, share;
    AtlasInterval saved;  /* launches less graphs */
    AtlasInterval so_far; /* the same with all targets before it */
    AtlasRat graphs, timed;
} ReportCapture;

/* Targets, greatest first; what is captured if several are. Of ReportCapture. */
GArray *report_targets(const Report *r);
GArray *report_ceilings(const Report *r);
/* What the spec says of a target; the caller frees it. */
char *report_facts(const Report *r, const Target *target);
/* The marginal of a toggle that says what else it changes, or of a run with its settings; NULL for
 * another one. */
const ReportMarginal *report_lever(const Report *r, guint toggle);
void report_roadmap(Report *r);

/* ---- report_slips.c ---- */

void report_slips(Report *r);

/* ---- report_headline.c ---- */

void report_headline(Report *r);

/* ---- report.c ---- */

/* FALSE, with problems added and everything cleared, if the spec makes no sense. */
gboolean report_init(Report *r, const AtlasReportOf *of, AtlasDiags *diags);
void report_clear(Report *r);

#endif

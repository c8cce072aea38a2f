/* What the files of the report share: each writes some sections. Internal to report*.c. */
#ifndef ATLAS_GRAPHS_REPORT_PART_H
#define ATLAS_GRAPHS_REPORT_PART_H

#include "graphs/report.h"
#include "graphs/split.h"
#include "graphs/targets.h"

/* Decimals that people see: of launches, and of milliseconds. */
enum { REPORT_PLACES = 2, REPORT_MS_PLACES = 1 };

/* A run, or a toggle that no run measured, against the base. */
typedef struct {
    const char *name;
    const AtlasObservation *run; /* NULL: a toggle that was not measured */
    AtlasInterval *measured;     /* of each stage, then the total; what is not known has no ends */
    AtlasInterval *solved;       /* the same of what every solution allows */
} ReportMarginal;

/* A part of the split, with its place in the ranking. */
typedef struct {
    const SplitCell *cell;
    AtlasRat launches; /* measured, where the report's are, else at the point */
    AtlasInterval bounds;
    guint first, last; /* the ranks it can have */
} ReportRanked;

typedef struct {
    const AtlasReportOf *of;
    Ground ground;
    Split *split;
    Targets *targets;    /* NULL: the base is no program */
    GArray *marginals;   /* of ReportMarginal */
    GArray *ranked;      /* of ReportRanked, greatest first */
    gboolean by_measure; /* parts are ranked by what was measured: it adds up */
    AtlasRat total;      /* launches of the base: measured, else at the point */
    char *price;         /* "ms at 24 us" */
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

/* Milliseconds that launches take at the report's price. */
AtlasRat report_ms(const Report *r, AtlasRat launches);
/* A measured time; no number where there is none. */
AtlasRat report_time(const AtlasObservation *run, const char *stage);

/* The sum of numbers as they are printed, with so many decimals. */
AtlasRat report_printed(AtlasRat number, guint places);

/* ---- report_runs.c, report_marginals.c ---- */

void report_method(Report *r);
void report_stage_totals(Report *r);

GArray *report_marginals(const Report *r);
void report_marginals_free(GArray *marginals);
void report_marginal_table(Report *r);

/* ---- report_split.c ---- */

void report_split(Report *r);
void report_open(Report *r);

/* ---- report_ranked.c ---- */

GArray *report_ranked(const Report *r);
void report_ranking(Report *r);

/* ---- report_roadmap.c ---- */

void report_roadmap(Report *r);
/* Everything between what parts the step: launches, and the graph launches that are left. */
gboolean report_ceiling(const Report *r, AtlasInterval *launches, AtlasRat *graphs);

/* ---- report_slips.c ---- */

void report_slips(Report *r);

#endif

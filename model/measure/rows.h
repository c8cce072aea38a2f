/* The ATLAS rows of a log: checked as they come, kept as sums.
 *
 * Every step has every stage once, in the order of the first step, and steps count up by one.
 * After a problem the checks go on from the row that has it, so that one lost line is one problem;
 * sums are kept only while `intact`.
 */
#ifndef ATLAS_MODEL_MEASURE_ROWS_H
#define ATLAS_MODEL_MEASURE_ROWS_H

#include "model/measure/problems.h"
#include "model/measure/run.h"

/* The stage name that only summaries and tables may use. */
#define ATLAS_TOTAL "total"

typedef struct {
    const char *name;
    guint index;      /* in the order of the first step */
    gboolean unknown; /* not in the first step: was reported once, and is passed over */
    guint64 seen;     /* the step it last stood in, in the numbering of `steps` below */
    guint64 line;     /* of its last row */
    GArray *sums;     /* of gint64: launches from the first step up to each step */
    GArray *ms;       /* of double, for each step */
} AtlasRowStage;

typedef struct {
    AtlasProblems *problems;
    GStringChunk *strings;
    GHashTable *by_name; /* of AtlasRowStage*, which it owns */
    GPtrArray *order;    /* of AtlasRowStage*: those of the first step */
    guint64 count, line; /* rows; the line of the last one */
    gint64 first, step;  /* the first and the present step, as the log names them */
    guint64 steps;       /* how many steps began */
    guint next;          /* the stage expected next in the present step */
    gboolean lost;       /* the last row could not be placed: the next one may stand anywhere */
    gboolean intact;     /* no row had a problem */
    guint hinted;        /* the causes that were named, as bits: each is named once */
    gint64 total;        /* launches so far: they fit, and so does every sum over a window */
} AtlasRows;

void atlas_rows_init(AtlasRows *rows, AtlasProblems *problems);
void atlas_rows_clear(AtlasRows *rows);

/* Reads a line that starts with "ATLAS" and a tab. */
void atlas_rows_read(AtlasRows *rows, const AtlasLine *line);

/* Checks the last step: call it when the log ends. */
void atlas_rows_end(AtlasRows *rows);

/* A line of rows or summaries that has too few fields or too many: `what` it is, and what was
 * `expected`. */
void atlas_rows_misshapen(AtlasRows *rows, const AtlasLine *line, gsize fields, const char *what,
                          const char *expected);

/* Hints at the stage that may have been meant by `word`; `total`: or the total. */
void atlas_rows_suggest(const AtlasRows *rows, const char *word, gboolean total);

/* The launches of a stage over a window, which lies inside the steps; the rows are intact. */
gint64 atlas_rows_sum(const AtlasRows *rows, const AtlasRowStage *stage, AtlasWindow window);

#endif

/* The ATLAS rows of a log: checked as they come, kept as sums.
 *
 * Every step has every stage once, in the order of the first step, and steps count up by one.
 * After a problem the checks go on from the row that has it, so that one lost line is one problem;
 * sums are kept only while `intact`.
 *
 * Of a log of any length, only the last ATLAS_ROWS_KEPT steps are kept.
 */
#ifndef ATLAS_MODEL_MEASURE_ROWS_H
#define ATLAS_MODEL_MEASURE_ROWS_H

#include "model/measure/problems.h"
#include "model/measure/run.h"

/* The stage name that only summaries and tables may use. */
#define ATLAS_TOTAL "total"

/* A power of two. */
enum { ATLAS_ROWS_KEPT = 1 << 16 };

/* What is kept of a stage in a step. */
typedef struct {
    gint64 sum; /* launches from the first step up to this one */
    double ms;
} AtlasRowKept;

typedef struct {
    const char *name;
    gsize length;
    guint index;              /* in the order of the first step */
    gboolean unknown;         /* not in the first step: was reported once, and is passed over */
    guint64 seen;             /* the step it last stood in, in the numbering of `steps` below */
    guint64 first_line, line; /* of its first row, and of its last */
    AtlasRowKept *kept;       /* step i of `steps` (from 0) stands at i modulo `capacity` */
    guint64 capacity;         /* grows up to ATLAS_ROWS_KEPT, so that nothing moves */
    gint64 sum;               /* so far */
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

/* The first step of which the counts are kept; windows begin there or later. The rows are intact,
 * here and below. */
gint64 atlas_rows_first_kept(const AtlasRows *rows);

/* The launches of a stage over a window, which lies inside the kept steps. */
gint64 atlas_rows_sum(const AtlasRows *rows, const AtlasRowStage *stage, AtlasWindow window);

/* The mean milliseconds of a step of the window. */
double atlas_rows_ms(const AtlasRows *rows, const AtlasRowStage *stage, AtlasWindow window);

#endif

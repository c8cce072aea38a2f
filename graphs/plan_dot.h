/* The picture's labels, notes and colours. Internal to plan_dot.c, plan_column.c, plan_notes.c and
 * plan_labels.c.
 *
 * Labels are Graphviz's HTML-like ones: tables that bring their own background, so that their text
 * is read on any page. The caller frees what is returned.
 */
#ifndef ATLAS_GRAPHS_PLAN_DOT_H
#define ATLAS_GRAPHS_PLAN_DOT_H

#include "graphs/plan_part.h"
#include "graphs/plan_show.h"

#define DOT_FONT "Helvetica,Arial,sans-serif"
#define DOT_TEXT "#7d8590" /* on no background: 4 to 1 against white and against black */
#define DOT_LINE "#7d8590"
#define DOT_STAGE "#7d859018" /* a shade of whatever page it is */
#define DOT_STAGE_LINE "#7d859066"
#define DOT_GRAPH "#2f6fde"
#define DOT_BOX "#e1eaf8"
#define DOT_INK "#1b2330"
#define DOT_RED "#ffd9d6"
#define DOT_RED_INK "#a40e26"
#define DOT_GREEN_INK "#116329"
#define DOT_NOTE "#fff3c4"
#define DOT_HOST "#3d4654"

/* Points that a character of a row takes, about. */
#define DOT_CHARACTER 7

/* What keeps ops out of graphs, or was changed before they could be captured. */
typedef struct {
    gboolean out;
    char *what, *why;  /* "E2 params", "write the buffer in place" */
    GPtrArray *stages; /* of const char*, in order */
    GHashTable *ops;   /* set of ops of the eager program */
} DotNote;

/* Of DotNote, each once; the caller owns it. */
GArray *dot_notes(const AtlasPlan *plan, const PlanTree *tree);

/* "9,001" */
char *dot_number(gint64 n);
/* The same of the mean of a step, of a sum over a period. */
char *dot_mean(const AtlasPlan *plan, gint64 sum);
/* "-215.9 ms" of what is saved, "+0.1 ms" of what is lost */
char *dot_saved(gint64 ns);

/* A row of a column, at least so many points wide. */
char *dot_row(const char *name, const char *value, const char *colour, const char *ink,
              gboolean bold, guint width);
/* Over the stages of ops from..to - 1: their names, and what they launch. */
char *dot_stage(const AtlasPlan *plan, guint from, guint to);
/* The picture's name and what the plan comes to. */
char *dot_title(const AtlasPlanShown *shown);
/* The notes, and what colours and lines mean. */
char *dot_legend(const GArray *notes);

#endif

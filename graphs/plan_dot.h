/* The picture's labels and colours. Internal to plan_dot.c and plan_labels.c.
 *
 * Labels are Graphviz's HTML-like ones: tables that bring their own background, so that their text
 * is read on any page. The caller frees what is returned.
 */
#ifndef ATLAS_GRAPHS_PLAN_DOT_H
#define ATLAS_GRAPHS_PLAN_DOT_H

#include "graphs/plan_show.h"

#define DOT_FONT "Helvetica,Arial,sans-serif"
#define DOT_TEXT "#7d8590" /* on no background: 4 to 1 against white and against black */
#define DOT_LINE "#7d8590"
#define DOT_STAGE "#7d859018" /* a shade of whatever page it is */
#define DOT_STAGE_LINE "#7d859066"
#define DOT_GRAPH "#2f6fde"
#define DOT_BOX "#eef3fb"
#define DOT_INK "#1b2330"
#define DOT_RED "#ffd9d6"
#define DOT_RED_INK "#a40e26"
#define DOT_NOTE "#fff3c4"
#define DOT_HOST "#3d4654"

/* Appends a row of a box: "kda  787"; every: and a graph's other work are said, too. */
void dot_row(GString *rows, const AtlasOp *op, gboolean red);
char *dot_box(const char *rows, gboolean red);
char *dot_host(const char *text);
char *dot_window(const AtlasPlanWindow *window);
/* Over the stages of ops from..to - 1: their names, and what they launch. */
char *dot_stage(const AtlasPlan *plan, guint from, guint to);
/* What was changed there first, and what cannot be captured there, and why; NULL: nothing. */
char *dot_changes(const AtlasPlan *plan, guint from, guint to);
char *dot_reasons(const AtlasPlan *plan, guint from, guint to);
char *dot_title(const AtlasPlan *plan);
char *dot_legend(const AtlasPlanShown *shown);

#endif

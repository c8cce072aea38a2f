/* Running SPIN and Rumur on a model: it is translated to C, compiled and run in a folder of its
 * own.
 *
 * SPIN runs with its partial order reduction, Rumur without symmetry and with one thread. Whatever
 * does not come to a full answer (a compiler that fails, a depth or a memory that does not suffice)
 * is no verdict: the run is then not complete, and `said` holds the tool's own words.
 */
#ifndef ATLAS_TESTS_PEERS_TOOL_H
#define ATLAS_TESTS_PEERS_TOOL_H

#include <glib.h>

typedef enum { TOOL_RUMUR, TOOL_SPIN, TOOLS } Tool;

/* What is looked for. Deadlock: assertions are not, and the search goes on behind a deadlock, so
 * that all states are counted; assertions: what breaks first ends it, and deadlocks are none. */
typedef enum { TOOL_DEADLOCK, TOOL_ASSERTIONS } ToolFind;

typedef struct {
    gboolean complete; /* a full answer */
    gboolean broken;   /* what was looked for was found */
    guint64 states;    /* where nothing cut the search short */
    char *said;
} ToolRun;

const char *tool_name(Tool tool);
gboolean tool_is_installed(Tool tool);

ToolRun tool_run(Tool tool, const char *text, ToolFind find);
void tool_run_clear(ToolRun *run);

#endif

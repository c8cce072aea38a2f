/* A plan for people and for programs: a table, a picture, a file that can be run.
 *
 * The picture is a graph in Graphviz's language (libcgraph writes it; `dot -Tsvg` draws it): what
 * the plan comes to; stages as clusters in the order of the step, in them windows as dashed clusters
 * with their number, what they hold and save; loops with how often they repeat; what parts windows
 * (syncs, host reads) between them; ops that were changed first in yellow, those that no window may
 * hold in red, and below what was changed or breaks, where, and what mends it. Its background is
 * transparent and every text stands on a filled shape or is of a grey that shows on white and on
 * black, so that it can be put on a light or a dark page.
 *
 * The plan file, {"schema": "atlas-plan/1"}, holds
 *
 *     name, with, proved    what was planned, with which changes, whether it is right
 *     eager, program        the texts of the program it is compared with, and of the planned one
 *     promises              {"period", "stages": [{"stage", "eager", "calls", "submissions",
 *                           "activities", "graph_nodes"}]}: sums over a period of steps
 *     windows, blocked      what the graphs hold, in a step in which it is performed ("every"), and
 *                           what that saves in the mean of all steps; what none may hold, and why
 *     totals                launches and copies are sums over the period, of so many steps; times
 *                           are means of a step: base_ms is what all that is enqueued costs the
 *                           host eagerly, saved_ms what of it the plan saves, gap_ms what another
 *                           choice of windows could save more at most; graphs, nodes that are held
 *     costs, proof          and, of a spec's configuration, roadmap and ceilings
 *     assumed               what the program leaves out of what it stands for; null: nothing
 *     wall                  {"why"}, or how long a step takes as simulated: {"bound": "lower" if
 *                           something does not say what it takes, else "none", "eager_ms",
 *                           "planned_ms", "once_ms": of it done once for each graph;
 *                           "eager_host_ms", "planned_host_ms": the host at work;
 *                           "unknown_launches", "copies": of a period, with no time}
 *
 * Keys are only ever added.
 */
#ifndef ATLAS_GRAPHS_PLAN_SHOW_H
#define ATLAS_GRAPHS_PLAN_SHOW_H

#include <jansson.h>

#include "graphs/plan_roadmap.h"

typedef struct {
    const AtlasPlan *plan;
    const AtlasRoadmap *map; /* NULL: of a program, not of a spec */
} AtlasPlanShown;

/* The caller frees or owns what these return. */
char *atlas_plan_text(const AtlasPlanShown *shown);
json_t *atlas_plan_json(const AtlasPlanShown *shown);
/* NULL with an error where there is no memory, or no temporary file, to write it. */
char *atlas_plan_dot(const AtlasPlanShown *shown, GError **error);

/* One of these, by how the path ends that it is for: .dot, .json, else the text, or JSON where `json`
 * is TRUE. NULL with an error as above. */
char *atlas_plan_render(const AtlasPlanShown *shown, const char *path, gboolean json,
                        GError **error);

/* "fwd.main.kda", or how the op is written where it is of no population. The caller frees it. */
char *atlas_plan_op_name(const AtlasPlan *plan, guint op);
/* "specs/a.yaml:12", where the op, or the spec's item that it is of, stands; NULL: nowhere. The
 * caller frees it. */
char *atlas_plan_op_place(const AtlasPlan *plan, guint op);
/* "E2", "legal", "nodes": what a block breaks. The caller frees it. */
char *atlas_plan_property(const AtlasPlanBlock *block);
/* "4915.25": a step's share of a sum over a period, with at most so many decimals. The caller frees
 * it. */
char *atlas_plan_mean(const AtlasPlan *plan, gint64 sum, guint places);
/* "24", of launches and copies: the caller frees it. */
char *atlas_plan_launch_us(const AtlasPlan *plan);
/* "in-place, device-scalars"; "" */
char *atlas_plan_with_text(guint with);

/* Of all windows, as AtlasPlan has them. */
typedef struct {
    gint64 launches, captured, graph_launches, copies, graphs, nodes, saved_ns;
} AtlasPlanTotals;

/* What was planned, read back from a plan file; or a program file of two programs, the eager one
 * and the planned one, which promises nothing. Numbers that a file says are at most 10^12, so that
 * they can be added up. */
typedef struct {
    AtlasProgramFile *file;
    AtlasProgram *eager, *planned;
    gint64 period;    /* of the eager program */
    gboolean is_plan; /* else two programs, and nothing below */
    gboolean proved;  /* as the file says */
    gboolean assumed; /* ... it leaves out something, so that nothing was proved */
    GArray *promises; /* of AtlasPlanPromise, each stage once; names belong to the file */
    GArray *windows;  /* of AtlasPlanWindow, without names, prices of wall time, slots */
    AtlasPlanTotals totals;
    char *name;
} AtlasPlanFile;

/* NULL with errors, which refer to `source` and to the text of the programs, an AtlasSource that is
 * added to `sources`. */
AtlasPlanFile *atlas_plan_read(const AtlasSource *source, GPtrArray *sources, AtlasDiags *diags);
void atlas_plan_file_free(AtlasPlanFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasPlanFile, atlas_plan_file_free)

#endif

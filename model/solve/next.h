/* The next run: which configuration, if it were measured, would narrow a prediction most.
 *
 * Candidates are the configurations at most two settings away from a measured run (a parameter to
 * any other value within min..max, an arm on or off), or from the base, which is one itself, where
 * nothing was measured. Each is supposed to have been measured with the counts that the point
 * predicts, over the same steps as the first run; the one behind which the populations of the asked
 * configuration have the least sum of widths is chosen: first by how many are not bounded at all,
 * then by the sum of hi - lo, then by the fewest settings, then by the order of the runs and of the
 * spec. Candidates that launch the same linear forms teach the same, and only the first is looked
 * at.
 *
 * A search may be limited. What it costs to look at a candidate is counted, not timed, so that
 * every machine looks at the same ones: each bound that is solved costs the rows times the columns
 * of the system it is solved in. Nearer candidates come first; what is left out is counted.
 */
#ifndef ATLAS_MODEL_SOLVE_NEXT_H
#define ATLAS_MODEL_SOLVE_NEXT_H

#include "model/base/progress.h"
#include "model/solve/lp.h"
#include "model/solve/point.h"

typedef struct {
    guint unbounded; /* populations without an upper bound */
    AtlasRat width;  /* sum of hi - lo of the others, in launches a step */
} AtlasSpread;

typedef struct {
    AtlasConfig *config;          /* NULL: none of those that were looked at narrows any */
    const AtlasObservation *near; /* the measured run it is near to; NULL: the base, unmeasured */
    guint changes;                /* settings between the two */
    AtlasSpread before, after;
    guint looked_at; /* candidates that could teach different things */
    guint left_out;  /* candidates not looked at: beyond ATLAS_NEXT_MAX, or beyond the limit */
} AtlasNextRun;

/* Candidates that are looked at, at most. */
enum { ATLAS_NEXT_MAX = 20000 };

/* A limit, of which half may be spent on candidates before the first that narrows anything. It
 * takes some seconds at most: dormouse-small's 1491 runs cost 37 million. */
#define ATLAS_NEXT_COST G_GINT64_CONSTANT(40000000)

/* NULL if every population of the asked configuration is determined already, or no candidate at all
 * narrows any. `cost` is what the search may cost, 0 for no limit. The evidence is changed for a
 * while and comes back as it was. `progress` (or NULL) shows how many candidates were looked at. */
AtlasNextRun *atlas_next_run(AtlasEvidence *evidence, const AtlasConfig *asked, AtlasRat lag,
                             const AtlasPoint *point, gint64 cost, AtlasProgress *progress);

/* A configuration that, if it were measured, would bound every population of the asked one: the
 * base with those of its arms on that no run has on, where that is enough, else the asked one
 * itself. The caller frees it. */
AtlasConfig *atlas_settling_run(AtlasEvidence *evidence, const AtlasConfig *asked, AtlasRat lag,
                                const AtlasPoint *point);

void atlas_next_run_free(AtlasNextRun *next);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasNextRun, atlas_next_run_free)

#endif

/* Stretches: runs of launches between two things that the host waits for or touches. Internal to
 * graphs/.
 *
 * A graph can hold no sync, host read or host write, so a step takes at least as many graph
 * launches as it has stretches, with its loops unrolled: what follows a read in one iteration and
 * what stands before it in the next are one. A stretch whose every launch runs in some steps only
 * counts for these.
 */
#ifndef ATLAS_GRAPHS_STRETCH_H
#define ATLAS_GRAPHS_STRETCH_H

#include "model/measure/run.h"
#include "model/op/program.h"

/* Steps in which something is launched: those that are multiples of one of some numbers, none of
 * which is a multiple of another. */
typedef GArray StretchSteps; /* of gint64 */

StretchSteps *stretch_steps_new(void);
void stretch_steps_add(StretchSteps *steps, gint64 every);
/* How many of the window's steps are such, as a share of them. */
AtlasRat stretch_steps_mean(const StretchSteps *steps, AtlasWindow window);

/* The host waits for the device. */
gboolean stretch_waits(AtlasOpKind kind);
/* What a graph cannot hold: that, and what the host reads or writes. */
gboolean stretch_parts(AtlasOpKind kind);

/* Stretches a step, in the mean over the window; with `stage_ends`, the end of a stage parts them,
 * too, though the host does nothing there but read a counter. */
AtlasRat stretch_count(const AtlasProgram *program, AtlasWindow window, gboolean stage_ends);

#endif

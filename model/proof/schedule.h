/* Schedules that show what the engine found. Internal to prove.c and its parts.
 *
 * The walk is repeated with an eye on it, no loop cut short, and written down: the host performs an
 * op as soon as it can, and work completes only when the host, or what is to be shown, needs it. So
 * nothing in the schedule can be left out: everything in it comes before what is shown in every
 * schedule.
 */
#ifndef ATLAS_MODEL_PROOF_SCHEDULE_H
#define ATLAS_MODEL_PROOF_SCHEDULE_H

#include "model/proof/engine.h"
#include "model/proof/prove.h"

/* Up to where both accesses of a race are under way. NULL: longer than ATLAS_SCHEDULE_MAX. */
GArray *schedule_race(const Flow *flow, gint64 depth, gint64 steps, const Race *race);

/* Up to where a read lags most. */
GArray *schedule_read(const Flow *flow, gint64 depth, gint64 steps, RacePlace place);

/* Up to where nothing can go on. */
GArray *schedule_stuck(const Flow *flow, gint64 depth, gint64 steps);

AtlasWhen schedule_when(const Flow *flow, RacePlace place);

#endif

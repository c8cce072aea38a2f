/* Lowering: a model under one configuration, as a program (model/op/program.h).
 *
 * Loops and counts are kept, not unrolled. A loop whose iterations differ (an item `when: i > 0`,
 * a count with i in it) becomes one loop for each longest range of equal iterations: `loop 1 as i`
 * and `loop 1..3 as i`. Conditions are gone; what is off is not there. `read` becomes a copy to
 * the host, a stream sync and the host's read. Every launch says its population (of:KEY), every op
 * where its item stands in the spec, whose source must outlive the program.
 *
 * Programs hold whole launches: a count that is no whole number (an unknown declared `real`, a
 * fraction in the spec) cannot be lowered; nor can what exceeds the bounds of program.h, or takes
 * more work than walk.h allows.
 */
#ifndef ATLAS_MODEL_LAUNCH_LOWER_H
#define ATLAS_MODEL_LAUNCH_LOWER_H

#include "model/launch/walk.h"
#include "model/op/program.h"

/* Adds the program of a configuration to `file`, named after model and configuration. `unknowns`
 * are the values of the model's unknowns. Returns NULL and adds an error for each item that cannot
 * be lowered: for a count that is not a whole number >= 0, or an index outside its buffer in an
 * iteration in which the item is there. */
AtlasProgram *atlas_lower(const AtlasConfig *config, const AtlasRat *unknowns,
                          AtlasProgramFile *file, AtlasDiags *diags);

#endif

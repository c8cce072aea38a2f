/* What programs state of their calls, and of which steps: for those that run or replay them. */
#ifndef ATLAS_BACKENDS_STATED_H
#define ATLAS_BACKENDS_STATED_H

#include "model/machine/outcome.h"

/* How often a program's step is repeated so that every op of it is performed: until all its
 * `every:` meet. An error where that takes more than a million steps. */
gint64 stated_period(const AtlasProgram *program, AtlasDiags *diags);

/* Whether it states a result of a call, or how many kernels are executed. */
gboolean stated_results(const AtlasProgram *program);

/* Removes from the differences (of AtlasDifference) those at a call that the program states to be
 * undefined, and behind it: a real driver is not judged by them. */
void stated_spare_undefined(const AtlasProgram *program, GArray *differences);

/* Whether a program says of itself that nothing can go on in the end (`expect deadlock=yes`). */
gboolean stated_deadlock(const AtlasProgram *program);

/* What a program says of its fingerprints (`expect fingerprint=…`): "equal" where every run leaves
 * in memory what the order of its calls does, "differs" where some run does not; NULL where it says
 * nothing. An error where it says something else, or has a step or loops: then NULL. `op` is where it does. */
const char *stated_fingerprint(const AtlasProgram *program, guint *op, AtlasDiags *diags);

/* Adds an error for each result that no call can have, so that none could ever be as stated. */
void stated_check(const AtlasProgram *program, AtlasDiags *diags);

#endif

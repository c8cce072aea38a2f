/* Names of ranges that come again with other numbers: "step 12", "step 13", "epoch 0 step 7".
 *
 * The kind of a name is the name with '#' for each run of digits. Kinds that are called step, iter
 * or batch are those of steps, whatever their numbers do: steps are skipped, counted by tens, begun
 * again in each epoch.
 */
#ifndef ATLAS_MODEL_MEASURE_STEP_NAME_H
#define ATLAS_MODEL_MEASURE_STEP_NAME_H

#include <glib.h>

/* "epoch # step #"; the caller frees it. */
char *atlas_step_kind(const char *name);

/* Whether a kind, or a name, is called what steps are. */
gboolean atlas_step_called(const char *kind);

/* The last number in a name, and the bytes where it stands; FALSE where there is none, or it is of
 * more than 18 digits. */
gboolean atlas_step_number(const char *name, gsize *start, gsize *end, gint64 *number);

/* Whether the numbers of `later`, the first one first, are above those of `name`, which is of the
 * same kind: "epoch 1 step 0" comes behind "epoch 0 step 9". */
gboolean atlas_step_rises(const char *name, const char *later);

#endif

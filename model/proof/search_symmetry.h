/* Streams that can be told apart by their names only. Internal to the search.
 *
 * Once the host gives two streams nothing more, and everything else treats them alike, states that
 * differ in which of the two has how much left to do have the same future, but for the names. Two
 * streams are alike where
 *
 * - their tasks, one by one, count the same kernels, access nothing and wait for the same;
 * - no other task waits for either of them, and neither sets a flag;
 * - whatever the host waits for behind their last task, it lets both have equally much left.
 *
 * A state stands for all that arise by exchanging what alike streams have left: it is put in order.
 */
#ifndef ATLAS_MODEL_PROOF_SEARCH_SYMMETRY_H
#define ATLAS_MODEL_PROOF_SEARCH_SYMMETRY_H

#include "model/proof/search_model.h"

typedef struct Symmetry Symmetry;

/* NULL where no two streams are alike. */
Symmetry *symmetry_new(const SearchModel *model);
void symmetry_free(Symmetry *symmetry);

/* Puts the streams' values in order; `host`: calls performed. TRUE where that changed any. */
gboolean symmetry_order(const Symmetry *symmetry, guint *values, guint host);

#endif

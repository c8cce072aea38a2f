/* The dual values of a basis. Internal to model/solve.
 *
 * lp_solve's own report of them is not always there, but a basis says what they are: a row whose
 * slack is basic has dual value 0, and the others follow from the basic columns, whose reduced
 * costs are 0. These equations are sparse and nearly triangular: most are solved by going from one
 * that has a single open value to the next, and elimination is left with few.
 */
#ifndef ATLAS_MODEL_SOLVE_DUALS_H
#define ATLAS_MODEL_SOLVE_DUALS_H

#include "model/solve/system.h"

typedef struct AtlasDuals AtlasDuals;

AtlasDuals *atlas_duals_new(const AtlasSystem *system);
void atlas_duals_free(AtlasDuals *duals);

/* The dual values, one for each row, of a basis as lp_solve gives it (get_basis: basis[1..rows],
 * rows and then columns from 1), for the objective of the sum of objective[i] * unknown i. They are
 * borrowed until the next call. NULL if the basis is none. */
const double *atlas_duals_find(AtlasDuals *duals, const int *basis, const gint64 *objective);

#endif

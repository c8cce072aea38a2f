/* A system handed to lp_solve. Internal to model/solve. */
#ifndef ATLAS_MODEL_SOLVE_LP_BUILD_H
#define ATLAS_MODEL_SOLVE_LP_BUILD_H

#include <lpsolve/lp_lib.h>

#include "model/solve/system.h"

/* Makes lp_solve's form of a system, silent, minimising 0. With a lag, its columns are the
 * system's; with NULL one more column, the last, stands for the lag. Columns and rows count from
 * 1 there. The caller frees it with delete_lp. */
lprec *atlas_lp_build(const AtlasSystem *system, const AtlasRat *lag);

/* Adds the sum of all flows behind measured stages to an objective, dense and indexed from 1. */
void atlas_lp_add_flows(const AtlasSystem *system, REAL *objective);

#endif

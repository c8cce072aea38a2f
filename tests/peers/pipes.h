/* Models of the launch pipeline that were written by hand. */
#ifndef ATLAS_TESTS_PEERS_PIPES_H
#define ATLAS_TESTS_PEERS_PIPES_H

#include "tests/peers/judge.h"
#include "tests/unit/pipeline.h"

/* Runs those for SPIN and Rumur that lie in `folder`, and compares them with the search: bounds hold and are tight, and Rumur's states are the search's. What runs
 * is told on a line each. FALSE: there is no such folder. */
gboolean pipes_by_hand(Judge *judge, const char *folder);

#endif

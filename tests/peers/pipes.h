/* The launch pipeline: launches are dealt to streams in turn, a stream holds so many of them, and
 * the host reads the counter late after each quarter and exactly at the end. */
#ifndef ATLAS_TESTS_PEERS_PIPES_H
#define ATLAS_TESTS_PEERS_PIPES_H

#include "tests/peers/judge.h"

typedef struct {
    guint launches, streams, depth;
    gboolean slot; /* places are free when launches start */
} Pipe;

/* The pipeline as a program's text. The caller frees it. */
char *pipe_text(Pipe pipe);

/* Runs models of the same pipeline that were written by hand for SPIN and Rumur, which lie in
 * `folder`, and compares: bounds hold and are tight, and Rumur's states are the search's. What runs
 * is told on a line each. FALSE: there is no such folder. */
gboolean pipes_by_hand(Judge *judge, const char *folder);

#endif

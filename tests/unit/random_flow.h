/* Random programs for the checker: small enough that a search sees every state, and full of what
 * orders work on a device, or nearly does. */
#ifndef ATLAS_TESTS_UNIT_RANDOM_FLOW_H
#define ATLAS_TESTS_UNIT_RANDOM_FLOW_H

#include <glib.h>

/* What a program may hold, as bits. */
enum {
    RANDOM_FLAGS = 1 << 0,
    RANDOM_LOOPS = 1 << 1, /* a few iterations */
    RANDOM_STEP = 1 << 2,
    RANDOM_LEGACY = 1 << 3, /* the legacy stream, blocking streams and synchronous copies */
    RANDOM_CAPTURES = 1 << 4,
    RANDOM_AGAIN = 1 << 6, /* flags are set more than once */
    RANDOM_LONG = 1 << 5   /* loops of many iterations: not for a search */
};

/* The text of one program; the same for the same seed. The caller frees it. */
char *random_flow(guint64 seed, guint features);

#endif

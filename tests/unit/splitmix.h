/* Random numbers for tests that must try the same everywhere. */
#ifndef ATLAS_TESTS_UNIT_SPLITMIX_H
#define ATLAS_TESTS_UNIT_SPLITMIX_H

#include <glib.h>

/* The next number of S. Vigna's public-domain splitmix64: every state is a good seed. */
static inline guint64 splitmix(guint64 *state) {
    guint64 z = *state += G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * G_GUINT64_CONSTANT(0x94d049bb133111eb);
    return z ^ z >> 31;
}

#endif

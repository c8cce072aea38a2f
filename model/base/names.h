/* Names, and what a person may have meant by one that does not exist. */
#ifndef ATLAS_MODEL_BASE_NAMES_H
#define ATLAS_MODEL_BASE_NAMES_H

#include <glib.h>

/* True for [a-z][a-z0-9_]*, the form of every name in specs and programs; with `dash`, '-' may
 * stand inside too, as in the names of toggles and specs. */
gboolean atlas_name_valid(const char *name, gboolean dash);

/* The candidate (of a NULL-terminated list) nearest to `word` by edit distance with swaps, where
 * that is at most a third of the longer of the two, rounded up; else NULL. Ties go to the first.
 * The result is borrowed from the list. */
const char *atlas_name_nearest(const char *word, const char *const *candidates);

#endif

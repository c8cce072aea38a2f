/* Interchangeable streams. Internal to the search. */
#ifndef ATLAS_MODEL_CHECK_SEARCH_SYMMETRY_H
#define ATLAS_MODEL_CHECK_SEARCH_SYMMETRY_H
#include <glib.h>
typedef struct Symmetry Symmetry;
static inline void symmetry_canonical(Symmetry *s, guint64 *state) { (void)s; (void)state; }
static inline void symmetry_free(Symmetry *s) { (void)s; }
#endif

/* What tests of model/solve and sim share: a spec and its runs made of text, and what follows from
 * them.
 */
#ifndef ATLAS_TESTS_UNIT_SOLVE_KIT_H
#define ATLAS_TESTS_UNIT_SOLVE_KIT_H

#include "model/solve/lp.h"

typedef struct {
    AtlasSource *spec_source, *runs_source;
    AtlasDiags *diags; /* what adding the runs reported */
    AtlasModel *model;
    AtlasRuns *runs;
    AtlasEvidence *evidence; /* the runs, in the order of the table */
    AtlasSystem *system;     /* of them all */
} Kit;

/* Spec and table (NULL, or a header alone: no runs) must be read without a problem; runs that do
 * not fit the spec are reported. */
Kit kit_new(const char *spec, const char *runs);
void kit_clear(Kit *kit);

/* The contents of a file; the caller frees it. */
char *kit_read(const char *path);

/* A configuration, which must make sense: "no-kda,iters=2". The caller frees it. */
AtlasConfig *kit_config(const AtlasModel *model, const char *settings);

/* The sum of coefs[i] / denominator * unknown i; freed with atlas_linear_free(…, 1). */
AtlasLinear *kit_form(const AtlasModel *model, const gint64 *coefs, gint64 denominator);

void kit_assert_rat(AtlasRat got, gint64 num, gint64 den);

/* Both sides are known, and are these. */
void kit_assert_interval(const AtlasInterval *interval, gint64 lo, gint64 hi);

/* Whether `inner` lies within `outer`; a side that is not known is infinite. */
gboolean kit_within(const AtlasInterval *inner, const AtlasInterval *outer);
gboolean kit_contains(const AtlasInterval *interval, AtlasRat value);
gboolean kit_same(const AtlasInterval *a, const AtlasInterval *b);

#endif

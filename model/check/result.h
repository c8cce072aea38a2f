/* Results: what was checked, each with its verdict.
 *
 * A verdict is pass, fail, or inconclusive where the evidence leaves the answer open. `external`
 * marks a statement that no arithmetic can settle: it is listed, and counts for nothing. The
 * overall verdict is the worst of the others: any fail, else any inconclusive, else pass. Where
 * there are no others, nothing was judged, which is inconclusive.
 *
 * Life cycle: atlas_result_new / atlas_result_free. A result owns its checks and all their texts.
 * Checks stand in the order they were added.
 */
#ifndef ATLAS_MODEL_CHECK_RESULT_H
#define ATLAS_MODEL_CHECK_RESULT_H

#include "model/base/table.h"

typedef enum {
    ATLAS_PASS,
    ATLAS_FAIL,
    ATLAS_INCONCLUSIVE,
    ATLAS_EXTERNAL,
    ATLAS_VERDICTS
} AtlasVerdict;

const char *atlas_verdict_name(AtlasVerdict verdict);

/* One check. Texts are NULL where there is nothing to say. */
typedef struct {
    const char *property; /* what kind of check it is: "claim" */
    char *subject;        /* what was checked, as a person would name it */
    char *place;          /* where it stands */
    AtlasVerdict verdict;
    char *expected;  /* "== 21434", "<= 74" */
    char *measured;  /* the right value, for people: "21427", "186..595" */
    AtlasRat lo, hi; /* the same for programs; equal where it is one number */
    double ms;       /* milliseconds that what was measured took a step; NAN where not known */
    char *why;       /* what the verdict rests on */
    gboolean asked;  /* an answer, not only a verdict: shown with its reason when it passes, too */
    char *note;      /* what the author of the check says about it */
    json_t *proof;   /* what was proved, for programs (tell.h), or NULL */
    gboolean told;   /* people read of it in AtlasResult.below, so that it is no row of the table */
} AtlasCheck;

typedef struct {
    GPtrArray *checks;    /* of AtlasCheck* */
    json_t *measurements; /* what was judged, for programs (measurement.h); NULL: nothing was */
    GString *below;       /* for people, between the table and the line that counts: whole lines */
} AtlasResult;

AtlasResult *atlas_result_new(void);
void atlas_result_free(AtlasResult *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasResult, atlas_result_free)

/* Adds an empty check, which passes and knows no numbers, and returns it. */
AtlasCheck *atlas_result_add(AtlasResult *result, const char *property);

static inline const AtlasCheck *atlas_result_get(const AtlasResult *result, guint i) {
    return g_ptr_array_index(result->checks, i);
}

guint atlas_result_count(const AtlasResult *result, AtlasVerdict verdict);
AtlasVerdict atlas_result_verdict(const AtlasResult *result);

/* For people, in so many columns where the places are short and there are at least 80: failing
 * checks first, then inconclusive ones, then what was asked; with `all`, the others too. Then what
 * stands in `below`, then one line that counts them all as `what` ("claims"). The caller frees it.
 */
char *atlas_result_render(const AtlasResult *result, const char *what, gboolean all,
                          gboolean colour, guint columns);

/* For programs, in the order of the checks, every one of them. The caller owns it. */
AtlasTable *atlas_result_table(const AtlasResult *result);

/* {"schema": "atlas-check/1", "verdict", "checks": [{"property", "subject", "place", "verdict",
 * "expected", "measured", "lo", "hi", "measured_ms", "why", "note", "proof"}...]}. `measured` is
 * null where lo and hi differ. Where measurements were judged, "measurements" lists them
 * (measurement.h). The caller owns it. Keys are only ever added. */
json_t *atlas_result_json(const AtlasResult *result);

/* The form of that, as a JSON Schema; the caller frees it. */
char *atlas_result_schema(void);

#endif

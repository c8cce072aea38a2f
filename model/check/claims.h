/* Claims: statements about runs, predictions and populations, each with the place it comes from.
 *
 * A claims file is YAML. It names the document that is audited and lists what that says:
 *
 *     claims: 1
 *     of: "Launch atlas, 2026-10-02"
 *     let: {kda_fwd: run(base).fwd - run(no-kda).fwd}
 *     list:
 *       - says: "The KDA arm owns 65.5 %"        # words that can be found in the document
 *         at: headline                            # and where
 *         check: share(kda) == 65.5 % +- 0.05
 *         note: "14034.4 / 21427.2"               # optional: the arithmetic, for a reader
 *       - says: "the disk was full at that moment"
 *         at: method
 *         external: "no count depends on it"      # instead of `check`: why no sums settle it
 *       - says: "the step takes 245 ms"
 *         at: totals
 *         check: run(base).ms.total == 245 ± 0.5
 *         doubt: "the card was shared"            # why what it rests on cannot settle it
 *
 * A check is one comparison, or several joined by `and`, of sums and products of
 *
 *     run(NAME).STAGE  run(NAME).total  run(NAME).ms.STAGE
 *                        what a run measured, mean a step; a total that it does not state is the
 *                        sum of its stages, as is ms.total
 *     STAGE  STAGE.GROUP  STAGE.GROUP.NAME  total
 *                        predicted launches a step of the base: a population or all those below
 *     pop(GLOB, ...)     the sum of the populations whose keys match: pop(fwd.*.kda)
 *     at(SETTINGS).X     any of these under settings: at(no-kda,iters=2).total
 *     ARM                what switching an arm off (one that is off: on) changes in the total, >= 0
 *     share(x)           x / total of the base
 *     rank(x in LIST)    1 + how many of the list are greater than x; LIST holds names of `let`, or
 *                        globs of them or of populations, with commas between
 *     sum(LIST)  count(LIST)
 *     NAME               of `let`, declared before it is used
 *
 * with == != < <= > >=, + - * / and parentheses. "x == 22.3 % +- 0.05" (or with the sign for plus
 * or minus) means within: both in percent. Everything is linear in what is unknown, or one such
 * number divided by another, so each comparison is decided by the bounds of one linear form:
 *
 *     pass          it holds for every solution that explains the runs at the stated lag
 *     fail          for none of them
 *     inconclusive  the bounds do not tell; or they do, but rest on what the claim's `doubt` says
 *
 * Bounds come from the real relaxation (lp.h): pass and fail are proved. A comparison of runs alone
 * is exact arithmetic; of a mean that is rounded too coarsely to be exact, every sum that it can
 * stand for counts. What is said of lags: a greater lag only allows more, so pass and fail hold up
 * to some lag and are inconclusive beyond; what is inconclusive may be decided at lesser ones.
 *
 * Life cycle: atlas_claims_read / atlas_claims_free; the source outlives the claims. Evaluating
 * belongs to one thread, the study's.
 */
#ifndef ATLAS_MODEL_CHECK_CLAIMS_H
#define ATLAS_MODEL_CHECK_CLAIMS_H

#include "model/check/result.h"
#include "model/launch/spec.h"
#include "model/solve/study.h"

typedef struct {
    AtlasText says, at, check, external, doubt, note;
} AtlasClaim;

typedef struct {
    AtlasText version, of;
    GArray *let;     /* of AtlasPair; may be NULL */
    GPtrArray *list; /* of AtlasClaim*; may be NULL */
    AtlasTree tree;  /* owns everything */
} AtlasClaims;

/* The form of the file, for its JSON Schema. */
extern const AtlasObjectKind atlas_claims_root;

/* Lags beyond this are not looked at. */
enum { ATLAS_CLAIMS_LAG_MAX = 1000 };

/* Adds every problem of form to `diags`; NULL only where nothing could be read at all. */
AtlasClaims *atlas_claims_read(const AtlasSource *source, AtlasDiags *diags);
void atlas_claims_free(AtlasClaims *claims);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasClaims, atlas_claims_free)

/* Evaluates every claim and adds a check for each. Adds an error for every claim that cannot be
 * evaluated; then the result is of no use. The study must be one that loaded without problems. */
void atlas_claims_evaluate(const AtlasClaims *claims, AtlasStudy *study, AtlasResult *result,
                           AtlasDiags *diags);

#endif

/* Proofs as checks, judged by what a program expects, or else by themselves.
 *
 * By itself a proof passes where its property holds, fails where it is refuted, and is inconclusive
 * where it is not decided or not modelled. A counter that lags is no fault: SMEAR fails only at a
 * read that is marked `exact`, COUNT never, and that a WINDOW is not exact is said, not judged.
 *
 * A program that expects something is judged by that, and by nothing else:
 *
 *     expect deadlock=no race=yes raceD=no
 *     expect capture=legal smear=2,0 window=exact
 *
 *     capture   legal, illegal: LEGAL                     deadlock  no, yes
 *     race      no, yes                                   raceD     no, yes: RACE_AT_DEPTH
 *     window    exact, inexact                            smear     the greatest of each read
 *     replay    equal, differs: not proved yet, so that it is inconclusive
 *     fingerprint   equal, differs: whether runs leave in memory what the order of the calls does.
 *                   That is run, not proved (backends/programs.h), and not judged here; a program
 *                   that expects nothing else is inconclusive
 */
#ifndef ATLAS_MODEL_CHECK_PROVED_H
#define ATLAS_MODEL_CHECK_PROVED_H

#include "model/base/diag.h"
#include "model/proof/prove.h"
#include "model/check/result.h"

#define ATLAS_EXPECT_FINGERPRINT "fingerprint"

AtlasVerdict atlas_proved_judge(const AtlasProof *proof);

/* Adds one check for each proof. What they say to people goes to result->below: with `full` one
 * line for each, below `subject`; else one sentence. Refutations are told in both. */
void atlas_proved_add(const AtlasProofs *proofs, const AtlasProgram *program, const char *subject,
                      gboolean full, AtlasResult *result);

/* Whether a program expects something. */
gboolean atlas_proved_expects(const AtlasProgram *program);

/* Adds one check for each expectation; an error for each that is none. What does not come as
 * expected is told in result->below, with its refutation; with `all`, what does, too. */
void atlas_proved_expected(const AtlasProofs *proofs, const AtlasProgram *program, gboolean all,
                           AtlasResult *result, AtlasDiags *diags);

#endif

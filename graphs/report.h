/* The report of a study: what its spec, runs and claims say about a step, as one document.
 *
 * Everything in it is worked out anew from the study; nothing is specific to one spec. Sections, as
 * Markdown:
 *
 *     headline        the step's total, its greatest parts, what each comes from
 *     method          the runs, the counter and its lag, what was left out
 *     stage totals    of the base run, with its milliseconds
 *     marginals       every run against the base run, beside what the model allows
 *     split           which sums of populations differences of runs measure, and how (split.h)
 *     open            what the runs do not determine, and the run that would narrow it most
 *     populations     the parts of the split, ranked: they add up to the step
 *     roadmap         what could be captured in graphs (targets.h), with ceilings and levers
 *     slips           what the claims' document says that does not hold, or that the runs leave
 * open
 *
 * A figure is measured (the mean of what a run counted), solved (one solution in whole numbers,
 * with the bounds that no solution leaves), or "unknown". Launches are means of a step.
 *
 * The TSV form has the columns section, name, stage, launches, lo, hi, ms, share and how, and the
 * sections
 *
 *     runs        what each run counted in each stage and in all: lo and hi differ where its means
 *                 are rounded; ms as timed
 *     marginals   its difference from the base run; lo and hi are what the model allows
 *     split       the cells of the split; lo and hi are solved, how is the formula
 */
#ifndef ATLAS_GRAPHS_REPORT_H
#define ATLAS_GRAPHS_REPORT_H

#include "model/check/result.h"
#include "model/solve/study.h"

typedef struct {
    AtlasStudy *study;         /* consistent (atlas_study_require) */
    AtlasRat launch_us;        /* host time of one launch, in microseconds */
    const AtlasResult *claims; /* the claims, judged; NULL: none */
    const char *claims_of;     /* the document that makes them */
} AtlasReportOf;

/* NULL, with problems added to `diags`, if the spec makes no sense in its base. The caller frees
 * the text. Finding the next run takes seconds for large specs; a terminal sees progress. */
char *atlas_report_markdown(const AtlasReportOf *of, AtlasDiags *diags);
char *atlas_report_tsv(const AtlasReportOf *of, AtlasDiags *diags);

#endif

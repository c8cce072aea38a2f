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
 *     slips           what the claims' document says that does not hold, or the runs leave open
 *
 * A figure is measured (the mean of what a run counted), given by the spec, solved (the bounds that
 * no solution leaves, at the lag that the counter is taken to have; where that is said, one
 * solution in whole numbers), or "unknown". Launches are means of a step: of the steps that the
 * base run measured, unless the long run is named. Milliseconds are timed, or a price, launches
 * times the time of one: no saving is ever stated.
 *
 * The TSV form holds all tables in one, in long form. Its columns are section, name, stage,
 * launches, lo, hi, ms (as timed), share (of the base, 1 is all of it), how, host_ms (launches less
 * graphs, at the price), graphs, kind and place; a cell that a section does not have is empty.
 * Launches are as measured where a run counted them; else they are, with share and host_ms, of one
 * solution in whole numbers, which lo and hi bound. Its sections:
 *
 *     runs         what each run counted in each stage and in all: lo and hi differ where its means
 *                  are not exact; how says why a run is left out
 *     stages       the base: launches as the run that `how` names counted them; lo and hi are
 *                  solved; of the kind "long run", over whole periods, where these launch another
 *                  mean; the stage "step" is a step as timed by a clock of its own
 *     marginals    a run's difference from the base run; lo and hi are what the model allows, over
 *                  the same steps or, of the kind "long run", over whole periods
 *     split        the cells of the split; how is the formula; kind: "part" of the step, "again"
 *                  another formula for the cell above, "off" in the base
 *     open         populations that the runs do not determine; share is the greatest it can be
 *     next_run     the run that would narrow these most; how says how far
 *     populations  the parts, ranked; kind is the rank, or ranks; how is what could merge them
 *     roadmap      targets; how is what the spec says of them; ms is what their stages took
 *     ceilings     several of these captured
 *     levers       toggles that say what else they change, in the long run
 *     slips        claims that do not pass; lo and hi are the right value; kind is the verdict, how
 *                  what was claimed and why it is not so, place where it stands
 */
#ifndef ATLAS_GRAPHS_REPORT_H
#define ATLAS_GRAPHS_REPORT_H

#include "model/check/result.h"
#include "model/solve/study.h"

typedef struct {
    AtlasStudy *study;         /* consistent (atlas_study_require) */
    AtlasRat launch_us;        /* host time of one launch, in microseconds */
    gint64 next_cost;          /* what the search for the next run may cost (next.h) */
    const AtlasResult *claims; /* the claims, judged; NULL: none */
    const char *claims_of;     /* the document that makes them */
} AtlasReportOf;

/* NULL, with problems added to `diags`, if the spec makes no sense in its base. The caller frees
 * the text. The search for the next run is limited, and the report says what it left out; a
 * terminal sees its progress. */
char *atlas_report_markdown(const AtlasReportOf *of, AtlasDiags *diags);
char *atlas_report_tsv(const AtlasReportOf *of, AtlasDiags *diags);

#endif

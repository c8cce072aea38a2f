/* The typical step of a survey, as runs of work between what parts them.
 *
 * A trace names what was launched, on which stream, and where the host waited or allocated. Between
 * two such places the order of launches does not matter to what a graph can hold, and reads and
 * writes are not told: so what stands there is gathered by stage, stream and kernel, each with how
 * often it was launched, in order of first appearance. A run has one stage; calls of several stages
 * between the same two places are several runs.
 *
 * Names are made such that specs and programs may hold them (kernel_name.h), and each its own: of
 * several that would be the same, later ones take a number. Stages whose names all begin with the
 * same word and a colon ("stage:fwd", "stage:bwd") lose it. Calls outside of every stage are of a
 * stage "outside", where anything was launched there.
 *
 * Life cycle: seen_runs_new / seen_runs_free; the survey is borrowed. Internal to graphs/seen_*.c.
 */
#ifndef ATLAS_GRAPHS_SEEN_RUNS_H
#define ATLAS_GRAPHS_SEEN_RUNS_H

#include "model/base/diag.h"
#include "model/measure/survey.h"

/* Work of one kind on one stream. */
typedef struct {
    AtlasSeenKind kind;
    const char *stream;
    const char *kernel; /* of a launch */
    gboolean pageable;  /* of a copy: the host's memory is; else it is pinned, or not told */
    gint64 ns;          /* that kernels of that name took, in the mean; 0: not known */
    gint64 count;
} SeenWork;

/* Work, then what ends it. */
typedef struct {
    const char *stage;
    GArray *work;           /* of SeenWork; may be empty */
    gboolean ended;         /* by `end`; else by another stage, or the end of the step */
    AtlasSeen end;          /* a part, or a graph launch */
    const char *end_stream; /* NULL: not told of a part */
} SeenRun;

typedef struct {
    const AtlasSurvey *survey;
    GArray *runs;       /* of SeenRun */
    GPtrArray *stages;  /* of const char*: names, one for each stage of the survey */
    GPtrArray *streams; /* of const char*: the names that occur */
    GPtrArray *kernels; /* of const char*: one for each kernel of the survey */
    gint64 *kernel_ns;  /* of each of them: SeenWork.ns */
    GStringChunk *strings;
} SeenRuns;

SeenRuns *seen_runs_new(const AtlasSurvey *survey);
void seen_runs_free(SeenRuns *runs);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SeenRuns, seen_runs_free)

/* FALSE with an error where there is no step to be written, or it captures graphs itself. */
gboolean seen_can_be_written(const AtlasSurvey *survey, AtlasDiags *diags);

/* "minimouse_base" of "../minimouse-base.json.gz", with `joint` between words. The caller frees it.
 */
char *seen_name(const AtlasSurvey *survey, char joint);

#endif

/* Problems of one input, as the readers of logs and tables report them.
 *
 * Garbage may have millions of problems: only the first ATLAS_DIAGS_SHOWN - 1 become diagnostics,
 * and a last one counts the others. In a log one cause shows at many lines: there they are `most`.
 */
#ifndef ATLAS_MODEL_MEASURE_PROBLEMS_H
#define ATLAS_MODEL_MEASURE_PROBLEMS_H

#include "model/base/diag.h"
#include "model/measure/field.h"
#include "model/measure/lines.h"

typedef struct {
    AtlasDiags *diags;
    const char *path;
    guint64 count;
    guint64 line; /* streams: the line of the last problem */
    guint64 most; /* that become diagnostics; 0: ATLAS_DIAGS_SHOWN - 1 */
} AtlasProblems;

/* A place in a stream: line 0 is the stream as a whole. */
typedef struct {
    guint64 line, column;
} AtlasPlace;

/* Where a field of a line begins, if what stands before it is ASCII, as it is where the fields
 * before it are right. */
AtlasPlace atlas_place(const AtlasLine *line, AtlasField field);

/* Adds a problem of a stream, or of a source; returns whether it became a diagnostic, so that
 * notes and hints may follow. A line of a stream has one problem at most: the first. */
gboolean atlas_problem_add(AtlasProblems *problems, AtlasPlace at, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
gboolean atlas_problem_add_at(AtlasProblems *problems, AtlasSpan at, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

/* Counts the problems that became no diagnostics, if there are any. */
void atlas_problems_end(AtlasProblems *problems);

#endif

/* Loading runs from files of either form: a run table or a log, told apart by what is in them.
 *
 * Either may be compressed with gzip, and may come from standard input, once.
 *
 * A file is named FILE or FILE@CONFIGURATION ("warm.log@no-kda,iters=2"). A log is one run of that
 * configuration, the base where none is named; a table states its configurations itself, so naming
 * one for it is an error. The last '@' behind the last '/' parts the two, so that a file whose
 * own name holds one is named with one more ("a@b.log@"); FILE may be "-" for standard input.
 */
#ifndef ATLAS_MODEL_MEASURE_LOAD_H
#define ATLAS_MODEL_MEASURE_LOAD_H

#include "model/measure/run.h"

/* The '@' that parts a file's name from a configuration; NULL where there is none. The caller frees
 * *name, which is what stands before it. */
const char *atlas_named_part(const AtlasText *named, char **name);

/* Whether what stands behind that '@', or NULL, is text; else adds the problem. */
gboolean atlas_named_check(const AtlasText *named, const char *at, AtlasDiags *diags);

/* Gives a run the configuration that stands there. */
void atlas_named_configure(AtlasRuns *runs, AtlasRun *run, const AtlasText *named, const char *at);

/* Appends the runs of a named file. `named` holds the name and its place; `directory` (or NULL)
 * is where a relative FILE is looked for; `window` (or NULL) names the warm steps of a log, which a
 * table states itself, so that naming them for it is an error; `sources` takes over the text of a
 * table (make it with atlas_source_free as its free function) and must live as long as the runs.
 * Adds every problem to `diags`; returns whether there was none. */
gboolean atlas_runs_load(AtlasRuns *runs, const AtlasText *named, const char *directory,
                         const AtlasWindow *window, GPtrArray *sources, AtlasDiags *diags);

#endif

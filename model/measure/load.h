/* Loading runs from files of either form: a run table or a log, told apart by what is in them.
 *
 * A file is named FILE or FILE@CONFIGURATION ("warm.log@no-kda,iters=2"). A log is one run of that
 * configuration, the base where none is named; a table states its configurations itself, so naming
 * one for it is an error. The last '@' behind the last '/' parts the two; FILE may be "-" for
 * standard input.
 */
#ifndef ATLAS_MODEL_MEASURE_LOAD_H
#define ATLAS_MODEL_MEASURE_LOAD_H

#include "model/measure/run.h"

/* Appends the runs of a named file. `named` holds the name and its place; `directory` (or NULL)
 * is where a relative FILE is looked for; `sources` takes over the text of a table (make it with
 * atlas_source_free as its free function) and must live as long as the runs. Adds every problem to
 * `diags`; returns whether there was none. */
gboolean atlas_runs_load(AtlasRuns *runs, const AtlasText *named, const char *directory,
                         GPtrArray *sources, AtlasDiags *diags);

#endif

/* The study's log format: launch counts printed by a training program itself.
 *
 *     ATLAS⇥STEP⇥STAGE⇥LAUNCHES⇥MS             one row for each stage of each step
 *     ATLAS-WARM⇥[A-B⇥]STAGE⇥MEAN⇥MS           the program's own summary (STAGE may be `total`)
 *     ATLAS-ABOUT⇥KEY⇥VALUE                    what it was counted by (provenance.h)
 *
 * stand among any other lines, which are skipped whatever they are (they may be no UTF-8 and of
 * any length up to 1 GiB), unless they begin with what is nearly one of these words. ⇥ is one tab.
 * LAUNCHES is a whole number >= 0, MS a decimal number >= 0. The log may be compressed with gzip
 * (file.h).
 *
 * A log is one run of one process: every step has every stage once, in the order of the first
 * step, and steps count up by one. Anything else (a step that comes again, a stage twice, a row
 * cut in the middle, a step that lacks a stage) is an error at its line: two processes wrote into
 * one file, or lines were lost. A last step that is incomplete is an error too, and so is a last
 * line without a line end, of which it cannot be told whether its last number is whole.
 *
 * The warm window is the last third of the log's steps (of N steps the last ceil(N / 3), but no
 * more than ATLAS_LOG_WARM_MAX) unless the caller names one. The first step of a log is never warm:
 * a log of one step has no warm window. ATLAS-WARM rows are compared with the rows' own means over
 * their window (A-B, else the last third of the log), to the decimals printed, and are never
 * counted as rows. Their MS is not compared: a program averages times that it has not rounded, rows
 * print them rounded. Stages are names ([a-z][a-z0-9_]*); `total` in a summary is the sum of all
 * stages.
 *
 * ATLAS-ABOUT rows may stand anywhere. A key that comes again must have the same value, but for
 * `lost`, of which the greatest counts. Example of a head that a program prints:
 *
 *     ATLAS-ABOUT⇥device⇥NVIDIA H200
 *     ATLAS-ABOUT⇥driver⇥580.159.04
 *     ATLAS-ABOUT⇥counted⇥calls
 *     ATLAS-ABOUT⇥lag⇥0
 *
 * Memory: a log is streamed; what is kept is 16 bytes a row of the last 65,536 steps, of which 8
 * stay in the run, some more for each summary, and none for other lines, however long. So it does
 * not grow with the log.
 */
#ifndef ATLAS_MODEL_MEASURE_LOG_H
#define ATLAS_MODEL_MEASURE_LOG_H

#include "model/measure/file.h"
#include "model/measure/run.h"

/* The longest window that a log has by itself, in steps. */
enum { ATLAS_LOG_WARM_MAX = 50000 };

/* Reads a log from a file and appends it to `runs` as a run named after the file (its last path
 * component without ".log", ".gz" or both). `window` NULL means the last third; a named one must
 * lie inside the log's steps, the last 65,535 of them where there are more. Adds problems to
 * `diags` (file:line:column each; where a line itself is quoted, the message holds it, since
 * streamed text has no source); returns the run, or NULL if there was any. */
AtlasRun *atlas_log_read(AtlasRuns *runs, AtlasFile *file, const AtlasWindow *window,
                         AtlasDiags *diags);

/* The same for `length` bytes in memory. */
AtlasRun *atlas_log_parse(AtlasRuns *runs, const char *name, const char *text, gsize length,
                          const AtlasWindow *window, AtlasDiags *diags);

/* TRUE if a text looks like such a log: a line that starts with "ATLAS" and a tab. */
gboolean atlas_log_recognise(const char *text, gsize length);

#endif

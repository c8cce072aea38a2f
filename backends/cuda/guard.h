/* The process that watches over another one of this program, in which replays are made.
 *
 * What talks to the driver and to CUPTI in a replay may hang or crash there. So main, asked for the
 * GPU, starts this program once more with the same arguments behind CUDA_WATCHED_OPTION, and only
 * watches (watch.h): what is printed, and the exit status, are the other one's. That one hangs
 * where nothing was done for longer than it allowed itself. It ends with this process, however this
 * ends, and the other way round.
 */
#ifndef ATLAS_BACKENDS_CUDA_GUARD_H
#define ATLAS_BACKENDS_CUDA_GUARD_H

#include "backends/cuda/watch.h"

/* argv[1] of a watched process; argv[2] is its watcher's process id (for cuda_watch_attach). */
#define CUDA_WATCHED_OPTION "--cuda-watched"

/* Runs this program, watched, with these arguments (argv[0] is left out), and returns its exit
 * status; -1, with one sentence saying what hung or crashed, where it has none. */
int cuda_guard(char **argv, GError **error);

#endif

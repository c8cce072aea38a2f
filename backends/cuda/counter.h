/* A counter of launches that a replay does not control: CUPTI.
 *
 * CUPTI calls back on every launch call of the driver, tells of every node that a capture makes,
 * and records every kernel that the device executes, with the kernel's name. So calls, submissions
 * and graph nodes come from what the driver was asked, activities from what the device did. The
 * only thing that is taken from the replay is when a stage begins (cuda_counter_mark), as a user's
 * program would tell a profiler; kernels are put into stages by the correlation with their launch.
 *
 * The library is loaded at run time: one that the process has loaded already, else libcupti.so.13
 * or .12 on the loader's path, in $CUDA_HOME, in /usr/local/cuda. It stays loaded, and attached
 * CUPTI makes graph launches dear, so that what is to be timed comes before the first counter.
 */
#ifndef ATLAS_BACKENDS_CUDA_COUNTER_H
#define ATLAS_BACKENDS_CUDA_COUNTER_H

#include <glib.h>

#include "sim/execution.h"

typedef struct CudaCounter CudaCounter;

/* Starts to count. `activities`: kernels too, not only calls. NULL with an error that says what
 * refuses, and what to do about it. One counter at a time. */
CudaCounter *cuda_counter_new(gboolean activities, GError **error);
void cuda_counter_free(CudaCounter *counter);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CudaCounter, cuda_counter_free)

/* Whether a counter was ever made in this process. */
gboolean cuda_counter_was(void);

/* Which execution to count for; what is called from now on belongs to its row 0, stage 0. */
void cuda_counter_open(CudaCounter *counter, AtlasExecution *into);

/* What is called from now on belongs to this row and stage. */
void cuda_counter_mark(CudaCounter *counter, guint row, guint stage);

/* Waits for all records; nothing counts for the execution any more. The device must be idle. FALSE
 * with an error where CUPTI fails. */
gboolean cuda_counter_close(CudaCounter *counter, GError **error);

/* The execution goes away before its end: nothing counts for it any more. */
void cuda_counter_drop(CudaCounter *counter);

/* Records that were lost: activities are then lower bounds. */
gint64 cuda_counter_lost(const CudaCounter *counter);

/* Kernels that were executed and are none of a replay's. */
gint64 cuda_counter_strangers(const CudaCounter *counter);

/* CUPTI's own version: "130001". */
const char *cuda_counter_version(const CudaCounter *counter);

#endif

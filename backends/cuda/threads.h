/* Host threads by number, each performing one job at a time. */
#ifndef ATLAS_BACKENDS_CUDA_THREADS_H
#define ATLAS_BACKENDS_CUDA_THREADS_H

#include <glib.h>

typedef void CudaJob(gpointer data);
typedef struct CudaThreads CudaThreads;

/* `enter` is the first job of every thread, with `data`. */
CudaThreads *cuda_threads_new(CudaJob *enter, gpointer data);

/* Performs a job on the thread with this number (from 1), which begins to exist now if it did not,
 * and returns when it is done. FALSE with an error where the thread cannot be made. */
gboolean cuda_threads_perform(CudaThreads *threads, guint number, CudaJob *job, gpointer data,
                              GError **error);

/* The same on every thread that exists, one after another. */
void cuda_threads_perform_all(CudaThreads *threads, CudaJob *job, gpointer data);

/* Ends all threads. */
void cuda_threads_free(CudaThreads *threads);

#endif

/* Watching a process that talks to the driver, which may hang or crash there.
 *
 * The two share a page. The watched process takes down on it what it is about to do, and beats
 * whenever something was done; its watcher ends it where that stays away for too long, and knows
 * what it was doing, however it ended. A process that nobody watches writes to a page of its own.
 *
 *     watcher                                  watched
 *     CudaWatch *page = cuda_watch_new(&fd);
 *     … starts it with fd as CUDA_WATCH_FD …   cuda_watch_attach(parent);
 *                                              cuda_watch_phase("…"), cuda_watch_op(…), cuda_beat()
 *     … reads page …
 *     cuda_watch_free(page);
 */
#ifndef ATLAS_BACKENDS_CUDA_WATCH_H
#define ATLAS_BACKENDS_CUDA_WATCH_H

#include "model/op/program.h"

/* Where a watched process finds its page, and a pipe whose other end tells its watcher that it has
 * ended (of guard.h; nothing else holds it). */
enum { CUDA_WATCH_FD = 3, CUDA_WATCH_END_FD = 4 };

/* Seconds without a beat, where nobody names a number: in general, and while the driver is loaded,
 * which takes as long as all GPUs of a machine take to wake up. */
enum { CUDA_LIMIT_S = 10, CUDA_LOAD_LIMIT_S = 60 };

typedef struct {
    gint64 beats;
    gint64 limit_us; /* the longest time without a beat; 0: nothing of the driver's is going on */
    gint64 calls;    /* answered since the program began (pool.h) */
    gint64 step;     /* of the op; -1: none */
    guint op;        /* the op that is being performed; G_MAXUINT: none, but `phase` goes on */
    guint line;      /* of its file; 0: none */
    AtlasOpKind kind;
    char phase[64];   /* "a context was opened" */
    char program[64]; /* the name of the program that the op is of */
} CudaWatch;

/* The page of this process. */
extern CudaWatch *cuda_watch;

/* Something was done. From any thread. */
static inline void cuda_beat(void) {
    __atomic_fetch_add(&cuda_watch->beats, 1, __ATOMIC_RELAXED);
}

static inline gint64 cuda_watch_beats(const CudaWatch *page) {
    return __atomic_load_n(&page->beats, __ATOMIC_RELAXED);
}

/* An op begins. */
static inline void cuda_watch_op(guint op, AtlasOpKind kind, guint line, gint64 step) {
    cuda_watch->op = op;
    cuda_watch->kind = kind;
    cuda_watch->line = line;
    cuda_watch->step = step;
    cuda_beat();
}

/* Nothing of a program was performed yet: what its watcher, too, may say. */
void cuda_watch_idle(CudaWatch *page);

/* Something else begins: "a context was opened". */
void cuda_watch_phase(const char *phase);

/* From now on no longer than this without a beat; 0: for ever. */
void cuda_watch_limit(gint64 limit_us);

/* Whose ops come now. */
void cuda_watch_program(const char *name);

/* Makes a page, and a descriptor of it to hand on, which the caller closes. NULL with an error. */
CudaWatch *cuda_watch_new(int *fd, GError **error);
void cuda_watch_free(CudaWatch *page);

/* Takes up the page, and ends with the parent (a process id in words) from now on; FALSE where
 * that has ended before. */
gboolean cuda_watch_attach(const char *parent);

/* What a watched process was doing, as a part of a sentence: "while a context was opened", "in
 * cuStreamSynchronize (program 'x', line 12, step 3)". The caller frees it. */
char *cuda_watch_describe(const CudaWatch *page);

/* Ends a process, whatever it does, and returns how it ended, as waitpid says; -1 where it does not
 * end: the kernel then holds it inside of the driver. */
int cuda_watch_end(GPid pid);

/* Whether a process that was ended by this signal may have been ended by the driver: by a fault.
 * All others come from elsewhere (Ctrl-C, want of memory, a limit). */
gboolean cuda_watch_is_fault(int signal);

#endif

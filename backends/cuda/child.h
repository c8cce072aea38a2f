/* The process that talks to the driver, and what is said between it and its parent.
 *
 * Programs can hang or crash the driver, so they run in a process of their own: the parent (pool.h)
 * starts this program again with CUDA_CHILD_OPTION and a socket as its standard input. The child
 * says READY, or REFUSED with the reason. Then the parent sends programs, one at a time: a
 * CudaRequest and the program's text. For each the child says ANSWER after each op whose answer is
 * not the one that it said before, and DONE; or FAILED, where it could not open a context or make a
 * thread, or lost the device, after which it ends. Which op it performs stands on the page that the two share
 * (watch.h), so the parent always knows at which op a child that stopped has stopped: the number of
 * ops while it counts at the end.
 *
 * Both ends are the same binary: messages are structs as they lie in memory.
 */
#ifndef ATLAS_BACKENDS_CUDA_CHILD_H
#define ATLAS_BACKENDS_CUDA_CHILD_H

#include "model/machine/outcome.h"

/* argv[1] of a child; argv[2] is its parent's process id. */
#define CUDA_CHILD_OPTION "--cuda-child"

typedef struct {
    gint64 steps;   /* >= 1 */
    guint64 length; /* bytes of the text that follows */
    guint sharing;  /* programs that may follow each other in one context */
} CudaRequest;

typedef enum {
    CUDA_SAYS_READY,   /* text: the device's name; number: the driver's version as CUDA gives it */
    CUDA_SAYS_REFUSED, /* text: what is missing */
    CUDA_SAYS_ANSWER,  /* op, answer */
    CUDA_SAYS_DONE,    /* number: kernels executed; -1: unknown, and text says why */
    CUDA_SAYS_FAILED   /* text: why */
} CudaSays;

typedef struct {
    CudaSays says;
    guint op;
    gint64 number;
    AtlasAnswer answer;
    char text[512];
} CudaMessage;

/* Sends all of it, from either end; FALSE where the other one is gone. */
gboolean cuda_send(int socket, const void *data, gsize length);

/* Serves a parent on standard input until it closes its end; what main does for a child. Ends with
 * its parent, however that ends. Returns the exit status. */
int cuda_child_main(const char *parent);

#endif

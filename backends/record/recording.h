/* A recording: what a recorded process leaves behind, as the injected library (inject/) writes it
 * and reading.h reads it.
 *
 * It is one file a process, mapped while the process runs and counted into where it lies: whatever
 * ends the process (a signal, _exit, exec), what was counted up to then is in the file. Both sides
 * are of one build; nobody else reads it. The folder it lies in is named by RECORD_FOLDER, and is
 * gone when the recorder ends.
 *
 *     RecordHead, then pieces up to `used`, each of which says its kind and its size (a multiple of
 *     8). A piece is whole before `used` takes it in; its numbers go on counting afterwards.
 *
 * Names (of ranges, kernels) are pieces of their own and have ids from 1 in the order in which they
 * came; 0 is none. So have ranges and threads. Times are nanoseconds of CLOCK_MONOTONIC.
 *
 * No GLib here: the library is loaded into programs that have none.
 */
#ifndef ATLAS_BACKENDS_RECORD_RECORDING_H
#define ATLAS_BACKENDS_RECORD_RECORDING_H

#include <stdint.h>

#define RECORD_MAGIC "atlas-recording/1"

/* Environment variables by which the recorder speaks to the library. */
#define RECORD_FOLDER "ATLAS_RECORD_FOLDER" /* where recordings go */
#define RECORD_STAGES "ATLAS_RECORD_STAGES" /* names of stages, commas between; unset: all ranges */
#define RECORD_DETAIL "ATLAS_RECORD_DETAIL" /* "activities", or unset */

/* X(number, name): what is counted, and what programs call it. Only calls that succeeded count. */
#define RECORD_COUNTS(X)                                                                           \
    X(CALLS, "calls")       /* that launch a kernel, those made while capturing included */        \
    X(CAPTURED, "captured") /* of these: became nodes of a graph */                                \
    X(GRAPH_LAUNCHES, "graph_launches")                                                            \
    X(GRAPH_NODES, "graph_nodes")       /* kernel nodes of the graphs launched */                  \
    X(UNKNOWN_GRAPHS, "unknown_graphs") /* graph launches whose kernel nodes are not all known */  \
    X(ACTIVITIES, "activities")         /* kernels that the device executed; with detail */        \
    X(GRAPH_ACTIVITIES, "graph_activities") /* of these: inside graphs */                          \
    X(DEVICE_NS, "device_ns")               /* their time, summed */                               \
    X(READS, "reads")                       /* copies to the host */                               \
    X(UPLOADS, "uploads")                   /* copies from the host */                             \
    X(COPIES, "copies") /* others, and those whose direction the call does not say */              \
    X(MEMSETS, "memsets")                                                                          \
    X(STREAM_SYNCS, "stream_syncs")                                                                \
    X(EVENT_SYNCS, "event_syncs")                                                                  \
    X(CONTEXT_SYNCS, "context_syncs")                                                              \
    X(ALLOCATIONS, "allocations")                                                                  \
    X(FREES, "frees")                                                                              \
    X(CAPTURES, "captures") /* begun */                                                            \
    X(INSTANTIATIONS, "instantiations")

enum {
#define RECORD_COUNT(number, name) RECORD_##number,
    RECORD_COUNTS(RECORD_COUNT)
#undef RECORD_COUNT
        RECORD_COUNT_KINDS
};

enum { RECORD_ATTACHED = 1, RECORD_ENDED = 2, RECORD_FLUSHED = 4, RECORD_NAMED_STAGES = 8 };

typedef struct {
    char magic[24];
    uint32_t head_size, count_kinds;
    uint64_t used;    /* bytes from the beginning of the file */
    uint64_t lost;    /* how often there was no room: for ranges, kernels and launches */
    uint64_t lost_at; /* when that was first */
    uint64_t started; /* when the recording began */
    uint32_t flags;   /* RECORD_ATTACHED: launches are counted; _ENDED: exit handlers have run;
                          _FLUSHED: so that all activities are in; _NAMED_STAGES: RECORD_STAGES was
                          set */
    int32_t pid;
    uint32_t cupti;           /* its version: 130001 */
    uint32_t driver;          /* the version of CUDA it is for: 13000 */
    uint32_t devices;         /* that kernels were launched on */
    uint32_t nvtx;            /* libraries that name ranges through NVTX */
    uint64_t lost_activities; /* records that CUPTI dropped, or whose launch was forgotten */
    char device[96];          /* the first one's name */
    char why[320]; /* why launches are not counted; "" where they are, or CUDA was not started */
} RecordHead;

enum { RECORD_NAME = 1, RECORD_RANGE, RECORD_BLOCK, RECORD_USE };

typedef struct {
    uint32_t kind, size;
} RecordPiece;

typedef struct {
    RecordPiece piece;
    uint32_t id, length;
    char text[]; /* bytes, which need not be UTF-8 */
} RecordName;

/* A range of NVTX that is a stage or may be a step: it began once, and ended once. */
typedef struct {
    RecordPiece piece;
    uint32_t id, parent; /* the innermost range that was open on its thread then, or 0 */
    uint32_t name, thread;
    uint32_t stage;      /* may hold launches: with RECORD_STAGES, it is named there */
    uint32_t block;      /* offset of the block that its own thread counts into / 8, or 0 */
    uint64_t begin, end; /* end 0: still open */
} RecordRange;

/* What one thread counted for one range, or for none (0), from `begin` on: for a range of its own
 * until another began in it, else until a range began or ended anywhere in the process. */
typedef struct {
    RecordPiece piece;
    uint32_t range, thread;
    uint64_t begin;
    uint64_t counts[RECORD_COUNT_KINDS];
} RecordBlock;

/* How often one thread launched one kernel on one stream in ranges of one name, in all. */
typedef struct {
    RecordPiece piece;
    uint32_t kernel; /* name */
    uint32_t range;  /* name, or 0: in none */
    uint32_t thread;
    uint32_t stream; /* 0 the legacy one, 1 the threads' own, others as they were first used */
    uint64_t calls, captured;
} RecordUse;

#endif

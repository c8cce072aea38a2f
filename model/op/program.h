/* Programs: what a host does to a GPU, as a list of ops, in memory and as text.
 *
 * A program is the one object that all parts share: a spec lowers to it, the simulator counts it,
 * the checker proves things about it, the CUDA backend runs it. Loops and counts are kept as they
 * are written, never unrolled.
 *
 * Text form. A file holds programs one after another, one op a line:
 *
 *     # no-kda                                  a program's name opens it
 *     // any text                               a comment, on a line of its own
 *     stream main nonblocking
 *     buffer act x4                             a buffer with one part for each iteration
 *     step                                      one training step, repeated as often as asked
 *       stage fwd                               what follows counts in stage fwd
 *       loop 4 as i                             i = 0, 1, 2, 3; `loop 1..3 as i` is i = 1, 2, 3
 *         launch main kda x786 r:h,params w:h,act[i] of:fwd.main.kda
 *       end
 *       launch main head x102 every:4 => OK
 *     end
 *     executed 3246
 *
 * A line is `[@THREAD ]OP OPERANDS… [ATTRIBUTES…] [=> RESULT [DETAILS…]]`; lines inside step and
 * loop are indented by two spaces a level when written, by anything when read. Words are parted by
 * spaces or tabs, one when written; other control characters stand nowhere. `executed N` closes a
 * program with its number of executed launches. An empty line ends a program; it and the end of the
 * file are the only other ways to end one. Nothing but empty lines stands outside of programs; a
 * file has at least one. Op words, their operands and attributes stand in the table at the top of
 * op.c, with the driver call each stands for; only driver calls have a result. `end` alone ends a
 * step or loop, `end STREAM GRAPH` a capture.
 *
 * Attributes (only where the table allows them):
 *   xN            repeated N times, serially, on the same stream
 *   r:a,b[i]      buffers read;  w: written;  f: written to newly allocated memory
 *   a:lr@step     scalar arguments: by value and constant (a:n), by value and new in each step
 *                 (a:lr@step), read from device memory (a:lr@device)
 *   every:E       only in steps that are multiples of E
 *   of:KEY        the population the launches belong to
 *   us:12.5       how long each launch's kernel takes at least, in microseconds
 * They stand in any order, each once, and are written in this one. Buffers never stand anywhere but
 * behind r:, w: and f:, for every op alike (`host_read r:loss`, `dtoh_async s pinned r:a w:b`). A
 * kernel whose name reads as a count (x1) is one only before a count: `launch s x1 x1`.
 *
 * An index is a whole number, a loop's name, or a sum of the two: act[2], act[i], act[i+1],
 * act[i-1], act[3-i].
 *
 * Names have the form of names.h; a population's key is names with points between them; a
 * program's name may have several words. Names are declared before use where the form has a
 * declaration for them (stream, event, buffer, scalar, flag), in any program that declares one of
 * that kind; `legacy` and `ptds` need none. A stream or event may be declared again: the driver
 * makes another one; a buffer, scalar or flag may not. Graphs, execs and allocations may be named
 * without a declaration: the driver answers for those.
 *
 * A program has at most one step, which stands in no block, as expect, depth and slot do; depth and
 * slot stand at most once. every: stands inside of step only. A loop's name differs from those of
 * the loops around it. An index lies inside the declared parts of its buffer, in every iteration.
 *
 * Invariants of a program in memory: blocks are balanced; every string is interned in the
 * program's file (equal strings are equal pointers); lists belong to the file.
 */
#ifndef ATLAS_MODEL_OP_PROGRAM_H
#define ATLAS_MODEL_OP_PROGRAM_H

#include "model/base/diag.h"

typedef enum {
    /* structure */
    ATLAS_OP_STEP,
    ATLAS_OP_LOOP,
    ATLAS_OP_END_BLOCK,
    ATLAS_OP_STAGE,
    ATLAS_OP_COMMENT,
    ATLAS_OP_EXPECT, /* a verdict of a property: `expect race=no` */
    ATLAS_OP_DEPTH,  /* what a stream holds before the host blocks: launches, copies, graph launches
                        and the like; with `entries`, records and waits take a place, too */
    ATLAS_OP_SLOT,   /* when one of them is freed: `retire` or `start` */
    /* declarations */
    ATLAS_OP_STREAM,
    ATLAS_OP_EVENT,
    ATLAS_OP_BUFFER,
    ATLAS_OP_SCALAR,
    ATLAS_OP_FLAG,
    /* capture */
    ATLAS_OP_MODE,
    ATLAS_OP_BEGIN,
    ATLAS_OP_END_CAPTURE,
    ATLAS_OP_STATUS,
    /* work on a stream */
    ATLAS_OP_LAUNCH,
    ATLAS_OP_MEMSET_ASYNC,
    ATLAS_OP_DTOD_ASYNC,
    ATLAS_OP_HTOD_ASYNC,
    ATLAS_OP_DTOH_ASYNC,
    ATLAS_OP_HOST_FN,
    ATLAS_OP_STREAM_CALLBACK,
    ATLAS_OP_MALLOC_ASYNC,
    ATLAS_OP_FREE_ASYNC,
    ATLAS_OP_FLAG_WAIT, /* the stream waits until the flag is set; the simulated driver does not
                           wait, and takes flags to be set in time */
    ATLAS_OP_FLAG_SET,  /* the stream sets it */
    /* events and waiting */
    ATLAS_OP_RECORD,
    ATLAS_OP_RECORD_EXTERNAL,
    ATLAS_OP_WAIT,
    ATLAS_OP_WAIT_EXTERNAL,
    ATLAS_OP_SYNC_STREAM,
    ATLAS_OP_QUERY_STREAM,
    ATLAS_OP_SYNC_EVENT,
    ATLAS_OP_QUERY_EVENT,
    ATLAS_OP_SYNC_CTX,
    /* the host */
    ATLAS_OP_HOST_READ,
    ATLAS_OP_HOST_WRITE,
    ATLAS_OP_HOST_SET, /* the host gives a scalar a new value */
    ATLAS_OP_HOST_FLAG_SET,
    ATLAS_OP_HOST_FLAG_WAIT,
    ATLAS_OP_COUNTER_READ, /* the host reads the launch counter; `exact`: it is expected exact */
    /* memory and other calls */
    ATLAS_OP_MALLOC,
    ATLAS_OP_FREE,
    ATLAS_OP_HOST_ALLOC,
    ATLAS_OP_HOST_FREE,
    ATLAS_OP_MEMSET_SYNC,
    ATLAS_OP_HTOD_SYNC,
    ATLAS_OP_DTOH_SYNC,
    ATLAS_OP_MODULE_LOAD,
    ATLAS_OP_EVENT_CREATE,
    ATLAS_OP_STREAM_CREATE,
    ATLAS_OP_MEM_INFO,
    /* graphs */
    ATLAS_OP_INSTANTIATE,
    ATLAS_OP_INSTANTIATE_AUTOFREE,
    ATLAS_OP_GRAPH_LAUNCH,
    ATLAS_OP_UPDATE,
    ATLAS_OP_DESTROY_EXEC,
    ATLAS_OP_DESTROY_GRAPH,
    ATLAS_OP_KINDS /* how many there are */
} AtlasOpKind;

/* Bounds that hold for every program that was read: blocks inside each other; host threads; how
 * often one line is performed in one pass (the product of the loops around it and its xN), so that
 * sums over a file of any size fit 64 bits; parts of a buffer. */
#define ATLAS_PROGRAM_NESTING_MAX 64
#define ATLAS_PROGRAM_THREADS_MAX 64
#define ATLAS_PROGRAM_TIMES_MAX G_GINT64_CONSTANT(10000000000)
#define ATLAS_PROGRAM_PARTS_MAX (G_GINT64_CONSTANT(1) << 20)

/* What one launch may cost: from a nanosecond to a second. */
#define ATLAS_PROGRAM_COST_MAX G_GINT64_CONSTANT(1000000000)
#define ATLAS_PROGRAM_COST_HINT                                                                    \
    "microseconds, above 0 and up to 1000000, with at most three digits behind the point: 12.5"

/* Reads such a cost as nanoseconds; 0 where it is none. */
gint64 atlas_program_cost(const char *text, gsize length);

/* A buffer that is read or written. Which part of a per-iteration buffer: offset + sign * loop;
 * `loop` is NULL for a fixed part; `indexed` is FALSE for a whole buffer. */
typedef struct {
    const char *buffer;
    const char *loop;
    gint64 offset;
    int sign; /* 1 or -1; 0 where loop is NULL */
    gboolean indexed;
} AtlasAccess;

typedef enum { ATLAS_ARG_CONST, ATLAS_ARG_HOST_PER_STEP, ATLAS_ARG_DEVICE } AtlasArgKind;

typedef struct {
    const char *name;
    AtlasArgKind kind;
} AtlasArg;

typedef struct {
    AtlasOpKind kind;
    AtlasSpan at;            /* the line, where it was read; the item of the spec, where that was
                                lowered; no source where it was made */
    guint thread;            /* host thread, from 1 */
    const char *operands[3]; /* in the order of the text; NULL where left out */
    gint64 count;            /* launch: xN, >= 1; buffer: parts; depth: N; 1 where not written */
    gint64 first, last;      /* loop: the index's range, inclusive; last < first: never */
    gint64 every;            /* 1: every step */
    const char *of;          /* population key, or NULL */
    gint64 cost_ns;          /* launch: us:, in nanoseconds; 0: not stated */
    GArray *reads, *writes, *fresh; /* of AtlasAccess; NULL where empty */
    GArray *args;                   /* of AtlasArg; NULL where empty */
    const char *text;               /* comment and expect: what follows the word; one line */
    const char *result;             /* expected result, or NULL */
    const char *details;            /* what follows the result on the line, or NULL */
} AtlasOp;

typedef struct {
    const char *name;
    AtlasSpan at;
    GArray *ops;     /* of AtlasOp */
    gint64 executed; /* -1 where not stated */
} AtlasProgram;

/* The programs of one file, with all their strings and lists. */
typedef struct AtlasProgramFile AtlasProgramFile;

AtlasProgramFile *atlas_program_file_new(void);
void atlas_program_file_free(AtlasProgramFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasProgramFile, atlas_program_file_free)

/* The file's programs, in order; owned by the file. */
guint atlas_program_file_count(const AtlasProgramFile *file);
AtlasProgram *atlas_program_file_get(AtlasProgramFile *file, guint index);

/* Interns a string in the file. */
const char *atlas_program_file_intern(AtlasProgramFile *file, const char *text);

/* Adds an empty program. */
AtlasProgram *atlas_program_file_add(AtlasProgramFile *file, const char *name);

/* Appends an op of the given kind with every field at its default and returns it for filling in;
 * the pointer holds until the next append. Operands must be interned; lists made with
 * atlas_program_list_new. */
AtlasOp *atlas_program_append(AtlasProgram *program, AtlasOpKind kind);

/* A new list of AtlasAccess or AtlasArg that the file owns. */
GArray *atlas_program_list_new(AtlasProgramFile *file, gsize element_size);

/* Appends, as AtlasAccess, what an op writes: its w:, then what stands in its f: alone. */
void atlas_op_written(const AtlasOp *op, GArray *into);

/* Reads every program of a source. All problems are added to `diags`, one for each faulty line and
 * for each name that lacks its declaration, up to 1,000; returns NULL if there was any. The source
 * must outlive the file (ops hold spans into it). */
AtlasProgramFile *atlas_program_read(const AtlasSource *source, AtlasDiags *diags);

/* Appends the text form of one program, with its closing empty line; of one op, without
 * indentation or line end. What atlas_program_read made of canonical text is written back byte for
 * byte. */
void atlas_program_write(const AtlasProgram *program, GString *out);
void atlas_op_write(const AtlasOp *op, GString *out);

/* The same without its result. */
void atlas_op_write_call(const AtlasOp *op, GString *out);

/* The word that names an op kind in the text form. */
const char *atlas_op_word(AtlasOpKind kind);

/* The driver call that an op kind stands for, or NULL. */
const char *atlas_op_call(AtlasOpKind kind);

/* Appends how a line of this kind looks: "record EVENT STREAM [every:E] [=> RESULT]". */
void atlas_op_usage(AtlasOpKind kind, GString *out);

#endif

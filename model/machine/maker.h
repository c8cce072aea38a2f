/* What random.c makes programs with: chance, names, and ops that use what is there. For random.c
 * and maker.c only.
 */
#ifndef ATLAS_MODEL_MACHINE_MAKER_H
#define ATLAS_MODEL_MACHINE_MAKER_H

#include "model/op/program.h"

enum { STREAMS_MOST = 3, EVENTS_MOST = 3 };

/* What a program consists of: single ops by subject, and a few things that take several ops. */
typedef enum {
    WORK,  /* kernels, copies, host functions on a stream */
    ORDER, /* record and wait */
    BEGIN,
    END,
    SYNC,     /* of streams, events, the context */
    OTHER,    /* calls that have to do with no stream */
    MEMORY,   /* allocated and freed in stream order */
    GRAPH,    /* whatever is done with graphs and execs */
    EXTERNAL, /* external events */
    FORK,     /* record, wait, work on the other stream; most are joined again */
    CAPTURE,  /* a whole capture, mostly without faults, instantiated and launched */
    TWIN,     /* the last whole capture once more, with a change, and an update to it */
    AGAIN,    /* a stream or event under an old name */
    PARTS
} Part;

/* Themes: how often each part comes, of a sum that differs. */
typedef struct {
    guint8 weights[PARTS];
    guint8 threads;  /* at most */
    guint8 specials; /* of 100 streams, so many are legacy or ptds */
} Theme;

typedef struct {
    const char *stream;
    guint thread;
} Open;

typedef struct {
    AtlasProgramFile *file;
    AtlasProgram *program;
    const Theme *theme;
    guint64 random;
    guint threads;
    const char *streams[STREAMS_MOST + 2]; /* with legacy and ptds */
    guint streams_len;
    const char *events[EVENTS_MOST];
    guint events_len;
    guint graphs, execs, memories, hosts; /* names given so far: g0, g1 … */
    GArray *open;                         /* of Open: captures that were begun */
    guint first, last;                    /* the ops of the last whole capture, its end left out */
} Maker;

/* ---- chance ----
 *
 * Every one of these draws from one sequence, so a call has at most one argument that does: in which
 * order arguments are evaluated is the compiler's choice, and programs would be others with another.
 */

guint64 maker_next_random(Maker *m);
guint maker_below(Maker *m, guint bound); /* from 0 */
gboolean maker_chance(Maker *m, guint percent);

/* ---- names ---- */

/* "s0" */
const char *maker_numbered(Maker *m, char letter, guint number);

/* One of `made` names, mostly the newest; rarely one that does not exist yet. */
const char *maker_recent(Maker *m, char letter, guint made);

/* Any stream, event, thread, capture mode, kind of copy. */
const char *maker_stream(Maker *m);
const char *maker_event(Maker *m);
guint maker_thread(Maker *m);
Open maker_any(Maker *m); /* a stream, then a thread */
const char *maker_mode(Maker *m);
const char *maker_copy_kind(Maker *m);

/* ---- ops ---- */

/* Appends an op of a host thread with its operands; of any thread, which is chosen last. */
AtlasOp *maker_put(Maker *m, guint number, AtlasOpKind kind, const char *first, const char *second);
AtlasOp *maker_put_any(Maker *m, AtlasOpKind kind, const char *first, const char *second);

/* Appends something of the part's kind; what has a stream and thread for parameters, on those. */
void maker_work(Maker *m, guint number, const char *on);
void maker_order(Maker *m);
void maker_begin(Maker *m);
void maker_end(Maker *m);
void maker_sync_or_query(Maker *m);
void maker_other(Maker *m);
void maker_memory_on(Maker *m, guint number, const char *on);
void maker_instantiate(Maker *m, const char *graph);
void maker_graph(Maker *m);
void maker_external(Maker *m);

/* From `on` to another stream, and mostly back. */
void maker_fork_from(Maker *m, guint number, const char *on, gboolean always_join);

#endif

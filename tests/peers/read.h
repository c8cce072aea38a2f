/* How a peer's model is read: read.c takes the ops one by one, graphs.c what is captured. Internal to
 * these two. */
#ifndef ATLAS_TESTS_PEERS_READ_H
#define ATLAS_TESTS_PEERS_READ_H

#include "model/proof/unroll.h"
#include "tests/peers/peer.h"

/* A node of a graph, or what is being captured. */
typedef struct {
    PeerTask task; /* repeated so often, one behind the other */
    gint64 repetitions;
    GArray *before; /* of guint: nodes of the same graph */
} Node;

/* What a name stands for now. */
typedef struct {
    guint number;    /* of a stream or event */
    GArray *capture; /* of Node: what a stream captures into, or an event was recorded in */
    GArray *behind;  /* of guint: the last nodes of it there */
} Thing;

typedef struct {
    GArray *nodes;   /* of Node */
    guint last;      /* the mark of its last launch's end */
    GArray *streams; /* of guint: which stream each node runs on */
} Exec;

typedef struct {
    PeerModel *model;
    Unroll unroll;
    GHashTable *streams, *events, *graphs, *execs, *flags; /* by name */
    GArray *syncs; /* of PeerSync: what the next call waits for; NULL: nothing */
    guint op;
} Reader;

/* Owned by the model. */
GArray *read_list(Reader *r, gsize size);
GArray *read_copy(Reader *r, const GArray *list);

/* The program is not modelled; `what` stands in the way. */
void read_refuse(Reader *r, const char *what);

guint read_new_stream(Reader *r);

/* NULL, and a refusal, for the legacy stream and for ptds. */
Thing *read_stream(Reader *r, const char *name);

/* The host gives a task to a stream; `takes`: it takes a place there. */
PeerCall *read_give(Reader *r, guint stream, PeerTask task, gboolean takes);

void graphs_begin(Reader *r, Thing *stream);
void graphs_node(Reader *r, Thing *stream, PeerTask task, gint64 repetitions);
void graphs_wait(Reader *r, Thing *stream, const Thing *event);
void graphs_end(Reader *r, const Thing *origin, const char *graph);
void graphs_instantiate(Reader *r, const char *graph, const char *name);
void graphs_launch(Reader *r, const AtlasOp *op);

#endif

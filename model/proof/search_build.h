/* How a search's model is built: search_model.c unrolls the program, search_build.c keeps the
 * builder and takes in graphs. Internal to these two. */
#ifndef ATLAS_MODEL_PROOF_SEARCH_BUILD_H
#define ATLAS_MODEL_PROOF_SEARCH_BUILD_H

#include "model/proof/search_model.h"
#include "model/machine/machine.h"

typedef struct {
    gboolean legacy, blocking;
    GArray *places; /* of guint: the tasks that took a place, or NULL */
} BuildStream;

typedef struct {
    const char *name;
    gint64 value;
} BuildLoop;

/* A node of a captured graph: repetitions of one task, behind other nodes. */
typedef struct {
    guint op;
    gint64 repetitions;
    gboolean kernel;
    SearchRange accesses;
    GArray *before; /* of guint: nodes */
} BuildNode;

typedef struct {
    SearchModel *model;
    GHashTable *streams, *events, *flags; /* name to number + 1, SearchNeed, number + 1 */
    guint flag_count;
    GHashTable *sided; /* names of buffers with a host side of their own (copies.h) */
    GArray *kinds;     /* of BuildStream, by stream */
    GArray *loops;     /* of BuildLoop: open ones */
    GArray *waits;     /* of SearchNeed: what the next call waits for */
    guint awaits;      /* the same, a flag */
    guint op;
    gint64 step;
    guint performed;
    gboolean counter, stages, captures;

    AtlasDiags *diags; /* where there are captures */
    AtlasScript *script;
    AtlasMachine *machine;
    GArray *held;      /* of BuildNode: captured and not in a graph yet; `before` NULL */
    GPtrArray *graphs; /* of GArray of BuildNode, owned */
    GHashTable *by_name, *by_exec; /* name to one of these */
    GHashTable *launched;          /* exec to SearchNeed: its last launch's end */
    GHashTable *node_streams;      /* exec to GArray of guint: streams of its nodes */
} Builder;

void build_init(Builder *b);
void build_clear(Builder *b);
void build_captures_init(Builder *b);

/* The stream of a name; made anew where `anew`. */
guint build_stream(Builder *b, const char *name, gboolean blocking, gboolean anew);

SearchRange build_task_accesses(Builder *b, const AtlasOp *op, gboolean captured);

/* The host enqueues a task, which waits for `needs` (NULL: none) beside those before it. */
void build_task(Builder *b, guint stream, SearchTask task, const GArray *needs, gboolean place);

/* Gives a call to the machine; whether that was all there is to it: it was captured. */
gboolean build_captured(Builder *b, const AtlasOp *op);
void build_graph_launch(Builder *b, const AtlasOp *op);

#endif

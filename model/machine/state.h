/* The state of a machine: one block of words, and what may be done to it below the level of rules.
 *
 * The block is an array of guint32. It begins with Head; behind it stand records of fixed number,
 * one for each thread and each name (script.h says where); behind those the arena, to which graphs,
 * nodes and sets are appended. A Ref is the place of a record as an index into the block; 0 is
 * none. The block may move only in state_reserve, which apply.c calls before each call: pointers
 * into it hold for the whole of a call.
 *
 * Nodes of one graph are chained in the order of capture, and Refs ascend along the chain. Sets of
 * nodes never change once they are made, so that streams, events and nodes share them.
 */
#ifndef ATLAS_MODEL_MACHINE_STATE_H
#define ATLAS_MODEL_MACHINE_STATE_H

#include "model/machine/script.h"

typedef guint32 Ref;

/* A set of nodes of one graph: 0 where empty, the Ref of the only node, or, with this bit, the Ref
 * of a list: its length and that many Refs. They stand in the order in which a stream came to
 * depend on them, which is the order of edges that an update sees. */
typedef guint32 Set;
enum { SET_LIST = 1u << 30 };

typedef struct {
    guint32 executed[2]; /* kernels executed: low word, high word */
    guint32 used;        /* words of the block */
    guint32 undefined;   /* TRUE once a call was */
    Ref open;            /* the newest open capture; the others follow by next_open */
    guint32 opened;      /* how many are open */
} Head;

typedef struct {
    guint32 mode; /* AtlasCaptureMode */
} Thread;

typedef struct {
    Ref capture; /* the open capture that it takes part in */
    Set deps;    /* what its next node depends on */
    guint32 blocking;
} Stream;

typedef enum { EVENT_NEVER, EVENT_PLAIN, EVENT_CAPTURED } EventState;

typedef struct {
    guint32 state;
    Ref capture;   /* CAPTURED: by which; 0: by one that is gone */
    Set deps;      /* CAPTURED: what the stream's next node depended on */
    guint32 noted; /* a node records it, or waits for it, or did */
} Event;

typedef struct {
    Ref graph; /* what it performs; 0: there is no such exec */
    Ref taken; /* the graph with memory that only it may perform */
    guint16 autofree;
    guint16 itself; /* it was last updated from the graph that it performs */
} Exec;

/* Memory by name: one of these, or the Ref of the node that allocates it. REUSABLE is what is not
 * allocated any more when something else is: its address may be another's by now. */
typedef enum {
    MEMORY_NULL,
    MEMORY_LIVE,  /* of cuMemAlloc */
    MEMORY_ASYNC, /* of cuMemAllocAsync */
    MEMORY_FREED,
    MEMORY_REUSABLE,
    MEMORY_HOST,
    MEMORY_HOST_FREED,
    MEMORY_STATES
} MemoryState;
typedef guint32 Memory;

typedef enum {
    GRAPH_CAPTURING,   /* an open capture */
    GRAPH_INVALIDATED, /* an open capture that can only be ended */
    GRAPH_ENDED,       /* a graph */
    GRAPH_GONE         /* destroyed, or the capture failed; execs of it go on */
} GraphState;

typedef struct {
    guint8 state;
    guint8 mode;     /* AtlasCaptureMode */
    guint8 thread;   /* that began the capture, from 0 */
    guint8 blocking; /* a blocking stream takes part, or did */
    guint8 orphan;   /* another stream has got the origin's name: it cannot be ended any more */
    guint8 memory;   /* has nodes that allocate or free, or a free failed in its capture */
    guint8 taken;    /* has memory, and an exec */
    guint8 waits;    /* has nodes that wait for events */
    guint8 marked;   /* while the arena is walked: found */
    guint32 origin;  /* number of the stream it was begun on */
    guint32 cause;   /* 1 + the op that invalidated it */
    Ref first, last; /* nodes */
    guint32 len;     /* how many */
    Set end;         /* what the origin depended on at the end; all nodes without followers are
                        among them */
    Ref next_open;
} Graph;

typedef struct {
    guint32 op : 27;
    guint32 followed : 1; /* some node depends on it */
    guint32 live : 1;     /* alloc: its memory is allocated now */
    guint32 freed : 1;    /* alloc: some node frees its memory, or did */
    guint32 own : 1;      /* alloc: one of its own graph */
    guint32 unsure : 1;   /* alloc: one of a capture that came to nothing */
    guint32 marked : 1;   /* while sets are compared */
    Set deps;
    Ref next;
    Ref memory; /* alloc: its graph; free: the node that allocates; event nodes: NodeEvent */
} Node;

/* Which event a node means: the one that its op names, or an older one that had the name. LOST:
 * that one was recorded in an open capture when it lost its name. */
typedef enum { NODE_EVENT_NAMED, NODE_EVENT_OLDER, NODE_EVENT_LOST } NodeEvent;
enum { STATE_OPS_MAX = 1 << 27 }; /* of a program */

#define WORDS(type) ((guint)(sizeof(type) / sizeof(guint32)))

struct AtlasMachine {
    const AtlasScript *script;
    guint32 *block;
    guint capacity;    /* words allocated */
    guint performing;  /* the op, for graphs to remember what invalidated them */
    guint64 looked_at; /* records that calls looked at one by one, for whoever bounds a run */
};

/* ---- access ---- */

static inline Head *head_of(const AtlasMachine *m) {
    return (Head *)(void *)m->block;
}
static inline void *record(const AtlasMachine *m, Ref at) {
    return m->block + at;
}
static inline void *named_record(const AtlasMachine *m, Named kind, guint number, guint words) {
    return m->block + m->script->offsets[kind] + number * words;
}
static inline Thread *thread_of(const AtlasMachine *m, guint number) {
    return (Thread *)(void *)(m->block + m->script->thread_offset) + number;
}
static inline Stream *stream_at(const AtlasMachine *m, guint number) {
    return named_record(m, NAMED_STREAM, number, WORDS(Stream));
}
static inline Stream *stream_of(const AtlasMachine *m, const ScriptOp *op) {
    return stream_at(m, op->named[NAMED_STREAM]);
}
static inline Event *event_at(const AtlasMachine *m, guint number) {
    return named_record(m, NAMED_EVENT, number, WORDS(Event));
}
static inline Event *event_of(const AtlasMachine *m, const ScriptOp *op) {
    return event_at(m, op->named[NAMED_EVENT]);
}
static inline Ref *graph_named(const AtlasMachine *m, guint number) {
    return named_record(m, NAMED_GRAPH, number, 1);
}
static inline Exec *exec_at(const AtlasMachine *m, guint number) {
    return named_record(m, NAMED_EXEC, number, WORDS(Exec));
}
static inline Memory *memory_at(const AtlasMachine *m, guint number) {
    return named_record(m, NAMED_MEMORY, number, 1);
}
static inline Graph *graph_at(const AtlasMachine *m, Ref at) {
    return record(m, at);
}
static inline Node *node_at(const AtlasMachine *m, Ref at) {
    return record(m, at);
}
static inline const ScriptOp *op_at(const AtlasMachine *m, guint index) {
    return &g_array_index(m->script->ops, ScriptOp, index);
}
static inline AtlasNodeType node_type(const AtlasMachine *m, const Node *node) {
    return op_at(m, node->op)->type;
}
static inline gint64 node_weight(const AtlasMachine *m, const Node *node) {
    return op_at(m, node->op)->count;
}

static inline gboolean is_event_node(const AtlasMachine *m, const Node *node) {
    AtlasNodeType type = node_type(m, node);
    return type == ATLAS_NODE_EVENT_RECORD || type == ATLAS_NODE_WAIT_EVENT;
}

/* An open capture that was not invalidated; 0 is none. */
static inline gboolean is_active(const AtlasMachine *m, Ref capture) {
    return capture && graph_at(m, capture)->state == GRAPH_CAPTURING;
}

static inline Graph *graph_of_memory(const AtlasMachine *m, Ref alloc) {
    return graph_at(m, node_at(m, alloc)->memory);
}
static inline gboolean is_live(const AtlasMachine *m, Ref alloc) {
    return node_at(m, alloc)->live;
}

void state_set_executed(AtlasMachine *m, gint64 kernels);

/* Whether two machines of one script that were both just tidied are equal, but for the number of
 * kernels executed. */
gboolean state_equal(const AtlasMachine *a, const AtlasMachine *b);

/* ---- the arena ---- */

/* The graphs that anything can still reach, marked and listed (Refs); open captures come first. The
 * caller takes the marks away. */
GArray *state_reachable(const AtlasMachine *m);

/* Drops what nothing reaches and lays out the rest anew, in an order that does not depend on the
 * past but for that of open captures. */
void state_tidy(AtlasMachine *m);

/* Sees to it that so many words can be appended; drops what nothing reaches, or moves the block, to
 * make room. FALSE beyond ATLAS_MACHINE_WORDS_MAX. */
gboolean state_reserve(AtlasMachine *m, guint words);

/* Appends a record of zeros; there must be room. */
Ref state_append(AtlasMachine *m, guint words);

/* ---- sets ---- */

/* The set's members and their number in *len. `set` must live as long as the result. */
const Ref *set_members(const AtlasMachine *m, const Set *set, guint *len);

/* The members of a, then what b adds; what state_reserve is to reserve for that. */
Set set_union(AtlasMachine *m, const Set *a, const Set *b);
guint set_union_words(const AtlasMachine *m, const Set *a, const Set *b);

/* Marks the set's members, or takes their marks away. */
void set_mark(const AtlasMachine *m, const Set *set, gboolean marked);

#endif

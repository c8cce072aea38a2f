/* What a search walks through: the program unrolled into calls of the host and tasks of streams.
 * Internal to the search. */
#ifndef ATLAS_MODEL_PROOF_SEARCH_MODEL_H
#define ATLAS_MODEL_PROOF_SEARCH_MODEL_H

#include "model/proof/search.h"

#define SEARCH_NONE G_MAXUINT32

/* Tasks and calls of a model. */
enum { SEARCH_TASKS_MAX = 1 << 16 };
/* Calls times streams. */
#define SEARCH_TABLE_MAX (1u << 24)

/* A stream's field must have this value, at least. A field counts completed tasks; where tasks
 * start and end in two steps, it counts both kinds of steps. */
typedef struct {
    guint stream;
    guint value;
} SearchNeed;

typedef struct {
    const char *buffer;
    gint64 part; /* -1: the whole */
    gboolean write;
} SearchAccess;

typedef struct {
    guint first, len; /* in one of the model's lists */
} SearchRange;

typedef struct {
    guint stream, op;
    guint awaits; /* a flag, or SEARCH_NONE */
    gint64 kernels;
    SearchRange needs, accesses;
} SearchTask;

typedef enum { SEARCH_ENQUEUE, SEARCH_ACCESS, SEARCH_READ, SEARCH_SET, SEARCH_FINISH } SearchAct;

/* What the host does in one step, as soon as its needs are met. */
typedef struct {
    SearchAct act;
    guint op;
    guint instance; /* the same for all calls of one performance of an op */
    guint task;     /* ENQUEUE: the stream's next */
    guint stream;   /* ENQUEUE */
    guint awaits;
    guint reading; /* READ: in SearchResult.readings */
    SearchRange needs, accesses;
} SearchCall;

/* One of the things that set a flag: a task's end, or a call. */
typedef struct {
    guint flag;
    gboolean call;
    SearchNeed done; /* by a task: this need; by a call: .value calls performed */
} SearchSetter;

typedef struct {
    const AtlasProgram *program;
    SearchOptions options;
    guint unit; /* steps of a task: 1 or 2 */
    gboolean slot_start, entries;
    GPtrArray *queues; /* of GArray of SearchTask: by stream */
    GArray *calls;     /* of SearchCall */
    GArray *needs, *accesses, *setters;
    GArray *readings; /* of SearchReading */
    guint last_read;  /* the call behind which no reading comes */
    char *why;        /* why there is no model */
    gboolean too_large;
} SearchModel;

SearchModel *search_model_new(const AtlasProgram *program, const SearchOptions *options);
void search_model_free(SearchModel *model);

static inline const SearchTask *search_task(const SearchModel *m, guint stream, guint i) {
    return &g_array_index((GArray *)m->queues->pdata[stream], SearchTask, i);
}
static inline guint search_tasks(const SearchModel *m, guint stream) {
    return ((GArray *)m->queues->pdata[stream])->len;
}

#endif

/* What the search's two files share: search.c goes through all states, search_path.c tells how one
 * of them is reached. Internal to these two. */
#ifndef ATLAS_MODEL_PROOF_SEARCH_WALK_H
#define ATLAS_MODEL_PROOF_SEARCH_WALK_H

#include "model/proof/search_model.h"
#include "model/proof/search_path.h"
#include "model/proof/search_symmetry.h"
#include "model/proof/search_table.h"

/* A field of the packed state. */
typedef struct {
    guint word, shift;
    guint64 mask;
} Field;

/* States that wait to be looked at. */
typedef struct {
    guint64 *states;
    gsize len, capacity;
} Queue;

typedef struct {
    SearchModel *model;
    SearchResult *result;
    SearchOptions options;
    guint streams, words;
    Field *fields;       /* of the streams, then of the host, then of the last reading */
    guint *enqueued;     /* [call * streams + stream]: tasks of the stream, in steps */
    gint64 **kernels;    /* of each stream, by completed tasks */
    gint64 *all_kernels; /* that are enqueued, by call */
    Symmetry *symmetry;  /* or NULL */
    SearchTable *seen;
    Queue now, next;
    guint64 *batch, *hashes; /* successors that are not looked up yet */
    guint batched;
    guint *order;           /* room for the fields of a state that is put in order */
    guint *value;           /* the fields of the state being looked at */
    guint *active;          /* streams whose next task is under way or could be */
    const SearchGoal *goal; /* what is looked for; NULL: everything */
    guint64 *hit;           /* the first state that shows it; NULL: none yet */
} Search;

/* Makes a search of a program; FALSE where it refuses, which the result then says. search_close goes
 * with it in any case. */
gboolean search_open(Search *s, const AtlasProgram *program, const SearchOptions *options,
                     SearchResult *result);
void search_close(Search *s);

/* Goes through all states, or up to the first that shows the goal. */
void search_explore(Search *s);

static inline guint host_field(const Search *s) {
    return s->streams;
}
static inline guint reading_field(const Search *s) {
    return s->streams + 1;
}

static inline void search_unpack(const Search *s, const guint64 *state, guint *value) {
    for (guint i = 0; i < s->streams + 2; i++) {
        Field f = s->fields[i];
        value[i] = (guint)(state[f.word] >> f.shift & f.mask);
    }
}

/* ---- what can happen in the state that is unpacked ---- */

static inline gboolean search_are_met(const Search *s, SearchRange needs) {
    for (guint i = needs.first; i < needs.first + needs.len; i++) {
        const SearchNeed *need = &g_array_index(s->model->needs, SearchNeed, i);
        if (s->value[need->stream] < need->value)
            return FALSE;
    }
    return TRUE;
}

static inline gboolean search_is_set(const Search *s, guint flag) {
    if (flag == SEARCH_NONE)
        return TRUE;
    for (guint i = 0; i < s->model->setters->len; i++) {
        const SearchSetter *setter = &g_array_index(s->model->setters, SearchSetter, i);
        guint field = setter->call ? host_field(s) : setter->done.stream;
        if (setter->flag == flag && s->value[field] >= setter->done.value)
            return TRUE;
    }
    return FALSE;
}

/* Whether a stream's next task is under way, or can be. */
static inline gboolean search_is_active(const Search *s, guint stream) {
    guint value = s->value[stream], unit = s->model->unit;
    if (value >= s->enqueued[(gsize)s->value[host_field(s)] * s->streams + stream])
        return FALSE;
    if (value % unit)
        return TRUE;
    const SearchTask *task = search_task(s->model, stream, value / unit);
    return search_are_met(s, task->needs) && search_is_set(s, task->awaits);
}

/* The host's next step, if there is one and it can be made. */
static inline const SearchCall *search_next_call(const Search *s) {
    guint at = s->value[host_field(s)];
    if (at == s->model->calls->len)
        return NULL;
    const SearchCall *call = &g_array_index(s->model->calls, SearchCall, at);
    return search_are_met(s, call->needs) && search_is_set(s, call->awaits) ? call : NULL;
}

#endif

#include "model/proof/search.h"

#include <string.h>

#include "model/proof/search_walk.h"

enum { BATCH = 64 };

/* ---- packing ---- */

static guint bits_of(guint64 most) {
    guint bits = 0;
    while (most >> bits)
        bits++;
    return bits;
}

/* Gives the field so many bits of the first word that has room; FALSE where none has. */
static gboolean place_field(Search *s, guint *used, guint field, guint64 most) {
    guint bits = bits_of(most);
    for (guint word = 0; word < SEARCH_WORDS_MAX; word++) {
        if (used[word] + bits > (word == 0 ? 63 : 64))
            continue;
        guint64 mask = bits == 64 ? G_MAXUINT64 : (G_GUINT64_CONSTANT(1) << bits) - 1;
        s->fields[field] = (Field){word, bits ? used[word] : 0, mask};
        used[word] += bits;
        s->words = MAX(s->words, word + 1);
        return TRUE;
    }
    return FALSE;
}

static gboolean pack_fields(Search *s) {
    const SearchModel *m = s->model;
    guint used[SEARCH_WORDS_MAX] = {0};
    gboolean good = TRUE;
    gint64 kernels = 0;
    s->fields = g_new0(Field, s->streams + 2);
    s->words = 1;
    for (guint i = 0; i < s->streams; i++) {
        good = good && place_field(s, used, i, (guint64)search_tasks(m, i) * m->unit);
        kernels += s->kernels[i][search_tasks(m, i)];
    }
    good = good && place_field(s, used, host_field(s), m->calls->len);
    return good && place_field(s, used, reading_field(s), s->options.counts ? (guint64)kernels : 0);
}

static inline void put(const Search *s, guint64 *state, guint field, guint64 value) {
    Field f = s->fields[field];
    state[f.word] = (state[f.word] & ~(f.mask << f.shift)) | value << f.shift;
}

/* ---- tables ---- */

static void count_enqueued(Search *s) {
    const SearchModel *m = s->model;
    s->enqueued = g_new0(guint, (gsize)(m->calls->len + 1) * s->streams + 1);
    s->all_kernels = g_new0(gint64, m->calls->len + 1);
    for (guint i = 0; i < m->calls->len; i++) {
        const SearchCall *call = &g_array_index(m->calls, SearchCall, i);
        guint *row = s->enqueued + (gsize)(i + 1) * s->streams;
        memcpy(row, row - s->streams, s->streams * sizeof(guint));
        s->all_kernels[i + 1] = s->all_kernels[i];
        if (call->act != SEARCH_ENQUEUE)
            continue;
        row[call->stream] += m->unit;
        s->all_kernels[i + 1] += search_task(m, call->stream, call->task)->kernels;
    }
}

static void count_kernels(Search *s) {
    const SearchModel *m = s->model;
    s->kernels = g_new0(gint64 *, s->streams + 1);
    for (guint i = 0; i < s->streams; i++) {
        s->kernels[i] = g_new0(gint64, search_tasks(m, i) + 1);
        for (guint t = 0; t < search_tasks(m, i); t++)
            s->kernels[i][t + 1] = s->kernels[i][t] + search_task(m, i, t)->kernels;
    }
}

/* ---- races ---- */

static gboolean conflict(const Search *s, SearchRange a, SearchRange b) {
    const SearchAccess *list = &g_array_index(s->model->accesses, SearchAccess, 0);
    for (guint i = a.first; i < a.first + a.len; i++)
        for (guint j = b.first; j < b.first + b.len; j++)
            if (list[i].buffer == list[j].buffer && (list[i].write || list[j].write) &&
                (list[i].part < 0 || list[j].part < 0 || list[i].part == list[j].part))
                return TRUE;
    return FALSE;
}

/* The state being looked at shows what is looked for. */
static void hit(Search *s, SearchShows shows, const guint64 *state) {
    if (s->goal && s->goal->shows == shows && !s->hit)
        s->hit = g_memdup2(state, s->words * sizeof(guint64));
}

static void found_race(Search *s, guint a, guint b) {
    SearchRace race = {{MIN(a, b), MAX(a, b)}};
    s->result->race = TRUE;
    for (guint i = 0; i < s->result->races->len; i++)
        if (memcmp(&g_array_index(s->result->races, SearchRace, i), &race, sizeof race) == 0)
            return;
    g_array_append_val(s->result->races, race);
}

/* Two that are under way at once. `call`: the host's next, if it accesses and can. */
static void look_for_races(Search *s, guint active, const SearchCall *call) {
    guint unit = s->model->unit;
    for (guint i = 0; i < active; i++) {
        guint stream = s->active[i];
        const SearchTask *task = search_task(s->model, stream, s->value[stream] / unit);
        if (task->accesses.len == 0)
            continue;
        if (call && conflict(s, task->accesses, call->accesses))
            found_race(s, task->op, call->op);
        for (guint j = i + 1; j < active; j++) {
            guint second = s->active[j];
            const SearchTask *other = search_task(s->model, second, s->value[second] / unit);
            if (conflict(s, task->accesses, other->accesses))
                found_race(s, task->op, other->op);
        }
    }
}

/* ---- readings ---- */

static gint64 completed(const Search *s) {
    gint64 sum = 0;
    for (guint i = 0; i < s->streams; i++)
        sum += s->kernels[i][s->value[i] / s->model->unit];
    return sum;
}

/* Whether it is the one that is looked for. */
static gboolean take_reading(Search *s, const SearchCall *call, gint64 counter) {
    SearchReading *r = &g_array_index(s->model->readings, SearchReading, call->reading);
    gint64 smear = s->all_kernels[s->value[host_field(s)]] - counter;
    gint64 count = counter - (gint64)s->value[reading_field(s)];
    r->least = r->times ? MIN(r->least, smear) : smear;
    r->most = r->times ? MAX(r->most, smear) : smear;
    r->fewest = r->times ? MIN(r->fewest, count) : count;
    r->greatest = r->times ? MAX(r->greatest, count) : count;
    r->times++;
    return s->goal && call->op == s->goal->op && smear == s->goal->smear;
}

/* ---- successors ---- */

static void push(Queue *q, guint words, const guint64 *state) {
    if (q->len == q->capacity) {
        q->capacity = q->capacity + q->capacity / 2 + BATCH;
        q->states = g_renew(guint64, q->states, q->capacity * words);
    }
    memcpy(q->states + q->len++ * words, state, words * sizeof(guint64));
}

static void flush(Search *s) {
    for (guint i = 0; i < s->batched; i++) {
        const guint64 *state = s->batch + (gsize)i * s->words;
        if (search_table_add(s->seen, state, s->hashes[i]))
            push(&s->next, s->words, state);
    }
    s->batched = 0;
}

/* Where the successor of the state being looked at is to be written. */
static inline guint64 *successor(Search *s, const guint64 *state) {
    if (s->batched == BATCH)
        flush(s);
    guint64 *made = s->batch + (gsize)s->batched * s->words;
    memcpy(made, state, s->words * sizeof(guint64));
    return made;
}

/* Makes a state the one that stands for all that are like it. */
static void put_in_order(const Search *s, guint64 *made) {
    search_unpack(s, made, s->order);
    if (symmetry_order(s->symmetry, s->order, s->order[host_field(s)]))
        for (guint i = 0; i < s->streams; i++)
            put(s, made, i, s->order[i]);
}

static inline void add(Search *s, guint64 *made) {
    if (s->symmetry)
        put_in_order(s, made);
    guint64 hash = search_table_hash(s->seen, made);
    search_table_prefetch(s->seen, hash);
    s->hashes[s->batched++] = hash;
}

static void perform(Search *s, const guint64 *state, const SearchCall *call) {
    guint64 *made = successor(s, state);
    guint next = s->value[host_field(s)] + 1;
    Field host = s->fields[host_field(s)];
    made[host.word] += G_GUINT64_CONSTANT(1) << host.shift;
    if (call->act == SEARCH_READ) {
        gint64 counter = completed(s);
        if (take_reading(s, call, counter))
            hit(s, SEARCH_SHOWS_READ, state);
        if (s->options.counts)
            put(s, made, reading_field(s), next >= s->model->last_read ? 0 : (guint64)counter);
    }
    add(s, made);
}

static void look_at(Search *s, const guint64 *state) {
    guint active = 0;
    search_unpack(s, state, s->value);
    const SearchCall *call = search_next_call(s);
    for (guint i = 0; i < s->streams; i++)
        if (search_is_active(s, i))
            s->active[active++] = i;
    if ((!s->result->race || s->options.all_races) && s->model->accesses->len)
        look_for_races(s, active, call && call->act == SEARCH_ACCESS ? call : NULL);
    if (s->result->race)
        hit(s, SEARCH_SHOWS_RACE, state);
    for (guint i = 0; i < active; i++) {
        Field f = s->fields[s->active[i]];
        guint64 *made = successor(s, state);
        made[f.word] += G_GUINT64_CONSTANT(1) << f.shift;
        add(s, made);
    }
    if (call)
        perform(s, state, call);
    if (call || active)
        return;
    guint calls = s->model->calls->len;
    gboolean complete = s->value[host_field(s)] == calls;
    for (guint i = 0; i < s->streams && complete; i++)
        complete = s->value[i] == s->enqueued[(gsize)calls * s->streams + i];
    s->result->deadlock |= !complete;
    if (!complete)
        hit(s, SEARCH_SHOWS_DEADLOCK, state);
}

/* ---- the search ---- */

static gsize bytes_of(const Search *s) {
    return search_table_bytes(s->seen) +
           (s->now.capacity + s->next.capacity) * s->words * sizeof(guint64);
}

void search_explore(Search *s) {
    guint64 most = s->options.max_states ? s->options.max_states : SEARCH_STATES_MAX;
    gsize bytes = s->options.max_bytes ? s->options.max_bytes : SEARCH_BYTES_MAX;
    g_autofree guint64 *state = g_new0(guint64, s->words);
    state[0] = SEARCH_STATE_BIT;
    s->batched = 0;
    add(s, memcpy(s->batch, state, s->words * sizeof(guint64)));
    flush(s);
    while (s->next.len && s->result->end == SEARCH_DONE && !s->hit) {
        Queue done = s->now;
        s->now = s->next;
        s->next = done;
        s->next.len = 0;
        for (gsize i = 0; i < s->now.len && !s->hit; i++) {
            memcpy(state, s->now.states + i * s->words, s->words * sizeof(guint64));
            look_at(s, state);
            if (search_table_count(s->seen) > most || ((i & 1023) == 0 && bytes_of(s) > bytes)) {
                s->result->end = SEARCH_TOO_LARGE;
                s->result->why = g_strdup_printf("more than %" G_GUINT64_FORMAT
                                                 " states or %" G_GSIZE_FORMAT " bytes",
                                                 most, bytes);
                break;
            }
        }
        flush(s);
        s->result->bytes = MAX(s->result->bytes, bytes_of(s));
    }
    s->result->states = search_table_count(s->seen);
}

static void refuse(SearchResult *result, SearchEnd end, const char *why) {
    result->end = end;
    result->why = g_strdup(why);
}

void search_close(Search *s) {
    gpointer blocks[] = {s->fields,      s->enqueued, s->all_kernels, s->now.states,
                         s->next.states, s->batch,    s->hashes,      s->value,
                         s->active,      s->order,    s->hit};
    for (guint i = 0; i < s->streams; i++)
        g_free(s->kernels[i]);
    g_free(s->kernels);
    for (guint i = 0; i < G_N_ELEMENTS(blocks); i++)
        g_free(blocks[i]);
    search_table_free(s->seen);
    symmetry_free(s->symmetry);
    search_model_free(s->model);
}

gboolean search_open(Search *s, const AtlasProgram *program, const SearchOptions *options,
                     SearchResult *result) {
    *s = (Search){.model = search_model_new(program, options), .result = result};
    s->options = s->model->options;
    result->races = g_array_new(FALSE, FALSE, sizeof(SearchRace));
    result->readings = g_array_ref(s->model->readings);
    s->streams = s->model->queues->len;
    count_kernels(s);
    if (s->model->why) {
        refuse(result, SEARCH_NOT_MODELLED, s->model->why);
        return FALSE;
    }
    if (s->model->too_large || (guint64)s->model->calls->len * s->streams > SEARCH_TABLE_MAX ||
        !pack_fields(s)) {
        refuse(result, SEARCH_TOO_LARGE, "the program is too long, or a state too wide");
        return FALSE;
    }
    count_enqueued(s);
    s->seen = search_table_new(s->words);
    s->batch = g_new0(guint64, (gsize)BATCH * s->words);
    s->hashes = g_new0(guint64, BATCH);
    s->value = g_new0(guint, s->streams + 2);
    s->order = g_new0(guint, s->streams + 2);
    if (s->options.symmetry)
        s->symmetry = symmetry_new(s->model);
    s->active = g_new0(guint, s->streams + 1);
    return TRUE;
}

SearchResult *search_run(const AtlasProgram *program, const SearchOptions *options) {
    SearchResult *result = g_new0(SearchResult, 1);
    Search s;
    if (search_open(&s, program, options, result))
        search_explore(&s);
    search_close(&s);
    return result;
}

void search_result_free(SearchResult *result) {
    if (!result)
        return;
    g_free(result->why);
    g_array_unref(result->races);
    g_array_unref(result->readings);
    g_free(result);
}

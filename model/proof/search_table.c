#include "model/proof/search_table.h"

#include <string.h>

enum { SEGMENT_BITS = 8, SEGMENTS = 1 << SEGMENT_BITS, SMALLEST = 16 };

typedef struct {
    guint64 *slots;
    guint32 capacity, used;
} Segment;

struct SearchTable {
    guint words;
    guint64 count;
    gsize slots;
    Segment segments[SEGMENTS];
};

SearchTable *search_table_new(guint words) {
    SearchTable *t = g_new0(SearchTable, 1);
    t->words = words;
    for (guint i = 0; i < SEGMENTS; i++) {
        t->segments[i].capacity = SMALLEST;
        t->segments[i].slots = g_new0(guint64, SMALLEST * words);
    }
    t->slots = (gsize)SEGMENTS * SMALLEST;
    return t;
}

void search_table_free(SearchTable *t) {
    if (!t)
        return;
    for (guint i = 0; i < SEGMENTS; i++)
        g_free(t->segments[i].slots);
    g_free(t);
}

/* A multiply and xor-shift round for each word, each a bijection of the state so far. */
guint64 search_table_hash(const SearchTable *t, const guint64 *state) {
    guint64 hash = 0;
    for (guint i = 0; i < t->words; i++) {
        hash = (hash ^ state[i]) * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    hash *= G_GUINT64_CONSTANT(0xd6e8feb86659fd93);
    return hash ^ hash >> 32;
}

static inline guint segment_of(guint64 hash) {
    return (guint)(hash >> (64 - SEGMENT_BITS));
}

/* Where a hash begins to look: its low half, scaled to the capacity. */
static inline guint32 place_of(const Segment *s, guint64 hash) {
    return (guint32)(((hash & G_MAXUINT32) * s->capacity) >> 32);
}

void search_table_prefetch(const SearchTable *t, guint64 hash) {
    const Segment *s = &t->segments[segment_of(hash)];
    __builtin_prefetch(s->slots + (gsize)place_of(s, hash) * t->words);
}

/* The slot that holds a state, or the empty one that it would take. */
static guint64 *find(const Segment *s, guint words, const guint64 *state, guint64 hash) {
    guint32 at = place_of(s, hash);
    for (;;) {
        guint64 *slot = s->slots + (gsize)at * words;
        if (slot[0] == 0)
            return slot;
        if (slot[0] == state[0] &&
            (words == 1 || memcmp(slot + 1, state + 1, (words - 1) * sizeof(guint64)) == 0))
            return slot;
        at = at + 1 == s->capacity ? 0 : at + 1;
    }
}

static void grow(SearchTable *t, Segment *s) {
    Segment old = *s;
    s->capacity = old.capacity + old.capacity / 8 * 3 + 8;
    s->slots = g_new0(guint64, (gsize)s->capacity * t->words);
    t->slots += s->capacity - old.capacity;
    for (guint32 i = 0; i < old.capacity; i++) {
        const guint64 *state = old.slots + (gsize)i * t->words;
        if (state[0])
            memcpy(find(s, t->words, state, search_table_hash(t, state)), state,
                   t->words * sizeof(guint64));
    }
    g_free(old.slots);
}

gboolean search_table_add(SearchTable *t, const guint64 *state, guint64 hash) {
    Segment *s = &t->segments[segment_of(hash)];
    guint64 *slot = find(s, t->words, state, hash);
    if (slot[0])
        return FALSE;
    memcpy(slot, state, t->words * sizeof(guint64));
    t->count++;
    if (++s->used > s->capacity / 5 * 4)
        grow(t, s);
    return TRUE;
}

gboolean search_table_has(const SearchTable *t, const guint64 *state) {
    guint64 hash = search_table_hash(t, state);
    return find(&t->segments[segment_of(hash)], t->words, state, hash)[0] != 0;
}

guint64 search_table_count(const SearchTable *t) {
    return t->count;
}

gsize search_table_bytes(const SearchTable *t) {
    return t->slots * t->words * sizeof(guint64) + sizeof(SearchTable);
}

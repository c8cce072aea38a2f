#include "model/machine/state.h"

#include <string.h>

/* ---- life cycle ---- */

/* Words for the first nodes. */
enum { FIRST_ARENA = 64 };

AtlasMachine *atlas_machine_new(const AtlasScript *script) {
    AtlasMachine *m = g_new0(AtlasMachine, 1);
    m->script = script;
    m->capacity = script->fixed + FIRST_ARENA;
    m->block = g_new(guint32, m->capacity);
    atlas_machine_reset(m);
    return m;
}

void atlas_machine_free(AtlasMachine *machine) {
    if (!machine)
        return;
    g_free(machine->block);
    g_free(machine);
}

void atlas_machine_reset(AtlasMachine *m) {
    memset(m->block, 0, m->script->fixed * sizeof(guint32));
    head_of(m)->used = m->script->fixed;
    for (guint i = 0; i <= m->script->threads; i++)
        stream_at(m, i)->blocking = TRUE; /* the legacy stream and the threads' own */
}

void atlas_machine_copy(AtlasMachine *to, const AtlasMachine *from) {
    guint used = head_of(from)->used;
    g_assert(to->script == from->script);
    if (to->capacity < used) {
        to->capacity = used + FIRST_ARENA;
        g_free(to->block);
        to->block = g_new(guint32, to->capacity);
    }
    memcpy(to->block, from->block, used * sizeof(guint32));
}

gsize atlas_machine_size(const AtlasMachine *machine) {
    return head_of(machine)->used * sizeof(guint32);
}

gint64 atlas_machine_executed(const AtlasMachine *machine) {
    const Head *head = head_of(machine);
    return (gint64)((guint64)head->executed[1] << 32 | head->executed[0]);
}

void state_set_executed(AtlasMachine *m, gint64 kernels) {
    head_of(m)->executed[0] = (guint32)(guint64)kernels;
    head_of(m)->executed[1] = (guint32)((guint64)kernels >> 32);
}

gboolean state_equal(const AtlasMachine *a, const AtlasMachine *b) {
    gsize skipped = sizeof head_of(a)->executed, size = atlas_machine_size(a);
    return size == atlas_machine_size(b) &&
           memcmp((const char *)a->block + skipped, (const char *)b->block + skipped,
                  size - skipped) == 0;
}

Ref state_append(AtlasMachine *m, guint words) {
    Ref at = head_of(m)->used;
    g_assert(at + words <= m->capacity);
    memset(m->block + at, 0, words * sizeof(guint32));
    head_of(m)->used += words;
    return at;
}

gboolean state_reserve(AtlasMachine *m, guint words) {
    if (head_of(m)->used + words <= m->capacity)
        return TRUE;
    state_tidy(m);
    guint need = head_of(m)->used + words;
    if (need > ATLAS_MACHINE_WORDS_MAX)
        return FALSE;
    /* Half of it free, so that tidying up does not come too often. */
    if (need > m->capacity / 2) {
        m->capacity = need * 2;
        m->block = g_renew(guint32, m->block, m->capacity);
    }
    return TRUE;
}

/* ---- sets ---- */

const Ref *set_members(const AtlasMachine *m, const Set *set, guint *len) {
    if (*set & SET_LIST) {
        const guint32 *list = m->block + (*set & ~SET_LIST);
        *len = list[0];
        return list + 1;
    }
    *len = *set != 0;
    return set;
}

guint set_union_words(const AtlasMachine *m, const Set *a, const Set *b) {
    guint a_len, b_len;
    set_members(m, a, &a_len);
    set_members(m, b, &b_len);
    return 1 + a_len + b_len;
}

void set_mark(const AtlasMachine *m, const Set *set, gboolean marked) {
    guint len;
    const Ref *members = set_members(m, set, &len);
    for (guint i = 0; i < len; i++)
        node_at(m, members[i])->marked = marked != FALSE;
}

/* A union that adds nothing to the first set is that set. */
Set set_union(AtlasMachine *m, const Set *a, const Set *b) {
    guint a_len, b_len, len;
    if (*a == *b || !*b)
        return *a;
    if (!*a)
        return *b;
    const Ref *x = set_members(m, a, &a_len), *y = set_members(m, b, &b_len);
    Ref at = state_append(m, 1 + a_len + b_len);
    guint32 *list = m->block + at;
    m->looked_at += a_len + b_len;
    memcpy(list + 1, x, a_len * sizeof(Ref));
    len = a_len;
    set_mark(m, a, TRUE);
    for (guint i = 0; i < b_len; i++)
        if (!node_at(m, y[i])->marked)
            list[++len] = y[i];
    set_mark(m, a, FALSE);
    list[0] = len;
    head_of(m)->used = at + (len == a_len ? 0 : 1 + len);
    return len == a_len ? *a : SET_LIST | at;
}

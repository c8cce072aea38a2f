#include "model/proof/search_symmetry.h"

/* Streams that are alike, from this call on. */
typedef struct {
    GArray *streams; /* of guint, ascending */
    guint from;
} Class;

struct Symmetry {
    GArray *classes; /* of Class */
};

static gboolean same_needs(const SearchModel *m, SearchRange a, SearchRange b) {
    gboolean same = a.len == b.len;
    for (guint i = 0; i < a.len && same; i++) {
        const SearchNeed *x = &g_array_index(m->needs, SearchNeed, a.first + i);
        const SearchNeed *y = &g_array_index(m->needs, SearchNeed, b.first + i);
        same = x->stream == y->stream && x->value == y->value;
    }
    return same;
}

/* The call behind the last one that enqueues to a stream. */
static guint idle_from(const SearchModel *m, guint stream) {
    for (guint i = m->calls->len; i-- > 0;) {
        const SearchCall *call = &g_array_index(m->calls, SearchCall, i);
        if (call->act == SEARCH_ENQUEUE && call->stream == stream)
            return i + 1;
    }
    return 0;
}

/* Whether something but the host refers to a stream. */
static gboolean is_referred_to(const SearchModel *m, guint stream) {
    for (guint i = 0; i < m->setters->len; i++) {
        const SearchSetter *setter = &g_array_index(m->setters, SearchSetter, i);
        if (!setter->call && setter->done.stream == stream)
            return TRUE;
    }
    for (guint s = 0; s < m->queues->len; s++) {
        for (guint t = 0; t < search_tasks(m, s); t++) {
            SearchRange needs = search_task(m, s, t)->needs;
            for (guint i = 0; i < needs.len; i++)
                if (g_array_index(m->needs, SearchNeed, needs.first + i).stream == stream)
                    return TRUE;
        }
    }
    return FALSE;
}

static gboolean same_tasks(const SearchModel *m, guint a, guint b) {
    guint left = search_tasks(m, a);
    if (left != search_tasks(m, b))
        return FALSE;
    for (guint i = 0; i < left; i++) {
        const SearchTask *x = search_task(m, a, i), *y = search_task(m, b, i);
        if (x->kernels != y->kernels || x->accesses.len || y->accesses.len ||
            x->awaits != y->awaits || !same_needs(m, x->needs, y->needs))
            return FALSE;
    }
    return TRUE;
}

/* What a call lets a stream have left: the whole of it where it does not care. */
static guint most_left(const SearchModel *m, const SearchCall *call, guint stream) {
    guint total = search_tasks(m, stream) * m->unit, value = 0;
    for (guint i = 0; i < call->needs.len; i++) {
        const SearchNeed *need = &g_array_index(m->needs, SearchNeed, call->needs.first + i);
        if (need->stream == stream)
            value = MAX(value, need->value);
    }
    return total - value;
}

static gboolean are_alike(const SearchModel *m, guint a, guint b) {
    if (is_referred_to(m, a) || is_referred_to(m, b) || !same_tasks(m, a, b))
        return FALSE;
    for (guint i = MAX(idle_from(m, a), idle_from(m, b)); i < m->calls->len; i++) {
        const SearchCall *call = &g_array_index(m->calls, SearchCall, i);
        if (most_left(m, call, a) != most_left(m, call, b))
            return FALSE;
    }
    return TRUE;
}

/* Adds a stream to the first class whose members it is like, or makes it one of its own. */
static void classify(Symmetry *s, const SearchModel *m, guint stream) {
    guint from = idle_from(m, stream);
    for (guint i = 0; i < s->classes->len; i++) {
        Class *class = &g_array_index(s->classes, Class, i);
        if (!are_alike(m, g_array_index(class->streams, guint, 0), stream))
            continue;
        g_array_append_val(class->streams, stream);
        class->from = MAX(class->from, from);
        return;
    }
    Class class = {g_array_new(FALSE, FALSE, sizeof(guint)), from};
    g_array_append_val(class.streams, stream);
    g_array_append_val(s->classes, class);
}

static void clear_class(gpointer data) {
    g_array_unref(((Class *)data)->streams);
}

Symmetry *symmetry_new(const SearchModel *m) {
    Symmetry *s = g_new0(Symmetry, 1);
    s->classes = g_array_new(FALSE, FALSE, sizeof(Class));
    g_array_set_clear_func(s->classes, clear_class);
    for (guint i = 0; i < m->queues->len; i++)
        classify(s, m, i);
    for (guint i = s->classes->len; i-- > 0;)
        if (g_array_index(s->classes, Class, i).streams->len == 1)
            g_array_remove_index(s->classes, i);
    if (s->classes->len > 0)
        return s;
    symmetry_free(s);
    return NULL;
}

void symmetry_free(Symmetry *s) {
    if (!s)
        return;
    g_array_unref(s->classes);
    g_free(s);
}

gboolean symmetry_order(const Symmetry *s, guint *values, guint host) {
    gboolean changed = FALSE;
    for (guint i = 0; i < s->classes->len; i++) {
        const Class *class = &g_array_index(s->classes, Class, i);
        const guint *stream = &g_array_index(class->streams, guint, 0);
        for (guint a = 1; a < class->streams->len && host >= class->from; a++) {
            for (guint b = a; b > 0 && values[stream[b]] < values[stream[b - 1]]; b--) {
                guint value = values[stream[b]];
                values[stream[b]] = values[stream[b - 1]];
                values[stream[b - 1]] = value;
                changed = TRUE;
            }
        }
    }
    return changed;
}

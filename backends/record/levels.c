#include "backends/record/levels.h"

#include <string.h>

#include "model/measure/step_name.h"

const RecordRange *record_member(const RecordLevel *l, guint place) {
    return record_range(l->reading, g_array_index(l->ids, guint32, place));
}

/* ---- kinds ---- */

static char *kind_of(const RecordLevel *l, guint place) {
    return atlas_step_kind(record_name(l->reading, record_member(l, place)->name));
}

/* Kinds of which a name comes twice under one parent ("stage1", "stage2", "stage1"): their numbers
 * tell things apart, not times. */
static GHashTable *find_names(const RecordLevel *l) {
    GHashTable *names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < l->ids->len; i++) {
        const RecordRange *range = record_member(l, i);
        g_autofree char *kind = kind_of(l, i);
        if (!g_hash_table_add(seen, g_strdup_printf("%u %u", range->parent, range->name)) &&
            !atlas_step_called(kind))
            g_hash_table_add(names, g_steal_pointer(&kind));
    }
    return names;
}

static void family_free(gpointer data) {
    g_free(((RecordFamily *)data)->kind);
    g_free(data);
}

static void join(const RecordLevel *l, RecordFamily *family, const RecordRange *range) {
    family->here = family->count > 0 && family->parent == range->parent ? family->here + 1 : 1;
    family->most = MAX(family->most, family->here);
    family->parent = range->parent;
    family->count++;
    family->holding += l->holds[range->id];
    family->stage = range->stage && l->reading->head.flags & RECORD_NAMED_STAGES;
}

static void find_families(RecordLevel *l) {
    g_autoptr(GHashTable) names = find_names(l), index = g_hash_table_new(g_str_hash, g_str_equal);
    g_ptr_array_set_size(l->families, 0);
    g_array_set_size(l->family_of, 0);
    for (guint i = 0; i < l->ids->len; i++) {
        g_autofree char *kind = kind_of(l, i);
        if (g_hash_table_contains(names, kind)) {
            g_free(kind);
            kind = g_strdup(record_name(l->reading, record_member(l, i)->name));
        }
        guint place = GPOINTER_TO_UINT(g_hash_table_lookup(index, kind));
        if (place == 0) {
            RecordFamily *made = g_new0(RecordFamily, 1);
            made->kind = g_steal_pointer(&kind);
            g_ptr_array_add(l->families, made);
            g_hash_table_insert(index, made->kind, GUINT_TO_POINTER(place = l->families->len));
        }
        join(l, g_ptr_array_index(l->families, place - 1), record_member(l, i));
        place--;
        g_array_append_val(l->family_of, place);
    }
}

/* ---- levels ---- */

static void set_level(RecordLevel *l) {
    const RecordReading *r = l->reading;
    g_array_set_size(l->ids, 0);
    for (guint32 id = 1; id <= r->ranges->len; id++) {
        const RecordRange *range = record_range(r, id);
        if (range->thread == l->thread && l->parents[range->parent])
            g_array_append_val(l->ids, id);
    }
    find_families(l);
}

const RecordFamily *record_family(const RecordLevel *l, guint i) {
    return g_ptr_array_index(l->families, i);
}

void record_descend(RecordLevel *l, int family) {
    memset(l->parents, 0, l->reading->ranges->len + 1);
    for (guint i = 0; i < l->ids->len; i++) {
        guint of = g_array_index(l->family_of, guint, i);
        if (family < 0 ? record_family(l, of)->holding > 0 : of == (guint)family)
            l->parents[record_member(l, i)->id] = l->frame[record_member(l, i)->id] = 1;
    }
    set_level(l);
}

int record_find_family(const RecordLevel *l) {
    int numbered = -1, only = -1;
    guint with_numbers = 0, again = 0;
    for (guint i = 0; i < l->families->len; i++) {
        const RecordFamily *family = record_family(l, i);
        gboolean may = family->count > 1 && family->holding > 0 && !family->stage;
        again += family->count > 1;
        only = may ? (int)i : only;
        if (may && strchr(family->kind, '#')) {
            with_numbers++;
            numbered = (int)i;
        }
    }
    return with_numbers == 1 ? numbered : again == 1 ? only : -1;
}

int record_find_holder(const RecordLevel *l) {
    int found = -1;
    for (guint i = 0; i < l->families->len; i++)
        if (record_family(l, i)->holding > 0) {
            if (found >= 0 || record_family(l, i)->stage)
                return -1;
            found = (int)i;
        }
    return found;
}

gboolean record_comes_again(const RecordLevel *l) {
    for (guint i = 0; i < l->families->len; i++)
        if (record_family(l, i)->count > 1)
            return TRUE;
    return FALSE;
}

/* ---- life ---- */

void record_level_init(RecordLevel *l, const RecordReading *reading, guint32 thread,
                       guint8 *frame) {
    guint size = reading->ranges->len + 1;
    *l = (RecordLevel){.reading = reading, .thread = thread, .frame = frame};
    l->holds = g_new0(guint8, size);
    l->parents = g_new0(guint8, size);
    l->ids = g_array_new(FALSE, FALSE, sizeof(guint32));
    l->families = g_ptr_array_new_with_free_func(family_free);
    l->family_of = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint32 id = 1; id < size; id++)
        if (record_range(reading, id)->thread == thread)
            l->holds[record_range(reading, id)->parent] = 1;
    l->parents[0] = 1;
    set_level(l);
}

void record_level_clear(RecordLevel *l) {
    g_free(l->holds);
    g_free(l->parents);
    g_array_unref(l->ids);
    g_ptr_array_unref(l->families);
    g_array_unref(l->family_of);
}

int record_find_in_all(RecordLevel *l) {
    gsize size = l->reading->ranges->len + 1;
    g_autofree guint8 *frame = g_memdup2(l->frame, size);
    g_autofree guint8 *parents = g_memdup2(l->parents, size);
    for (guint i = 0; i < l->families->len; i++)
        if (record_family(l, i)->stage && record_family(l, i)->holding > 0)
            return -1;
    record_descend(l, -1);
    int family = record_find_family(l);
    if (family < 0) {
        memcpy(l->frame, frame, size);
        memcpy(l->parents, parents, size);
        set_level(l);
    }
    return family;
}

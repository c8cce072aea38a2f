#include <string.h>

#include "model/op/reader.h"

void program_names_init(Reader *r) {
    for (guint i = 0; i < OP_NOUNS; i++) {
        r->names[i].index = g_hash_table_new(NULL, NULL);
        r->names[i].list = g_array_new(FALSE, FALSE, sizeof(Name));
    }
}

void program_names_free(Reader *r) {
    for (guint i = 0; i < OP_NOUNS; i++) {
        g_hash_table_unref(r->names[i].index);
        g_array_unref(r->names[i].list);
    }
}

static Name *find(const Names *names, const char *name) {
    guint place = GPOINTER_TO_UINT(g_hash_table_lookup(names->index, name));
    return place ? &g_array_index(names->list, Name, place - 1) : NULL;
}

static Name *add(Names *names, const char *name) {
    Name fresh = {.name = name, .parts = 1};
    g_array_append_val(names->list, fresh);
    g_hash_table_insert(names->index, (gpointer)name, GUINT_TO_POINTER(names->list->len));
    return &g_array_index(names->list, Name, names->list->len - 1);
}

/* Streams that every thread has. */
static gboolean is_given(OpNoun noun, const char *name) {
    return noun == OP_NOUN_STREAM && (strcmp(name, "legacy") == 0 || strcmp(name, "ptds") == 0);
}

gboolean program_declare(Reader *r, OpNoun noun, const char *name, AtlasSpan at) {
    Names *names = &r->names[noun];
    Name *entry = find(names, name);
    /* Streams and events are objects of the driver: it makes another one. */
    gboolean again = noun == OP_NOUN_STREAM || noun == OP_NOUN_EVENT;
    if (is_given(noun, name)) {
        if (program_error(r, at, "stream '%s' exists without a declaration", name))
            atlas_diags_hint(r->diags, "remove this line, or give the stream another name");
        return FALSE;
    }
    if (entry && entry->declared && !entry->doubtful && !again) {
        if (program_error(r, at, "%s '%s' is declared twice", op_noun(noun), name))
            atlas_diags_note(r->diags, entry->at, "first declared here");
        return FALSE;
    }
    if (!entry)
        entry = add(names, name);
    if (!entry->declared || entry->doubtful)
        entry->at = at;
    entry->declared = TRUE;
    entry->doubtful = FALSE;
    names->needed = TRUE;
    return TRUE;
}

void program_use(Reader *r, OpNoun noun, const char *name, AtlasSpan at) {
    if (!find(&r->names[noun], name) && !is_given(noun, name))
        add(&r->names[noun], name)->used = at;
}

Name *program_declared(Reader *r, OpNoun noun, const char *name) {
    Name *entry = find(&r->names[noun], name);
    return entry && entry->declared && !entry->doubtful ? entry : NULL;
}

void program_names_line(Reader *r) {
    for (guint i = 0; i < OP_NOUNS; i++)
        r->names[i].mark = r->names[i].list->len;
}

/* Forgets the names that the current line was the first to use. Those it declared stay: a line
 * does one or the other. */
static void forget_uses(Names *names) {
    while (names->list->len > names->mark) {
        const Name *last = &g_array_index(names->list, Name, names->list->len - 1);
        if (last->declared)
            return;
        g_hash_table_remove(names->index, last->name);
        g_array_set_size(names->list, names->list->len - 1);
    }
}

/* Takes a name as declared by the current, faulty line. */
static void take_as_declared(Reader *r, Names *names, const char *name) {
    Name *entry = find(names, name);
    if (!entry)
        entry = add(names, name);
    else if (entry->declared && entry->at.start < program_span_of_line(r).start)
        return; /* an earlier line declared it */
    entry->declared = entry->doubtful = TRUE;
}

void program_names_fault(Reader *r, gboolean declares) {
    for (guint i = 0; i < OP_NOUNS; i++)
        forget_uses(&r->names[i]);
    for (guint i = 0; declares && i < r->words->len; i++) {
        Word word = g_array_index(r->words, Word, i);
        if (word.length > NAME_LONGEST)
            continue;
        const char *name = program_intern(r, word);
        for (guint noun = 0; noun < OP_NOUNS; noun++)
            take_as_declared(r, &r->names[noun], name);
    }
}

/* Fills `into` with the declared names, NULL-terminated; returns the bytes they have in all. */
static guint64 candidates(const Names *names, GPtrArray *into) {
    guint64 bytes = 0;
    for (guint i = 0; i < names->list->len; i++) {
        const Name *entry = &g_array_index(names->list, Name, i);
        if (!entry->declared || entry->doubtful)
            continue;
        g_ptr_array_add(into, (gpointer)entry->name);
        bytes += strlen(entry->name) + 1;
    }
    g_ptr_array_add(into, NULL);
    return bytes;
}

/* Reports a name that was used without a declaration. Looking for the one that may have been meant
 * is left out when it has become dear: it compares the name with all that are declared. */
static void report_unknown(Reader *r, OpNoun noun, const Name *entry, const GPtrArray *declared,
                           guint64 bytes) {
    guint64 effort = bytes * strlen(entry->name);
    if (!program_error(r, entry->used, "no %s named '%s'", op_noun(noun), entry->name) ||
        effort > r->effort)
        return;
    g_autofree char *what = g_strdup_printf("declared %ss", op_noun(noun));
    atlas_diags_suggest(r->diags, entry->name, what, (const char *const *)declared->pdata);
    r->effort -= effort;
}

/* Reports the names of one noun. */
static void report(Reader *r, OpNoun noun) {
    const Names *names = &r->names[noun];
    g_autoptr(GPtrArray) declared = g_ptr_array_new();
    guint64 bytes = 0;
    for (guint i = 0; i < names->list->len; i++) {
        const Name *entry = &g_array_index(names->list, Name, i);
        if (!entry->used.source || entry->doubtful)
            continue;
        if (!entry->declared) {
            bytes = declared->len ? bytes : candidates(names, declared);
            report_unknown(r, noun, entry, declared, bytes);
        } else if (program_error(r, entry->used, "%s '%s' is used before its declaration",
                                 op_noun(noun), entry->name)) {
            atlas_diags_note(r->diags, entry->at, "declared here");
        }
    }
}

void program_names_end(Reader *r) {
    for (guint noun = 0; noun < OP_NOUNS; noun++) {
        Names *names = &r->names[noun];
        if (names->needed && !names->lost)
            report(r, noun);
        if (names->list->len > 0)
            g_hash_table_remove_all(names->index);
        g_array_set_size(names->list, 0);
        names->needed = names->lost = FALSE;
    }
}

#include <string.h>

#include "model/base/names.h"
#include "model/launch/build.h"
#include "model/op/program.h"

/* Uses and arguments of one item: a program has them in one line. */
enum { USES_MAX = 1000 };

static void parse_use(AtlasBuilder *b, const AtlasText *text, GArray *uses) {
    gsize length = strlen(text->text), name_length = strcspn(text->text, "[");
    gboolean indexed = name_length < length, exact = atlas_build_verbatim(text);
    g_autofree char *buffer = g_strndup(text->text, name_length);
    AtlasText name = {buffer, text->at};
    if (exact)
        name.at.end = name.at.start + name_length;
    if (indexed && text->text[length - 1] != ']') {
        atlas_diags_error(b->diags, text->at, "expected 'buffer' or 'buffer[index]', not '%s'",
                          text->text);
        atlas_diags_hint(b->diags, "one index stands in [], and nothing behind it");
        return;
    }
    int found = atlas_build_find(b, b->model->buffers, &name, "buffer");
    AtlasUse use = {(guint)found, NULL, text->at};
    if (found < 0)
        return;
    if (indexed && !ATLAS_BUFFER(b->model, found)->parts) {
        atlas_diags_error(b->diags, text->at, "buffer '%s' has no parts to index", buffer);
        atlas_diags_note(b->diags, ATLAS_BUFFER(b->model, found)->at, "it is declared here");
        atlas_diags_hint(b->diags, "say how many it has with 'per', or leave the index out");
        return;
    }
    if (indexed) {
        g_autofree char *index = g_strndup(text->text + name_length + 1, length - name_length - 2);
        AtlasText inner = {index, text->at};
        if (exact)
            inner.at = (AtlasSpan){text->at.source, name.at.end + 1, text->at.end - 1};
        use.index = atlas_build_expr(b, &inner, FALSE);
    }
    g_array_append_val(uses, use);
}

/* Whether the list of an item's uses or arguments is of a bearable size; reports if not. */
static gboolean short_enough(AtlasBuilder *b, const AtlasSpecItem *item, const GArray *list) {
    if (!list || list->len <= USES_MAX)
        return TRUE;
    atlas_diags_error(b->diags, item->what.at, "a list of this item has %u entries", list->len);
    atlas_diags_hint(b->diags, "expected at most %d; divide the item", USES_MAX);
    return FALSE;
}

static GArray *parse_uses(AtlasBuilder *b, const AtlasSpecItem *item, const GArray *texts) {
    if (!texts || !short_enough(b, item, texts))
        return NULL;
    GArray *uses = atlas_build_array(b->model, sizeof(AtlasUse));
    for (guint i = 0; i < texts->len; i++)
        parse_use(b, &g_array_index(texts, AtlasText, i), uses);
    return uses;
}

static GArray *parse_one_use(AtlasBuilder *b, const AtlasText *text) {
    GArray *uses = atlas_build_array(b->model, sizeof(AtlasUse));
    if (text->text)
        parse_use(b, text, uses);
    return uses;
}

static void check_args(AtlasBuilder *b, const AtlasSpecItem *item) {
    if (!item->args || !short_enough(b, item, item->args))
        return;
    for (guint i = 0; i < item->args->len; i++) {
        const AtlasPair *arg = &g_array_index(item->args, AtlasPair, i);
        if (atlas_name_valid(arg->key.text, FALSE))
            continue;
        atlas_diags_error(b->diags, arg->key.at, "'%s' is not a valid name of an argument",
                          arg->key.text);
        atlas_diags_hint(b->diags,
                         "a name is small letters, digits and '_', and starts with a letter");
    }
}

/* The first pass has reported what is no number above 0. */
static void check_cost(AtlasBuilder *b, const AtlasText *cost) {
    if (!cost->text || atlas_program_cost(cost->text, strlen(cost->text)))
        return;
    atlas_diags_error(b->diags, cost->at, "no launch can cost '%s' microseconds", cost->text);
    atlas_diags_hint(b->diags, "expected " ATLAS_PROGRAM_COST_HINT);
}

/* A written buffer can get new memory; one that is not written cannot. */
static void check_fresh(AtlasBuilder *b, const AtlasParsed *parsed) {
    for (guint i = 0; parsed->fresh && i < parsed->fresh->len; i++) {
        const AtlasUse *fresh = &g_array_index(parsed->fresh, AtlasUse, i);
        gboolean written = FALSE;
        for (guint j = 0; parsed->writes && j < parsed->writes->len; j++)
            written |= g_array_index(parsed->writes, AtlasUse, j).buffer == fresh->buffer;
        if (written)
            continue;
        atlas_diags_error(b->diags, fresh->at, "'%s' is fresh but not written",
                          ATLAS_BUFFER(b->model, fresh->buffer)->name);
        atlas_diags_hint(b->diags, "list it in 'writes' too");
    }
}

/* `sync` takes streams, events and `context` alike: an event shares its name with none of them. */
static void declare_event(AtlasBuilder *b, const AtlasText *name) {
    if (g_hash_table_contains(b->events, name->text))
        return;
    int stream = atlas_build_index(b, b->model->streams, name->text);
    if (stream >= 0) {
        atlas_diags_error(b->diags, name->at, "the name '%s' is taken", name->text);
        atlas_diags_note(b->diags, ATLAS_STREAM(b->model, stream)->at, "it is a stream");
        atlas_diags_hint(b->diags, "'sync' could not tell the two apart");
    }
    if (g_str_equal(name->text, "context")) {
        atlas_diags_error(b->diags, name->at, "an event cannot be named 'context'");
        atlas_diags_hint(b->diags, "'sync: context' waits for everything");
    }
    g_hash_table_add(b->events, (gpointer)name->text);
    g_ptr_array_add(b->model->events, (gpointer)name->text);
}

static void parse_details(AtlasBuilder *b, const AtlasSpecItem *item, AtlasParsed *parsed) {
    switch (item->kind) {
    case ATLAS_ITEM_LAUNCH:
        parsed->count = atlas_build_expr(b, &item->count, TRUE);
        parsed->reads = parse_uses(b, item, item->reads);
        parsed->writes = parse_uses(b, item, item->writes);
        parsed->fresh = parse_uses(b, item, item->fresh);
        check_fresh(b, parsed);
        check_args(b, item);
        check_cost(b, &item->cost);
        break;
    case ATLAS_ITEM_COPY:
        parsed->reads = parse_one_use(b, &item->from);
        parsed->writes = parse_one_use(b, &item->to);
        break;
    case ATLAS_ITEM_READ:
        parsed->reads = parse_one_use(b, &item->what);
        break;
    case ATLAS_ITEM_HOST_WRITE:
    case ATLAS_ITEM_ALLOC:
    case ATLAS_ITEM_FREE:
        parsed->writes = parse_one_use(b, &item->what);
        break;
    case ATLAS_ITEM_RECORD:
        declare_event(b, &item->what);
        break;
    case ATLAS_ITEM_WAIT:
    case ATLAS_ITEM_SYNC:
        g_ptr_array_add(b->waiting, (gpointer)item);
        break;
    case ATLAS_ITEM_LOOP:
        parsed->count = atlas_build_expr(b, &item->what, FALSE);
        parsed->loop = b->model->loops++;
        break;
    default:
        break;
    }
}

static guint parse_thread(AtlasBuilder *b, const AtlasText *thread) {
    if (!thread->text)
        return 0;
    AtlasRat number = atlas_rat_parse(thread->text, strlen(thread->text), NULL);
    if (number.num >= 1 && number.num <= ATLAS_PROGRAM_THREADS_MAX)
        return (guint)number.num;
    atlas_diags_error(b->diags, thread->at, "no host thread has the number %s", thread->text);
    atlas_diags_hint(b->diags, "they are numbered from 1 to %d", ATLAS_PROGRAM_THREADS_MAX);
    return 0;
}

static void parse_body(AtlasBuilder *b, const AtlasSpecItem *item, const AtlasParsed *parsed,
                       const char *path) {
    gboolean indexed =
        item->index.text && atlas_build_declare(b, &item->index, ATLAS_NAME_LOOP, parsed->loop);
    g_array_append_val(b->loops, parsed->loop);
    atlas_build_items(b, item->body, path);
    g_array_set_size(b->loops, b->loops->len - 1);
    if (indexed) /* it means nothing behind its loop, and later loops may use the name again */
        atlas_build_forget(b, &item->index);
}

/* The pairs of `rename` or `counts`, as indices. */
static GArray *parse_renamings(AtlasBuilder *b, const GArray *pairs, const GArray *things,
                               const char *what) {
    if (!pairs)
        return NULL;
    GArray *made = atlas_build_array(b->model, sizeof(AtlasRenaming));
    for (guint i = 0; i < pairs->len; i++) {
        const AtlasPair *pair = &g_array_index(pairs, AtlasPair, i);
        int from = atlas_build_find(b, things, &pair->key, what);
        int to = atlas_build_find(b, things, &pair->value, what);
        AtlasRenaming renaming = {(guint)from, (guint)to};
        if (from >= 0 && to >= 0)
            g_array_append_val(made, renaming);
        if (from < 0 || to < 0 || things != b->model->buffers ||
            !ATLAS_BUFFER(b->model, from)->parts || ATLAS_BUFFER(b->model, to)->parts)
            continue;
        atlas_diags_error(b->diags, pair->value.at, "buffer '%s' has no parts, unlike '%s'",
                          pair->value.text, pair->key.text);
        atlas_diags_note(b->diags, ATLAS_BUFFER(b->model, to)->at, "it is declared here");
        atlas_diags_hint(b->diags, "give it the same 'per'");
    }
    return made;
}

static void parse_group(AtlasBuilder *b, const AtlasSpecItem *item, AtlasParsed *parsed,
                        const char *path) {
    AtlasGroup *group = parsed->group = g_new0(AtlasGroup, 1);
    group->path = g_strconcat(path, ".", item->what.text, NULL);
    group->item = item;
    group->loops = atlas_build_array(b->model, sizeof(guint));
    g_array_append_vals(group->loops, b->loops->data, b->loops->len);
    g_ptr_array_add(b->groups, group);
    AtlasGroup *before = g_hash_table_lookup(b->paths, group->path);
    if (before)
        before->twin = group;
    else
        g_hash_table_insert(b->paths, group->path, group);
    if (!item->body == !item->like.text) {
        atlas_diags_error(b->diags, item->what.at, "a group needs either 'do' or 'like'");
        atlas_diags_hint(b->diags,
                         "'do' lists its items; 'like' names the group whose items it has");
    }
    if (!item->like.text && (item->rename || item->counts)) {
        atlas_diags_error(b->diags, item->what.at, "'rename' and 'counts' need 'like'");
        atlas_diags_hint(b->diags, "they say what differs from the other group");
    }
    group->rename = parse_renamings(b, item->rename, b->model->buffers, "buffer");
    group->counts = parse_renamings(b, item->counts, b->model->unknowns, "unknown");
    atlas_build_items(b, item->body, group->path);
}

void atlas_build_items(AtlasBuilder *b, const GPtrArray *items, const char *path) {
    for (guint i = 0; items && i < items->len && atlas_build_goes_on(b); i++) {
        const AtlasSpecItem *item = g_ptr_array_index(items, i);
        if (!item->what.text)
            continue; /* reported by the first pass */
        AtlasParsed *parsed = g_new0(AtlasParsed, 1);
        g_hash_table_insert(b->parsed, (gpointer)item, parsed);
        parsed->when = atlas_build_expr(b, &item->when, FALSE);
        parsed->every = atlas_build_expr(b, &item->every, FALSE);
        parsed->stream = -1;
        if (item->stream.text)
            parsed->stream = atlas_build_find(b, b->model->streams, &item->stream, "stream");
        parsed->thread = parse_thread(b, &item->thread);
        parsed->waits = -1;
        parse_details(b, item, parsed);
        if (item->kind == ATLAS_ITEM_GROUP)
            parse_group(b, item, parsed, path);
        else if (item->kind == ATLAS_ITEM_LOOP)
            parse_body(b, item, parsed, path);
    }
}

static void report_wait(AtlasBuilder *b, const AtlasSpecItem *item) {
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    gboolean sync = item->kind == ATLAS_ITEM_SYNC;
    for (guint i = 0; sync && i < b->model->streams->len; i++)
        g_ptr_array_add(names, (gpointer)ATLAS_STREAM(b->model, i)->name);
    for (guint i = 0; i < MIN(b->model->events->len, USES_MAX); i++)
        g_ptr_array_add(names, g_ptr_array_index(b->model->events, i));
    if (sync)
        g_ptr_array_add(names, (gpointer) "context");
    g_ptr_array_add(names, NULL);
    if (sync)
        atlas_diags_error(b->diags, item->what.at, "no stream or event named '%s'",
                          item->what.text);
    else
        atlas_diags_error(b->diags, item->what.at, "no event named '%s' is recorded anywhere",
                          item->what.text);
    atlas_build_suggest(b, item->what.text, names, NULL);
    if (names->len == 1)
        atlas_diags_hint(b->diags, "an item 'record: %s' makes one", item->what.text);
}

void atlas_build_waits(AtlasBuilder *b) {
    for (guint i = 0; i < b->waiting->len && atlas_build_goes_on(b); i++) {
        const AtlasSpecItem *item = g_ptr_array_index(b->waiting, i);
        AtlasParsed *parsed = g_hash_table_lookup(b->parsed, item);
        if (g_hash_table_contains(b->events, item->what.text))
            continue;
        if (item->kind == ATLAS_ITEM_SYNC)
            parsed->waits = atlas_build_index(b, b->model->streams, item->what.text);
        if (parsed->waits < 0 &&
            (item->kind == ATLAS_ITEM_WAIT || !g_str_equal(item->what.text, "context")))
            report_wait(b, item);
    }
}

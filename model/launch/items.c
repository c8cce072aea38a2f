#include <string.h>

#include "model/launch/build.h"

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

static GArray *parse_uses(AtlasBuilder *b, const GArray *texts) {
    GArray *uses = texts ? atlas_build_array(b->model, sizeof(AtlasUse)) : NULL;
    for (guint i = 0; texts && i < texts->len; i++)
        parse_use(b, &g_array_index(texts, AtlasText, i), uses);
    return uses;
}

static GArray *parse_one_use(AtlasBuilder *b, const AtlasText *text) {
    GArray *uses = atlas_build_array(b->model, sizeof(AtlasUse));
    if (text->text)
        parse_use(b, text, uses);
    return uses;
}

static void check_args(AtlasBuilder *b, const GArray *args) {
    static const char *const kinds[] = {"const", "host-per-step", "device", NULL};
    for (guint i = 0; args && i < args->len; i++) {
        const AtlasPair *arg = &g_array_index(args, AtlasPair, i);
        if (g_strv_contains(kinds, arg->value.text))
            continue;
        atlas_diags_error(b->diags, arg->value.at, "no kind of argument is named '%s'",
                          arg->value.text);
        atlas_diags_suggest(b->diags, arg->value.text, "there are", kinds);
    }
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

static void parse_details(AtlasBuilder *b, const AtlasSpecItem *item, AtlasParsed *parsed) {
    switch (item->kind) {
    case ATLAS_ITEM_LAUNCH:
        parsed->count = atlas_build_expr(b, &item->count, TRUE);
        parsed->reads = parse_uses(b, item->reads);
        parsed->writes = parse_uses(b, item->writes);
        parsed->fresh = parse_uses(b, item->fresh);
        check_fresh(b, parsed);
        check_args(b, item->args);
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
        if (item->what.text &&
            !g_ptr_array_find_with_equal_func(b->model->events, item->what.text, g_str_equal, NULL))
            g_ptr_array_add(b->model->events, (gpointer)item->what.text);
        break;
    case ATLAS_ITEM_LOOP:
        parsed->count = atlas_build_expr(b, &item->what, FALSE);
        parsed->loop = b->model->loops++;
        break;
    default:
        break;
    }
}

static void parse_body(AtlasBuilder *b, const AtlasSpecItem *item, const AtlasParsed *parsed,
                       const char *path) {
    gboolean indexed = item->kind == ATLAS_ITEM_LOOP && item->index.text &&
                       atlas_build_declare(b, &item->index, ATLAS_NAME_LOOP, parsed->loop);
    atlas_build_items(b, item->body, path);
    if (!indexed)
        return;
    /* The index means nothing behind its loop, and later loops may use the name again. */
    g_hash_table_remove(b->names, item->index.text);
    g_ptr_array_remove_index(b->candidates, b->candidates->len - 2);
}

static void parse_group(AtlasBuilder *b, const AtlasSpecItem *item, const char *path) {
    AtlasGroup *group = g_new(AtlasGroup, 1);
    *group = (AtlasGroup){g_strconcat(path, ".", item->what.text, NULL), item};
    g_ptr_array_add(b->groups, group);
    if (!item->body == !item->like.text) {
        atlas_diags_error(b->diags, item->what.at, "a group needs either 'do' or 'like'");
        atlas_diags_hint(b->diags,
                         "'do' lists its items; 'like' names the group whose items it has");
    }
    if (!item->like.text && (item->rename || item->counts)) {
        atlas_diags_error(b->diags, item->what.at, "'rename' and 'counts' need 'like'");
        atlas_diags_hint(b->diags, "they say what differs from the other group");
    }
    atlas_build_items(b, item->body, group->path);
}

void atlas_build_items(AtlasBuilder *b, const GPtrArray *items, const char *path) {
    for (guint i = 0; items && i < items->len; i++) {
        const AtlasSpecItem *item = g_ptr_array_index(items, i);
        if (!item->what.text)
            continue; /* reported by the first pass */
        AtlasParsed *parsed = g_new0(AtlasParsed, 1);
        g_hash_table_insert(b->parsed, (gpointer)item, parsed);
        parsed->when = atlas_build_expr(b, &item->when, FALSE);
        parsed->every = atlas_build_expr(b, &item->every, FALSE);
        parse_details(b, item, parsed);
        if (item->kind == ATLAS_ITEM_GROUP)
            parse_group(b, item, path);
        else if (item->kind == ATLAS_ITEM_LOOP)
            parse_body(b, item, parsed, path);
    }
}

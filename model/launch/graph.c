#include <string.h>

#include "model/launch/build.h"

/* Copies of copies grow fast; no step that a person describes comes near this. */
enum { NODES_MAX = 200000 };

/* Where items are being expanded to nodes. */
typedef struct Place Place;
struct Place {
    const Place *outer;
    const AtlasSpecItem *owner; /* the group whose items are expanded; NULL for a stage or loop */
    const AtlasSpecItem *like;  /* the group that is `like` it, or NULL */
    const char *path;
    guint stage, stream, thread;
    const guint *unknowns, *buffers; /* renamings; NULL: none */
    const AtlasSpecItem *loop;       /* the loop being expanded, or NULL */
    guint slot;                      /* of its index */
};

static void expand(AtlasBuilder *b, const GPtrArray *items, const Place *place, GPtrArray *nodes);

static const AtlasExpr *renamed(AtlasBuilder *b, const AtlasExpr *expr, const Place *place) {
    guint count = 0;
    if (!expr || !place->unknowns)
        return expr;
    atlas_expr_unknowns(expr, &count);
    if (count == 0)
        return expr;
    AtlasExpr *copy = atlas_expr_rename(expr, place->unknowns);
    g_ptr_array_add(b->model->exprs, copy);
    return copy;
}

static GArray *renamed_uses(AtlasBuilder *b, GArray *uses, const Place *place) {
    if (!uses || !place->buffers)
        return uses;
    GArray *copy = atlas_build_array(b->model, sizeof(AtlasUse));
    for (guint i = 0; i < uses->len; i++) {
        AtlasUse use = g_array_index(uses, AtlasUse, i);
        use.buffer = place->buffers[use.buffer];
        g_array_append_val(copy, use);
    }
    return copy;
}

/* A copied expression may use the index of a loop around the original; around the copy there must
 * be the same loop. */
static void check_loops(AtlasBuilder *b, const AtlasExpr *expr, const Place *place) {
    const Place *like = place;
    while (like && !like->like)
        like = like->outer;
    if (!expr || !like)
        return;
    for (guint slot = 0; slot < b->model->loops; slot++) {
        const Place *p = place;
        if (!atlas_expr_uses_loop(expr, slot))
            continue;
        while (p && !(p->loop && p->slot == slot))
            p = p->outer;
        if (p)
            continue;
        atlas_diags_error(b->diags, like->like->like.at,
                          "'%s' uses the index of a loop that is not around '%s'",
                          like->like->like.text, like->like->what.text);
        atlas_diags_hint(b->diags, "put the loop inside the group, or the groups into one loop");
        return;
    }
}

static gboolean depends_on(const GPtrArray *nodes, guint slot) {
    for (guint i = 0; nodes && i < nodes->len; i++) {
        const AtlasNode *node = g_ptr_array_index(nodes, i);
        const AtlasExpr *exprs[] = {node->when, node->every, node->count};
        for (guint j = 0; j < G_N_ELEMENTS(exprs); j++)
            if (exprs[j] && atlas_expr_uses_loop(exprs[j], slot))
                return TRUE;
        if (depends_on(node->children, slot))
            return TRUE;
    }
    return FALSE;
}

static void add_population(AtlasBuilder *b, AtlasNode *node, const Place *place) {
    g_autofree char *key = g_strconcat(place->path, ".", node->item->what.text, NULL);
    AtlasPopulation made = {g_string_chunk_insert_const(b->spec->strings, key), place->stage, node};
    node->population = b->model->populations->len;
    AtlasDeclared *before = g_hash_table_lookup(b->populations, made.key);
    if (before) {
        atlas_diags_error(b->diags, node->item->what.at,
                          "population '%s' stands here a second time", key);
        atlas_diags_note(b->diags, before->at, "first here");
        atlas_diags_hint(b->diags, "give the item a name of its own, or put it into a group");
        return;
    }
    AtlasDeclared *declared = g_new0(AtlasDeclared, 1);
    declared->at = node->item->what.at;
    g_hash_table_insert(b->populations, (gpointer)made.key, declared);
    g_array_append_val(b->model->populations, made);
}

/* The group that `like` names: beside the one that says so, in its stage, or by its full path. */
static const AtlasGroup *find_group(AtlasBuilder *b, const AtlasSpecItem *item,
                                    const char *parent) {
    g_autofree char *stage = g_strndup(parent, strcspn(parent, "."));
    g_autofree char *beside = g_strconcat(parent, ".", item->like.text, NULL);
    g_autofree char *in_stage = g_strconcat(stage, ".", item->like.text, NULL);
    const char *paths[] = {beside, in_stage, item->like.text};
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < G_N_ELEMENTS(paths); i++)
        for (guint j = 0; j < b->groups->len; j++) {
            const AtlasGroup *group = g_ptr_array_index(b->groups, j);
            if (g_str_equal(group->path, paths[i]))
                return group;
        }
    for (guint j = 0; j < b->groups->len; j++)
        g_ptr_array_add(names, ((AtlasGroup *)g_ptr_array_index(b->groups, j))->path);
    g_ptr_array_add(names, NULL);
    atlas_diags_error(b->diags, item->like.at, "no group named '%s'", item->like.text);
    atlas_diags_suggest(b->diags, item->like.text, "groups are", (const char *const *)names->pdata);
    return NULL;
}

/* The renaming that `pairs` state, behind the one that already holds around them. */
static const guint *renaming(AtlasBuilder *b, const GArray *pairs, const GArray *things,
                             const char *what, const guint *around) {
    if (!pairs || things->len == 0)
        return around;
    GArray *map = atlas_build_array(b->model, sizeof(guint));
    for (guint i = 0; i < things->len; i++)
        g_array_append_val(map, i);
    for (guint i = 0; i < pairs->len; i++) {
        const AtlasPair *pair = &g_array_index(pairs, AtlasPair, i);
        int from = atlas_build_find(b, things, &pair->key, what);
        int to = atlas_build_find(b, things, &pair->value, what);
        if (from >= 0 && to >= 0)
            g_array_index(map, guint, from) = (guint)to;
    }
    for (guint i = 0; around && i < things->len; i++)
        g_array_index(map, guint, i) = around[g_array_index(map, guint, i)];
    return (const guint *)(const void *)map->data;
}

static gboolean inside(const AtlasSpecItem *owner, const Place *place) {
    for (; place; place = place->outer)
        if (place->owner == owner)
            return TRUE;
    return FALSE;
}

/* Follows `like` from group to group until one lists its items, and expands those under the first
 * one's name. Only the items are copied: a condition or stream of the other group is its own. */
static void expand_group(AtlasBuilder *b, const AtlasSpecItem *item, const Place *outer,
                         AtlasNode *node) {
    g_autofree char *path = g_strconcat(outer->path, ".", item->what.text, NULL);
    g_autofree char *parent = g_strdup(outer->path);
    g_autoptr(GPtrArray) chain = g_ptr_array_new();
    Place place = *outer;
    place.outer = outer;
    place.path = path;
    place.stream = node->stream;
    place.thread = node->thread;
    place.loop = NULL;
    place.like = item->like.text ? item : NULL;
    place.owner = item;
    while (place.owner->like.text) {
        const AtlasSpecItem *at = place.owner;
        const AtlasGroup *target = find_group(b, at, parent);
        if (!target)
            return;
        if (g_ptr_array_find(chain, target->item, NULL) || target->item == item ||
            inside(target->item, outer)) {
            atlas_diags_error(b->diags, at->like.at, "group '%s' is made of itself",
                              target->item->what.text);
            atlas_diags_hint(b->diags, "one group of the circle needs a 'do' of its own");
            return;
        }
        place.unknowns = renaming(b, at->counts, b->model->unknowns, "unknown", place.unknowns);
        place.buffers = renaming(b, at->rename, b->model->buffers, "buffer", place.buffers);
        place.owner = target->item;
        g_ptr_array_add(chain, (gpointer)target->item);
        g_free(parent);
        parent = g_strndup(target->path, (gsize)(strrchr(target->path, '.') - target->path));
    }
    expand(b, place.owner->body, &place, node->children);
}

static void expand_loop(AtlasBuilder *b, const AtlasSpecItem *item, const Place *outer,
                        AtlasNode *node) {
    Place place = *outer;
    place.outer = outer;
    place.stream = node->stream;
    place.thread = node->thread;
    place.loop = item;
    place.slot = node->loop;
    place.like = NULL;
    place.owner = NULL;
    expand(b, item->body, &place, node->children);
    node->varies = depends_on(node->children, node->loop);
}

static guint stream_of(AtlasBuilder *b, const AtlasSpecItem *item, const Place *place) {
    int found = item->stream.text ? atlas_build_find(b, b->model->streams, &item->stream, "stream")
                                  : (int)place->stream;
    return found < 0 ? 0 : (guint)found;
}

static guint thread_of(AtlasBuilder *b, const AtlasSpecItem *item, const Place *place) {
    AtlasRat number = item->thread.text
                          ? atlas_rat_parse(item->thread.text, strlen(item->thread.text), NULL)
                          : atlas_rat(place->thread);
    if (atlas_rat_is_whole(number) && number.num >= 1 && number.num <= 64)
        return (guint)number.num;
    atlas_diags_error(b->diags, item->thread.at, "host threads are numbered from 1 to 64");
    return 1;
}

/* What an item names that is neither buffer nor expression. */
static void check_target(AtlasBuilder *b, const AtlasSpecItem *item) {
    gboolean is_event =
        g_ptr_array_find_with_equal_func(b->model->events, item->what.text, g_str_equal, NULL);
    if (item->kind == ATLAS_ITEM_WAIT && !is_event) {
        g_autoptr(GPtrArray) names = g_ptr_array_copy(b->model->events, NULL, NULL);
        g_ptr_array_add(names, NULL);
        atlas_diags_error(b->diags, item->what.at, "no event named '%s' is recorded anywhere",
                          item->what.text);
        atlas_diags_suggest(b->diags, item->what.text, "events are",
                            (const char *const *)names->pdata);
    }
    if (item->kind == ATLAS_ITEM_SYNC && !is_event && !g_str_equal(item->what.text, "context"))
        atlas_build_find(b, b->model->streams, &item->what, "stream or event");
}

static AtlasNode *node_new(AtlasBuilder *b, const AtlasSpecItem *item, const Place *place) {
    const AtlasParsed *parsed = g_hash_table_lookup(b->parsed, item);
    AtlasNode *node = g_new0(AtlasNode, 1);
    g_ptr_array_add(b->model->nodes, node);
    node->kind = item->kind;
    node->item = item;
    node->when = parsed->when;
    node->every = parsed->every;
    node->count = renamed(b, parsed->count, place);
    node->loop = parsed->loop;
    node->stream = stream_of(b, item, place);
    node->thread = thread_of(b, item, place);
    node->reads = renamed_uses(b, parsed->reads, place);
    node->writes = renamed_uses(b, parsed->writes, place);
    node->fresh = renamed_uses(b, parsed->fresh, place);
    return node;
}

static void check_node_loops(AtlasBuilder *b, const AtlasNode *node, const Place *place) {
    const GArray *lists[] = {node->reads, node->writes, node->fresh};
    check_loops(b, node->when, place);
    check_loops(b, node->every, place);
    check_loops(b, node->count, place);
    for (guint i = 0; i < G_N_ELEMENTS(lists); i++)
        for (guint j = 0; lists[i] && j < lists[i]->len; j++)
            check_loops(b, g_array_index(lists[i], AtlasUse, j).index, place);
}

static void expand(AtlasBuilder *b, const GPtrArray *items, const Place *place, GPtrArray *nodes) {
    for (guint i = 0; items && i < items->len; i++) {
        const AtlasSpecItem *item = g_ptr_array_index(items, i);
        if (!g_hash_table_contains(b->parsed, item))
            continue;
        if (b->model->nodes->len >= NODES_MAX) {
            if (!b->too_many)
                atlas_diags_error(b->diags, item->what.at, "the model has more than %d items",
                                  NODES_MAX);
            b->too_many = TRUE;
            return;
        }
        AtlasNode *node = node_new(b, item, place);
        g_ptr_array_add(nodes, node);
        check_node_loops(b, node, place);
        check_target(b, item);
        if (item->kind == ATLAS_ITEM_LAUNCH)
            add_population(b, node, place);
        if (item->kind == ATLAS_ITEM_GROUP || item->kind == ATLAS_ITEM_LOOP)
            node->children = g_ptr_array_new();
        if (item->kind == ATLAS_ITEM_GROUP)
            expand_group(b, item, place, node);
        else if (item->kind == ATLAS_ITEM_LOOP)
            expand_loop(b, item, place, node);
    }
}

/* ---- stages ---- */

static void group_free(gpointer data) {
    g_free(((AtlasGroup *)data)->path);
    g_free(data);
}

/* Stages first, all of them: groups can be `like` one of a later stage. */
static void declare_stages(AtlasBuilder *b) {
    for (guint i = 0; b->spec->stages && i < b->spec->stages->len; i++) {
        const AtlasSpecStage *spec = g_ptr_array_index(b->spec->stages, i);
        AtlasStage stage = {spec->name.text ? spec->name.text : "", g_ptr_array_new(),
                            spec->name.at};
        int before = atlas_model_find_stage(b->model, stage.name);
        g_ptr_array_add(b->model->lists, stage.nodes);
        if (spec->name.text && (before >= 0 || g_str_equal(stage.name, "total"))) {
            atlas_diags_error(b->diags, spec->name.at, "the name '%s' is taken", stage.name);
            if (before >= 0)
                atlas_diags_note(b->diags, ATLAS_STAGE(b->model, before)->at, "by this stage");
            atlas_diags_hint(b->diags, before >= 0 ? "stages have names of their own"
                                                   : "it stands for the sum of all stages");
        }
        g_array_append_val(b->model->stages, stage);
        atlas_build_items(b, spec->body, stage.name);
    }
    if (b->spec->stages && b->spec->stages->len == 0)
        atlas_diags_error(b->diags, b->spec->name.at, "a step has at least one stage");
}

void atlas_build_graph(AtlasBuilder *b) {
    b->parsed = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    b->groups = g_ptr_array_new_with_free_func(group_free);
    b->populations = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
    declare_stages(b);
    for (guint i = 0; i < b->model->stages->len; i++) {
        const AtlasSpecStage *spec = g_ptr_array_index(b->spec->stages, i);
        const AtlasStage *stage = ATLAS_STAGE(b->model, i);
        Place place = {.path = stage->name, .stage = i, .thread = 1};
        expand(b, spec->body, &place, stage->nodes);
    }
    g_hash_table_unref(b->parsed);
    g_ptr_array_unref(b->groups);
    g_hash_table_unref(b->populations);
}

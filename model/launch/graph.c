#include <string.h>

#include "model/launch/expand.h"

/* Copies of copies grow fast; no step that a person describes comes near this. What is large in a
 * node (its uses, the text of its count) counts too: SIZE_UNIT of it as much as a node. */
enum { NODES_MAX = 200000, SIZE_UNIT = 16 };

/* Groups and loops inside each other; a program has no more blocks than ATLAS_PROGRAM_NESTING_MAX,
 * of which the step is one. */
enum { DEPTH_MAX = 60 };

/* The longest key of a population that programs take. */
enum { KEY_LONGEST = 255 };

/* Populations times unknowns: what is solved for is a table of this size (walk.h). */
enum { FORMS_MAX = 1 << 24 };

/* Where a population was made. */
typedef struct {
    AtlasSpan at;
    const AtlasGroup *like;
} Made;

static void expand(Expander *e, const GPtrArray *items, const Place *place, GPtrArray *nodes);

static const AtlasExpr *renamed(Expander *e, const AtlasExpr *expr, const Place *place) {
    guint count = 0;
    gboolean changes = FALSE;
    if (!expr || !place->renamed)
        return expr;
    const guint *unknowns = atlas_expr_unknowns(expr, &count);
    for (guint i = 0; i < count; i++)
        changes |= e->unknowns[unknowns[i]] != unknowns[i];
    if (!changes)
        return expr;
    AtlasExpr *copy = atlas_expr_rename(expr, e->unknowns);
    g_ptr_array_add(e->b->model->exprs, copy);
    return copy;
}

static GArray *renamed_uses(Expander *e, GArray *uses, const Place *place) {
    if (!uses || !place->renamed)
        return uses;
    GArray *copy = atlas_build_array(e->b->model, sizeof(AtlasUse));
    for (guint i = 0; i < uses->len; i++) {
        AtlasUse use = g_array_index(uses, AtlasUse, i);
        use.buffer = e->buffers[use.buffer];
        g_array_append_val(copy, use);
    }
    return copy;
}

static gboolean depends_on(const AtlasNode *node, guint slot) {
    const AtlasExpr *exprs[] = {node->when, node->every, node->count};
    for (guint j = 0; j < G_N_ELEMENTS(exprs); j++)
        if (exprs[j] && atlas_expr_uses_loop(exprs[j], slot))
            return TRUE;
    for (guint i = 0; node->children && i < node->children->len; i++)
        if (depends_on(g_ptr_array_index(node->children, i), slot))
            return TRUE;
    return FALSE;
}

/* Two populations with one key: the copy that made the second is to blame, where the first does not
 * come from the same; each item or copy is reported once. */
static void report_twice(Expander *e, const AtlasNode *node, const Place *place, const char *key,
                         const Made *before) {
    gboolean copied = place->like && place->like != before->like;
    const AtlasSpecItem *item = copied ? place->like->item : node->item;
    if (!g_hash_table_add(e->twice, (gpointer)item))
        return;
    atlas_diags_error(e->b->diags, item->what.at, "population '%s' stands here a second time", key);
    atlas_diags_note(e->b->diags, before->at, "first here");
    atlas_diags_hint(e->b->diags, "give the %s a name of its own%s", copied ? "group" : "item",
                     copied ? "" : ", or put it into a group");
}

static void add_population(Expander *e, AtlasNode *node, const Place *place) {
    g_autofree char *key = g_strconcat(place->path, ".", node->item->what.text, NULL);
    AtlasModel *model = e->b->model;
    AtlasPopulation made = {g_string_chunk_insert(e->b->spec->tree.strings, key), place->stage,
                            node};
    const Made *before = g_hash_table_lookup(e->populations, key);
    node->population = model->populations->len;
    if (before) {
        report_twice(e, node, place, key, before);
        return;
    }
    if (strlen(key) > KEY_LONGEST && g_hash_table_add(e->twice, (gpointer)node->item)) {
        atlas_diags_error(e->b->diags, node->item->what.at,
                          "the population's key has %" G_GSIZE_FORMAT " bytes; expected at most %d",
                          strlen(key), KEY_LONGEST);
        atlas_diags_hint(e->b->diags, "it is the names of stage and groups around it and its own: "
                                      "shorten some");
    }
    Made *first = g_new(Made, 1);
    *first = (Made){place->like ? place->like->item->what.at : node->item->what.at, place->like};
    g_hash_table_insert(e->populations, (gpointer)made.key, first);
    g_array_append_val(model->populations, made);
}

/* Only the items of another group are copied: its condition, stream and thread are its own. */
static void expand_group(Expander *e, AtlasGroup *group, const Place *outer, AtlasNode *node) {
    g_autofree char *path = g_strconcat(outer->path, ".", group->item->what.text, NULL);
    g_autoptr(GArray) undo = g_array_new(FALSE, FALSE, sizeof(Undo));
    g_autoptr(GArray) missing = NULL;
    Place place = *outer;
    place.outer = outer;
    place.depth++;
    place.path = path;
    place.stream = node->stream;
    place.thread = node->thread;
    place.is_loop = FALSE;
    AtlasGroup *source = atlas_expand_follow(e, group, outer, undo);
    if (source && source != group) {
        place.like = group;
        place.missing = missing = atlas_expand_missing(source, outer);
        place.renamed |= undo->len > 0;
    }
    place.owner = source;
    if (source)
        expand(e, source->item->body, &place, node->children);
    atlas_expand_undo(undo);
}

static void expand_loop(Expander *e, const Place *outer, AtlasNode *node) {
    Place place = *outer;
    place.outer = outer;
    place.depth++;
    place.owner = NULL;
    place.stream = node->stream;
    place.thread = node->thread;
    place.is_loop = TRUE;
    place.slot = node->loop;
    expand(e, node->item->body, &place, node->children);
    node->steady = g_ptr_array_new();
    node->varying = g_ptr_array_new();
    for (guint i = 0; i < node->children->len; i++) {
        AtlasNode *child = g_ptr_array_index(node->children, i);
        g_ptr_array_add(depends_on(child, node->loop) ? node->varying : node->steady, child);
    }
}

static AtlasNode *node_new(Expander *e, const AtlasSpecItem *item, const AtlasParsed *parsed,
                           const Place *place) {
    AtlasNode *node = g_new0(AtlasNode, 1);
    g_ptr_array_add(e->b->model->nodes, node);
    node->kind = item->kind;
    node->item = item;
    node->when = parsed->when;
    node->every = parsed->every;
    node->count = renamed(e, parsed->count, place);
    node->loop = parsed->loop;
    node->stream = parsed->stream < 0 ? place->stream : (guint)parsed->stream;
    node->thread = parsed->thread == 0 ? place->thread : parsed->thread;
    node->waits = parsed->waits;
    node->reads = renamed_uses(e, parsed->reads, place);
    node->writes = renamed_uses(e, parsed->writes, place);
    node->fresh = renamed_uses(e, parsed->fresh, place);
    return node;
}

/* Whether there is room for one more node; reports if not, once. */
static gboolean has_room(Expander *e, const AtlasSpecItem *item, const AtlasParsed *parsed,
                         const Place *place) {
    const GArray *lists[] = {parsed->reads, parsed->writes, parsed->fresh};
    gsize large = item->count.text ? strlen(item->count.text) : 0;
    for (guint i = 0; i < G_N_ELEMENTS(lists); i++)
        large += lists[i] ? lists[i]->len : 0;
    e->size += 1 + (guint)large / SIZE_UNIT;
    if (e->full || (e->size <= NODES_MAX && place->depth < DEPTH_MAX))
        return !e->full;
    e->full = TRUE;
    if (place->depth >= DEPTH_MAX) {
        atlas_diags_error(e->b->diags, item->what.at,
                          "groups and loops stand more than %d deep inside each other", DEPTH_MAX);
        atlas_diags_hint(e->b->diags, "is a group 'like' one that is 'like' one that ...?");
    } else {
        atlas_diags_error(e->b->diags, item->what.at, "the model has more than %d items",
                          NODES_MAX);
        atlas_diags_hint(e->b->diags,
                         "groups that are 'like' others hold items of their own: copies "
                         "of copies grow fast");
    }
    return FALSE;
}

static void expand(Expander *e, const GPtrArray *items, const Place *place, GPtrArray *nodes) {
    for (guint i = 0; items && i < items->len && atlas_build_goes_on(e->b); i++) {
        const AtlasSpecItem *item = g_ptr_array_index(items, i);
        const AtlasParsed *parsed = g_hash_table_lookup(e->b->parsed, item);
        if (!parsed)
            continue;
        if (!has_room(e, item, parsed, place))
            return;
        AtlasNode *node = node_new(e, item, parsed, place);
        g_ptr_array_add(nodes, node);
        atlas_expand_check_loops(e, node, place);
        if (item->kind == ATLAS_ITEM_LAUNCH)
            add_population(e, node, place);
        if (item->kind == ATLAS_ITEM_GROUP || item->kind == ATLAS_ITEM_LOOP)
            node->children = g_ptr_array_new();
        if (item->kind == ATLAS_ITEM_GROUP)
            expand_group(e, parsed->group, place, node);
        else if (item->kind == ATLAS_ITEM_LOOP)
            expand_loop(e, place, node);
    }
}

/* ---- stages ---- */

static void check_stage(AtlasBuilder *b, const AtlasText *name, GHashTable *before) {
    const AtlasText *first = g_hash_table_lookup(before, name->text);
    if (first || g_str_equal(name->text, "total"))
        atlas_diags_error(b->diags, name->at, "the name '%s' is taken", name->text);
    if (first) {
        atlas_diags_note(b->diags, first->at, "by this stage");
        atlas_diags_hint(b->diags, "stages have names of their own");
    } else if (g_str_equal(name->text, "total")) {
        atlas_diags_hint(b->diags, "it stands for the sum of all stages");
    }
    g_hash_table_insert(before, (gpointer)name->text, (gpointer)name);
}

/* All of them before any is expanded: groups can be `like` one of a later stage. */
static void declare_stages(AtlasBuilder *b) {
    g_autoptr(GHashTable) before = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; b->spec->stages && i < b->spec->stages->len; i++) {
        const AtlasSpecStage *spec = g_ptr_array_index(b->spec->stages, i);
        AtlasStage stage = {spec->name.text ? spec->name.text : "", g_ptr_array_new(),
                            spec->name.at};
        g_ptr_array_add(b->model->lists, stage.nodes);
        if (spec->name.text)
            check_stage(b, &spec->name, before);
        g_array_append_val(b->model->stages, stage);
        atlas_build_items(b, spec->body, stage.name);
    }
}

static void check_size(AtlasBuilder *b) {
    guint populations = b->model->populations->len, unknowns = b->model->unknowns->len;
    if ((guint64)populations * unknowns <= FORMS_MAX)
        return;
    atlas_diags_error(b->diags, ATLAS_UNKNOWN(b->model, 0)->at,
                      "the model has %u unknowns and %u populations; their product is at most %d",
                      unknowns, populations, FORMS_MAX);
    atlas_diags_hint(b->diags, "one unknown can serve several items, and one item all of a kind");
}

static guint *identity(guint length) {
    guint *map = g_new(guint, length + 1);
    for (guint i = 0; i < length; i++)
        map[i] = i;
    return map;
}

void atlas_build_graph(AtlasBuilder *b) {
    declare_stages(b);
    atlas_build_waits(b);
    atlas_build_likes(b);
    Expander e = {
        .b = b,
        .unknowns = identity(b->model->unknowns->len),
        .buffers = identity(b->model->buffers->len),
        .populations = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free),
        .twice = g_hash_table_new(NULL, NULL),
    };
    for (guint i = 0; i < b->model->stages->len; i++) {
        const AtlasSpecStage *spec = g_ptr_array_index(b->spec->stages, i);
        const AtlasStage *stage = ATLAS_STAGE(b->model, i);
        Place place = {.path = stage->name, .stage = i, .thread = 1};
        expand(&e, spec->body, &place, stage->nodes);
    }
    check_size(b);
    g_free(e.unknowns);
    g_free(e.buffers);
    g_hash_table_unref(e.populations);
    g_hash_table_unref(e.twice);
}

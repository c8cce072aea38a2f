#include <string.h>

#include "model/base/names.h"
#include "model/launch/expand.h"

/* How often `like` leads on before a group lists its items. */
enum { LIKES_MAX = 64 };

/* ---- finding the groups that `like` names ---- */

/* Looks beside the group that says so, in its stage, and by the full path. */
static AtlasGroup *find_target(AtlasBuilder *b, const AtlasGroup *group) {
    const char *like = group->item->like.text, *end = strrchr(group->path, '.');
    g_autofree char *parent = g_strndup(group->path, (gsize)(end - group->path));
    g_autofree char *stage = g_strndup(parent, strcspn(parent, "."));
    g_autofree char *beside = g_strconcat(parent, ".", like, NULL);
    g_autofree char *in_stage = g_strconcat(stage, ".", like, NULL);
    AtlasGroup *found = g_hash_table_lookup(b->paths, beside);
    if (!found)
        found = g_hash_table_lookup(b->paths, in_stage);
    return found ? found : g_hash_table_lookup(b->paths, like);
}

static void report_unknown(AtlasBuilder *b, const AtlasText *like) {
    enum { PATHS_MAX = 1000 };
    guint count = MIN(b->groups->len, PATHS_MAX);
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    g_autoptr(GPtrArray) paths = g_ptr_array_new();
    for (guint i = 0; i < count; i++) {
        const AtlasGroup *group = g_ptr_array_index(b->groups, i);
        g_ptr_array_add(names, (gpointer)group->item->what.text);
        g_ptr_array_add(paths, group->path);
    }
    g_ptr_array_add(names, NULL);
    g_ptr_array_add(paths, NULL);
    const char *near = atlas_name_nearest(like->text, (const char *const *)names->pdata);
    guint at = 0;
    atlas_diags_error(b->diags, like->at, "no group named '%s'", like->text);
    if (near && g_ptr_array_find(names, near, &at))
        atlas_diags_hint(b->diags, "did you mean '%s'?", (char *)g_ptr_array_index(paths, at));
    else
        atlas_build_suggest(b, like->text, paths, NULL);
    atlas_diags_hint(b->diags, "a group beside this one goes by its name, any by its path: "
                               "stage.group");
}

void atlas_build_likes(AtlasBuilder *b) {
    for (guint i = 0; i < b->groups->len && atlas_build_goes_on(b); i++) {
        AtlasGroup *group = g_ptr_array_index(b->groups, i);
        const AtlasText *like = &group->item->like;
        if (!like->text)
            continue;
        group->target = find_target(b, group);
        group->broken = !group->target || group->target->twin;
        if (!group->target)
            report_unknown(b, like);
        if (!group->broken || !group->target)
            continue;
        atlas_diags_error(b->diags, like->at, "there are two groups '%s'", group->target->path);
        atlas_diags_note(b->diags, group->target->item->what.at, "one is this");
        atlas_diags_note(b->diags, group->target->twin->item->what.at, "another is this");
        atlas_diags_hint(b->diags, "give one of them another name");
    }
}

/* ---- renaming ---- */

/* Renames come one behind the other: what the inner one makes of an index, the outer one renames
 * again. Undone by exchanging the values once more, last first. */
static void put_renaming(guint *map, const GArray *pairs, GArray *undo) {
    guint first = undo->len;
    for (guint i = 0; pairs && i < pairs->len; i++) {
        const AtlasRenaming *pair = &g_array_index(pairs, AtlasRenaming, i);
        Undo change = {&map[pair->from], map[pair->to]};
        g_array_append_val(undo, change);
    }
    for (guint i = first; i < undo->len; i++) {
        Undo *change = &g_array_index(undo, Undo, i);
        guint old = *change->cell;
        *change->cell = change->value;
        change->value = old;
    }
}

void atlas_expand_undo(GArray *undo) {
    for (guint i = undo->len; i > 0; i--) {
        Undo *change = &g_array_index(undo, Undo, i - 1);
        *change->cell = change->value;
    }
}

/* ---- following `like` ---- */

static gboolean inside(const AtlasGroup *group, const Place *place) {
    for (; place; place = place->outer)
        if (place->owner == group)
            return TRUE;
    return FALSE;
}

/* A circle is reported once: none of its groups is followed again. */
static AtlasGroup *broken(AtlasGroup *const *chain, guint length) {
    for (guint i = 0; i < length; i++)
        chain[i]->broken = TRUE;
    return NULL;
}

AtlasGroup *atlas_expand_follow(Expander *e, AtlasGroup *group, const Place *outer, GArray *undo) {
    AtlasGroup *chain[LIKES_MAX], *at = group;
    guint length = 0;
    while (at->item->like.text) {
        if (at->broken)
            return broken(chain, length);
        if (length == LIKES_MAX) {
            atlas_diags_error(e->b->diags, group->item->like.at,
                              "'like' leads from group to group more than %d times", LIKES_MAX);
            atlas_diags_hint(e->b->diags, "name the group that lists the items");
            return broken(chain, length);
        }
        chain[length++] = at;
        gboolean circle = inside(at->target, outer);
        for (guint i = 0; i < length; i++)
            circle |= chain[i] == at->target;
        if (circle) {
            atlas_diags_error(e->b->diags, at->item->like.at, "group '%s' is made of itself",
                              at->target->item->what.text);
            atlas_diags_hint(e->b->diags, "one group of the circle needs a 'do' of its own");
            return broken(chain, length);
        }
        put_renaming(e->unknowns, at->counts, undo);
        put_renaming(e->buffers, at->rename, undo);
        at = at->target;
    }
    return at;
}

/* ---- loops around what is copied ---- */

GArray *atlas_expand_missing(const AtlasGroup *source, const Place *place) {
    GArray *missing = NULL;
    for (guint i = 0; i < source->loops->len; i++) {
        guint slot = g_array_index(source->loops, guint, i);
        const Place *p = place;
        while (p && !(p->is_loop && p->slot == slot))
            p = p->outer;
        if (p)
            continue;
        if (!missing)
            missing = g_array_new(FALSE, FALSE, sizeof(guint));
        g_array_append_val(missing, slot);
    }
    return missing;
}

static gboolean uses_missing(const AtlasExpr *expr, const GArray *missing) {
    for (guint i = 0; expr && i < missing->len; i++)
        if (atlas_expr_uses_loop(expr, g_array_index(missing, guint, i)))
            return TRUE;
    return FALSE;
}

void atlas_expand_check_loops(Expander *e, const AtlasNode *node, const Place *place) {
    const GArray *lists[] = {node->reads, node->writes, node->fresh};
    if (!place->missing || place->like->misplaced)
        return;
    gboolean found = uses_missing(node->when, place->missing) ||
                     uses_missing(node->every, place->missing) ||
                     uses_missing(node->count, place->missing);
    for (guint i = 0; i < G_N_ELEMENTS(lists); i++)
        for (guint j = 0; lists[i] && j < lists[i]->len; j++)
            found |= uses_missing(g_array_index(lists[i], AtlasUse, j).index, place->missing);
    if (!found)
        return;
    const AtlasSpecItem *like = place->like->item;
    place->like->misplaced = TRUE;
    atlas_diags_error(e->b->diags, like->like.at,
                      "'%s' uses the index of a loop that is not around '%s'", like->like.text,
                      like->what.text);
    atlas_diags_hint(e->b->diags, "put the loop inside the group, or the groups into one loop");
}

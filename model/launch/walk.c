#include "model/launch/walk.h"

#include <stddef.h>
#include <string.h>

typedef struct {
    AtlasEnv env;
    gint64 *loops;
    AtlasVisitor visitor;
    gpointer data;
    gint64 work; /* nodes that were looked at */
    AtlasWalkFault *fault;
} Walk;

static gboolean fail(AtlasWalkFault *fault, const AtlasNode *node, const char *what,
                     AtlasRat value) {
    *fault = (AtlasWalkFault){node, what, value};
    return FALSE;
}

gboolean atlas_walk_present(const AtlasNode *node, const AtlasEnv *env, gint64 *every,
                            gboolean *present, AtlasWalkFault *fault) {
    *present = TRUE;
    if (node->when) {
        AtlasRat when = atlas_expr_value(node->when, env);
        if (!atlas_rat_ok(when))
            return fail(fault, node, "when", when);
        *present = when.num != 0;
    }
    if (*present && node->every) {
        AtlasRat value = atlas_expr_value(node->every, env);
        if (!atlas_rat_is_whole(value) || value.num < 1)
            return fail(fault, node, "every", value);
        *every = atlas_lcm(*every, value.num);
        if (*every > ATLAS_REPEATS_MAX)
            return fail(fault, node, "period", value);
    }
    return TRUE;
}

gboolean atlas_walk_count(const AtlasNode *node, const AtlasEnv *env, gint64 times, gint64 *count,
                          AtlasWalkFault *fault) {
    AtlasRat value = node->count ? atlas_expr_value(node->count, env) : atlas_rat(1);
    *count = value.num;
    if (!atlas_rat_is_whole(value) || value.num < 0 ||
        value.num > ATLAS_REPEATS_MAX / MAX(times, 1))
        return fail(fault, node, node->kind == ATLAS_ITEM_LOOP ? "loop count" : "count", value);
    return TRUE;
}

static gboolean walk_nodes(Walk *walk, const GPtrArray *nodes, gint64 times, gint64 every);

static gboolean walk_loop(Walk *walk, const AtlasNode *node, gint64 times, gint64 every) {
    gint64 count;
    if (!atlas_walk_count(node, &walk->env, times, &count, walk->fault))
        return FALSE;
    if (count > 0 && !walk_nodes(walk, node->steady, times * count, every))
        return FALSE;
    if (node->varying->len == 0)
        return TRUE;
    if (count > ATLAS_ITERATIONS_MAX)
        return fail(walk->fault, node, "loop count", atlas_rat(count));
    for (gint64 i = 0; i < count; i++) {
        walk->loops[node->loop] = i;
        if (!walk_nodes(walk, node->varying, times, every))
            return FALSE;
    }
    return TRUE;
}

static gboolean walk_nodes(Walk *walk, const GPtrArray *nodes, gint64 times, gint64 every) {
    for (guint i = 0; i < nodes->len; i++) {
        const AtlasNode *node = g_ptr_array_index(nodes, i);
        gint64 own_every = every;
        gboolean present = TRUE, ok = TRUE;
        if (walk->work++ == ATLAS_WORK_MAX)
            return fail(walk->fault, node, "work", ATLAS_RAT_NONE);
        if ((node->when || node->every) && /* most nodes have neither */
            !atlas_walk_present(node, &walk->env, &own_every, &present, walk->fault))
            return FALSE;
        if (present && node->kind == ATLAS_ITEM_LAUNCH) {
            AtlasVisit visit = {node->population, node->count, &walk->env, times, own_every};
            walk->visitor(&visit, walk->data);
        } else if (present && node->kind == ATLAS_ITEM_LOOP) {
            ok = walk_loop(walk, node, times, own_every);
        } else if (present && node->kind == ATLAS_ITEM_GROUP) {
            ok = walk_nodes(walk, node->children, times, own_every);
        }
        if (!ok)
            return FALSE;
    }
    return TRUE;
}

gboolean atlas_walk(const AtlasConfig *config, const AtlasRat *unknowns, AtlasVisitor visitor,
                    gpointer data, AtlasWalkFault *fault) {
    enum { FEW = 16 };
    const AtlasModel *model = config->model;
    gint64 few[FEW] = {0};
    gint64 *loops = model->loops <= FEW ? few : g_new0(gint64, model->loops);
    Walk walk = {atlas_config_env(config), loops, visitor, data, 0, fault};
    gboolean ok = TRUE;
    walk.env.loops = loops;
    walk.env.unknowns = unknowns;
    for (guint i = 0; ok && i < model->stages->len; i++)
        ok = walk_nodes(&walk, ATLAS_STAGE(model, i)->nodes, 1, 1);
    if (loops != few)
        g_free(loops);
    return ok;
}

/* What can be wrong: where it stands (an expression, or the item itself), what is expected, and how
 * to mend it. */
static const struct {
    const char *what;
    gsize place; /* an AtlasText of the item */
    const char *expected, *hint;
} faults[] = {
#define AT(member) offsetof(AtlasSpecItem, member)
#define GUARD "guard it with 'when', max() or if(), or narrow a parameter's min..max"
    {"when", AT(when), "a number", GUARD},
    {"every", AT(every), "a whole number >= 1", GUARD},
    {"count", AT(count), "a whole number >= 0, not too large", GUARD},
    {"loop count", AT(what), "a whole number >= 0, not too large", GUARD},
    {"period", AT(every), NULL,
     "'every' inside others, or beside them, are joined by their least "
     "common multiple: choose numbers that divide each other"},
    {"work", AT(what), NULL,
     "loops whose iterations differ, by a condition, a count or an index "
     "that uses theirs, are looked at one by one: make them smaller"},
#undef GUARD
#undef AT
};

void atlas_walk_report(const AtlasWalkFault *fault, const AtlasConfig *config, AtlasDiags *diags) {
    const AtlasSpecItem *item = fault->node->item;
    g_autofree char *where = atlas_config_describe(config);
    char value[64];
    guint i = 0;
    while (!g_str_equal(faults[i].what, fault->what))
        i++;
    const AtlasText *place =
        (const AtlasText *)(const void *)((const char *)item + faults[i].place);
    AtlasSpan at = place->text ? place->at : item->what.at;
    if (at.source && atlas_diags_has(diags, at))
        return; /* under another configuration, which says no more */
    atlas_rat_format(fault->value, 6, value, sizeof value);
    if (faults[i].expected)
        atlas_diags_error(diags, at, "this %s is %s under '%s'; expected %s", fault->what,
                          atlas_rat_ok(fault->value) ? value : "no number", where,
                          faults[i].expected);
    else if (g_str_equal(fault->what, "period"))
        atlas_diags_error(
            diags, at,
            "under '%s' the same launches come again after more than %" G_GINT64_FORMAT " steps",
            where, ATLAS_REPEATS_MAX);
    else
        atlas_diags_error(diags, at, "under '%s' there are more than %d items to be looked at",
                          where, ATLAS_WORK_MAX);
    atlas_diags_hint(diags, "%s", faults[i].hint);
}

static void visit_period(const AtlasVisit *visit, gpointer data) {
    gint64 *period = data;
    if (*period <= ATLAS_REPEATS_MAX)
        *period = atlas_lcm(*period, visit->every);
}

gint64 atlas_walk_period(const AtlasConfig *config, AtlasWalkFault *fault) {
    gint64 period = 1;
    if (!atlas_walk(config, NULL, visit_period, &period, fault))
        return 0;
    if (period <= ATLAS_REPEATS_MAX)
        return period;
    const AtlasPopulation *first = ATLAS_POPULATION(config->model, 0);
    *fault = (AtlasWalkFault){first->node, "period", ATLAS_RAT_NONE};
    return 0;
}

gint64 atlas_multiples(gint64 first, gint64 last, gint64 every) {
    if (every == 1)
        return last - first + 1;
    gint64 before = first > 0 ? (first - 1) / every + 1 : 0; /* multiples in 0..first-1 */
    return last / every + 1 - before;
}

AtlasLinear *atlas_linear_new(guint unknowns, guint count) {
    AtlasLinear *forms = g_new(AtlasLinear, MAX(count, 1));
    for (guint i = 0; i < count; i++) {
        forms[i] = (AtlasLinear){atlas_rat(0), g_new(AtlasRat, MAX(unknowns, 1)), unknowns};
        for (guint j = 0; j < unknowns; j++)
            forms[i].coefs[j] = atlas_rat(0);
    }
    return forms;
}

void atlas_linear_free(AtlasLinear *forms, guint count) {
    for (guint i = 0; forms && i < count; i++)
        g_free(forms[i].coefs);
    g_free(forms);
}

void atlas_linear_add(AtlasLinear *into, const AtlasLinear *form, AtlasRat factor) {
    into->constant = atlas_rat_add(into->constant, atlas_rat_mul(form->constant, factor));
    for (guint i = 0; i < into->n; i++)
        if (form->coefs[i].num != 0 || !atlas_rat_ok(form->coefs[i]))
            into->coefs[i] = atlas_rat_add(into->coefs[i], atlas_rat_mul(form->coefs[i], factor));
}

AtlasRat atlas_linear_value(const AtlasLinear *form, const AtlasRat *unknowns) {
    AtlasRat value = form->constant;
    for (guint i = 0; i < form->n; i++)
        if (form->coefs[i].num != 0)
            value = atlas_rat_add(value, atlas_rat_mul(form->coefs[i], unknowns[i]));
    return value;
}

gboolean atlas_linear_equal(const AtlasLinear *a, const AtlasLinear *b) {
    if (atlas_rat_cmp(a->constant, b->constant) != 0)
        return FALSE;
    for (guint i = 0; i < a->n; i++)
        if (atlas_rat_cmp(a->coefs[i], b->coefs[i]) != 0)
            return FALSE;
    return TRUE;
}

typedef struct {
    AtlasLinear *forms;
    gboolean by_stage; /* one for each stage; else for each population */
    gint64 first, last;
    const AtlasModel *model;
    AtlasWalkFault *fault; /* its node set: a count was no number */
} LinearSum;

static void visit_linear(const AtlasVisit *visit, gpointer data) {
    LinearSum *sum = data;
    const AtlasPopulation *population = ATLAS_POPULATION(sum->model, visit->population);
    AtlasLinear *form = &sum->forms[sum->by_stage ? population->stage : visit->population];
    AtlasRat factor = atlas_rat_mul(
        atlas_rat(visit->times), atlas_rat(atlas_multiples(sum->first, sum->last, visit->every)));
    guint count = 0;
    const guint *unknowns = visit->count ? atlas_expr_unknowns(visit->count, &count) : NULL;
    AtlasRat none =
        visit->count ? atlas_expr_value_at(visit->count, visit->env, G_MAXUINT) : atlas_rat(1);
    if (count == 0 && (!atlas_rat_is_whole(none) || none.num < 0) && !sum->fault->node)
        *sum->fault = (AtlasWalkFault){population->node, "count", none};
    form->constant = atlas_rat_add(form->constant, atlas_rat_mul(none, factor));
    for (guint i = 0; i < count; i++) {
        AtlasRat one = atlas_expr_value_at(visit->count, visit->env, unknowns[i]);
        AtlasRat *coef = &form->coefs[unknowns[i]];
        *coef = atlas_rat_add(*coef, atlas_rat_mul(atlas_rat_sub(one, none), factor));
        if (!atlas_rat_ok(*coef))
            form->constant = ATLAS_RAT_NONE;
    }
    if (!atlas_rat_ok(form->constant) && !sum->fault->node)
        *sum->fault = (AtlasWalkFault){population->node, "count", ATLAS_RAT_NONE};
}

static AtlasLinear *walk_linear(const AtlasConfig *config, gboolean by_stage, gint64 first,
                                gint64 last, AtlasWalkFault *fault) {
    const AtlasModel *model = config->model;
    guint count = by_stage ? model->stages->len : model->populations->len;
    LinearSum sum = {
        .forms = atlas_linear_new(model->unknowns->len, count),
        .by_stage = by_stage,
        .first = first,
        .last = last,
        .model = model,
        .fault = fault,
    };
    fault->node = NULL;
    if (atlas_walk(config, NULL, visit_linear, &sum, fault) && !fault->node)
        return sum.forms;
    atlas_linear_free(sum.forms, count);
    return NULL;
}

AtlasLinear *atlas_walk_linear(const AtlasConfig *config, gint64 first, gint64 last,
                               AtlasWalkFault *fault) {
    return walk_linear(config, FALSE, first, last, fault);
}

AtlasLinear *atlas_walk_linear_stages(const AtlasConfig *config, gint64 first, gint64 last,
                                      AtlasWalkFault *fault) {
    return walk_linear(config, TRUE, first, last, fault);
}

static void guard_clear(gpointer data) {
    g_free(((AtlasLinear *)data)->coefs);
}

static void visit_guard(const AtlasVisit *visit, gpointer data) {
    GArray *guards = data;
    guint count = 0;
    const guint *unknowns = visit->count ? atlas_expr_unknowns(visit->count, &count) : NULL;
    if (count == 0)
        return; /* a constant is checked where it is counted */
    guint n = unknowns[count - 1] + 1;
    AtlasRat none = atlas_expr_value_at(visit->count, visit->env, G_MAXUINT);
    AtlasLinear form = {none, g_new(AtlasRat, n), n};
    gboolean negative = none.num < 0;
    for (guint i = 0; i < n; i++)
        form.coefs[i] = atlas_rat(0);
    for (guint i = 0; i < count; i++) {
        AtlasRat one = atlas_expr_value_at(visit->count, visit->env, unknowns[i]);
        form.coefs[unknowns[i]] = atlas_rat_sub(one, none);
        negative |= form.coefs[unknowns[i]].num < 0;
    }
    if (negative)
        g_array_append_val(guards, form);
    else
        g_free(form.coefs);
}

GArray *atlas_walk_guards(const AtlasConfig *config) {
    AtlasWalkFault fault;
    GArray *guards = g_array_new(FALSE, FALSE, sizeof(AtlasLinear));
    g_array_set_clear_func(guards, guard_clear);
    atlas_walk(config, NULL, visit_guard, guards, &fault);
    return guards;
}

typedef struct {
    AtlasRat *stages;
    const AtlasModel *model;
    gint64 first, last;
    AtlasWalkFault *fault;
} StageSum;

static void visit_stage(const AtlasVisit *visit, gpointer data) {
    StageSum *sum = data;
    const AtlasPopulation *population = ATLAS_POPULATION(sum->model, visit->population);
    gint64 steps = atlas_multiples(sum->first, sum->last, visit->every);
    AtlasRat count = visit->count ? atlas_expr_value(visit->count, visit->env) : atlas_rat(1);
    AtlasRat launches = count;
    if (visit->times != 1)
        launches = atlas_rat_mul(launches, atlas_rat(visit->times));
    if (steps != 1)
        launches = atlas_rat_mul(launches, atlas_rat(steps));
    AtlasRat *stage = &sum->stages[population->stage];
    *stage = atlas_rat_add(*stage, launches);
    if ((!atlas_rat_ok(*stage) || launches.num < 0) && !sum->fault->node)
        *sum->fault = (AtlasWalkFault){population->node, "count", count};
}

gboolean atlas_walk_stages(const AtlasConfig *config, const AtlasRat *unknowns, gint64 first,
                           gint64 last, AtlasRat *stages, AtlasWalkFault *fault) {
    const AtlasModel *model = config->model;
    StageSum sum = {stages, model, first, last, fault};
    fault->node = NULL;
    for (guint i = 0; i < model->stages->len; i++)
        stages[i] = atlas_rat(0);
    return atlas_walk(config, unknowns, visit_stage, &sum, fault) && !fault->node;
}

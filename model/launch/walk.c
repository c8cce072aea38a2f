#include "model/launch/walk.h"

#include <string.h>

/* Products of loop counts beyond this are mistakes, and would not be exact in a double either. */
#define REPEATS_MAX ((gint64)1 << 53)

typedef struct {
    AtlasEnv env;
    gint64 *loops;
    AtlasVisitor visitor;
    gpointer data;
    AtlasWalkFault *fault;
} Walk;

gint64 atlas_lcm(gint64 a, gint64 b) {
    gint64 x = a, y = b, product;
    if (a == 1)
        return b;
    while (y != 0) {
        gint64 rest = x % y;
        x = y;
        y = rest;
    }
    return __builtin_mul_overflow(a / x, b, &product) ? REPEATS_MAX + 1 : product;
}

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
        if (*every > REPEATS_MAX)
            return fail(fault, node, "every", value);
    }
    return TRUE;
}

gboolean atlas_walk_count(const AtlasNode *node, const AtlasEnv *env, gint64 times, gint64 *count,
                          AtlasWalkFault *fault) {
    AtlasRat value = node->count ? atlas_expr_value(node->count, env) : atlas_rat(1);
    *count = value.num;
    if (!atlas_rat_is_whole(value) || value.num < 0 || value.num > REPEATS_MAX / MAX(times, 1))
        return fail(fault, node, node->kind == ATLAS_ITEM_LOOP ? "loop count" : "count", value);
    return TRUE;
}

static gboolean walk_nodes(Walk *walk, const GPtrArray *nodes, gint64 times, gint64 every);

static gboolean walk_loop(Walk *walk, const AtlasNode *node, gint64 times, gint64 every) {
    gint64 count;
    if (!atlas_walk_count(node, &walk->env, times, &count, walk->fault))
        return FALSE;
    if (!node->varies)
        return count == 0 || walk_nodes(walk, node->children, times * count, every);
    if (count > ATLAS_ITERATIONS_MAX)
        return fail(walk->fault, node, "loop count", atlas_rat(count));
    for (gint64 i = 0; i < count; i++) {
        walk->loops[node->loop] = i;
        if (!walk_nodes(walk, node->children, times, every))
            return FALSE;
    }
    return TRUE;
}

static gboolean walk_nodes(Walk *walk, const GPtrArray *nodes, gint64 times, gint64 every) {
    for (guint i = 0; i < nodes->len; i++) {
        const AtlasNode *node = g_ptr_array_index(nodes, i);
        gint64 own_every = every;
        gboolean present, ok = TRUE;
        if (!atlas_walk_present(node, &walk->env, &own_every, &present, walk->fault))
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
    Walk walk = {atlas_config_env(config), loops, visitor, data, fault};
    gboolean ok = TRUE;
    walk.env.loops = loops;
    walk.env.unknowns = unknowns;
    for (guint i = 0; ok && i < model->stages->len; i++)
        ok = walk_nodes(&walk, ATLAS_STAGE(model, i)->nodes, 1, 1);
    if (loops != few)
        g_free(loops);
    return ok;
}

void atlas_walk_report(const AtlasWalkFault *fault, const AtlasConfig *config, AtlasDiags *diags) {
    const AtlasSpecItem *item = fault->node->item;
    gboolean loop = g_str_equal(fault->what, "loop count");
    gboolean when = g_str_equal(fault->what, "when");
    gboolean count = g_str_equal(fault->what, "count");
    AtlasSpan at = loop    ? item->what.at
                   : when  ? item->when.at
                   : count ? item->count.at
                           : item->every.at;
    char value[64];
    g_autofree char *where = atlas_config_describe(config);
    atlas_rat_format(fault->value, 6, value, sizeof value);
    atlas_diags_error(diags, at, "this %s is %s under '%s'; expected %s", fault->what,
                      atlas_rat_ok(fault->value) ? value : "no number", where,
                      when            ? "a number"
                      : loop || count ? "a whole number >= 0, not too large"
                                      : "a whole number >= 1");
    atlas_diags_hint(diags,
                     "guard it with 'when', max() or if(), or narrow a parameter's min..max");
}

static void visit_period(const AtlasVisit *visit, gpointer data) {
    gint64 *period = data;
    if (*period <= REPEATS_MAX)
        *period = atlas_lcm(*period, visit->every);
}

gint64 atlas_walk_period(const AtlasConfig *config, AtlasWalkFault *fault) {
    gint64 period = 1;
    if (!atlas_walk(config, NULL, visit_period, &period, fault))
        return 0;
    if (period <= REPEATS_MAX)
        return period;
    const AtlasPopulation *first = ATLAS_POPULATION(config->model, 0);
    *fault = (AtlasWalkFault){first->node, "every", ATLAS_RAT_NONE};
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
    gint64 first, last;
    const AtlasModel *model;
    AtlasWalkFault *fault; /* its node set: a count was no number */
} LinearSum;

static void visit_linear(const AtlasVisit *visit, gpointer data) {
    LinearSum *sum = data;
    AtlasLinear *form = &sum->forms[visit->population];
    AtlasRat factor = atlas_rat_mul(
        atlas_rat(visit->times), atlas_rat(atlas_multiples(sum->first, sum->last, visit->every)));
    guint count = 0;
    if (!visit->count) {
        form->constant = atlas_rat_add(form->constant, factor);
        return;
    }
    const guint *unknowns = atlas_expr_unknowns(visit->count, &count);
    AtlasRat none = atlas_expr_value_at(visit->count, visit->env, G_MAXUINT);
    form->constant = atlas_rat_add(form->constant, atlas_rat_mul(none, factor));
    for (guint i = 0; i < count; i++) {
        AtlasRat one = atlas_expr_value_at(visit->count, visit->env, unknowns[i]);
        AtlasRat *coef = &form->coefs[unknowns[i]];
        *coef = atlas_rat_add(*coef, atlas_rat_mul(atlas_rat_sub(one, none), factor));
        if (!atlas_rat_ok(*coef))
            form->constant = ATLAS_RAT_NONE;
    }
    if (!atlas_rat_ok(form->constant) && !sum->fault->node)
        *sum->fault = (AtlasWalkFault){ATLAS_POPULATION(sum->model, visit->population)->node,
                                       "count", ATLAS_RAT_NONE};
}

AtlasLinear *atlas_walk_linear(const AtlasConfig *config, gint64 first, gint64 last,
                               AtlasWalkFault *fault) {
    const AtlasModel *model = config->model;
    guint count = model->populations->len;
    LinearSum sum = {atlas_linear_new(model->unknowns->len, count), first, last, model, fault};
    fault->node = NULL;
    if (atlas_walk(config, NULL, visit_linear, &sum, fault) && !fault->node)
        return sum.forms;
    atlas_linear_free(sum.forms, count);
    return NULL;
}

typedef struct {
    AtlasRat *stages;
    const AtlasPopulation *populations;
    gint64 first, last;
    AtlasWalkFault *fault;
} StageSum;

static void visit_stage(const AtlasVisit *visit, gpointer data) {
    StageSum *sum = data;
    const AtlasPopulation *population = &sum->populations[visit->population];
    gint64 steps = atlas_multiples(sum->first, sum->last, visit->every);
    AtlasRat count = visit->count ? atlas_expr_value(visit->count, visit->env) : atlas_rat(1);
    AtlasRat launches =
        atlas_rat_mul(count, atlas_rat_mul(atlas_rat(visit->times), atlas_rat(steps)));
    AtlasRat *stage = &sum->stages[population->stage];
    *stage = atlas_rat_add(*stage, launches);
    if ((!atlas_rat_ok(*stage) || launches.num < 0) && !sum->fault->node)
        *sum->fault = (AtlasWalkFault){population->node, "count", count};
}

gboolean atlas_walk_stages(const AtlasConfig *config, const AtlasRat *unknowns, gint64 first,
                           gint64 last, AtlasRat *stages, AtlasWalkFault *fault) {
    const AtlasModel *model = config->model;
    StageSum sum = {stages, ATLAS_POPULATION(model, 0), first, last, fault};
    fault->node = NULL;
    for (guint i = 0; i < model->stages->len; i++)
        stages[i] = atlas_rat(0);
    return atlas_walk(config, unknowns, visit_stage, &sum, fault) && !fault->node;
}

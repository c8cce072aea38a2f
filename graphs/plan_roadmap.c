#include "graphs/plan_roadmap.h"

#include "graphs/plan_part.h"
#include "graphs/targets.h"

typedef struct {
    Ground ground;
    const Targets *targets;
    const AtlasPlan *bare;
    AtlasRoadmap *map;
} Mapper;

/* ---- numbers ---- */

/* What launches cost. */
static AtlasRat ms_of(const Mapper *m, AtlasRat launches) {
    return atlas_rat_mul(launches, atlas_rat_make(m->bare->costs.clock.launch_ns, 1000000));
}

static gboolean is_in(const Mapper *m, const gboolean *in, const AtlasOp *op) {
    const AtlasModel *model = m->ground.model;
    for (guint i = 0; op->of && i < model->populations->len; i++)
        if (in[i] && g_str_equal(ATLAS_POPULATION(model, i)->key, op->of))
            return TRUE;
    return FALSE;
}

/* What windows save that hold nothing but launches of a set, which are so many; as many as the
 * window's steps launch, at the price of those of the plan's. */
static AtlasRat saved_by(const Mapper *m, const gboolean *in, gboolean loops, AtlasRat launches) {
    g_autoptr(AtlasDiags) ignored = atlas_diags_new();
    g_autoptr(PlanTree) tree = plan_tree_new(m->bare->given, ignored);
    gint64 period = m->bare->period, all = 0, gap, saved = 0;
    for (guint i = tree->step + 1; i < tree->step_end; i++) {
        const AtlasOp *op = plan_op(tree->program, i);
        if (op->kind != ATLAS_OP_LAUNCH)
            continue;
        if (is_in(m, in, op))
            all += op->count * plan_tree_times(tree, i) * (period / op->every);
        else
            plan_tree_block(tree, i);
    }
    g_autoptr(GArray) windows =
        plan_choose(tree, loops ? ATLAS_WITH_ITERATIONS : 0, &m->bare->costs, &gap);
    for (guint i = 0; i < windows->len; i++)
        saved += g_array_index(windows, AtlasPlanWindow, i).saved_ns;
    if (all == 0)
        return ms_of(m, launches);
    AtlasRat share = atlas_rat_div(launches, atlas_rat_make(all, period));
    return atlas_rat_mul(share, atlas_rat_make(saved, 1000000));
}

static void price(Mapper *m, const gboolean *in, AtlasRat *launches, AtlasInterval *bounds) {
    AtlasLinear *form = ground_form(&m->ground, in);
    *launches = ground_point(&m->ground, form, m->ground.steps);
    *bounds = ground_bounds(&m->ground, form, m->ground.steps);
    atlas_linear_free(form, 1);
}

/* ---- what is in the way ---- */

static const AtlasOp *blocked_op(const AtlasPlan *plan, guint i) {
    guint op = g_array_index(plan->blocks, AtlasPlanBlock, i).op;
    return &g_array_index(plan->eager->ops, AtlasOp, op);
}

static void find_needs(const Mapper *m, AtlasRoad *road) {
    for (guint i = 0; i < m->bare->blocks->len; i++) {
        const char *key = blocked_op(m->bare, i)->of;
        const AtlasPlanBlock *block = &g_array_index(m->bare->blocks, AtlasPlanBlock, i);
        for (guint p = 0; key && p < m->ground.model->populations->len; p++) {
            if (!road->in[p] || !g_str_equal(ATLAS_POPULATION(m->ground.model, p)->key, key))
                continue;
            road->needs |= block->with;
            road->blocked |= block->with == 0;
        }
    }
}

/* ---- targets ---- */

static void add_road(Mapper *m, AtlasRoad road, gboolean loops) {
    price(m, road.in, &road.launches, &road.bounds);
    if (road.kind == ATLAS_ROAD_PART) {
        const AtlasRoad *whole = &g_array_index(m->map->roads, AtlasRoad, road.of);
        road.saved_ms =
            atlas_rat_mul(whole->saved_ms, atlas_rat_div(road.launches, whole->launches));
    } else {
        road.saved_ms = saved_by(m, road.in, loops, road.launches);
    }
    find_needs(m, &road);
    g_array_append_val(m->map->roads, road);
}

/* What of a set of populations an arm switches off: NULL where that is nothing, or all of it. */
static gboolean *part_of(const Mapper *m, const gboolean *in, guint arm) {
    guint n = m->ground.model->populations->len;
    AtlasWalkFault fault;
    g_autoptr(AtlasConfig) config = atlas_config_copy(m->ground.base);
    atlas_config_put(config, TRUE, arm, 0);
    AtlasLinear *forms =
        atlas_walk_linear(config, m->ground.window.first, m->ground.window.last, &fault);
    g_autofree gboolean *part = g_new0(gboolean, n + 1);
    guint off = 0, all = 0;
    for (guint i = 0; forms && i < n; i++) {
        part[i] = in[i] && m->ground.has[i] && form_is_zero(&forms[i]);
        off += part[i];
        all += in[i] && m->ground.has[i];
    }
    atlas_linear_free(forms, forms ? n : 0);
    return off > 0 && off < all ? g_steal_pointer(&part) : NULL;
}

static gboolean same_set(const Mapper *m, const gboolean *a, const gboolean *b) {
    for (guint i = 0; i < m->ground.model->populations->len; i++)
        if (a[i] != b[i])
            return FALSE;
    return TRUE;
}

static void add_parts(Mapper *m, guint of) {
    const AtlasModel *model = m->ground.model;
    for (guint arm = 0; arm < model->arms->len; arm++) {
        const AtlasRoad *whole = &g_array_index(m->map->roads, AtlasRoad, of);
        if (!atlas_config_arm(m->ground.base, arm))
            continue;
        gboolean *in = part_of(m, whole->in, arm);
        for (guint i = of + 1; in && i < m->map->roads->len; i++)
            if (same_set(m, in, g_array_index(m->map->roads, AtlasRoad, i).in))
                g_clear_pointer(&in, g_free); /* jepa and the teacher that needs it */
        if (in)
            add_road(m,
                     (AtlasRoad){.kind = ATLAS_ROAD_PART,
                                 .of = of,
                                 .name = g_strdup_printf("%s in them", ATLAS_ARM(model, arm)->name),
                                 .graphs = whole->graphs,
                                 .in = in},
                     TRUE);
    }
}

/* A target with its copies. */
static void add_target(Mapper *m, guint t) {
    const Target *target = g_ptr_array_index(m->targets->list, t);
    guint n = m->ground.model->populations->len;
    g_autoptr(GString) name = g_string_new(target->name);
    AtlasRoad road = {.graphs = target->graphs, .in = g_new0(gboolean, n + 1)};
    for (guint i = 0; i < n; i++)
        road.in[i] = target->in[i];
    for (guint k = t + 1; k < m->targets->list->len; k++) {
        const Target *copy = g_ptr_array_index(m->targets->list, k);
        if (copy->twin != t + 1)
            continue;
        const char *of = g_strrstr(copy->name, " ");
        g_string_append_printf(name, " and%s", of ? of : copy->name);
        road.graphs = atlas_rat_add(road.graphs, copy->graphs);
        for (guint i = 0; i < n; i++)
            road.in[i] |= copy->in[i];
    }
    road.name = g_strdup(name->str);
    add_road(m, road, target->loop != NULL);
    if (target->loop)
        add_parts(m, m->map->roads->len - 1);
}

/* ---- levers ---- */

/* Launches over `steps` steps that a configuration makes less than the base does. */
static AtlasLinear *less(const Mapper *m, const AtlasConfig *config, gint64 steps) {
    AtlasWalkFault fault;
    guint n = m->ground.model->stages->len;
    AtlasLinear *a = atlas_walk_linear_stages(m->ground.base, 0, steps - 1, &fault);
    AtlasLinear *b = a ? atlas_walk_linear_stages(config, 0, steps - 1, &fault) : NULL;
    AtlasLinear *sum = b ? atlas_linear_new(m->ground.model->unknowns->len, 1) : NULL;
    for (guint s = 0; sum && s < n; s++) {
        atlas_linear_add(sum, &a[s], atlas_rat(1));
        atlas_linear_add(sum, &b[s], atlas_rat(-1));
    }
    atlas_linear_free(a, a ? n : 0);
    atlas_linear_free(b, b ? n : 0);
    return sum;
}

static void add_lever(Mapper *m, const AtlasToggle *toggle) {
    AtlasWalkFault fault;
    g_autoptr(AtlasConfig) config = atlas_config_copy(m->ground.base);
    for (guint i = 0; i < toggle->settings->len; i++) {
        const AtlasSetting *s = &g_array_index(toggle->settings, AtlasSetting, i);
        atlas_config_put(config, s->is_arm, s->index, s->value);
    }
    gint64 a = atlas_walk_period(m->ground.base, &fault), b = atlas_walk_period(config, &fault);
    gint64 steps = a && b ? atlas_lcm(a, b) : 0;
    AtlasLinear *form = steps > 0 && steps <= ATLAS_REPEATS_MAX ? less(m, config, steps) : NULL;
    if (!form)
        return;
    AtlasRoad road = {.kind = ATLAS_ROAD_LEVER,
                      .name = g_strdup_printf("toggle %s", toggle->name),
                      .launches = ground_point(&m->ground, form, steps),
                      .graphs = atlas_rat(0),
                      .bounds = ground_bounds(&m->ground, form, steps),
                      .changes = toggle->spec->changes.text};
    atlas_linear_free(form, 1);
    road.saved_ms = ms_of(m, road.launches);
    if (atlas_rat_ok(road.launches) && road.launches.num > 0)
        g_array_append_val(m->map->roads, road);
    else
        g_free(road.name);
}

/* ---- ceilings ---- */

static void add_ceiling(Mapper *m, AtlasCeiling *ceiling, const char *name, gboolean loops) {
    guint n = m->ground.model->populations->len;
    g_autofree gboolean *in = g_new0(gboolean, n + 1);
    ceiling->name = name;
    ceiling->graphs = loops ? atlas_rat(0) : m->targets->by_stage;
    for (guint t = 0; t < m->targets->list->len; t++) {
        const Target *target = g_ptr_array_index(m->targets->list, t);
        if (loops && !target->whole)
            continue;
        for (guint i = 0; i < n; i++)
            in[i] |= target->in[i];
        if (loops)
            ceiling->graphs = atlas_rat_add(ceiling->graphs, target->graphs);
    }
    price(m, in, &ceiling->launches, &ceiling->bounds);
    ceiling->saved_ms = saved_by(m, in, loops, ceiling->launches);
}

/* ---- order ---- */

typedef struct {
    AtlasRoad road;
    AtlasRat key; /* the launches of the row that it is, or is part of */
    guint at;
} Ranked;

static int by_launches(gconstpointer a, gconstpointer b) {
    const Ranked *x = a, *y = b;
    int order = ground_order(x->key, y->key);
    return order ? order : (x->at > y->at) - (x->at < y->at);
}

static void rank(AtlasRoadmap *map) {
    g_autoptr(GArray) ranked = g_array_new(FALSE, FALSE, sizeof(Ranked));
    guint whole = 0;
    for (guint i = 0; i < map->roads->len; i++) {
        AtlasRoad road = g_array_index(map->roads, AtlasRoad, i);
        guint key = road.kind == ATLAS_ROAD_PART ? road.of : i;
        Ranked one = {road, g_array_index(map->roads, AtlasRoad, key).launches, i};
        g_array_append_val(ranked, one);
    }
    g_array_sort(ranked, by_launches);
    for (guint i = 0; i < ranked->len; i++) {
        AtlasRoad road = g_array_index(ranked, Ranked, i).road;
        if (road.kind != ATLAS_ROAD_PART)
            whole = i;
        road.of = whole;
        g_array_index(map->roads, AtlasRoad, i) = road;
    }
}

/* ---- life cycle ---- */

static void road_clear(gpointer data) {
    AtlasRoad *road = data;
    g_free(road->name);
    g_free(road->in);
}

static void make(Mapper *m) {
    const AtlasModel *model = m->ground.model;
    AtlasLinear *all = ground_stage_form(&m->ground, m->ground.forms, model->stages->len);
    m->map->total = ground_point(&m->ground, all, m->ground.steps);
    atlas_linear_free(all, 1);
    for (guint t = 0; t < m->targets->list->len; t++)
        if (!((const Target *)g_ptr_array_index(m->targets->list, t))->twin)
            add_target(m, t);
    for (guint i = 0; i < model->toggles->len; i++)
        if (ATLAS_TOGGLE(model, i)->spec->changes.text)
            add_lever(m, ATLAS_TOGGLE(model, i));
    add_ceiling(m, &m->map->ceilings[0], "iterations of loops", TRUE);
    add_ceiling(m, &m->map->ceilings[1], "everything between what the host reads", FALSE);
    rank(m->map);
}

AtlasRoadmap *atlas_roadmap_make(AtlasStudy *study, const AtlasConfig *config,
                                 const AtlasPlan *bare, AtlasDiags *diags) {
    Mapper m = {.bare = bare};
    gboolean ok = ground_init_at(&m.ground, study, config, diags);
    g_autoptr(Targets) targets = ok ? targets_new(&m.ground) : NULL;
    AtlasRoadmap *map = NULL;
    if (targets) {
        map = m.map = g_new0(AtlasRoadmap, 1);
        m.targets = targets;
        map->roads = g_array_new(FALSE, FALSE, sizeof(AtlasRoad));
        make(&m);
        g_array_set_clear_func(map->roads, road_clear);
    }
    ground_clear(&m.ground);
    return map;
}

void atlas_roadmap_free(AtlasRoadmap *map) {
    if (!map)
        return;
    g_array_unref(map->roads);
    g_free(map);
}

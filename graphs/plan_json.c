#include "graphs/plan_part.h"
#include "graphs/plan_show.h"
#include "model/base/table.h"

/* An object's members; NULL values become null. */
static void put(json_t *object, const char *key, json_t *value) {
    json_object_set_new(object, key, value ? value : json_null());
}

static json_t *ms(gint64 ns) {
    return json_real((double)ns / 1e6);
}

static json_t *with_list(guint with) {
    json_t *list = json_array();
    for (guint i = 0; i < ATLAS_WITHS; i++)
        if (with & atlas_plan_withs[i].bit)
            json_array_append_new(list, json_string(atlas_plan_withs[i].name));
    return list;
}

static json_t *program_text(const AtlasProgram *program) {
    g_autoptr(GString) out = g_string_new(NULL);
    atlas_program_write(program, out);
    return json_string(out->str);
}

/* ---- the plan ---- */

static json_t *windows(const AtlasPlan *plan) {
    json_t *list = json_array();
    for (guint i = 0; i < plan->windows->len; i++) {
        const AtlasPlanWindow *w = &g_array_index(plan->windows, AtlasPlanWindow, i);
        json_t *o = json_object();
        put(o, "number", json_integer(w->number));
        put(o, "name", atlas_json_string(w->name));
        put(o, "stage", atlas_json_string(w->stage));
        put(o, "launches", json_integer(w->launches));
        put(o, "every", json_integer(w->every));
        put(o, "graph_launches", json_integer(w->times));
        put(o, "graphs", json_integer(w->graphs));
        put(o, "graph_of", json_integer(w->of + 1));
        put(o, "copies", json_integer(w->copies));
        put(o, "nodes", json_integer(w->nodes));
        put(o, "saved_ms", ms(w->saved_ns));
        put(o, "wall_saved_ms", w->wall_known ? ms(w->wall_ns) : json_null());
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *blocks(const AtlasPlan *plan) {
    json_t *list = json_array();
    for (guint i = 0; i < plan->blocks->len; i++) {
        const AtlasPlanBlock *b = &g_array_index(plan->blocks, AtlasPlanBlock, i);
        g_autofree char *name = atlas_plan_op_name(plan, b->op);
        g_autofree char *place = atlas_plan_op_place(plan, b->op);
        g_autofree char *property = atlas_plan_property(b);
        json_t *o = json_object();
        put(o, "op", atlas_json_string(name));
        put(o, "place", atlas_json_string(place));
        put(o, "property", atlas_json_string(property));
        put(o, "by", atlas_json_string(b->buffer));
        put(o, "step", b->step >= 0 ? json_integer(b->step) : json_null());
        put(o, "why", atlas_json_string(b->why));
        put(o, "mend", atlas_json_string(b->mend));
        put(o, "with", with_list(b->with));
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *promises(const AtlasPlan *plan) {
    g_autoptr(GArray) stages = atlas_plan_promises(plan);
    json_t *list = json_array(), *all = json_object();
    for (guint i = 0; i < stages->len; i++) {
        const AtlasPlanPromise *p = &g_array_index(stages, AtlasPlanPromise, i);
        json_t *o = json_object();
        put(o, "stage", atlas_json_string(p->stage));
        put(o, "eager", json_integer(p->eager));
        put(o, "calls", json_integer(p->calls));
        put(o, "submissions", json_integer(p->submissions));
        put(o, "activities", json_integer(p->activities));
        put(o, "graph_nodes", json_integer(p->graph_nodes));
        json_array_append_new(list, o);
    }
    put(all, "period", json_integer(plan->period));
    put(all, "stages", list);
    return all;
}

static json_t *costs(const AtlasPlanCosts *c) {
    json_t *o = json_object(), *launch = json_array();
    for (guint i = 0; i < c->clock.graphs; i++)
        json_array_append_new(launch,
                              json_pack("{s:I, s:f}", "nodes", (json_int_t)c->clock.graph[i].nodes,
                                        "us", (double)c->clock.graph[i].ns / 1e3));
    put(o, "launch_us", json_real((double)c->clock.launch_ns / 1e3));
    put(o, "graph_launch", launch);
    put(o, "graph_us", json_real((double)c->graph_ns / 1e3));
    put(o, "node_us", json_real((double)c->node_ns / 1e3));
    put(o, "steps", json_integer(c->over));
    put(o, "most_graphs", c->most_graphs ? json_integer(c->most_graphs) : json_null());
    put(o, "most_nodes", c->most_nodes ? json_integer(c->most_nodes) : json_null());
    put(o, "source", atlas_json_string(c->source));
    return o;
}

static json_t *wall(const AtlasPlanWall *w) {
    json_t *o = json_object();
    if (w->why) {
        put(o, "why", json_string(w->why));
        return o;
    }
    put(o, "bound", json_string(atlas_plan_wall_is_bound(w) ? "lower" : "none"));
    put(o, "eager_ms", ms(w->eager.step_ns));
    put(o, "planned_ms", ms(w->planned.step_ns + w->once_ns));
    put(o, "once_ms", ms(w->once_ns));
    put(o, "eager_host_ms", ms(w->eager.host_ns));
    put(o, "planned_host_ms", ms(w->planned.host_ns));
    put(o, "unknown_launches", json_integer(w->eager.unknown));
    put(o, "copies", json_integer(w->planned.copies));
    return o;
}

/* ---- the roadmap ---- */

static void put_priced(json_t *o, AtlasRat launches, const AtlasInterval *bounds, AtlasRat graphs,
                       AtlasRat saved) {
    put(o, "launches", atlas_json_number(launches));
    put(o, "lo", atlas_json_number(bounds->lo_known ? bounds->lo : ATLAS_RAT_NONE));
    put(o, "hi", atlas_json_number(bounds->hi_known ? bounds->hi : ATLAS_RAT_NONE));
    put(o, "graph_launches", atlas_json_number(graphs));
    put(o, "saved_ms", atlas_json_number(saved));
}

static json_t *roadmap(const AtlasRoadmap *map) {
    static const char *const kinds[] = {"target", "part", "lever"};
    json_t *list = json_array();
    for (guint i = 0; i < map->roads->len; i++) {
        const AtlasRoad *r = &g_array_index(map->roads, AtlasRoad, i);
        json_t *o = json_object();
        put(o, "kind", atlas_json_string(kinds[r->kind]));
        put(o, "name", atlas_json_string(r->name));
        if (r->kind == ATLAS_ROAD_PART)
            put(o, "of", atlas_json_string(g_array_index(map->roads, AtlasRoad, r->of).name));
        put_priced(o, r->launches, &r->bounds, r->graphs, r->saved_ms);
        put(o, "first", with_list(r->needs));
        put(o, "blocked", json_boolean(r->blocked));
        put(o, "changes", atlas_json_string(r->changes));
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *ceilings(const AtlasRoadmap *map) {
    json_t *list = json_array();
    for (guint i = 0; i < G_N_ELEMENTS(map->ceilings); i++) {
        const AtlasCeiling *c = &map->ceilings[i];
        json_t *o = json_object();
        put(o, "name", atlas_json_string(c->name));
        put_priced(o, c->launches, &c->bounds, c->graphs, c->saved_ms);
        json_array_append_new(list, o);
    }
    return list;
}

json_t *atlas_plan_json(const AtlasPlanShown *shown) {
    const AtlasPlan *plan = shown->plan;
    json_t *root = json_object(), *totals = json_object();
    put(root, "schema", atlas_json_string("atlas-plan/1"));
    put(root, "name", atlas_json_string(plan->given->name));
    put(root, "with", with_list(plan->with));
    put(root, "proved", json_boolean(plan->proved));
    put(root, "proof", atlas_json_string(plan->proof));
    put(root, "assumed", atlas_json_string(plan->assumed));
    put(totals, "period", json_integer(plan->period));
    put(totals, "launches", json_integer(plan->launches));
    put(totals, "captured", json_integer(plan->captured));
    put(totals, "graph_launches", json_integer(plan->graph_launches));
    put(totals, "copies", json_integer(plan->copies));
    put(totals, "graphs", json_integer(plan->graphs));
    put(totals, "nodes", json_integer(plan->nodes));
    put(totals, "base_ms", ms(plan->base_ns));
    put(totals, "saved_ms", ms(plan->saved_ns));
    put(totals, "gap_ms", ms(plan->gap_ns));
    put(root, "totals", totals);
    put(root, "wall", wall(&plan->wall));
    put(root, "windows", windows(plan));
    put(root, "blocked", blocks(plan));
    put(root, "promises", promises(plan));
    put(root, "costs", costs(&plan->costs));
    if (shown->map) {
        put(root, "roadmap", roadmap(shown->map));
        put(root, "ceilings", ceilings(shown->map));
    }
    put(root, "eager", program_text(plan->eager));
    put(root, "program", program_text(plan->planned));
    return root;
}

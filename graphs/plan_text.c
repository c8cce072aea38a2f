#include "graphs/plan_part.h"
#include "graphs/plan_show.h"
#include "graphs/replay_verdict.h"
#include "model/base/table.h"

enum { PLACES = 2, MS_PLACES = 1, US_PLACES = 3 };

char *atlas_plan_op_name(const AtlasPlan *plan, guint op) {
    const AtlasOp *o = plan_op(plan->eager, op);
    if (o->of)
        return g_strdup(o->of);
    GString *text = g_string_new(NULL);
    atlas_op_write(o, text);
    return g_string_free(text, FALSE);
}

char *atlas_plan_op_place(const AtlasPlan *plan, guint op) {
    AtlasSpan at = plan_op(plan->eager, op)->at;
    if (!at.source)
        return NULL;
    guint line, column;
    atlas_source_position(at.source, at.start, &line, &column);
    return g_strdup_printf("%s:%u", atlas_source_path(at.source), line);
}

char *atlas_plan_with_text(guint with) {
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < ATLAS_WITHS; i++)
        if (with & atlas_plan_withs[i].bit)
            g_string_append_printf(text, "%s%s", text->len ? ", " : "", atlas_plan_withs[i].name);
    return g_string_free(text, FALSE);
}

char *atlas_plan_property(const AtlasPlanBlock *block) {
    return block->property == ATLAS_PLAN_TOO_LARGE ? g_strdup("nodes")
                                                   : atlas_replay_property(block->property);
}

char *atlas_plan_mean(const AtlasPlan *plan, gint64 sum, guint places) {
    char text[32];
    return g_strdup(
        atlas_rat_format(atlas_rat_make(sum, plan->period), (int)places, text, sizeof text));
}

char *atlas_plan_launch_us(const AtlasPlan *plan) {
    char text[32];
    gint64 ns = plan->costs.clock.launch_ns;
    return g_strdup(atlas_rat_format(atlas_rat_make(ns, 1000), ns < 1000 ? US_PLACES : PLACES, text,
                                     sizeof text));
}

static AtlasRat ms(gint64 ns) {
    return atlas_rat_make(ns, 1000000);
}

/* ---- windows ---- */

static const AtlasTableColumn window_columns[] = {
    {"#", "number", TRUE},
    {"window", "window", FALSE},
    {"launches", "launches", TRUE},
    {"every", "every", TRUE},
    {"graph launches", "graph_launches", TRUE},
    {"graphs", "graphs", TRUE},
    {"nodes each", "nodes", TRUE},
    {"-host ms", "saved_ms", TRUE},
    {"-wall ms", "wall_saved_ms", TRUE},
    {"share", "share", TRUE},
    {NULL, NULL, FALSE},
};

static void append_windows(GString *out, const AtlasPlan *plan) {
    g_autoptr(AtlasTable) table = atlas_table_new(window_columns);
    for (guint i = 0; i < plan->windows->len; i++) {
        const AtlasPlanWindow *w = &g_array_index(plan->windows, AtlasPlanWindow, i);
        atlas_table_row(table);
        atlas_table_text(table, "%u", w->number);
        if (w->of == i)
            atlas_table_text(table, "%s", w->name);
        else
            atlas_table_text(table, "%s, as %u", w->name, w->of + 1);
        atlas_table_number(table, atlas_rat(w->launches), 0);
        if (w->every > 1)
            atlas_table_number(table, atlas_rat(w->every), 0);
        else
            atlas_table_skip(table);
        atlas_table_number(table, atlas_rat(w->times), 0);
        atlas_table_number(table, atlas_rat(w->graphs), 0);
        atlas_table_number(table, atlas_rat(w->nodes), 0);
        atlas_table_number(table, ms(w->saved_ns), MS_PLACES);
        if (w->wall_known)
            atlas_table_number(table, ms(w->wall_ns), MS_PLACES);
        else
            atlas_table_skip(table);
        atlas_table_share(table, atlas_rat(w->launches * (plan->period / w->every)),
                          atlas_rat(plan->launches));
    }
    g_autofree char *text = atlas_table_render(table);
    g_string_append(out, text);
    if (plan->windows->len == 0)
        g_string_append(out, "no window is right and pays\n");
}

/* ---- what no window may hold ---- */

static const AtlasTableColumn block_columns[] = {
    {"kept out", NULL, FALSE}, {"breaks", NULL, FALSE}, {"by", NULL, FALSE}, {"step", NULL, TRUE},
    {"mend", NULL, FALSE},     {"at", NULL, FALSE},     {NULL, NULL, FALSE},
};

static void append_blocks(GString *out, const AtlasPlan *plan) {
    g_autoptr(AtlasTable) table = atlas_table_new(block_columns);
    for (guint i = 0; i < plan->blocks->len; i++) {
        const AtlasPlanBlock *b = &g_array_index(plan->blocks, AtlasPlanBlock, i);
        g_autofree char *name = atlas_plan_op_name(plan, b->op);
        g_autofree char *place = atlas_plan_op_place(plan, b->op);
        g_autofree char *property = atlas_plan_property(b);
        g_autofree char *with = atlas_plan_with_text(b->with);
        atlas_table_row(table);
        atlas_table_text(table, "%s", name);
        atlas_table_text(table, "%s", property);
        atlas_table_text(table, "%s", b->buffer ? b->buffer : "");
        if (b->step >= 0)
            atlas_table_number(table, atlas_rat(b->step), 0);
        else
            atlas_table_skip(table);
        atlas_table_text(table, "%s%s", b->with ? "--plan-with " : b->mend, with);
        atlas_table_text(table, "%s", place ? place : "");
    }
    g_autofree char *text = atlas_table_render(table);
    if (plan->blocks->len)
        g_string_append_printf(out, "\n%s", text);
}

/* Each reason once: ops often share it. */
static void append_reasons(GString *out, const AtlasPlan *plan) {
    g_autoptr(GHashTable) said = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < plan->blocks->len; i++) {
        const AtlasPlanBlock *b = &g_array_index(plan->blocks, AtlasPlanBlock, i);
        if (!g_hash_table_add(said, b->why))
            continue;
        g_autofree char *property = atlas_plan_property(b);
        g_string_append_printf(out, "%s%s: %s\n", g_hash_table_size(said) == 1 ? "\n" : "",
                               property, b->why);
    }
}

/* ---- roadmap ---- */

static const AtlasTableColumn road_columns[] = {
    {"#", NULL, TRUE},
    {"target", NULL, FALSE},
    {"launches", NULL, TRUE},
    {"bounds", NULL, TRUE},
    {"graph launches", NULL, TRUE},
    {"-host ms", NULL, TRUE},
    {"so far", NULL, TRUE},
    {"share", NULL, TRUE},
    {"first", NULL, FALSE},
    {"changes", NULL, FALSE},
    {NULL, NULL, FALSE},
};

static void road_row(AtlasTable *table, const AtlasRoadmap *map, const AtlasRoad *road,
                     guint number, AtlasRat so_far) {
    g_autofree char *bounds = atlas_interval_text(&road->bounds);
    g_autofree char *needs = atlas_plan_with_text(road->needs);
    gboolean part = road->kind == ATLAS_ROAD_PART;
    atlas_table_row(table);
    if (number)
        atlas_table_text(table, "%u", number);
    else
        atlas_table_text(table, "%s", "");
    atlas_table_text(table, "%s%s", part ? "  " : "", road->name);
    atlas_table_number(table, road->launches, PLACES);
    atlas_table_text(table, "%s", bounds);
    atlas_table_number(table, road->graphs, PLACES);
    atlas_table_number(table, road->saved_ms, MS_PLACES);
    if (road->kind == ATLAS_ROAD_TARGET)
        atlas_table_number(table, so_far, MS_PLACES);
    else
        atlas_table_skip(table);
    atlas_table_share(table, road->launches, map->total);
    atlas_table_text(table, "%s%s", needs, !road->blocked ? "" : *needs ? ", more" : "see below");
    atlas_table_text(table, "%s", road->changes ? road->changes : "");
}

static void append_roadmap(GString *out, const AtlasRoadmap *map) {
    g_autoptr(AtlasTable) table = atlas_table_new(road_columns);
    AtlasRat so_far = atlas_rat(0);
    guint number = 0;
    for (guint i = 0; i < map->roads->len; i++) {
        const AtlasRoad *road = &g_array_index(map->roads, AtlasRoad, i);
        if (road->kind == ATLAS_ROAD_TARGET)
            so_far = atlas_rat_add(so_far, road->saved_ms);
        road_row(table, map, road, road->kind == ATLAS_ROAD_PART ? 0 : ++number, so_far);
    }
    atlas_table_rule(table);
    for (guint i = 0; i < G_N_ELEMENTS(map->ceilings); i++) {
        const AtlasCeiling *c = &map->ceilings[i];
        AtlasRoad road = {.kind = ATLAS_ROAD_LEVER, .name = (char *)c->name};
        road.launches = c->launches;
        road.bounds = c->bounds;
        road.graphs = c->graphs;
        road.saved_ms = c->saved_ms;
        road_row(table, map, &road, 0, so_far);
    }
    g_autofree char *text = atlas_table_render(table);
    g_string_append_printf(out, "roadmap\n\n%s\n", text);
}

/* ---- all of it ---- */

/* "1 graph", "2 graphs" */
static void append_count(GString *out, gint64 n, const char *one, const char *more) {
    g_string_append_printf(out, "%" G_GINT64_FORMAT " %s", n, n == 1 ? one : more);
}

/* The same of the mean of a step, of a sum over a period. */
static void append_mean(GString *out, const AtlasPlan *plan, gint64 sum, const char *one,
                        const char *more) {
    g_autofree char *mean = atlas_plan_mean(plan, sum, PLACES);
    g_string_append_printf(out, "%s %s", mean, g_str_equal(mean, "1") ? one : more);
}

/* How far the choice may be from the least: rounded up. */
static void append_gap(GString *out, const AtlasPlan *plan) {
    char gap[32];
    if (plan->gap_ns == 0)
        return;
    atlas_rat_format(atlas_rat_make((plan->gap_ns + 999) / 1000, 1000), US_PLACES, gap, sizeof gap);
    g_string_append_printf(out, "another choice of windows could save %s ms more, at most\n", gap);
}

/* Launches, graphs, time. */
static void append_totals(GString *out, const AtlasPlan *plan) {
    char saved[32], all[32];
    g_autofree char *us = atlas_plan_launch_us(plan);
    g_autofree char *captured = atlas_plan_mean(plan, plan->captured, PLACES);
    atlas_rat_format(ms(plan->saved_ns), MS_PLACES, saved, sizeof saved);
    atlas_rat_format(ms(plan->base_ns), MS_PLACES, all, sizeof all);
    g_string_append_printf(out, "\n%s of ", captured);
    append_mean(out, plan, plan->launches, "launch", "launches");
    g_string_append(out, " a step");
    if (plan->period > 1)
        g_string_append_printf(out, ", mean of %" G_GINT64_FORMAT " steps,", plan->period);
    g_string_append(out, " in ");
    append_mean(out, plan, plan->graph_launches, "graph launch", "graph launches");
    if (plan->copies) {
        g_string_append(out, " and ");
        append_mean(out, plan, plan->copies, "copy", "copies");
    }
    g_string_append_printf(out, ": saves %s of %s host ms at %s us a launch or copy; ", saved, all,
                           us);
    append_count(out, plan->graphs, "graph", "graphs");
    g_string_append(out, " of ");
    append_count(out, plan->nodes, "node", "nodes");
    g_string_append(out, " in all, used for ");
    append_count(out, plan->costs.over, "step", "steps");
    g_string_append_c(out, '\n');
    append_gap(out, plan);
}

static void append_wall(GString *out, const AtlasPlan *plan) {
    const AtlasPlanWall *wall = &plan->wall;
    char eager[32], planned[32];
    if (wall->why) {
        g_string_append_printf(out, "wall time is not simulated: %s\n", wall->why);
        return;
    }
    gboolean bound = atlas_plan_wall_is_bound(wall);
    const char *least = bound ? "at least " : "";
    atlas_rat_format(ms(wall->eager.step_ns), PLACES, eager, sizeof eager);
    atlas_rat_format(ms(wall->planned.step_ns + wall->once_ns), PLACES, planned, sizeof planned);
    g_string_append_printf(out, "wall time, simulated: %s%s ms a step, %s%s ms planned", least,
                           eager, least, planned);
    if (bound) {
        g_string_append(out, "; ");
        append_mean(out, plan, wall->eager.unknown, "launch", "launches");
        g_string_append(out, " and ");
        append_mean(out, plan, wall->planned.copies, "copy", "copies");
        g_string_append(out, " a step do not say what they take on the device");
    }
    g_string_append_c(out, '\n');
}

char *atlas_plan_text(const AtlasPlanShown *shown) {
    const AtlasPlan *plan = shown->plan;
    GString *out = g_string_new(NULL);
    g_autofree char *with = atlas_plan_with_text(plan->with);
    if (shown->map)
        append_roadmap(out, shown->map);
    g_string_append_printf(out, "plan of %s%s%s\n\n", plan->given->name, *with ? ", with " : "",
                           with);
    append_windows(out, plan);
    append_blocks(out, plan);
    append_reasons(out, plan);
    append_totals(out, plan);
    append_wall(out, plan);
    if (plan->assumed)
        g_string_append_printf(out, "assumed: %s\n", plan->assumed);
    else
        g_string_append_printf(out, "%s: %s\n", plan->proved ? "proved" : "open", plan->proof);
    return g_string_free(out, FALSE);
}

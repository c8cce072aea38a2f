/* Two surveys: what the second launches that the first does not, by stage and by kernel. */
#include <string.h>

#include "backends/survey/show.h"
#include "model/base/visible.h"

enum { ROWS = 20 };

/* What both are asked for by name. */
typedef struct {
    const char *name; /* NULL: outside of every stage */
    gboolean in[2];
    gboolean known[2];
    gint64 sum[2];
    AtlasTally nodes[2];  /* kernels that graphs ran beside that; of kernels, as part of it */
    AtlasTally graphs[2]; /* of stages: graphs that were launched */
} Pair;

typedef struct {
    GArray *pairs; /* of Pair */
    GHashTable *index;
} Pairs;

static Pairs pairs_new(void) {
    return (Pairs){g_array_new(FALSE, TRUE, sizeof(Pair)),
                   g_hash_table_new(g_str_hash, g_str_equal)};
}

static void pairs_clear(Pairs *p) {
    g_array_unref(p->pairs);
    g_hash_table_unref(p->index);
}

/* Adds to what one of them has of a name; what comes first in the first stands first. */
static Pair *add(Pairs *p, const char *name, guint which, gboolean known, gint64 sum) {
    const char *key = name ? name : "";
    guint at = GPOINTER_TO_UINT(g_hash_table_lookup(p->index, key));
    if (!at) {
        const AtlasTally none = {.known = TRUE};
        Pair one = {
            .name = name, .known = {TRUE, TRUE}, .nodes = {none, none}, .graphs = {none, none}};
        g_array_append_val(p->pairs, one);
        at = p->pairs->len;
        g_hash_table_insert(p->index, (gpointer)key, GUINT_TO_POINTER(at));
    }
    Pair *pair = &g_array_index(p->pairs, Pair, at - 1);
    pair->in[which] = TRUE;
    pair->known[which] &= known;
    pair->sum[which] += sum;
    return pair;
}

static Pairs stage_pairs(const AtlasSurvey *const surveys[2]) {
    Pairs p = pairs_new();
    for (guint which = 0; which < 2; which++)
        for (guint i = 0; i < surveys[which]->stages->len; i++) {
            const AtlasSurveyStage *stage = atlas_survey_stage(surveys[which], i);
            const AtlasTally *n = &stage->counts[ATLAS_TALLY_LAUNCHES];
            const char *name = stage->name;
            if (name && g_str_has_prefix(name, "stage:")) /* as logs and specs call it */
                name += strlen("stage:");
            if (!name && !n->sum)
                continue;
            Pair *pair = add(&p, name, which, n->known, n->sum);
            pair->nodes[which] = stage->counts[ATLAS_TALLY_NODES];
            pair->graphs[which] = stage->counts[ATLAS_TALLY_GRAPHS];
        }
    return p;
}

/* By their short names for people, by whole ones for programs. What graphs ran of any kernel is not
 * known where that of some graph is not. */
static Pairs kernel_pairs(const AtlasSurvey *const surveys[2], gboolean brief) {
    Pairs p = pairs_new();
    for (guint which = 0; which < 2; which++)
        for (guint i = 0; i < surveys[which]->kernels->len; i++) {
            const AtlasSurveyKernel *k = atlas_survey_kernel(surveys[which], i);
            add(&p, brief ? k->brief : k->name, which, TRUE, k->launches + k->nodes)
                ->nodes[which]
                .sum += k->nodes;
        }
    for (guint i = 0; i < p.pairs->len; i++)
        for (guint which = 0; which < 2; which++) {
            Pair *pair = &g_array_index(p.pairs, Pair, i);
            pair->known[which] = pair->nodes[which].known = surveys[which]->nodes_by_kernel;
        }
    return p;
}

/* People compare what is known of both: launches by calls, where what graphs ran is not. */
static void leave_nodes_out(Pairs *p) {
    for (guint i = 0; i < p->pairs->len; i++)
        for (guint which = 0; which < 2; which++) {
            Pair *pair = &g_array_index(p->pairs, Pair, i);
            pair->sum[which] -= pair->nodes[which].sum;
            pair->known[which] = TRUE;
        }
}

static AtlasRat mean(const AtlasSurvey *survey, const Pair *pair, guint which) {
    return !pair->known[which] ? ATLAS_RAT_NONE
           : survey->steps     ? atlas_rat_make(pair->sum[which], survey->steps)
                               : atlas_rat(0);
}

/* ---- for people ---- */

static const AtlasTableColumn stage_columns[] = {
    {"stage", NULL, FALSE},     {"before", NULL, TRUE},    {"after", NULL, TRUE},
    {"difference", NULL, TRUE}, {"in graphs", NULL, TRUE}, {"then", NULL, TRUE},
    {"only in", NULL, FALSE},   {NULL, NULL, FALSE}};
static const AtlasTableColumn kernel_columns[] = {
    {"kernel", NULL, FALSE},    {"before", NULL, TRUE},   {"after", NULL, TRUE},
    {"difference", NULL, TRUE}, {"only in", NULL, FALSE}, {NULL, NULL, FALSE}};

/* Kernels that graphs ran, where any of both launches some. */
static void node_cells(AtlasTable *table, const AtlasSurvey *const surveys[2], const Pair *pair) {
    gboolean any = FALSE;
    for (guint which = 0; which < 2; which++)
        any |= surveys[which]->step[ATLAS_TALLY_GRAPHS].sum > 0;
    for (guint which = 0; which < 2; which++)
        if (any)
            atlas_table_number(table, survey_mean(surveys[which], &pair->nodes[which]),
                               SURVEY_PLACES);
        else
            atlas_table_skip(table);
}

static void pair_row(AtlasTable *table, const AtlasSurvey *const surveys[2], const Pair *pair,
                     gboolean stage) {
    AtlasRat before = mean(surveys[0], pair, 0), after = mean(surveys[1], pair, 1);
    atlas_table_row(table);
    atlas_table_text(table, "%s", pair->name ? pair->name : "(outside)");
    atlas_table_number(table, before, SURVEY_PLACES);
    atlas_table_number(table, after, SURVEY_PLACES);
    atlas_table_signed(table, atlas_rat_sub(after, before), SURVEY_PLACES);
    if (stage)
        node_cells(table, surveys, pair);
    atlas_table_text(table, "%s",
                     pair->in[0] == pair->in[1] ? ""
                     : pair->in[0]              ? "the first"
                                                : "the second");
}

/* Surveys that a comparison of pairs is about. */
static int by_change(gconstpointer a, gconstpointer b, gpointer data) {
    const AtlasSurvey *const *surveys = data;
    const Pair *x = a, *y = b;
    AtlasRat of_x = atlas_rat_sub(mean(surveys[1], x, 1), mean(surveys[0], x, 0));
    AtlasRat of_y = atlas_rat_sub(mean(surveys[1], y, 1), mean(surveys[0], y, 0));
    of_x.num = ABS(of_x.num);
    of_y.num = ABS(of_y.num);
    int order = atlas_rat_ok(of_x) && atlas_rat_ok(of_y) ? atlas_rat_cmp(of_y, of_x) : 0;
    return order ? order : strcmp(x->name, y->name);
}

static void append_stages(GString *out, const AtlasSurvey *const surveys[2]) {
    g_autoptr(AtlasTable) table = atlas_table_new(stage_columns);
    Pairs p = stage_pairs(surveys);
    Pair all = {.name = "step", .in = {TRUE, TRUE}};
    for (guint i = 0; i < p.pairs->len; i++)
        pair_row(table, surveys, &g_array_index(p.pairs, Pair, i), TRUE);
    for (guint which = 0; which < 2; which++) {
        all.known[which] = surveys[which]->step[ATLAS_TALLY_LAUNCHES].known;
        all.sum[which] = surveys[which]->step[ATLAS_TALLY_LAUNCHES].sum;
        all.nodes[which] = surveys[which]->step[ATLAS_TALLY_NODES];
    }
    atlas_table_rule(table);
    pair_row(table, surveys, &all, TRUE);
    g_autofree char *text = atlas_table_render(table);
    g_string_append(out, text);
    pairs_clear(&p);
}

static void append_kernels(GString *out, const AtlasSurvey *const surveys[2]) {
    g_autoptr(AtlasTable) table = atlas_table_new(kernel_columns);
    Pairs p = kernel_pairs(surveys, TRUE);
    guint shown = 0, changed = 0;
    gboolean told = surveys[0]->nodes_by_kernel && surveys[1]->nodes_by_kernel;
    if (!told)
        leave_nodes_out(&p);
    g_array_sort_with_data(p.pairs, by_change, (gpointer)surveys);
    for (guint i = 0; i < p.pairs->len; i++) {
        const Pair *pair = &g_array_index(p.pairs, Pair, i);
        if (atlas_rat_cmp(mean(surveys[0], pair, 0), mean(surveys[1], pair, 1)) == 0)
            continue;
        if (changed++ < ROWS) {
            pair_row(table, surveys, pair, FALSE);
            shown++;
        }
    }
    g_autofree char *text = atlas_table_render(table);
    if (shown)
        g_string_append_printf(out, "\n%s", text);
    else if (p.pairs->len)
        g_string_append(out, told ? "\nevery kernel runs as often\n"
                                  : "\nevery kernel is launched as often\n");
    if (changed > shown)
        g_string_append_printf(out, "and %u more kernels (--format json lists them)\n",
                               changed - shown);
    if (!told)
        g_string_append(out, "kernels in graphs are not compared: not all were recorded\n");
    pairs_clear(&p);
}

char *survey_difference_text(const AtlasSurvey *a, const AtlasSurvey *b) {
    const AtlasSurvey *const surveys[2] = {a, b};
    GString *out = g_string_new(NULL);
    g_autofree char *first = atlas_visible_text(a->name), *second = atlas_visible_text(b->name);
    g_string_append_printf(out, "launches a step: %s, then %s\n\n", first, second);
    append_stages(out, surveys);
    for (guint which = 0; which < 2; which++)
        if (surveys[which]->kernels->len == 0) {
            g_string_append_printf(out, "\nkernels are not known of %s\n", which ? second : first);
            return g_string_free(out, FALSE);
        }
    append_kernels(out, surveys);
    return g_string_free(out, FALSE);
}

/* ---- for programs ---- */

static json_t *tally_json(const AtlasTally *tally) {
    return tally->known ? json_integer(tally->sum) : json_null();
}

static json_t *pairs_json(const AtlasSurvey *const surveys[2], const Pairs *p, const char *what) {
    static const char *const sides[] = {"before", "after"};
    gboolean of_stages = g_str_equal(what, "stage");
    json_t *list = json_array();
    for (guint i = 0; i < p->pairs->len; i++) {
        const Pair *pair = &g_array_index(p->pairs, Pair, i);
        json_t *o = json_object();
        json_object_set_new(o, what, atlas_json_string(pair->name));
        json_object_set_new(o, "in",
                            json_string(pair->in[0] == pair->in[1] ? "both"
                                        : pair->in[0]              ? "first"
                                                                   : "second"));
        for (guint which = 0; which < 2; which++) {
            json_t *side = json_object();
            json_object_set_new(side, "sum",
                                pair->known[which] ? json_integer(pair->sum[which]) : json_null());
            json_object_set_new(side, "steps", json_integer(surveys[which]->steps));
            if (of_stages)
                json_object_set_new(side, "graph_launches", tally_json(&pair->graphs[which]));
            json_object_set_new(side, "graph_nodes", tally_json(&pair->nodes[which]));
            json_object_set_new(o, sides[which], side);
        }
        json_array_append_new(list, o);
    }
    return list;
}

json_t *survey_difference_json(const AtlasSurvey *a, const AtlasSurvey *b) {
    const AtlasSurvey *const surveys[2] = {a, b};
    json_t *o = json_object();
    Pairs stages = stage_pairs(surveys), kernels = kernel_pairs(surveys, FALSE);
    json_object_set_new(o, "stages", pairs_json(surveys, &stages, "stage"));
    json_object_set_new(o, "kernels", pairs_json(surveys, &kernels, "kernel"));
    pairs_clear(&stages);
    pairs_clear(&kernels);
    return o;
}

#include "graphs/split.h"

#include <string.h>

/* One setting that some run changes, and what the base launches under it alone. */
typedef struct {
    gboolean is_arm;
    guint index;
    AtlasLinear *forms;
} Change;

/* A stage being split. */
typedef struct {
    const Ground *ground;
    FormulaRows *rows;
    guint stage;
    GArray *changes;  /* of Change */
    GPtrArray *cells; /* of SplitCell* */
} Stage;

static void cell_free(gpointer data) {
    SplitCell *cell = data;
    g_free(cell->in);
    atlas_linear_free(cell->form, 1);
    g_ptr_array_unref(cell->formulas);
    g_free(cell);
}

AtlasRat split_measured(const SplitCell *cell) {
    return cell->formulas->len
               ? interval_middle(&((Formula *)g_ptr_array_index(cell->formulas, 0))->value)
               : ATLAS_RAT_NONE;
}

/* ---- sets ---- */

static gboolean *set_new(const Ground *g) {
    return g_new0(gboolean, g->model->populations->len + 1);
}

/* Whether `what` lies in `whole`; whether it is less than it. */
static gboolean lies_in(const Ground *g, const gboolean *what, const gboolean *whole,
                        gboolean *less) {
    *less = FALSE;
    for (guint i = 0; i < g->model->populations->len; i++) {
        if (what[i] && !whole[i])
            return FALSE;
        *less = *less || (whole[i] && !what[i]);
    }
    return TRUE;
}

static gboolean is_empty(const Ground *g, const gboolean *set) {
    for (guint i = 0; i < g->model->populations->len; i++)
        if (set[i])
            return FALSE;
    return TRUE;
}

static gboolean is_live(const Stage *s, guint population) {
    return ATLAS_POPULATION(s->ground->model, population)->stage == s->stage &&
           s->ground->has[population];
}

/* ---- cells ---- */

static SplitCell *find_cell(const Stage *s, const gboolean *in) {
    gsize size = sizeof *in * s->ground->model->populations->len;
    for (guint i = 0; i < s->cells->len; i++) {
        SplitCell *cell = g_ptr_array_index(s->cells, i);
        if (memcmp(cell->in, in, size) == 0)
            return cell;
    }
    return NULL;
}

/* Marks the units that a cell is made of: of each population the base's, or the first behind those.
 */
static gboolean *cell_units(const Stage *s, const gboolean *in, gboolean off) {
    gboolean *units = g_new0(gboolean, s->rows->units->len + 1);
    g_autofree gboolean *have = set_new(s->ground);
    for (guint i = off ? s->rows->base : 0; i < (off ? s->rows->units->len : s->rows->base); i++) {
        guint population = g_array_index(s->rows->units, FormulaUnit, i).population;
        units[i] = in[population] && !have[population];
        have[population] = TRUE;
    }
    return units;
}

/* Adds up what the units launch, over the steps of one of them. */
static void sum_units(const Stage *s, const gboolean *units, SplitCell *cell) {
    cell->form = atlas_linear_new(s->ground->model->unknowns->len, 1);
    cell->steps = 0;
    for (guint i = 0; i < s->rows->units->len; i++) {
        gint64 steps = g_array_index(s->rows->units, FormulaUnit, i).steps;
        if (units[i])
            cell->steps = steps;
    }
    for (guint i = 0; i < s->rows->units->len; i++) {
        const FormulaUnit *unit = &g_array_index(s->rows->units, FormulaUnit, i);
        if (units[i])
            atlas_linear_add(cell->form, unit->form, atlas_rat_make(cell->steps, unit->steps));
    }
}

/* Adds a cell of populations that the base has, or (`off`) lacks, unless there is one; takes over
 * `in`. NULL for an empty set. */
static SplitCell *add_cell(Stage *s, gboolean *in, gboolean off) {
    g_autofree gboolean *own = in;
    SplitCell *found = find_cell(s, in);
    if (found || is_empty(s->ground, in))
        return found;
    g_autofree gboolean *units = cell_units(s, in, off);
    SplitCell *cell = g_new0(SplitCell, 1);
    cell->stage = s->stage;
    cell->off = off;
    cell->shown = TRUE;
    sum_units(s, units, cell);
    cell->in = g_steal_pointer(&own);
    cell->formulas = formula_find(s->rows, units);
    g_ptr_array_add(s->cells, cell);
    return cell;
}

/* Populations that the same arms switch off. */
static void add_by_arms(Stage *s) {
    const AtlasModel *model = s->ground->model;
    g_autofree gboolean *taken = set_new(s->ground);
    for (guint i = 0; i < model->populations->len; i++) {
        if (!is_live(s, i) || taken[i])
            continue;
        gboolean *in = set_new(s->ground);
        for (guint k = i; k < model->populations->len; k++) {
            gboolean alike = is_live(s, k);
            for (guint c = 0; alike && c < s->changes->len; c++) {
                const Change *change = &g_array_index(s->changes, Change, c);
                alike = !change->is_arm ||
                        form_is_zero(&change->forms[k]) == form_is_zero(&change->forms[i]);
            }
            in[k] = alike;
            taken[k] = taken[k] || alike;
        }
        add_cell(s, in, FALSE)->part = TRUE;
    }
}

/* What depends on a parameter, and what does not: the latter says something of its own where it is
 * the lesser. */
static void add_by_parameter(Stage *s, const Change *change) {
    gboolean *in = set_new(s->ground), *rest = set_new(s->ground);
    for (guint i = 0; i < s->ground->model->populations->len; i++) {
        gboolean alike = atlas_linear_equal(&change->forms[i], &s->ground->forms[i]);
        in[i] = is_live(s, i) && !alike;
        rest[i] = is_live(s, i) && alike;
    }
    if (is_empty(s->ground, in) || is_empty(s->ground, rest)) {
        g_free(in);
        g_free(rest);
        return; /* the stage as a whole is no cell of its own */
    }
    guint before = s->cells->len;
    const SplitCell *depends = add_cell(s, in, FALSE);
    guint between = s->cells->len;
    SplitCell *others = add_cell(s, rest, FALSE);
    if (s->cells->len == between)
        return;
    AtlasRat less = split_measured(others), more = split_measured(depends);
    if (before < between &&
        (!atlas_rat_ok(less) || !atlas_rat_ok(more) || atlas_rat_cmp(less, more) >= 0))
        others->shown = FALSE;
}

/* A group, or a population, which a formula must measure. */
static void add_by_name(Stage *s, const char *path) {
    gboolean *in = set_new(s->ground);
    for (guint i = 0; i < s->ground->model->populations->len; i++) {
        const char *key = ATLAS_POPULATION(s->ground->model, i)->key;
        in[i] = is_live(s, i) && atlas_key_is_below(key, path);
    }
    guint before = s->cells->len;
    SplitCell *cell = add_cell(s, in, FALSE);
    if (s->cells->len > before && cell->formulas->len == 0)
        g_ptr_array_set_size(s->cells, (int)before);
}

static void add_by_names(Stage *s) {
    const AtlasModel *model = s->ground->model;
    for (guint i = 0; i < model->populations->len; i++) {
        if (!is_live(s, i))
            continue;
        g_autofree char *path = g_strdup(ATLAS_POPULATION(model, i)->key);
        for (char *dot = strchr(path, '.'); dot; dot = strchr(dot + 1, '.')) {
            g_autofree char *group = g_strndup(path, (gsize)(dot - path));
            if (strchr(group, '.')) /* the stage itself is no cell */
                add_by_name(s, group);
        }
        add_by_name(s, path);
    }
}

/* What an arm adds that the base lacks. */
static void add_off(Stage *s, const Change *change) {
    gboolean *in = set_new(s->ground);
    for (guint i = 0; i < s->ground->model->populations->len; i++)
        in[i] = ATLAS_POPULATION(s->ground->model, i)->stage == s->stage && !s->ground->has[i] &&
                !form_is_zero(&change->forms[i]);
    add_cell(s, in, TRUE);
}

/* ---- parts ---- */

/* Whether a cell is all of its stage. */
static gboolean is_stage(const Stage *s, const SplitCell *cell) {
    for (guint i = 0; i < s->ground->model->populations->len; i++)
        if (is_live(s, i) && !cell->in[i])
            return FALSE;
    return TRUE;
}

/* Divides a part by a cell that lies inside it and is measured. */
static gboolean divide(Stage *s, SplitCell *part, SplitCell *piece) {
    gboolean less;
    if (piece == part || piece->off || piece->formulas->len == 0 ||
        !lies_in(s->ground, piece->in, part->in, &less) || !less)
        return FALSE;
    gboolean *rest = set_new(s->ground);
    for (guint i = 0; i < s->ground->model->populations->len; i++)
        rest[i] = part->in[i] && !piece->in[i];
    SplitCell *others = add_cell(s, rest, FALSE);
    if (others->formulas->len == 0 && part->formulas->len)
        g_ptr_array_add(others->formulas,
                        formula_minus(s->rows, g_ptr_array_index(part->formulas, 0),
                                      g_ptr_array_index(piece->formulas, 0)));
    part->part = FALSE;
    part->shown = !is_stage(s, part);
    piece->part = piece->shown = others->part = others->shown = TRUE;
    return TRUE;
}

static gboolean divide_one(Stage *s) {
    for (guint i = 0; i < s->cells->len; i++) {
        SplitCell *part = g_ptr_array_index(s->cells, i);
        for (guint k = 0; part->part && k < s->cells->len; k++)
            if (divide(s, part, g_ptr_array_index(s->cells, k)))
                return TRUE;
    }
    return FALSE;
}

/* Lets those formulas stand first that add up to the base run. */
static gboolean arrange(Stage *s) {
    g_autoptr(GPtrArray) lists = g_ptr_array_new();
    g_autoptr(GArray) middles = g_array_new(FALSE, FALSE, sizeof(AtlasRat));
    for (guint i = 0; i < s->cells->len; i++) {
        SplitCell *cell = g_ptr_array_index(s->cells, i);
        if (!cell->part)
            continue;
        AtlasInterval bounds = ground_bounds(s->ground, cell->form, cell->steps);
        AtlasRat middle = interval_middle(&bounds);
        g_ptr_array_add(lists, cell->formulas);
        g_array_append_val(middles, middle);
    }
    g_autofree guint *choice = g_new0(guint, lists->len + 1);
    if (lists->len &&
        !formula_telescope(s->rows, lists, (const AtlasRat *)(gpointer)middles->data, choice))
        return FALSE;
    for (guint i = 0; i < lists->len; i++) {
        gpointer *list = ((GPtrArray *)g_ptr_array_index(lists, i))->pdata, first = list[0];
        list[0] = list[choice[i]];
        list[choice[i]] = first;
    }
    return TRUE;
}

/* What the stage gives the split: its cells, those that are off behind the others. */
static void hand_over(Stage *s, Split *split) {
    for (int off = 0; off < 2; off++)
        for (guint i = 0; i < s->cells->len; i++) {
            SplitCell *cell = g_ptr_array_index(s->cells, i);
            if (cell->off == off)
                g_ptr_array_add(split->cells, cell);
            if (cell->off == off && cell->part)
                g_ptr_array_add(split->parts, cell);
        }
    if (s->rows->most < MIN(s->rows->rows->len, FORMULA_RUNS)) /* not all sets were tried */
        split->most = MIN(split->most, s->rows->most);
    g_ptr_array_set_free_func(s->cells, NULL);
}

static void split_stage(Split *split, guint stage, GArray *changes) {
    Stage s = {.ground = split->ground,
               .rows = formula_rows_new(split->ground, stage),
               .stage = stage,
               .changes = changes,
               .cells = g_ptr_array_new_with_free_func(cell_free)};
    add_by_arms(&s);
    for (guint c = 0; c < changes->len; c++)
        if (!g_array_index(changes, Change, c).is_arm)
            add_by_parameter(&s, &g_array_index(changes, Change, c));
    add_by_names(&s);
    while (divide_one(&s))
        ; /* until no part can be divided */
    for (guint c = 0; c < changes->len; c++)
        if (g_array_index(changes, Change, c).is_arm)
            add_off(&s, &g_array_index(changes, Change, c));
    split->exact = arrange(&s) && split->exact;
    hand_over(&s, split);
    g_ptr_array_unref(s.cells);
    formula_rows_free(s.rows);
}

/* ---- changes ---- */

/* Notes that a run has another value of a parameter or arm than the base, unless another run did.
 */
static void add_change(const Ground *g, GArray *changes, gboolean is_arm, guint index,
                       gint64 value) {
    AtlasWalkFault fault;
    for (guint i = 0; i < changes->len; i++) {
        const Change *c = &g_array_index(changes, Change, i);
        if (c->is_arm == is_arm && c->index == index)
            return;
    }
    g_autoptr(AtlasConfig) config = atlas_config_copy(g->base);
    atlas_config_put(config, is_arm, index, value);
    Change change = {is_arm, index,
                     atlas_walk_linear(config, g->window.first, g->window.last, &fault)};
    if (change.forms) /* else that setting makes no sense alone, and tells nothing */
        g_array_append_val(changes, change);
}

static GArray *find_changes(const Ground *g) {
    GArray *changes = g_array_new(FALSE, FALSE, sizeof(Change));
    for (guint k = 0; k < g->study->evidence->observations->len; k++) {
        const AtlasObservation *o = atlas_evidence_get(g->study->evidence, k);
        for (guint i = 0; !o->excluded && i < g->model->arms->len; i++)
            if (atlas_config_arm(o->config, i) != atlas_config_arm(g->base, i) &&
                o->config->switches[i] != g->base->switches[i])
                add_change(g, changes, TRUE, i, atlas_config_arm(o->config, i));
        for (guint i = 0; !o->excluded && i < g->model->params->len; i++)
            if (o->config->params[i] != g->base->params[i])
                add_change(g, changes, FALSE, i, o->config->params[i]);
    }
    return changes;
}

Split *split_new(const Ground *ground) {
    Split *split = g_new0(Split, 1);
    GArray *changes = find_changes(ground);
    *split = (Split){ground, g_ptr_array_new_with_free_func(cell_free), g_ptr_array_new(), TRUE,
                     FORMULA_RUNS};
    for (guint i = 0; i < ground->model->stages->len; i++)
        split_stage(split, i, changes);
    for (guint i = 0; i < changes->len; i++)
        atlas_linear_free(g_array_index(changes, Change, i).forms, ground->model->populations->len);
    g_array_unref(changes);
    return split;
}

void split_free(Split *split) {
    if (!split)
        return;
    g_ptr_array_unref(split->parts);
    g_ptr_array_unref(split->cells);
    g_free(split);
}

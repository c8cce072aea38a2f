#include <math.h>

#include "model/check/claim_expr.h"

/* What a configuration launches: the populations over one period, and its steps. */
typedef struct {
    AtlasLinear *populations;
    guint count;
    gint64 steps;
} Launches;

static void launches_free(gpointer data) {
    Launches *launches = data;
    atlas_linear_free(launches->populations, launches->count);
    g_free(launches);
}

static void form_free(gpointer data) {
    atlas_linear_free(data, 1);
}

/* Makes a column of a sum that is known as an interval. */
static void add_rounded(Scope *scope, const AtlasSum *sum, gint64 steps) {
    if (!sum->known || sum->lo == sum->hi)
        return;
    AtlasInterval mean = {TRUE, TRUE, atlas_rat_make(sum->lo, steps),
                          atlas_rat_make(sum->hi, steps)};
    g_array_append_val(scope->rounded, mean);
    g_hash_table_insert(scope->columns_of, (gpointer)sum,
                        GUINT_TO_POINTER(scope->unknowns + scope->rounded->len));
}

void claim_scope_init(Scope *scope, AtlasStudy *study, AtlasDiags *diags) {
    guint stages = study->model->stages->len, unknowns = study->model->unknowns->len;
    *scope = (Scope){.study = study, .diags = diags, .unknowns = unknowns};
    scope->rounded = g_array_new(FALSE, FALSE, sizeof(AtlasInterval));
    scope->columns_of = g_hash_table_new(NULL, NULL);
    scope->forms = g_ptr_array_new_with_free_func(form_free);
    scope->configs = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, launches_free);
    scope->named = g_array_new(FALSE, FALSE, sizeof(Named));
    for (guint i = 0; i < study->evidence->observations->len; i++) {
        const AtlasObservation *o = atlas_evidence_get(study->evidence, i);
        for (guint j = 0; j < stages; j++)
            add_rounded(scope, &o->sums[j], o->steps);
        add_rounded(scope, &o->total, o->steps);
    }
    scope->columns = unknowns + scope->rounded->len;
}

void claim_scope_clear(Scope *scope) {
    g_array_unref(scope->rounded);
    g_hash_table_unref(scope->columns_of);
    g_ptr_array_unref(scope->forms);
    g_hash_table_unref(scope->configs);
    g_array_unref(scope->named);
}

AtlasLinear *claim_form(Scope *scope) {
    AtlasLinear *form = atlas_linear_new(scope->columns, 1);
    g_ptr_array_add(scope->forms, form);
    return form;
}

Value claim_constant(Scope *scope, AtlasRat number) {
    AtlasLinear *form = claim_form(scope);
    form->constant = number;
    return (Value){form, NULL};
}

/* ---- predictions ---- */

/* The launches under settings; NULL, with errors added, where those make no sense. */
static const Launches *launches_of(Scope *scope, const char *settings, AtlasSpan at) {
    Launches *found = g_hash_table_lookup(scope->configs, settings);
    if (found)
        return found;
    const AtlasModel *model = scope->study->model;
    AtlasText text = {settings, at};
    AtlasWalkFault fault;
    g_autoptr(AtlasConfig) config = atlas_config_read(model, &text, scope->diags);
    if (!config)
        return NULL;
    gint64 period = atlas_walk_period(config, &fault);
    AtlasLinear *forms = period ? atlas_walk_linear(config, 0, period - 1, &fault) : NULL;
    if (!forms) {
        atlas_walk_report(&fault, config, scope->diags);
        return NULL;
    }
    found = g_new(Launches, 1);
    *found = (Launches){forms, model->populations->len, period};
    g_hash_table_insert(scope->configs, g_strdup(settings), found);
    return found;
}

/* into += the mean a step of a population, which is a form of the unknowns alone. */
static void add_population(AtlasLinear *into, const Launches *launches, guint i) {
    const AtlasLinear *population = &launches->populations[i];
    AtlasLinear unknowns = {into->constant, into->coefs, population->n};
    atlas_linear_add(&unknowns, population, atlas_rat_make(1, launches->steps));
    into->constant = unknowns.constant;
}

static gboolean total_of(Scope *scope, const char *settings, AtlasSpan at, Value *out) {
    const Launches *launches = launches_of(scope, settings, at);
    AtlasLinear *form = claim_form(scope);
    for (guint i = 0; launches && i < launches->count; i++)
        add_population(form, launches, i);
    *out = (Value){form, NULL};
    return launches != NULL;
}

/* What an arm that is on takes away when it is switched off; what one that is off adds. */
static gboolean arm_of(Scope *scope, guint arm, AtlasSpan at, Value *out) {
    const AtlasArm *a = ATLAS_ARM(scope->study->model, arm);
    g_autofree char *settings = g_strdup_printf("%s=%s", a->name, a->standard ? "off" : "on");
    Value base, other;
    if (!total_of(scope, "", at, &base) || !total_of(scope, settings, at, &other))
        return FALSE;
    return claim_add(scope, a->standard ? base : other, a->standard ? other : base, -1, out);
}

/* Arms and what the file names itself stand for the base only. */
static gboolean unknown_name(Scope *scope, const char *name, gboolean base, AtlasSpan at) {
    const AtlasModel *model = scope->study->model;
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    for (guint i = 0; base && i < scope->named->len; i++)
        g_ptr_array_add(all, (gpointer)g_array_index(scope->named, Named, i).name);
    g_ptr_array_add(all, (gpointer) "total");
    for (guint i = 0; i < model->stages->len; i++)
        g_ptr_array_add(all, (gpointer)ATLAS_STAGE(model, i)->name);
    for (guint i = 0; i < model->populations->len; i++)
        g_ptr_array_add(all, (gpointer)ATLAS_POPULATION(model, i)->key);
    for (guint i = 0; base && i < model->arms->len; i++)
        g_ptr_array_add(all, (gpointer)ATLAS_ARM(model, i)->name);
    g_ptr_array_add(all, NULL);
    atlas_diags_error(scope->diags, at,
                      base ? "no stage, population or arm is named '%s'"
                           : "no stage or population is named '%s'",
                      name);
    atlas_diags_suggest(scope->diags, name, "names are", (const char *const *)all->pdata);
    return FALSE;
}

gboolean claim_name(Scope *scope, const char *name, const char *settings, AtlasSpan at,
                    Value *out) {
    const AtlasModel *model = scope->study->model;
    gboolean base = !*settings, found = FALSE;
    for (guint i = 0; base && i < scope->named->len; i++) {
        const Named *named = &g_array_index(scope->named, Named, i);
        if (g_str_equal(named->name, name)) {
            *out = named->value;
            return TRUE;
        }
    }
    if (g_str_equal(name, "total"))
        return total_of(scope, settings, at, out);
    const Launches *launches = launches_of(scope, settings, at);
    AtlasLinear *form = claim_form(scope);
    for (guint i = 0; launches && i < launches->count; i++) {
        if (!atlas_key_is_below(ATLAS_POPULATION(model, i)->key, name))
            continue;
        add_population(form, launches, i);
        found = TRUE;
    }
    if (!launches)
        return FALSE;
    *out = (Value){form, NULL};
    if (found || atlas_model_find_stage(model, name) >= 0)
        return TRUE;
    int arm = base ? atlas_model_find_arm(model, name) : -1;
    return arm >= 0 ? arm_of(scope, (guint)arm, at, out) : unknown_name(scope, name, base, at);
}

/* Whether a list names anything; else says so. */
static gboolean names_any(Scope *scope, char **parts, AtlasSpan at) {
    if (parts[0] && *g_strstrip(parts[0]))
        return TRUE;
    atlas_diags_error(scope->diags, at, "the list is empty");
    atlas_diags_hint(scope->diags, "stages, populations with '*' for anything, names of the file");
    return FALSE;
}

/* Calls `each` for every population that one of the globs matches, once. FALSE, with an error, for
 * a glob that matches none. */
static gboolean matching(Scope *scope, const char *globs, AtlasSpan at, GArray *indices) {
    const AtlasModel *model = scope->study->model;
    g_auto(GStrv) parts = g_strsplit(globs, ",", -1);
    g_autofree gboolean *taken = g_new0(gboolean, model->populations->len + 1);
    if (!names_any(scope, parts, at))
        return FALSE;
    for (guint j = 0; parts[j]; j++) {
        gboolean found = FALSE;
        const char *glob = g_strstrip(parts[j]);
        for (guint i = 0; i < model->populations->len; i++)
            if (g_pattern_match_simple(glob, ATLAS_POPULATION(model, i)->key))
                taken[i] = found = TRUE;
        if (!found) {
            atlas_diags_error(scope->diags, at, "no population matches '%s'", glob);
            atlas_diags_hint(scope->diags, "keys are STAGE.GROUP.NAME; '*' stands for anything");
            return FALSE;
        }
    }
    for (guint i = 0; i < model->populations->len; i++)
        if (taken[i])
            g_array_append_val(indices, i);
    return TRUE;
}

gboolean claim_populations(Scope *scope, const char *globs, const char *settings, AtlasSpan at,
                           Value *out) {
    const Launches *launches = launches_of(scope, settings, at);
    g_autoptr(GArray) indices = g_array_new(FALSE, FALSE, sizeof(guint));
    AtlasLinear *form = claim_form(scope);
    if (!launches || !matching(scope, globs, at, indices))
        return FALSE;
    for (guint i = 0; i < indices->len; i++)
        add_population(form, launches, g_array_index(indices, guint, i));
    *out = (Value){form, NULL};
    return TRUE;
}

gboolean claim_list(Scope *scope, const char *globs, AtlasSpan at, GArray *out) {
    g_auto(GStrv) parts = g_strsplit(globs, ",", -1);
    if (!names_any(scope, parts, at))
        return FALSE;
    for (guint j = 0; parts[j]; j++) {
        const char *glob = g_strstrip(parts[j]);
        guint before = out->len;
        for (guint i = 0; i < scope->named->len; i++) {
            const Named *named = &g_array_index(scope->named, Named, i);
            if (g_pattern_match_simple(glob, named->name))
                g_array_append_val(out, named->value);
        }
        if (out->len > before)
            continue;
        g_autoptr(GArray) indices = g_array_new(FALSE, FALSE, sizeof(guint));
        Value one;
        if (atlas_model_find_stage(scope->study->model, glob) >= 0) {
            if (!claim_name(scope, glob, "", at, &one))
                return FALSE;
            g_array_append_val(out, one);
            continue;
        }
        const Launches *launches = launches_of(scope, "", at);
        if (!launches || !matching(scope, glob, at, indices))
            return FALSE;
        for (guint i = 0; i < indices->len; i++) {
            AtlasLinear *form = claim_form(scope);
            add_population(form, launches, g_array_index(indices, guint, i));
            one = (Value){form, NULL};
            g_array_append_val(out, one);
        }
    }
    return TRUE;
}

/* ---- runs ---- */

static const AtlasObservation *find_run(Scope *scope, const char *run, AtlasSpan at) {
    const GPtrArray *all = scope->study->evidence->observations;
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < all->len; i++) {
        const AtlasObservation *o = g_ptr_array_index(all, i);
        if (g_str_equal(o->run->name, run))
            return o;
        g_ptr_array_add(names, (gpointer)o->run->name);
    }
    g_ptr_array_add(names, NULL);
    atlas_diags_error(scope->diags, at, "no run is named '%s'", run);
    atlas_diags_suggest(scope->diags, run, "runs are", (const char *const *)names->pdata);
    return NULL;
}

static gboolean not_measured(Scope *scope, const AtlasObservation *o, const char *what,
                             AtlasSpan at) {
    atlas_diags_error(scope->diags, at, "run '%s' does not tell '%s'", o->run->name, what);
    return FALSE;
}

/* into += the mean of a sum. */
static void add_sum(Scope *scope, AtlasLinear *into, const AtlasSum *sum, gint64 steps) {
    guint column = GPOINTER_TO_UINT(g_hash_table_lookup(scope->columns_of, sum));
    if (column > 0)
        into->coefs[column - 1] = atlas_rat_add(into->coefs[column - 1], atlas_rat(1));
    else
        into->constant = atlas_rat_add(into->constant, atlas_rat_make(sum->lo, steps));
}

/* The milliseconds of a stage; no number where they were not measured. */
static AtlasRat stage_ms(const AtlasObservation *o, const char *stage) {
    const AtlasRunStage *s = atlas_run_stage(o->run, stage);
    return s && s->ms >= 0 && s->ms < 1e9 ? atlas_rat_make((gint64)llround(s->ms * 1e6), 1000000)
                                          : ATLAS_RAT_NONE;
}

static gboolean run_ms(Scope *scope, const AtlasObservation *o, const char *stage, AtlasSpan at,
                       Value *out) {
    const AtlasModel *model = scope->study->model;
    AtlasRat ms = stage_ms(o, stage);
    if (g_str_equal(stage, "total")) {
        ms = atlas_rat(0);
        for (guint i = 0; i < model->stages->len; i++)
            ms = atlas_rat_add(ms, stage_ms(o, ATLAS_STAGE(model, i)->name));
    }
    if (!atlas_rat_ok(ms)) {
        g_autofree char *what = g_strconcat("ms.", stage, NULL);
        return not_measured(scope, o, what, at);
    }
    *out = claim_constant(scope, ms);
    return TRUE;
}

gboolean claim_run(Scope *scope, const char *run, const char *path, AtlasSpan at, Value *out) {
    const AtlasModel *model = scope->study->model;
    const AtlasObservation *o = find_run(scope, run, at);
    if (!o)
        return FALSE;
    if (g_str_has_prefix(path, "ms."))
        return run_ms(scope, o, path + 3, at, out);
    AtlasLinear *form = claim_form(scope);
    *out = (Value){form, NULL};
    if (g_str_equal(path, "total") && o->total.known) {
        add_sum(scope, form, &o->total, o->steps);
        return TRUE;
    }
    gboolean total = g_str_equal(path, "total");
    int stage = atlas_model_find_stage(model, path);
    if (!total && stage < 0)
        return not_measured(scope, o, path, at);
    for (guint i = 0; i < model->stages->len; i++) {
        if (!total && (int)i != stage)
            continue;
        if (!o->sums[i].known)
            return not_measured(scope, o, path, at);
        add_sum(scope, form, &o->sums[i], o->steps);
    }
    return TRUE;
}

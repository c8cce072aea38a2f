#include "model/solve/next.h"

#include <string.h>

/* One linear form among the asked populations, however many share it. */
typedef struct {
    AtlasLinear *form;
    guint shared;
    AtlasInterval now;
} Asked;

/* `near`: the observation it is a few changes away from, or NOWHERE. */
#define NOWHERE G_MAXUINT
typedef struct {
    AtlasConfig *config;
    guint near, changes;
} Candidate;

typedef struct {
    AtlasEvidence *evidence;
    AtlasRat lag;
    const AtlasPoint *point;
    AtlasWindow window;
    GArray *asked;         /* of Asked, widest first */
    gint64 period;         /* the forms are sums over that many steps */
    GPtrArray *candidates; /* of Candidate*, fewest changes first */
    GHashTable *seen;
    guint left_out;
    gint64 cost, limit; /* 0: none */
} Search;

static void asked_clear(gpointer data) {
    atlas_linear_free(((Asked *)data)->form, 1);
}

static void candidate_free(gpointer data) {
    Candidate *c = data;
    atlas_config_free(c->config);
    g_free(c);
}

static AtlasRat width(const AtlasInterval *interval) {
    return atlas_rat_sub(interval->hi, interval->lo);
}

static gboolean unbounded(const AtlasInterval *interval) {
    return !interval->lo_known || !interval->hi_known;
}

/* Unbounded forms first, then the widest. */
static int by_width(gconstpointer a, gconstpointer b) {
    const Asked *x = a, *y = b;
    if (unbounded(&x->now) != unbounded(&y->now))
        return unbounded(&x->now) ? -1 : 1;
    if (unbounded(&x->now))
        return 0;
    return -atlas_rat_cmp(width(&x->now), width(&y->now));
}

/* The asked populations that are not determined yet. FALSE if the walk fails. */
static gboolean ask(Search *search, const AtlasConfig *asked) {
    AtlasWalkFault fault;
    guint n = asked->model->populations->len;
    search->period = atlas_walk_period(asked, &fault);
    AtlasLinear *forms =
        search->period ? atlas_walk_linear(asked, 0, search->period - 1, &fault) : NULL;
    if (!forms)
        return FALSE;
    g_autoptr(AtlasSystem) system = atlas_system_new(search->evidence, -1);
    g_autoptr(AtlasLp) lp = atlas_lp_new(system, search->lag);
    for (guint i = 0; i < n; i++) {
        gboolean known = FALSE;
        for (guint j = 0; !known && j < search->asked->len; j++) {
            Asked *other = &g_array_index(search->asked, Asked, j);
            known = atlas_linear_equal(other->form, &forms[i]);
            other->shared += known;
        }
        Asked made = {NULL, 1, atlas_lp_interval(lp, &forms[i])};
        if (known || (!unbounded(&made.now) && width(&made.now).num == 0))
            continue;
        made.form = atlas_linear_new(forms[i].n, 1);
        atlas_linear_add(made.form, &forms[i], atlas_rat(1));
        g_array_append_val(search->asked, made);
    }
    atlas_linear_free(forms, n);
    g_array_sort(search->asked, by_width);
    return TRUE;
}

static int compare(const AtlasSpread *a, const AtlasSpread *b) {
    if (a->unbounded != b->unbounded)
        return a->unbounded < b->unbounded ? -1 : 1;
    return atlas_rat_cmp(a->width, b->width);
}

static void spread_add(AtlasSpread *spread, const AtlasInterval *interval, const Search *search,
                       guint shared) {
    if (unbounded(interval))
        spread->unbounded += shared;
    else
        spread->width = atlas_rat_add(
            spread->width, atlas_rat_mul(width(interval), atlas_rat_make(shared, search->period)));
}

static AtlasSpread spread_now(const Search *search) {
    AtlasSpread spread = {0, atlas_rat(0)};
    for (guint i = 0; i < search->asked->len; i++) {
        const Asked *asked = &g_array_index(search->asked, Asked, i);
        spread_add(&spread, &asked->now, search, asked->shared);
    }
    return spread;
}

/* Its values as text: equal configurations have equal keys. */
static char *config_key(const AtlasConfig *config) {
    const AtlasModel *model = config->model;
    GString *key = g_string_new(NULL);
    for (guint i = 0; i < model->params->len; i++)
        g_string_append_printf(key, "%" G_GINT64_FORMAT ",", config->params[i]);
    for (guint i = 0; i < model->arms->len; i++)
        g_string_append_c(key, atlas_config_arm(config, i) ? '1' : '0');
    return g_string_free(key, FALSE);
}

static void add_candidate(Search *search, const AtlasConfig *config, guint near, guint changes) {
    g_autofree char *key = config_key(config);
    if (g_hash_table_contains(search->seen, key))
        return;
    if (search->candidates->len >= ATLAS_NEXT_MAX) {
        search->left_out++;
        return;
    }
    Candidate *c = g_new(Candidate, 1);
    *c = (Candidate){atlas_config_copy(config), near, changes};
    g_hash_table_add(search->seen, g_steal_pointer(&key));
    g_ptr_array_add(search->candidates, c);
}

/* Adds every configuration that is one setting of a name from `first` on away. */
static void vary(Search *search, const AtlasConfig *from, guint first, guint near, guint changes,
                 guint depth) {
    const AtlasModel *model = from->model;
    guint params = model->params->len, names = params + model->arms->len;
    for (guint i = first; i < names; i++) {
        gboolean is_arm = i >= params;
        guint index = is_arm ? i - params : i;
        gint64 low = is_arm ? 0 : ATLAS_PARAM(model, index)->low;
        gint64 high = is_arm ? 1 : ATLAS_PARAM(model, index)->high;
        gint64 own = is_arm ? from->switches[index] : from->params[index];
        for (gint64 value = low; value <= high; value++) {
            if (value == own || search->left_out > ATLAS_NEXT_MAX)
                continue;
            g_autoptr(AtlasConfig) config = atlas_config_copy(from);
            atlas_config_put(config, is_arm, index, value);
            if (depth == 1)
                add_candidate(search, config, near, changes);
            else
                vary(search, config, i + 1, near, changes, depth - 1);
        }
    }
}

static void collect(Search *search) {
    const GPtrArray *all = search->evidence->observations;
    for (guint i = 0; i < all->len; i++) {
        const AtlasObservation *o = g_ptr_array_index(all, i);
        if (!o->excluded) /* measured already */
            g_hash_table_add(search->seen, config_key(o->config));
    }
    if (g_hash_table_size(search->seen) == 0) { /* nothing is measured: begin with the base */
        g_autoptr(AtlasConfig) base = atlas_config_new(search->evidence->model);
        add_candidate(search, base, NOWHERE, 0);
        for (guint depth = 1; depth <= 2; depth++)
            vary(search, base, 0, NOWHERE, depth, depth);
    }
    for (guint depth = 1; depth <= 2; depth++)
        for (guint i = 0; i < all->len; i++) {
            const AtlasObservation *o = g_ptr_array_index(all, i);
            if (!o->excluded)
                vary(search, o->config, 0, i, depth, depth);
        }
}

/* Text of what a candidate would show: candidates with the same forms teach the same. */
static char *forms_key(const AtlasLinear *stages, guint n) {
    GString *key = g_string_new(NULL);
    for (guint i = 0; i < n; i++) {
        for (guint j = 0; j < stages[i].n; j++)
            if (stages[i].coefs[j].num != 0)
                g_string_append_printf(key, "%u:%" G_GINT64_FORMAT "/%" G_GINT64_FORMAT " ", j,
                                       stages[i].coefs[j].num, stages[i].coefs[j].den);
        g_string_append_c(key, ';');
    }
    return g_string_free(key, FALSE);
}

/* The spread behind the supposed run; given up, with FALSE, as soon as it is no better than
 * `best`. */
static gboolean try(Search *search, const AtlasSpread *best, AtlasSpread *spread) {
    g_autoptr(AtlasSystem) system = atlas_system_new(search->evidence, -1);
    g_autoptr(AtlasLp) lp = atlas_lp_new(system, search->lag);
    *spread = (AtlasSpread){0, atlas_rat(0)};
    for (guint i = 0; i < search->asked->len; i++) {
        const Asked *asked = &g_array_index(search->asked, Asked, i);
        AtlasInterval interval = atlas_lp_interval(lp, asked->form);
        search->cost += (gint64)system->rows->len * system->columns->len;
        spread_add(spread, &interval, search, asked->shared);
        if (compare(spread, best) >= 0)
            return FALSE;
    }
    return TRUE;
}

static void remember(const Search *search, const Candidate *c, AtlasNextRun *next) {
    atlas_config_free(next->config);
    next->config = atlas_config_copy(c->config);
    next->near = c->near == NOWHERE ? NULL : atlas_evidence_get(search->evidence, c->near);
    next->changes = c->changes;
}

/* Whether the search has cost what it may: half of it where nothing was found. */
static gboolean spent(const Search *search, const AtlasNextRun *next) {
    return search->limit && search->cost >= (next->config ? search->limit : search->limit / 2) &&
           search->cost > 0;
}

static AtlasNextRun *choose(Search *search, AtlasProgress *progress) {
    const guint stages = search->evidence->model->stages->len;
    g_autoptr(GHashTable) taught = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    AtlasNextRun *next = g_new0(AtlasNextRun, 1);
    next->before = next->after = spread_now(search);
    next->left_out = search->left_out;
    for (guint i = 0; i < search->candidates->len; i++) {
        const Candidate *c = g_ptr_array_index(search->candidates, i);
        AtlasSpread spread;
        if (spent(search, next)) {
            next->left_out += search->candidates->len - i;
            break;
        }
        atlas_progress_update(progress, i, search->candidates->len);
        if (!atlas_evidence_suppose(search->evidence, c->config, search->window.first,
                                    search->window.last, search->point->unknowns))
            continue; /* makes no sense: it could not be run either */
        const AtlasObservation *supposed =
            atlas_evidence_get(search->evidence, search->evidence->observations->len - 1);
        if (g_hash_table_add(taught, forms_key(supposed->stages, stages))) {
            next->looked_at++;
            if (try(search, &next->after, &spread)) {
                remember(search, c, next);
                next->after = spread;
            }
        }
        atlas_evidence_drop_last(search->evidence);
    }
    if (next->config || next->left_out)
        return next;
    atlas_next_run_free(next);
    return NULL;
}

static gboolean ever_on(const AtlasEvidence *evidence, guint arm) {
    for (guint i = 0; i < evidence->observations->len; i++) {
        const AtlasObservation *o = atlas_evidence_get(evidence, i);
        if (!o->excluded && atlas_config_arm(o->config, arm))
            return TRUE;
    }
    return FALSE;
}

/* Whether supposing `config` measured leaves no population of the asked one without bounds. */
static gboolean settles(Search *search, const AtlasConfig *config) {
    AtlasSpread none = {1, atlas_rat(0)}, spread;
    if (!atlas_evidence_suppose(search->evidence, config, search->window.first, search->window.last,
                                search->point->unknowns))
        return FALSE;
    gboolean bounded = try(search, &none, &spread);
    atlas_evidence_drop_last(search->evidence);
    return bounded;
}

AtlasConfig *atlas_settling_run(AtlasEvidence *evidence, const AtlasConfig *asked, AtlasRat lag,
                                const AtlasPoint *point) {
    const AtlasModel *model = evidence->model;
    AtlasConfig *config = atlas_config_new(model);
    for (guint i = 0; i < model->arms->len; i++)
        if (atlas_config_arm(asked, i) && !ever_on(evidence, i))
            for (int arm = (int)i; arm >= 0; arm = ATLAS_ARM(model, arm)->needs)
                atlas_config_put(config, TRUE, (guint)arm, 1);
    Search search = {.evidence = evidence,
                     .lag = lag,
                     .point = point,
                     .asked = g_array_new(FALSE, FALSE, sizeof(Asked))};
    g_array_set_clear_func(search.asked, asked_clear);
    gboolean enough = point && ask(&search, asked) && settles(&search, config);
    g_array_unref(search.asked);
    if (enough)
        return config;
    atlas_config_free(config);
    return atlas_config_copy(asked);
}

AtlasNextRun *atlas_next_run(AtlasEvidence *evidence, const AtlasConfig *asked, AtlasRat lag,
                             const AtlasPoint *point, gint64 cost, AtlasProgress *progress) {
    Search search = {
        .limit = cost,
        .evidence = evidence,
        .lag = lag,
        .point = point,
        .asked = g_array_new(FALSE, FALSE, sizeof(Asked)),
        .candidates = g_ptr_array_new_with_free_func(candidate_free),
        .seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
    };
    AtlasNextRun *next = NULL;
    g_array_set_clear_func(search.asked, asked_clear);
    for (guint i = evidence->observations->len; i-- > 0;) {
        const AtlasObservation *o = atlas_evidence_get(evidence, i);
        if (o->run && !o->excluded && o->run->window_known)
            search.window = o->run->window;
    }
    if (ask(&search, asked) && search.asked->len > 0) {
        collect(&search);
        next = choose(&search, progress);
    }
    g_hash_table_unref(search.seen);
    g_ptr_array_unref(search.candidates);
    g_array_unref(search.asked);
    return next;
}

void atlas_next_run_free(AtlasNextRun *next) {
    if (!next)
        return;
    atlas_config_free(next->config);
    g_free(next);
}

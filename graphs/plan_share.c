/* Windows that share a graph, and the choice of windows that do.
 *
 * Windows that do the same to the same places can launch one graph. Those that do the same to other
 * places can, too, with copies (rename): the graph works on places of its own; what it reads is
 * copied there before, what it writes is copied back behind. That is done where it costs less, or
 * where else too many graphs would be held, for all windows of a signature or for none.
 *
 * What a window costs then depends on the others, and it may pay to end one where another one like
 * it would begin. So sets of bodies (runs that the step holds more than once) are tried: the graphs
 * of a set are taken to be paid, and windows of least cost are chosen at these prices
 * (plan_choose.c). Were every set tried, the least of all would be exact, as some set is the one of
 * the bodies that it shares. Bodies are tried one by one instead, the greatest first, beside those of the
 * set and in the stead of each, then in pairs, until that does not make it cheaper.
 *
 * How far that is from the least is bounded: if every window pays no more than its share of a graph
 * that serves all the atoms that are alike, then no choice costs less than the least at these prices.
 */
#include "graphs/plan_atom.h"
#include "model/base/rational.h"

/* Sets that are tried; steps of the choice that trying may take in all; parts into which graphs are
 * taken apart for the bound, all together. */
enum { TRIED_MOST = 1000, WORK_MOST = 30000000, PARTS_MOST = 1000 };

typedef struct {
    const PlanTree *tree;
    guint with;
    const AtlasPlanCosts *costs;
    PlanAlike *alike;
    double eager; /* cost of the step without windows */
} Sharer;

/* ---- sharing ---- */

/* A window's slots and what it does to them; NULL: it must have a graph of its own. */
typedef struct {
    GArray *slots;
    char *signature;
} Form;

static void form_clear(gpointer data) {
    Form *form = data;
    g_clear_pointer(&form->slots, g_array_unref);
    g_free(form->signature);
}

static GArray *forms_of(const Sharer *s, const GArray *windows) {
    GArray *forms = g_array_new(FALSE, FALSE, sizeof(Form));
    g_array_set_clear_func(forms, form_clear);
    for (guint i = 0; i < windows->len; i++) {
        const AtlasPlanWindow *w = &g_array_index(windows, AtlasPlanWindow, i);
        Form form = {plan_slots(s->tree, w->first, w->last), NULL};
        if (form.slots)
            form.signature = plan_signature(s->tree, w->first, w->last, form.slots);
        g_array_append_val(forms, form);
    }
    return forms;
}

/* Marks the slots that are not the same place in all of these windows; TRUE where none is. */
static gboolean mark_copied(const GArray *forms, const GArray *group) {
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    for (guint k = 0; k < group->len; k++)
        g_ptr_array_add(all, g_array_index(forms, Form, g_array_index(group, guint, k)).slots);
    return plan_slots_mark(all);
}

/* The windows from i on that do the same as it; those that do so to the same places, if `exactly`. */
static GArray *group_of(const GArray *forms, guint i, gboolean exactly) {
    GArray *group = g_array_new(FALSE, FALSE, sizeof(guint));
    const char *signature = g_array_index(forms, Form, i).signature;
    for (guint k = i; signature && k < forms->len; k++) {
        if (g_strcmp0(signature, g_array_index(forms, Form, k).signature) != 0)
            continue;
        g_array_append_val(group, k);
        if (exactly && !mark_copied(forms, group))
            g_array_set_size(group, group->len - 1);
    }
    return group;
}

/* Makes the first window's graph that of all, with copies where slots are marked. */
static void share(GArray *windows, const GArray *forms, const GArray *group) {
    for (guint k = 0; k < group->len; k++) {
        guint at = g_array_index(group, guint, k);
        AtlasPlanWindow *w = &g_array_index(windows, AtlasPlanWindow, at);
        const Form *form = &g_array_index(forms, Form, at);
        g_clear_pointer(&w->slots, g_array_unref);
        if (plan_slots_copies(form->slots))
            w->slots = g_array_ref(form->slots);
        w->of = g_array_index(group, guint, 0);
        w->graphs = k == 0;
    }
}

/* What sharing would save. */
static double saved_by_sharing(const Sharer *s, const GArray *windows, const GArray *forms,
                               const GArray *group) {
    double saved = 0;
    for (guint k = 0; k < group->len; k++) {
        guint at = g_array_index(group, guint, k);
        const AtlasPlanWindow *w = &g_array_index(windows, AtlasPlanWindow, at);
        AtlasPlanWindow shared = *w;
        shared.slots = g_array_index(forms, Form, at).slots;
        shared.graphs = k == 0;
        saved +=
            plan_cost_window(s->tree, s->costs, w) - plan_cost_window(s->tree, s->costs, &shared);
    }
    return saved;
}

static gint64 graphs_of(const GArray *windows) {
    gint64 graphs = 0;
    for (guint i = 0; i < windows->len; i++)
        graphs += g_array_index(windows, AtlasPlanWindow, i).graphs;
    return graphs;
}

static gboolean fits(const Sharer *s, const GArray *windows) {
    return s->costs->most_graphs == 0 || graphs_of(windows) <= s->costs->most_graphs;
}

/* First where nothing is copied, then where copies pay, then where there are too many graphs. */
static void share_all(const Sharer *s, GArray *windows) {
    enum { EXACTLY, COPIES, FORCED };
    g_autoptr(GArray) forms = forms_of(s, windows);
    for (guint i = 0; i < windows->len; i++)
        g_array_index(windows, AtlasPlanWindow, i).of = i;
    for (guint pass = EXACTLY; pass <= (s->with & ATLAS_WITH_RENAME ? FORCED : EXACTLY); pass++)
        for (guint i = 0; i < windows->len; i++) {
            const AtlasPlanWindow *w = &g_array_index(windows, AtlasPlanWindow, i);
            if (w->of != i || (pass == EXACTLY && w->slots) || (pass == FORCED && fits(s, windows)))
                continue;
            g_autoptr(GArray) group = group_of(forms, i, pass == EXACTLY);
            if (group->len < 2)
                continue;
            mark_copied(forms, group);
            if (pass == FORCED || saved_by_sharing(s, windows, forms, group) > 0)
                share(windows, forms, group);
        }
}

/* ---- sets of bodies ---- */

/* Windows, and what the step then costs. */
typedef struct {
    GArray *windows;
    double cost;
} Choice;

static double cost_of(const Sharer *s, const GArray *windows) {
    double cost = s->eager;
    for (guint i = 0; i < windows->len; i++) {
        const AtlasPlanWindow *w = &g_array_index(windows, AtlasPlanWindow, i);
        for (guint k = w->first; k <= w->last; k++)
            cost -= plan_cost_alone(s->costs, plan_op(s->tree->program, k),
                                    plan_tree_times(s->tree, k));
        cost += plan_cost_window(s->tree, s->costs, w);
    }
    return cost;
}

static void places_free(gpointer places) {
    if (places)
        g_array_unref(places);
}

/* The places of a set's bodies, by op. */
static GPtrArray *paid_places(const Sharer *s, const GPtrArray *set) {
    GPtrArray *paid = g_ptr_array_new_with_free_func(places_free);
    g_ptr_array_set_size(paid, (gint)s->tree->program->ops->len + 1);
    for (guint i = 0; i < set->len; i++) {
        const PlanBody *body = g_ptr_array_index(set, i);
        for (guint k = 0; k < body->places->len; k++) {
            PlanPlace place = g_array_index(body->places, PlanPlace, k);
            gpointer *at = &paid->pdata[place.first];
            *at = *at ? *at : g_array_new(FALSE, FALSE, sizeof(PlanPlace));
            g_array_append_val(*(GArray **)at, place);
        }
    }
    return paid;
}

/* The least at these prices, where a limit on graphs asks for it within that; no windows: there are
 * too many graphs all the same. */
static Choice choose(const Sharer *s, const GPtrArray *set) {
    g_autoptr(GPtrArray) paid = paid_places(s, set);
    PlanPricing pricing = {(GArray **)paid->pdata, NULL, -1, 1};
    Choice choice = {plan_cut(s->tree, s->with, s->costs, &pricing, NULL), 0};
    share_all(s, choice.windows);
    if (!fits(s, choice.windows) && (gint64)set->len <= s->costs->most_graphs) {
        g_array_unref(choice.windows);
        pricing.most = s->costs->most_graphs - set->len;
        choice.windows = plan_cut(s->tree, s->with, s->costs, &pricing, NULL);
        share_all(s, choice.windows);
    }
    if (!fits(s, choice.windows))
        g_array_set_size(choice.windows, 0);
    choice.cost = cost_of(s, choice.windows);
    return choice;
}

/* Keeps a set if the whole then costs less; takes it over. */
static void try_set(const Sharer *s, GPtrArray **set, GPtrArray *other, Choice *best) {
    Choice choice = choose(s, other);
    gboolean better = choice.cost < best->cost;
    Choice worse = better ? *best : choice;
    g_array_unref(worse.windows);
    g_ptr_array_unref(better ? *set : other);
    if (better) {
        *best = choice;
        *set = other;
    }
}

/* The set with a body (NULL: none) in the stead of that at `at`, which may be its end. */
static GPtrArray *with_body(GPtrArray *set, guint at, PlanBody *body) {
    GPtrArray *other = g_ptr_array_copy(set, NULL, NULL);
    if (at < other->len)
        g_ptr_array_remove_index(other, at);
    if (body)
        g_ptr_array_insert(other, (gint)at, body);
    return other;
}

/* Every body once: behind the set, or in the stead of one of it, which is left out first. */
static void try_bodies(const Sharer *s, GPtrArray **set, gint64 *left, Choice *best) {
    const GPtrArray *bodies = s->alike->bodies;
    for (guint i = 0; i < bodies->len; i++)
        for (guint at = (*set)->len + 1; at-- > 0 && *left > 0;) {
            if (g_ptr_array_find(*set, bodies->pdata[i], NULL))
                break;
            try_set(s, set, with_body(*set, at, bodies->pdata[i]), best);
            --*left;
        }
}

/* Two bodies at once: one alone may take what the other needs. */
static void try_pairs(const Sharer *s, GPtrArray **set, gint64 *left, Choice *best) {
    const GPtrArray *bodies = s->alike->bodies;
    for (guint i = 0; i < bodies->len; i++)
        for (guint k = i + 1; k<bodies->len && * left> 0; k++, --*left) {
            GPtrArray *pair = g_ptr_array_new();
            g_ptr_array_add(pair, bodies->pdata[i]);
            g_ptr_array_add(pair, bodies->pdata[k]);
            try_set(s, set, pair, best);
        }
}

/* The cheapest that is found; none costs less than `bound`. */
static Choice search(const Sharer *s, double bound) {
    g_autoptr(GPtrArray) set = g_ptr_array_new();
    gint64 links = s->alike->links, budgets = s->costs->most_graphs + 1;
    gint64 left = MIN(WORK_MOST / MAX(links * links * budgets, 1), TRIED_MOST);
    Choice best = choose(s, set);
    for (double before = G_MAXDOUBLE; best.cost > bound && best.cost < before && left > 0;) {
        before = best.cost;
        try_bodies(s, &set, &left, &best);
        if (best.cost >= before)
            try_pairs(s, &set, &left, &best);
    }
    return best;
}

/* ---- all of it ---- */

/* What no choice costs less than; a bound on graphs holds in parts of one. */
static double least(const Sharer *s, gint64 most) {
    PlanPricing pricing = {NULL, s->alike, -1, 1};
    double cost;
    for (guint i = s->tree->step; most && i < s->tree->step_end; i++)
        for (guint k = 0; k < 2; k++) {
            gint64 n = (k ? s->alike->wherever : s->alike->exactly)[i];
            gint64 parts = n ? atlas_lcm(pricing.parts, n) : 0;
            if (parts > 0 && parts <= PARTS_MOST / most)
                pricing.parts = parts;
        }
    if (most)
        pricing.most = most * pricing.parts;
    g_array_unref(plan_cut(s->tree, s->with, s->costs, &pricing, &cost));
    return cost;
}

static Sharer sharer_new(const PlanTree *tree, guint with, const AtlasPlanCosts *costs) {
    Sharer s = {tree, with, costs, plan_alike_new(tree, with, costs), 0};
    for (guint i = tree->step + 1; i < tree->step_end; i++)
        s.eager += plan_cost_alone(costs, plan_op(tree->program, i), plan_tree_times(tree, i));
    return s;
}

/* Without copies, too: what is found with them may cost more. */
static void try_without_copies(const Sharer *s, double bound, Choice *best) {
    Sharer plain = sharer_new(s->tree, s->with & ~(guint)ATLAS_WITH_RENAME, s->costs);
    Choice choice = search(&plain, bound);
    gboolean better = choice.cost < best->cost;
    g_array_unref(better ? best->windows : choice.windows);
    if (better)
        *best = choice;
    plan_alike_free(plain.alike);
}

GArray *plan_choose(const PlanTree *tree, guint with, const AtlasPlanCosts *costs, gint64 *gap_ns) {
    Sharer s = sharer_new(tree, with, costs);
    double bound = MAX(least(&s, 0), costs->most_graphs ? least(&s, costs->most_graphs) : 0);
    Choice best = search(&s, bound);
    if (with & ATLAS_WITH_RENAME && best.cost > bound)
        try_without_copies(&s, bound, &best);
    *gap_ns = (gint64)(MAX(best.cost - bound, 0) / (double)costs->over);
    for (guint i = 0; i < best.windows->len; i++)
        plan_price(tree, costs, &g_array_index(best.windows, AtlasPlanWindow, i));
    plan_alike_free(s.alike);
    return best.windows;
}

/* Windows that share a graph.
 *
 * Windows that do the same to the same places can launch one graph. Those that do the same to other
 * places can, too, with copies (rename): the graph works on places of its own; what it reads is
 * copied there before, what it writes is copied back behind. That is done where it costs less, for
 * all windows of a signature or for none.
 *
 * With copies it may pay to end a window where another one like it would begin. So the longest runs
 * that the step has twice are tried one after the other: windows are chosen again with ends there,
 * which stay where the whole then costs less. What comes out is never dearer than the least without
 * sharing, but perhaps not the least of all that share.
 */
#include <string.h>

#include "graphs/plan_atom.h"

/* Runs that are tried; members of a step's blocks beyond which none are looked for. */
enum { RUNS_TRIED = 16, MEMBERS_MOST = 1500 };

typedef struct {
    const PlanTree *tree;
    guint with;
    const AtlasPlanCosts *costs;
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

static gboolean same_place(const AtlasPlanSlot *a, const AtlasPlanSlot *b) {
    return a->whole && b->whole && a->access.buffer == b->access.buffer;
}

/* Marks the slots that are not the same place in all of these windows; TRUE where none is. */
static gboolean mark_copied(const GArray *forms, const GArray *group) {
    const Form *first = &g_array_index(forms, Form, g_array_index(group, guint, 0));
    gboolean all = TRUE;
    for (guint n = 0; n < first->slots->len; n++) {
        gboolean same = TRUE;
        for (guint pass = 0; pass < 2; pass++)
            for (guint k = 0; k < group->len; k++) {
                const Form *form = &g_array_index(forms, Form, g_array_index(group, guint, k));
                AtlasPlanSlot *slot = &g_array_index(form->slots, AtlasPlanSlot, n);
                if (pass == 0)
                    same = same && same_place(slot, &g_array_index(first->slots, AtlasPlanSlot, n));
                slot->copied = !same;
            }
        all = all && same;
    }
    return all;
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

/* Shares, and gives back what cost it saves; less than nothing: it does not share. */
static double try_to_share(const Sharer *s, GArray *windows, const GArray *forms,
                           const GArray *group) {
    double saved = 0;
    for (guint k = 0; k < group->len; k++) {
        guint at = g_array_index(group, guint, k);
        AtlasPlanWindow *w = &g_array_index(windows, AtlasPlanWindow, at), shared = *w;
        shared.slots = g_array_index(forms, Form, at).slots;
        shared.graphs = k == 0;
        saved +=
            plan_cost_window(s->tree, s->costs, w) - plan_cost_window(s->tree, s->costs, &shared);
    }
    if (saved > 0)
        share(windows, forms, group);
    return saved;
}

static void share_all(const Sharer *s, GArray *windows) {
    g_autoptr(GArray) forms = forms_of(s, windows);
    for (guint i = 0; i < windows->len; i++)
        g_array_index(windows, AtlasPlanWindow, i).of = i;
    for (guint pass = 0; pass < (s->with & ATLAS_WITH_RENAME ? 2u : 1u); pass++)
        for (guint i = 0; i < windows->len; i++) {
            const AtlasPlanWindow *w = &g_array_index(windows, AtlasPlanWindow, i);
            if (w->of != i || (pass == 0 && w->slots))
                continue;
            g_autoptr(GArray) group = group_of(forms, i, pass == 0);
            if (group->len < 2)
                continue;
            mark_copied(forms, group);
            try_to_share(s, windows, forms, group);
        }
}

/* ---- ends that make windows alike ---- */

/* A member of a block: an op, or a loop whole. */
typedef struct {
    guint first, block;
    char *form; /* what it does, wherever; NULL: no window holds it */
} Link;

/* Two runs that do the same, wherever. */
typedef struct {
    guint at[2], length; /* among the links */
    gint64 nodes;
} Pair;

static void link_clear(gpointer data) {
    g_free(((Link *)data)->form);
}

static void list_links(const Sharer *s, guint from, guint to, guint block, GArray *links) {
    for (guint i = from; i < to; i++) {
        gboolean loop = plan_op(s->tree->program, i)->kind == ATLAS_OP_LOOP;
        guint last = loop ? s->tree->end[i] : i;
        Atom atom = plan_atom(s->tree, i, last);
        g_autoptr(GArray) slots = atom.closed ? NULL : plan_slots(s->tree, i, last);
        Link one = {i, block, slots ? plan_signature(s->tree, i, last, slots) : NULL};
        g_array_append_val(links, one);
        i = last;
    }
    for (guint i = from; i < to; i++)
        if (plan_op(s->tree->program, i)->kind == ATLAS_OP_LOOP) {
            list_links(s, i + 1, s->tree->end[i], i, links);
            i = s->tree->end[i];
        }
}

static gboolean linked(const GArray *links, guint a, guint b) {
    const Link *x = &g_array_index(links, Link, a), *y = &g_array_index(links, Link, b);
    return x->form && y->form && g_str_equal(x->form, y->form);
}

static gboolean follows(const GArray *links, guint at) {
    return at > 0 &&
           g_array_index(links, Link, at - 1).block == g_array_index(links, Link, at).block;
}

static gint64 nodes_of(const Sharer *s, const GArray *links, guint at, guint length) {
    gint64 nodes = 0;
    for (guint k = at; k < at + length; k++) {
        guint first = g_array_index(links, Link, k).first;
        gboolean loop = plan_op(s->tree->program, first)->kind == ATLAS_OP_LOOP;
        nodes += plan_atom(s->tree, first, loop ? s->tree->end[first] : first).nodes;
    }
    return nodes;
}

static int by_nodes(gconstpointer a, gconstpointer b) {
    const Pair *x = a, *y = b;
    if (x->nodes != y->nodes)
        return x->nodes > y->nodes ? -1 : 1;
    return x->at[0] != y->at[0] ? (x->at[0] < y->at[0] ? -1 : 1) : x->at[1] < y->at[1] ? -1 : 1;
}

/* Pairs of runs that go on neither before nor behind, those of most nodes first. */
static GArray *pairs_of(const Sharer *s, const GArray *links) {
    GArray *pairs = g_array_new(FALSE, FALSE, sizeof(Pair));
    for (guint a = 0; a < links->len; a++)
        for (guint b = a + 1; b < links->len; b++) {
            guint n = 0;
            if (!linked(links, a, b) ||
                (follows(links, a) && follows(links, b) && linked(links, a - 1, b - 1)))
                continue;
            while (a + n < b && b + n < links->len && linked(links, a + n, b + n) &&
                   (n == 0 || (follows(links, a + n) && follows(links, b + n))))
                n++;
            Pair pair = {{a, b}, n, nodes_of(s, links, a, n)};
            g_array_append_val(pairs, pair);
        }
    g_array_sort(pairs, by_nodes);
    return pairs;
}

static void cut_around(const GArray *links, guint at, guint length, gboolean *cuts) {
    cuts[g_array_index(links, Link, at).first] = TRUE;
    if (at + length < links->len && follows(links, at + length))
        cuts[g_array_index(links, Link, at + length).first] = TRUE;
}

/* ---- all of it ---- */

static double saved_by(const Sharer *s, const GArray *windows) {
    double saved = 0;
    for (guint i = 0; i < windows->len; i++) {
        const AtlasPlanWindow *w = &g_array_index(windows, AtlasPlanWindow, i);
        for (guint k = w->first; k <= w->last; k++)
            saved += plan_cost_alone(s->costs, plan_op(s->tree->program, k),
                                     plan_tree_times(s->tree, k));
        saved -= plan_cost_window(s->tree, s->costs, w);
    }
    return saved;
}

static GArray *choose(const Sharer *s, const gboolean *cuts) {
    GArray *windows = plan_cut(s->tree, s->with, s->costs, cuts);
    share_all(s, windows);
    return windows;
}

static GArray *try_cuts(const Sharer *s, GArray *windows) {
    gsize size = (s->tree->program->ops->len + 1) * sizeof(gboolean);
    g_autofree gboolean *cuts = g_malloc0(size);
    g_autoptr(GArray) links = g_array_new(FALSE, FALSE, sizeof(Link));
    g_array_set_clear_func(links, link_clear);
    list_links(s, s->tree->step + 1, s->tree->step_end, s->tree->step, links);
    if (links->len > MEMBERS_MOST)
        return windows;
    g_autoptr(GArray) pairs = pairs_of(s, links);
    for (guint i = 0; i < MIN(pairs->len, RUNS_TRIED); i++) {
        const Pair *pair = &g_array_index(pairs, Pair, i);
        g_autofree gboolean *more = g_memdup2(cuts, size);
        cut_around(links, pair->at[0], pair->length, more);
        cut_around(links, pair->at[1], pair->length, more);
        GArray *other = choose(s, more);
        gboolean better = saved_by(s, other) > saved_by(s, windows);
        g_array_unref(better ? windows : other);
        windows = better ? other : windows;
        if (better)
            memcpy(cuts, more, size);
    }
    return windows;
}

GArray *plan_choose(const PlanTree *tree, guint with, const AtlasPlanCosts *costs) {
    Sharer s = {tree, with, costs};
    GArray *windows = choose(&s, NULL);
    if (with & ATLAS_WITH_RENAME)
        windows = try_cuts(&s, windows);
    for (guint i = 0; i < windows->len; i++)
        plan_price(tree, costs, &g_array_index(windows, AtlasPlanWindow, i));
    return windows;
}

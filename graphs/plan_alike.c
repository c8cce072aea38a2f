/* What a step holds more than once.
 *
 * Atoms that do the same have one form: the same to the same places, or the same wherever. Runs of
 * atoms that have the same forms are bodies, as far as a graph may be; they are what a graph may
 * serve in several places. More than of its rarest atom there are of no run.
 */
#include "graphs/plan_atom.h"

/* Atoms beyond which no bodies are looked for, and up to which all are. */
enum { ATOMS_MOST = 1500, ATOMS_FEW = 40 };

enum { EXACTLY, WHEREVER, KINDS };

/* An atom, of the block that it stands in. */
typedef struct {
    guint first, last, block;
    guint form[KINDS]; /* numbers from 1; 0: it must have a graph of its own */
    gint64 nodes;
} Link;

typedef struct {
    const PlanTree *tree;
    const AtlasPlanCosts *costs;
    GArray *links;     /* of Link; those of a block one behind the other */
    GHashTable *forms; /* text to its number */
    GHashTable *known; /* set of texts: the places of bodies */
    PlanAlike *alike;
} Finder;

/* ---- atoms ---- */

static guint number_of(Finder *f, const char *form) {
    guint number = GPOINTER_TO_UINT(g_hash_table_lookup(f->forms, form));
    if (number == 0) {
        number = g_hash_table_size(f->forms) + 1;
        g_hash_table_insert(f->forms, g_strdup(form), GUINT_TO_POINTER(number));
    }
    return number;
}

/* Fills in an atom's forms, if its places may be shared, or be elsewhere. */
static void tell_forms(Finder *f, Link *link) {
    g_autoptr(GArray) slots = plan_slots(f->tree, link->first, link->last);
    gboolean whole = TRUE;
    if (!slots)
        return;
    g_autofree char *signature = plan_signature(f->tree, link->first, link->last, slots);
    g_autoptr(GString) exactly = g_string_new(signature);
    link->form[WHEREVER] = number_of(f, signature);
    for (guint i = 0; i < slots->len; i++) {
        const AtlasPlanSlot *slot = &g_array_index(slots, AtlasPlanSlot, i);
        whole = whole && slot->whole;
        g_string_append_printf(exactly, "\nat %s", slot->access.buffer);
    }
    if (whole)
        link->form[EXACTLY] = number_of(f, exactly->str);
}

static void list_links(Finder *f, guint from, guint to, guint block) {
    for (guint i = from; i < to; i++) {
        const AtlasOp *op = plan_op(f->tree->program, i);
        Link link = {i, op->kind == ATLAS_OP_LOOP ? f->tree->end[i] : i, block, {0, 0}, 0};
        Atom atom = plan_atom(f->tree, i, link.last);
        i = link.last;
        link.nodes = atom.nodes;
        if (op->kind == ATLAS_OP_COMMENT)
            continue;
        if (!atom.closed)
            tell_forms(f, &link);
        g_array_append_val(f->links, link);
    }
    for (guint i = from; i < to; i++)
        if (plan_op(f->tree->program, i)->kind == ATLAS_OP_LOOP) {
            list_links(f, i + 1, f->tree->end[i], i);
            i = f->tree->end[i];
        }
}

static const Link *link_at(const Finder *f, guint i) {
    return &g_array_index(f->links, Link, i);
}

static void count_forms(Finder *f) {
    guint forms = g_hash_table_size(f->forms) + 1;
    g_autofree guint *count = g_new0(guint, forms);
    for (guint i = 0; i < f->links->len; i++)
        for (guint k = 0; k < KINDS; k++)
            count[link_at(f, i)->form[k]]++;
    count[0] = 1;
    for (guint i = 0; i < f->links->len; i++) {
        const Link *link = link_at(f, i);
        f->alike->exactly[link->first] = count[link->form[EXACTLY]];
        f->alike->wherever[link->first] = count[link->form[WHEREVER]];
    }
}

/* ---- bodies ---- */

static gboolean linked(const Finder *f, guint kind, guint a, guint b) {
    return link_at(f, a)->form[kind] && link_at(f, a)->form[kind] == link_at(f, b)->form[kind];
}

static gboolean follows(const Finder *f, guint at) {
    return at > 0 && link_at(f, at - 1)->block == link_at(f, at)->block;
}

/* How long two runs are the same, within a graph's nodes. */
static guint length_of(const Finder *f, guint kind, guint a, guint b) {
    gint64 nodes = 0, most = f->costs->most_nodes;
    guint n = 0;
    while (a + n < b && b + n < f->links->len && linked(f, kind, a + n, b + n) &&
           (n == 0 || (follows(f, a + n) && follows(f, b + n)))) {
        nodes += link_at(f, a + n)->nodes;
        if (most && nodes > most)
            break;
        n++;
    }
    return n;
}

/* Whether a run stands there; whatever follows another one does so in both. */
static gboolean stands_at(const Finder *f, guint kind, guint a, guint b, guint n) {
    for (guint k = 0; k < n; k++)
        if (b + k >= f->links->len || (a != b && !linked(f, kind, a + k, b + k)) ||
            (k > 0 && !follows(f, b + k)))
            return FALSE;
    return TRUE;
}

/* The places of a run of n links, with the copies that they take if one graph serves them all. */
static GArray *places_of(const Finder *f, guint kind, guint a, guint n) {
    GArray *places = g_array_new(FALSE, FALSE, sizeof(PlanPlace));
    g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    g_autofree char *signature = NULL;
    for (guint b = 0; b < f->links->len; b++) {
        PlanPlace place = {link_at(f, b)->first, 0, 0};
        if (!linked(f, kind, a, b) || !stands_at(f, kind, a, b, n))
            continue;
        place.last = link_at(f, b + n - 1)->last;
        GArray *slots = plan_slots(f->tree, place.first, place.last);
        g_autofree char *other =
            slots ? plan_signature(f->tree, place.first, place.last, slots) : NULL;
        signature = signature ? signature : g_strdup(other);
        if (!slots || g_strcmp0(signature, other) != 0) {
            g_clear_pointer(&slots, g_array_unref);
            continue;
        }
        g_ptr_array_add(all, slots);
        g_array_append_val(places, place);
    }
    if (all->len)
        plan_slots_mark(all);
    for (guint i = 0; i < places->len; i++)
        g_array_index(places, PlanPlace, i).copies = plan_slots_copies(all->pdata[i]);
    return places;
}

static void add_body(Finder *f, guint kind, guint a, guint n) {
    g_autoptr(GString) key = g_string_new(NULL);
    gint64 nodes = 0;
    for (guint k = a; k < a + n; k++) {
        g_string_append_printf(key, "%u ", link_at(f, k)->form[kind]);
        nodes += link_at(f, k)->nodes;
    }
    if (nodes == 0 || !g_hash_table_add(f->known, g_strdup(key->str)))
        return;
    GArray *places = places_of(f, kind, a, n);
    if (places->len < 2) {
        g_array_unref(places);
        return;
    }
    PlanBody *body = g_new0(PlanBody, 1);
    *body = (PlanBody){places, nodes * (places->len - 1)};
    g_ptr_array_add(f->alike->bodies, body);
}

/* Of few atoms every run; of many the longest, which go on neither before nor behind, and single
 * atoms. */
static void find_bodies(Finder *f, guint kind) {
    gboolean few = f->links->len <= ATOMS_FEW;
    for (guint a = 0; a < f->links->len; a++)
        for (guint b = a + 1; b < f->links->len; b++) {
            if (!linked(f, kind, a, b))
                continue;
            add_body(f, kind, a, 1);
            if (!few && follows(f, a) && follows(f, b) && linked(f, kind, a - 1, b - 1))
                continue;
            guint n = length_of(f, kind, a, b);
            for (guint k = few ? 2 : n; k > 1 && k <= n; k++)
                add_body(f, kind, a, k);
        }
}

static int by_worth(gconstpointer a, gconstpointer b) {
    const PlanBody *x = *(PlanBody *const *)a, *y = *(PlanBody *const *)b;
    guint i = g_array_index(x->places, PlanPlace, 0).first;
    guint k = g_array_index(y->places, PlanPlace, 0).first;
    return x->worth != y->worth ? (x->worth > y->worth ? -1 : 1) : (i > k) - (i < k);
}

/* ---- life cycle ---- */

static void body_free(gpointer data) {
    PlanBody *body = data;
    g_array_unref(body->places);
    g_free(body);
}

PlanAlike *plan_alike_new(const PlanTree *tree, guint with, const AtlasPlanCosts *costs) {
    PlanAlike *alike = g_new0(PlanAlike, 1);
    g_autoptr(GArray) links = g_array_new(FALSE, FALSE, sizeof(Link));
    g_autoptr(GHashTable) forms = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GHashTable) known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    Finder f = {tree, costs, links, forms, known, alike};
    alike->exactly = g_new0(guint, tree->program->ops->len + 1);
    alike->wherever = g_new0(guint, tree->program->ops->len + 1);
    alike->bodies = g_ptr_array_new_with_free_func(body_free);
    list_links(&f, tree->step + 1, tree->step_end, tree->step);
    count_forms(&f);
    alike->links = links->len;
    if (links->len <= ATOMS_MOST) {
        find_bodies(&f, EXACTLY);
        if (with & ATLAS_WITH_RENAME)
            find_bodies(&f, WHEREVER);
    }
    g_ptr_array_sort(alike->bodies, by_worth);
    return alike;
}

void plan_alike_free(PlanAlike *alike) {
    if (!alike)
        return;
    g_free(alike->exactly);
    g_free(alike->wherever);
    g_ptr_array_unref(alike->bodies);
    g_free(alike);
}

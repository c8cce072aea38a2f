/* The picture of a plan. Stages stand side by side, each a column that is read from top to bottom,
 * under a heading. Rows are nodes of equal height, so that dot's ranks are the lines of a page; an
 * invisible edge from each row to the next keeps a column straight and in order. Headings stand
 * outside of clusters, since dot keeps the order of nodes on one rank by the edges between them
 * there only; columns then stand below their headings. */
#define _POSIX_C_SOURCE 200809L
#include <graphviz/cgraph.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "graphs/plan_column.h"

/* Points around the text of a row, and that a cluster stands out on each side. */
enum { AROUND = 14, MARGIN = 6 };

typedef struct {
    const AtlasPlan *plan;
    PlanTree *tree;
    Agraph_t *root;
    Agraph_t *headings; /* the rank that they stand on */
    Agnode_t *above;    /* the node before, in this column; NULL: none yet */
    Agnode_t *head;     /* of the column before */
    GPtrArray *lowest;  /* of Agnode_t*: each column's last */
    GArray *notes;      /* of DotNote */
    guint clusters, nodes;
} Drawing;

/* ---- cgraph ---- */

static void set(void *object, const char *key, const char *value) {
    agsafeset(object, (char *)key, (char *)value, (char *)"");
}

static void set_html(Drawing *d, void *object, const char *key, const char *html) {
    char *text = agstrdup_html(d->root, (char *)html);
    agsafeset(object, (char *)key, text, (char *)"");
    agstrfree(d->root, text);
}

static Agraph_t *cluster(Drawing *d, Agraph_t *parent, const char *style, const char *colour) {
    g_autofree char *name = g_strdup_printf("cluster_%u", d->clusters++);
    Agraph_t *sub = agsubg(parent, name, TRUE);
    set(sub, "label", ""); /* not that of the graph */
    set(sub, "style", style);
    set(sub, "color", colour);
    return sub;
}

static Agnode_t *node(Drawing *d, Agraph_t *in, const char *html) {
    g_autofree char *name = g_strdup_printf("n%u", d->nodes++);
    Agnode_t *made = agnode(in, name, TRUE);
    set_html(d, made, "label", html);
    return made;
}

static Agedge_t *edge(Drawing *d, Agnode_t *from, Agnode_t *to) {
    return agedge(d->root, from, to, NULL, TRUE);
}

/* A node of the column, below the one before. */
static void place(Drawing *d, Agnode_t *made) {
    Agedge_t *down = edge(d, d->above, made);
    set(down, "style", "invis");
    set(down, "weight", "100");
    d->above = made;
}

/* ---- columns ---- */

static const struct {
    const char *colour, *ink;
    gboolean bold;
} looks[DOT_ITEM_ROWS] = {
    [DOT_ITEM_WORK] = {DOT_BOX, DOT_INK, FALSE},
    [DOT_ITEM_CHANGED] = {DOT_NOTE, DOT_INK, FALSE},
    [DOT_ITEM_OUT] = {DOT_RED, DOT_RED_INK, FALSE},
    [DOT_ITEM_HOST] = {DOT_HOST, "white", TRUE},
    [DOT_ITEM_LOOP] = {"", DOT_TEXT, TRUE},
    [DOT_ITEM_GRAPH] = {DOT_GRAPH, "white", TRUE},
    [DOT_ITEM_GRAPH_MORE] = {DOT_GRAPH, "white", FALSE},
};

static Agraph_t *open_cluster(Drawing *d, Agraph_t *in, DotItemKind kind) {
    gboolean window = kind == DOT_ITEM_OPEN_WINDOW;
    Agraph_t *sub = cluster(d, in, window ? "dashed" : "rounded", window ? DOT_GRAPH : DOT_LINE);
    set(sub, "penwidth", window ? "2.5" : "1");
    g_autofree char *margin = g_strdup_printf("%d", MARGIN);
    set(sub, "margin", margin);
    return sub;
}

static void draw_items(Drawing *d, Agraph_t *stage, const GArray *items) {
    guint width = (guint)dot_column_width(items) * DOT_CHARACTER + AROUND;
    g_autoptr(GPtrArray) open = g_ptr_array_new();
    g_ptr_array_add(open, stage);
    for (guint i = 0; i < items->len; i++) {
        const DotItem *item = &g_array_index(items, DotItem, i);
        Agraph_t *in = g_ptr_array_index(open, open->len - 1);
        if (item->kind == DOT_ITEM_CLOSE) {
            g_ptr_array_set_size(open, (gint)open->len - 1);
        } else if (item->kind >= DOT_ITEM_ROWS) {
            g_ptr_array_add(open, open_cluster(d, in, item->kind));
        } else {
            guint nested = MARGIN * 2 * (open->len - 1);
            g_autofree char *html =
                dot_row(item->name, item->value, looks[item->kind].colour, looks[item->kind].ink,
                        looks[item->kind].bold, width > nested ? width - nested : 0);
            place(d, node(d, in, html));
        }
    }
}

/* ---- stages ---- */

static guint next_stage(const Drawing *d, guint from) {
    while (from < d->tree->step_end && plan_op(d->plan->eager, from)->kind != ATLAS_OP_STAGE)
        from++;
    return from;
}

/* The stages that a window goes across are one column. */
static guint column_end(const Drawing *d, guint from) {
    guint to = next_stage(d, from + 1);
    for (guint i = 0; i < d->plan->windows->len; i++) {
        const AtlasPlanWindow *w = &g_array_index(d->plan->windows, AtlasPlanWindow, i);
        if (w->first < to && w->last >= to)
            to = next_stage(d, w->last + 1);
    }
    return to;
}

static void draw_heading(Drawing *d, guint from, guint to) {
    g_autofree char *html = dot_stage(d->plan, from, to);
    Agnode_t *made = node(d, d->headings, html);
    if (d->head)
        set(edge(d, d->head, made), "penwidth", "2.5");
    d->head = d->above = made;
}

static void draw_column(Drawing *d, guint from, guint to) {
    g_autoptr(GArray) items = dot_column(d->plan, d->tree, d->notes, from, to);
    draw_heading(d, from, to);
    Agraph_t *stage = cluster(d, d->root, "rounded,filled", DOT_STAGE_LINE);
    set(stage, "fillcolor", DOT_STAGE);
    set(stage, "penwidth", "1");
    set(stage, "margin", "8");
    draw_items(d, stage, items);
    g_ptr_array_add(d->lowest, d->above);
}

static void draw_step(Drawing *d) {
    guint from = d->tree->step + 1;
    while (from < d->tree->step_end) {
        guint to = column_end(d, from);
        draw_column(d, from, to);
        from = to;
    }
}

/* Below all columns. */
static void draw_legend(Drawing *d) {
    g_autofree char *html = dot_legend(d->notes);
    Agnode_t *made = node(d, d->root, html);
    for (guint i = 0; i < d->lowest->len; i++)
        set(edge(d, g_ptr_array_index(d->lowest, i), made), "style", "invis");
}

static void start(Drawing *d, const AtlasPlanShown *shown) {
    set(d->root, "bgcolor", "transparent");
    set(d->root, "rankdir", "TB");
    set(d->root, "nodesep", "0.25");
    set(d->root, "ranksep", "0.02");
    set(d->root, "fontname", DOT_FONT);
    set(d->root, "fontcolor", DOT_TEXT);
    set(d->root, "fontsize", "13");
    set(d->root, "labelloc", "t");
    g_autofree char *title = dot_title(shown);
    set_html(d, d->root, "label", title);
    agattr(d->root, AGNODE, (char *)"shape", (char *)"plain");
    agattr(d->root, AGNODE, (char *)"fontname", (char *)DOT_FONT);
    agattr(d->root, AGNODE, (char *)"fontsize", (char *)"12");
    agattr(d->root, AGNODE, (char *)"fontcolor", (char *)DOT_TEXT);
    agattr(d->root, AGEDGE, (char *)"color", (char *)DOT_LINE);
    agattr(d->root, AGEDGE, (char *)"arrowsize", (char *)"0.7");
    d->headings = agsubg(d->root, (char *)"headings", TRUE);
    set(d->headings, "rank", "same");
}

/* What cgraph writes, as text. */
static char *write_graph(Agraph_t *graph, GError **error) {
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    gboolean ok = file && agwrite(graph, file) == 0;
    if (file && fclose(file) != 0)
        ok = FALSE;
    if (!ok)
        g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(errno),
                    "cannot write the picture: %s", g_strerror(errno));
    char *copy = ok ? g_strdup(text) : NULL;
    free(text);
    return copy;
}

char *atlas_plan_dot(const AtlasPlanShown *shown, GError **error) {
    g_autoptr(AtlasDiags) ignored = atlas_diags_new();
    g_autoptr(PlanTree) tree = plan_tree_new(shown->plan->eager, ignored);
    g_autoptr(GPtrArray) lowest = g_ptr_array_new();
    g_autoptr(GArray) notes = dot_notes(shown->plan, tree);
    Drawing d = {.plan = shown->plan, .tree = tree, .lowest = lowest, .notes = notes};
    d.root = agopen((char *)"plan", Agdirected, NULL);
    start(&d, shown);
    draw_step(&d);
    draw_legend(&d);
    char *text = write_graph(d.root, error);
    agclose(d.root);
    return text;
}

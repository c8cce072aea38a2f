/* The picture of a plan. Stages stand side by side, each a column that is read from top to bottom,
 * under a heading. Headings stand outside of clusters, since dot keeps the order of nodes on one
 * rank by the edges between them there only; columns then stand below their headings. */
#define _POSIX_C_SOURCE 200809L
#include <graphviz/cgraph.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "graphs/plan_dot.h"
#include "graphs/plan_part.h"
#include "graphs/plan_show.h"

typedef struct {
    const AtlasPlanShown *shown;
    const AtlasPlan *plan;
    PlanTree *tree;
    Agraph_t *root;
    Agraph_t *headings; /* the rank that they stand on */
    Agraph_t *stage;    /* the cluster of the stage that is written */
    Agnode_t *above;    /* the node before, in this column; NULL: none yet */
    Agraph_t *enter;    /* the outermost cluster that began behind it; NULL: none did */
    Agnode_t *head;     /* of the column before */
    Agraph_t *head_of;  /* its cluster */
    GString *rows;      /* of the node that is being gathered */
    gboolean red;       /* some of them are blocked */
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

/* ---- columns ---- */

/* A node of the stage's column, below the one before. */
static void place(Drawing *d, Agnode_t *made) {
    Agedge_t *down = edge(d, d->above, made);
    if (d->above == d->head) {
        set(down, "style", "invis");
        set(down, "weight", "100");
    } else if (d->enter) {
        set(down, "lhead", agnameof(d->enter));
    }
    d->enter = NULL;
    d->above = made;
}

static void flush(Drawing *d, Agraph_t *in) {
    if (!d->rows->len)
        return;
    g_autofree char *html = dot_box(d->rows->str, d->red);
    place(d, node(d, in, html));
    g_string_truncate(d->rows, 0);
    d->red = FALSE;
}

/* ---- ops ---- */

static gboolean is_blocked(const Drawing *d, guint op) {
    for (guint i = 0; i < d->plan->blocks->len; i++)
        if (g_array_index(d->plan->blocks, AtlasPlanBlock, i).op == op)
            return TRUE;
    return FALSE;
}

/* What the host does between windows; NULL: nothing that is seen. */
static char *host_text(const AtlasOp *op, const AtlasOp *next) {
    const GArray *uses = op->reads ? op->reads : op->writes;
    const char *buffer = uses ? g_array_index(uses, AtlasAccess, 0).buffer : "";
    switch (op->kind) {
    case ATLAS_OP_HOST_READ:
        return g_strdup_printf("host reads %s", buffer);
    case ATLAS_OP_HOST_WRITE:
        return g_strdup_printf("host writes %s", buffer);
    case ATLAS_OP_HOST_SET:
        return g_strdup_printf("host sets %s", op->operands[0]);
    case ATLAS_OP_SYNC_STREAM:
    case ATLAS_OP_SYNC_EVENT:
        return next->kind == ATLAS_OP_HOST_READ
                   ? NULL /* the read says it */
                   : g_strdup_printf("host waits for %s", op->operands[0]);
    case ATLAS_OP_SYNC_CTX:
        return g_strdup("host waits for the device");
    case ATLAS_OP_DTOH_ASYNC:
    case ATLAS_OP_COMMENT:
    case ATLAS_OP_STAGE:
    case ATLAS_OP_END_BLOCK:
        return NULL;
    default:
        return g_strdup(atlas_op_word(op->kind));
    }
}

static void draw_op(Drawing *d, Agraph_t *in, guint i) {
    const AtlasOp *op = plan_op(d->plan->eager, i);
    if (plan_stream_operand(op->kind) >= 0 && !d->tree->parts[i]) {
        gboolean red = is_blocked(d, i);
        dot_row(d->rows, op, red);
        d->red |= red;
        return;
    }
    g_autofree char *text = host_text(op, op + 1);
    if (!text)
        return;
    flush(d, in);
    g_autofree char *html = dot_host(text);
    place(d, node(d, in, html));
}

static void draw_block(Drawing *d, Agraph_t *in, guint from, guint to, gboolean in_window);

static void draw_loop(Drawing *d, Agraph_t *in, guint i, gboolean in_window) {
    const AtlasOp *loop = plan_op(d->plan->eager, i);
    Agraph_t *sub = cluster(d, in, "rounded", DOT_LINE);
    g_autofree char *label = g_strdup_printf("\303\227 %" G_GINT64_FORMAT, plan_iterations(loop));
    set(sub, "label", label);
    set(sub, "labeljust", "r");
    d->enter = d->enter ? d->enter : sub;
    draw_block(d, sub, i + 1, d->tree->end[i], in_window);
}

static void draw_window(Drawing *d, Agraph_t *in, const AtlasPlanWindow *w) {
    Agraph_t *sub = cluster(d, in, "dashed", DOT_GRAPH);
    g_autofree char *label = dot_window(w);
    set(sub, "penwidth", "2.5");
    d->enter = d->enter ? d->enter : sub;
    set_html(d, sub, "label", label);
    draw_block(d, sub, w->first, w->last + 1, TRUE);
}

static void draw_block(Drawing *d, Agraph_t *in, guint from, guint to, gboolean in_window) {
    for (guint i = from; i < to; i++) {
        const AtlasPlanWindow *w = in_window ? NULL : plan_window_of(d->plan->windows, i);
        if (w) {
            flush(d, in);
            draw_window(d, in, w);
            i = w->last;
        } else if (plan_op(d->plan->eager, i)->kind == ATLAS_OP_LOOP) {
            flush(d, in);
            draw_loop(d, in, i, in_window);
            i = d->tree->end[i];
        } else {
            draw_op(d, in, i);
        }
    }
    flush(d, in);
}

/* ---- notes ---- */

/* A note below the stage that it is about; it stands for itself. */
static void note(Drawing *d, const char *html, const char *colour) {
    Agnode_t *made = node(d, d->stage, html);
    set(made, "shape", "note");
    set(made, "style", "filled");
    set(made, "fillcolor", colour);
    set(made, "color", DOT_LINE);
    set(made, "margin", "0.1,0.06");
    set(edge(d, d->above, made), "style", "invis");
    d->above = made;
}

static void draw_notes(Drawing *d, guint from, guint to) {
    g_autofree char *first = dot_changes(d->plan, from, to);
    g_autofree char *wrong = dot_reasons(d->plan, from, to);
    if (first)
        note(d, first, DOT_NOTE);
    if (wrong)
        note(d, wrong, DOT_RED);
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

static void heading(Drawing *d, const char *html, gboolean seen) {
    Agnode_t *made = node(d, d->headings, html);
    if (d->head) {
        Agedge_t *next = edge(d, d->head, made);
        set(next, "penwidth", "2.5");
        set(next, "style", seen ? "solid" : "invis");
    }
    d->head = d->above = made;
}

static void draw_column(Drawing *d, guint from, guint to) {
    g_autofree char *name = dot_stage(d->plan, from, to);
    heading(d, name, TRUE);
    d->stage = cluster(d, d->root, "rounded,filled", DOT_STAGE_LINE);
    set(d->stage, "fillcolor", DOT_STAGE);
    draw_block(d, d->stage, from, to, FALSE);
    draw_notes(d, from, to);
}

static void draw_step(Drawing *d) {
    guint from = d->tree->step + 1;
    while (from < d->tree->step_end) {
        guint to = column_end(d, from);
        draw_column(d, from, to);
        from = to;
    }
}

static void draw_legend(Drawing *d) {
    g_autofree char *html = dot_legend(d->shown);
    heading(d, " ", FALSE);
    set(edge(d, d->head, node(d, d->root, html)), "style", "invis");
}

static void start(Drawing *d) {
    set(d->root, "bgcolor", "transparent");
    set(d->root, "compound", "true");
    set(d->root, "rankdir", "TB");
    set(d->root, "nodesep", "0.25");
    set(d->root, "ranksep", "0.22");
    set(d->root, "fontname", DOT_FONT);
    set(d->root, "fontcolor", DOT_TEXT);
    set(d->root, "fontsize", "13");
    set(d->root, "labelloc", "t");
    g_autofree char *title = dot_title(d->plan);
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
    g_autoptr(GString) rows = g_string_new(NULL);
    Drawing d = {.shown = shown, .plan = shown->plan, .tree = tree, .rows = rows};
    d.root = agopen((char *)"plan", Agdirected, NULL);
    start(&d);
    draw_step(&d);
    draw_legend(&d);
    char *text = write_graph(d.root, error);
    agclose(d.root);
    return text;
}

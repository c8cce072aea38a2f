#include <string.h>

#include "graphs/plan_dot.h"
#include "graphs/plan_part.h"
#include "sim/flow.h"

#define TABLE(colour, line)                                                                        \
    "<TABLE BORDER=\"1\" COLOR=\"" line "\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"4\" " \
    "BGCOLOR=\"" colour "\">"

/* ---- numbers ---- */

/* "9,001" */
static char *grouped(gint64 n) {
    g_autofree char *digits = g_strdup_printf("%" G_GINT64_FORMAT, n);
    GString *out = g_string_new(NULL);
    gsize length = strlen(digits);
    for (gsize i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0 && digits[i - 1] != '-')
            g_string_append_c(out, ',');
        g_string_append_c(out, digits[i]);
    }
    return g_string_free(out, FALSE);
}

static char *ms(gint64 ns) {
    char text[32];
    return g_strdup(atlas_rat_format(atlas_rat_make(ns, 1000000), 1, text, sizeof text));
}

/* ---- boxes ---- */

void dot_row(GString *rows, const AtlasOp *op, gboolean red) {
    const char *what = op->of ? strchr(op->of, '.') : NULL; /* the stage is said above */
    g_autofree char *count = grouped(op->count);
    const char *ink = red ? DOT_RED_INK : DOT_INK;
    const char *name = what                          ? what + 1
                       : op->kind != ATLAS_OP_LAUNCH ? atlas_op_word(op->kind)
                       : op->operands[1]             ? op->operands[1]
                                                     : "kernel";
    g_string_append_printf(rows,
                           "<TR><TD ALIGN=\"LEFT\"%s><FONT COLOR=\"%s\">%s%s</FONT></TD>"
                           "<TD ALIGN=\"RIGHT\"%s><FONT COLOR=\"%s\">%s</FONT></TD></TR>",
                           red ? " BGCOLOR=\"" DOT_RED "\"" : "", ink, red ? "\342\234\227 " : "",
                           name, red ? " BGCOLOR=\"" DOT_RED "\"" : "", ink,
                           op->kind == ATLAS_OP_LAUNCH ? count : "");
    if (op->every > 1)
        g_string_append_printf(rows,
                               "<TR><TD ALIGN=\"LEFT\" COLSPAN=\"2\"><FONT COLOR=\"%s\" "
                               "POINT-SIZE=\"10\">every %" G_GINT64_FORMAT
                               " steps</FONT></TD></TR>",
                               ink, op->every);
}

char *dot_box(const char *rows, gboolean red) {
    return g_strdup_printf("%s%s</TABLE>",
                           red ? TABLE(DOT_BOX, DOT_RED_INK) : TABLE(DOT_BOX, DOT_LINE), rows);
}

char *dot_host(const char *text) {
    g_autofree char *escaped = g_markup_escape_text(text, -1);
    return g_strdup_printf(TABLE(DOT_HOST, DOT_HOST) "<TR><TD><FONT COLOR=\"white\"><B>%s</B>"
                                                     "</FONT></TD></TR></TABLE>",
                           escaped);
}

char *dot_window(const AtlasPlanWindow *w) {
    g_autofree char *launches = grouped(w->launches), *saved = ms(w->saved_ns);
    g_autofree char *times = grouped(w->times);
    return g_strdup_printf(
        "<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"4\" "
        "BGCOLOR=\"" DOT_GRAPH
        "\"><TR><TD ALIGN=\"LEFT\"><FONT COLOR=\"white\"><B>graph %u</B></FONT></TD>"
        "<TD ALIGN=\"RIGHT\"><FONT COLOR=\"white\"><B>\342\210\222%s ms</B></FONT></TD></TR>"
        "<TR><TD COLSPAN=\"2\"><FONT COLOR=\"white\" POINT-SIZE=\"11\">%s launches "
        "\342\206\222 %s%s</FONT></TD></TR></TABLE>",
        w->number, saved, launches, times, w->graphs > 1 ? " (a graph each)" : "");
}

/* ---- stages ---- */

char *dot_stage(const AtlasPlan *plan, guint from, guint to) {
    g_autoptr(GString) names = g_string_new(NULL);
    g_autoptr(GArray) promises = atlas_plan_promises(plan);
    gint64 launches = 0, submissions = 0, period = atlas_flow_period(plan->eager);
    for (guint i = from; i < to; i++) {
        const AtlasOp *op = plan_op(plan->eager, i);
        for (guint k = 0; op->kind == ATLAS_OP_STAGE && k < promises->len; k++) {
            const AtlasPlanPromise *p = &g_array_index(promises, AtlasPlanPromise, k);
            if (p->stage != op->operands[0])
                continue;
            g_string_append_printf(names, "%s%s", names->len ? " + " : "", p->stage);
            launches += p->eager;
            submissions += p->submissions;
        }
    }
    char before[32], after[32];
    atlas_rat_format(atlas_rat_make(launches, period), 2, before, sizeof before);
    atlas_rat_format(atlas_rat_make(submissions, period), 2, after, sizeof after);
    return g_strdup_printf("<FONT POINT-SIZE=\"17\"><B>%s</B></FONT><FONT POINT-SIZE=\"12\">  %s "
                           "\342\206\222 %s</FONT>",
                           names->len ? names->str : "step", before, after);
}

/* ---- notes ---- */

static void add_once(GPtrArray *names, const char *name) {
    if (!g_ptr_array_find(names, name, NULL))
        g_ptr_array_add(names, (gpointer)name);
}

static void append_change(GString *out, const GPtrArray *names, const char *what) {
    for (guint i = 0; i < names->len; i++)
        g_string_append_printf(out, "%s%s", i ? ", " : "",
                               (const char *)g_ptr_array_index(names, i));
    if (names->len)
        g_string_append_printf(out, " %s<BR ALIGN=\"LEFT\"/>", what);
}

/* The k-th op of a key in the given program is that of the changed one: only sets were added. */
static const AtlasOp *given_op(const AtlasPlan *plan, guint op) {
    guint added = 0;
    for (guint i = 0; i < op; i++)
        added += plan_op(plan->eager, i)->kind == ATLAS_OP_HOST_SET &&
                 plan->eager->ops->len > plan->given->ops->len;
    return plan_op(plan->given, op - MIN(added, plan->eager->ops->len - plan->given->ops->len));
}

char *dot_changes(const AtlasPlan *plan, guint from, guint to) {
    g_autoptr(GPtrArray) buffers = g_ptr_array_new(), scalars = g_ptr_array_new();
    g_autoptr(GString) out = g_string_new(NULL);
    for (guint i = from; i < to; i++) {
        if (plan_op(plan->eager, i)->kind != ATLAS_OP_LAUNCH)
            continue;
        const AtlasOp *op = given_op(plan, i);
        for (guint k = 0; plan->with & ATLAS_WITH_IN_PLACE && op->fresh && k < op->fresh->len; k++)
            add_once(buffers, g_array_index(op->fresh, AtlasAccess, k).buffer);
        for (guint k = 0; plan->with & ATLAS_WITH_DEVICE_SCALARS && op->args && k < op->args->len;
             k++)
            if (g_array_index(op->args, AtlasArg, k).kind == ATLAS_ARG_HOST_PER_STEP)
                add_once(scalars, g_array_index(op->args, AtlasArg, k).name);
    }
    append_change(out, buffers, "written in place");
    append_change(out, scalars, "in device memory");
    return out->len ? g_strdup_printf("<FONT COLOR=\"" DOT_INK "\"><B>first</B><BR ALIGN=\"LEFT\"/>"
                                      "%s</FONT>",
                                      out->str)
                    : NULL;
}

/* One line a property and buffer of the stage. */
char *dot_reasons(const AtlasPlan *plan, guint from, guint to) {
    g_autoptr(GHashTable) said = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GString) out = g_string_new(NULL);
    for (guint i = 0; i < plan->blocks->len; i++) {
        const AtlasPlanBlock *b = &g_array_index(plan->blocks, AtlasPlanBlock, i);
        if (b->op < from || b->op >= to)
            continue;
        g_autofree char *property =
            b->property ? g_strdup_printf("E%u ", b->property) : g_strdup("");
        g_autofree char *mend = g_markup_escape_text(b->mend, -1);
        char *line = g_strdup_printf("<B>%s%s</B>  %s<BR ALIGN=\"LEFT\"/>", property,
                                     b->buffer ? b->buffer : "", mend);
        if (g_hash_table_contains(said, line))
            g_free(line);
        else if (g_hash_table_add(said, line))
            g_string_append(out, line);
    }
    return out->len ? g_strdup_printf("<FONT COLOR=\"" DOT_RED_INK "\">%s</FONT>", out->str) : NULL;
}

/* ---- the frame ---- */

char *dot_title(const AtlasPlan *plan) {
    g_autofree char *name = g_markup_escape_text(plan->given->name, -1);
    g_autofree char *with = atlas_plan_with_text(plan->with);
    return g_strdup_printf("<FONT POINT-SIZE=\"22\"><B>%s: capture plan</B></FONT><BR/><FONT "
                           "POINT-SIZE=\"13\">%s%s</FONT><BR/> ",
                           name, *with ? "with " : "nothing changed", with);
}

static void legend_row(GString *out, const char *colour, const char *ink, const char *sample,
                       const char *text) {
    g_string_append_printf(out,
                           "<TR><TD BGCOLOR=\"%s\"><FONT COLOR=\"%s\"><B>%s</B></FONT></TD>"
                           "<TD ALIGN=\"LEFT\"><FONT COLOR=\"" DOT_INK "\">%s</FONT></TD></TR>",
                           colour, ink, sample, text);
}

static void total_row(GString *out, const char *name, const char *value) {
    g_string_append_printf(out,
                           "<TR><TD ALIGN=\"RIGHT\"><FONT COLOR=\"" DOT_INK
                           "\"><B>%s</B></FONT></TD>"
                           "<TD ALIGN=\"LEFT\"><FONT COLOR=\"" DOT_INK "\">%s</FONT></TD></TR>",
                           value, name);
}

static void totals(GString *out, const AtlasPlanShown *shown) {
    const AtlasPlan *plan = shown->plan;
    g_autofree char *captured = grouped(plan->captured), *all = grouped(plan->launches);
    g_autofree char *graphs = grouped(plan->graph_launches);
    g_autofree char *left = grouped(plan->launches - plan->captured + plan->graph_launches);
    g_autofree char *saved = ms(plan->saved_ns),
                    *whole = ms(plan->launches * plan->costs.launch_ns);
    char us[32];
    atlas_rat_format(atlas_rat_make(plan->costs.launch_ns, 1000), 2, us, sizeof us);
    g_autofree char *ms_saved = g_strdup_printf("\342\210\222%s ms", saved);
    g_autofree char *of =
        g_strdup_printf("of %s host ms a step, at %s \302\265s a launch", whole, us);
    g_autofree char *of_all = g_strdup_printf("of %s launches in graphs", all);
    total_row(out, of, ms_saved);
    total_row(out, of_all, captured);
    total_row(out, "graph launches", graphs);
    total_row(out, "submissions left a step", left);
    for (guint i = 0; shown->map && i < G_N_ELEMENTS(shown->map->ceilings); i++) {
        const AtlasCeiling *c = &shown->map->ceilings[i];
        g_autofree char *bounds = atlas_interval_text(&c->bounds);
        g_autofree char *name = g_strdup_printf("launches: ceiling, %s", c->name);
        total_row(out, name, bounds);
    }
}

char *dot_legend(const AtlasPlanShown *shown) {
    g_autoptr(GString) out = g_string_new(TABLE("#ffffff", DOT_LINE));
    totals(out, shown);
    g_string_append(out, "<HR/>");
    legend_row(out, DOT_GRAPH, "white", "graph", "dashed: captured once, one launch in its place");
    legend_row(out, DOT_BOX, DOT_INK, "kernel", "launches, in order");
    legend_row(out, DOT_HOST, "white", "host", "parts windows");
    legend_row(out, DOT_NOTE, DOT_INK, "first", "must change before it is captured");
    legend_row(out, DOT_RED, DOT_RED_INK, "\342\234\227", "no graph may hold it as it is");
    g_string_append_printf(out,
                           "<HR/><TR><TD COLSPAN=\"2\" ALIGN=\"LEFT\"><FONT COLOR=\"%s\"><B>%s</B>"
                           "</FONT></TD></TR></TABLE>",
                           shown->plan->proved ? "#116329" : DOT_RED_INK,
                           shown->plan->proved
                               ? "proved: legal, no race, replay-equivalent for any number of steps"
                               : "not proved");
    return g_string_free(g_steal_pointer(&out), FALSE);
}

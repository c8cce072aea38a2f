/* What is written in a plan's picture. */
#include <string.h>

#include "graphs/plan_dot.h"
#include "graphs/plan_part.h"

/* ---- numbers ---- */

char *dot_number(gint64 n) {
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

/* "215.9"; decimals enough for what is not nothing to be seen. */
static char *ms_text(gint64 ns) {
    char text[32];
    gint64 size = MAX(ns, -ns);
    int places = size >= 50000 ? 1 : size >= 500 ? 3 : 6;
    return g_strdup(atlas_rat_format(atlas_rat_make(ns, 1000000), places, text, sizeof text));
}

char *dot_mean(const AtlasPlan *plan, gint64 sum) {
    return sum % plan->period == 0 ? dot_number(sum / plan->period) : atlas_plan_mean(plan, sum, 2);
}

char *dot_saved(gint64 ns) {
    g_autofree char *ms = ms_text(MAX(ns, -ns));
    return g_strdup_printf("%s%s ms", ns > 0 ? "\342\210\222" : ns < 0 ? "+" : "", ms);
}

/* ---- columns ---- */

char *dot_row(const char *name, const char *value, const char *colour, const char *ink,
              gboolean bold, guint width) {
    g_autofree char *left = g_markup_escape_text(name, -1);
    g_autofree char *right = g_markup_escape_text(value, -1);
    g_autofree char *fill = *colour ? g_strdup_printf(" BGCOLOR=\"%s\"", colour) : g_strdup("");
    const char *open = bold ? "<B>" : "", *close = bold ? "</B>" : "";
    guint beside = (guint)g_utf8_strlen(value, -1) * DOT_CHARACTER + 8;
    g_autofree char *cell = !*value ? g_strdup("")
                                    : g_strdup_printf("<TD ALIGN=\"RIGHT\" WIDTH=\"%u\"><FONT "
                                                      "COLOR=\"%s\">%s%s%s</FONT></TD>",
                                                      beside, ink, open, right, close);
    return g_strdup_printf("<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" "
                           "CELLPADDING=\"4\"%s><TR><TD ALIGN=\"LEFT\" WIDTH=\"%u\"><FONT "
                           "COLOR=\"%s\">%s%s%s</FONT></TD>%s</TR></TABLE>",
                           fill, *value && width > beside ? width - beside : width, ink, open, left,
                           close, cell);
}

/* Adds what a stage launches over a period, eager and planned. */
static void add_promise(const GArray *promises, const char *stage, gint64 launches[2]) {
    for (guint k = 0; k < promises->len; k++) {
        const AtlasPlanPromise *p = &g_array_index(promises, AtlasPlanPromise, k);
        if (!g_str_equal(p->stage, stage))
            continue;
        launches[0] += p->eager;
        launches[1] += p->submissions;
    }
}

char *dot_stage(const AtlasPlan *plan, guint from, guint to) {
    g_autoptr(GString) names = g_string_new(NULL);
    g_autoptr(GArray) promises = atlas_plan_promises(plan);
    gint64 launches[2] = {0, 0};
    for (guint i = from; i < to; i++) {
        const AtlasOp *op = plan_op(plan->eager, i);
        if (op->kind != ATLAS_OP_STAGE)
            continue;
        g_string_append_printf(names, "%s%s", names->len ? " + " : "", op->operands[0]);
        add_promise(promises, op->operands[0], launches);
    }
    if (names->len == 0)
        add_promise(promises, "", launches);
    g_autofree char *before = dot_mean(plan, launches[0]), *after = dot_mean(plan, launches[1]);
    return g_strdup_printf("<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" "
                           "CELLPADDING=\"3\"><TR><TD><FONT POINT-SIZE=\"17\">  <B>%s</B></FONT>"
                           "<FONT POINT-SIZE=\"12\">  %s \342\206\222 %s</FONT></TD></TR></TABLE>",
                           names->len ? names->str : "step", before, after);
}

/* ---- the frame ---- */

static void card(GString *out, const char *ink, const char *big, const char *small) {
    g_autofree char *text = g_markup_escape_text(small, -1);
    g_string_append_printf(out,
                           "<TD BORDER=\"1\" COLOR=\"" DOT_LINE
                           "\" BGCOLOR=\"#ffffff\" CELLPADDING=\"8\"><FONT COLOR=\"%s\" "
                           "POINT-SIZE=\"20\"><B>%s</B></FONT><BR/><FONT POINT-SIZE=\"5\"> "
                           "</FONT><BR/><FONT COLOR=\"" DOT_INK
                           "\" POINT-SIZE=\"12\">%s</FONT></TD>",
                           ink, big, text);
}

static void cards(GString *out, const AtlasPlan *plan) {
    g_autofree char *captured = dot_mean(plan, plan->captured);
    g_autofree char *all = dot_mean(plan, plan->launches);
    g_autofree char *graphs = dot_mean(plan, plan->graph_launches);
    g_autofree char *left =
        dot_mean(plan, plan->launches - plan->captured + plan->graph_launches + plan->given_graphs);
    g_autofree char *copies = dot_mean(plan, plan->copies);
    g_autofree char *whole = ms_text(plan->base_ns);
    g_autofree char *us = atlas_plan_launch_us(plan);
    g_autofree char *big = dot_saved(plan->saved_ns);
    g_autofree char *of_ms =
        g_strdup_printf("of %s host ms a step, at %s \302\265s a launch or copy", whole, us);
    g_autofree char *of_all = g_strdup_printf("of %s launches are in graphs", all);
    g_autofree char *in_place = plan->copies ? g_strdup_printf("graph launches, %s copies", copies)
                                             : g_strdup("graph launches in their place");
    card(out, DOT_GRAPH, big, of_ms);
    card(out, DOT_INK, captured, of_all);
    card(out, DOT_INK, graphs, in_place);
    card(out, DOT_INK, left, "submissions are left a step");
    card(out, plan->proved ? DOT_GREEN_INK : DOT_RED_INK, plan->proved ? "proved" : "not proved",
         plan->proved    ? "legal, no race, the same result in every step"
         : plan->assumed ? "what is assumed stands below"
                         : "the reason stands below");
}

/* What the figures are, and what is not proved. */
static void remarks(GString *out, const AtlasPlan *plan) {
    g_autofree char *why = g_markup_escape_text(plan->assumed ? plan->assumed : plan->proof, -1);
    if (plan->period > 1)
        g_string_append_printf(out,
                               "<FONT POINT-SIZE=\"12\">a step is the mean of %" G_GINT64_FORMAT
                               " steps</FONT><BR/>",
                               plan->period);
    if (!plan->proved)
        g_string_append_printf(out, "<FONT POINT-SIZE=\"12\">%s: %s</FONT><BR/>",
                               plan->assumed ? "assumed" : "not proved", why);
}

static void wall_time(GString *out, const AtlasPlanWall *wall) {
    if (wall->why)
        return;
    g_autofree char *eager = ms_text(wall->eager.step_ns);
    g_autofree char *planned = ms_text(wall->planned.step_ns + wall->once_ns);
    g_string_append_printf(out,
                           "<FONT POINT-SIZE=\"12\">a step takes %s \342\206\222 %s ms, "
                           "simulated%s</FONT><BR/>",
                           eager, planned,
                           atlas_plan_wall_is_bound(wall)
                               ? "; both from below, as kernels do not say what they take"
                               : "");
}

static void ceilings(GString *out, const AtlasRoadmap *map) {
    g_string_append(out, "<FONT POINT-SIZE=\"12\">could be captured at most:");
    for (guint i = 0; i < G_N_ELEMENTS(map->ceilings); i++) {
        const AtlasCeiling *c = &map->ceilings[i];
        g_autofree char *bounds = atlas_interval_text(&c->bounds);
        g_string_append_printf(out, "%s %s launches, %s", i ? ";" : "", bounds, c->name);
    }
    g_string_append(out, "</FONT><BR/>");
}

char *dot_title(const AtlasPlanShown *shown) {
    const AtlasPlan *plan = shown->plan;
    g_autofree char *name = g_markup_escape_text(plan->given->name, -1);
    g_autofree char *with = atlas_plan_with_text(plan->with);
    g_autoptr(GString) out = g_string_new(NULL);
    g_string_append_printf(out,
                           "<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"8\"><TR><TD "
                           "COLSPAN=\"5\"><FONT POINT-SIZE=\"22\"><B>%s: capture plan</B></FONT>"
                           "<BR/><FONT POINT-SIZE=\"13\">%s%s</FONT></TD></TR><TR>",
                           name, *with ? "with " : "nothing changed", with);
    cards(out, plan);
    g_string_append(out, "</TR><TR><TD COLSPAN=\"5\">");
    remarks(out, plan);
    wall_time(out, &plan->wall);
    if (shown->map)
        ceilings(out, shown->map);
    g_string_append(out, " </TD></TR></TABLE>");
    return g_string_free(g_steal_pointer(&out), FALSE);
}

static void sample(GString *out, const char *colour, const char *ink, const char *name,
                   const char *meaning) {
    g_string_append_printf(out,
                           "<TD BGCOLOR=\"%s\"><FONT COLOR=\"%s\"><B> %s </B></FONT></TD>"
                           "<TD ALIGN=\"LEFT\">%s   </TD>",
                           colour, ink, name, meaning);
}

static void note_row(GString *out, const DotNote *note) {
    g_autofree char *what = g_markup_escape_text(note->what, -1);
    g_autofree char *why = g_markup_escape_text(note->why, -1);
    g_string_append_printf(out,
                           "<TR><TD ALIGN=\"LEFT\" BGCOLOR=\"%s\"><FONT COLOR=\"%s\"><B>%s</B>"
                           "</FONT></TD><TD ALIGN=\"LEFT\" COLSPAN=\"5\">%s%s",
                           note->out ? DOT_RED : DOT_NOTE, note->out ? DOT_RED_INK : DOT_INK, what,
                           why, note->stages->len ? ": " : "");
    for (guint i = 0; i < note->stages->len; i++)
        g_string_append_printf(out, "%s%s", i ? ", " : "",
                               (const char *)g_ptr_array_index(note->stages, i));
    g_string_append(out, "</TD></TR>");
}

char *dot_legend(const GArray *notes) {
    GString *out = g_string_new("<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"3\" "
                                "CELLPADDING=\"4\"><TR><TD COLSPAN=\"6\"> </TD></TR>");
    for (guint i = 0; i < notes->len; i++)
        note_row(out, &g_array_index(notes, DotNote, i));
    g_string_append(out, "<TR><TD COLSPAN=\"6\"> </TD></TR><TR>");
    sample(out, DOT_GRAPH, "white", "graph", "dashed: captured once, launched in its place");
    sample(out, DOT_BOX, DOT_INK, "kernel", "launches, from top to bottom");
    sample(out, DOT_HOST, "white", "host", "what parts windows");
    g_string_append(out, "</TR><TR>");
    sample(out, DOT_RED, DOT_RED_INK, "kernel", "no graph may hold it as it is");
    sample(out, DOT_NOTE, DOT_INK, "kernel", "was changed before it could be captured");
    g_string_append(out, "<TD><B>n \342\206\222 m</B></TD><TD ALIGN=\"LEFT\">submissions a step, "
                         "eager and planned</TD></TR></TABLE>");
    return g_string_free(out, FALSE);
}

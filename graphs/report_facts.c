/* What the spec says of a target. */
#include "graphs/report_part.h"

/* Appends a fact about some names, which stand between `before` and `after`. */
static void append_fact(GString *out, const char *before, const GPtrArray *names,
                        const char *after) {
    g_autoptr(GString) list = g_string_new(NULL);
    for (guint i = 0; i < names->len; i++)
        g_string_append_printf(list, "%s%s", i ? ", " : "",
                               (const char *)g_ptr_array_index(names, i));
    if (names->len)
        g_string_append_printf(out, "%s%s%s%s", out->len ? "; " : "", before, list->str, after);
}

/* What a copy of a group launches more than what it is like. */
static void append_twin(const Report *r, const Target *target, GString *out) {
    const Ground *g = &r->ground;
    if (!target->twin)
        return;
    const Target *twin = g_ptr_array_index(r->targets->list, target->twin - 1);
    AtlasLinear *form = ground_form(g, target->in), *other = ground_form(g, twin->in);
    atlas_linear_add(form, other, atlas_rat(-1));
    AtlasInterval more = ground_bounds(g, form, g->steps);
    g_autofree char *text = report_interval(&more);
    atlas_linear_free(form, 1);
    atlas_linear_free(other, 1);
    if (interval_single(&more) && more.lo.num == 0)
        g_string_append_printf(out, "%slike %s: one graph can serve both", out->len ? "; " : "",
                               twin->name);
    else
        g_string_append_printf(out,
                               "%slike %s, but for %s launches: one graph serves both only where "
                               "they are equal",
                               out->len ? "; " : "", twin->name, text);
}

char *report_facts(const Report *r, const Target *target) {
    GString *out = g_string_new(NULL);
    append_fact(out, "to be written in place, not to new memory: ", target->fresh, "");
    append_fact(out, "", target->scalars, " by value, new in every step");
    append_fact(out, "each iteration has its own part of ", target->parts, "");
    if (target->kinds > 1)
        g_string_append_printf(out, "%s%u kinds of iteration", out->len ? "; " : "", target->kinds);
    if (target->every > 1)
        g_string_append_printf(out, "%severy %" G_GINT64_FORMAT " steps", out->len ? "; " : "",
                               target->every);
    append_twin(r, target, out);
    append_fact(out, "the host ", g_ptr_array_index(r->targets->reads, target->stage),
                " in this stage, outside of it");
    return g_string_free(out, FALSE);
}

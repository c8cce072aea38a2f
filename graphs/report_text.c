#include <stdarg.h>
#include <string.h>

#include "graphs/report_part.h"

void report_say(Report *r, const char *format, ...) {
    va_list args;
    va_start(args, format);
    g_string_append_vprintf(r->out, format, args);
    va_end(args);
}

void report_end(Report *r) {
    while (r->out->len && r->out->str[r->out->len - 1] == ' ')
        g_string_truncate(r->out, r->out->len - 1);
    g_string_append(r->out, "\n\n");
}

AtlasTableColumn *report_columns(const Report *r, const AtlasTableColumn *columns) {
    guint n = 0;
    while (columns[n].heading)
        n++;
    AtlasTableColumn *copy = g_memdup2(columns, sizeof *columns * (n + 1));
    for (guint i = 0; i < n; i++)
        if (g_str_equal(copy[i].heading, REPORT_PRICE))
            copy[i].heading = r->price;
    return copy;
}

void report_table(Report *r, const AtlasTable *table) {
    g_autofree char *text = atlas_table_render_markdown(table);
    report_say(r, "%s\n", text);
}

/* ---- numbers ---- */

char *report_number(AtlasRat number, guint places) {
    char text[64];
    if (!atlas_rat_ok(number))
        return g_strdup("unknown");
    return g_strdup(atlas_rat_format(number, places, text, sizeof text));
}

char *report_percent(AtlasRat part, AtlasRat whole) {
    AtlasRat share = whole.num ? atlas_rat_div(part, whole) : ATLAS_RAT_NONE;
    return atlas_rat_ok(share) ? g_strdup_printf("%.1f%%", 100 * atlas_rat_double(share))
                               : g_strdup("unknown");
}

char *report_interval(const AtlasInterval *interval) {
    if (!interval->lo_known && !interval->hi_known)
        return g_strdup("unknown");
    return atlas_interval_text(interval);
}

static char *ends_text(AtlasRat lo, AtlasRat hi) {
    g_autofree char *low =
        atlas_rat_ok(lo) ? g_strdup_printf("%.1f", 100 * atlas_rat_double(lo)) : g_strdup("?");
    g_autofree char *high =
        atlas_rat_ok(hi) ? g_strdup_printf("%.1f", 100 * atlas_rat_double(hi)) : g_strdup("?");
    if (!atlas_rat_ok(lo) && !atlas_rat_ok(hi))
        return g_strdup("unknown");
    return g_str_equal(low, high) ? g_strdup_printf("%s%%", low)
                                  : g_strdup_printf("%s..%s%%", low, high);
}

char *report_share_bounds(const AtlasInterval *share) {
    return ends_text(share->lo_known ? share->lo : ATLAS_RAT_NONE,
                     share->hi_known ? share->hi : ATLAS_RAT_NONE);
}

char *report_share_text(const AtlasInterval *change, const AtlasInterval *whole) {
    AtlasRat lo = ATLAS_RAT_NONE, hi = ATLAS_RAT_NONE, least = atlas_rat(-1);
    AtlasRat few = whole->lo_known && whole->lo.num > 0 ? whole->lo : ATLAS_RAT_NONE;
    AtlasRat many = whole->hi_known && whole->hi.num > 0 ? whole->hi : ATLAS_RAT_NONE;
    if (change->lo_known)
        lo = atlas_rat_div(change->lo, change->lo.num < 0 ? few : many);
    if (change->hi_known)
        hi = atlas_rat_div(change->hi, change->hi.num < 0 ? many : few);
    if (atlas_rat_ok(lo) && atlas_rat_cmp(lo, least) < 0)
        lo = least;
    return ends_text(lo, hi);
}

/* What is less than what the usual decimals show has more of them: two digits that say something.
 */
char *report_ms_text(AtlasRat ms) {
    enum { DIGITS = 2, MOST = 9 };
    guint places = REPORT_MS_PLACES;
    AtlasRat size = ms.num < 0 ? atlas_rat_sub(atlas_rat(0), ms) : ms;
    for (AtlasRat least = atlas_rat(1);
         ms.num && atlas_rat_ok(size) && places < MOST && atlas_rat_cmp(size, least) < 0;
         least = atlas_rat_div(least, atlas_rat(10)))
        places = MIN(places + 1, MOST);
    return report_number(ms, places);
}

static char *ms_end(const Report *r, gboolean known, AtlasRat launches) {
    AtlasRat ms = known ? report_ms(r, launches) : ATLAS_RAT_NONE;
    return atlas_rat_ok(ms) ? g_strdup_printf("%.*f", (int)r->ms_places, atlas_rat_double(ms))
                            : g_strdup("unknown");
}

char *report_ms_bounds(const Report *r, const AtlasInterval *launches) {
    g_autofree char *lo = ms_end(r, launches->lo_known, launches->lo);
    g_autofree char *hi = ms_end(r, launches->hi_known, launches->hi);
    return g_str_equal(lo, hi) ? g_strdup(lo) : g_strdup_printf("%s..%s", lo, hi);
}

const char *report_plural(guint count) {
    return count == 1 ? "" : "s";
}

const char *report_stage(const Report *r, guint stage) {
    const AtlasModel *model = r->ground.model;
    return stage < model->stages->len ? ATLAS_STAGE(model, stage)->name : "total";
}

void report_interval_cell(AtlasTable *table, const AtlasInterval *interval) {
    g_autofree char *text = report_interval(interval);
    if (interval_single(interval))
        atlas_table_number(table, interval->lo, REPORT_PLACES);
    else
        atlas_table_text(table, "%s", text);
}

void report_change_cell(AtlasTable *table, const AtlasInterval *interval) {
    if (interval_single(interval))
        atlas_table_signed(table, interval->lo, REPORT_PLACES);
    else
        report_interval_cell(table, interval);
}

AtlasRat report_printed(AtlasRat number, guint places) {
    char text[64];
    atlas_rat_format(number, places, text, sizeof text);
    return atlas_rat_parse(text, strlen(text), NULL);
}

/* ---- names of sets ---- */

typedef struct {
    const AtlasModel *model;
    const gboolean *in, *live;
} Naming;

/* The next path down from `path` towards a live population, if that is the first one below it; else
 * NULL. The caller frees it. */
static char *new_child(const Naming *n, const char *path, guint population) {
    const char *key = ATLAS_POPULATION(n->model, population)->key;
    if (!n->live[population] || !atlas_key_is_below(key, path))
        return NULL;
    const char *dot = strchr(key + strlen(path) + 1, '.');
    g_autofree char *child = dot ? g_strndup(key, (gsize)(dot - key)) : g_strdup(key);
    for (guint i = 0; i < population; i++)
        if (n->live[i] && atlas_key_is_below(ATLAS_POPULATION(n->model, i)->key, child))
            return NULL;
    return g_steal_pointer(&child);
}

/* How many live populations below a path are in the set, and how many are not. */
static void count(const Naming *n, const char *path, guint *in, guint *out) {
    *in = *out = 0;
    for (guint i = 0; i < n->model->populations->len; i++) {
        if (!n->live[i] || !atlas_key_is_below(ATLAS_POPULATION(n->model, i)->key, path))
            continue;
        *in += n->in[i];
        *out += !n->in[i];
    }
}

/* Appends the paths, relative to `from`, of what is missing from the set below a path. */
static void list_missing(const Naming *n, const char *path, gsize from, GString *out) {
    guint in, missing;
    count(n, path, &in, &missing);
    if (missing == 0)
        return;
    if (in == 0) {
        g_string_append_printf(out, "%s%s", out->len ? ", " : "", path + from);
        return;
    }
    for (guint i = 0; i < n->model->populations->len; i++) {
        g_autofree char *child = new_child(n, path, i);
        if (child)
            list_missing(n, child, from, out);
    }
}

/* Appends names for what is in the set below a path: all of it, its parts, or all but some where
 * that is clearly shorter. */
static void name_below(const Naming *n, const char *path, GString *out) {
    guint in, missing;
    count(n, path, &in, &missing);
    if (in == 0)
        return;
    gsize before = out->len;
    g_string_append_printf(out, "%s%s", before ? " + " : "", path);
    if (missing == 0)
        return;
    g_autoptr(GString) listed = g_string_new_len(out->str, (gssize)before);
    for (guint i = 0; i < n->model->populations->len; i++) {
        g_autofree char *child = new_child(n, path, i);
        if (child)
            name_below(n, child, listed);
    }
    g_autoptr(GString) but = g_string_new(NULL);
    list_missing(n, path, strlen(path) + 1, but);
    g_string_append_printf(out, " without %s", but->str);
    if ((out->len - before) * 3 >= (listed->len - before) * 2)
        g_string_assign(out, listed->str);
}

char *report_set_name(const Ground *ground, const gboolean *in) {
    const AtlasModel *model = ground->model;
    GString *out = g_string_new(NULL);
    g_autofree gboolean *live = g_new0(gboolean, model->populations->len + 1);
    for (guint i = 0; i < model->populations->len; i++)
        live[i] = in[i] || ground->has[i];
    Naming naming = {model, in, live};
    for (guint i = 0; i < model->stages->len; i++)
        name_below(&naming, ATLAS_STAGE(model, i)->name, out);
    return g_string_free(out, FALSE);
}

char *report_cell_name(const Report *r, const SplitCell *cell) {
    enum { LONGEST = 160 };
    char *name = report_set_name(&r->ground, cell->in);
    if (strlen(name) <= LONGEST)
        return name;
    guint populations = 0;
    for (guint i = 0; i < r->ground.model->populations->len; i++)
        populations += cell->in[i];
    char *cut = g_strrstr_len(name, LONGEST, " ");
    char *shown =
        g_strdup_printf("%.*s \u2026 (%u populations)", (int)(cut - name), name, populations);
    g_free(name);
    return shown;
}

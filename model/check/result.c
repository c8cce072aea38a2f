#include "model/check/result.h"

#include <math.h>
#include <string.h>

/* In 80 columns; what there is beyond them is the text's, up to what is easy to read. */
enum { COLUMNS = 80, PLACE_WIDTH = 14, TEXT_WIDTH = 32, TEXT_WIDTH_MAX = 100, VALUE_WIDTH = 16 };

static const struct {
    const char *name, *colour;
} verdicts[ATLAS_VERDICTS] = {
    [ATLAS_PASS] = {"pass", "\033[32m"},
    [ATLAS_FAIL] = {"fail", "\033[1;31m"},
    [ATLAS_INCONCLUSIVE] = {"inconclusive", "\033[33m"},
    [ATLAS_EXTERNAL] = {"external", "\033[2m"},
};

const char *atlas_verdict_name(AtlasVerdict verdict) {
    return verdicts[verdict].name;
}

static void check_free(gpointer data) {
    AtlasCheck *check = data;
    g_free(check->subject);
    g_free(check->place);
    g_free(check->expected);
    g_free(check->measured);
    g_free(check->why);
    g_free(check->note);
    json_decref(check->proof);
    g_free(check);
}

AtlasResult *atlas_result_new(void) {
    AtlasResult *result = g_new0(AtlasResult, 1);
    result->checks = g_ptr_array_new_with_free_func(check_free);
    result->below = g_string_new(NULL);
    return result;
}

void atlas_result_free(AtlasResult *result) {
    if (!result)
        return;
    g_ptr_array_unref(result->checks);
    json_decref(result->measurements);
    g_string_free(result->below, TRUE);
    g_free(result);
}

AtlasCheck *atlas_result_add(AtlasResult *result, const char *property) {
    AtlasCheck *check = g_new0(AtlasCheck, 1);
    check->property = property;
    check->lo = check->hi = ATLAS_RAT_NONE;
    check->ms = (double)NAN;
    g_ptr_array_add(result->checks, check);
    return check;
}

guint atlas_result_count(const AtlasResult *result, AtlasVerdict verdict) {
    guint count = 0;
    for (guint i = 0; i < result->checks->len; i++)
        count += atlas_result_get(result, i)->verdict == verdict;
    return count;
}

AtlasVerdict atlas_result_verdict(const AtlasResult *result) {
    gboolean any = atlas_result_count(result, ATLAS_EXTERNAL) < result->checks->len;
    return atlas_result_count(result, ATLAS_FAIL)                   ? ATLAS_FAIL
           : atlas_result_count(result, ATLAS_INCONCLUSIVE) || !any ? ATLAS_INCONCLUSIVE
                                                                    : ATLAS_PASS;
}

/* ---- for people ---- */

/* The bytes of `text` that go on one line: up to the last blank within `width` characters, or all
 * of `width` where there is no blank. A blank between digits ("21 434") is none. */
static gsize line_length(const char *text, glong width) {
    if (g_utf8_strlen(text, -1) <= width)
        return strlen(text);
    gsize most = (gsize)(g_utf8_offset_to_pointer(text, width) - text);
    for (gsize i = most; i > 0; i--)
        if (text[i] == ' ' && !(g_ascii_isdigit(text[i - 1]) && g_ascii_isdigit(text[i + 1])))
            return i;
    return most;
}

/* Adds `text` (or nothing, for NULL) to `lines`, broken at blanks; `indent` before each line. */
static void wrap(GPtrArray *lines, const char *given, glong width, const char *indent) {
    g_autofree char *plain = given ? g_strdelimit(g_strdup(given), "\t\r\n", ' ') : NULL;
    const char *text = plain;
    while (text && *text) {
        gsize length = line_length(text, width - (glong)strlen(indent));
        g_ptr_array_add(lines, g_strdup_printf("%s%.*s", indent, (int)length, text));
        text += length;
        text += strspn(text, " ");
    }
}

static const AtlasTableColumn people[] = {
    {"verdict", NULL, FALSE},        {"place", NULL, FALSE}, {"statement", NULL, FALSE},
    {"value, claimed", NULL, FALSE}, {NULL, NULL, FALSE},
};

static const char *line(const GPtrArray *lines, guint i) {
    return i < lines->len ? g_ptr_array_index(lines, i) : "";
}

/* One check takes as many lines as its longest cell. */
static void add_lines(AtlasTable *table, const AtlasCheck *check, glong text_width) {
    g_autoptr(GPtrArray) place = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) text = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) value = g_ptr_array_new_with_free_func(g_free);
    gboolean passed = check->verdict == ATLAS_PASS && !check->asked;
    wrap(place, check->place, PLACE_WIDTH, "");
    wrap(text, check->subject, text_width, "");
    wrap(value, check->measured, VALUE_WIDTH, "");
    if (!passed) {
        wrap(value, check->expected, VALUE_WIDTH, "");
        wrap(text, check->note, text_width, "  ");
        wrap(text, check->why, text_width, "  ");
    }
    for (guint i = 0; i < MAX(MAX(place->len, text->len), value->len); i++) {
        atlas_table_row(table);
        atlas_table_text(table, "%s", i ? "" : atlas_verdict_name(check->verdict));
        atlas_table_text(table, "%s", line(place, i));
        atlas_table_text(table, "%s", line(text, i));
        atlas_table_text(table, "%s", line(value, i));
    }
}

/* A verdict stands at the start of its line. */
static void append_coloured(GString *out, const char *text) {
    for (const char *end; *text; text = end) {
        const char *rest = text;
        end = strchr(text, '\n') + 1;
        for (guint v = 0; v < ATLAS_VERDICTS && rest == text; v++)
            if (g_str_has_prefix(rest, verdicts[v].name)) {
                rest += strlen(verdicts[v].name);
                g_string_append_printf(out, "%s%s\033[0m", verdicts[v].colour, verdicts[v].name);
            }
        g_string_append_len(out, rest, end - rest);
    }
}

/* Whether people see a row of it. */
static gboolean has_row(const AtlasCheck *check, gboolean all) {
    gboolean open = check->verdict == ATLAS_FAIL || check->verdict == ATLAS_INCONCLUSIVE;
    return !check->told && (all || open || check->asked);
}

char *atlas_result_render(const AtlasResult *result, const char *what, gboolean all,
                          gboolean colour, guint columns) {
    static const AtlasVerdict order[] = {ATLAS_FAIL, ATLAS_INCONCLUSIVE, ATLAS_EXTERNAL,
                                         ATLAS_PASS};
    g_autoptr(AtlasTable) table = atlas_table_new(people);
    GString *out = g_string_new(NULL);
    glong text_width = CLAMP(TEXT_WIDTH + (glong)columns - COLUMNS, TEXT_WIDTH, TEXT_WIDTH_MAX);
    for (guint v = 0; v < G_N_ELEMENTS(order); v++)
        for (guint i = 0; i < result->checks->len; i++)
            if (atlas_result_get(result, i)->verdict == order[v] &&
                has_row(atlas_result_get(result, i), all))
                add_lines(table, atlas_result_get(result, i), text_width);
    g_autofree char *rows = atlas_table_render(table);
    g_autofree char *text = g_strconcat(rows, *rows ? "\n" : "", result->below->str,
                                        result->below->len ? "\n" : "", NULL);
    if (colour)
        append_coloured(out, text);
    else
        g_string_append(out, text);
    g_string_append_printf(
        out, "%u %.*s: %u pass, %u fail, %u inconclusive, %u external\n", result->checks->len,
        (int)strlen(what) - (result->checks->len == 1), what,
        atlas_result_count(result, ATLAS_PASS), atlas_result_count(result, ATLAS_FAIL),
        atlas_result_count(result, ATLAS_INCONCLUSIVE), atlas_result_count(result, ATLAS_EXTERNAL));
    return g_string_free(out, FALSE);
}

/* ---- for programs ---- */

static const AtlasTableColumn programs[] = {
    {NULL, "property", FALSE}, {NULL, "subject", FALSE},  {NULL, "place", FALSE},
    {NULL, "verdict", FALSE},  {NULL, "expected", FALSE}, {NULL, "measured", TRUE},
    {NULL, "lo", TRUE},        {NULL, "hi", TRUE},        {NULL, "measured_ms", TRUE},
    {NULL, "why", FALSE},      {NULL, "note", FALSE},     {NULL, NULL, FALSE},
};

static void add_text(AtlasTable *table, const char *text) {
    if (text)
        atlas_table_text(table, "%s", text);
    else
        atlas_table_skip(table);
}

/* A millionth of a millisecond is less than any clock tells. */
static AtlasRat milliseconds(double ms) {
    return ms >= 0 && ms < 1e12 ? atlas_rat_make((gint64)llround(ms * 1e6), 1000000)
                                : ATLAS_RAT_NONE;
}

AtlasTable *atlas_result_table(const AtlasResult *result) {
    AtlasTable *table = atlas_table_new(programs);
    for (guint i = 0; i < result->checks->len; i++) {
        const AtlasCheck *check = atlas_result_get(result, i);
        gboolean single = atlas_rat_ok(check->lo) && atlas_rat_ok(check->hi) &&
                          atlas_rat_cmp(check->lo, check->hi) == 0;
        atlas_table_row(table);
        add_text(table, check->property);
        add_text(table, check->subject);
        add_text(table, check->place);
        add_text(table, atlas_verdict_name(check->verdict));
        add_text(table, check->expected);
        atlas_table_number(table, single ? check->lo : ATLAS_RAT_NONE, 9);
        atlas_table_number(table, check->lo, 9);
        atlas_table_number(table, check->hi, 9);
        atlas_table_number(table, milliseconds(check->ms), 6);
        add_text(table, check->why);
        add_text(table, check->note);
    }
    return table;
}

json_t *atlas_result_json(const AtlasResult *result) {
    g_autoptr(AtlasTable) table = atlas_result_table(result);
    json_t *root = json_pack("{s:s, s:s, s:o}", "schema", "atlas-check/1", "verdict",
                             atlas_verdict_name(atlas_result_verdict(result)), "checks",
                             atlas_table_json(table));
    for (guint i = 0; i < result->checks->len; i++) {
        json_t *proof = atlas_result_get(result, i)->proof;
        json_object_set_new(json_array_get(json_object_get(root, "checks"), i), "proof",
                            proof ? json_incref(proof) : json_null());
    }
    if (result->measurements)
        json_object_set(root, "measurements", result->measurements);
    return root;
}

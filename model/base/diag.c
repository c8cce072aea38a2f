#include "model/base/diag.h"

#include <stdarg.h>
#include <string.h>

#include "model/base/names.h"

/* Characters of a source line that are shown: with the gutter they fit 80 columns. */
enum { SHOWN_WIDTH = 68, SHOWN_BEFORE = 40 };

/* Candidates that a hint still lists in full. */
enum { LISTED_MAX = 12 };

typedef struct {
    AtlasSpan at;
    char *message;
} Remark;

typedef struct {
    Remark error;
    GArray *notes;    /* of Remark */
    GPtrArray *hints; /* of char* */
    guint file;       /* index of the source in `sources` */
    guint order;
} Diag;

struct AtlasDiags {
    GPtrArray *list;    /* of Diag* */
    GPtrArray *sources; /* in the order of their first errors; "no place" is one too */
};

static void remark_clear(gpointer data) {
    g_free(((Remark *)data)->message);
}

static void diag_free(gpointer data) {
    Diag *diag = data;
    remark_clear(&diag->error);
    g_array_unref(diag->notes);
    g_ptr_array_unref(diag->hints);
    g_free(diag);
}

AtlasDiags *atlas_diags_new(void) {
    AtlasDiags *diags = g_new0(AtlasDiags, 1);
    diags->list = g_ptr_array_new_with_free_func(diag_free);
    diags->sources = g_ptr_array_new();
    return diags;
}

void atlas_diags_free(AtlasDiags *diags) {
    if (!diags)
        return;
    g_ptr_array_unref(diags->list);
    g_ptr_array_unref(diags->sources);
    g_free(diags);
}

/* Whether the character at p is one of the control characters U+0080 to U+009F. */
static gboolean is_high_control(const char *p) {
    return p[0] == '\xc2' && (guchar)p[1] >= 0x80 && (guchar)p[1] < 0xa0;
}

/* Input may quote anything into a message; a terminal must not obey it. */
char *atlas_diags_safe(char *message) {
    for (char *p = message; *p; p++) {
        if (is_high_control(p))
            p[0] = p[1] = '?';
        else if (g_ascii_iscntrl(*p) && *p != '\n')
            *p = '?';
    }
    return message;
}

static void add(AtlasDiags *diags, AtlasSpan at, char *message) {
    Diag *diag = g_new0(Diag, 1);
    diag->error = (Remark){at, atlas_diags_safe(message)};
    diag->notes = g_array_new(FALSE, FALSE, sizeof(Remark));
    g_array_set_clear_func(diag->notes, remark_clear);
    diag->hints = g_ptr_array_new_with_free_func(g_free);
    if (!g_ptr_array_find(diags->sources, at.source, &diag->file)) {
        diag->file = diags->sources->len;
        g_ptr_array_add(diags->sources, (gpointer)at.source);
    }
    diag->order = diags->list->len;
    g_ptr_array_add(diags->list, diag);
}

void atlas_diags_error(AtlasDiags *diags, AtlasSpan at, const char *format, ...) {
    va_list args;
    va_start(args, format);
    add(diags, at, g_strdup_vprintf(format, args));
    va_end(args);
}

void atlas_diags_take(AtlasDiags *diags, GError *error) {
    add(diags, (AtlasSpan){NULL, 0, 0}, g_strdup(error->message));
    g_error_free(error);
}

static Diag *last(AtlasDiags *diags) {
    g_assert(diags->list->len > 0);
    return g_ptr_array_index(diags->list, diags->list->len - 1);
}

void atlas_diags_note(AtlasDiags *diags, AtlasSpan at, const char *format, ...) {
    va_list args;
    va_start(args, format);
    Remark note = {at, atlas_diags_safe(g_strdup_vprintf(format, args))};
    va_end(args);
    g_array_append_val(last(diags)->notes, note);
}

void atlas_diags_hint(AtlasDiags *diags, const char *format, ...) {
    va_list args;
    va_start(args, format);
    g_ptr_array_add(last(diags)->hints, atlas_diags_safe(g_strdup_vprintf(format, args)));
    va_end(args);
}

void atlas_diags_suggest(AtlasDiags *diags, const char *word, const char *what,
                         const char *const *candidates) {
    const char *near = atlas_name_nearest(word, candidates);
    guint count = g_strv_length((char **)candidates);
    if (near) {
        atlas_diags_hint(diags, "did you mean '%s'?", near);
    } else if (count > 0 && count <= LISTED_MAX) {
        g_autofree char *all = g_strjoinv(", ", (char **)candidates);
        atlas_diags_hint(diags, "%s: %s", what, all);
    }
}

gboolean atlas_diags_has(const AtlasDiags *diags, AtlasSpan at) {
    for (guint i = 0; i < diags->list->len; i++) {
        const Diag *diag = g_ptr_array_index(diags->list, i);
        if (diag->error.at.source == at.source && diag->error.at.start == at.start &&
            diag->error.at.end == at.end)
            return TRUE;
    }
    return FALSE;
}

guint atlas_diags_errors(const AtlasDiags *diags) {
    return diags->list->len;
}

/* Columns of a terminal that a text takes. */
static int cells(const char *from, const char *to) {
    int count = 0;
    for (; from < to; from = g_utf8_next_char(from)) {
        gunichar c = g_utf8_get_char(from);
        count += g_unichar_iszerowidth(c) ? 0 : g_unichar_iswide(c) ? 2 : 1;
    }
    return count;
}

/* Appends the line of `at` and carets under the span; of a long line only the part around them. */
static void render_snippet(GString *out, AtlasSpan at) {
    guint line, column, end_line, end_column;
    gsize start, end;
    atlas_source_position(at.source, at.start, &line, &column);
    atlas_source_position(at.source, MAX(at.start, at.end), &end_line, &end_column);
    atlas_source_line(at.source, line, &start, &end);
    const char *text = atlas_source_text(at.source);
    glong length = g_utf8_strlen(text + start, (gssize)(end - start));
    glong caret = MIN((glong)column - 1, length);
    glong carets = end_line == line ? MAX(1, (glong)end_column - (glong)column) : length - caret;
    glong first = length > SHOWN_WIDTH && caret > SHOWN_BEFORE ? caret - SHOWN_BEFORE : 0;
    glong shown = MIN(length - first, SHOWN_WIDTH);

    const char *from = g_utf8_offset_to_pointer(text + start, first);
    const char *to = g_utf8_offset_to_pointer(from, shown);
    g_string_append_printf(out, "%5u | ", line);
    for (const char *p = from; p < to; p = g_utf8_next_char(p)) {
        if (*p == '\t')
            g_string_append_c(out, ' ');
        else if (g_ascii_iscntrl(*p) || is_high_control(p))
            g_string_append_c(out, '?');
        else
            g_string_append_len(out, p, g_utf8_next_char(p) - p);
    }
    const char *mark = g_utf8_offset_to_pointer(from, caret - first);
    const char *mark_end = g_utf8_offset_to_pointer(mark, MIN(carets, first + shown - caret));
    g_string_append_printf(out, "\n      | %*s^", cells(from, mark), "");
    for (int i = cells(mark, mark_end); i > 1; i--)
        g_string_append_c(out, '~');
    g_string_append_c(out, '\n');
}

static void render_remark(GString *out, const Remark *remark, const char *kind, const char *on,
                          const char *off) {
    if (remark->at.source) {
        guint line, column;
        atlas_source_position(remark->at.source, remark->at.start, &line, &column);
        g_string_append_printf(out, "%s:%u:%u: ", atlas_source_path(remark->at.source), line,
                               column);
    }
    /* A message taken from a GError says its place and kind itself. */
    if (remark->at.source || !strstr(remark->message, "error: "))
        g_string_append_printf(out, "%s%s:%s ", on, kind, off);
    g_string_append_printf(out, "%s\n", remark->message);
}

static int by_place(gconstpointer a, gconstpointer b) {
    const Diag *x = *(Diag *const *)a, *y = *(Diag *const *)b;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    if (x->error.at.start != y->error.at.start)
        return x->error.at.start < y->error.at.start ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

char *atlas_diags_render(const AtlasDiags *diags, gboolean colour) {
    GString *out = g_string_new(NULL);
    const char *red = colour ? "\033[1;31m" : "", *cyan = colour ? "\033[1;36m" : "";
    const char *off = colour ? "\033[0m" : "";
    g_autoptr(GPtrArray) sorted = g_ptr_array_new(); /* a copy would own the diagnostics, too */
    g_ptr_array_extend(sorted, diags->list, NULL, NULL);
    g_ptr_array_sort(sorted, by_place);
    for (guint i = 0; i < MIN(sorted->len, ATLAS_DIAGS_SHOWN); i++) {
        const Diag *diag = g_ptr_array_index(sorted, i);
        render_remark(out, &diag->error, "error", red, off);
        if (diag->error.at.source)
            render_snippet(out, diag->error.at);
        for (guint j = 0; j < diag->notes->len; j++)
            render_remark(out, &g_array_index(diag->notes, Remark, j), "note", cyan, off);
        for (guint j = 0; j < diag->hints->len; j++)
            g_string_append_printf(out, "%shint:%s %s\n", cyan, off,
                                   (const char *)g_ptr_array_index(diag->hints, j));
    }
    if (sorted->len > ATLAS_DIAGS_SHOWN)
        g_string_append_printf(out, "and %u more errors\n", sorted->len - ATLAS_DIAGS_SHOWN);
    return g_string_free(out, FALSE);
}

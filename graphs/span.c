#include "graphs/span.h"

/* Rows in echelon form: the first number of each that is not 0 is 1, and no other row has one in
 * that place. */
struct Span {
    guint n;
    GPtrArray *rows; /* of AtlasRat* */
    GArray *pivots;  /* of guint: the place of each row's 1 */
    gboolean overflow;
};

Span *span_new(guint unknowns) {
    Span *span = g_new0(Span, 1);
    span->n = unknowns;
    span->rows = g_ptr_array_new_with_free_func(g_free);
    span->pivots = g_array_new(FALSE, FALSE, sizeof(guint));
    return span;
}

void span_free(Span *span) {
    if (!span)
        return;
    g_ptr_array_unref(span->rows);
    g_array_unref(span->pivots);
    g_free(span);
}

static void subtract(AtlasRat *from, const AtlasRat *row, AtlasRat factor, guint n) {
    for (guint j = 0; factor.num != 0 && j < n; j++)
        from[j] = atlas_rat_sub(from[j], atlas_rat_mul(factor, row[j]));
}

/* What is left of a form when the rows are taken out; the caller frees it. Returns the place of the
 * first number that is not 0, or n. */
static guint reduce(Span *span, const AtlasLinear *form, AtlasRat **left) {
    guint first = span->n;
    *left = g_new(AtlasRat, span->n + 1);
    for (guint j = 0; j < span->n; j++)
        (*left)[j] = form->coefs[j];
    for (guint i = 0; i < span->rows->len; i++)
        subtract(*left, g_ptr_array_index(span->rows, i),
                 (*left)[g_array_index(span->pivots, guint, i)], span->n);
    for (guint j = span->n; j > 0; j--) {
        span->overflow = span->overflow || !atlas_rat_ok((*left)[j - 1]);
        if ((*left)[j - 1].num != 0)
            first = j - 1;
    }
    return first;
}

gboolean span_has(Span *span, const AtlasLinear *form) {
    AtlasRat *left;
    guint first = reduce(span, form, &left);
    g_free(left);
    return first == span->n;
}

gboolean span_add(Span *span, const AtlasLinear *form) {
    AtlasRat *left;
    guint first = reduce(span, form, &left);
    if (span->overflow || first == span->n) {
        g_free(left);
        return TRUE;
    }
    AtlasRat by = left[first];
    for (guint j = 0; j < span->n; j++)
        left[j] = atlas_rat_div(left[j], by);
    for (guint i = 0; i < span->rows->len; i++) {
        AtlasRat *row = g_ptr_array_index(span->rows, i);
        subtract(row, left, row[first], span->n);
    }
    g_ptr_array_add(span->rows, left);
    g_array_append_val(span->pivots, first);
    return FALSE;
}

gboolean span_fits(const Span *span) {
    return !span->overflow;
}

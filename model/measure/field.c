#include "model/measure/field.h"

#include <math.h>
#include <string.h>

#include "model/base/visible.h"

/* Bytes of a field that a message still shows. */
enum { QUOTED_MAX = 60 };

gsize atlas_fields_split(const char *line, gsize length, AtlasField *fields, gsize max) {
    const char *from = line, *end = line + length, *tab;
    gsize count = 0;
    do {
        tab = memchr(from, '\t', (gsize)(end - from));
        const char *to = tab ? tab : end;
        if (count < max)
            fields[count] = (AtlasField){from, (gsize)(to - from)};
        count++;
        from = to + 1;
    } while (tab);
    for (gsize i = count; i < max; i++)
        fields[i] = (AtlasField){end, 0};
    return count;
}

AtlasField atlas_field_trim(AtlasField field) {
    while (field.length > 0 && field.text[0] == ' ') {
        field.text++;
        field.length--;
    }
    while (field.length > 0 && field.text[field.length - 1] == ' ')
        field.length--;
    return field;
}

gboolean atlas_field_is(AtlasField field, const char *text) {
    return field.length == strlen(text) && memcmp(field.text, text, field.length) == 0;
}

gboolean atlas_field_whole(AtlasField field, gint64 *value) {
    gint64 sum = 0;
    for (gsize i = 0; i < field.length; i++) {
        if (!g_ascii_isdigit(field.text[i]))
            return FALSE;
        if (__builtin_mul_overflow(sum, 10, &sum) ||
            __builtin_add_overflow(sum, field.text[i] - '0', &sum))
            return FALSE;
    }
    *value = sum;
    return field.length > 0;
}

/* A quotient of two numbers that are exact in a double is rounded once, as strtod's result is:
 * right for up to 15 digits. FALSE for what has more, and for what is no number. */
static gboolean short_decimal(AtlasField field, double *value) {
    static const double tens[] = {1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6, 1e7,
                                  1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14};
    gint64 digits = 0;
    gsize point = field.length;
    if (field.length > G_N_ELEMENTS(tens))
        return FALSE;
    for (gsize i = 0; i < field.length; i++) {
        if (g_ascii_isdigit(field.text[i]))
            digits = digits * 10 + (field.text[i] - '0');
        else if (field.text[i] == '.' && point == field.length)
            point = i;
        else
            return FALSE;
    }
    if (point == 0 || point + 1 == field.length)
        return FALSE;
    *value =
        point == field.length ? (double)digits : (double)digits / tens[field.length - point - 1];
    return TRUE;
}

gboolean atlas_field_decimal(AtlasField field, double *value) {
    if (short_decimal(field, value))
        return TRUE;
    gsize point = field.length;
    for (gsize i = 0; i < field.length; i++) {
        if (field.text[i] == '.' && point == field.length)
            point = i;
        else if (!g_ascii_isdigit(field.text[i]))
            return FALSE;
    }
    if (point == 0 || point + 1 == field.length) /* no digit before or behind the point, or empty */
        return FALSE;
    g_autofree char *text = g_strndup(field.text, field.length);
    *value = g_ascii_strtod(text, NULL);
    return isfinite(*value);
}

char *atlas_field_quote(AtlasField field) {
    return atlas_visible(field.text, field.length, QUOTED_MAX);
}

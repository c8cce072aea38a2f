#include "model/base/rational.h"

#include <string.h>

__extension__ typedef __int128 Wide; /* products of two 64-bit numbers */

static Wide wide_gcd(Wide a, Wide b) {
    while (b != 0) {
        Wide rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

/* G_MININT64 is left out, so that every number has a negative. */
static gboolean fits(Wide a) {
    return a <= G_MAXINT64 && a >= -(Wide)G_MAXINT64;
}

static AtlasRat lowest(Wide num, Wide den) {
    if (den == 0)
        return ATLAS_RAT_NONE;
    Wide by = wide_gcd(num, den);
    if (den < 0)
        by = -by;
    num /= by;
    den /= by;
    return fits(num) && fits(den) ? (AtlasRat){(gint64)num, (gint64)den} : ATLAS_RAT_NONE;
}

AtlasRat atlas_rat_make(gint64 num, gint64 den) {
    return lowest(num, den);
}

static AtlasRat add(AtlasRat a, AtlasRat b, int sign) {
    if (a.den == 0 || b.den == 0)
        return ATLAS_RAT_NONE;
    /* |num| and den are below 2^63: the products stay below 2^126, their sum below 2^127. */
    return lowest((Wide)a.num * b.den + sign * ((Wide)b.num * a.den), (Wide)a.den * b.den);
}

AtlasRat atlas_rat_add_any(AtlasRat a, AtlasRat b) {
    return add(a, b, 1);
}

AtlasRat atlas_rat_sub(AtlasRat a, AtlasRat b) {
    gint64 difference;
    if (a.den == 1 && b.den == 1 && !__builtin_sub_overflow(a.num, b.num, &difference) &&
        difference != G_MININT64)
        return (AtlasRat){difference, 1};
    return add(a, b, -1);
}

AtlasRat atlas_rat_mul_any(AtlasRat a, AtlasRat b) {
    if (a.den == 0 || b.den == 0)
        return ATLAS_RAT_NONE;
    return lowest((Wide)a.num * b.num, (Wide)a.den * b.den);
}

AtlasRat atlas_rat_div(AtlasRat a, AtlasRat b) {
    if (a.den == 0 || b.den == 0)
        return ATLAS_RAT_NONE;
    return lowest((Wide)a.num * b.den, (Wide)a.den * b.num);
}

AtlasRat atlas_rat_floor(AtlasRat a) {
    if (a.den <= 1)
        return a;
    return atlas_rat(a.num / a.den - (a.num < 0)); /* lowest terms: never exact here */
}

AtlasRat atlas_rat_ceil(AtlasRat a) {
    if (a.den <= 1)
        return a;
    return atlas_rat(a.num / a.den + (a.num > 0));
}

int atlas_rat_cmp(AtlasRat a, AtlasRat b) {
    g_return_val_if_fail(a.den != 0 && b.den != 0, 0);
    Wide left = (Wide)a.num * b.den, right = (Wide)b.num * a.den;
    return (left > right) - (left < right);
}

double atlas_rat_double(AtlasRat a) {
    return (double)a.num / (double)a.den;
}

AtlasRat atlas_rat_parse(const char *text, gsize length, guint *decimals) {
    gsize i = length > 0 && text[0] == '-';
    gboolean negative = i == 1, point = FALSE;
    guint digits = 0, behind = 0;
    Wide num = 0, den = 1;
    for (; i < length; i++) {
        if (text[i] == '.' && !point && digits > 0) {
            point = TRUE;
            continue;
        }
        if (!g_ascii_isdigit(text[i]))
            return ATLAS_RAT_NONE;
        num = num * 10 + (text[i] - '0');
        den = point ? den * 10 : 1;
        if (!fits(num) || !fits(den))
            return ATLAS_RAT_NONE;
        digits++;
        behind += point;
    }
    if (digits == 0 || text[length - 1] == '.')
        return ATLAS_RAT_NONE;
    if (decimals)
        *decimals = behind;
    return lowest(negative ? -num : num, den);
}

char *atlas_rat_format(AtlasRat a, guint places, char *buffer, gsize size) {
    if (a.den == 0) {
        g_strlcpy(buffer, "?", size);
        return buffer;
    }
    Wide scale = 1;
    for (guint i = 0; i < MIN(places, 15); i++)
        scale *= 10;
    /* |num| < 2^63 and scale <= 10^15 < 2^50: below 2^114. */
    Wide scaled = ((a.num < 0 ? -(Wide)a.num : a.num) * scale * 2 + a.den) / ((Wide)a.den * 2);
    guint64 whole = (guint64)(scaled / scale), part = (guint64)(scaled % scale);
    g_snprintf(buffer, (gulong)size, "%s%" G_GUINT64_FORMAT, a.num < 0 && scaled != 0 ? "-" : "",
               whole);
    if (part != 0) {
        char digits[32];
        g_snprintf(digits, sizeof digits, ".%0*" G_GUINT64_FORMAT, (int)MIN(places, 15), part);
        for (gsize n = strlen(digits); digits[n - 1] == '0'; n--)
            digits[n - 1] = '\0';
        g_strlcat(buffer, digits, size);
    }
    return buffer;
}

gint64 atlas_gcd(gint64 a, gint64 b) {
    return (gint64)wide_gcd(a, b);
}

gint64 atlas_lcm(gint64 a, gint64 b) {
    gint64 product;
    if (a == 1)
        return b; /* what is asked most, and often */
    return __builtin_mul_overflow(a / atlas_gcd(a, b), b, &product) ? G_MAXINT64 : product;
}

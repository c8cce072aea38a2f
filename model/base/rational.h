/* Exact numbers: fractions of 64-bit integers.
 *
 * Counts, coefficients and means are exact in this project, so that "equal" needs no tolerance:
 * 229 launches every fourth step are 68.7 a step over steps 20-29, not 68.69999.
 *
 * Invariants: den > 0 and the fraction is in lowest terms, or den == 0, which means "no number"
 * (division by zero, a result that does not fit, text that is none). No number is sticky: every
 * operation on it gives no number, so a long calculation is checked once, at its end.
 */
#ifndef ATLAS_MODEL_BASE_RATIONAL_H
#define ATLAS_MODEL_BASE_RATIONAL_H

#include <glib.h>

typedef struct {
    gint64 num, den;
} AtlasRat;

#define ATLAS_RAT_NONE ((AtlasRat){0, 0})

static inline AtlasRat atlas_rat(gint64 whole) {
    return (AtlasRat){whole, 1};
}

static inline gboolean atlas_rat_ok(AtlasRat a) {
    return a.den != 0;
}

static inline gboolean atlas_rat_is_whole(AtlasRat a) {
    return a.den == 1;
}

/* num/den in lowest terms. */
AtlasRat atlas_rat_make(gint64 num, gint64 den);

/* The general case of the operations below. */
AtlasRat atlas_rat_add_any(AtlasRat a, AtlasRat b);
AtlasRat atlas_rat_mul_any(AtlasRat a, AtlasRat b);

/* Most numbers are whole; those never leave the caller's code. */
static inline AtlasRat atlas_rat_add(AtlasRat a, AtlasRat b) {
    gint64 sum;
    if (a.den == 1 && b.den == 1 && !__builtin_add_overflow(a.num, b.num, &sum) &&
        sum != G_MININT64)
        return (AtlasRat){sum, 1};
    return atlas_rat_add_any(a, b);
}

static inline AtlasRat atlas_rat_mul(AtlasRat a, AtlasRat b) {
    gint64 product;
    if (a.den == 1 && b.den == 1 && !__builtin_mul_overflow(a.num, b.num, &product) &&
        product != G_MININT64)
        return (AtlasRat){product, 1};
    return atlas_rat_mul_any(a, b);
}

AtlasRat atlas_rat_sub(AtlasRat a, AtlasRat b);
AtlasRat atlas_rat_div(AtlasRat a, AtlasRat b);

/* The greatest whole number <= a, the least >= a. */
AtlasRat atlas_rat_floor(AtlasRat a);
AtlasRat atlas_rat_ceil(AtlasRat a);

/* -1, 0 or 1. Both must be numbers. */
int atlas_rat_cmp(AtlasRat a, AtlasRat b);

double atlas_rat_double(AtlasRat a);

/* Reads "12", "-3", "0.05" (digits, at most one point, no exponent) of the given length; anything
 * else, and what does not fit, is no number. `decimals`, where not NULL, is set to the digits
 * behind the point. */
AtlasRat atlas_rat_parse(const char *text, gsize length, guint *decimals);

/* Writes a with at most `places` (0..15) decimals, rounded half away from zero, without trailing
 * zeros: "68.7", "12". No number is written as "?". Returns `buffer`. */
char *atlas_rat_format(AtlasRat a, guint places, char *buffer, gsize size);

/* The greatest common divisor of the amounts of two numbers; 0 divides by everything. */
gint64 atlas_gcd(gint64 a, gint64 b);

/* The least common multiple of two numbers >= 1; G_MAXINT64 where it does not fit. */
gint64 atlas_lcm(gint64 a, gint64 b);

#endif

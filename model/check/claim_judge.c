/* Verdicts. Every comparison is a statement about the sign of one or two linear forms, and those
 * have bounds at any lag. */
#include <math.h>
#include <string.h>

#include "model/check/claim_expr.h"

/* Lags are looked at in hundredths. */
enum { LAG_PARTS = 100 };

/* What an elementary statement, a comparison or a claim is at one lag. */
typedef enum { ALWAYS, NEVER, MAYBE } Truth;

typedef struct {
    gint64 parts; /* the lag, in LAG_PARTS */
    AtlasLp *lp;
} Lagged;

void claim_judge_init(Judge *judge, Scope *scope) {
    *judge = (Judge){scope, g_array_new(FALSE, FALSE, sizeof(Lagged))};
}

void claim_judge_clear(Judge *judge) {
    for (guint i = 0; i < judge->systems->len; i++)
        atlas_lp_free(g_array_index(judge->systems, Lagged, i).lp);
    g_array_unref(judge->systems);
}

/* The system at a lag; it is kept, since the same lags are asked for again and again. */
static AtlasLp *lp_at(Judge *judge, gint64 parts) {
    for (guint i = 0; i < judge->systems->len; i++)
        if (g_array_index(judge->systems, Lagged, i).parts == parts)
            return g_array_index(judge->systems, Lagged, i).lp;
    Lagged made = {parts,
                   atlas_lp_new(judge->scope->study->system, atlas_rat_make(parts, LAG_PARTS))};
    g_array_append_val(judge->systems, made);
    return made.lp;
}

/* ---- bounds ---- */

/* An interval; what is no number is not known. */
static AtlasInterval interval(AtlasRat lo, AtlasRat hi) {
    return (AtlasInterval){atlas_rat_ok(lo), atlas_rat_ok(hi), lo, hi};
}

/* The bounds of a form: those of its unknowns, and the sums that are known as intervals. The
 * former are rounded to values that the form can take only where its coefficients are whole. */
static AtlasInterval raw_bounds(const Judge *judge, AtlasLp *lp, const AtlasLinear *form) {
    const Scope *scope = judge->scope;
    AtlasLinear unknown = {form->constant, form->coefs, scope->unknowns};
    if (!claim_form_ok(form)) /* it does not fit */
        return interval(ATLAS_RAT_NONE, ATLAS_RAT_NONE);
    AtlasInterval all = atlas_lp_interval(lp, &unknown);
    AtlasRat lo = all.lo_known ? all.lo : ATLAS_RAT_NONE,
             hi = all.hi_known ? all.hi : ATLAS_RAT_NONE;
    for (guint i = scope->unknowns; i < form->n; i++) {
        const AtlasInterval *sum =
            &g_array_index(scope->rounded, AtlasInterval, i - scope->unknowns);
        AtlasRat a = atlas_rat_mul(sum->lo, form->coefs[i]);
        AtlasRat b = atlas_rat_mul(sum->hi, form->coefs[i]);
        gboolean falls = form->coefs[i].num < 0;
        lo = atlas_rat_add(lo, falls ? b : a);
        hi = atlas_rat_add(hi, falls ? a : b);
    }
    return interval(lo, hi);
}

static gboolean single(AtlasInterval i) {
    return i.lo_known && i.hi_known && atlas_rat_cmp(i.lo, i.hi) == 0;
}

/* A form with whole coefficients that share no factor is a whole number plus its constant, where
 * what it counts is whole. Fills the positive factor that makes a form such a one; FALSE where
 * there is none. */
static gboolean whole_factor(const Scope *scope, const AtlasLinear *form, AtlasRat *factor) {
    gint64 common = 1, divisor = 0;
    for (guint i = 0; i < form->n; i++) {
        if (form->coefs[i].num == 0)
            continue;
        if (i >= scope->unknowns || ATLAS_UNKNOWN(scope->study->model, i)->real)
            return FALSE;
        AtlasRat scaled = atlas_rat_mul(form->coefs[i], atlas_rat(common));
        if (!atlas_rat_ok(scaled) || __builtin_mul_overflow(common, scaled.den, &common))
            return FALSE;
    }
    for (guint i = 0; i < form->n; i++) {
        AtlasRat scaled = atlas_rat_mul(form->coefs[i], atlas_rat(common));
        if (!atlas_rat_ok(scaled))
            return FALSE;
        divisor = atlas_gcd(divisor, scaled.num);
    }
    *factor = divisor ? atlas_rat_make(common, divisor) : ATLAS_RAT_NONE;
    return atlas_rat_ok(*factor);
}

/* a + factor * b, in a form that belongs to the scope. */
static AtlasLinear *plus(const Judge *judge, const AtlasLinear *a, AtlasRat factor,
                         const AtlasLinear *b) {
    AtlasLinear *form = claim_form(judge->scope);
    atlas_linear_add(form, a, atlas_rat(1));
    if (b)
        atlas_linear_add(form, b, factor);
    else
        form->constant = atlas_rat_add(form->constant, factor);
    return form;
}

static AtlasLinear *times(const Judge *judge, const AtlasLinear *form, AtlasRat factor) {
    return plus(judge, form, atlas_rat_sub(factor, atlas_rat(1)), form);
}

static AtlasInterval bounds(const Judge *judge, AtlasLp *lp, const AtlasLinear *form) {
    AtlasRat factor;
    if (!whole_factor(judge->scope, form, &factor))
        return raw_bounds(judge, lp, form);
    AtlasInterval all = raw_bounds(judge, lp, times(judge, form, factor));
    return interval(atlas_rat_div(all.lo_known ? all.lo : ATLAS_RAT_NONE, factor),
                    atlas_rat_div(all.hi_known ? all.hi : ATLAS_RAT_NONE, factor));
}

/* ---- comparisons ---- */

static Truth both(Truth a, Truth b) {
    return a == NEVER || b == NEVER ? NEVER : a == MAYBE || b == MAYBE ? MAYBE : ALWAYS;
}

static Truth not(Truth a) {
    return a == MAYBE ? MAYBE : a == ALWAYS ? NEVER : ALWAYS;
}

/* Whether an interval lies in lo..hi, either side of which may be no number: unbounded. */
static Truth within(AtlasInterval i, AtlasRat lo, AtlasRat hi, gboolean strict) {
    int edge = strict ? 1 : 0;
    gboolean above = !atlas_rat_ok(lo) || (i.lo_known && atlas_rat_cmp(i.lo, lo) >= edge);
    gboolean below = !atlas_rat_ok(hi) || (i.hi_known && atlas_rat_cmp(i.hi, hi) <= -edge);
    gboolean under = atlas_rat_ok(lo) && i.hi_known && atlas_rat_cmp(i.hi, lo) < edge;
    gboolean over = atlas_rat_ok(hi) && i.lo_known && atlas_rat_cmp(i.lo, hi) > -edge;
    return under || over ? NEVER : above && below ? ALWAYS : MAYBE;
}

/* The same for a form; where it takes only every so manieth value, one of those must lie there. */
static Truth form_within(const Judge *judge, AtlasLp *lp, const AtlasLinear *form, AtlasRat lo,
                         AtlasRat hi, gboolean strict) {
    AtlasRat factor;
    if (!whole_factor(judge->scope, form, &factor))
        return within(bounds(judge, lp, form), lo, hi, strict);
    const AtlasLinear *whole = times(judge, form, factor);
    AtlasInterval range = raw_bounds(judge, lp, whole);
    AtlasRat scaled_lo = atlas_rat_mul(lo, factor), scaled_hi = atlas_rat_mul(hi, factor);
    if (atlas_rat_ok(scaled_lo) != atlas_rat_ok(lo) || atlas_rat_ok(scaled_hi) != atlas_rat_ok(hi))
        return MAYBE; /* it does not fit */
    lo = scaled_lo;
    hi = scaled_hi;
    Truth truth = within(range, lo, hi, strict);
    if (truth != MAYBE || strict || !atlas_rat_ok(lo) || !atlas_rat_ok(hi))
        return truth;
    AtlasRat least = range.lo_known && atlas_rat_cmp(range.lo, lo) > 0 ? range.lo : lo;
    AtlasRat most = range.hi_known && atlas_rat_cmp(range.hi, hi) < 0 ? range.hi : hi;
    least = atlas_rat_ceil(atlas_rat_sub(least, whole->constant));
    most = atlas_rat_floor(atlas_rat_sub(most, whole->constant));
    return atlas_rat_ok(least) && atlas_rat_ok(most) && atlas_rat_cmp(least, most) > 0 ? NEVER
                                                                                       : MAYBE;
}

/* The bounds that an operator sets for left - right. */
static void limits(const Comparison *c, AtlasRat *lo, AtlasRat *hi) {
    gboolean equal = c->op == CMP_EQ || c->op == CMP_NE;
    *lo = equal                                ? atlas_rat_sub(atlas_rat(0), c->tolerance)
          : c->op == CMP_GT || c->op == CMP_GE ? atlas_rat(0)
                                               : ATLAS_RAT_NONE;
    *hi = equal ? c->tolerance : c->op == CMP_LT || c->op == CMP_LE ? atlas_rat(0) : ATLAS_RAT_NONE;
}

/* A quotient whose divisor can be one number only is no quotient. */
static Value simplified(const Judge *judge, AtlasLp *lp, Value v) {
    AtlasInterval divisor = v.den ? bounds(judge, lp, v.den) : (AtlasInterval){.lo_known = FALSE};
    if (!single(divisor) || divisor.lo.num == 0)
        return v;
    return (Value){times(judge, v.num, atlas_rat_div(atlas_rat(1), divisor.lo)), NULL};
}

/* 1 + how many others are greater, as an interval. */
static AtlasInterval rank_of(const Judge *judge, AtlasLp *lp, const Comparison *c) {
    gint64 surely = 0, perhaps = 0;
    for (guint i = 0; i < c->others->len; i++) {
        Value other = g_array_index(c->others, Value, i), more;
        if (!claim_add(judge->scope, simplified(judge, lp, other), simplified(judge, lp, c->left),
                       -1, &more) ||
            more.den) {
            perhaps++;
            continue;
        }
        AtlasInterval by = bounds(judge, lp, more.num);
        surely += by.lo_known && by.lo.num > 0;
        perhaps += !by.hi_known || by.hi.num > 0;
    }
    return (AtlasInterval){TRUE, TRUE, atlas_rat(1 + surely), atlas_rat(1 + perhaps)};
}

/* The same for a quotient: num / den >= lo means num - lo * den >= 0, where den > 0. */
static Truth quotient_within(const Judge *judge, AtlasLp *lp, Value v, AtlasRat lo, AtlasRat hi,
                             gboolean strict) {
    const AtlasRat zero = atlas_rat(0), minus = atlas_rat(-1);
    AtlasInterval divisor = bounds(judge, lp, v.den);
    Truth truth = ALWAYS;
    if (!divisor.lo_known || divisor.lo.num <= 0)
        return MAYBE; /* it may be 0 */
    if (atlas_rat_ok(lo))
        truth = form_within(judge, lp, plus(judge, v.num, atlas_rat_mul(lo, minus), v.den), zero,
                            ATLAS_RAT_NONE, strict);
    if (atlas_rat_ok(hi))
        truth =
            both(truth, form_within(judge, lp, plus(judge, v.num, atlas_rat_mul(hi, minus), v.den),
                                    ATLAS_RAT_NONE, zero, strict));
    return truth;
}

static Truth compare(const Judge *judge, AtlasLp *lp, const Comparison *c) {
    gboolean strict = c->op == CMP_LT || c->op == CMP_GT;
    AtlasRat lo, hi;
    Truth truth;
    Value difference;
    limits(c, &lo, &hi);
    if (c->others) {
        AtlasInterval rank = rank_of(judge, lp, c);
        AtlasRat back = atlas_rat_sub(atlas_rat(0), claim_number(c->right.num));
        truth = within(interval(atlas_rat_add(rank.lo, back), atlas_rat_add(rank.hi, back)), lo, hi,
                       strict);
        return c->op == CMP_NE ? not(truth) : truth;
    }
    if (!claim_add(judge->scope, simplified(judge, lp, c->left), simplified(judge, lp, c->right),
                   -1, &difference))
        return MAYBE; /* the parser refuses these */
    if (difference.den)
        truth = quotient_within(judge, lp, difference, lo, hi, strict);
    else
        truth = form_within(judge, lp, difference.num, lo, hi, strict);
    return c->op == CMP_NE ? not(truth) : truth;
}

static Truth all_of(Judge *judge, AtlasLp *lp, const GArray *comparisons) {
    Truth truth = ALWAYS;
    for (guint i = 0; i < comparisons->len && truth != NEVER; i++)
        truth = both(truth, compare(judge, lp, &g_array_index(comparisons, Comparison, i)));
    return truth;
}

/* ---- the value of a side ---- */

/* Refines one side of the bounds of num / den, den > 0, which lies between `out` (known to hold)
 * and `in`, by halving. */
static AtlasRat quotient_bound(const Judge *judge, AtlasLp *lp, Value v, AtlasRat out, AtlasRat in,
                               gboolean low) {
    enum { HALVINGS = 24, PARTS = 1000000 };
    for (guint i = 0; i < HALVINGS; i++) {
        double middle = (atlas_rat_double(out) + atlas_rat_double(in)) / 2;
        if (!(fabs(middle) < 1e9))
            break;
        AtlasRat at =
            atlas_rat_make((gint64)(low ? floor(middle * PARTS) : ceil(middle * PARTS)), PARTS);
        AtlasInterval rest =
            bounds(judge, lp, plus(judge, v.num, atlas_rat_mul(at, atlas_rat(-1)), v.den));
        gboolean holds =
            low ? rest.lo_known && rest.lo.num >= 0 : rest.hi_known && rest.hi.num <= 0;
        if (holds)
            out = at;
        else
            in = at;
    }
    return out;
}

/* An end of num / den that is not known where it would need one that is not. */
static AtlasRat quotient_end(gboolean known, AtlasRat num, AtlasInterval den, gboolean low) {
    gboolean least = (num.num < 0) == low; /* the quotient is there where the divisor is least */
    if (!known)
        return ATLAS_RAT_NONE;
    if (least)
        return atlas_rat_div(num, den.lo);
    return den.hi_known ? atlas_rat_div(num, den.hi) : low ? atlas_rat(0) : ATLAS_RAT_NONE;
}

static AtlasInterval value_of(const Judge *judge, AtlasLp *lp, Value v) {
    AtlasInterval num = bounds(judge, lp, v.num),
                  none = {.lo = ATLAS_RAT_NONE, .hi = ATLAS_RAT_NONE};
    if (!v.den)
        return num;
    AtlasInterval den = bounds(judge, lp, v.den);
    if (!den.lo_known || den.lo.num <= 0)
        return none;
    AtlasInterval out = interval(quotient_end(num.lo_known, num.lo, den, TRUE),
                                 quotient_end(num.hi_known, num.hi, den, FALSE));
    if (single(den) || !out.lo_known || !out.hi_known)
        return out;
    AtlasRat lo = quotient_bound(judge, lp, v, out.lo, out.hi, TRUE);
    out.hi = quotient_bound(judge, lp, v, out.hi, out.lo, FALSE);
    out.lo = lo;
    return out;
}

/* Decimals that people see, at least and at most. */
enum { PLACES_PERCENT = 2, PLACES = 3, PLACES_MOST = 9 };

static char *number_text(AtlasRat number, gboolean percent, guint places) {
    char text[64];
    if (!atlas_rat_ok(number))
        return g_strdup("?");
    atlas_rat_format(percent ? atlas_rat_mul(number, atlas_rat(100)) : number, places, text,
                     sizeof text);
    return g_strdup(text);
}

static char *interval_text(AtlasInterval i, gboolean percent, guint places) {
    g_autofree char *lo = number_text(i.lo_known ? i.lo : ATLAS_RAT_NONE, percent, places);
    g_autofree char *hi = number_text(i.hi_known ? i.hi : ATLAS_RAT_NONE, percent, places);
    const char *unit = percent ? "%" : "";
    if (single(i))
        return g_strdup_printf("%s%s", lo, unit);
    return g_strdup_printf("%s..%s%s", lo, hi, unit);
}

/* A number as it is printed. */
static AtlasRat printed(AtlasRat number, gboolean percent, guint places) {
    g_autofree char *text = number_text(number, percent, places);
    AtlasRat read = atlas_rat_parse(text, strlen(text), NULL);
    return percent ? atlas_rat_div(read, atlas_rat(100)) : read;
}

/* Whether a value, as it is printed, shows the verdict that it has: 0.82035 is not 0.82. */
static gboolean shows(const Comparison *c, AtlasInterval value, AtlasInterval right, Truth truth,
                      guint places) {
    AtlasRat lo, hi;
    limits(c, &lo, &hi);
    AtlasInterval off = interval(
        atlas_rat_sub(printed(value.lo_known ? value.lo : ATLAS_RAT_NONE, c->percent, places),
                      right.lo),
        atlas_rat_sub(printed(value.hi_known ? value.hi : ATLAS_RAT_NONE, c->percent, places),
                      right.lo));
    Truth seen = within(off, lo, hi, c->op == CMP_LT || c->op == CMP_GT);
    return (c->op == CMP_NE ? not(seen) : seen) == truth;
}

/* The value of a comparison's left side with as many decimals as its verdict needs; with the usual
 * ones where none show it, as where a value in between is none of those that launches can have. */
static char *value_text(const Comparison *c, AtlasInterval value, AtlasInterval right,
                        Truth truth) {
    guint least = c->percent ? PLACES_PERCENT : PLACES, places = least;
    while (places < PLACES_MOST && single(right) && !shows(c, value, right, truth, places))
        places++;
    return interval_text(value, c->percent, places < PLACES_MOST ? places : least);
}

/* What was claimed; of names, which stand in the claims file only, what they are worth, too. */
static char *expected_text(const Comparison *c, AtlasInterval right) {
    gboolean names = FALSE;
    for (const char *p = c->text; *p; p++)
        names = names || g_ascii_isalpha(*p);
    if (!names || (!right.lo_known && !right.hi_known))
        return g_strdup(c->text);
    g_autofree char *value = interval_text(right, c->percent, c->percent ? PLACES_PERCENT : PLACES);
    return g_strdup_printf("%s (%s)", c->text, value);
}

/* ---- lags ---- */

static gboolean is_unknown(const Scope *scope, Value v) {
    for (guint i = 0; i < scope->unknowns; i++)
        if (v.num->coefs[i].num != 0 || (v.den && v.den->coefs[i].num != 0))
            return TRUE;
    return FALSE;
}

static gboolean uses_unknowns(const Scope *scope, const GArray *comparisons) {
    for (guint i = 0; i < comparisons->len; i++) {
        const Comparison *c = &g_array_index(comparisons, Comparison, i);
        if (is_unknown(scope, c->left) || is_unknown(scope, c->right))
            return TRUE;
        for (guint j = 0; c->others && j < c->others->len; j++)
            if (is_unknown(scope, g_array_index(c->others, Value, j)))
                return TRUE;
    }
    return FALSE;
}

/* The greatest lag in low..high (in LAG_PARTS) at which the truth is still `truth`, which it is at
 * low: a greater lag allows more, so what is decided becomes undecided once. */
static gint64 last_with(Judge *judge, const GArray *comparisons, Truth truth, gint64 low,
                        gint64 high) {
    if (all_of(judge, lp_at(judge, high), comparisons) == truth)
        return high;
    while (high - low > 1) {
        gint64 middle = low + (high - low) / 2;
        if (all_of(judge, lp_at(judge, middle), comparisons) == truth)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static char *lag_text(gint64 parts) {
    char text[64];
    return g_strdup(atlas_rat_format(atlas_rat_make(parts, LAG_PARTS), 2, text, sizeof text));
}

/* What the verdict would be at other lags. */
static char *about_lag(Judge *judge, const GArray *comparisons, Truth truth) {
    const AtlasStudy *study = judge->scope->study;
    const gint64 most = (gint64)ATLAS_CLAIMS_LAG_MAX * LAG_PARTS;
    double lag_least = ceil(study->least_lag * LAG_PARTS - 1e-6);
    double lag_stated = floor(atlas_rat_double(study->lag) * LAG_PARTS + 1e-6);
    if (!(lag_least <= lag_stated && lag_stated <= (double)most))
        return NULL;
    gint64 least = (gint64)lag_least, stated = (gint64)lag_stated;
    if (truth != MAYBE) {
        gint64 last = last_with(judge, comparisons, truth, stated, most);
        g_autofree char *lag = lag_text(last);
        return last == most ? g_strdup_printf("at any lag up to %s", lag)
                            : g_strdup_printf("up to lag %s; inconclusive beyond", lag);
    }
    Truth at_least = all_of(judge, lp_at(judge, least), comparisons);
    if (at_least == MAYBE)
        return g_strdup("at every lag that explains the runs");
    g_autofree char *lag = lag_text(last_with(judge, comparisons, at_least, least, stated));
    return g_strdup_printf("%s up to lag %s", at_least == ALWAYS ? "pass" : "fail", lag);
}

/* ---- the verdict ---- */

void claim_judge(Judge *judge, const GArray *comparisons, AtlasCheck *check) {
    static const AtlasVerdict verdicts[] = {
        [ALWAYS] = ATLAS_PASS, [NEVER] = ATLAS_FAIL, [MAYBE] = ATLAS_INCONCLUSIVE};
    AtlasLp *lp = judge->scope->study->lp;
    Truth truth = all_of(judge, lp, comparisons);
    const Comparison *telling = NULL; /* the first that has the verdict of all */
    for (guint i = 0; !telling; i++) {
        const Comparison *c = &g_array_index(comparisons, Comparison, i);
        if (compare(judge, lp, c) == truth)
            telling = c;
    }
    AtlasInterval value =
        telling->others ? rank_of(judge, lp, telling) : value_of(judge, lp, telling->left);
    AtlasInterval right = value_of(judge, lp, telling->right);
    check->verdict = verdicts[truth];
    check->expected = expected_text(telling, right);
    check->measured = value_text(telling, value, right, truth);
    check->lo = value.lo_known ? value.lo : ATLAS_RAT_NONE;
    check->hi = value.hi_known ? value.hi : ATLAS_RAT_NONE;
    if (uses_unknowns(judge->scope, comparisons))
        check->why = about_lag(judge, comparisons, truth);
}

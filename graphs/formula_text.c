/* How formulas are written. */
#include "graphs/formula.h"

/* The number that all factors are whole multiples of. */
static AtlasRat common_factor(const Formula *formula, guint n) {
    gint64 num = 0, den = 1;
    for (guint k = 0; k < n; k++) {
        num = atlas_gcd(num, formula->factors[k].num);
        den = formula->factors[k].num ? atlas_lcm(den, formula->factors[k].den) : den;
    }
    return atlas_rat_make(num, den);
}

static void append_term(GString *out, AtlasRat factor, const char *run) {
    static const char minus[] = "\u2212";
    gint64 times = ABS(factor.num);
    if (out->len)
        g_string_append_printf(out, " %s ", factor.num < 0 ? minus : "+");
    else if (factor.num < 0)
        g_string_append(out, minus);
    if (times != 1)
        g_string_append_printf(out, "%" G_GINT64_FORMAT " ", times);
    g_string_append(out, run);
}

char *formula_text(const Ground *ground, const Formula *formula) {
    const AtlasEvidence *evidence = ground->study->evidence;
    guint n = evidence->observations->len;
    AtlasRat common = common_factor(formula, n);
    gboolean outside = !atlas_rat_is_whole(common) || (formula->runs > 1 && common.num != 1);
    g_autoptr(GString) sum = g_string_new(NULL);
    for (int negative = 0; negative < 2; negative++)
        for (guint k = 0; k < n; k++) {
            AtlasRat factor =
                outside ? atlas_rat_div(formula->factors[k], common) : formula->factors[k];
            if (factor.num != 0 && (factor.num < 0) == negative)
                append_term(sum, factor, atlas_evidence_get(evidence, k)->run->name);
        }
    if (!outside)
        return g_strdup(sum->str);
    char number[64];
    if (common.den == 1)
        atlas_rat_format(common, 0, number, sizeof number);
    else
        g_snprintf(number, sizeof number, "%" G_GINT64_FORMAT "/%" G_GINT64_FORMAT, common.num,
                   common.den);
    return formula->runs > 1 ? g_strdup_printf("%s (%s)", number, sum->str)
                             : g_strdup_printf("%s %s", number, sum->str);
}

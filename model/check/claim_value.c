#include "model/check/claim_expr.h"

AtlasRat claim_number(const AtlasLinear *form) {
    for (guint i = 0; i < form->n; i++)
        if (form->coefs[i].num != 0 || !atlas_rat_ok(form->coefs[i]))
            return ATLAS_RAT_NONE;
    return form->constant;
}

gboolean claim_form_ok(const AtlasLinear *form) {
    for (guint i = 0; i < form->n; i++)
        if (!atlas_rat_ok(form->coefs[i]))
            return FALSE;
    return atlas_rat_ok(form->constant);
}

/* a * factor + b * other; `b` may be NULL. */
static const AtlasLinear *combine(Scope *scope, const AtlasLinear *a, AtlasRat factor,
                                  const AtlasLinear *b, AtlasRat other) {
    AtlasLinear *sum = claim_form(scope);
    atlas_linear_add(sum, a, factor);
    if (b)
        atlas_linear_add(sum, b, other);
    return sum;
}

gboolean claim_add(Scope *scope, Value a, Value b, gint64 sign, Value *out) {
    AtlasRat factor = atlas_rat(sign);
    if ((!a.den && !b.den) || (a.den && b.den && atlas_linear_equal(a.den, b.den))) {
        *out = (Value){combine(scope, a.num, atlas_rat(1), b.num, factor), a.den};
        return TRUE;
    }
    AtlasRat left = a.den ? ATLAS_RAT_NONE : claim_number(a.num);
    AtlasRat right = b.den ? ATLAS_RAT_NONE : claim_number(b.num);
    if (atlas_rat_ok(right)) {
        *out = (Value){combine(scope, a.num, atlas_rat(1), a.den, atlas_rat_mul(right, factor)),
                       a.den};
        return TRUE;
    }
    if (!atlas_rat_ok(left))
        return FALSE;
    *out = (Value){combine(scope, b.num, factor, b.den, left), b.den};
    return TRUE;
}

gboolean claim_multiply(Scope *scope, Value a, Value b, Value *out) {
    AtlasRat left = a.den ? ATLAS_RAT_NONE : claim_number(a.num);
    AtlasRat right = b.den ? ATLAS_RAT_NONE : claim_number(b.num);
    if (atlas_rat_ok(right))
        *out = (Value){combine(scope, a.num, right, NULL, right), a.den};
    else if (atlas_rat_ok(left))
        *out = (Value){combine(scope, b.num, left, NULL, left), b.den};
    return atlas_rat_ok(left) || atlas_rat_ok(right);
}

gboolean claim_divide(Scope *scope, Value a, Value b, Value *out) {
    Value inverse = {b.den ? b.den : claim_constant(scope, atlas_rat(1)).num, b.num};
    AtlasRat number = claim_number(b.num);
    if (atlas_rat_ok(number)) /* not 0: the parser sees to it */
        inverse = (Value){
            combine(scope, inverse.num, atlas_rat_div(atlas_rat(1), number), NULL, number), NULL};
    if (!a.den && inverse.den && !b.den) {
        *out = (Value){a.num, inverse.den};
        return TRUE;
    }
    return claim_multiply(scope, a, inverse, out);
}

#include "model/check/claims.h"

#include <stddef.h>

#include "model/check/claim_expr.h"

/* ---- reading ---- */

#define FIELD(key, type, needed, member, doc)                                                      \
    { key, ATLAS_FIELD_##type, needed, AT(member), doc, NULL, NULL }
#define END                                                                                        \
    { NULL, ATLAS_FIELD_TEXT, FALSE, 0, NULL, NULL, NULL }

#define AT(member) offsetof(AtlasClaim, member)
static const AtlasSpecField claim_fields[] = {
    FIELD("says", TEXT, TRUE, says, "the statement, in words that can be found in the document"),
    FIELD("at", TEXT, TRUE, at, "where it stands in the document"),
    FIELD("check", EXPRESSION, FALSE, check,
          "comparisons joined by and: run(base).total == 21427, at(no-kda).fwd <= 9100, "
          "share(kda) == 65.5 % +- 0.05"),
    FIELD("external", TEXT, FALSE, external, "instead of `check`: why no arithmetic settles it"),
    FIELD("doubt", TEXT, FALSE, doubt,
          "beside `check`: why what it is judged by cannot settle it, which leaves it open"),
    FIELD("note", TEXT, FALSE, note, "the arithmetic, for a reader"),
    END,
};
#undef AT
static const AtlasObjectKind claim = {"a claim", sizeof(AtlasClaim), claim_fields};

#define AT(member) offsetof(AtlasClaims, member)
static const AtlasSpecField root_fields[] = {
    FIELD("claims", INT, TRUE, version, "the version of this form: 1"),
    FIELD("of", TEXT, TRUE, of, "the document that makes the claims"),
    FIELD("let", PAIRS, FALSE, let, "names for values that several claims use"),
    {"list", ATLAS_FIELD_SEQUENCE, TRUE, AT(list), "the claims, in the document's order", NULL,
     &claim},
    END,
};
#undef AT
const AtlasObjectKind atlas_claims_root = {"a claims file", sizeof(AtlasClaims), root_fields};

AtlasClaims *atlas_claims_read(const AtlasSource *source, AtlasDiags *diags) {
    g_autoptr(AtlasClaims) claims = g_new0(AtlasClaims, 1);
    atlas_tree_init(&claims->tree);
    if (!atlas_tree_read(&claims->tree, source, &atlas_claims_root, claims, diags))
        return NULL;
    for (guint i = 0; claims->list && i < claims->list->len; i++) {
        const AtlasClaim *c = g_ptr_array_index(claims->list, i);
        const AtlasText *first = c->says.text ? &c->says : &c->at;
        if (c->doubt.text && !c->check.text) {
            atlas_diags_error(diags, c->doubt.at, "a claim without 'check' has nothing to doubt");
            atlas_diags_hint(diags, "what no arithmetic settles is said by 'external' alone");
        }
        if (!first->text || (c->check.text != NULL) != (c->external.text != NULL))
            continue;
        atlas_diags_error(diags, first->at, "a claim has either 'check' or 'external'");
        atlas_diags_hint(diags, "check: fwd <= 9100, or external: why no arithmetic settles it");
    }
    return g_steal_pointer(&claims);
}

void atlas_claims_free(AtlasClaims *claims) {
    if (!claims)
        return;
    atlas_tree_clear(&claims->tree);
    g_free(claims);
}

/* ---- evaluating ---- */

static void read_let(const AtlasClaims *claims, Scope *scope) {
    for (guint i = 0; claims->let && i < claims->let->len; i++) {
        const AtlasPair *pair = &g_array_index(claims->let, AtlasPair, i);
        Named made = {pair->key.text, {NULL, NULL}};
        if (!claim_parse_value(scope, &pair->value, &made.value))
            made.value =
                claim_constant(scope, atlas_rat(0)); /* so that its users are not wrong too */
        g_array_append_val(scope->named, made);
    }
}

/* What is doubted settles nothing, either way. */
static void leave_open(AtlasCheck *check, const char *doubt) {
    check->verdict = ATLAS_INCONCLUSIVE;
    g_free(check->why);
    check->why = g_strdup(doubt);
}

void atlas_claims_evaluate(const AtlasClaims *claims, AtlasStudy *study, AtlasResult *result,
                           AtlasDiags *diags) {
    Scope scope;
    Judge judge;
    claim_scope_init(&scope, study, diags);
    claim_judge_init(&judge, &scope);
    read_let(claims, &scope);
    for (guint i = 0; claims->list && i < claims->list->len; i++) {
        const AtlasClaim *c = g_ptr_array_index(claims->list, i);
        guint forms = scope.forms->len;
        g_autoptr(GArray) comparisons = c->check.text ? claim_parse(&scope, &c->check) : NULL;
        AtlasCheck *check = atlas_result_add(result, "claim");
        check->subject = g_strdup(c->says.text);
        check->place = g_strdup(c->at.text);
        check->note = g_strdup(c->note.text);
        if (!c->check.text) {
            check->verdict = ATLAS_EXTERNAL;
            check->why = g_strdup(c->external.text);
        } else if (comparisons && atlas_diags_errors(diags) == 0) {
            claim_judge(&judge, comparisons, check);
            if (c->doubt.text)
                leave_open(check, c->doubt.text);
        }
        g_ptr_array_set_size(scope.forms, (int)forms); /* nothing of this claim is needed longer */
    }
    claim_judge_clear(&judge);
    claim_scope_clear(&scope);
}

#include "model/check/proved.h"

#include <string.h>

#include "model/proof/tell.h"

AtlasVerdict atlas_proved_judge(const AtlasProof *proof) {
    if (proof->verdict == ATLAS_PROOF_HOLDS)
        return ATLAS_PASS;
    if (proof->verdict == ATLAS_PROOF_REFUTED)
        return proof->property == ATLAS_PROPERTY_WINDOW ? ATLAS_PASS : ATLAS_FAIL;
    return ATLAS_INCONCLUSIVE;
}

/* ---- one check for each proof ---- */

static void add_check(const AtlasProof *proof, const AtlasProgram *program, const char *subject,
                      gboolean full, AtlasResult *result) {
    AtlasCheck *check = atlas_result_add(result, atlas_property_name(proof->property));
    g_autofree char *of = atlas_tell_of(proof, program);
    check->subject = of ? g_strdup_printf("%s %s", subject, of) : g_strdup(subject);
    check->place = atlas_tell_place(program, proof->ats ? proof->at[0].op : proof->op);
    check->verdict = atlas_proved_judge(proof);
    check->measured = atlas_tell_value(proof);
    check->why = atlas_tell_why(proof);
    check->proof = atlas_tell_json(proof, program);
    if (!full && check->verdict == ATLAS_PASS) /* how a counter that lags comes to lag is long */
        json_object_set_new(check->proof, "schedule", json_null());
    check->told = TRUE;
    if (atlas_property_counts(proof->property) && proof->verdict <= ATLAS_PROOF_REFUTED) {
        check->lo = atlas_rat(proof->least);
        check->hi = proof->most < 0 ? ATLAS_RAT_NONE : atlas_rat(proof->most);
    }
    if (proof->property == ATLAS_PROPERTY_SMEAR && proof->verdict == ATLAS_PROOF_REFUTED)
        check->expected = g_strdup("== 0");
}

/* ---- for people, in full ---- */

static const AtlasTableColumn columns[] = {
    {"verdict", NULL, FALSE}, {"property", NULL, FALSE}, {"of", NULL, FALSE},
    {"found", NULL, TRUE},    {"by", NULL, FALSE},       {NULL, NULL, FALSE},
};

/* The number of an assumption in the list of those that were made. */
static guint note_number(GPtrArray *notes, const char *text) {
    guint i;
    if (!g_ptr_array_find_with_equal_func(notes, text, g_str_equal, &i)) {
        i = notes->len;
        g_ptr_array_add(notes, (gpointer)text);
    }
    return i + 1;
}

static void add_row(AtlasTable *table, GPtrArray *notes, const AtlasProof *proof,
                    const AtlasProgram *program) {
    gboolean open = proof->verdict > ATLAS_PROOF_REFUTED;
    gboolean told =
        proof->verdict == ATLAS_PROOF_REFUTED && atlas_proved_judge(proof) == ATLAS_FAIL;
    g_autofree char *of = atlas_tell_of(proof, program), *value = atlas_tell_value(proof);
    atlas_table_row(table);
    atlas_table_text(table, "%s", atlas_verdict_name(atlas_proved_judge(proof)));
    atlas_table_text(table, "%s", atlas_property_name(proof->property));
    atlas_table_text(table, "%s", of ? of : "");
    atlas_table_text(table, "%s", value);
    if (open)
        atlas_table_text(table, "%s", proof->why);
    else if (proof->assumes && !told)
        atlas_table_text(table, "%s [%u]",
                         proof->verdict == ATLAS_PROOF_REFUTED ? "launches that its ends may hide"
                                                               : proof->method,
                         note_number(notes, proof->assumes));
    else
        atlas_table_text(table, "%s", proof->method);
}

static void tell_full(const AtlasProofs *proofs, const AtlasProgram *program, const char *subject,
                      GString *out) {
    g_autoptr(AtlasTable) table = atlas_table_new(columns);
    g_autoptr(GPtrArray) notes = g_ptr_array_new();
    for (guint i = 0; i < atlas_proofs_count(proofs); i++)
        add_row(table, notes, atlas_proofs_get(proofs, i), program);
    g_autofree char *rows = atlas_table_render(table);
    g_string_append_printf(out, "%s: %s\n\n%s", subject, atlas_proofs_get(proofs, 0)->over, rows);
    for (guint i = 0; i < notes->len; i++)
        g_string_append_printf(out, "%s[%u] assuming: %s\n", i ? "" : "\n", i + 1,
                               (const char *)g_ptr_array_index(notes, i));
}

/* ---- for people, in one sentence ---- */

/* "legal, race, deadlock": those properties of the whole program that have a verdict. */
static char *list_names(const AtlasProofs *proofs, AtlasVerdict verdict) {
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < atlas_proofs_count(proofs); i++) {
        const AtlasProof *proof = atlas_proofs_get(proofs, i);
        if (!atlas_property_counts(proof->property) && atlas_proved_judge(proof) == verdict)
            g_string_append_printf(out, "%s%s", out->len ? ", " : "",
                                   atlas_property_name(proof->property));
    }
    return g_string_free(out, FALSE);
}

static void tell_short(const AtlasProofs *proofs, const char *subject, GString *out) {
    static const struct {
        AtlasVerdict verdict;
        const char *what;
    } parts[] = {{ATLAS_PASS, "proved"}, {ATLAS_FAIL, "refuted"}, {ATLAS_INCONCLUSIVE, "open"}};
    g_string_append_printf(out, "%s, %s:", subject, atlas_proofs_get(proofs, 0)->over);
    for (guint i = 0, n = 0; i < G_N_ELEMENTS(parts); i++) {
        g_autofree char *names = list_names(proofs, parts[i].verdict);
        if (*names)
            g_string_append_printf(out, "%s %s %s", n++ ? ";" : "", names, parts[i].what);
    }
    g_string_append(out, " (--prove says how)\n");
}

/* Whether a race at a depth is shown by what shows the race. */
static gboolean same_refutation(const AtlasProof *a, const AtlasProof *b) {
    if (a->verdict != ATLAS_PROOF_REFUTED || !a->schedule || !b->schedule || !a->buffer ||
        a->schedule->len != b->schedule->len)
        return FALSE;
    for (guint i = 0; i < a->schedule->len; i++) {
        const AtlasScheduleEvent *e = &g_array_index(a->schedule, AtlasScheduleEvent, i);
        const AtlasScheduleEvent *f = &g_array_index(b->schedule, AtlasScheduleEvent, i);
        if (e->complete != f->complete || e->when.op != f->when.op || e->count != f->count ||
            e->when.step != f->when.step || e->when.nth != f->when.nth)
            return FALSE;
    }
    return TRUE;
}

void atlas_proved_add(const AtlasProofs *proofs, const AtlasProgram *program, const char *subject,
                      gboolean full, AtlasResult *result) {
    GString *out = result->below;
    if (out->len)
        g_string_append_c(out, '\n');
    if (full)
        tell_full(proofs, program, subject, out);
    else
        tell_short(proofs, subject, out);
    for (guint i = 0; i < atlas_proofs_count(proofs); i++) {
        const AtlasProof *proof = atlas_proofs_get(proofs, i);
        add_check(proof, program, subject, full, result);
        if (proof->verdict != ATLAS_PROOF_REFUTED || atlas_proved_judge(proof) != ATLAS_FAIL)
            continue;
        g_string_append_c(out, '\n');
        if (i > 0 && same_refutation(atlas_proofs_get(proofs, i - 1), proof))
            g_string_append_printf(out, "%s, refuted by the same schedule\n",
                                   atlas_property_name(proof->property));
        else
            atlas_tell(proof, program, out);
    }
}

/* ---- what programs expect ---- */

static const struct {
    const char *key;
    AtlasProperty property; /* ATLAS_PROPERTIES: none that is proved */
    const char *holds, *refuted;
} keys[] = {
    {"capture", ATLAS_PROPERTY_LEGAL, "legal", "illegal"},
    {"race", ATLAS_PROPERTY_RACE, "no", "yes"},
    {"raceD", ATLAS_PROPERTY_RACE_AT_DEPTH, "no", "yes"},
    {"deadlock", ATLAS_PROPERTY_DEADLOCK, "no", "yes"},
    {"window", ATLAS_PROPERTY_WINDOW, "exact", "inexact"},
    {"smear", ATLAS_PROPERTY_SMEAR, NULL, NULL},
    {"replay", ATLAS_PROPERTIES, "equal", "differs"},
    {ATLAS_EXPECT_FINGERPRINT, ATLAS_PROPERTIES, "equal", "differs"},
};

gboolean atlas_proved_expects(const AtlasProgram *program) {
    for (guint i = 0; i < program->ops->len; i++)
        if (g_array_index(program->ops, AtlasOp, i).kind == ATLAS_OP_EXPECT)
            return TRUE;
    return FALSE;
}

/* The proof that an expectation speaks of. A race that cannot be has none at a depth. */
static const AtlasProof *find_proof(const AtlasProofs *proofs, AtlasProperty property) {
    const AtlasProof *proof = atlas_proofs_find(proofs, property);
    const AtlasProof *race = atlas_proofs_find(proofs, ATLAS_PROPERTY_RACE);
    if (!proof && property == ATLAS_PROPERTY_RACE_AT_DEPTH && race->verdict != ATLAS_PROOF_REFUTED)
        return race;
    return proof;
}

/* What was found, as an expectation says it; NULL where nothing was decided. */
static char *found_word(const AtlasProofs *proofs, guint key, const AtlasProof *proof) {
    if (!proof || proof->verdict > ATLAS_PROOF_REFUTED)
        return NULL;
    if (keys[key].property == ATLAS_PROPERTY_SMEAR)
        return atlas_tell_smears(proofs);
    return g_strdup_printf("%s=%s", keys[key].key,
                           proof->verdict == ATLAS_PROOF_HOLDS ? keys[key].holds
                                                               : keys[key].refuted);
}

static gboolean has_threads(const AtlasProgram *program) {
    for (guint i = 0; i < program->ops->len; i++)
        if (g_array_index(program->ops, AtlasOp, i).thread > 1)
            return TRUE;
    return FALSE;
}

static char *open_why(const AtlasProgram *program, guint key, const AtlasProof *proof) {
    if (proof)
        return atlas_tell_why(proof);
    if (keys[key].property == ATLAS_PROPERTY_RACE_AT_DEPTH)
        return g_strdup("no depth is given: the program lacks the line 'depth N', and --depth");
    return g_strdup(keys[key].property == ATLAS_PROPERTIES
                        ? "whether replays do what was captured is not proved yet"
                    : has_threads(program)
                        ? "what a counter shows is not modelled where several host threads call"
                        : "the counter is not read, or a call before it fails or never returns");
}

/* Whether a program expects nothing but of its fingerprints. */
static gboolean is_run_only(const AtlasProgram *program) {
    gboolean only = TRUE;
    for (guint i = 0; i < program->ops->len; i++) {
        const AtlasOp *op = &g_array_index(program->ops, AtlasOp, i);
        g_auto(GStrv) words = g_strsplit(op->kind == ATLAS_OP_EXPECT ? op->text : "", " ", -1);
        for (guint w = 0; words[w]; w++)
            only &= !*words[w] || g_str_has_prefix(words[w], ATLAS_EXPECT_FINGERPRINT "=");
    }
    return only;
}

/* Fingerprints alone leave nothing to be proved, which is no verdict. */
static void add_run_only(const AtlasProgram *program, guint op, const char *word,
                         AtlasResult *result) {
    AtlasCheck *check = atlas_result_add(result, ATLAS_EXPECT_FINGERPRINT);
    check->subject = g_strdup(program->name);
    check->place = atlas_tell_place(program, op);
    check->expected = g_strdup(word);
    check->measured = g_strdup("?");
    check->verdict = ATLAS_INCONCLUSIVE;
    check->why = g_strdup("fingerprints are run, not proved: 'atlas-check FILE' without --prove "
                          "does that");
    check->told = TRUE;
    g_string_append_printf(result->below, "%s: %s: inconclusive: expected %s, %s\n", check->place,
                           program->name, word, check->why);
}

static void judge_word(const AtlasProofs *proofs, const AtlasProgram *program, guint key, guint op,
                       const char *word, gboolean all, AtlasResult *result) {
    if (g_str_equal(keys[key].key, ATLAS_EXPECT_FINGERPRINT)) {
        if (is_run_only(program))
            add_run_only(program, op, word, result);
        return;
    }
    const AtlasProof *proof = find_proof(proofs, keys[key].property);
    g_autofree char *found = found_word(proofs, key, proof);
    gboolean proved = keys[key].property != ATLAS_PROPERTIES;
    AtlasCheck *check =
        atlas_result_add(result, proved ? atlas_property_name(keys[key].property) : keys[key].key);
    check->subject = g_strdup(program->name);
    check->place = atlas_tell_place(program, op);
    check->expected = g_strdup(word);
    check->measured = g_strdup(found   ? found
                               : proof ? atlas_proof_verdict_name(proof->verdict)
                                       : "?");
    check->verdict = !found                     ? ATLAS_INCONCLUSIVE
                     : g_str_equal(found, word) ? ATLAS_PASS
                                                : ATLAS_FAIL;
    check->why = found ? atlas_tell_why(proof) : open_why(program, key, proof);
    check->proof = proof ? atlas_tell_json(proof, program) : NULL;
    check->told = TRUE;
    if (check->verdict == ATLAS_PASS && !all)
        return;
    g_string_append_printf(result->below, "%s: %s: %s: expected %s, ", check->place, program->name,
                           atlas_verdict_name(check->verdict), word);
    if (found)
        g_string_append_printf(result->below, "proved %s\n", found);
    else
        g_string_append_printf(result->below, "%s\n", check->why);
    if (found && proof->verdict == ATLAS_PROOF_REFUTED)
        atlas_tell(proof, program, result->below);
}

static gboolean known_value(guint key, const char *value) {
    if (keys[key].holds)
        return g_str_equal(value, keys[key].holds) || g_str_equal(value, keys[key].refuted);
    g_auto(GStrv) numbers = g_strsplit(value, ",", -1);
    gboolean good = numbers[0] != NULL;
    for (guint i = 0; numbers[i] && good; i++)
        good = g_str_equal(numbers[i], "any") ||
               (*numbers[i] && strspn(numbers[i], "0123456789") == strlen(numbers[i]));
    return good;
}

static void report(const AtlasOp *op, const char *word, guint key, AtlasDiags *diags) {
    const char *names[G_N_ELEMENTS(keys) + 1] = {NULL};
    for (guint i = 0; i < G_N_ELEMENTS(keys); i++)
        names[i] = keys[i].key;
    if (key == G_N_ELEMENTS(keys)) {
        atlas_diags_error(diags, op->at, "expected PROPERTY=VALUE, not '%s'", word);
        atlas_diags_suggest(diags, word, "properties are", names);
    } else if (keys[key].holds) {
        atlas_diags_error(diags, op->at, "%s is expected to be %s or %s, not '%s'", keys[key].key,
                          keys[key].holds, keys[key].refuted, strchr(word, '=') + 1);
    } else {
        atlas_diags_error(diags, op->at, "smear is expected as a number for each read, not '%s'",
                          strchr(word, '=') + 1);
        atlas_diags_hint(diags, "for example smear=2,0");
    }
}

void atlas_proved_expected(const AtlasProofs *proofs, const AtlasProgram *program, gboolean all,
                           AtlasResult *result, AtlasDiags *diags) {
    for (guint i = 0; i < program->ops->len; i++) {
        const AtlasOp *op = &g_array_index(program->ops, AtlasOp, i);
        g_auto(GStrv) words = g_strsplit(op->kind == ATLAS_OP_EXPECT ? op->text : "", " ", -1);
        for (guint w = 0; words[w]; w++) {
            gsize length = strcspn(words[w], "=");
            guint key = 0;
            if (!*words[w])
                continue;
            while (key < G_N_ELEMENTS(keys) &&
                   (strlen(keys[key].key) != length || strncmp(keys[key].key, words[w], length) ||
                    !words[w][length]))
                key++;
            if (key == G_N_ELEMENTS(keys) || !known_value(key, words[w] + length + 1))
                report(op, words[w], key, diags);
            else
                judge_word(proofs, program, key, i, words[w], all, result);
        }
    }
}

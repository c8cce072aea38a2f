/* The engine on the corpus: 29 small models whose verdicts are known, each file stating its own. */
#include "model/proof/flow.h"
#include "model/proof/prove.h"
#include "model/proof/search.h"
#include "tests/unit/stated.h"
#include "tests/unit/suites.h"

#define CORPUS "tests/programs/corpus"

/* The verdict in the words of the corpus. */
static const char *word(const AtlasProof *proof, const char *holds, const char *refuted) {
    if (!proof)
        return "none";
    return proof->verdict == ATLAS_PROOF_HOLDS     ? holds
           : proof->verdict == ATLAS_PROOF_REFUTED ? refuted
                                                   : atlas_proof_verdict_name(proof->verdict);
}

/* "2,0": the greatest smear of each read. */
static char *smears(const AtlasProofs *proofs) {
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < atlas_proofs_count(proofs); i++) {
        const AtlasProof *proof = atlas_proofs_get(proofs, i);
        if (proof->property == ATLAS_PROPERTY_SMEAR)
            g_string_append_printf(out, "%s%" G_GINT64_FORMAT, out->len ? "," : "", proof->most);
    }
    return g_string_free(out, FALSE);
}

/* The same of the search. */
static char *search_smears(const SearchResult *s) {
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < s->readings->len; i++)
        g_string_append_printf(out, "%s%" G_GINT64_FORMAT, out->len ? "," : "",
                               g_array_index(s->readings, SearchReading, i).most);
    return g_string_free(out, FALSE);
}

/* A verdict that the program states must be the one found. */
static void judge(const char *name, const AtlasProgram *program, const char *key,
                  const char *found) {
    g_autofree char *wanted = stated(program, key);
    ck_assert_msg(!wanted || strcmp(wanted, found) == 0, "%s: %s: expected %s, got %s", name, key,
                  wanted, found);
}

static void check_search(const char *name, const AtlasProgram *program) {
    g_autoptr(Flow) flow = flow_new(program);
    SearchOptions options = {.depth = 0};
    g_autoptr(SearchResult) plain = search_run(program, &options);
    options.depth = flow->depth;
    g_autoptr(SearchResult) deep = search_run(program, &options);
    g_autofree char *smear = search_smears(deep), *capture = stated(program, "capture");
    if (g_strcmp0(capture, "illegal") == 0) {
        ck_assert_int_eq(plain->end, SEARCH_NOT_MODELLED);
        return;
    }
    ck_assert_int_eq(plain->end, SEARCH_DONE);
    judge(name, program, "race", plain->race ? "yes" : "no");
    judge(name, program, "raceD", deep->race ? "yes" : "no");
    judge(name, program, "deadlock", deep->deadlock ? "yes" : "no");
    judge(name, program, "smear", smear);
}

static void check_corpus(const char *name, const AtlasProgram *program) {
    g_autoptr(AtlasProofs) proofs = atlas_prove(program, NULL);
    const AtlasProof *race = atlas_proofs_find(proofs, ATLAS_PROPERTY_RACE);
    const AtlasProof *deep = atlas_proofs_find(proofs, ATLAS_PROPERTY_RACE_AT_DEPTH);
    g_autofree char *smear = smears(proofs);
    const char *found[][2] = {
        {"capture", word(atlas_proofs_find(proofs, ATLAS_PROPERTY_LEGAL), "legal", "illegal")},
        {"deadlock", word(atlas_proofs_find(proofs, ATLAS_PROPERTY_DEADLOCK), "no", "yes")},
        {"race", word(race, "no", "yes")},
        {"raceD", word(deep ? deep : race, "no", "yes")},
        {"window", word(atlas_proofs_find(proofs, ATLAS_PROPERTY_WINDOW), "exact", "inexact")},
        {"smear", smear},
    };
    for (guint i = 0; i < G_N_ELEMENTS(found); i++)
        judge(name, program, found[i][0], found[i][1]);
}

START_TEST(corpus) {
    g_autoptr(GDir) dir = g_dir_open(CORPUS, 0, NULL);
    guint programs = 0;
    ck_assert_msg(dir != NULL, "no folder %s", CORPUS);
    for (const char *name = g_dir_read_name(dir); name; name = g_dir_read_name(dir)) {
        if (!g_str_has_suffix(name, ".txt"))
            continue;
        g_autofree char *path = g_build_filename(CORPUS, name, NULL);
        g_autoptr(AtlasSource) source = atlas_source_load(path, NULL);
        g_autoptr(AtlasDiags) diags = atlas_diags_new();
        g_autoptr(AtlasProgramFile) file = atlas_program_read(source, diags);
        g_autofree char *errors = atlas_diags_render(diags, FALSE);
        ck_assert_msg(file != NULL, "%s", errors);
        check_corpus(name, atlas_program_file_get(file, 0));
        check_search(name, atlas_program_file_get(file, 0));
        programs++;
    }
    ck_assert_uint_eq(programs, 29);
}
END_TEST

Suite *engine_suite(void) {
    Suite *suite = suite_create("engine");
    TCase *tc = tcase_create("corpus");
    tcase_add_test(tc, corpus);
    suite_add_tcase(suite, tc);
    return suite;
}

/* Fuzzes the checker: whatever can be read as a program gets its proofs, and where the search sees
 * every state, the engine says the same. What is refuted has a trail that can be read, or none. */
#include <stdint.h>
#include <string.h>

#include "model/proof/engine.h"
#include "model/proof/prove.h"
#include "model/proof/search.h"
#include "model/proof/trail.h"
#include "sim/order.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static gboolean shows(const AtlasProgram *program, const AtlasProof *race) {
    return atlas_order_shows(program, race) != NULL;
}

static void write_trail(const AtlasProgram *program, const AtlasProof *proof) {
    g_autofree char *text = atlas_trail(program, proof, NULL, shows, NULL);
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    const char *read = text ? text : "";
    g_autoptr(AtlasSource) source = atlas_source_new("trail", read, strlen(read), NULL);
    g_autoptr(AtlasProgramFile) file = atlas_program_read(source, diags);
    g_assert(file);
}

static void prove(const AtlasProgram *program) {
    g_autoptr(AtlasProofs) proofs = atlas_prove(program, NULL);
    for (guint i = 0; i < atlas_proofs_count(proofs); i++) {
        const AtlasProof *proof = atlas_proofs_get(proofs, i);
        g_assert((proof->why == NULL) == (proof->verdict == ATLAS_PROOF_HOLDS) && proof->over);
        if (proof->verdict == ATLAS_PROOF_REFUTED)
            write_trail(program, proof);
    }
}

static void compare(const AtlasProgram *program) {
    g_autoptr(Flow) flow = flow_new(program);
    SearchOptions options = {
        .depth = flow->depth, .steps = 2, .max_states = 5000, .max_bytes = 1 << 24};
    g_autoptr(SearchResult) s = search_run(program, &options);
    if (s->end != SEARCH_DONE || flow->refusal)
        return;
    g_autoptr(Engine) e = engine_run(flow, flow->depth, 2, ENGINE_ALL, NULL);
    if (e->end != ENGINE_DONE && e->end != ENGINE_STUCK)
        return;
    g_assert(s->deadlock == (e->end == ENGINE_STUCK));
    g_assert(s->race == (race_found(e->races)->len > 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    g_autoptr(AtlasSource) source = atlas_source_new("fuzz", (const char *)data, size, NULL);
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasProgramFile) file = source ? atlas_program_read(source, diags) : NULL;
    for (guint i = 0; file && i < atlas_program_file_count(file); i++) {
        prove(atlas_program_file_get(file, i));
        compare(atlas_program_file_get(file, i));
    }
    return 0;
}

/* Fuzzes the machine: a program that can be read is run or refused with one error; a copy goes on
 * as the original does, and tidying or copying changes no hash. */
#include <stdint.h>

#include "model/machine/explain.h"
#include "model/machine/run.h"
#include "model/machine/state.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { STEPS = 20, RUN_OPS = 100000, OPS = 200 };

static void apply_twice(const AtlasProgram *program, const AtlasScript *script) {
    g_autoptr(AtlasMachine) machine = atlas_machine_new(script);
    g_autoptr(AtlasMachine) copy = atlas_machine_new(script);
    for (guint op = 0; op < MIN(program->ops->len, OPS); op++) {
        g_autoptr(GString) once = g_string_new(NULL);
        g_autoptr(GString) twice = g_string_new(NULL);
        atlas_machine_copy(copy, machine);
        state_tidy(copy);
        AtlasAnswer a = atlas_machine_apply(machine, op), b = atlas_machine_apply(copy, op);
        atlas_answer_write(&a, once);
        atlas_answer_write(&b, twice);
        atlas_explain(program, op, &a, once);
        atlas_explain(program, op, &b, twice);
        g_assert_cmpstr(once->str, ==, twice->str);
        for (AtlasHashKind kind = ATLAS_HASH_BY_NAME; kind <= ATLAS_HASH_ANY_NAME; kind++)
            g_assert(atlas_machine_hash(machine, kind) == atlas_machine_hash(copy, kind));
    }
}

static void run(const AtlasProgram *program) {
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasScript) script = atlas_script_new(program, diags);
    if (!script)
        return;
    g_autoptr(AtlasMachine) machine = atlas_machine_new(script);
    g_autoptr(AtlasOutcome) outcome = atlas_run_on(machine, STEPS, RUN_OPS, diags);
    g_autoptr(GString) out = g_string_new(NULL);
    g_assert(atlas_diags_errors(diags) == (outcome == NULL));
    apply_twice(program, script);
    if (!outcome)
        return;
    g_array_unref(atlas_outcome_compare(program, outcome));
    atlas_outcome_write(program, outcome, out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    g_autoptr(AtlasSource) source = atlas_source_new("fuzz", (const char *)data, size, NULL);
    if (!source)
        return 0;
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasProgramFile) file = atlas_program_read(source, diags);
    for (guint i = 0; file && i < atlas_program_file_count(file); i++)
        run(atlas_program_file_get(file, i));
    return 0;
}

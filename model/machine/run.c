#include "model/machine/run.h"

#include "model/machine/state.h"

AtlasOutcome *atlas_run_on(AtlasMachine *machine, gint64 steps, AtlasDiags *diags) {
    const AtlasProgram *program = machine->script->program;
    AtlasOutcome *outcome = atlas_outcome_new(program);
    (void)steps;
    (void)diags;
    atlas_machine_reset(machine);
    outcome->state = ATLAS_OUTCOME_FINISHED;
    for (guint i = 0; i < program->ops->len; i++) {
        AtlasAnswer a = atlas_machine_apply(machine, i);
        if (a.code == ATLAS_RESULT_NONE)
            continue;
        atlas_outcome_put(outcome, i, &a);
        outcome->calls++;
        if (a.code == ATLAS_RESULT_UNDEFINED) {
            outcome->state = ATLAS_OUTCOME_UNDEFINED;
            outcome->ended_at = i;
            return outcome;
        }
    }
    outcome->executed = atlas_machine_executed(machine);
    return outcome;
}
AtlasOutcome *atlas_run(const AtlasProgram *program, gint64 steps, AtlasDiags *diags) {
    g_autoptr(AtlasScript) script = atlas_script_new(program, diags);
    if (!script)
        return NULL;
    g_autoptr(AtlasMachine) machine = atlas_machine_new(script);
    return atlas_run_on(machine, steps, diags);
}

/* What a program states, in a replay. */
#include "backends/replayed.h"
#include "backends/stated.h"
#include "model/machine/run.h"

static gboolean has_step(const AtlasProgram *program) {
    for (guint i = 0; i < program->ops->len; i++)
        if (g_array_index(program->ops, AtlasOp, i).kind == ATLAS_OP_STEP)
            return TRUE;
    return FALSE;
}

/* "launch s => INVALID_VALUE (line 3): stated OK" */
static char *describe(const AtlasProgram *program, const AtlasDifference *d) {
    g_autoptr(GString) text = g_string_new(NULL);
    guint line, column;
    if (d->op < program->ops->len) {
        const AtlasOp *op = &g_array_index(program->ops, AtlasOp, d->op);
        atlas_op_write_call(op, text);
        if (op->at.source) {
            atlas_source_position(op->at.source, op->at.start, &line, &column);
            g_string_append_printf(text, " (line %u)", line);
        }
        g_string_append(text, ": ");
    }
    g_string_append_printf(text, "stated %s, but %s", d->expected, d->got);
    return g_string_free(g_steal_pointer(&text), FALSE);
}

void replayed_stated(AtlasMeasurement *m, const AtlasProgram *program, AtlasSteps steps,
                     const AtlasOutcome *got) {
    if (!stated_results(program))
        return;
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    gint64 period = stated_period(program, diags);
    gboolean same = !has_step(program) || (steps.first == 0 && steps.last + 1 == period);
    g_autoptr(AtlasOutcome) simulated =
        same || atlas_diags_errors(diags) ? NULL : atlas_run(program, period, diags);
    AtlasFinding *finding = atlas_measurement_find(m, "stated");
    finding->expected = g_strdup("as stated");
    if (!same && !simulated) {
        finding->found = ATLAS_FOUND_OPEN;
        finding->why = g_strdup("it is stated of more steps than the machine performs");
        return;
    }
    g_autoptr(GArray) differences = atlas_outcome_compare(program, same ? got : simulated);
    stated_spare_undefined(program, differences);
    g_autofree char *first =
        differences->len ? describe(program, &g_array_index(differences, AtlasDifference, 0))
                         : g_strdup("each result and number that is stated is right");
    finding->found = differences->len ? ATLAS_FOUND_WRONG : ATLAS_FOUND_RIGHT;
    finding->measured = g_strdup_printf("%u differ", differences->len);
    finding->number = atlas_rat(differences->len);
    if (same)
        finding->why = g_strdup_printf("%s, by the driver", first);
    else
        finding->why =
            g_strdup_printf("%s, by the machine: what is stated is of steps 0-%" G_GINT64_FORMAT
                            ", which are not those of the replay",
                            first, period - 1);
}

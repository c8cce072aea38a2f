#include "backends/stated.h"

#include "model/base/rational.h"

/* The longest period, in steps. */
enum { PERIOD_MOST = 1000000 };

gint64 stated_period(const AtlasProgram *program, AtlasDiags *diags) {
    gint64 period = 1;
    for (guint i = 0; i < program->ops->len; i++) {
        const AtlasOp *op = &g_array_index(program->ops, AtlasOp, i);
        period = atlas_lcm(period, op->every);
        if (period > PERIOD_MOST) {
            atlas_diags_error(diags, op->at,
                              "it takes more than %d steps until this op is performed together "
                              "with all others of program '%s'",
                              PERIOD_MOST, program->name);
            return 1;
        }
    }
    return period;
}

gboolean stated_results(const AtlasProgram *program) {
    for (guint i = 0; i < program->ops->len; i++)
        if (g_array_index(program->ops, AtlasOp, i).result)
            return TRUE;
    return program->executed >= 0;
}

void stated_check(const AtlasProgram *program, AtlasDiags *diags) {
    for (guint i = 0; i < program->ops->len; i++) {
        const AtlasOp *op = &g_array_index(program->ops, AtlasOp, i);
        int code;
        if (!op->result || atlas_result_parse(op->result, &code))
            continue;
        atlas_diags_error(diags, op->at, "no call answers '%s'", op->result);
        atlas_result_suggest(op->result, diags);
    }
}

void stated_spare_undefined(const AtlasProgram *program, GArray *differences) {
    guint end = 0;
    while (end < program->ops->len && g_strcmp0(g_array_index(program->ops, AtlasOp, end).result,
                                                atlas_result_name(ATLAS_RESULT_UNDEFINED)) != 0)
        end++;
    for (guint i = differences->len; end < program->ops->len && i-- > 0;)
        if (g_array_index(differences, AtlasDifference, i).op >= end)
            g_array_remove_index(differences, i);
}

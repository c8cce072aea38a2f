#include "backends/stated.h"

#include <string.h>

#include "model/base/rational.h"
#include "model/check/proved.h"
#include "sim/order.h"

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

/* What stands behind the key among an expectation's words; NULL: it is not there. The caller frees
 * it. */
static char *value_of(const AtlasOp *op, const char *key) {
    g_auto(GStrv) words = g_strsplit(op->kind == ATLAS_OP_EXPECT ? op->text : "", " ", -1);
    gsize length = strlen(key);
    for (guint i = 0; words[i]; i++)
        if (strncmp(words[i], key, length) == 0 && words[i][length] == '=')
            return g_strdup(words[i] + length + 1);
    return NULL;
}

gboolean stated_deadlock(const AtlasProgram *program) {
    gboolean stated = FALSE;
    for (guint i = 0; i < program->ops->len; i++) {
        g_autofree char *value = value_of(&g_array_index(program->ops, AtlasOp, i), "deadlock");
        stated |= g_strcmp0(value, "yes") == 0;
    }
    return stated;
}

const char *stated_fingerprint(const AtlasProgram *program, guint *at, AtlasDiags *diags) {
    static const char *const words[] = {"equal", "differs", NULL};
    for (guint i = 0; i < program->ops->len; i++) {
        const AtlasOp *op = &g_array_index(program->ops, AtlasOp, i);
        g_autofree char *value = value_of(op, ATLAS_EXPECT_FINGERPRINT);
        guint word = 0;
        if (!value)
            continue;
        *at = i;
        while (words[word] && !g_str_equal(words[word], value))
            word++;
        if (words[word] && atlas_is_straight(program))
            return words[word];
        if (words[word]) {
            atlas_diags_error(diags, op->at, "fingerprint=%s in a program with a step or a loop",
                              value);
            atlas_diags_hint(diags, "it goes with straight lines, as --prove --trail writes them");
        } else {
            atlas_diags_error(diags, op->at,
                              "fingerprint is expected to be equal or differs, not '%s'", value);
        }
        return NULL;
    }
    return NULL;
}

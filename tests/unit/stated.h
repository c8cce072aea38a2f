/* What a program states of itself in its `expect` lines, for tests. */
#ifndef ATLAS_TESTS_UNIT_STATED_H
#define ATLAS_TESTS_UNIT_STATED_H

#include <string.h>

#include "model/op/program.h"

/* The verdict of a property, by its key ("race"); NULL where the program is silent. The caller
 * frees it. */
static inline char *stated(const AtlasProgram *program, const char *key) {
    gsize len = strlen(key);
    for (guint i = 0; i < program->ops->len; i++) {
        const AtlasOp *op = &g_array_index(program->ops, AtlasOp, i);
        if (op->kind != ATLAS_OP_EXPECT)
            continue;
        g_auto(GStrv) words = g_strsplit(op->text, " ", -1);
        for (guint j = 0; words[j]; j++)
            if (strncmp(words[j], key, len) == 0 && words[j][len] == '=')
                return g_strdup(words[j] + len + 1);
    }
    return NULL;
}

#endif

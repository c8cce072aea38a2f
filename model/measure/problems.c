#include "model/measure/problems.h"

#include <stdarg.h>

static const AtlasSpan nowhere = {NULL, 0, 0};

static guint64 most(const AtlasProblems *problems) {
    return problems->most ? problems->most : ATLAS_DIAGS_SHOWN - 1;
}

AtlasPlace atlas_place(const AtlasLine *line, AtlasField field) {
    return (AtlasPlace){line->number, (guint64)(field.text - line->text) + 1};
}

gboolean atlas_problem_add(AtlasProblems *problems, AtlasPlace at, const char *format, ...) {
    if (at.line != 0 && at.line == problems->line)
        return FALSE;
    problems->line = at.line;
    if (++problems->count > most(problems))
        return FALSE;
    va_list args;
    va_start(args, format);
    g_autofree char *message = g_strdup_vprintf(format, args);
    va_end(args);
    if (at.line == 0)
        atlas_diags_error(problems->diags, nowhere, "%s: error: %s", problems->path, message);
    else
        atlas_diags_error(problems->diags, nowhere,
                          "%s:%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT ": error: %s",
                          problems->path, at.line, at.column, message);
    return TRUE;
}

gboolean atlas_problem_add_at(AtlasProblems *problems, AtlasSpan at, const char *format, ...) {
    if (++problems->count > most(problems))
        return FALSE;
    va_list args;
    va_start(args, format);
    g_autofree char *message = g_strdup_vprintf(format, args);
    va_end(args);
    atlas_diags_error(problems->diags, at, "%s", message);
    return TRUE;
}

void atlas_problems_end(AtlasProblems *problems) {
    if (problems->count > most(problems))
        atlas_diags_error(problems->diags, nowhere,
                          "%s: error: %" G_GUINT64_FORMAT " more problems; mend the first ones and "
                          "try again",
                          problems->path, problems->count - most(problems));
}

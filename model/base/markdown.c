#include "model/base/markdown.h"

#include <string.h>

char *atlas_markdown_escape(const char *text, gboolean cell) {
    GString *out = g_string_new(NULL);
    for (const char *p = text; *p; p++) {
        gboolean inside = p > text && g_ascii_isalnum(p[-1]) && g_ascii_isalnum(p[1]);
        if (strchr("\\`*<[~&", *p) || (*p == '|' && cell) || (*p == '_' && !inside))
            g_string_append_c(out, '\\');
        g_string_append_c(out, *p == '\n' ? ' ' : *p);
    }
    return g_string_free(out, FALSE);
}

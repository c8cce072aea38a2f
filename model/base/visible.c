#include "model/base/visible.h"

#include <string.h>

/* Bytes of the printable character at p; 0 where there is none. */
static gsize printable(const char *p, const char *end) {
    gunichar c = g_utf8_get_char_validated(p, end - p);
    gboolean is_char = *p != '\0' && c != (gunichar)-1 && c != (gunichar)-2;
    return is_char && g_unichar_isprint(c) ? (gsize)(g_utf8_next_char(p) - p) : 0;
}

char *atlas_visible(const char *text, gsize length, gsize most) {
    GString *out = g_string_new(NULL);
    const char *p = text, *end = text + length;
    while (p < end && (most == 0 || out->len < most)) {
        gsize bytes = printable(p, end);
        if (bytes)
            g_string_append_len(out, p, (gssize)bytes);
        else if (*p == '\t')
            g_string_append(out, "\\t");
        else
            g_string_append_printf(out, "\\x%02x", (guchar)*p);
        p += MAX(bytes, 1);
    }
    if (p < end)
        g_string_append(out, "...");
    return g_string_free(out, FALSE);
}

char *atlas_visible_text(const char *text) {
    return atlas_visible(text, strlen(text), 0);
}

/* Three digits end an octal escape, whatever stands behind it. */
char *atlas_visible_word(const char *text) {
    gsize length = strlen(text);
    g_autofree char *visible = atlas_visible(text, length, 0);
    if (g_str_equal(visible, text))
        return *text && !strpbrk(text, " '\"\\$`*?<>|&;()#~!{}[]=") ? g_strdup(text)
                                                                    : g_shell_quote(text);
    GString *out = g_string_new("$'");
    for (const char *p = text, *end = text + length; p < end;) {
        gsize bytes = printable(p, end);
        if (bytes && (*p == '\'' || *p == '\\'))
            g_string_append_c(out, '\\');
        if (bytes)
            g_string_append_len(out, p, (gssize)bytes);
        else
            g_string_append_printf(out, "\\%03o", (guchar)*p);
        p += MAX(bytes, 1);
    }
    g_string_append_c(out, '\'');
    return g_string_free(out, FALSE);
}

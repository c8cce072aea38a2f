#include "model/measure/step_name.h"

#include <string.h>

char *atlas_step_kind(const char *name) {
    GString *kind = g_string_new(NULL);
    for (const char *p = name; *p; p++)
        if (!g_ascii_isdigit(*p))
            g_string_append_c(kind, *p);
        else if (p == name || !g_ascii_isdigit(p[-1]))
            g_string_append_c(kind, '#');
    return g_string_free(kind, FALSE);
}

gboolean atlas_step_called(const char *kind) {
    static const char *const words[] = {"step", "iter", "batch"};
    g_autofree char *lower = g_ascii_strdown(kind, -1);
    for (guint i = 0; i < G_N_ELEMENTS(words); i++)
        if (strstr(lower, words[i]))
            return TRUE;
    return FALSE;
}

gboolean atlas_step_number(const char *name, gsize *start, gsize *end, gint64 *number) {
    *end = strlen(name);
    while (*end && !g_ascii_isdigit(name[*end - 1]))
        (*end)--;
    *start = *end;
    while (*start && g_ascii_isdigit(name[*start - 1]))
        (*start)--;
    if (*end == *start || *end - *start > 18)
        return FALSE;
    *number = g_ascii_strtoll(name + *start, NULL, 10);
    return TRUE;
}

/* The digits of the next number, without zeros in front of it; goes on behind it. */
static gsize next_number(const char **at, const char **digits) {
    while (**at && !g_ascii_isdigit(**at))
        (*at)++;
    while (**at == '0' && g_ascii_isdigit((*at)[1]))
        (*at)++;
    *digits = *at;
    while (g_ascii_isdigit(**at))
        (*at)++;
    return (gsize)(*at - *digits);
}

gboolean atlas_step_rises(const char *name, const char *later) {
    while (*name && *later) {
        const char *a, *b;
        gsize of_a = next_number(&name, &a), of_b = next_number(&later, &b);
        int order = of_a != of_b ? (of_a < of_b ? -1 : 1) : strncmp(a, b, of_a);
        if (order != 0)
            return order < 0;
    }
    return FALSE;
}

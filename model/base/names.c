#include "model/base/names.h"

#include <string.h>

/* Longer words are never typing slips of one of our names, and the distance is quadratic. */
enum { WORD_MAX = 64 };

gboolean atlas_name_valid(const char *name, gboolean dash) {
    if (!g_ascii_islower(*name))
        return FALSE;
    for (const char *p = name; *p; p++)
        if (!g_ascii_islower(*p) && !g_ascii_isdigit(*p) && *p != '_' && !(dash && *p == '-'))
            return FALSE;
    return TRUE;
}

/* Edit distance with insertions, deletions, replacements and swaps of neighbours, in bytes. */
static guint distance(const char *a, const char *b) {
    guint rows[3][WORD_MAX + 1];
    guint *before = rows[0], *last = rows[1], *now = rows[2];
    gsize n = strlen(a), m = strlen(b);
    for (gsize j = 0; j <= m; j++)
        last[j] = (guint)j;
    for (gsize i = 1; i <= n; i++) {
        now[0] = (guint)i;
        for (gsize j = 1; j <= m; j++) {
            now[j] = MIN(MIN(last[j] + 1, now[j - 1] + 1), last[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = MIN(now[j], before[j - 2] + 1);
        }
        guint *spare = before;
        before = last, last = now, now = spare;
    }
    return last[m];
}

const char *atlas_name_nearest(const char *word, const char *const *candidates) {
    const char *best = NULL;
    guint best_distance = G_MAXUINT;
    gsize length = strlen(word);
    if (length == 0 || length > WORD_MAX)
        return NULL;
    for (; *candidates; candidates++) {
        gsize other = strlen(*candidates);
        if (other > WORD_MAX)
            continue;
        guint d = distance(word, *candidates);
        if (d < best_distance && d <= (MAX(length, other) + 2) / 3) {
            best = *candidates;
            best_distance = d;
        }
    }
    return best;
}

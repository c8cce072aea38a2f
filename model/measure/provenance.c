#include "model/measure/provenance.h"

#include <string.h>

#include "model/base/names.h"
#include "model/measure/field.h"

static const char *const kinds[] = {"calls", "submissions", "activities", "graph_nodes", NULL};

/* Longer texts are no names of devices and versions, but lines that went wrong. */
enum { LAG_PLACES = 15, KEY_MAX = 64, VALUE_MAX = 1024 };

const char *atlas_count_name(AtlasCountKind kind) {
    return kinds[kind];
}

void atlas_provenance_init(AtlasProvenance *p) {
    *p = (AtlasProvenance){.counted = ATLAS_COUNT_KINDS, .lag = ATLAS_RAT_NONE};
    p->about = g_array_new(FALSE, FALSE, sizeof(AtlasAbout));
}

void atlas_provenance_clear(AtlasProvenance *p) {
    g_clear_pointer(&p->about, g_array_unref);
}

static AtlasSaid say_counted(AtlasProvenance *p, const char *value) {
    AtlasCountKind kind = 0;
    while (kinds[kind] && strcmp(kinds[kind], value) != 0)
        kind++;
    if (!kinds[kind])
        return ATLAS_NOT_A_VALUE;
    if (p->counted != ATLAS_COUNT_KINDS && p->counted != kind)
        return ATLAS_SAID_ELSE;
    p->counted = kind;
    return ATLAS_SAID;
}

static AtlasSaid say_lag(AtlasProvenance *p, const char *value) {
    AtlasRat lag = atlas_rat_parse(value, strlen(value), NULL);
    if (!atlas_rat_ok(lag) || lag.num < 0)
        return ATLAS_NOT_A_VALUE;
    if (atlas_rat_ok(p->lag) && atlas_rat_cmp(p->lag, lag) != 0)
        return ATLAS_SAID_ELSE;
    p->lag = lag;
    return ATLAS_SAID;
}

/* A counter is asked more than once, or at the end of each part: what was lost adds up to no less
 * than the greatest. */
static AtlasSaid say_lost(AtlasProvenance *p, const char *value) {
    gint64 lost;
    if (!atlas_field_whole((AtlasField){value, strlen(value)}, &lost))
        return ATLAS_NOT_A_VALUE;
    p->lost = MAX(p->lost, lost);
    return ATLAS_SAID;
}

/* Text that fits a line and a terminal. */
static gboolean is_text(const char *value) {
    if (!*value || strlen(value) > VALUE_MAX || !g_utf8_validate(value, -1, NULL))
        return FALSE;
    for (const char *p = value; *p; p = g_utf8_next_char(p))
        if (!g_unichar_isprint(g_utf8_get_char(p)))
            return FALSE;
    return TRUE;
}

static const AtlasAbout *find(const AtlasProvenance *p, const char *key) {
    for (guint i = 0; i < p->about->len; i++)
        if (strcmp(g_array_index(p->about, AtlasAbout, i).key, key) == 0)
            return &g_array_index(p->about, AtlasAbout, i);
    return NULL;
}

AtlasSaid atlas_provenance_say(AtlasProvenance *p, const char *key, const char *value) {
    if (!atlas_name_valid(key, TRUE) || strlen(key) > KEY_MAX)
        return ATLAS_NOT_A_KEY;
    if (strcmp(key, "counted") == 0)
        return say_counted(p, value);
    if (strcmp(key, "lag") == 0)
        return say_lag(p, value);
    if (strcmp(key, "lost") == 0)
        return say_lost(p, value);
    const AtlasAbout *before = find(p, key);
    if (!is_text(value))
        return ATLAS_NOT_A_VALUE;
    if (before)
        return strcmp(before->value, value) == 0 ? ATLAS_SAID : ATLAS_SAID_ELSE;
    if (p->about->len == ATLAS_ABOUT_MAX)
        return ATLAS_SAID_TOO_MUCH;
    AtlasAbout about = {key, value};
    g_array_append_val(p->about, about);
    return ATLAS_SAID;
}

const char *atlas_provenance_expected(const char *key) {
    return !key ? "a name of small letters, digits, '_' and '-', of at most 64 bytes"
           : strcmp(key, "counted") == 0 ? "calls, submissions, activities or graph_nodes"
           : strcmp(key, "lag") == 0     ? "a decimal number >= 0 of at most 18 digits"
           : strcmp(key, "lost") == 0    ? "a whole number from 0 to 9223372036854775807"
                                         : "text that can be printed, of at most 1024 bytes";
}

char *atlas_provenance_get(const AtlasProvenance *p, const char *key) {
    char number[64];
    if (strcmp(key, "counted") == 0)
        return g_strdup(atlas_count_name(p->counted));
    if (strcmp(key, "lag") == 0)
        return atlas_rat_ok(p->lag)
                   ? g_strdup(atlas_rat_format(p->lag, LAG_PLACES, number, sizeof number))
                   : NULL;
    if (strcmp(key, "lost") == 0)
        return g_strdup_printf("%" G_GINT64_FORMAT, p->lost);
    const AtlasAbout *about = find(p, key);
    return about ? g_strdup(about->value) : NULL;
}

char *atlas_provenance_lost(const AtlasProvenance *p) {
    if (p->incomplete)
        return g_strdup_printf("incomplete, its counts are lower bounds: %s", p->incomplete);
    return p->lost == 0
               ? NULL
               : g_strdup_printf("%" G_GINT64_FORMAT " record%s lost: its counts are lower bounds",
                                 p->lost, p->lost == 1 ? " was" : "s were");
}

char *atlas_provenance_partial(const AtlasProvenance *p) {
    return p->counted == ATLAS_COUNT_GRAPH_NODES
               ? g_strdup("it counts only kernels that ran inside graphs")
               : atlas_provenance_lost(p);
}

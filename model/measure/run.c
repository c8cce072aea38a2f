#include "model/measure/run.h"

#include <math.h>
#include <string.h>

#include "model/measure/field.h"

__extension__ typedef __int128 Wide; /* products of two 64-bit numbers */

/* Greatest power of ten that fits 64 bits. */
enum { DECIMALS_MAX = 18 };

struct AtlasRuns {
    GPtrArray *list; /* of AtlasRun* */
    GStringChunk *strings;
};

static void stage_clear(gpointer data) {
    AtlasRunStage *stage = data;
    if (stage->counts)
        g_array_unref(stage->counts);
}

static void run_free(gpointer data) {
    AtlasRun *run = data;
    g_array_unref(run->stages);
    atlas_provenance_clear(&run->by);
    g_free(run);
}

AtlasRuns *atlas_runs_new(void) {
    AtlasRuns *runs = g_new0(AtlasRuns, 1);
    runs->list = g_ptr_array_new_with_free_func(run_free);
    runs->strings = g_string_chunk_new(1024);
    return runs;
}

void atlas_runs_free(AtlasRuns *runs) {
    if (!runs)
        return;
    g_ptr_array_unref(runs->list);
    g_string_chunk_free(runs->strings);
    g_free(runs);
}

guint atlas_runs_count(const AtlasRuns *runs) {
    return runs->list->len;
}

AtlasRun *atlas_runs_get(AtlasRuns *runs, guint index) {
    g_return_val_if_fail(index < runs->list->len, NULL);
    return g_ptr_array_index(runs->list, index);
}

AtlasRun *atlas_runs_add(AtlasRuns *runs, const char *name) {
    AtlasRun *run = g_new0(AtlasRun, 1);
    run->name = g_string_chunk_insert(runs->strings, name);
    run->configuration.text = run->recipe.text = run->note = "";
    run->step_ms = NAN;
    run->stages = g_array_new(FALSE, FALSE, sizeof(AtlasRunStage));
    g_array_set_clear_func(run->stages, stage_clear);
    atlas_provenance_init(&run->by);
    g_ptr_array_add(runs->list, run);
    return run;
}

AtlasRunStage *atlas_runs_add_stage(AtlasRuns *runs, AtlasRun *run, const char *stage) {
    /* The same few names come in every run. */
    AtlasRunStage added = {.name = g_string_chunk_insert_const(runs->strings, stage), .ms = NAN};
    g_array_append_val(run->stages, added);
    return &g_array_index(run->stages, AtlasRunStage, run->stages->len - 1);
}

char *atlas_run_name(const char *path, const char *const *endings) {
    g_autofree char *base = g_path_get_basename(path);
    gsize length = strlen(base);
    for (; *endings; endings++) {
        gsize ending = strlen(*endings);
        if (length > ending && memcmp(base + length - ending, *endings, ending) == 0)
            length -= ending;
    }
    return g_utf8_make_valid(base, (gssize)length);
}

const AtlasRunStage *atlas_run_stage(const AtlasRun *run, const char *name) {
    for (guint i = 0; i < run->stages->len; i++) {
        const AtlasRunStage *stage = &g_array_index(run->stages, AtlasRunStage, i);
        if (g_str_equal(stage->name, name))
            return stage;
    }
    return NULL;
}

const char *atlas_runs_string(AtlasRuns *runs, const char *text, gsize length) {
    return g_string_chunk_insert_len(runs->strings, text, (gssize)length);
}

/* With M = mean * 10^decimals, a whole number, the sums N are those with
 *     steps * (2M - 1)  <=  N * 2 * 10^decimals  <=  steps * (2M + 1).
 * steps and M are below 2^63: the products stay below 2^127. */
AtlasSum atlas_sum_from_mean(AtlasRat mean, guint decimals, gint64 steps) {
    AtlasSum none = {0};
    Wide ten = 1;
    if (!atlas_rat_ok(mean) || mean.num < 0 || steps < 1 || decimals > DECIMALS_MAX)
        return none;
    for (guint i = 0; i < decimals; i++)
        ten *= 10;
    Wide printed = mean.num * (ten / mean.den);
    if (ten % mean.den != 0 || printed > G_MAXINT64)
        return none;
    Wide low = steps * (2 * printed - 1), high = steps * (2 * printed + 1), unit = 2 * ten;
    Wide lo = low <= 0 ? 0 : (low - 1) / unit + 1, hi = high / unit;
    if (lo > hi || hi > G_MAXINT64)
        return none;
    return (AtlasSum){.known = TRUE, .lo = (gint64)lo, .hi = (gint64)hi};
}

AtlasSum atlas_sum_from_range(AtlasRat mean, AtlasRat slack, gint64 steps) {
    AtlasSum none = {0};
    AtlasRat over = atlas_rat(steps);
    AtlasRat lo = atlas_rat_ceil(atlas_rat_mul(atlas_rat_sub(mean, slack), over));
    AtlasRat hi = atlas_rat_floor(atlas_rat_mul(atlas_rat_add(mean, slack), over));
    if (!atlas_rat_ok(lo) || !atlas_rat_ok(hi) || steps < 1)
        return none;
    lo = lo.num < 0 ? atlas_rat(0) : lo;
    return (AtlasSum){.known = lo.num <= hi.num, .lo = lo.num, .hi = hi.num};
}

void atlas_sum_add(AtlasSum *sum, const AtlasSum *more) {
    sum->known = sum->known && more->known &&
                 !__builtin_add_overflow(sum->lo, more->lo, &sum->lo) &&
                 !__builtin_add_overflow(sum->hi, more->hi, &sum->hi);
}

gboolean atlas_window_parse(const char *text, AtlasWindow *window) {
    const char *dash = strchr(text, '-');
    gint64 first, last;
    if (!dash || !atlas_field_whole((AtlasField){text, (gsize)(dash - text)}, &first) ||
        !atlas_field_whole((AtlasField){dash + 1, strlen(dash + 1)}, &last))
        return FALSE;
    if (first > last || last == G_MAXINT64) /* the number of steps must fit, too */
        return FALSE;
    *window = (AtlasWindow){first, last};
    return TRUE;
}

/* A spec to start from: the typical step, with fixed counts. */
#include <string.h>

#include "graphs/seen_program.h"
#include "graphs/seen_runs.h"
#include "model/base/visible.h"
#include "model/measure/step_name.h"

typedef struct {
    GString *out;
    SeenRuns *runs;
    GHashTable *taken; /* names of the stage's launches: the last number behind each, from 1 */
    guint items;       /* of the stage */
    GStringChunk *strings;
} Writer;

/* A launch's name in its stage: its kernel's, with a number where it was used before. */
static const char *launch_name(Writer *w, const char *kernel) {
    g_autoptr(GString) name = g_string_new(kernel);
    guint n = GPOINTER_TO_UINT(g_hash_table_lookup(w->taken, kernel));
    if (n > 0) {
        do
            g_string_printf(name, "%s_%u", kernel, ++n);
        while (g_hash_table_contains(w->taken, name->str));
        g_hash_table_insert(w->taken, (gpointer)kernel, GUINT_TO_POINTER(n));
    }
    const char *kept = g_string_chunk_insert(w->strings, name->str);
    g_hash_table_insert(w->taken, (gpointer)kept, GUINT_TO_POINTER(1));
    return kept;
}

static void write_launch(Writer *w, const char *kernel, gint64 count, gint64 ns,
                         const char *stream) {
    const char *name = launch_name(w, kernel);
    char us[32];
    w->items++;
    g_string_append_printf(w->out, "      - {launch: %s, count: %" G_GINT64_FORMAT, name, count);
    if (!g_str_equal(name, kernel))
        g_string_append_printf(w->out, ", kernel: %s", kernel);
    if (ns)
        g_string_append_printf(w->out, ", cost_us: %s",
                               atlas_rat_format(atlas_rat_make(ns, 1000), 3, us, sizeof us));
    if (w->runs->streams->len > 1)
        g_string_append_printf(w->out, ", stream: %s", stream);
    g_string_append(w->out, ", source: measured}\n");
}

static void write_work(Writer *w, const SeenWork *work) {
    static const char *const names[] = {[ATLAS_SEEN_COPY_IN] = "copy from the host",
                                        [ATLAS_SEEN_COPY] = "copy on the device",
                                        [ATLAS_SEEN_COPY_OUT] = "copy to the host",
                                        [ATLAS_SEEN_MEMSET] = "memset"};
    if (work->kind == ATLAS_SEEN_LAUNCH)
        write_launch(w, work->kernel, work->count, work->ns, work->stream);
    else
        g_string_append_printf(w->out, "      # %s%s x%" G_GINT64_FORMAT " on %s\n",
                               names[work->kind], work->pageable ? ", pageable" : "", work->count,
                               work->stream);
}

static void append_call(Writer *w, const char *call) {
    g_autofree char *visible = atlas_visible_text(call);
    g_string_append_printf(w->out, "      # %s\n", visible);
}

static void write_end(Writer *w, const SeenRun *run) {
    const AtlasSurvey *survey = w->runs->survey;
    if (run->end.kind == ATLAS_SEEN_GRAPH) {
        if (run->end.nodes > 0) {
            g_autofree char *kernel = g_strdup_printf("graph_%" G_GINT64_FORMAT, run->end.nodes);
            write_launch(w, kernel, run->end.nodes, 0, run->end_stream);
        } else {
            g_string_append(w->out, "      # a graph launch, whose kernels were not recorded\n");
        }
        return;
    }
    w->items += run->end.part == ATLAS_PART_READ || run->end.part == ATLAS_PART_SYNC;
    if (run->end.part == ATLAS_PART_READ)
        g_string_append(w->out, "      - {read: unknown}\n");
    else if (run->end.part == ATLAS_PART_SYNC)
        g_string_append(w->out, "      - {sync: context}\n");
    else
        append_call(w, g_array_index(survey->parts, AtlasSurveyPart, run->end.of).call);
}

/* All runs of a stage, in order; one that is optional is left out where it has nothing. */
static void write_stage(Writer *w, const char *stage, gboolean optional) {
    gsize before = w->out->len;
    g_hash_table_remove_all(w->taken);
    w->items = 0;
    g_string_append_printf(w->out, "  - stage: %s\n    do:\n", stage);
    for (guint i = 0; i < w->runs->runs->len; i++) {
        const SeenRun *run = &g_array_index(w->runs->runs, SeenRun, i);
        if (run->stage != stage)
            continue;
        for (guint k = 0; k < run->work->len; k++)
            write_work(w, &g_array_index(run->work, SeenWork, k));
        if (run->ended)
            write_end(w, run);
    }
    if (w->items == 0 && optional)
        g_string_truncate(w->out, before);
    else if (w->items == 0)
        g_string_append(w->out, "      []\n");
}

/* " --stage-map 'REGEX=STAGE'" */
static void append_map(GString *out, const char *regex, const char *stage) {
    g_autofree char *map = g_strdup_printf("^%s$=%s", regex, stage);
    g_autofree char *quoted = atlas_visible_word(map);
    g_string_append_printf(out, " --stage-map %s", quoted);
}

/* What the names of steps hold, of which this is one: any number where it has its last one, or with
 * `all` each of them. */
static char *step_regex(const char *name, gboolean all) {
    GString *regex = g_string_new(NULL);
    gsize start = 0, end = 0;
    gint64 number;
    gboolean numbered = atlas_step_number(name, &start, &end, &number);
    for (const char *p = name; *p;) {
        gsize digits = strspn(p, "0123456789"), rest = strcspn(p, "0123456789");
        g_autofree char *plain = g_strndup(p, digits ? digits : rest);
        g_autofree char *escaped = g_regex_escape_string(plain, -1);
        gboolean any = digits && (all || (numbered && (gsize)(p - name) == start));
        g_string_append(regex, any ? "\\d+" : escaped);
        p += digits ? digits : rest;
    }
    return g_string_free(regex, FALSE);
}

/* What is outside of every stage is still inside of the step's range, where there is one; else it
 * is the rest. */
static void append_outside(Writer *w, const char *stage) {
    const AtlasSurvey *survey = w->runs->survey;
    gboolean ranges = survey->by == ATLAS_STEPS_PROFILER || survey->by == ATLAS_STEPS_NUMBERED ||
                      survey->by == ATLAS_STEPS_OUTER || survey->by == ATLAS_STEPS_ASKED;
    if (ranges && survey->by_name) {
        g_autofree char *regex = step_regex(survey->by_name, survey->by == ATLAS_STEPS_NUMBERED);
        append_map(w->out, regex, stage);
    } else {
        g_string_append_printf(w->out, " --stage-map =%s", stage);
    }
}

/* The command that compares the spec with the trace; stages that are not called as their ranges are
 * have to be named. */
static void write_command(Writer *w, gboolean outside) {
    const AtlasSurvey *survey = w->runs->survey;
    guint last = survey->stages->len - 1;
    g_autofree char *name = atlas_visible_word(survey->name);
    g_string_append_printf(w->out, "# atlas-check THIS --backend %s %s", survey->format, name);
    for (guint i = 0; i < last; i++) {
        const char *range = atlas_survey_stage(survey, i)->name;
        const char *stage = g_ptr_array_index(w->runs->stages, i);
        const char *plain = g_str_has_prefix(range, "stage:") ? range + strlen("stage:") : range;
        g_autofree char *escaped = g_regex_escape_string(range, -1);
        if (!g_str_equal(plain, stage))
            append_map(w->out, escaped, stage);
    }
    if (outside)
        append_outside(w, g_ptr_array_index(w->runs->stages, last));
    g_string_append(w->out, "\n");
    if (survey->elsewhere > 0)
        g_string_append_printf(w->out,
                               "# %" G_GINT64_FORMAT
                               " launches of other processes are not in it, and will differ\n",
                               survey->elsewhere);
    if (survey->alike < survey->steps)
        g_string_append_printf(w->out, "# %u of %u steps launch this; the others will differ\n",
                               survey->alike, survey->steps);
}

static void write_head(Writer *w) {
    const AtlasSurvey *survey = w->runs->survey;
    g_autofree char *name = seen_name(survey, '-');
    g_string_append_printf(
        w->out,
        "atlas: 1\nname: %s\nabout: >-\n  The typical step of %u, of a %s trace: what it launched, "
        "by kernel, between what parts\n  it. Give counts names (unknowns), and parts conditions "
        "(arms, params), to ask what a change\n  would do; and reads and writes, to prove what can "
        "be captured.\n\n%s",
        name, survey->steps, survey->format, w->runs->streams->len ? "streams:\n" : "");
    for (guint i = 0; i < w->runs->streams->len; i++)
        g_string_append_printf(w->out, "  %s: {kind: nonblocking}\n",
                               (const char *)g_ptr_array_index(w->runs->streams, i));
    g_string_append(w->out, "\nbuffers:\n  unknown: {about: a trace does not tell what is read and "
                            "written}\n\nstages:\n");
}

static gboolean has_runs(const SeenRuns *runs, const char *stage) {
    for (guint i = 0; i < runs->runs->len; i++)
        if (g_array_index(runs->runs, SeenRun, i).stage == stage)
            return TRUE;
    return FALSE;
}

char *atlas_seen_spec(const AtlasSurvey *survey, AtlasDiags *diags) {
    if (!seen_can_be_written(survey, diags))
        return NULL;
    g_autoptr(SeenRuns) runs = seen_runs_new(survey);
    g_autoptr(GHashTable) taken = g_hash_table_new(g_str_hash, g_str_equal);
    Writer w = {g_string_new(NULL), runs, taken, 0, g_string_chunk_new(256)};
    guint last = runs->stages->len - 1;
    write_command(&w, has_runs(runs, g_ptr_array_index(runs->stages, last)));
    write_head(&w);
    for (guint i = 0; i <= last; i++)
        write_stage(&w, g_ptr_array_index(runs->stages, i), i == last && last > 0);
    g_string_chunk_free(w.strings);
    return g_string_free(w.out, FALSE);
}

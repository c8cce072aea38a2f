/* A survey as tables for people: the most useful first. */
#include <string.h>

#include "backends/survey/show.h"
#include "model/base/visible.h"

/* Decimals, and how many rows of what can be long. */
enum { PLACES = SURVEY_PLACES, MS_PLACES = SURVEY_MS_PLACES, KERNELS = 12, PARTS = 12 };

/* ---- the head ---- */

static const char *about(const AtlasSurvey *survey, const char *key) {
    for (guint i = 0; i < survey->about->len; i++)
        if (g_str_equal(g_array_index(survey->about, AtlasAbout, i).key, key))
            return g_array_index(survey->about, AtlasAbout, i).value;
    return NULL;
}

static void append_steps(GString *out, const AtlasSurvey *survey) {
    static const char *const found[] = {
        [ATLAS_STEPS_PROFILER] = "",    [ATLAS_STEPS_NUMBERED] = "",
        [ATLAS_STEPS_OUTER] = "range ", [ATLAS_STEPS_FIRST] = "returns of ",
        [ATLAS_STEPS_ASKED] = "range ", [ATLAS_STEPS_STATED] = "",
        [ATLAS_STEPS_NONE] = ""};
    g_autofree char *by_name = atlas_visible_text(survey->by_name ? survey->by_name : "");
    if (survey->steps == 0) {
        g_string_append(out, ", no step");
        return;
    }
    if (survey->by == ATLAS_STEPS_NONE) {
        g_string_append(out, ", all of it taken as one step");
        return;
    }
    g_string_append_printf(out, ", %u step%s", survey->steps, survey->steps == 1 ? "" : "s");
    if (survey->by_name && survey->by == ATLAS_STEPS_PROFILER && survey->steps > 1)
        g_string_append_printf(out, " (ProfilerStep#%" G_GINT64_FORMAT " to #%" G_GINT64_FORMAT ")",
                               survey->first, survey->last);
    else if (survey->by_name)
        g_string_append_printf(out, " (%s'%s'%s)", found[survey->by], by_name,
                               survey->by == ATLAS_STEPS_NUMBERED ? " and on" : "");
    else if (survey->first >= 0)
        g_string_append_printf(out, " (%" G_GINT64_FORMAT "-%" G_GINT64_FORMAT ")", survey->first,
                               survey->last);
}

static void append_head(GString *out, const AtlasSurvey *survey) {
    const char *said = about(survey, "device");
    g_autofree char *name = atlas_visible_text(survey->name);
    g_autofree char *device = atlas_visible_text(said ? said : "");
    g_string_append_printf(out, "%s: %s", name, survey->format);
    append_steps(out, survey);
    g_string_append_printf(out, "%s%s\n\n", *device ? ", " : "", device);
}

/* ---- stages ---- */

static const AtlasTableColumn stage_columns[] = {
    {"stage", NULL, FALSE},         {"launches", NULL, TRUE},    {"in a step", NULL, TRUE},
    {"share", NULL, TRUE},          {"graphs", NULL, TRUE},      {"kernels in them", NULL, TRUE},
    {"copies", NULL, TRUE},         {"memsets", NULL, TRUE},     {"syncs", NULL, TRUE},
    {"host reads", NULL, TRUE},     {"allocations", NULL, TRUE}, {"host ms", NULL, TRUE},
    {"GPU starved ms", NULL, TRUE}, {NULL, NULL, FALSE},
};

/* A count, in a column that is shown if any stage has some, or may have. What a recording never
 * counts has no column; nodes are not told where graph launches are, or where some graph's are. */
static void count_cell(AtlasTable *table, const AtlasSurvey *survey, const AtlasTally *counts,
                       AtlasTallyKind kind) {
    const AtlasTally *all = &survey->step[kind];
    gboolean counted =
        all->known || (kind == ATLAS_TALLY_NODES && survey->step[ATLAS_TALLY_GRAPHS].known);
    if (kind != ATLAS_TALLY_LAUNCHES && (!counted || (all->known && all->sum == 0)))
        atlas_table_skip(table);
    else
        atlas_table_number(table, survey_mean(survey, &counts[kind]), PLACES);
}

static void stage_row(AtlasTable *table, const AtlasSurvey *survey, const char *name,
                      const AtlasTally *counts, gint64 host_ns, gint64 starved_ns) {
    const AtlasTally *launches = &counts[ATLAS_TALLY_LAUNCHES];
    const AtlasTally *all = &survey->step[ATLAS_TALLY_LAUNCHES];
    atlas_table_row(table);
    atlas_table_text(table, "%s", name);
    count_cell(table, survey, counts, ATLAS_TALLY_LAUNCHES);
    if (launches->known && launches->least != launches->most)
        atlas_table_text(table, "%" G_GINT64_FORMAT "..%" G_GINT64_FORMAT, launches->least,
                         launches->most);
    else
        atlas_table_skip(table);
    if (all->known && launches->known && all->sum)
        atlas_table_share(table, atlas_rat(launches->sum), atlas_rat(all->sum));
    else
        atlas_table_skip(table);
    for (AtlasTallyKind kind = ATLAS_TALLY_GRAPHS; kind < ATLAS_TALLIES; kind++)
        count_cell(table, survey, counts, kind);
    if (host_ns < 0)
        atlas_table_skip(table);
    else
        atlas_table_number(table, survey_step_ms(survey, host_ns), MS_PLACES);
    if (starved_ns < 0)
        atlas_table_skip(table);
    else
        atlas_table_number(table, survey_step_ms(survey, starved_ns), MS_PLACES);
}

static gboolean is_empty(const AtlasSurveyStage *stage) {
    for (guint k = 0; k < ATLAS_TALLIES; k++)
        if (stage->counts[k].sum > 0)
            return FALSE;
    return stage->starved_ns <= 0;
}

static void append_stages(GString *out, const AtlasSurvey *survey) {
    g_autoptr(AtlasTable) table = atlas_table_new(stage_columns);
    gint64 starved = survey->time.starved;
    for (guint i = 0; i < survey->stages->len; i++) {
        const AtlasSurveyStage *s = atlas_survey_stage(survey, i);
        if (s->name || !is_empty(s))
            stage_row(table, survey, survey_stage_name(survey, i), s->counts, s->host_ns,
                      s->starved_ns);
    }
    atlas_table_rule(table);
    stage_row(table, survey, "step", survey->step, survey->time.steps, starved);
    g_autofree char *text = atlas_table_render(table);
    g_string_append(out, text);
}

/* ---- time ---- */

static const AtlasTableColumn time_columns[] = {
    {"a step's time", NULL, FALSE}, {"ms", NULL, TRUE}, {"share", NULL, TRUE}, {NULL, NULL, FALSE}};

static void append_time(GString *out, const AtlasSurvey *survey) {
    const AtlasSurveyTime *t = &survey->time;
    const struct {
        const char *what;
        gint64 ns;
    } rows[] = {{"the GPU works", t->busy},
                {"no work, the host has launched none: launch-bound", t->starved},
                {"no work, the host waits", t->waiting},
                {"work is queued, and has not begun", t->queued},
                {"nothing ran, and it is not told why", t->untold}};
    g_autoptr(AtlasTable) table = atlas_table_new(time_columns);
    if (t->busy < 0)
        return;
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        if (rows[i].ns == 0)
            continue;
        atlas_table_row(table);
        atlas_table_text(table, "%s", rows[i].what);
        atlas_table_number(table, survey_step_ms(survey, rows[i].ns), MS_PLACES);
        atlas_table_share(table, atlas_rat(rows[i].ns), atlas_rat(t->steps));
    }
    g_autofree char *text = atlas_table_render(table);
    g_string_append_printf(out, "\n%s", text);
}

/* ---- kernels ---- */

static const AtlasTableColumn kernel_columns[] = {
    {"kernel", NULL, FALSE}, {"launches", NULL, TRUE}, {"in graphs", NULL, TRUE},
    {"share", NULL, TRUE},   {"GPU ms", NULL, TRUE},   {"stages", NULL, FALSE},
    {NULL, NULL, FALSE},
};

/* "fwd 300, bwd 176": the greatest two, and how many more. */
static char *stages_of(const AtlasSurvey *survey, const SurveyKernels *kernel) {
    GString *out = g_string_new(NULL);
    gint64 below = G_MAXINT64;
    guint last = 0, listed = 0, more = 0;
    for (guint i = 0; i < survey->stages->len; i++)
        more += kernel->by_stage[i] > 0;
    for (; more > 0 && listed < 2; listed++, more--) {
        guint best = G_MAXUINT;
        for (guint i = 0; i < survey->stages->len; i++) {
            gint64 n = kernel->by_stage[i];
            if (n > 0 && (n < below || (n == below && i > last)) &&
                (best == G_MAXUINT || n > kernel->by_stage[best]))
                best = i;
        }
        char mean[32];
        atlas_rat_format(atlas_rat_make(kernel->by_stage[best], survey->steps), PLACES, mean,
                         sizeof mean);
        g_string_append_printf(out, "%s%s %s", listed ? ", " : "", survey_stage_name(survey, best),
                               mean);
        below = kernel->by_stage[best];
        last = best;
    }
    if (more)
        g_string_append_printf(out, ", %u more", more);
    return g_string_free(out, FALSE);
}

static void kernel_row(AtlasTable *table, const AtlasSurvey *survey, const char *name,
                       const SurveyKernels *k, const char *stages) {
    const AtlasTally *nodes = &survey->step[ATLAS_TALLY_NODES];
    gint64 ran = survey->step[ATLAS_TALLY_LAUNCHES].sum + nodes->sum;
    atlas_table_row(table);
    atlas_table_text(table, "%s", name);
    atlas_table_number(table, atlas_rat_make(k->launches, survey->steps), PLACES);
    if (nodes->sum || !survey->nodes_by_kernel)
        atlas_table_number(table,
                           survey->nodes_by_kernel ? atlas_rat_make(k->nodes, survey->steps)
                                                   : ATLAS_RAT_NONE,
                           PLACES);
    else
        atlas_table_skip(table);
    atlas_table_share(table, atlas_rat(k->launches + k->nodes),
                      atlas_rat(survey->nodes_by_kernel ? ran : 0));
    if (k->gpu_ns < 0)
        atlas_table_skip(table);
    else
        atlas_table_number(table, survey_step_ms(survey, k->gpu_ns), MS_PLACES);
    atlas_table_text(table, "%s", stages);
}

static void append_kernels(GString *out, const AtlasSurvey *survey) {
    g_autoptr(GArray) kernels = survey_kernels(survey);
    g_autoptr(AtlasTable) table = atlas_table_new(kernel_columns);
    SurveyKernels rest = {.gpu_ns = 0};
    for (guint i = 0; i < kernels->len; i++) {
        const SurveyKernels *k = &g_array_index(kernels, SurveyKernels, i);
        if (i >= KERNELS && kernels->len > KERNELS + 1) {
            rest.launches += k->launches;
            rest.nodes += k->nodes;
            rest.gpu_ns = rest.gpu_ns < 0 || k->gpu_ns < 0 ? -1 : rest.gpu_ns + k->gpu_ns;
            continue;
        }
        g_autofree char *stages = stages_of(survey, k);
        kernel_row(table, survey, k->brief, k, stages);
    }
    if (kernels->len > KERNELS + 1) {
        g_autofree char *more = g_strdup_printf("%u more", kernels->len - KERNELS);
        kernel_row(table, survey, more, &rest, "");
    }
    g_autofree char *text = atlas_table_render(table);
    if (kernels->len)
        g_string_append_printf(out, "\n%s", text);
}

/* ---- what parts windows ---- */

static const AtlasTableColumn part_columns[] = {
    {"the host", NULL, FALSE}, {"by", NULL, FALSE},     {"in", NULL, FALSE}, {"after", NULL, FALSE},
    {"a step", NULL, TRUE},    {"host ms", NULL, TRUE}, {NULL, NULL, FALSE},
};

static void append_parts(GString *out, const AtlasSurvey *survey) {
    static const char *const does[ATLAS_PARTS] = {
        [ATLAS_PART_READ] = "reads",  [ATLAS_PART_SYNC] = "waits",
        [ATLAS_PART_COPY] = "copies", [ATLAS_PART_ALLOC] = "allocates",
        [ATLAS_PART_FREE] = "frees",  [ATLAS_PART_CAPTURE] = "captures"};
    g_autoptr(AtlasTable) table = atlas_table_new(part_columns);
    for (guint i = 0; i < survey->parts->len && i < PARTS; i++) {
        const AtlasSurveyPart *p = &g_array_index(survey->parts, AtlasSurveyPart, i);
        atlas_table_row(table);
        atlas_table_text(table, "%s", does[p->kind]);
        atlas_table_text(table, "%s", p->call);
        atlas_table_text(table, "%s", survey_stage_name(survey, p->stage));
        atlas_table_text(table, "%s", p->after ? p->after : "");
        atlas_table_number(table, survey_mean(survey, &p->count), PLACES);
        if (p->host_ns < 0)
            atlas_table_skip(table);
        else
            atlas_table_number(table, survey_step_ms(survey, p->host_ns), MS_PLACES);
    }
    g_autofree char *text = atlas_table_render(table);
    if (survey->parts->len)
        g_string_append_printf(out, "\n%s", text);
    if (survey->parts->len > PARTS)
        g_string_append_printf(out, "and %u more places (--format json lists them)\n",
                               survey->parts->len - PARTS);
}

char *survey_text(const AtlasSurvey *survey) {
    GString *out = g_string_new(NULL);
    append_head(out, survey);
    if (survey->steps) {
        append_stages(out, survey);
        append_time(out, survey);
        append_parts(out, survey);
        survey_append_graphs(out, survey);
        append_kernels(out, survey);
        survey_append_streams(out, survey);
    }
    survey_append_notes(out, survey);
    return g_string_free(out, FALSE);
}

#include "model/measure/survey_record.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "model/measure/kernel_name.h"
#include "model/measure/problems.h"

#define FAMILY "atlas-record/"
#define SCHEMA FAMILY "1"

/* The longest line: names of kernels may be long. */
enum { LINE_SIZE = 1 << 20 };

/* What a step line has beside its stage, as the recorder calls it. */
typedef enum {
    CALLS,
    GRAPH_LAUNCHES,
    GRAPH_NODES,
    UNKNOWN_GRAPHS,
    ACTIVITIES,
    READS,
    UPLOADS,
    COPIES,
    MEMSETS,
    STREAM_SYNCS,
    EVENT_SYNCS,
    CONTEXT_SYNCS,
    ALLOCATIONS,
    FREES,
    CAPTURES,
    INSTANTIATIONS,
    LINE_FIELDS,
    ALL_COPIES = LINE_FIELDS, /* of any direction */
    ALL_SYNCS,                /* of streams, events, contexts */
    FIELDS
} Field;
static const char *const fields[LINE_FIELDS] = {
    "calls",       "graph_launches", "graph_nodes", "unknown_graphs",
    "activities",  "reads",          "uploads",     "copies",
    "memsets",     "stream_syncs",   "event_syncs", "context_syncs",
    "allocations", "frees",          "captures",    "instantiations"};

/* What parts windows, by what it is counted as. */
static const struct {
    Field field;
    AtlasPartKind kind;
    const char *call;
} parts[] = {{READS, ATLAS_PART_READ, "copies to the host"},
             {STREAM_SYNCS, ATLAS_PART_SYNC, "stream syncs"},
             {EVENT_SYNCS, ATLAS_PART_SYNC, "event syncs"},
             {CONTEXT_SYNCS, ATLAS_PART_SYNC, "device syncs"},
             {ALLOCATIONS, ATLAS_PART_ALLOC, "allocations"},
             {FREES, ATLAS_PART_FREE, "frees"},
             {CAPTURES, ATLAS_PART_CAPTURE, "captures"},
             {INSTANTIATIONS, ATLAS_PART_CAPTURE, "instantiations"}};

/* Of one field over the steps. */
typedef struct {
    gint64 sum, least, most;
    gboolean unknown;
} Sum;

typedef struct {
    AtlasSurvey *survey;
    AtlasProblems problems;
    Sum (*stages)[FIELDS];   /* as long as the survey's stages */
    Sum step[FIELDS];        /* whole steps */
    gint64 now[FIELDS];      /* of the step that is being read */
    gint64 totals[FIELDS];   /* of all lines */
    gboolean untold[FIELDS]; /* some line does not say */
    gint64 elsewhere;        /* calls in no step */
    guint next;              /* the stage that comes next */
    gint64 number;           /* of the step that is being read, or was last; -1: there was none */
    guint steps;             /* that were read to their ends */
    gboolean whole;          /* the line of what lies in no step was read: all steps were */
} Reader;

static gboolean fault(Reader *r, guint64 line, const char *what) {
    if (atlas_problem_add(&r->problems, (AtlasPlace){line, 1}, "%s", what))
        atlas_diags_hint(r->problems.diags, "expected what atlas-record -o FILE.ndjson writes");
    return FALSE;
}

static const char *text_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

/* ---- the head ---- */

static void say(Reader *r, const json_t *head, const char *key, const char *as) {
    const char *value = text_of(head, key);
    AtlasAbout about = {as, atlas_survey_string(r->survey, value)};
    if (value)
        g_array_append_val(r->survey->about, about);
}

static void add_stage(Reader *r, const char *name) {
    AtlasSurveyStage stage = {.name = atlas_survey_string(r->survey, name),
                              .brief = atlas_survey_cut(r->survey, name),
                              .host_ns = 0,
                              .starved_ns = -1};
    g_array_append_val(r->survey->stages, stage);
}

static gboolean read_head(Reader *r, const json_t *head, guint64 line) {
    const json_t *stages = json_object_get(head, "stages"), *steps = json_object_get(head, "steps");
    if (g_strcmp0(text_of(head, "schema"), SCHEMA) != 0)
        return fault(r, line, "the first line says another schema than " SCHEMA);
    if (!json_is_array(stages) || !json_is_integer(steps) || json_integer_value(steps) < 0 ||
        json_integer_value(steps) > G_MAXINT32)
        return fault(r, line, "the first line says no stages and steps");
    for (size_t i = 0; i < json_array_size(stages); i++) {
        const char *name = text_of(json_array_get(stages, i), "name");
        if (!name)
            return fault(r, line, "a stage has no name");
        add_stage(r, name);
    }
    add_stage(r, NULL);
    r->survey->steps = (guint)json_integer_value(steps);
    r->survey->lost = MAX(json_integer_value(json_object_get(head, "lost_ranges")), 0) +
                      MAX(json_integer_value(json_object_get(head, "lost_activities")), 0);
    r->survey->by = ATLAS_STEPS_STATED;
    if (json_is_false(json_object_get(head, "ended")))
        r->survey->cut = "the program ended without its exit handlers";
    say(r, head, "device", "device");
    say(r, head, "driver", "driver");
    say(r, head, "cuda", "cuda");
    r->stages = g_malloc0_n(r->survey->stages->len, sizeof *r->stages);
    return TRUE;
}

/* ---- steps ---- */

static void add(Sum *sum, gint64 n, gboolean first) {
    sum->least = first ? n : MIN(sum->least, n);
    sum->most = MAX(sum->most, n);
    sum->sum += n;
}

static gint64 together(gint64 a, gint64 b, gint64 c) {
    return a < 0 || b < 0 || c < 0 ? -1 : a + b + c;
}

/* The line's counts; -1 where it does not say. */
static gboolean read_counts(Reader *r, const json_t *o, guint64 line, gint64 counts[FIELDS]) {
    for (guint k = 0; k < LINE_FIELDS; k++) {
        const json_t *value = json_object_get(o, fields[k]);
        counts[k] = json_is_integer(value) ? json_integer_value(value) : -1;
        if ((!json_is_integer(value) && !json_is_null(value)) ||
            (json_is_integer(value) && counts[k] < 0) || counts[k] > G_MAXINT32)
            return fault(r, line, "a count is missing, or none");
    }
    counts[ALL_COPIES] = together(counts[READS], counts[UPLOADS], counts[COPIES]);
    counts[ALL_SYNCS] = together(counts[STREAM_SYNCS], counts[EVENT_SYNCS], counts[CONTEXT_SYNCS]);
    for (guint k = 0; k < FIELDS; k++) {
        r->totals[k] += MAX(counts[k], 0);
        r->untold[k] |= counts[k] < 0;
    }
    return TRUE;
}

static void end_step(Reader *r, gint64 number) {
    gboolean first = r->survey->first < 0;
    for (guint k = 0; k < FIELDS; k++)
        add(&r->step[k], r->now[k], first);
    memset(r->now, 0, sizeof r->now);
    r->steps++;
    r->survey->first = first ? number : r->survey->first;
    r->survey->last = number;
}

/* Lines of one step have one number, and numbers only grow. */
static gboolean check_number(Reader *r, const json_t *step, guint64 line) {
    gint64 number = json_integer_value(step);
    if (r->next > 0 && number != r->number)
        return fault(r, line, "a step's lines have several numbers");
    if (r->next == 0 && number <= r->number)
        return fault(r, line, "a step's number is no greater than that of the step before it");
    r->number = number;
    return TRUE;
}

static gboolean read_step(Reader *r, const json_t *o, guint64 line) {
    gint64 counts[FIELDS];
    const json_t *step = json_object_get(o, "step"), *ms = json_object_get(o, "ms");
    guint last = r->survey->stages->len - 1;
    if (r->whole || !read_counts(r, o, line, counts))
        return r->whole ? fault(r, line, "a step stands behind the last one") : FALSE;
    if (json_is_null(step)) { /* in no step */
        r->whole = TRUE;
        r->elsewhere = counts[CALLS];
        return r->steps == r->survey->steps ||
               fault(r, line, "the first line says another number of steps");
    }
    AtlasSurveyStage *stage = atlas_survey_stage(r->survey, r->next);
    if (g_strcmp0(text_of(o, "stage"), stage->name) != 0 || !json_is_integer(step))
        return fault(r, line, "another stage of the step comes next");
    if (!check_number(r, step, line))
        return FALSE;
    for (guint k = 0; k < FIELDS; k++) {
        add(&r->stages[r->next][k], MAX(counts[k], 0), r->survey->first < 0);
        r->stages[r->next][k].unknown |= counts[k] < 0;
        r->step[k].unknown |= counts[k] < 0;
        r->now[k] += MAX(counts[k], 0);
    }
    if (json_is_number(ms) && json_number_value(ms) >= 0 && json_number_value(ms) < 1e9)
        stage->host_ns += (gint64)(json_number_value(ms) * 1e6 + 0.5);
    r->next = r->next == last ? 0 : r->next + 1;
    if (r->next == 0)
        end_step(r, json_integer_value(step));
    return TRUE;
}

/* ---- kernels ---- */

static guint kernel_index(Reader *r, const char *name) {
    for (guint i = 0; i < r->survey->kernels->len; i++)
        if (g_str_equal(atlas_survey_kernel(r->survey, i)->name, name))
            return i;
    g_autofree char *brief = atlas_kernel_short(name);
    AtlasSurveyKernel kernel = {.name = atlas_survey_string(r->survey, name),
                                .brief = atlas_survey_string(r->survey, brief),
                                .gpu_ns = -1,
                                .by_stage = g_new0(gint64, r->survey->stages->len)};
    g_array_append_val(r->survey->kernels, kernel);
    return r->survey->kernels->len - 1;
}

static gboolean read_kernel(Reader *r, const json_t *o, guint64 line) {
    const char *name = text_of(o, "kernel"), *of = text_of(o, "stage");
    gint64 calls = json_integer_value(json_object_get(o, "calls"));
    guint stage = 0, last = r->survey->stages->len - 1;
    while (of && stage < last && !g_str_equal(atlas_survey_stage(r->survey, stage)->name, of))
        stage++;
    if (calls < 1 || calls > G_MAXINT32 || (of && stage == last))
        return fault(r, line, "a kernel of no stage, or without launches");
    if (!of && r->elsewhere > 0)
        return TRUE;
    AtlasSurveyKernel *kernel =
        atlas_survey_kernel(r->survey, kernel_index(r, name ? name : "(not named)"));
    kernel->launches += calls;
    kernel->by_stage[of ? stage : last] += calls;
    return TRUE;
}

/* ---- the whole ---- */

static AtlasTally tally(const Sum *sum) {
    return (AtlasTally){!sum->unknown, sum->sum, sum->least, sum->most};
}

static void fill(AtlasTally *counts, const Sum *sums) {
    static const Field of[ATLAS_TALLIES] = {
        [ATLAS_TALLY_LAUNCHES] = CALLS,    [ATLAS_TALLY_GRAPHS] = GRAPH_LAUNCHES,
        [ATLAS_TALLY_NODES] = GRAPH_NODES, [ATLAS_TALLY_COPIES] = ALL_COPIES,
        [ATLAS_TALLY_MEMSETS] = MEMSETS,   [ATLAS_TALLY_SYNCS] = ALL_SYNCS,
        [ATLAS_TALLY_READS] = READS,       [ATLAS_TALLY_ALLOCS] = ALLOCATIONS};
    for (guint k = 0; k < ATLAS_TALLIES; k++)
        counts[k] = tally(&sums[of[k]]);
    counts[ATLAS_TALLY_NODES].known &= sums[UNKNOWN_GRAPHS].sum == 0;
}

static void add_parts(Reader *r) {
    for (guint s = 0; s < r->survey->stages->len; s++)
        for (guint i = 0; i < G_N_ELEMENTS(parts); i++) {
            const Sum *sum = &r->stages[s][parts[i].field];
            AtlasSurveyPart part = {.kind = parts[i].kind,
                                    .call = parts[i].call,
                                    .stage = s,
                                    .count = tally(sum),
                                    .host_ns = -1};
            if (sum->sum)
                g_array_append_val(r->survey->parts, part);
        }
}

static gint64 total(const Reader *r, Field field) {
    return r->untold[field] ? -1 : r->totals[field];
}

static void finish(Reader *r) {
    AtlasSurvey *survey = r->survey;
    survey->totals.calls = total(r, CALLS);
    survey->totals.graph_launches = total(r, GRAPH_LAUNCHES);
    survey->totals.copies = total(r, ALL_COPIES);
    survey->totals.memsets = total(r, MEMSETS);
    survey->totals.activities = total(r, ACTIVITIES);
    survey->totals.graph_nodes = r->totals[UNKNOWN_GRAPHS] ? -1 : total(r, GRAPH_NODES);
    survey->between = r->elsewhere;
    survey->time.steps = 0;
    fill(survey->step, r->step);
    survey->nodes_by_kernel = /* its kernels are those of calls */
        survey->step[ATLAS_TALLY_NODES].known && survey->step[ATLAS_TALLY_NODES].sum == 0;
    for (guint i = 0; i < survey->stages->len; i++) {
        AtlasSurveyStage *stage = atlas_survey_stage(survey, i);
        fill(stage->counts, r->stages[i]);
        survey->time.steps += stage->host_ns;
    }
    add_parts(r);
}

static gboolean read_line(Reader *r, const AtlasLine *line) {
    json_error_t error;
    gsize mark = line->number == 1 ? atlas_lines_mark(line->text, line->length) : 0;
    json_t *o = json_loadb(line->text + mark, line->length - mark, 0, &error);
    gboolean ok = FALSE;
    if (line->overlong || !json_is_object(o))
        fault(r, line->number, "a line holds no object");
    else if (line->number == 1)
        ok = read_head(r, o, line->number);
    else if (json_object_get(o, "kernel"))
        ok = read_kernel(r, o, line->number);
    else
        ok = read_step(r, o, line->number);
    json_decref(o);
    return ok;
}

AtlasSurvey *atlas_survey_record(AtlasFile *file, AtlasDiags *diags) {
    g_autoptr(AtlasSurvey) survey = atlas_survey_new(atlas_file_name(file), "atlas-record");
    g_autoptr(AtlasLines) lines = atlas_lines_new(atlas_file_input(file), LINE_SIZE);
    Reader r = {.survey = survey,
                .problems = {.diags = diags, .path = atlas_file_name(file)},
                .number = -1};
    AtlasLine line = {.number = 0};
    gboolean ok = TRUE;
    while (ok && atlas_lines_next(lines, &line))
        ok = read_line(&r, &line);
    if (atlas_lines_fault(lines))
        atlas_file_fault(file, atlas_lines_fault(lines), diags);
    else if (ok && (!r.whole || r.next != 0))
        ok = fault(&r, line.number, "the recording ends before its last step does");
    if (ok && !atlas_lines_fault(lines))
        finish(&r);
    g_free(r.stages);
    return ok && !atlas_lines_fault(lines) ? g_steal_pointer(&survey) : NULL;
}

gboolean atlas_survey_record_recognise(const char *text, gsize length) {
    static const char begin[] = "{\"schema\":\"" FAMILY;
    gsize mark = atlas_lines_mark(text, length);
    return length - mark >= sizeof begin - 1 && memcmp(text + mark, begin, sizeof begin - 1) == 0;
}

#include "backends/record/tally.h"

#include <string.h>

#include "model/measure/log.h"

static RecordCell *cell_at(const RecordTally *t, guint step, guint stage) {
    return &g_array_index(t->cells, RecordCell, step * (t->stages->len + 1) + stage);
}

const RecordCell *record_cell(const RecordTally *t, guint step, guint stage) {
    return cell_at(t, step, stage);
}

int record_stage_of(const RecordTally *t, guint32 name) {
    for (guint i = 0; i < t->stages->len; i++)
        if (g_array_index(t->stages, RecordStage, i).range == name)
            return (int)i;
    return -1;
}

/* ---- stages ---- */

/* The step that a range is a stage of; -1: it is none. */
static int step_of(const RecordTally *t, const RecordRange *range) {
    return range->stage && !t->frame->is_frame[range->id]
               ? record_frame_step(t->frame, range->begin)
               : -1;
}

static char *plain_name(const char *name) {
    GString *plain = g_string_new(NULL);
    for (const char *p = name; *p; p++)
        if (g_ascii_isalnum(*p))
            g_string_append_c(plain, g_ascii_tolower(*p));
        else if (plain->len > 0 && plain->str[plain->len - 1] != '_')
            g_string_append_c(plain, '_');
    if (plain->len > 0 && plain->str[plain->len - 1] == '_')
        g_string_truncate(plain, plain->len - 1);
    if (!g_ascii_isalpha(plain->str[0]))
        g_string_prepend(plain, plain->len > 0 ? "range_" : "range");
    return g_string_free(plain, FALSE);
}

static gboolean is_taken(const RecordTally *t, const char *name) {
    for (guint i = 0; i < t->stages->len; i++)
        if (g_str_equal(g_array_index(t->stages, RecordStage, i).name, name))
            return TRUE;
    return FALSE;
}

/* "outside" and "total" mean something else where counts are shown. */
static char *free_name(const RecordTally *t, const char *name) {
    g_autofree char *plain = plain_name(name);
    char *free = g_strdup(plain);
    for (guint i = 2;
         is_taken(t, free) || g_str_equal(free, "outside") || g_str_equal(free, "total"); i++) {
        g_free(free);
        free = g_strdup_printf("%s_%u", plain, i);
    }
    return free;
}

/* Stages in the order of a step: one that is first seen later stands behind the one before it. */
static void find_stages(RecordTally *t) {
    const RecordReading *r = t->reading;
    int in_step = -1, last = -1;
    for (guint i = 0; i < r->ranges->len; i++) {
        const RecordRange *range = &g_array_index(r->ranges, RecordRange, i);
        int step = step_of(t, range), stage = record_stage_of(t, range->name);
        if (step < 0)
            continue;
        last = step == in_step ? last : -1;
        in_step = step;
        if (stage < 0) {
            RecordStage made = {free_name(t, record_name(r, range->name)), range->name};
            stage = last + 1;
            g_array_insert_val(t->stages, (guint)stage, made);
        }
        last = stage;
    }
    if (!t->frame->ranges) {
        RecordStage all = {g_strdup("all"), 0};
        g_array_append_val(t->stages, all);
    }
}

/* ---- counts ---- */

static void add_counts(RecordCell *cell, const guint64 *counts) {
    for (guint k = 0; k < RECORD_COUNT_KINDS; k++)
        cell->counts[k] += (gint64)counts[k];
}

static void add_block(RecordTally *t, const RecordBlock *block) {
    const RecordRange *range = record_range(t->reading, block->range);
    int step = range ? step_of(t, range) : -1;
    int stage = step >= 0 ? record_stage_of(t, range->name) : (int)t->stages->len;
    if (!t->frame->ranges)
        step = stage = 0;
    else if (step < 0) /* a range may span many steps: when it was counted tells */
        step = record_frame_step(t->frame, block->begin);
    add_counts(step >= 0 ? cell_at(t, (guint)step, (guint)stage) : &t->elsewhere, block->counts);
}

/* A range's time is its own without what lies in it. */
static void add_time(RecordTally *t, const RecordRange *range) {
    const RecordRange *parent = record_range(t->reading, range->parent);
    int step = step_of(t, range), around = parent ? step_of(t, parent) : -1;
    gint64 ns = (gint64)(range->end - range->begin);
    if (step < 0 || range->end == 0)
        return;
    cell_at(t, (guint)step, (guint)record_stage_of(t, range->name))->ns += ns;
    if (around >= 0)
        cell_at(t, (guint)around, (guint)record_stage_of(t, parent->name))->ns -= ns;
}

/* What is left of a step's time lies outside its stages; less than none where threads overlap. */
static void add_rest(RecordTally *t) {
    for (guint i = 0; i < t->frame->steps->len; i++) {
        const RecordStep *step = &g_array_index(t->frame->steps, RecordStep, i);
        gint64 rest = (gint64)(step->end - step->begin);
        if (!t->frame->ranges) {
            cell_at(t, i, 0)->ns = rest;
            continue;
        }
        for (guint s = 0; s < t->stages->len; s++)
            rest -= cell_at(t, i, s)->ns;
        cell_at(t, i, t->stages->len)->ns = MAX(rest, 0);
    }
}

static void stage_clear(gpointer data) {
    g_free(((RecordStage *)data)->name);
}

RecordTally *record_tally(const RecordReading *r, const char *step, guint64 ended) {
    RecordFrame *frame = record_frame(r, step, ended);
    if (!frame)
        return NULL;
    RecordTally *t = g_new0(RecordTally, 1);
    t->reading = r;
    t->frame = frame;
    t->stages = g_array_new(FALSE, FALSE, sizeof(RecordStage));
    g_array_set_clear_func(t->stages, stage_clear);
    t->cells = g_array_new(FALSE, TRUE, sizeof(RecordCell));
    find_stages(t);
    g_array_set_size(t->cells, frame->steps->len * (t->stages->len + 1));
    for (guint i = 0; i < r->blocks->len; i++)
        add_block(t, &g_array_index(r->blocks, RecordBlock, i));
    for (guint i = 0; i < r->ranges->len; i++)
        add_time(t, &g_array_index(r->ranges, RecordRange, i));
    add_rest(t);
    return t;
}

void record_tally_free(RecordTally *t) {
    if (!t)
        return;
    record_frame_free(t->frame);
    g_array_unref(t->stages);
    g_array_unref(t->cells);
    g_free(t);
}

gint64 record_submissions(const RecordCell *cell) {
    return cell->counts[RECORD_CALLS] - cell->counts[RECORD_CAPTURED] +
           cell->counts[RECORD_GRAPH_LAUNCHES];
}

RecordCell record_sum(const RecordTally *t, guint first, guint last, guint stage) {
    RecordCell sum = {.ns = 0};
    for (guint i = first; i <= last; i++) {
        const RecordCell *cell = cell_at(t, i, stage);
        for (guint k = 0; k < RECORD_COUNT_KINDS; k++)
            sum.counts[k] += cell->counts[k];
        sum.ns += cell->ns;
    }
    return sum;
}

guint record_warm(const RecordTally *t) {
    guint steps = t->frame->steps->len;
    return steps - MIN((steps + 2) / 3, ATLAS_LOG_WARM_MAX);
}

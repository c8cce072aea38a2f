#include "backends/cuda/driver.h"
#include "backends/record/write.h"
#include "model/base/table.h"
#include "model/base/visible.h"

enum {
    LAUNCHES = 1,
    CALLS,
    CAPTURED,
    GRAPHS,
    NODES,
    KERNELS,
    READS,
    SYNCS,
    ALLOCATIONS,
    MS,
    COLUMNS
};

static const AtlasTableColumn columns[COLUMNS + 1] = {
    {"stage", NULL, FALSE},      {"launches", NULL, TRUE},   {"calls", NULL, TRUE},
    {"captured", NULL, TRUE},    {"graphs", NULL, TRUE},     {"graph nodes", NULL, TRUE},
    {"kernels run", NULL, TRUE}, {"host reads", NULL, TRUE}, {"syncs", NULL, TRUE},
    {"allocs", NULL, TRUE},      {"host ms", NULL, TRUE},    {NULL, NULL, FALSE}};

/* What a column shows of a cell, before it is divided by the steps; of time, nanoseconds. */
static gint64 shown(const RecordCell *cell, guint column) {
    const gint64 *counts = cell->counts;
    switch (column) {
    case LAUNCHES:
        return record_submissions(cell);
    case CALLS:
        return counts[RECORD_CALLS];
    case CAPTURED:
        return counts[RECORD_CAPTURED];
    case GRAPHS:
        return counts[RECORD_GRAPH_LAUNCHES];
    case NODES:
        return counts[RECORD_GRAPH_NODES];
    case KERNELS:
        return counts[RECORD_ACTIVITIES];
    case READS:
        return counts[RECORD_READS];
    case SYNCS:
        return counts[RECORD_STREAM_SYNCS] + counts[RECORD_EVENT_SYNCS] +
               counts[RECORD_CONTEXT_SYNCS];
    case ALLOCATIONS:
        return counts[RECORD_ALLOCATIONS];
    default:
        return cell->ns;
    }
}

/* A row of means; what no row has is left out, and so are calls where they are the launches. */
static void add_row(AtlasTable *table, const char *name, const RecordCell *sum,
                    const RecordCell *total, gint64 steps) {
    gboolean graphs = shown(total, CAPTURED) + shown(total, GRAPHS) > 0;
    atlas_table_row(table);
    atlas_table_text(table, "%s", name);
    for (guint c = LAUNCHES; c < COLUMNS; c++)
        if (c == MS)
            atlas_table_number(table, atlas_rat_make(shown(sum, c) / 1000, steps * 1000), 3);
        else if (c != LAUNCHES && (shown(total, c) == 0 || (c == CALLS && !graphs)))
            atlas_table_skip(table);
        else
            atlas_table_number(table, atlas_rat_make(shown(sum, c), steps), 1);
}

static void add_cell(RecordCell *to, const RecordCell *cell) {
    for (guint k = 0; k < RECORD_COUNT_KINDS; k++)
        to->counts[k] += cell->counts[k];
    to->ns += cell->ns;
}

static gboolean counted_anything(const RecordCell *cell) {
    for (guint k = 0; k < RECORD_COUNT_KINDS; k++)
        if (cell->counts[k] > 0)
            return TRUE;
    return FALSE;
}

static char *render(const RecordTally *t, guint first, guint last) {
    g_autoptr(AtlasTable) table = atlas_table_new(columns);
    gint64 steps = last - first + 1;
    RecordCell total = {.ns = 0};
    for (guint s = 0; s <= t->stages->len; s++) {
        RecordCell sum = record_sum(t, first, last, s);
        add_cell(&total, &sum);
    }
    for (guint s = 0; s <= t->stages->len; s++) {
        RecordCell sum = record_sum(t, first, last, s);
        if (s < t->stages->len)
            add_row(table, g_array_index(t->stages, RecordStage, s).name, &sum, &total, steps);
        else if (counted_anything(&sum))
            add_row(table, "outside", &sum, &total, steps);
    }
    atlas_table_rule(table);
    add_row(table, "total", &total, &total, steps);
    return atlas_table_render(table);
}

/* "NVIDIA H200, CUDA 13.0, CUPTI 130001" */
static char *instrument(const RecordHead *head) {
    GString *out = g_string_new(head->device[0] ? head->device : "no device");
    g_autofree char *cuda = cuda_version_text((int)head->driver);
    if (head->devices > 1)
        g_string_append_printf(out, " (the first of %u devices)", head->devices);
    if (head->driver)
        g_string_append_printf(out, ", CUDA %s", cuda);
    if (head->cupti)
        g_string_append_printf(out, ", CUPTI %u", head->cupti);
    return g_string_free(out, FALSE);
}

char *record_summary(const RecordTally *t, const RecordAbout *about) {
    GString *out = g_string_new(NULL);
    g_autofree char *with = instrument(&t->reading->head);
    g_autofree char *by = atlas_visible_text(t->frame->by);
    g_autoptr(GPtrArray) notes = record_notes(t, about);
    guint steps = t->frame->steps->len;
    if (steps > 1) {
        guint first = record_warm(t);
        g_autofree char *table = render(t, first, steps - 1);
        gint64 from = g_array_index(t->frame->steps, RecordStep, first).number;
        gint64 to = g_array_index(t->frame->steps, RecordStep, steps - 1).number;
        g_string_append_printf(out, "%u steps (%s), ", steps, by);
        if (from < to)
            g_string_append_printf(out, "means of steps %" G_GINT64_FORMAT "-%" G_GINT64_FORMAT,
                                   from, to);
        else
            g_string_append_printf(out, "of which step %" G_GINT64_FORMAT, to);
        g_string_append_printf(out, "; %s\n%s", with, table);
    } else if (steps == 1) {
        g_autofree char *table = render(t, 0, 0);
        g_string_append_printf(out, "1 step (%s); %s\n%s", by, with, table);
    } else {
        g_string_append_printf(out, "no whole step (%s); %s\n", by, with);
    }
    for (guint i = 0; i < notes->len; i++)
        g_string_append_printf(out, "note: %s\n", (char *)g_ptr_array_index(notes, i));
    return g_string_free(out, FALSE);
}

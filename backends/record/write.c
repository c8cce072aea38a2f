#include "backends/record/write.h"

#include "backends/cuda/driver.h"

enum { VALUE_MAX = 500 }; /* bytes of a value in a log, about; a reader takes 1,024 */

/* ---- what is counted ---- */

/* Launches of a kind in a cell. */
static gint64 counted_as(const RecordCell *cell, AtlasCountKind kind) {
    return kind == ATLAS_COUNT_CALLS         ? cell->counts[RECORD_CALLS]
           : kind == ATLAS_COUNT_SUBMISSIONS ? record_submissions(cell)
           : kind == ATLAS_COUNT_ACTIVITIES  ? cell->counts[RECORD_ACTIVITIES]
                                             : cell->counts[RECORD_GRAPH_NODES];
}

/* Launches that lie in no stage, in all steps that are shown. */
static gint64 outside(const RecordTally *t, AtlasCountKind kind) {
    gint64 sum = 0;
    for (guint i = 0; i < t->frame->steps->len; i++)
        sum += counted_as(record_cell(t, i, t->stages->len), kind);
    return sum;
}

static guint64 lost(const RecordTally *t, const RecordAbout *about) {
    const RecordHead *head = &t->reading->head;
    if (about->counted == ATLAS_COUNT_GRAPH_NODES)
        return record_total(t->reading, RECORD_UNKNOWN_GRAPHS);
    if (about->counted != ATLAS_COUNT_ACTIVITIES)
        return 0;
    return head->lost_activities + !(head->flags & RECORD_FLUSHED);
}

/* ---- notes ---- */

static void note(GPtrArray *notes, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void note(GPtrArray *notes, const char *format, ...) {
    va_list args;
    va_start(args, format);
    g_ptr_array_add(notes, g_strdup_vprintf(format, args));
    va_end(args);
}

static const char *plural(gint64 n) {
    return n == 1 ? "" : "s";
}

static void note_steps(GPtrArray *notes, const RecordTally *t) {
    const RecordHead *head = &t->reading->head;
    guint left_out = t->frame->left_out;
    if (head->lost > 0)
        note(notes, "the recording was full before the program ended: name the stages (--stages), "
                    "or record fewer steps");
    if (!(head->flags & RECORD_ENDED))
        note(notes, "the program ended without its exit handlers: what it did last may be missing");
    if (left_out > 0)
        note(notes, "%u step%s at the end may not be whole, and %s left out", left_out,
             plural(left_out), left_out == 1 ? "is" : "are");
    if (!t->frame->ranges && head->flags & RECORD_NAMED_STAGES)
        note(notes, "none of the stages was seen: check the names that --stages gives");
}

GPtrArray *record_notes(const RecordTally *t, const RecordAbout *about) {
    GPtrArray *notes = g_ptr_array_new_with_free_func(g_free);
    const RecordHead *head = &t->reading->head;
    gint64 between = outside(t, about->counted);
    gint64 unknown = (gint64)record_total(t->reading, RECORD_UNKNOWN_GRAPHS);
    note_steps(notes, t);
    gint64 elsewhere = counted_as(&t->elsewhere, about->counted);
    if (between > 0)
        note(notes, "%" G_GINT64_FORMAT " %s in %u step%s lie in no stage", between,
             atlas_count_name(about->counted), t->frame->steps->len, plural(t->frame->steps->len));
    if (elsewhere > 0)
        note(notes, "%" G_GINT64_FORMAT " %s lie in no step", elsewhere,
             atlas_count_name(about->counted));
    if (unknown > 0)
        note(notes,
             "the kernels of %" G_GINT64_FORMAT " graph launch%s are not all known (graphs "
             "with conditional nodes): graph nodes are lower bounds",
             unknown, unknown == 1 ? "" : "es");
    if (about->activities && head->lost_activities > 0)
        note(notes,
             "%" G_GUINT64_FORMAT " records of kernels were lost: activities are lower "
             "bounds",
             head->lost_activities);
    if (about->activities && !(head->flags & RECORD_FLUSHED))
        note(notes, "not all records of kernels had come when the program ended: activities are "
                    "lower bounds");
    return notes;
}

/* ---- the log ---- */

/* As a value of a log: printable, and not too long. */
static char *value(const char *text) {
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    GString *out = g_string_new(NULL);
    for (const char *p = valid; *p; p = g_utf8_next_char(p)) {
        gunichar c = g_utf8_get_char(p);
        g_string_append_unichar(out, g_unichar_isprint(c) ? c : ' ');
        if (out->len >= VALUE_MAX) {
            g_string_append(out, " …");
            break;
        }
    }
    return g_string_free(out, FALSE);
}

static void say(GString *out, const char *key, const char *text) {
    g_autofree char *plain = value(text);
    if (*plain)
        g_string_append_printf(out, "ATLAS-ABOUT\t%s\t%s\n", key, plain);
}

static void say_all(GString *out, const RecordTally *t, const RecordAbout *about) {
    const RecordHead *head = &t->reading->head;
    g_autofree char *cuda = cuda_version_text((int)head->driver);
    g_autofree char *cupti = g_strdup_printf("%u", head->cupti);
    g_autofree char *command = g_strjoinv(" ", (char **)about->command);
    g_autofree char *missing = g_strdup_printf("%" G_GUINT64_FORMAT, lost(t, about));
    g_autoptr(GPtrArray) notes = record_notes(t, about);
    say(out, "counted", atlas_count_name(about->counted));
    say(out, "lag", "0");
    if (lost(t, about) > 0)
        say(out, "lost", missing);
    say(out, "device", head->device);
    if (head->driver)
        say(out, "cuda", cuda);
    if (about->release)
        say(out, "driver", about->release);
    say(out, "attach", about->cupti ? "cupti" : "preload");
    if (head->cupti)
        say(out, "cupti", cupti);
    say(out, "note-command", command);
    say(out, "note-steps", t->frame->by);
    for (guint i = 0; i < notes->len; i++) {
        g_autofree char *key = g_strdup_printf("note-%u", i + 1);
        say(out, key, g_ptr_array_index(notes, i));
    }
}

static const char *stage_name(const RecordTally *t, guint stage) {
    return g_array_index(t->stages, RecordStage, stage).name;
}

static void write_warm(GString *out, const RecordTally *t, AtlasCountKind kind) {
    guint first = record_warm(t), last = t->frame->steps->len - 1;
    gint64 steps = last - first + 1;
    char mean[64];
    for (guint s = 0; s < t->stages->len; s++) {
        RecordCell sum = record_sum(t, first, last, s);
        atlas_rat_format(atlas_rat_make(counted_as(&sum, kind), steps), 3, mean, sizeof mean);
        g_string_append_printf(
            out, "ATLAS-WARM\t%" G_GINT64_FORMAT "-%" G_GINT64_FORMAT "\t%s\t%s\t%.3f\n",
            g_array_index(t->frame->steps, RecordStep, first).number,
            g_array_index(t->frame->steps, RecordStep, last).number, stage_name(t, s), mean,
            (double)sum.ns / 1e6 / (double)steps);
    }
}

char *record_log(const RecordTally *t, const RecordAbout *about) {
    GString *out = g_string_new(NULL);
    say_all(out, t, about);
    for (guint i = 0; i < t->frame->steps->len; i++)
        for (guint s = 0; s < t->stages->len; s++) {
            const RecordCell *cell = record_cell(t, i, s);
            g_string_append_printf(
                out, "ATLAS\t%" G_GINT64_FORMAT "\t%s\t%" G_GINT64_FORMAT "\t%.3f\n",
                g_array_index(t->frame->steps, RecordStep, i).number, stage_name(t, s),
                counted_as(cell, about->counted), (double)MAX(cell->ns, 0) / 1e6);
        }
    if (t->frame->steps->len > 1)
        write_warm(out, t, about->counted);
    return g_string_free(out, FALSE);
}

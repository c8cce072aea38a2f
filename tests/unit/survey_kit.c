#include "tests/unit/survey_kit.h"

#include <check.h>
#include <string.h>

static guint16 thread_of(AtlasTraceBuilder *builder, const char *text) {
    g_auto(GStrv) parts = g_strsplit(text, "/", 2);
    guint16 thread;
    ck_assert(atlas_trace_thread(builder, parts[0], parts[1], &thread));
    return thread;
}

static gint64 number(const char *text) {
    return g_ascii_strtoll(text, NULL, 10);
}

static void add_activity(AtlasTraceBuilder *builder, char **words, AtlasActivityKind kind) {
    AtlasTraceActivity a = {.start = number(words[2]),
                            .duration = number(words[3]),
                            .correlation = (guint32)number(words[4]),
                            .kind = (guint8)kind,
                            .name = atlas_trace_intern(builder, words[5], strlen(words[5]))};
    ck_assert(atlas_trace_stream(builder, 0, number(words[1]), &a.stream));
    atlas_trace_add_activity(builder, &a);
}

static void add_call(AtlasTraceBuilder *builder, char **words) {
    AtlasTraceCall call = {.start = number(words[2]),
                           .correlation = (guint32)number(words[4]),
                           .thread = thread_of(builder, words[1]),
                           .kind = (guint8)atlas_call_kind(words[5], strlen(words[5]))};
    AtlasTraceDetail detail = {number(words[3]),
                               atlas_trace_intern(builder, words[5], strlen(words[5]))};
    ck_assert_int_ne(call.kind, ATLAS_CALL_KINDS);
    atlas_trace_add_call(builder, &call, &detail);
}

static void add_range(AtlasTraceBuilder *builder, const char *line) {
    g_auto(GStrv) words = g_strsplit(line, " ", 5);
    AtlasTraceRange range = {.start = number(words[2]),
                             .duration = number(words[3]),
                             .thread = thread_of(builder, words[1]),
                             .open = g_str_equal(words[0], "open"),
                             .name = atlas_trace_intern(builder, words[4], strlen(words[4]))};
    atlas_trace_add_range(builder, &range);
}

AtlasTrace *survey_kit_trace(const char *text) {
    AtlasTraceBuilder *builder = atlas_trace_builder_new(ATLAS_TRACE_ALL);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (guint i = 0; lines[i]; i++) {
        g_auto(GStrv) words = g_strsplit(lines[i], " ", 6);
        if (!words[0])
            continue;
        if (g_str_equal(words[0], "range") || g_str_equal(words[0], "open"))
            add_range(builder, lines[i]);
        else if (g_str_equal(words[0], "call"))
            add_call(builder, words);
        else if (g_str_equal(words[0], "kernel"))
            add_activity(builder, words, ATLAS_ACTIVITY_KERNEL);
        else
            add_activity(builder, words,
                         *words[0] == 'c' ? ATLAS_ACTIVITY_COPY : ATLAS_ACTIVITY_MEMSET);
    }
    return atlas_trace_finish(builder);
}

AtlasSurvey *survey_kit(const char *text, const char *step) {
    g_autoptr(AtlasTrace) trace = survey_kit_trace(text);
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasTraceParts) parts = atlas_trace_parts_find(trace, step, diags);
    ck_assert_ptr_nonnull(parts);
    return atlas_survey_trace(trace, parts, "kit.json", "kineto");
}

char *survey_kit_stages(const AtlasSurvey *survey) {
    GString *out = g_string_new(NULL);
    for (guint i = 0; i + 1 < survey->stages->len; i++)
        g_string_append_printf(out, "%s%s", i ? ", " : "", atlas_survey_stage(survey, i)->name);
    return g_string_free(out, FALSE);
}

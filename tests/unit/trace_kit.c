#include "tests/unit/trace_kit.h"

#include "model/measure/kineto.h"
#include "model/measure/nsys.h"

static TraceRead finish(AtlasTraceBuilder *builder, gboolean ok, AtlasDiags *diags) {
    TraceRead read = {ok ? atlas_trace_finish(builder) : NULL, atlas_diags_render(diags, FALSE)};
    if (!ok)
        atlas_trace_builder_free(builder);
    g_assert_cmpint(ok, ==, *read.errors == '\0');
    atlas_diags_free(diags);
    return read;
}

TraceRead trace_read_text(const char *text, gsize length, AtlasTraceWants wants) {
    g_autoptr(AtlasFile) file = atlas_file_memory("x.json", text, length);
    AtlasTraceBuilder *builder = atlas_trace_builder_new(wants);
    AtlasDiags *diags = atlas_diags_new();
    return finish(builder, atlas_kineto_read(file, builder, diags), diags);
}

TraceRead trace_read_file(const char *path, AtlasTraceWants wants) {
    AtlasTraceBuilder *builder = atlas_trace_builder_new(wants);
    AtlasDiags *diags = atlas_diags_new();
    const char *fault;
    gsize length;
    g_autoptr(AtlasFile) file = atlas_file_open(path, &fault);
    g_assert_nonnull(file);
    const char *head = atlas_file_peek(file, &length);
    gboolean ok = atlas_nsys_recognise(head, length) ? atlas_nsys_read(path, builder, diags)
                                                     : atlas_kineto_read(file, builder, diags);
    return finish(builder, ok, diags);
}

void trace_read_clear(TraceRead *read) {
    atlas_trace_free(read->trace);
    g_free(read->errors);
}

char *trace_totals(const AtlasTrace *trace) {
    const AtlasTraceTotals *t = &trace->totals;
    GString *text = g_string_new(NULL);
    const struct {
        const char *name;
        gint64 number;
    } numbers[] = {
        {"calls", t->calls},     {"graphs", t->graph_launches}, {"copies", t->copies},
        {"memsets", t->memsets}, {"kernels", t->activities},    {"nodes", t->graph_nodes},
        {"orphans", t->orphans}, {"uncaused", t->uncaused},     {"steps", t->steps}};
    for (guint i = 0; i < G_N_ELEMENTS(numbers); i++)
        g_string_append_printf(text, "%s%s %" G_GINT64_FORMAT, i ? " " : "", numbers[i].name,
                               numbers[i].number);
    if (trace->lost)
        g_string_append_printf(text, " lost %" G_GINT64_FORMAT, trace->lost);
    const struct {
        const char *name;
        gint64 number;
    } gaps[] = {{"doubled", trace->doubled}, {"failed", trace->failed}, {"open", trace->open}};
    for (guint i = 0; i < G_N_ELEMENTS(gaps); i++)
        if (gaps[i].number)
            g_string_append_printf(text, " %s %" G_GINT64_FORMAT, gaps[i].name, gaps[i].number);
    g_string_append(text, trace->cut ? " cut" : "");
    g_string_append(text, trace->whole_graph ? " whole graphs" : "");
    return g_string_free(text, FALSE);
}

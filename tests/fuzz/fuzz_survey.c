/* Surveys of traces, and the programs and specs that are made of them: any trace can be surveyed;
 * each moment of a step has one reason; what is written can be read. An event is seven bytes. */
#include <stdint.h>
#include <string.h>

#include "graphs/seen_program.h"
#include "model/launch/spec.h"
#include "model/measure/trace_parts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const names[] = {"cudaLaunchKernel",
                                    "cudaGraphLaunch",
                                    "cudaMemcpyAsync",
                                    "cudaMemsetAsync",
                                    "cudaMalloc",
                                    "cudaStreamSynchronize",
                                    "cudaFree",
                                    "cudaEventRecord",
                                    "ProfilerStep#1",
                                    "ProfilerStep#2",
                                    "step 7",
                                    "step 8",
                                    "stage:fwd",
                                    "void n::k<3>(int)",
                                    "Memcpy DtoH (Device -> Pageable)",
                                    "Memcpy DtoH (Device -> Pinned)"};

static void add(AtlasTraceBuilder *b, const uint8_t *e) {
    const char *name = names[e[1] % G_N_ELEMENTS(names)];
    guint32 number = atlas_trace_intern(b, name, strlen(name));
    guint16 thread, stream;
    gint64 start = (e[2] << 8 | e[3]) % 4000, length = e[4];
    atlas_trace_thread(b, e[5] & 4 ? "2" : "1", e[5] & 1 ? "1" : "2", &thread);
    atlas_trace_stream(b, e[5] >> 4 & 1, e[5] >> 5, &stream);
    if (e[0] % 3 == 0)
        atlas_trace_add_call(b,
                             &(AtlasTraceCall){.start = start,
                                               .correlation = e[6],
                                               .thread = thread,
                                               .kind = atlas_call_kind(name, strlen(name)),
                                               .driver = atlas_call_is_driver(name, strlen(name))},
                             &(AtlasTraceDetail){length, number});
    else if (e[0] % 3 == 1)
        atlas_trace_add_activity(b, &(AtlasTraceActivity){.start = start,
                                                          .duration = length,
                                                          .correlation = e[6],
                                                          .name = number,
                                                          .stream = stream,
                                                          .kind = e[0] / 3 % ATLAS_ACTIVITY_KINDS});
    else
        atlas_trace_add_range(b, &(AtlasTraceRange){.start = start,
                                                    .duration = length * 8,
                                                    .name = number,
                                                    .thread = thread,
                                                    .open = e[0] > 250});
}

static void write_and_read(const AtlasSurvey *survey) {
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasProgramFile) file = atlas_program_file_new();
    g_autoptr(GString) text = g_string_new(NULL);
    const AtlasProgram *program = atlas_seen_program(survey, file, diags);
    if (!program)
        return;
    atlas_program_write(program, text);
    g_autofree char *yaml = atlas_seen_spec(survey, diags);
    g_autoptr(AtlasSource) source = atlas_source_new("program", text->str, text->len, NULL);
    g_autoptr(AtlasSource) spec_source = atlas_source_new("spec", yaml, strlen(yaml), NULL);
    g_autoptr(AtlasProgramFile) again = atlas_program_read(source, diags);
    g_autoptr(AtlasSpec) spec = atlas_spec_read(spec_source, diags);
    g_assert(again && spec && atlas_diags_errors(diags) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    AtlasTraceBuilder *builder = atlas_trace_builder_new(ATLAS_TRACE_ALL);
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    for (; size >= 7; data += 7, size -= 7)
        add(builder, data);
    g_autoptr(AtlasTrace) trace = atlas_trace_finish(builder);
    g_autoptr(AtlasTraceParts) parts = atlas_trace_parts_find(trace, NULL, diags);
    g_autoptr(AtlasSurvey) survey = atlas_survey_trace(trace, parts, "trace.json", "kineto");
    const AtlasSurveyTime *t = &survey->time;
    g_assert(t->busy < 0 || t->busy + t->starved + t->waiting + t->queued + t->untold == t->steps);
    write_and_read(survey);
    return 0;
}

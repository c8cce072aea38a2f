/* Which kind of recording a file is, and its survey. */
#include <string.h>

#include "backends/survey/survey.h"
#include "model/base/progress.h"
#include "model/measure/kineto.h"
#include "model/measure/log.h"
#include "model/measure/nsys.h"
#include "model/measure/survey_log.h"
#include "model/measure/survey_record.h"
#include "model/measure/trace_parts.h"

static AtlasSurvey *read_log(AtlasFile *file, AtlasDiags *diags) {
    g_autoptr(AtlasRuns) runs = atlas_runs_new();
    const AtlasRun *run = atlas_log_read(runs, file, NULL, diags);
    return run ? atlas_survey_log(run) : NULL;
}

/* SQLite reads a database by itself, from its path. */
static AtlasSurvey *read_trace(AtlasFile *file, const char *path, gboolean nsys, const char *step,
                               AtlasDiags *diags) {
    const char *name = atlas_file_name(file);
    g_autoptr(AtlasTraceBuilder) builder = atlas_trace_builder_new(ATLAS_TRACE_ALL);
    if (!(nsys ? atlas_nsys_read(path, builder, diags) : atlas_kineto_read(file, builder, diags)))
        return NULL;
    g_autoptr(AtlasTrace) trace = atlas_trace_finish(g_steal_pointer(&builder));
    g_autoptr(AtlasTraceParts) parts = atlas_trace_parts_find(trace, step, diags);
    return parts ? atlas_survey_trace(trace, parts, name, nsys ? "nsys" : "kineto") : NULL;
}

static AtlasSurvey *read_open(AtlasFile *file, const char *path, const char *step,
                              AtlasDiags *diags) {
    gsize length;
    const char *text = atlas_file_peek(file, &length);
    if (atlas_log_recognise(text, length))
        return read_log(file, diags);
    if (atlas_survey_record_recognise(text, length))
        return atlas_survey_record(file, diags);
    if (atlas_nsys_recognise(text, length) || atlas_kineto_recognise(text, length))
        return read_trace(file, path, atlas_nsys_recognise(text, length), step, diags);
    atlas_diags_error(diags, (AtlasSpan){NULL, 0, 0},
                      "'%s' is no recording that is known, by its first bytes",
                      atlas_file_name(file));
    atlas_diags_hint(diags,
                     "expected a trace of PyTorch's profiler (.json, .json.gz), an export of "
                     "Nsight Systems (.sqlite), a recording (.ndjson) or a log with ATLAS lines");
    return NULL;
}

AtlasSurvey *survey_read(const char *path, const char *step, AtlasDiags *diags) {
    const char *fault;
    g_autoptr(AtlasFile) file = atlas_file_open(path, &fault);
    if (!file) {
        atlas_diags_error(diags, (AtlasSpan){NULL, 0, 0}, "cannot read '%s': %s", path, fault);
        atlas_diags_hint(diags, "name a file to survey; to record a program, put it behind '--'");
        return NULL;
    }
    AtlasProgress *progress = atlas_progress_start("reading");
    atlas_file_show(file, progress);
    AtlasSurvey *survey = read_open(file, path, step, diags);
    atlas_progress_stop(progress);
    return survey;
}

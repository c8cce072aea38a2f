/* atlas-record FILE...: surveys of recordings, logs and traces, and what is made of them.
 *
 * What a file is shows in its first bytes, whatever it is called: a recording in NDJSON, a log in
 * the study's format, a trace of PyTorch's profiler (Kineto), an export of Nsight Systems. Each may be compressed with
 * gzip where it is text, and "-" is standard input, which can be read once.
 *
 * With --plan a capture plan is made of a trace's typical step (graphs/seen_program.h); with
 * --emit-program the step is printed as a program, with --emit-spec as a spec to start from.
 */
#ifndef ATLAS_BACKENDS_SURVEY_SURVEY_H
#define ATLAS_BACKENDS_SURVEY_SURVEY_H

#include "model/base/cli.h"
#include "model/measure/survey.h"

/* Options as given; NULL or FALSE where they were not. */
typedef struct {
    char **files; /* at least one */
    char *plan, *launch_us, *format, *step;
    gboolean emit_program, emit_spec;
} SurveyOptions;

/* Does what was asked for, and prints it; returns the exit status: 0, or 2 with a message. */
int survey_main(AtlasCli *cli, const SurveyOptions *option);

/* made.c: a capture plan, a program, a spec, from one survey; each returns the exit status. */
int survey_plan(AtlasCli *cli, const SurveyOptions *option, const AtlasSurvey *survey);
int survey_program(AtlasCli *cli, const AtlasSurvey *survey);
int survey_spec(AtlasCli *cli, const AtlasSurvey *survey);

/* read.c: the survey of a file; NULL with problems. `step` names the range that is a step of a
 * trace, or is NULL. */
AtlasSurvey *survey_read(const char *path, const char *step, AtlasDiags *diags);

#endif

/* What tests of graphs/ share: studies made of text, and a step to look at. */
#ifndef ATLAS_TESTS_UNIT_REPORT_KIT_H
#define ATLAS_TESTS_UNIT_REPORT_KIT_H

#include "graphs/ground.h"

/* A shipped spec, by name, or with `runs` (or NULL) a spec and a run table as they are written; the
 * spec names its table runs.tsv. Problems fail the test. */
AtlasStudy *report_study(const char *spec, const char *runs);

typedef struct {
    AtlasStudy *study;
    Ground ground;
} ReportKit;

ReportKit report_kit_new(const char *spec, const char *runs);
void report_kit_clear(ReportKit *kit);

#endif

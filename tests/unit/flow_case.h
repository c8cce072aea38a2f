/* What tests of the engine and the search share: a program read from a text. */
#ifndef ATLAS_TESTS_UNIT_FLOW_CASE_H
#define ATLAS_TESTS_UNIT_FLOW_CASE_H

#include "model/proof/engine.h"

typedef struct {
    char *text;
    AtlasSource *source;
    AtlasDiags *diags;
    AtlasProgramFile *file;
    const AtlasProgram *program;
    Flow *flow;
} FlowCase;

/* Reads a text, which must hold a program, and takes it over. */
void flow_case_init(FlowCase *c, char *text);
void flow_case_clear(FlowCase *c);

/* How many random programs of one kind a test is to try: the variable ATLAS_RANDOM, or `usual`. */
guint flow_case_programs(guint usual);

/* The reading of an op in the program (G_MAXUINT: at its end), or NULL. */
const Reading *flow_case_reading(const Engine *e, guint op);

#endif

/* What tests of specs and models share: reading texts, and tables of faults.
 *
 * A text of a fault table may leave out what every spec needs: `model_spec` puts "atlas: 1" and
 * "name: m" before it where it does not start with "atlas", and a stage behind it where it has
 * none.
 */
#ifndef ATLAS_TESTS_UNIT_MODELS_H
#define ATLAS_TESTS_UNIT_MODELS_H

#include "model/launch/lower.h"

/* One fault and the one error it makes. */
typedef struct {
    const char *text;
    const char *place; /* "line:column" in the text as it stands here */
    const char *message;
    const char *hint; /* part of a hint or note; NULL where the message says all */
} ModelFault;

/* Reads a fault's text and compares; everything that is reported is shown where that fails. */
void model_check_fault(const ModelFault *fault);

/* A text with what every spec needs; *shift lines stand before it. The caller frees it. */
char *model_spec(const char *text, guint *shift);

/* Reads a text that has no faults. The caller frees the model, then the source. */
AtlasModel *model_read(const char *text, AtlasSource **source);

/* The same of a shipped spec, by its name. */
AtlasModel *model_shipped(const char *name, AtlasSource **source);

/* The base changed by settings, which must be right. */
AtlasConfig *model_config(const AtlasModel *model, const char *settings);

/* As many ones as the model has unknowns. The caller frees them. */
AtlasRat *model_ones(const AtlasModel *model);

/* The text of a program that lowers without faults, all unknowns being 1. The caller frees it. */
char *model_program(const AtlasModel *model, const char *settings);

/* The report on lowering or walking, which must fail. The caller frees it. */
char *model_lower_errors(const char *text, const char *settings);

#endif

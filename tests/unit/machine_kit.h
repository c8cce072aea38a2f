/* What tests of model/machine share: programs made of text or of files, and their runs. */
#ifndef ATLAS_TESTS_UNIT_MACHINE_KIT_H
#define ATLAS_TESTS_UNIT_MACHINE_KIT_H

#include "model/machine/run.h"

/* Programs that were read without a problem. */
typedef struct {
    AtlasSource *source;
    AtlasDiags *diags;
    AtlasProgramFile *file;
} Programs;

Programs programs_of_text(const char *text);

/* FALSE, and a line saying so, where there is no such file. */
gboolean programs_of_file(const char *path, Programs *programs);
void programs_clear(Programs *programs);

guint programs_count(const Programs *programs);
AtlasProgram *programs_get(const Programs *programs, guint index);

/* A script of one of the programs and a machine of it, ready to start. */
typedef struct {
    const AtlasProgram *program;
    AtlasScript *script;
    AtlasMachine *machine;
} Driver;

Driver driver_new(const Programs *programs, guint index);
void driver_clear(Driver *driver);

/* Applies the ops [first, end), in order. */
void driver_apply(const Driver *driver, guint first, guint end);

/* The conformance files of the repository; ends with NULL. */
extern const char *const conformance_files[];

#endif

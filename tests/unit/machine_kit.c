#include "tests/unit/machine_kit.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

const char *const conformance_files[] = {
    "tests/programs/rules.txt",     "tests/programs/random.txt", "tests/programs/deep.txt",
    "tests/programs/undefined.txt", "tests/programs/probed.txt", NULL};

static Programs read_programs(AtlasSource *source) {
    Programs p = {.source = source, .diags = atlas_diags_new()};
    p.file = atlas_program_read(source, p.diags);
    g_autofree char *errors = atlas_diags_render(p.diags, FALSE);
    ck_assert_msg(p.file != NULL, "%s", errors);
    return p;
}

Programs programs_of_text(const char *text) {
    return read_programs(atlas_source_new("p.program", text, strlen(text), NULL));
}

gboolean programs_of_file(const char *path, Programs *programs) {
    if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
        printf("skipped: no %s\n", path);
        return FALSE;
    }
    *programs = read_programs(atlas_source_load(path, NULL));
    return TRUE;
}

void programs_clear(Programs *programs) {
    atlas_program_file_free(programs->file);
    atlas_diags_free(programs->diags);
    atlas_source_free(programs->source);
}

guint programs_count(const Programs *programs) {
    return atlas_program_file_count(programs->file);
}

AtlasProgram *programs_get(const Programs *programs, guint index) {
    return atlas_program_file_get(programs->file, index);
}

Driver driver_new(const Programs *programs, guint index) {
    Driver d = {.program = programs_get(programs, index)};
    d.script = atlas_script_new(d.program, programs->diags);
    ck_assert_ptr_nonnull(d.script);
    d.machine = atlas_machine_new(d.script);
    return d;
}

void driver_clear(Driver *driver) {
    atlas_machine_free(driver->machine);
    atlas_script_free(driver->script);
}

void driver_apply(const Driver *driver, guint first, guint end) {
    for (guint i = first; i < end; i++)
        atlas_machine_apply(driver->machine, i);
}

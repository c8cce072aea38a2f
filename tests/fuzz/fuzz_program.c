/* Fuzzes the reader of programs: a text is either refused with an error or read, and then what is
 * written of it reads back to the same text. */
#include <stdint.h>
#include <string.h>

#include "model/op/program.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What is written of the programs of a text, NULL where it is refused. */
static char *rewritten(const char *text, gsize length) {
    g_autoptr(AtlasSource) source = atlas_source_new("fuzz", text, length, NULL);
    if (!source)
        return NULL;
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasProgramFile) file = atlas_program_read(source, diags);
    g_autofree char *report = atlas_diags_render(diags, TRUE);
    g_assert((file == NULL) == (atlas_diags_errors(diags) > 0));
    g_assert((file == NULL) == (*report != '\0'));
    if (!file)
        return NULL;
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < atlas_program_file_count(file); i++)
        atlas_program_write(atlas_program_file_get(file, i), out);
    return g_string_free(out, FALSE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    g_autofree char *once = rewritten((const char *)data, size);
    if (once) {
        g_autofree char *twice = rewritten(once, strlen(once));
        g_assert_cmpstr(once, ==, twice);
    }
    return 0;
}

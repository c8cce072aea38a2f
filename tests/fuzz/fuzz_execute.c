/* Fuzzes running programs on the CPU: each that can be read is refused with one error or runs,
 * twice alike; its host reads and buffers at the end are all taken down. Texts with long numbers
 * are left out, since what they make may take long, not since it may fail. */
#include <stdint.h>
#include <string.h>

#include "sim/execute.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static gboolean has_long_numbers(const uint8_t *data, size_t size) {
    guint digits = 0;
    for (size_t i = 0; i < size; i++) {
        digits = g_ascii_isdigit(data[i]) ? digits + 1 : 0;
        if (digits == 3)
            return TRUE;
    }
    return FALSE;
}

static void execute(const AtlasProgram *program) {
    AtlasSteps steps = {0, 1, 2};
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasExecution) once = atlas_execute(program, steps, diags);
    g_assert((once == NULL) == (atlas_diags_errors(diags) > 0));
    if (!once)
        return;
    g_autoptr(AtlasExecution) twice = atlas_execute(program, steps, diags);
    const AtlasSeen *first, *other;
    guint equal = atlas_execution_compare(once, twice, &first, &other);
    g_assert(!first && !other && equal == once->reads->len + once->ends->len);
    AtlasTally total = atlas_execution_total(once);
    g_assert(total.of[ATLAS_COUNT_ACTIVITIES] >= total.of[ATLAS_COUNT_GRAPH_NODES]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > 400 || has_long_numbers(data, size))
        return 0;
    g_autoptr(AtlasSource) source = atlas_source_new("fuzz", (const char *)data, size, NULL);
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasProgramFile) file = source ? atlas_program_read(source, diags) : NULL;
    for (guint i = 0; file && i < atlas_program_file_count(file); i++)
        execute(atlas_program_file_get(file, i));
    return 0;
}

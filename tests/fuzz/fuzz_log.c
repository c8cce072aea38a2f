/* Logs, compressed or not: a log either has problems or is a run that adds up, and no buffer
 * changes its lines. */
#include <stdint.h>
#include <string.h>

#include "model/measure/lines.h"
#include "model/measure/log.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct {
    AtlasInput input;
    const char *text;
    gsize length;
} Text;

static gssize read_text(AtlasInput *input, char *into, gsize size) {
    Text *from = (Text *)input;
    gsize got = MIN(size, MIN(from->length, 3));
    memcpy(into, from->text, got);
    from->text += got;
    from->length -= got;
    return (gssize)got;
}

static void check_lines(const char *text, gsize size, gsize buffer) {
    Text from = {{read_text, NULL}, text, size};
    g_autoptr(AtlasLines) lines = atlas_lines_new(&from.input, buffer);
    const char *p = text, *end = text + size;
    AtlasLine line;
    while (atlas_lines_next(lines, &line)) {
        const char *newline = memchr(p, '\n', (gsize)(end - p));
        g_assert(p < end && line.length <= (gsize)((newline ? newline : end) - p));
        g_assert(memcmp(p, line.text, line.length) == 0);
        p = newline ? newline + 1 : end;
    }
    g_assert(p == end);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = size > 0 ? (const char *)data : "";
    g_autoptr(AtlasRuns) runs = atlas_runs_new();
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    const AtlasRun *run = atlas_log_parse(runs, "fuzz", text, size, NULL, diags);
    g_autofree char *errors = atlas_diags_render(diags, FALSE);
    g_assert((run != NULL) == (*errors == '\0'));
    gboolean compressed = size > 1 && memcmp(text, "\x1f\x8b", 2) == 0;
    g_assert(!run || compressed || atlas_log_recognise(text, size));
    for (guint i = 0; run && i < run->stages->len; i++) {
        const AtlasRunStage *stage = &g_array_index(run->stages, AtlasRunStage, i);
        gint64 sum = 0;
        g_assert(run->log_first + stage->counts->len - 1 == run->window.last);
        g_assert(run->by.lost >= 0 && run->by.about->len <= ATLAS_ABOUT_MAX);
        for (gint64 step = run->window.first; step <= run->window.last; step++)
            sum += g_array_index(stage->counts, gint64, step - run->log_first);
        g_assert(stage->sum.known && stage->sum.lo == sum && stage->sum.hi == sum && sum >= 0);
    }
    for (gsize buffer = 1; buffer < 40; buffer += 7)
        check_lines(text, size, buffer);
    return 0;
}

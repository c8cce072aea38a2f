/* How fast logs are read, and how much memory that takes, as they grow.
 *
 * One core, no limit that passes or fails. Each log is read by a process of its own, so that peak
 * memory is that of one reading. The peers are what bounds any reader, measured beside it: for
 * plain logs a scan for line ends through a buffer of the same size (memchr, as wc -l has it), for
 * compressed ones `gzip -dc`. Files are in the page cache: the disk is not measured.
 */
#include "tests/bench/cost.h"

#include <glib/gstdio.h>
#include <string.h>

#include "model/base/table.h"
#include "model/measure/load.h"

enum { MIB = 1 << 20, BUFFER = 1 << 18 };

/* Steps of five stages, with what a trainer prints between them, or nothing but rows. */
static void write_log(const char *path, gsize bytes, gboolean only_rows) {
    static const char *const stages[] = {"fwd", "bwd", "opt", "retr", "ema"};
    FILE *file = fopen(path, "wb");
    gsize written = 0;
    for (int step = 0; file && written < bytes; step++) {
        for (guint s = 0; s < G_N_ELEMENTS(stages); s++)
            written += (gsize)fprintf(file, "ATLAS\t%d\t%s\t%d\t%d.%03d\n", step, stages[s],
                                      1297 - (int)s * 200, 10 + (int)s, step * 7 % 1000);
        for (int i = 0; i < 4 && !only_rows; i++)
            written += (gsize)fprintf(file,
                                      "[rank 0] step %6d/1000000 | loss %.5f | grad norm %.4f | "
                                      "lr 3.0000e-04 | tokens/s %d | mem 71.4 GiB\n",
                                      step, 2.0 + 1.0 / (step + 1), 0.5 + i / 8.0, 18000 + i);
    }
    if (!file || fclose(file) != 0)
        fail("cannot write a log");
}

/* ---- what is measured: each in a process of its own ---- */

static void read_log(const char *path) {
    g_autoptr(AtlasRuns) runs = atlas_runs_new();
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    AtlasText named = {path, {NULL, 0, 0}};
    if (!atlas_runs_load(runs, &named, NULL, NULL, NULL, diags)) {
        g_autofree char *text = atlas_diags_render(diags, FALSE);
        fail(text);
    }
}

static void scan_lines(const char *path) {
    FILE *file = fopen(path, "rb");
    char *buffer = g_malloc(BUFFER);
    gsize got, lines = 0;
    while (file && (got = fread(buffer, 1, BUFFER, file)) > 0)
        for (const char *p = buffer, *end = buffer + got; (p = memchr(p, '\n', (gsize)(end - p)));
             p++)
            lines++;
    if (file)
        fclose(file);
    g_free(buffer);
    sink = lines;
}

/* ---- the report ---- */

static const AtlasTableColumn columns[] = {
    {"log", "log", FALSE},           {"MiB", "mib", TRUE},
    {"MB/s", "mb_per_s", TRUE},      {"peer", "peer", FALSE},
    {"MB/s", "peer_mb_per_s", TRUE}, {"peer over reader", "ratio", TRUE},
    {"peak MiB", "peak_mib", TRUE},  {NULL, NULL, FALSE}};

static void add(AtlasTable *table, const char *what, const char *path, gsize bytes,
                gboolean packed) {
    Cost reader = best_of(read_log, path), peer = best_of(packed ? gunzip : scan_lines, path);
    atlas_table_row(table);
    atlas_table_text(table, "%s", what);
    atlas_table_text(table, "%.0f", (double)bytes / MIB);
    atlas_table_text(table, "%.0f", (double)bytes / 1e6 / reader.seconds);
    atlas_table_text(table, "%s", packed ? "gzip -dc" : "memchr");
    atlas_table_text(table, "%.0f", (double)bytes / 1e6 / peer.seconds);
    atlas_table_text(table, "%.1f", reader.seconds / peer.seconds);
    atlas_table_text(table, "%.1f", reader.peak_mib);
}

/* `path` is taken by its compressed form, whose name is returned. */
static char *compress_log(const char *path) {
    g_autofree char *quoted = g_shell_quote(path);
    g_autofree char *command = g_strdup_printf("gzip -1f %s", quoted);
    if (system(command) != 0)
        fail("cannot compress a log");
    return g_strconcat(path, ".gz", NULL);
}

int main(void) {
    static const struct {
        const char *what;
        gsize mib;
        gboolean only_rows, packed;
    } logs[] = {
        {"training output", 32, FALSE, FALSE},    {"training output", 256, FALSE, FALSE},
        {"rows alone", 32, TRUE, FALSE},          {"rows alone", 256, TRUE, FALSE},
        {"training output, gz", 32, FALSE, TRUE}, {"training output, gz", 256, FALSE, TRUE},
    };
    g_autofree char *folder = g_dir_make_tmp("atlas-bench-XXXXXX", NULL);
    g_autoptr(AtlasTable) table = atlas_table_new(columns);
    for (guint i = 0; i < G_N_ELEMENTS(logs); i++) {
        g_autofree char *path = g_build_filename(folder, "bench.log", NULL);
        gsize bytes = logs[i].mib * MIB;
        write_log(path, bytes, logs[i].only_rows);
        if (logs[i].packed) {
            char *packed = compress_log(path);
            g_free(path);
            path = packed;
        }
        add(table, logs[i].what, path, bytes, logs[i].packed);
        g_remove(path);
    }
    g_rmdir(folder);
    g_autofree char *text = atlas_table_render(table);
    puts(text);
    puts("bytes are those of the text, also where it is compressed");
    return 0;
}

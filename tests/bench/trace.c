/* How fast traces are read, and how much memory that takes.
 *
 * One core, no limit that passes or fails. The peer is `gzip -dc` of the same file; what is aimed
 * at is twice its time at most, and 64 MiB and 16 bytes for each launch. Files are one that is written
 * here, with what PyTorch writes around each launch, and what ../shared/traces has; each is read by
 * a process of its own, from the page cache, for counts and for everything.
 */
#include "tests/bench/cost.h"

#include <glib/gstdio.h>
#include <string.h>

#include "model/base/table.h"
#include "model/measure/kineto.h"

enum { LAUNCHES = 200000 };

/* A launch as PyTorch's profiler writes it: an operator, the call, two flows, the kernel. */
static void write_launch(FILE *file, int i) {
    fprintf(
        file,
        "  {\n    \"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::mul\", \"pid\": 921, "
        "\"tid\": 921,\n    \"ts\": %d.%03d, \"dur\": 8.125,\n    \"args\": {\n      \"External "
        "id\": %d,\"Record function id\": 0, \"Ev Idx\": %d\n    }\n  },\n",
        i * 10, i % 1000, i, i);
    fprintf(
        file,
        "  {\n    \"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernel\", "
        "\"pid\": 921, \"tid\": 921,\n    \"ts\": %d.%03d, \"dur\": 3.25,\n    \"args\": {\n    "
        "  \"External id\": %d, \"cbid\": 211, \"correlation\": %d\n    }\n  },\n",
        i * 10 + 2, i % 1000, i, i + 1);
    for (int k = 0; k < 2; k++)
        fprintf(
            file,
            "  {\n    \"ph\": \"%c\", \"id\": %d, \"pid\": 921, \"tid\": 921, \"ts\": %d.%03d,\n  "
            "  \"cat\": \"ac2g\", \"name\": \"ac2g\"\n  },\n",
            k ? 'f' : 's', i + 1, i * 10 + 2, i % 1000);
    fprintf(
        file,
        "  {\n    \"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"void "
        "at::native::vectorized_elementwise_kernel<4, at::native::BinaryFunctor<float, float, "
        "float, at::native::binary_internal::MulFunctor<float> >, std::array<char*, 3ul> >(int, "
        "at::native::BinaryFunctor<float, float, float, "
        "at::native::binary_internal::MulFunctor<float> >, std::array<char*, 3ul>)\", \"pid\": "
        "0, \"tid\": 7,\n    \"ts\": %d.%03d, \"dur\": 1.5,\n    \"args\": {\n      \"External "
        "id\": %d,\n      \"queued\": 0, \"device\": 0, \"context\": 1,\n      \"stream\": 7, "
        "\"correlation\": %d,\n      \"registers per thread\": 32,\n      \"shared memory\": "
        "0,\n      \"blocks per SM\": 0.007576,\n      \"warps per SM\": 0.030303,\n      "
        "\"grid\": [1, 1, 1],\n      \"block\": [128, 1, 1],\n      \"est. achieved occupancy "
        "%%\": 0\n    }\n  },\n",
        i * 10 + 5, i % 1000, i, i + 1);
}

static void write_trace(const char *path) {
    FILE *file = fopen(path, "wb");
    if (!file)
        fail("cannot write a trace");
    fputs("{\n  \"traceEvents\": [\n", file);
    for (int i = 0; i < LAUNCHES; i++)
        write_launch(file, i);
    fputs("  {\"ph\": \"M\"}\n  ]\n}\n", file);
    if (fclose(file) != 0)
        fail("cannot write a trace");
    g_autofree char *quoted = g_shell_quote(path);
    g_autofree char *command = g_strdup_printf("gzip -1f %s", quoted);
    if (system(command) != 0)
        fail("cannot compress a trace");
}

static AtlasTrace *read_trace(const char *path, AtlasTraceWants wants) {
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    AtlasTraceBuilder *builder = atlas_trace_builder_new(wants);
    const char *fault;
    g_autoptr(AtlasFile) file = atlas_file_open(path, &fault);
    if (!file || !atlas_kineto_read(file, builder, diags))
        fail("cannot read a trace");
    return atlas_trace_finish(builder);
}

static void read_counts(const char *path) {
    atlas_trace_free(read_trace(path, ATLAS_TRACE_COUNTS));
}

static void read_everything(const char *path) {
    atlas_trace_free(read_trace(path, ATLAS_TRACE_ALL));
}

static const AtlasTableColumn columns[] = {
    {"trace", "trace", FALSE},          {"launches", "launches", TRUE},
    {"gzip -dc s", "gzip_s", TRUE},     {"counts s", "counts_s", TRUE},
    {"over gzip", "ratio", TRUE},       {"peak MiB", "peak_mib", TRUE},
    {"all s", "all_s", TRUE},           {"over gzip", "all_ratio", TRUE},
    {"peak MiB", "all_peak_mib", TRUE}, {NULL, NULL, FALSE}};

static void add(AtlasTable *table, const char *name, const char *path) {
    Cost peer = best_of(gunzip, path), counts = best_of(read_counts, path),
         all = best_of(read_everything, path);
    g_autoptr(AtlasTrace) trace = read_trace(path, ATLAS_TRACE_COUNTS);
    atlas_table_row(table);
    atlas_table_text(table, "%.24s", name);
    atlas_table_text(table, "%" G_GINT64_FORMAT, trace->totals.calls);
    atlas_table_text(table, "%.3f", peer.seconds);
    atlas_table_text(table, "%.3f", counts.seconds);
    atlas_table_text(table, "%.2f", counts.seconds / peer.seconds);
    atlas_table_text(table, "%.1f", counts.peak_mib);
    atlas_table_text(table, "%.3f", all.seconds);
    atlas_table_text(table, "%.2f", all.seconds / peer.seconds);
    atlas_table_text(table, "%.1f", all.peak_mib);
}

/* Those of a folder that take gzip long enough to be timed. */
static void add_folder(AtlasTable *table, const char *folder) {
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    for (const char *name; dir && (name = g_dir_read_name(dir));) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        GStatBuf at;
        if (g_str_has_suffix(name, ".json.gz") && g_stat(path, &at) == 0 && at.st_size > 900000)
            add(table, name, path);
    }
}

int main(void) {
    g_autofree char *folder = g_dir_make_tmp("atlas-bench-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "trace.json", NULL);
    g_autofree char *packed = g_strconcat(path, ".gz", NULL);
    g_autoptr(AtlasTable) table = atlas_table_new(columns);
    write_trace(path);
    add(table, "as PyTorch writes it", packed);
    g_remove(packed);
    g_rmdir(folder);
    add_folder(table, "../shared/traces");
    add_folder(table, "../shared/traces/public");
    g_autofree char *text = atlas_table_render(table);
    puts(text);
    return 0;
}

#include "backends/record/record.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "backends/cuda/driver.h"
#include "backends/cuda/nvtx_abi.h"
#include "backends/record/run.h"
#include "backends/record/write.h"
#include "model/base/output.h"

void record_outcome_init(RecordOutcome *o) {
    *o = (RecordOutcome){.said = g_ptr_array_new_with_free_func(g_free),
                         .summary = g_ptr_array_new_with_free_func(g_free)};
}

void record_outcome_clear(RecordOutcome *o) {
    g_ptr_array_unref(o->said);
    g_ptr_array_unref(o->summary);
}

static void say(RecordOutcome *o, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void say(RecordOutcome *o, const char *format, ...) {
    va_list args;
    va_start(args, format);
    g_ptr_array_add(o->said, g_strdup_vprintf(format, args));
    va_end(args);
}

/* ---- before ---- */

/* A program may run for hours: what is sure to fail afterwards is refused before. */
static gboolean can_write(const char *path, GError **error) {
    g_autofree char *folder = g_path_get_dirname(path);
    const char *wrong = NULL;
    if (g_file_test(path, G_FILE_TEST_IS_DIR))
        wrong = "it is a folder";
    else if (!g_file_test(folder, G_FILE_TEST_IS_DIR))
        wrong = "its folder does not exist";
    else if (g_access(g_file_test(path, G_FILE_TEST_EXISTS) ? path : folder, W_OK) != 0)
        wrong = "permission denied";
    if (wrong)
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_ACCES, "cannot write '%s': %s", path, wrong);
    return !wrong;
}

/* Why nothing can be recorded; NULL: it can. */
static char *find_obstacle(const RecordRun *run, char **library, char **folder) {
    g_autoptr(GError) error = NULL;
    if (run->cupti && record_is_taken(RECORD_CUDA_VARIABLE))
        return g_strdup("another profiler is attached (" RECORD_CUDA_VARIABLE
                        " is set): run without it, or without --attach cupti");
    if (!(*library = record_library(&error)))
        return g_strdup(error->message);
    if (!run->cupti && strpbrk(*library, " :"))
        return g_strdup_printf("what is preloaded can have no blank or colon in its path ('%s'): "
                               "move it, or use --attach cupti",
                               *library);
    *folder = g_dir_make_tmp("atlas-record-XXXXXX", &error);
    return *folder ? NULL : g_strdup(error->message);
}

/* The folder that recordings go to; NULL, and said, where nothing can be recorded. */
static char *prepare(RecordRun *run, RecordOutcome *o, char **library) {
    char *folder = NULL;
    g_autofree char *obstacle = find_obstacle(run, library, &folder);
    run->ranges = !record_is_taken(NVTX_PATH);
    if (obstacle)
        say(o, "nothing is counted: %s", obstacle);
    else if (!run->ranges)
        say(o, "ranges are not seen: another tool sees them (" NVTX_PATH " is set)");
    return folder;
}

/* ---- reading ---- */

static gint by_start(gconstpointer a, gconstpointer b) {
    const RecordHead *x = &(*(RecordReading *const *)a)->head;
    const RecordHead *y = &(*(RecordReading *const *)b)->head;
    return x->started != y->started ? (x->started < y->started ? -1 : 1) : x->pid - y->pid;
}

/* All recordings of a folder, which is removed. */
static GPtrArray *take_all(const char *folder, RecordOutcome *o) {
    GPtrArray *all = g_ptr_array_new_with_free_func((GDestroyNotify)record_reading_free);
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    for (const char *name; dir && (name = g_dir_read_name(dir));) {
        g_autoptr(GError) error = NULL;
        g_autofree char *path = g_build_filename(folder, name, NULL);
        RecordReading *reading = record_read(path, &error);
        if (reading)
            g_ptr_array_add(all, reading);
        else
            say(o, "a process was not counted: %s", error->message);
        g_unlink(path);
    }
    g_rmdir(folder);
    g_ptr_array_sort(all, by_start);
    return all;
}

static gboolean launched(const RecordReading *r) {
    return record_total(r, RECORD_CALLS) + record_total(r, RECORD_GRAPH_LAUNCHES) > 0;
}

/* The processes that count: those that launched something. Says so where there are none. */
static GPtrArray *choose(const RecordRequest *request, const GPtrArray *all, RecordOutcome *o) {
    GPtrArray *chosen = g_ptr_array_new();
    const char *why = NULL;
    gboolean attached = FALSE;
    for (guint i = 0; i < all->len; i++) {
        RecordReading *r = g_ptr_array_index(all, i);
        attached = attached || r->head.flags & RECORD_ATTACHED;
        why = why || !r->head.why[0] ? why : r->head.why;
        if (launched(r))
            g_ptr_array_add(chosen, r);
    }
    if (why)
        say(o, "%s: %s", chosen->len > 0 ? "a process was not counted" : "nothing was counted",
            why);
    else if (chosen->len == 0 && attached)
        say(o, "nothing was counted: the program launched no kernel");
    else if (chosen->len == 0)
        say(o, "nothing was counted: the program did not start CUDA%s",
            request->cupti ? "" : ", or lets nothing be preloaded (--attach cupti)");
    return chosen;
}

/* ---- writing ---- */

/* "run.log" for the only one, else "run.0.log", "run.1.log". */
static char *numbered(const char *path, guint number, guint count) {
    const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    const char *dot = strrchr(base, '.');
    if (count == 1)
        return g_strdup(path);
    dot = dot && dot > base ? dot : path + strlen(path);
    return g_strdup_printf("%.*s.%u%s", (int)(dot - path), path, number, dot);
}

/* What the ranges are called, each name once, for a message. */
static char *range_names(const RecordReading *r) {
    enum { SHOWN = 12 };
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    GString *out = g_string_new(NULL);
    for (guint32 id = 1; id <= r->ranges->len && g_hash_table_size(seen) < SHOWN; id++) {
        guint32 name = record_range(r, id)->name;
        if (g_hash_table_add(seen, GUINT_TO_POINTER(name)))
            g_string_append_printf(out, "%s'%s'", out->len ? ", " : "", record_name(r, name));
    }
    return g_string_free(out, FALSE);
}

static RecordTally *tally_of(const RecordRequest *request, const RecordReading *reading,
                             guint64 ended, RecordOutcome *o) {
    RecordTally *tally = record_tally(reading, request->step, ended);
    if (tally)
        return tally;
    g_autofree char *names = range_names(reading);
    say(o, "no range '%s', which --step names: steps were found without it; ranges are: %s",
        request->step, *names ? names : "none");
    return record_tally(reading, NULL, ended);
}

static gboolean write_one(const RecordRequest *request, const RecordTally *tally,
                          const RecordAbout *about, const char *path, RecordOutcome *o,
                          GError **error) {
    g_autofree char *text =
        request->ndjson ? record_ndjson(tally, about) : record_log(tally, about);
    if (!atlas_output_replace(path, text, error))
        return FALSE;
    say(o, "wrote '%s'", path);
    return TRUE;
}

static gboolean write_all(const RecordRequest *request, const GPtrArray *chosen, guint64 ended,
                          RecordOutcome *o, GError **error) {
    g_autofree char *release = cuda_driver_release();
    RecordAbout about = {request->command,    o->status,      request->counted,
                         request->activities, request->cupti, release};
    for (guint i = 0; i < chosen->len; i++) {
        g_autoptr(RecordTally) tally = tally_of(request, g_ptr_array_index(chosen, i), ended, o);
        g_ptr_array_add(o->summary, record_summary(tally, &about));
        if (!request->output)
            continue;
        g_autofree char *path = numbered(request->output, i, chosen->len);
        if (!write_one(request, tally, &about, path, o, error))
            return FALSE;
    }
    return TRUE;
}

gboolean record_perform(const RecordRequest *request, RecordOutcome *o, GError **error) {
    g_autofree char *library = NULL;
    g_autoptr(GError) failure = NULL;
    RecordRun run = {request->command, request->stages, request->activities, request->cupti, FALSE};
    if (request->output && !can_write(request->output, error))
        return FALSE;
    g_autofree char *folder = prepare(&run, o, &library);
    int ended = record_run(&run, folder, library, &o->status, &failure);
    guint64 now = (guint64)g_get_monotonic_time() * 1000;
    o->started = ended >= 0;
    if (o->started) {
        o->signal = WIFSIGNALED(ended) ? WTERMSIG(ended) : 0;
        o->status = o->signal ? 128 + o->signal : WEXITSTATUS(ended);
    }
    if (!folder)
        return o->started || (g_propagate_error(error, g_steal_pointer(&failure)), FALSE);
    g_autoptr(GPtrArray) all = take_all(folder, o);
    if (!o->started) {
        g_propagate_error(error, g_steal_pointer(&failure));
        return FALSE;
    }
    g_autoptr(GPtrArray) chosen = choose(request, all, o);
    return write_all(request, chosen, now, o, error);
}

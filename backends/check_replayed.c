/* Programs, replayed on the GPU. */
#include "backends/check.h"
#include "backends/cuda/measure.h"
#include "backends/stated.h"
#include "model/check/agree.h"

/* All programs that are to be replayed. */
typedef struct {
    GPtrArray *files; /* of AtlasProgramFile* */
    GPtrArray *list;  /* of AtlasProgram* */
} Replays;

static gboolean launches(const AtlasProgram *program, const char *population) {
    for (guint i = 0; i < program->ops->len; i++) {
        const AtlasOp *op = &g_array_index(program->ops, AtlasOp, i);
        if (op->kind == ATLAS_OP_LAUNCH && g_strcmp0(op->of, population) == 0)
            return TRUE;
    }
    return FALSE;
}

/* Every change must be one of some program. */
static void check_changes(CheckRequest *request, const Replays *replays) {
    for (guint i = 0; i < request->changes->len; i++) {
        const char *population = g_array_index(request->changes, AtlasChange, i).population;
        gboolean found = FALSE;
        for (guint k = 0; k < replays->list->len && !found; k++)
            found = launches(g_ptr_array_index(replays->list, k), population);
        if (found)
            continue;
        atlas_diags_error(request->cli.diags, (AtlasSpan){NULL, 0, 0},
                          "no launch of these programs is of the population '%s'", population);
        atlas_diags_hint(request->cli.diags,
                         "populations are what stands behind of: in their lines");
    }
}

/* Those of the changes that are of a program. The caller unrefs them. */
static GArray *changes_of(const CheckRequest *request, const AtlasProgram *program) {
    GArray *changes = g_array_new(FALSE, FALSE, sizeof(AtlasChange));
    for (guint i = 0; i < request->changes->len; i++) {
        AtlasChange change = g_array_index(request->changes, AtlasChange, i);
        if (launches(program, change.population))
            g_array_append_val(changes, change);
    }
    return changes;
}

/* A program's name, with its place where another one has the same. The caller frees it. */
static char *name_of(const Replays *replays, const AtlasProgram *program) {
    guint same = 0, line, column;
    for (guint i = 0; i < replays->list->len; i++) {
        const AtlasProgram *other = g_ptr_array_index(replays->list, i);
        same += g_str_equal(other->name, program->name);
    }
    atlas_source_position(program->at.source, program->at.start, &line, &column);
    return same > 1 ? g_strdup_printf("%s (%s:%u)", program->name,
                                      atlas_source_path(program->at.source), line)
                    : g_strdup(program->name);
}

AtlasExecution *check_replay(CheckRequest *request, const CheckReplay *replay,
                             AtlasMeasurements *into, AtlasResult *result) {
    CudaMeasured what = {replay->program,
                         "the given",
                         NULL,
                         replay->changes,
                         cuda_steps(replay->window),
                         request->kernel_us * 1000,
                         request->driver.limit_s};
    AtlasRun *run = atlas_runs_add(into->runs, replay->name);
    run->window = replay->window;
    run->window_known = TRUE;
    run->log_first = replay->window.first;
    AtlasMeasurement *m = atlas_measurements_add(into, run, "replay");
    AtlasExecution *expected = cuda_measure(&what, m, into, request->cli.diags);
    if (!expected)
        return NULL;
    g_autofree gint64 *counts = replayed_expected(m, expected);
    atlas_agree_program(m, counts, run->by.lag, result);
    atlas_agree_findings(m, result);
    return expected;
}

static void replay(CheckRequest *request, const Replays *replays, guint index,
                   AtlasMeasurements *into, AtlasResult *result) {
    AtlasProgram *program = g_ptr_array_index(replays->list, index);
    g_autofree char *name = name_of(replays, program);
    g_autoptr(GArray) changes = changes_of(request, program);
    CheckReplay what = {program, name, request->window, changes};
    atlas_execution_free(check_replay(request, &what, into, result));
}

static void read_all(CheckRequest *request, Replays *replays) {
    for (guint i = 0; i < request->programs->len; i++) {
        AtlasProgramFile *file =
            atlas_program_read(g_ptr_array_index(request->programs, i), request->cli.diags);
        if (!file)
            continue;
        g_ptr_array_add(replays->files, file);
        for (guint k = 0; k < atlas_program_file_count(file); k++) {
            stated_check(atlas_program_file_get(file, k), request->cli.diags);
            g_ptr_array_add(replays->list, atlas_program_file_get(file, k));
        }
    }
}

void check_replayed(CheckRequest *request, AtlasResult *result) {
    g_autoptr(AtlasMeasurements) measurements = atlas_measurements_new();
    g_autoptr(GPtrArray) files =
        g_ptr_array_new_with_free_func((GDestroyNotify)atlas_program_file_free);
    g_autoptr(GPtrArray) list = g_ptr_array_new();
    Replays replays = {files, list};
    read_all(request, &replays);
    if (atlas_diags_errors(request->cli.diags) == 0)
        check_changes(request, &replays);
    if (atlas_diags_errors(request->cli.diags) > 0)
        return;
    for (guint i = 0; i < list->len && !measurements->cannot; i++)
        replay(request, &replays, i, measurements, result);
    request->cannot = measurements->cannot;
    result->measurements = atlas_measurements_json(measurements);
}

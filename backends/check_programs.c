/* Programs, run on the simulated driver or the real one, and judged by what they state. */
#include "backends/programs.h"
#include "model/machine/random.h"
#include "model/machine/run.h"

gboolean check_wants_programs(const CheckRequest *request) {
    return request->programs->len > 0 || request->random > 0;
}

const AtlasOutcome *programs_outcome(const Checked *checked) {
    return checked->cuda ? checked->cuda : checked->sim;
}

static void outcome_clear(AtlasOutcome *outcome) {
    if (outcome)
        atlas_outcome_free(outcome);
}

static void checked_clear(gpointer data) {
    Checked *checked = data;
    outcome_clear(checked->sim);
    outcome_clear(checked->cuda);
    outcome_clear(checked->shrunk_sim);
    outcome_clear(checked->shrunk_cuda);
    if (checked->differences)
        g_array_unref(checked->differences);
    g_free(checked->how);
}

static Programs *programs_new(const CheckRequest *request) {
    Programs *p = g_new0(Programs, 1);
    p->files = g_ptr_array_new_with_free_func((GDestroyNotify)atlas_program_file_free);
    p->list = g_array_new(FALSE, TRUE, sizeof(Checked));
    g_array_set_clear_func(p->list, checked_clear);
    p->against = request->option->against != NULL;
    p->explain = request->option->explain;
    p->pool = request->cuda ? atlas_cuda_pool_new(&request->driver) : NULL;
    return p;
}

static void programs_free(Programs *p) {
    g_array_unref(p->list);
    g_ptr_array_unref(p->files);
    if (p->pool)
        atlas_cuda_pool_free(p->pool);
    g_free(p);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Programs, programs_free)

static void add(CheckRequest *request, Programs *p, AtlasProgramFile *file,
                const AtlasProgram *program) {
    Checked checked = {.file = file, .program = program};
    stated_check(program, request->cli.diags);
    for (guint i = 0; i < program->ops->len; i++)
        p->verdicts += g_array_index(program->ops, AtlasOp, i).kind == ATLAS_OP_EXPECT;
    checked.steps = stated_period(program, request->cli.diags);
    checked.memory = stated_fingerprint(program, &checked.memory_op, request->cli.diags);
    checked.judged =
        !p->against && !request->option->answers && (checked.memory || stated_results(program));
    checked.memory = checked.judged ? checked.memory : NULL;
    g_array_append_val(p->list, checked);
}

static void gather(CheckRequest *request, Programs *p) {
    for (guint i = 0; i < request->programs->len; i++) {
        const AtlasSource *source = g_ptr_array_index(request->programs, i);
        AtlasProgramFile *file = atlas_program_read(source, request->cli.diags);
        if (!file)
            continue;
        g_ptr_array_add(p->files, file);
        for (guint k = 0; k < atlas_program_file_count(file); k++)
            add(request, p, file, atlas_program_file_get(file, k));
    }
    if (request->random == 0)
        return;
    AtlasProgramFile *file = atlas_program_file_new();
    g_ptr_array_add(p->files, file);
    for (guint i = 0; i < request->random; i++)
        add(request, p, file, atlas_random_program(file, request->seed, i));
}

static void run_machine(Programs *p, AtlasDiags *diags) {
    for (guint i = 0; i < p->list->len; i++) {
        Checked *checked = &g_array_index(p->list, Checked, i);
        checked->sim = atlas_run(checked->program, checked->steps, diags);
    }
}

/* FALSE, with an error, where the driver cannot be asked here. */
static gboolean run_driver(Programs *p, AtlasDiags *diags) {
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) programs = g_ptr_array_new(), outcomes = g_ptr_array_new();
    g_autoptr(GArray) steps = g_array_new(FALSE, FALSE, sizeof(gint64));
    for (guint i = 0; i < p->list->len; i++) {
        const Checked *checked = &g_array_index(p->list, Checked, i);
        g_ptr_array_add(programs, (gpointer)checked->program);
        g_array_append_val(steps, checked->steps);
    }
    AtlasProgress *progress = atlas_progress_start("running programs on the GPU");
    gboolean ran = atlas_cuda_run(p->pool, programs, steps, outcomes, progress, &error);
    atlas_progress_stop(progress);
    for (guint i = 0; i < outcomes->len; i++)
        g_array_index(p->list, Checked, i).cuda = g_ptr_array_index(outcomes, i);
    if (!ran)
        atlas_diags_error(diags, (AtlasSpan){NULL, 0, 0}, "%s", error->message);
    return ran;
}

/* Whether a program came out otherwise than it states. A driver that hung or crashed differs from
 * what anyone expects. */
static gboolean differs(const Checked *checked, const AtlasOutcome *outcome) {
    return (checked->differences && checked->differences->len > 0) || outcome->uncounted ||
           outcome->state == ATLAS_OUTCOME_HUNG || outcome->state == ATLAS_OUTCOME_CRASHED ||
           (checked->found && !g_str_equal(checked->memory, checked->found));
}

/* Compares what programs state with what was answered, and adds up. */
static void judge(Programs *p) {
    for (guint i = 0; i < p->list->len; i++) {
        Checked *checked = &g_array_index(p->list, Checked, i);
        const AtlasOutcome *outcome = programs_outcome(checked);
        if (checked->judged)
            checked->differences = atlas_outcome_compare(checked->program, outcome);
        if (checked->judged && checked->cuda)
            stated_spare_undefined(checked->program, checked->differences);
        p->calls += outcome->calls;
        if (differs(checked, outcome))
            p->differ++;
        else
            p->open += checked->memory && !checked->found;
    }
}

char *check_programs(CheckRequest *request, int *status) {
    AtlasDiags *diags = request->cli.diags;
    g_autoptr(Programs) p = programs_new(request);
    gather(request, p);
    if (atlas_diags_errors(diags) == 0 && (!p->pool || p->against || p->explain))
        run_machine(p, diags);
    *status = ATLAS_EXIT_USAGE;
    if (atlas_diags_errors(diags) > 0)
        return NULL;
    *status = ATLAS_EXIT_OPEN;
    if (p->pool && !run_driver(p, diags))
        return NULL;
    if (p->against)
        programs_compare_drivers(p, diags);
    if (!programs_memory(p, request))
        return NULL;
    judge(p);
    *status = p->differ > 0 ? ATLAS_EXIT_FAIL : p->open > 0 ? ATLAS_EXIT_OPEN : ATLAS_EXIT_PASS;
    return programs_print(p, request->option->format);
}

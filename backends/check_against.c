/* The real driver against the simulated one. */
#include <string.h>

#include "backends/programs.h"
#include "model/machine/run.h"
#include "model/machine/shrink.h"

/* Of programs that differ alike, so many are shrunk: more would tell nothing new. */
enum { SHRINK_MOST = 2 };

/* Seconds that a candidate may take: one that hangs costs them all. */
enum { CANDIDATE_S = 3 };

/* How two runs differ. What the machine calls undefined may come out in any way. */
static GArray *compare(const AtlasProgram *program, const AtlasOutcome *sim,
                       const AtlasOutcome *cuda) {
    GArray *differences = atlas_outcome_differences(program, sim, cuda);
    for (guint i = differences->len; i-- > 0;)
        if (sim->state == ATLAS_OUTCOME_UNDEFINED &&
            g_array_index(differences, AtlasDifference, i).op >= sim->ended_at)
            g_array_remove_index(differences, i);
    return differences;
}

static gboolean stopped(const AtlasOutcome *outcome) {
    return outcome->state == ATLAS_OUTCOME_HUNG || outcome->state == ATLAS_OUTCOME_CRASHED;
}

/* Candidates that are tried, with what the machine says of them. */
typedef struct {
    GPtrArray *programs, *sim, *cuda;
    GArray *steps, *indices; /* of gint64; of guint: among the candidates */
} Trial;

/* Adds a candidate to the trial, unless the machine leaves it undefined. */
static void try_out(Trial *trial, const GPtrArray *candidates, guint index) {
    g_autoptr(AtlasDiags) ignored = atlas_diags_new();
    const AtlasProgram *program = g_ptr_array_index(candidates, index);
    gint64 steps = stated_period(program, ignored);
    AtlasOutcome *sim = atlas_run(program, steps, ignored);
    if (!sim)
        return;
    if (sim->state != ATLAS_OUTCOME_FINISHED) {
        atlas_outcome_free(sim);
        return;
    }
    g_ptr_array_add(trial->programs, (gpointer)program);
    g_ptr_array_add(trial->sim, sim);
    g_array_append_val(trial->steps, steps);
    g_array_append_val(trial->indices, index);
}

static gboolean differs(const Trial *trial, guint i) {
    const AtlasOutcome *cuda = g_ptr_array_index(trial->cuda, i);
    g_autoptr(GArray) differences =
        compare(g_ptr_array_index(trial->programs, i), g_ptr_array_index(trial->sim, i), cuda);
    return differences->len > 0 || stopped(cuda);
}

/* The first candidate that the two drivers answer differently. */
static gint first_different(const GPtrArray *candidates, gpointer data) {
    const Programs *p = data;
    GDestroyNotify clear = (GDestroyNotify)atlas_outcome_free;
    g_autoptr(GPtrArray) programs = g_ptr_array_new();
    g_autoptr(GPtrArray) sim = g_ptr_array_new_with_free_func(clear);
    g_autoptr(GPtrArray) cuda = g_ptr_array_new_with_free_func(clear);
    g_autoptr(GArray) steps = g_array_new(FALSE, FALSE, sizeof(gint64));
    g_autoptr(GArray) indices = g_array_new(FALSE, FALSE, sizeof(guint));
    Trial trial = {programs, sim, cuda, steps, indices};
    for (guint i = 0; i < candidates->len; i++)
        try_out(&trial, candidates, i);
    if (!atlas_cuda_run(p->pool, programs, steps, cuda, NULL, NULL))
        return -1;
    for (guint i = 0; i < programs->len; i++)
        if (differs(&trial, i))
            return (gint)g_array_index(indices, guint, i);
    return -1;
}

/* Shrinks one program, and runs what is left once more, for its answers. */
static void shrink(Programs *p, Checked *checked, AtlasDiags *diags) {
    g_autoptr(GPtrArray) programs = g_ptr_array_new(), outcomes = g_ptr_array_new();
    g_autoptr(GArray) steps = g_array_new(FALSE, FALSE, sizeof(gint64));
    AtlasProgram *shrunk = atlas_shrink(checked->file, checked->program, first_different, p);
    gint64 times = stated_period(shrunk, diags);
    g_ptr_array_add(programs, shrunk);
    g_array_append_val(steps, times);
    checked->shrunk_sim = atlas_run(shrunk, times, diags);
    if (atlas_cuda_run(p->pool, programs, steps, outcomes, NULL, NULL) && checked->shrunk_sim)
        checked->shrunk = shrunk;
    if (outcomes->len > 0)
        checked->shrunk_cuda = g_ptr_array_index(outcomes, 0);
}

/* In what the runs of a program differ first: the same text for programs that show the same. */
static char *kind_of(const Checked *checked) {
    if (checked->differences->len == 0)
        return g_strdup("stopped");
    const AtlasDifference *first = &g_array_index(checked->differences, AtlasDifference, 0);
    const char *word =
        first->op == checked->program->ops->len
            ? "executed"
            : atlas_op_word(g_array_index(checked->program->ops, AtlasOp, first->op).kind);
    const char *expected = first->expected ? first->expected : "";
    const char *got = first->got ? first->got : "";
    return g_strdup_printf("%s %.*s %.*s", word, (int)strcspn(expected, " "), expected,
                           (int)strcspn(got, " "), got);
}

void programs_compare_drivers(Programs *p, AtlasDiags *diags) {
    g_autoptr(GHashTable) shrunk = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < p->list->len; i++) {
        Checked *checked = &g_array_index(p->list, Checked, i);
        checked->differences = compare(checked->program, checked->sim, checked->cuda);
        if (checked->differences->len == 0 && !stopped(checked->cuda))
            continue;
        g_autofree char *kind = kind_of(checked);
        guint before = GPOINTER_TO_UINT(g_hash_table_lookup(shrunk, kind));
        g_hash_table_replace(shrunk, g_steal_pointer(&kind), GUINT_TO_POINTER(before + 1));
        if (before < SHRINK_MOST) {
            atlas_cuda_pool_hurry(p->pool, CANDIDATE_S);
            shrink(p, checked, diags);
        }
    }
}

/* How long it takes to plan a step, and to prove the plan: of the study's model, and how that grows
 * with the iterations of a loop. */
#include <string.h>

#include "graphs/plan.h"
#include "model/launch/lower.h"
#include "model/solve/study.h"
#include "tests/bench/bench.h"

#define ALL (ATLAS_WITH_IN_PLACE | ATLAS_WITH_DEVICE_SCALARS)

/* Milliseconds of one plan; its figures go to *captured and *reads. */
static double plan_ms(const AtlasProgram *program, AtlasProgramFile *file, guint with,
                      gint64 *captured) {
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    AtlasPlanCosts costs = atlas_plan_costs();
    double start = now(), took;
    g_autoptr(AtlasPlan) plan = atlas_plan_make(file, program, with, &costs, diags);
    took = (now() - start) * 1e3;
    if (!plan || !plan->proved)
        fail("no proved plan");
    *captured = plan->captured;
    return took;
}

static double best_of(const AtlasProgram *program, AtlasProgramFile *file, guint with,
                      gint64 *captured) {
    double best = G_MAXDOUBLE, start = now();
    while (now() - start < LONG_ENOUGH)
        best = MIN(best, plan_ms(program, file, with, captured));
    return best;
}

static void study(guint with, const char *what) {
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasStudy) study =
        atlas_study_load("specs/dormouse-small.yaml", NULL, ATLAS_RAT_NONE, diags);
    if (!study)
        fail("no spec dormouse-small: run from the repository");
    g_autoptr(AtlasConfig) base = atlas_config_new(study->model);
    g_autoptr(AtlasProgramFile) file = atlas_program_file_new();
    const AtlasProgram *program = atlas_lower(base, study->point->unknowns, file, diags);
    gint64 captured;
    double ms = best_of(program, file, with, &captured);
    printf("%-44s %8.2f ms, %" G_GINT64_FORMAT " launches in graphs\n", what, ms, captured);
}

/* A loop in which each iteration has a part of a buffer, so that each has a graph of its own. */
static void loop(guint iterations) {
    g_autofree char *text = g_strdup_printf(
        "# loop\nstream s nonblocking\nbuffer x\nbuffer p x%u\nstep\nloop %u as i\n"
        "launch s a x100 r:x,p[i] w:x,p[i]\nlaunch s b x100 r:x,p[i] w:x\nend\nend\n",
        iterations, iterations);
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasSource) source = atlas_source_new("loop", text, strlen(text), NULL);
    g_autoptr(AtlasProgramFile) file = atlas_program_read(source, diags);
    gint64 captured;
    double ms = best_of(atlas_program_file_get(file, 0), file, ATLAS_WITH_ITERATIONS, &captured);
    printf("a graph for each of %4u iterations %10s %8.2f ms, %.1f us an iteration\n", iterations,
           "", ms, ms * 1e3 / iterations);
}

int main(void) {
    study(0, "the study's step, nothing changed");
    study(ALL, "the study's step, 21,427 launches");
    study(ALL | ATLAS_WITH_ITERATIONS, "a graph for each iteration");
    study(ALL | ATLAS_WITH_RENAME, "the study's step, graphs shared");
    printf("most memory so far %.0f MiB\n", peak_mib());
    for (guint iterations = 64; iterations <= 1024; iterations *= 2)
        loop(iterations);
    printf("most memory %.0f MiB\n", peak_mib());
    return 0;
}

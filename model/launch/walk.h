/* What a configuration launches: the launch graph walked under given values.
 *
 * The walk visits every launch item that is there, once for each set of enclosing loop indices its
 * count can depend on (once in all, where it depends on none). Everything that needs counts sums
 * over these visits: a prediction at known values of the unknowns, and the linear forms that the
 * solver works with.
 */
#ifndef ATLAS_MODEL_LAUNCH_WALK_H
#define ATLAS_MODEL_LAUNCH_WALK_H

#include "model/launch/config.h"
#include "model/op/program.h"

/* Bounds. Iterations that are looked at one by one, where they differ or their index is used, are
 * bounded, and so are the items that are looked at in one walk; loops of equal iterations are not.
 * Repetitions (products of loop counts, `every`, periods) beyond what programs allow are mistakes.
 */
enum { ATLAS_ITERATIONS_MAX = 4096, ATLAS_WORK_MAX = 1 << 22 };
#define ATLAS_REPEATS_MAX ATLAS_PROGRAM_TIMES_MAX

/* Launches of one item: `count` under `env`, `times` times in each step that is a multiple of
 * `every`. */
typedef struct {
    guint population;
    const AtlasExpr *count; /* NULL: 1 */
    const AtlasEnv *env;
    gint64 times, every;
} AtlasVisit;

typedef void (*AtlasVisitor)(const AtlasVisit *visit, gpointer data);

/* Why a walk fails. `what` is the expression that has a value without sense, "when", "every",
 * "count" or "loop count" (no number; not whole; below 0, or 1 for `every`; above a bound), or the
 * bound that is exceeded: "period" or "work". */
typedef struct {
    const AtlasNode *node;
    const char *what;
    AtlasRat value;
} AtlasWalkFault;

/* Walks a configuration. `unknowns` (or NULL) becomes AtlasEnv.unknowns. Returns FALSE and fills
 * `fault` if the spec's expressions make no sense under this configuration; visits made before
 * that then mean nothing. */
gboolean atlas_walk(const AtlasConfig *config, const AtlasRat *unknowns, AtlasVisitor visitor,
                    gpointer data, AtlasWalkFault *fault);

/* The steps of a walk, for others that need to see every item (lower.h). Whether a node is there
 * under `env`; its own `every` is joined into *every. The repetitions of a loop, or launches of an
 * item, which with `times` around it must stay exact. FALSE and `fault` if the values make no
 * sense. */
gboolean atlas_walk_present(const AtlasNode *node, const AtlasEnv *env, gint64 *every,
                            gboolean *present, AtlasWalkFault *fault);
gboolean atlas_walk_count(const AtlasNode *node, const AtlasEnv *env, gint64 times, gint64 *count,
                          AtlasWalkFault *fault);

/* Adds the fault as an error at the place of its expression, once a place. */
void atlas_walk_report(const AtlasWalkFault *fault, const AtlasConfig *config, AtlasDiags *diags);

/* The period: the least number of steps after which the same launches come again (the least
 * common multiple of every `every`); 0 if a fault, which is filled, stands in the way. */
gint64 atlas_walk_period(const AtlasConfig *config, AtlasWalkFault *fault);

/* How many steps first..last are multiples of `every`. */
gint64 atlas_multiples(gint64 first, gint64 last, gint64 every);

/* A number that is linear in the unknowns: constant + sum of coefs[i] * unknown i. */
typedef struct {
    AtlasRat constant;
    AtlasRat *coefs;
    guint n;
} AtlasLinear;

AtlasLinear *atlas_linear_new(guint unknowns, guint count); /* an array of `count` zeros */
void atlas_linear_free(AtlasLinear *forms, guint count);
/* into += factor * form */
void atlas_linear_add(AtlasLinear *into, const AtlasLinear *form, AtlasRat factor);
/* The value at given unknowns. */
AtlasRat atlas_linear_value(const AtlasLinear *form, const AtlasRat *unknowns);
gboolean atlas_linear_equal(const AtlasLinear *a, const AtlasLinear *b);

/* The launches of every population, summed over steps first..last, as linear forms: an array of
 * as many as the model has populations; NULL and `fault` on failure. */
AtlasLinear *atlas_walk_linear(const AtlasConfig *config, gint64 first, gint64 last,
                               AtlasWalkFault *fault);
/* The same for every stage; far cheaper than adding up the populations where there are many. */
AtlasLinear *atlas_walk_linear_stages(const AtlasConfig *config, gint64 first, gint64 last,
                                      AtlasWalkFault *fault);

/* The counts that could be negative under a configuration (a coefficient or the constant is), each
 * once an execution, not summed: what must not be below 0 whatever the unknowns are. An array of
 * AtlasLinear, each as long as its last unknown needs; the array owns them. */
GArray *atlas_walk_guards(const AtlasConfig *config);

/* The launches of every stage, summed over steps first..last, at given unknowns: fills
 * `stages`, one for each stage of the model. FALSE and `fault` on failure. */
gboolean atlas_walk_stages(const AtlasConfig *config, const AtlasRat *unknowns, gint64 first,
                           gint64 last, AtlasRat *stages, AtlasWalkFault *fault);

#endif

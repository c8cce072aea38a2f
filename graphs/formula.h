/* Formulas: which sums and differences of runs measure a sum of populations. Internal to graphs/.
 *
 * Of one stage, every run that counted it is a row: by how much each population is there, as a
 * factor of what it launches in the base (1 there, 0 where it is switched off, 1/2 in a loop that
 * is half as long). A population that the base lacks, or that a run launches in another form,
 * counts as something of its own, in units of the first run that has it. A formula for a sum of
 * populations is a combination of rows that is 1 for each of these and 0 for all else; the same
 * combination of what the runs counted then measures it, whatever the unknowns are. What smears
 * from one stage into another stays in: at most the counter's lag for each run and unit of factor.
 *
 * Formulas of the fewest runs are found, by trying all sets of up to FORMULA_RUNS runs (fewer where
 * there would be more than FORMULA_SETS sets), and of these the lightest: a formula's weight is the
 * sum of its factors' sizes.
 */
#ifndef ATLAS_GRAPHS_FORMULA_H
#define ATLAS_GRAPHS_FORMULA_H

#include "graphs/ground.h"

enum { FORMULA_RUNS = 4, FORMULA_SETS = 50000, FORMULA_ALTERNATIVES = 4 };

typedef struct {
    AtlasRat *factors; /* one for each observation of the evidence */
    guint runs;
    AtlasRat weight;
    AtlasInterval value; /* launches a step, measured */
} Formula;

/* What a row has factors of. */
typedef struct {
    guint population;
    const AtlasLinear *form; /* launches over `steps` steps that count as 1 */
    gint64 steps;
} FormulaUnit;

/* The rows of one stage. */
typedef struct {
    const Ground *ground;
    guint stage;
    GArray *units;   /* of FormulaUnit: first those of the base */
    guint base;      /* how many of them those are */
    GPtrArray *rows; /* of AtlasRat*: factors of the units; no two are equal, none is 0 */
    GArray *runs;    /* of guint: the observation of each row; the base run first */
    guint most;      /* runs in a formula, at most */
} FormulaRows;

FormulaRows *formula_rows_new(const Ground *ground, guint stage);
void formula_rows_free(FormulaRows *rows);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FormulaRows, formula_rows_free)

/* The formulas for a sum of units (one gboolean for each): an array of Formula*, which the caller
 * frees; empty if there is none. */
GPtrArray *formula_find(const FormulaRows *rows, const gboolean *units);

/* a - b, as one more formula. */
Formula *formula_minus(const FormulaRows *rows, const Formula *a, const Formula *b);

/* Fills in which formula of each list (of GPtrArray* of Formula*) to take so that together they are
 * the base run itself: of all such choices the one whose values are nearest to these `middles`, in
 * sum. FALSE if there is none, or there were too many to try. */
gboolean formula_telescope(const FormulaRows *rows, const GPtrArray *lists, const AtlasRat *middles,
                           guint *choice);

/* "jepa-0 - cross", "3/2 (base - experts-1)", with a typographic minus; the caller frees it. */
char *formula_text(const Ground *ground, const Formula *formula);

#endif

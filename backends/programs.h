/* Programs that atlas-check runs: for check_programs.c, check_against.c and check_answers.c only.
 *
 * check_programs.c reads or generates the programs and runs them; check_against.c compares the two
 * drivers and shrinks what differs; check_answers.c prints.
 */
#ifndef ATLAS_BACKENDS_PROGRAMS_H
#define ATLAS_BACKENDS_PROGRAMS_H

#include "backends/check.h"
#include "model/machine/outcome.h"

/* One program, and what came of it. */
typedef struct {
    AtlasProgramFile *file;
    const AtlasProgram *program;
    gint64 steps;               /* how often its step is repeated */
    gboolean judged;            /* by the results it states; else it is printed with its answers */
    AtlasOutcome *sim, *cuda;   /* NULL: not run there */
    GArray *differences;        /* of AtlasDifference; NULL where it is not judged */
    const AtlasProgram *shrunk; /* of two drivers that differ; NULL: not shrunk */
    AtlasOutcome *shrunk_sim, *shrunk_cuda;
} Checked;

typedef struct {
    GPtrArray *files;    /* of AtlasProgramFile* */
    GArray *list;        /* of Checked */
    AtlasCudaPool *pool; /* NULL: no driver is asked */
    gboolean against, explain;
    gint64 calls;
    guint differ;
    guint verdicts; /* that programs expect of proofs, and which are not judged here */
} Programs;

/* The outcome that is asked for: the driver's where it was asked, else the machine's. */
const AtlasOutcome *programs_outcome(const Checked *checked);

/* How often a program's step is repeated so that every op of it is performed: until all its
 * `every:` meet. An error where that takes more than a million steps. */
gint64 programs_period(const AtlasProgram *program, AtlasDiags *diags);

/* Whether it states a result of a call, or how many kernels are executed. */
gboolean programs_states_results(const AtlasProgram *program);

/* Removes from the differences (of AtlasDifference) those at a call that the program states to be
 * undefined, and behind it: a real driver is not judged by them. */
void programs_spare_undefined(const AtlasProgram *program, GArray *differences);

/* Compares the machine's and the driver's outcomes of every program, and shrinks those that differ.
 */
void programs_compare_drivers(Programs *programs, AtlasDiags *diags);

/* What to print: "table" (for people, and as program files), "json" or "tsv". The caller frees it.
 */
char *programs_print(const Programs *programs, const char *format);

/* The form of its JSON, as a JSON Schema. The caller frees it. */
char *programs_schema(void);

/* Adds an error for each result that no call can have, so that none could ever be as stated. */
void programs_check_results(const AtlasProgram *program, AtlasDiags *diags);

#endif

/* Programs that atlas-check runs: for atlas-check.c and the four below only.
 *
 * check_programs.c reads or generates the programs and runs them; check_against.c compares the two
 * drivers and shrinks what differs; check_memory.c says what races do to memory; check_answers.c
 * prints; programs_schema.c says in which form.
 */
#ifndef ATLAS_BACKENDS_PROGRAMS_H
#define ATLAS_BACKENDS_PROGRAMS_H

#include "backends/check.h"
#include "backends/stated.h"
#include "model/machine/outcome.h"

/* One program, and what came of it. */
typedef struct {
    AtlasProgramFile *file;
    const AtlasProgram *program;
    gint64 steps;               /* how often its step is repeated */
    gboolean judged;            /* by what it states of results and fingerprints; else it is printed
                                   with its answers */
    AtlasOutcome *sim, *cuda;   /* NULL: not run there */
    GArray *differences;        /* of AtlasDifference; NULL where it is not judged */
    const char *memory;         /* what it states of fingerprints: "equal", "differs", or NULL */
    guint memory_op;            /* where it does */
    const char *found;          /* with `memory`: what was found, or NULL where that is open */
    char *how;                  /* with `memory`: a sentence without full stop */
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
    guint open;     /* of the others: those whose fingerprints are not known */
    guint verdicts; /* that programs expect of proofs, and which are not judged here */
} Programs;

/* The outcome that is asked for: the driver's where it was asked, else the machine's. */
const AtlasOutcome *programs_outcome(const Checked *checked);

/* Compares the machine's and the driver's outcomes of every program, and shrinks those that differ.
 */
void programs_compare_drivers(Programs *programs, AtlasDiags *diags);

/* Finds out what becomes of the fingerprints of programs that state something of them.
 *
 * On the simulated machine: a program that has no race leaves in memory what the order of its calls
 * does, in every schedule; of one that has, the second access is performed first (sim/order.h). On
 * a GPU a program is replayed until a fingerprint differs, MEMORY_TRIES times at most. FALSE with an
 * error where it cannot be replayed here. */
gboolean programs_memory(Programs *programs, const CheckRequest *request);
enum { MEMORY_TRIES = 50 };

/* What to print: "table" (for people, and as program files), "json" or "tsv". The caller frees it.
 */
char *programs_print(const Programs *programs, const char *format);

/* The form of its JSON, as a JSON Schema. The caller frees it. */
char *programs_schema(void);

#endif

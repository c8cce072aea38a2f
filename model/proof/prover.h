/* What the files of proofs share: prove.c asks the engine, prove_search.c the search,
 * prove_threads.c the engine of each interleaving of host threads. Internal. */
#ifndef ATLAS_MODEL_PROOF_PROVER_H
#define ATLAS_MODEL_PROOF_PROVER_H

#include "model/proof/flow.h"
#include "model/proof/prove.h"

struct AtlasProofs {
    GPtrArray *list; /* of AtlasProof */
};

/* A program being proved. Walks differ in the number of steps only: the first is that of the
 * question; where ops stand behind a step that may be performed any number of times, there is one
 * more for each smaller number that the first walk needed to see all steps. */
typedef struct {
    const AtlasProgram *program;
    Flow *flow;
    AtlasProofs *proofs;
    gint64 depth, steps;
    gboolean brief;
    GPtrArray *deep; /* of Engine: with back-pressure */
} Prover;

/* Adds a proof that holds. Takes `assumes` over. */
AtlasProof *prover_add(Prover *p, AtlasProperty property, const char *method, char *assumes);

/* Why a read that is marked exact is refuted. */
#define PROVE_LAGS "launches before it need not be complete"

/* Adds an open proof for each read that is marked exact: nothing of it is proved. */
void prover_open_reads(Prover *p, AtlasProofVerdict verdict, const char *why);

/* What is assumed about queues. */
char *prover_depth(const Prover *p);

/* Proves by search what the engine does not model: flags that are set more than once. */
void prove_by_search(Prover *p);
enum { PROVE_STATES_MAX = 4000000 };

/* Proves programs of several host threads, every interleaving that differs by itself. */
void prove_threads(Prover *p);

#endif

/* Whether a program that captures and launches graphs may stand for an eager one: E1-E15 of
 * replay-equivalence, but E12 (several ranks).
 *
 *     legality      every call succeeds, in every interleaving of the host threads
 *     E1 ... E4, E5, E9, E15      what reads see, what memory ends with (sim/reads_from.h)
 *     E6, E7, E8    no race: inside of a graph; between a graph and what is around it in a step;
 *                   from one step, or graph, to another
 *     E10           memory that a graph allocates is free again before its next launch
 *     E11           an update of a graph is one that the driver takes
 *     E13           a step leaves no more execs behind than there were before it; what they hold in
 *                   bytes is unknown, since programs do not say how large a buffer is
 *     E14           a call that fails, or makes one fail, from another host thread
 *     E15           the host has waited, where a step ends, for what it has waited for eagerly
 *                   (replay_look.h)
 *
 * An eager program that fails or races by itself means nothing that could be equivalent: that is
 * open, never proved.
 */
#ifndef ATLAS_GRAPHS_REPLAY_VERDICT_H
#define ATLAS_GRAPHS_REPLAY_VERDICT_H

#include "model/proof/prove.h"

typedef struct {
    guint property;     /* 1-15; 0: a call that fails otherwise */
    guint op;           /* of the planned program; of the eager one where `missing` */
    gboolean missing;   /* the planned program does not do it */
    const char *buffer; /* or scalar, or NULL */
    gint64 step;        /* -1: before the first */
    char *why, *mend;
} AtlasReplayFault;

typedef struct {
    GArray *faults; /* of AtlasReplayFault: those of the first of legality, reads, races that has
                       any */
    char *open;     /* why it is not decided; NULL: it is */
    gint64 steps, reads;
} AtlasReplayVerdict;

/* Both programs belong to one file. NULL with errors where one cannot be executed. */
AtlasReplayVerdict *atlas_replay_verdict(const AtlasProgram *eager, const AtlasProgram *planned,
                                         AtlasDiags *diags);
void atlas_replay_verdict_free(AtlasReplayVerdict *verdict);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasReplayVerdict, atlas_replay_verdict_free)

/* How a property is named: "E4"; "legal", of 0. The caller frees it. */
char *atlas_replay_property(guint property);

/* Which of E6, E7, E8 a race of the planned program breaks that the eager one does not have; E15
 * where the host reads. Where no graph takes part, the eager order is missing: E6. */
guint atlas_replay_race(const AtlasProgram *planned, const AtlasProof *race);
/* What mends it. The caller frees it. */
char *atlas_replay_race_mend(const AtlasProgram *planned, const AtlasProof *race);

#endif

/* Data races: two accesses to the same buffer, at least one of them a write, that no chain of
 * orders puts one before the other. Internal to the engine.
 *
 * Accesses come in some order that agrees with all orders there are. Of each cell and each chain
 * the last read and the last write are kept: where an access comes after these, it comes after all
 * earlier ones of the chain, so comparing with the last ones finds a race if there is any.
 *
 * An access to a part of a buffer conflicts with those to the same part and to the whole. So it is
 * compared with the part's own cell and the whole's, and an access to the whole with the whole's
 * cell and with one that every access to any part is kept in.
 */
#ifndef ATLAS_MODEL_PROOF_RACE_H
#define ATLAS_MODEL_PROOF_RACE_H

#include "model/proof/flow.h"

/* When an op was performed. */
typedef struct {
    guint flow; /* the op in Flow.ops */
    guint step;
    gint64 nth; /* how often it was performed before, in this step */
} RacePlace;

/* The two accesses, in the order of the calls. */
typedef struct {
    RacePlace place[2];
    guint by[2]; /* the ops that performed them: launches of graphs, where place is a node's */
    gboolean write[2];
    gboolean host[2]; /* the host accesses, during the call */
    guint cell;
    gboolean inside; /* both are nodes of one graph that is launched there */
} Race;

/* How many races between different ops are told apart. */
enum { RACES_MAX = 64 };

typedef struct RaceTable RaceTable;

/* For cells 0 … cells and chains 0 … width - 1. */
RaceTable *race_table_new(guint cells, guint width);
void race_table_free(RaceTable *table);

/* An access by a chain whose work is complete at `position`; `clock` says what is complete before
 * it starts. */
void race_access(RaceTable *table, const FlowAccess *access, gint64 index, guint chain,
                 gint64 position, const gint64 *clock, RacePlace place, guint by);

/* The chain repeated its last access: nothing else was accessed since, and that raced if this
 * does. */
void race_repeat(RaceTable *table, const FlowAccess *access, gint64 index, guint chain,
                 gint64 position, RacePlace place);

/* Accesses were left out, for want of room: more chains times cells than RACE_LAST_MAX. */
gboolean race_is_full(const RaceTable *table);
#define RACE_LAST_MAX (1u << 22)

gsize race_bytes(const RaceTable *table);

/* Adds a race that was found elsewhere. */
void race_add(RaceTable *table, const Race *race);

/* The races found: those of the first RACES_MAX pairs of ops, each once. */
const GArray *race_found(const RaceTable *table);

#endif

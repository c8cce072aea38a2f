/* The engine: one walk through a program decides deadlock, races and readings of the counter, for
 * all schedules. Internal; prove.h is what others use.
 *
 * The walk hands every op to the clocks in the order of the calls. What they say is exact:
 *
 * - deadlock: nothing enabled is ever disabled, so either every schedule completes or all end in
 *   the same state. The walk completes whatever can be; where the host is stuck then, or items are
 *   left over at the end, every schedule ends there.
 * - race: two accesses that neither clock puts first are both enabled in the state in which just
 *   all that comes before either has happened. And of ordered ones the first must end before the
 *   second starts.
 * - readings: smear.h.
 *
 * With depth 0 there is no back-pressure: races are then those of the program, not of the queue.
 */
#ifndef ATLAS_MODEL_PROOF_ENGINE_H
#define ATLAS_MODEL_PROOF_ENGINE_H

#include "model/proof/captured.h"
#include "model/proof/clocks.h"
#include "model/proof/race.h"
#include "model/proof/smear.h"

/* What one walk may take, before it gives up: items handed over, ops performed, numbers in clocks.
 */
#define ENGINE_ITEMS_MAX (1u << 20)
#define ENGINE_OPS_MAX (1u << 22)
#define ENGINE_CLOCKS_MAX (1u << 25)

typedef enum {
    ENGINE_DONE,
    ENGINE_STUCK,  /* every schedule ends before the program does */
    ENGINE_FAILED, /* a call failed, at `at`: what follows is not modelled */
    ENGINE_LIMIT,  /* gave up */
    ENGINE_REFUSED /* cannot model it; `refusal` says why */
} EngineEnd;

/* What a walk is to find, as bits. Deadlock is found in any case. */
enum { ENGINE_RACES = 1, ENGINE_READINGS = 2, ENGINE_ALL = 3 };

typedef struct Engine Engine;
struct Engine {
    const Flow *flow;
    Clocks clocks;
    RaceTable *races;
    Smear smear;
    Captured *captured; /* NULL where nothing is captured */
    EngineEnd end;
    char *refusal;
    ClockStuck stuck;  /* ENGINE_STUCK: what the host, or else a stream, waits for in vain */
    RacePlace at;      /* ENGINE_STUCK: the op that cannot go on */
    guint stuck_chain; /* whose it is: the host's, or a stream's */
    guint64 steps;     /* walked */
    gboolean periodic; /* every further step does what the last period of steps did */
    guint64 ops;       /* performed */
    gsize bytes;       /* that clocks, items and last accesses took */
};

/* Follows a walk: called after each op of the host. */
typedef struct {
    gboolean (*performed)(gpointer user, const Engine *engine, RacePlace place); /* FALSE: stop */
    gpointer user;
} EngineObserver;

/* `steps`: how often the step is performed; 0: for ever. An observed walk cuts no loop and no
 * step short, so that it ends at a limit where `steps` is 0, and takes no ops together. */
Engine *engine_run(const Flow *flow, gint64 depth, gint64 steps, guint find,
                   const EngineObserver *observer);
void engine_free(Engine *engine);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Engine, engine_free)

#endif

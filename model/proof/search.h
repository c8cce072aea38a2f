/* The search: every state of a program, one by one. It decides what the engine cannot (flags that
 * are set more than once), and is what the engine is tested against.
 *
 * A state is how far the host is and how far each stream is; where counts are wanted, also what the
 * last reading was. It is packed into as few bits as the program needs, one field for each, so that
 * a step of the host or of a stream adds a constant. Breadth first: each state is looked at once,
 * all states of one distance before the next (every step adds one to the sum of fields, so that a
 * shortest path to a state is any path).
 *
 * What the host waits for is a condition of what it does next, not a step of its own; so are the
 * places in queues. An op xN is N tasks; records and waits are tasks that take no time. A graph's
 * nodes are tasks on streams of their own, between one task that begins the graph and one that ends
 * it. Nothing of the engine is used: programs are read, loops unrolled and names bound a second
 * time, in the plainest way.
 */
#ifndef ATLAS_MODEL_PROOF_SEARCH_H
#define ATLAS_MODEL_PROOF_SEARCH_H

#include "model/op/program.h"

typedef struct {
    gint64 depth;    /* 0: queues without end. The program's own is not looked at */
    gint64 steps;    /* how often the step is performed; at least 1 */
    gboolean counts; /* remember the last reading: SearchReading.fewest and greatest */
    gboolean starts; /* a task starts and ends in two steps; set where places are free at starts */
    gboolean symmetry;  /* take states that interchangeable streams make of each other for one */
    gboolean all_races; /* find all pairs of ops that race, not only one */
    guint64 max_states; /* give up beyond; 0: SEARCH_STATES_MAX */
    gsize max_bytes;    /* the same; 0: SEARCH_BYTES_MAX */
} SearchOptions;

#define SEARCH_STATES_MAX G_GUINT64_CONSTANT(100000000)
#define SEARCH_BYTES_MAX ((gsize)2 << 30)

/* A read, over all times and schedules. */
typedef struct {
    guint op; /* G_MAXUINT: the end of the program */
    gint64 times;
    gint64 least, most; /* smear */
    gint64 fewest, greatest;
} SearchReading;

/* Two ops of the program that race, the smaller first. */
typedef struct {
    guint ops[2];
} SearchRace;

typedef enum {
    SEARCH_DONE,
    SEARCH_TOO_LARGE,   /* a limit was reached: what was found is true, what was not may exist */
    SEARCH_NOT_MODELLED /* several threads, a call that fails, … */
} SearchEnd;

typedef struct {
    SearchEnd end;
    char *why; /* NOT_MODELLED, TOO_LARGE */
    gboolean race, deadlock;
    GArray *races;    /* of SearchRace, different ones; only the first unless `all_races` */
    GArray *readings; /* of SearchReading, in the order of the program */
    guint64 states;
    gsize bytes; /* the most that states and queues took */
} SearchResult;

SearchResult *search_run(const AtlasProgram *program, const SearchOptions *options);
void search_result_free(SearchResult *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SearchResult, search_result_free)

#endif

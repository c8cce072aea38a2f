/* One program before the engine, the search, Rumur and SPIN: whether they say the same.
 *
 * What is compared, where it is there: the verdict that the program itself states, the engine's
 * (prove.h), the search's, and each installed tool's, on deadlock, on races with and without
 * back-pressure, and on how far each read of the counter lags: the bound holds, and lowered by one
 * it fails. Numbers of states are compared between the search and Rumur, with queues without end
 * and at the program's depth.
 */
#ifndef ATLAS_TESTS_PEERS_JUDGE_H
#define ATLAS_TESTS_PEERS_JUDGE_H

#include "model/op/program.h"
#include "tests/peers/tool.h"

typedef struct {
    gboolean use[TOOLS]; /* which tools are installed */
    guint64 max_states;  /* of the search; larger programs are skipped */
    guint passed, failed;
    GString *faults; /* a line for each comparison that failed */
} Judge;

typedef enum {
    JUDGE_COMPARED,
    JUDGE_LEGALITY, /* a call fails: nothing else is to be said of it */
    JUDGE_REFUSED,  /* the tools' models lack something of it */
    JUDGE_LARGE
} JudgeEnd;

/* What was found, in words for a table; NULL where nothing was. */
typedef struct {
    JudgeEnd end;
    char *why; /* REFUSED */
    const char *deadlock, *race, *race_at_depth;
    char *smear;
    guint64 states, tool_states[TOOLS]; /* at the program's depth */
} Judgement;

/* `starts`: tasks start and end in two steps, in the search and for Rumur. */
Judgement judge(Judge *judge, const AtlasProgram *program, gboolean starts);
void judgement_clear(Judgement *judgement);

/* One more comparison: "yes" and "yes". */
void judge_same(Judge *judge, const char *name, const char *what, const char *who,
                const char *found, const char *wanted);

#endif

/* The rules that calls obey, each with its name, its reason, its mend and its source.
 *
 * Every answer of the machine that is not the plain success of its call names the rule that gave it
 * (AtlasAnswer.rule): why it failed, why it invalidated a capture, or why it is undefined. The
 * table in rules.c is the list of all of them, for explain.h, for documentation, and for tests that
 * see to it that each one fires.
 *
 * To add a rule: its identifier in AtlasRule, its row in rules.c, the call that gives it in
 * calls_*.c or checks.c, and a program in tests/programs/ that breaks without it.
 */
#ifndef ATLAS_MODEL_MACHINE_RULES_H
#define ATLAS_MODEL_MACHINE_RULES_H

#include <glib.h>

typedef enum {
    ATLAS_RULE_NONE, /* the call succeeded, plainly */
    ATLAS_RULE_LEGACY_USE,
    ATLAS_RULE_UNSAFE_CALL,
    ATLAS_RULE_STREAM_INVALIDATED,
    ATLAS_RULE_BEGIN_LEGACY,
    ATLAS_RULE_BEGIN_TWICE,
    ATLAS_RULE_STATUS_LEGACY,
    ATLAS_RULE_END_IDLE,
    ATLAS_RULE_END_JOINED,
    ATLAS_RULE_END_INVALIDATED,
    ATLAS_RULE_END_UNJOINED,
    ATLAS_RULE_END_WRONG_THREAD,
    ATLAS_RULE_SYNC_CAPTURING,
    ATLAS_RULE_SYNC_CONTEXT,
    ATLAS_RULE_CALLBACK_CAPTURING,
    ATLAS_RULE_FLAG_CAPTURING,
    ATLAS_RULE_MODULE_LOAD,
    ATLAS_RULE_RECORD_EXTERNAL_IDLE,
    ATLAS_RULE_WAIT_EXTERNAL_IDLE,
    ATLAS_RULE_WAIT_STALE,
    ATLAS_RULE_WAIT_OUTSIDE,
    ATLAS_RULE_WAIT_MERGE,
    ATLAS_RULE_WAIT_LEGACY,
    ATLAS_RULE_SYNC_CAPTURED,
    ATLAS_RULE_SYNC_STALE,
    ATLAS_RULE_FREE_UNDEFINED,
    ATLAS_RULE_FREE_FOREIGN,
    ATLAS_RULE_FREE_AGAIN,
    ATLAS_RULE_FREE_NOT_LIVE,
    ATLAS_RULE_NO_GRAPH,
    ATLAS_RULE_NO_EXEC,
    ATLAS_RULE_INSTANTIATE_AGAIN,
    ATLAS_RULE_GRAPH_CAPTURING,
    ATLAS_RULE_LAUNCH_UNFREED,
    ATLAS_RULE_LAUNCH_FREES_DEAD,
    ATLAS_RULE_LAUNCH_OF_ITSELF,
    ATLAS_RULE_LAUNCH_JOINS,
    ATLAS_RULE_LAUNCH_LEGACY,
    ATLAS_RULE_LAUNCH_WAITS,
    ATLAS_RULE_UPDATE_TAKEN,
    ATLAS_RULE_UPDATE_TOPOLOGY,
    ATLAS_RULE_UPDATE_TYPE,
    ATLAS_RULE_UPDATE_PARAMETERS,
    ATLAS_RULE_LIMIT,
    ATLAS_RULE_AFTER_UNDEFINED,
    ATLAS_RULES
} AtlasRule;

/* `why` and `mend` are sentences without capital and full stop. In them {call}, {stream}, {event},
 * {graph}, {exec} and {memory} stand for the call and what it is given; {origin} for the stream on
 * which the capture in question was begun, {captor} for the thread that began it, {mode} for its
 * mode, {cause} for the call that invalidated it, or that was not joined; {act} for what the call
 * does ("synchronize"). */
typedef struct {
    int code;             /* the call's result */
    gboolean invalidates; /* the capture in question */
    const char *name;     /* "unsafe-call" */
    const char *why;      /* "{call} is unsafe while {captor} captures {origin} in {mode} mode" */
    const char *mend;     /* "{act} before begin, or begin in relaxed mode" */
    const char *source;   /* a program of the truth (tests/programs/), or CUDA's documentation */
} AtlasRuleRow;

const AtlasRuleRow *atlas_rule(AtlasRule rule);

#endif

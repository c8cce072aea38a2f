/* The rules that calls obey, each with its name, its reason, its mend and its source.
 *
 * Every answer of the machine that is not the plain success of its call names the rule that gave it
 * (AtlasAnswer.rule): why it failed, why it invalidated a capture, or why it is undefined. The
 * table in rules.c is the list of all of them, for explain.h, for documentation, and for tests that
 * see to it that each one fires.
 *
 * To add a rule: a line in ATLAS_RULES (its identifier), its row in rules.c, the call that gives it
 * in calls_*.c or checks.c, and a program in tests/programs/ that breaks without it.
 */
#ifndef ATLAS_MODEL_MACHINE_RULES_H
#define ATLAS_MODEL_MACHINE_RULES_H

#include <glib.h>

typedef enum {
    ATLAS_RULE_NONE, /* the call succeeded, plainly */
    /* filled in with the machine */
    ATLAS_RULES
} AtlasRule;

/* `why` and `mend` are sentences without capital and full stop, in which {call}, {stream}, {event},
 * {graph}, {exec}, {memory}, {thread}, {origin}, {mode} and {captor} stand for what the answer was
 * about. */
typedef struct {
    const char *name;   /* "unsafe-call" */
    const char *why;    /* "{call} is unsafe while {captor} captures {origin} in {mode} mode" */
    const char *mend;   /* "call it before begin, or begin in relaxed mode" */
    const char *source; /* a program of the truth, or a section of the CUDA guide */
} AtlasRuleRow;

const AtlasRuleRow *atlas_rule(AtlasRule rule);

#endif

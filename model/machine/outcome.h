/* Outcomes: what a driver, simulated or real, answered for a program.
 *
 * Every driver call of a program gets one answer: a result code and, for some calls, details. Both
 * have one text form, that of program files: `=> OK nodes=3 edges=2 kernel=3` expects what
 * atlas_answer_write writes. An outcome holds the answers of a whole program by op index and the
 * number of kernels that were executed; comparing it with what the program expects gives the
 * differences.
 *
 * Whoever runs programs (run.h on the simulated machine, a backend on a real driver) fills an
 * outcome by these rules:
 * - an op that is no driver call, and one that was never performed, has the code NONE;
 * - a query that answers NOT_READY is OK: whether work is done yet is a matter of time, not of
 *   rules;
 * - an op that was performed several times (in a loop, in several steps) has its first answer that
 *   is not OK or, where all are OK, its last: atlas_outcome_put keeps this rule;
 * - a simulated run ends where CUDA leaves undefined what comes next: that op answers UNDEFINED;
 * - an op on a graph or exec that does not exist is not given to the driver: INVALID_VALUE, without
 *   details; nothing changes;
 * - a call that was to make a graph, an exec or an allocation, and fails, leaves its name without
 *   one (a null handle, a null pointer), whatever the name stood for before; a name that never
 *   stood for an allocation is a null pointer;
 * - a simulated run takes what the device does as done, and flags as set, when the host waits for
 *   it: no wait lasts, not even one that nothing ends, for which a real driver waits for ever;
 * - a stream or event that a program uses and nowhere declares is there from the start,
 *   non-blocking and never recorded.
 *
 * Life cycle: atlas_outcome_new, atlas_outcome_put…, atlas_outcome_compare, atlas_outcome_free.
 */
#ifndef ATLAS_MODEL_MACHINE_OUTCOME_H
#define ATLAS_MODEL_MACHINE_OUTCOME_H

#include "model/op/program.h"

/* The codes that the rules give have names here; a real driver may answer any other CUresult, whose
 * number then stands in AtlasAnswer.code. Numbers are those of cuda.h. */
enum {
    ATLAS_RESULT_UNDEFINED = -2, /* CUDA does not say what happens: freeing twice, … */
    ATLAS_RESULT_NONE = -1,      /* no answer: no driver call, or never performed */
    ATLAS_RESULT_OK = 0,
    ATLAS_RESULT_INVALID_VALUE = 1,
    ATLAS_RESULT_OUT_OF_MEMORY = 2,
    ATLAS_RESULT_ILLEGAL_STATE = 401,
    ATLAS_RESULT_NOT_READY = 600,
    ATLAS_RESULT_NOT_SUPPORTED = 801,
    ATLAS_RESULT_STREAM_CAPTURE_UNSUPPORTED = 900,
    ATLAS_RESULT_STREAM_CAPTURE_INVALIDATED = 901,
    ATLAS_RESULT_STREAM_CAPTURE_MERGE = 902,
    ATLAS_RESULT_STREAM_CAPTURE_UNMATCHED = 903,
    ATLAS_RESULT_STREAM_CAPTURE_UNJOINED = 904,
    ATLAS_RESULT_STREAM_CAPTURE_ISOLATION = 905,
    ATLAS_RESULT_STREAM_CAPTURE_IMPLICIT = 906,
    ATLAS_RESULT_CAPTURED_EVENT = 907,
    ATLAS_RESULT_STREAM_CAPTURE_WRONG_THREAD = 908,
    ATLAS_RESULT_GRAPH_EXEC_UPDATE_FAILURE = 910
};

/* The name of a code as program files have it, without CUDA_ERROR_: "OK", "INVALID_VALUE",
 * "UNDEFINED"; "" for NONE. NULL for a number without a name here. */
const char *atlas_result_name(int code);

/* The code of a name, or of "CUresult=719", which is how a code without a name is written. FALSE
 * where there is none. */
gboolean atlas_result_parse(const char *name, int *code);

/* Adds a hint: which names there are that look like this one. */
void atlas_result_suggest(const char *name, AtlasDiags *diags);

/* Types of graph nodes, in the order in which answers count them (that of CUgraphNodeType). */
typedef enum {
    ATLAS_NODE_KERNEL,
    ATLAS_NODE_MEMCPY,
    ATLAS_NODE_MEMSET,
    ATLAS_NODE_HOST,
    ATLAS_NODE_GRAPH, /* a child graph */
    ATLAS_NODE_EMPTY,
    ATLAS_NODE_WAIT_EVENT,
    ATLAS_NODE_EVENT_RECORD,
    ATLAS_NODE_MEM_ALLOC,
    ATLAS_NODE_MEM_FREE,
    ATLAS_NODE_BATCH_MEM_OP,
    ATLAS_NODE_OTHER,
    ATLAS_NODE_TYPES
} AtlasNodeType;

/* As answers write it: "kernel", "wait_event". */
const char *atlas_node_type_name(AtlasNodeType type);

/* What stands behind the result. */
typedef enum {
    ATLAS_DETAILS_NONE,
    ATLAS_DETAILS_STATUS,     /* status: none, active, invalidated */
    ATLAS_DETAILS_NULL_GRAPH, /* end: graph=null */
    ATLAS_DETAILS_GRAPH,      /* end: nodes=3 edges=2 kernel=3 */
    ATLAS_DETAILS_UPDATE      /* update: result=0 */
} AtlasDetailsKind;

/* Values are those of CUstreamCaptureStatus. */
typedef enum {
    ATLAS_CAPTURE_NONE,
    ATLAS_CAPTURE_ACTIVE,
    ATLAS_CAPTURE_INVALIDATED
} AtlasCaptureStatus;

typedef struct {
    int code;                    /* a CUresult, or one of the negative codes above */
    AtlasDetailsKind details;    /* which of the following fields hold */
    AtlasCaptureStatus status;   /* STATUS */
    int update;                  /* UPDATE: a CUgraphExecUpdateResult */
    gint64 nodes, edges;         /* GRAPH */
    gint64 of[ATLAS_NODE_TYPES]; /* GRAPH: nodes of each type */
    /* Why, from the simulated machine: which of its rules gave the answer (rules.h), and what it
     * knew of the capture that the rule is about. All 0 where the call plainly succeeded, and from
     * a real driver. Never compared, never written; explain.h makes a sentence of it. */
    guint16 rule;
    guint16 thread; /* that began the capture; 0: about no capture */
    guint16 mode;   /* the capture's (AtlasCaptureMode) */
    guint origin;   /* 1 + the first op that names the stream it was begun on; 0: ptds */
    guint cause;    /* 1 + the op that invalidated it before, or is not joined; 0: none */
    gint64 time;    /* of an op that is performed `times` times, the one that was answered so */
    gint64 times;
} AtlasAnswer;

/* An answer without details. */
AtlasAnswer atlas_answer(int code);

/* Whether the answer is one that is not OK. */
static inline gboolean atlas_answer_failed(const AtlasAnswer *answer) {
    return answer->code != ATLAS_RESULT_OK && answer->code != ATLAS_RESULT_NONE;
}

/* Appends "OK nodes=3 edges=2 kernel=3"; nothing where there is no answer. */
void atlas_answer_write(const AtlasAnswer *answer, GString *out);

typedef enum {
    ATLAS_OUTCOME_NOT_RUN,   /* nothing was performed */
    ATLAS_OUTCOME_FINISHED,  /* every op was */
    ATLAS_OUTCOME_UNDEFINED, /* ended at an op whose effect CUDA leaves undefined */
    ATLAS_OUTCOME_HUNG,      /* a call did not return in time */
    ATLAS_OUTCOME_CRASHED    /* the process that ran it died */
} AtlasOutcomeState;

typedef struct {
    AtlasOutcomeState state;
    guint ended_at;  /* the op that was undefined, hung or crashed; else the number of ops */
    GArray *answers; /* of AtlasAnswer, one for each op of the program */
    gint64 executed; /* kernels executed; -1 where unknown, as after anything but FINISHED */
    char *uncounted; /* why that is unknown although the run finished; else NULL */
    gint64 calls;    /* driver calls performed, each repetition of a loop or step counted */
} AtlasOutcome;

/* An outcome NOT_RUN, with an answer NONE for every op. */
AtlasOutcome *atlas_outcome_new(const AtlasProgram *program);
void atlas_outcome_free(AtlasOutcome *outcome);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasOutcome, atlas_outcome_free)

/* The answer of an op; borrowed. */
const AtlasAnswer *atlas_outcome_get(const AtlasOutcome *outcome, guint op);

/* Takes down an op's next answer: keeps the first that is not OK, else the last. */
void atlas_outcome_put(AtlasOutcome *outcome, guint op, const AtlasAnswer *answer);

/* One difference between what a program expects and what was answered. */
typedef struct {
    guint op; /* its index; the number of ops where `executed` differs */
    AtlasSpan at;
    char *expected, *got; /* "OK active", "OK none"; "executed 2", "executed 3" */
} AtlasDifference;

/* The differences, in the order of the ops: each op that states a result, was answered, and was
 * answered otherwise (an op that states no details accepts any); then the number of executed
 * kernels, where the program states one. Of a run that hung or crashed, the op that did counts as
 * answered, by "hung" or "crashed". What comes behind an op that was undefined, hung or crashed,
 * and ops that were never performed, are not judged. The caller unrefs the array, which frees its
 * strings. */
GArray *atlas_outcome_compare(const AtlasProgram *program, const AtlasOutcome *outcome);

/* The differences between two outcomes of one program, in the same form: `expected` is what the
 * first says. Judged up to where either of them ended. */
GArray *atlas_outcome_differences(const AtlasProgram *program, const AtlasOutcome *first,
                                  const AtlasOutcome *second);

/* Writes the program with every call's answer in the place of its result, with its `executed`
 * (where known) and its closing empty line: what program files of truth look like. */
void atlas_outcome_write(const AtlasProgram *program, const AtlasOutcome *outcome, GString *out);

#endif

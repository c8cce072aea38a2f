/* The table of ops, for the reader, the writer and whoever documents the text form.
 *
 * To add an op: add its kind to AtlasOpKind (program.h) and its row to the table at the top of
 * op.c. Reader, writer, hints and the usage lines follow.
 */
#ifndef ATLAS_MODEL_OP_OP_H
#define ATLAS_MODEL_OP_OP_H

#include "model/op/program.h"

enum { OP_OPERANDS = 3 };

/* What must be declared. */
typedef enum {
    OP_NOUN_STREAM,
    OP_NOUN_EVENT,
    OP_NOUN_BUFFER,
    OP_NOUN_SCALAR,
    OP_NOUN_FLAG,
    OP_NOUNS
} OpNoun;

/* What an operand stands for. */
typedef enum {
    OP_NOTHING,
    OP_NEW_STREAM,
    OP_NEW_EVENT,
    OP_NEW_BUFFER,
    OP_NEW_SCALAR,
    OP_NEW_FLAG,
    OP_STREAM,
    OP_EVENT,
    OP_SCALAR,
    OP_FLAG,
    OP_GRAPH,
    OP_EXEC,
    OP_MEMORY,
    OP_STAGE,
    OP_KERNEL,
    OP_STREAM_KIND,
    OP_CAPTURE_MODE,
    OP_COPY_KIND,
    OP_SLOT_RULE,
    OP_EXACT,
    OP_ENTRIES,
    OP_RANGE,
    OP_AS,
    OP_LOOP,
    OP_DEPTH,
    OP_VERDICTS,
    OP_ANY_TEXT,
    OP_ROLES
} OpRole;

/* How an operand is read. Only the first four forms fill AtlasOp.operands. */
typedef enum {
    OP_FORM_DECLARE, /* a new name */
    OP_FORM_USE,     /* a name that needs a declaration */
    OP_FORM_NAME,    /* any name */
    OP_FORM_WORD,    /* one of the role's words */
    OP_FORM_FILLER,  /* the role's word, which carries no information */
    OP_FORM_RANGE,   /* a loop's range */
    OP_FORM_NUMBER,
    OP_FORM_TEXT /* the rest of the line */
} OpForm;

typedef struct {
    const char *shown; /* in usage lines: STREAM */
    const char *what;  /* in messages: stream */
    OpForm form;
    OpNoun noun; /* of OP_FORM_DECLARE and OP_FORM_USE */
    gboolean optional;
    const char *const *words; /* of OP_FORM_WORD; NULL-terminated */
} OpRoleRow;

/* What a line of an op may hold beside its operands, and rules for its place. */
enum {
    OP_THREAD = 1 << 0,
    OP_RESULT = 1 << 1,
    OP_COUNT = 1 << 2,
    OP_READS = 1 << 3,
    OP_WRITES = 1 << 4,
    OP_FRESH = 1 << 5,
    OP_ARGS = 1 << 6,
    OP_EVERY = 1 << 7,
    OP_OF = 1 << 8,
    OP_MUST_READ = 1 << 9,   /* r: must stand */
    OP_MUST_WRITE = 1 << 10, /* w: must stand */
    OP_ONCE = 1 << 11,       /* at most once in a program */
    OP_TOP = 1 << 12,        /* not inside step or loop */
    OP_COST = 1 << 13
};

typedef struct {
    const char *word;
    OpRole operands[OP_OPERANDS];
    guint takes;
    const char *call; /* the driver call it stands for; "" where it is none */
} OpRow;

/* An attribute, by the bit of `takes` that allows it. */
typedef struct {
    guint bit;
    const char *prefix; /* "r:"; "x" for the count */
    const char *shown;  /* in usage lines: r:BUFFERS */
} OpAttr;

enum { OP_ATTRS = 8 };

const OpRow *op_row(AtlasOpKind kind);
const OpRoleRow *op_role(OpRole role);

/* The attributes in the order in which they are written. */
const OpAttr *op_attr(guint index);

/* "stream", "event" … */
const char *op_noun(OpNoun noun);

/* True for x and digits: what reads as a count where one may stand. */
gboolean op_like_count(const char *word, gsize length);

#endif

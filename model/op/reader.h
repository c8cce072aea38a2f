/* The reader's parts: reader.c goes through lines and programs, line.c reads one op, attrs.c its
 * attributes, declared.c knows which names there are.
 *
 * Functions that read return FALSE where they reported an error. A line is left at its first error,
 * so that it has one; what it may have declared or opened is taken as declared or opened, so that
 * later lines have none that follow from it.
 */
#ifndef ATLAS_MODEL_OP_READER_H
#define ATLAS_MODEL_OP_READER_H

#include "model/op/op.h"

/* A piece of the source's text. */
typedef struct {
    const char *text;
    gsize length;
} Word;

/* An open step or loop. */
typedef struct {
    AtlasOpKind kind;
    AtlasSpan at;
    const char *loop; /* NULL for a step */
    gint64 first, last;
    gint64 times;      /* how often its body is performed in one pass through the program */
    gboolean doubtful; /* its line was faulty: any index may be its */
} Block;

/* A name that was declared or used. */
typedef struct {
    const char *name;
    AtlasSpan at;      /* the declaration */
    AtlasSpan used;    /* the first use, where that came before the declaration */
    gint64 parts;      /* of a buffer */
    gboolean declared; /* FALSE: only used, so far */
    gboolean doubtful; /* taken as declared after a fault */
} Name;

/* The names of one noun in one program. */
typedef struct {
    GHashTable *index; /* name -> place in list + 1 */
    GArray *list;      /* of Name, in order of appearance */
    guint mark;        /* length of list when the current line began */
    gboolean needed;   /* the program declares one: all must be declared */
    gboolean lost;     /* a declaration's name was unreadable: any name may be its */
} Names;

typedef struct {
    const AtlasSource *source;
    const char *text, *end, *cursor;
    AtlasDiags *diags;
    guint errors;
    gboolean muted; /* the line has its error */
    AtlasProgramFile *file;
    AtlasProgram *program; /* NULL outside of programs */
    gboolean ended;        /* an empty line was read since */
    gboolean skipping;     /* up to the next "# NAME": a line outside of programs was reported */
    gboolean carriage;     /* CR LF was reported */
    gboolean control;      /* so was a control character */
    GArray *words;         /* of Word: the current line's */
    guint next;            /* the word to read next */
    GArray *blocks;        /* of Block: the open ones */
    gboolean seen[ATLAS_OP_KINDS]; /* kinds that the program has */
    Names names[OP_NOUNS];
    guint64 effort;      /* left for looking up suggestions */
    GHashTable *kinds;   /* op word -> its kind */
    GPtrArray *op_words; /* all of them, NULL-terminated */
    GString *scratch;
    char shown[80]; /* a word as messages quote it */
} Reader;

/* The longest name and the longest line in bytes; names beyond it are refused, not cut. */
enum { NAME_LONGEST = 255, LINE_LONGEST = 1 << 20 };

/* reader.c */

/* Adds an error; TRUE where it was added, so that hints may follow. FALSE where the line has one
 * already. */
gboolean program_error(Reader *r, AtlasSpan at, const char *format, ...) G_GNUC_PRINTF(3, 4);

AtlasSpan program_span(const Reader *r, Word word);
AtlasSpan program_span_of_line(const Reader *r);

/* The word as messages quote it, cut where it is long; valid until the next call. */
const char *program_quote(Reader *r, Word word);

const char *program_intern(Reader *r, Word word);
gboolean program_word_is(Word word, const char *text);

/* Interns the words of the line that are left, with one space between them; NULL where none is. */
const char *program_take_rest(Reader *r);

/* line.c */

/* Reads the current line's words as an op of the current program. */
void program_line(Reader *r);

/* The next word of the line, NULL at its end or before "=>". */
const Word *program_peek(const Reader *r);

/* Reads a name; `what` is its noun in messages. */
gboolean program_name(Reader *r, Word word, const char *what, const char **name);

/* Reads a whole number from min to max; a minus sign is allowed where min is negative. */
gboolean program_number(Reader *r, Word word, gint64 min, gint64 max, const char *what,
                        gint64 *number);

/* Adds to the last error how a line of this kind looks. */
void program_hint_usage(Reader *r, AtlasOpKind kind);

/* How often the current line is performed in one pass. */
gint64 program_times(const Reader *r);

/* attrs.c */

/* Reads the attributes that follow the operands. */
gboolean program_attrs(Reader *r, AtlasOp *op);

/* declared.c */

void program_names_init(Reader *r);
void program_names_free(Reader *r);

/* Notes a declaration. */
gboolean program_declare(Reader *r, OpNoun noun, const char *name, AtlasSpan at);

/* Notes a use. Whether it was right is known, and reported, at the end of the program only. */
void program_use(Reader *r, OpNoun noun, const char *name, AtlasSpan at);

/* The name's entry; NULL where it was not declared yet, or only taken as declared. */
Name *program_declared(Reader *r, OpNoun noun, const char *name);

/* A line begins; it was faulty: forget what it used, and, where it may have been a declaration,
 * take all its words as declared. */
void program_names_line(Reader *r);
void program_names_fault(Reader *r, gboolean declares);

/* Ends a program: reports the names that were used without a declaration. */
void program_names_end(Reader *r);

#endif

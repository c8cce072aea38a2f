/* Lines of a stream, one after the other, in a buffer of fixed size whatever their length.
 *
 * A line that does not fit the buffer is given once, as far as it fits, with `overlong` set; the
 * rest of it is read over. Bytes may be anything; a line ends with LF or CRLF. One that does not
 * end within ATLAS_LINE_MAX bytes is a failed read: what is no text, as /dev/zero, may never end.
 *
 * Another kind of input is one struct that begins with an AtlasInput; file.h has those there are.
 */
#ifndef ATLAS_MODEL_MEASURE_LINES_H
#define ATLAS_MODEL_MEASURE_LINES_H

#include <glib.h>

#define ATLAS_LINE_MAX ((guint64)1 << 30)

/* Where the bytes come from. */
typedef struct AtlasInput AtlasInput;
struct AtlasInput {
    /* Stores up to `size` bytes, which is > 0; returns how many, 0 at the end, -1 on failure, with
     * errno set, or `fault` where errno has no word for it. */
    gssize (*read)(AtlasInput *input, char *into, gsize size);
    const char *fault;
};

typedef struct {
    const char *text; /* holds until the next line is asked for */
    gsize length;     /* without the line end */
    guint64 number;   /* from 1 */
    gboolean overlong;
    gboolean ended; /* FALSE: the input ends here without a line end */
} AtlasLine;

typedef struct AtlasLines AtlasLines;

/* The input is borrowed. `size` is that of the buffer, at least 1. */
AtlasLines *atlas_lines_new(AtlasInput *input, gsize size);
void atlas_lines_free(AtlasLines *lines);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasLines, atlas_lines_free)

/* Gives the next line; FALSE at the end, or where reading failed. */
gboolean atlas_lines_next(AtlasLines *lines, AtlasLine *line);

/* How many bytes of a text's beginning say only that it is UTF-8: 3 or 0. */
gsize atlas_lines_mark(const char *text, gsize length);

/* Why a read failed, else NULL. */
const char *atlas_lines_fault(const AtlasLines *lines);

#endif

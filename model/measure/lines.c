#include "model/measure/lines.h"

#include <errno.h>
#include <string.h>

struct AtlasLines {
    AtlasInput *input;
    char *buffer;
    gsize size;
    gsize start, end;  /* the bytes that are read but not given out yet */
    guint64 number;    /* of the last line given */
    gboolean rest;     /* the rest of an overlong line is still to be read over */
    const char *fault; /* of a failed read */
};

AtlasLines *atlas_lines_new(AtlasInput *input, gsize size) {
    g_assert(size > 0);
    AtlasLines *lines = g_new0(AtlasLines, 1);
    lines->input = input;
    lines->buffer = g_malloc(size);
    lines->size = size;
    return lines;
}

void atlas_lines_free(AtlasLines *lines) {
    if (!lines)
        return;
    g_free(lines->buffer);
    g_free(lines);
}

gsize atlas_lines_mark(const char *text, gsize length) {
    return length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

const char *atlas_lines_fault(const AtlasLines *lines) {
    return lines->fault;
}

/* Reads more behind the bytes that are there, which move to the front. */
static gboolean fill(AtlasLines *lines) {
    if (lines->fault)
        return FALSE;
    if (lines->start > 0) {
        memmove(lines->buffer, lines->buffer + lines->start, lines->end - lines->start);
        lines->end -= lines->start;
        lines->start = 0;
    }
    gssize got =
        lines->input->read(lines->input, lines->buffer + lines->end, lines->size - lines->end);
    if (got < 0)
        lines->fault = lines->input->fault ? lines->input->fault : g_strerror(errno ? errno : EIO);
    else
        lines->end += (gsize)got;
    return got > 0;
}

static gboolean read_over_rest(AtlasLines *lines) {
    for (guint64 over = 0;; over += lines->end - lines->start) {
        const char *from = lines->buffer + lines->start;
        const char *newline = memchr(from, '\n', lines->end - lines->start);
        if (newline) {
            lines->start += (gsize)(newline - from) + 1;
            lines->rest = FALSE;
            return TRUE;
        }
        lines->start = lines->end;
        if (over > ATLAS_LINE_MAX)
            lines->fault = "a line does not end within 1 GiB: this is no text";
        if (!fill(lines))
            return FALSE;
    }
}

/* Gives out the first `length` bytes, and the LF behind them where the line has `ended`. */
static gboolean give(AtlasLines *lines, AtlasLine *line, gsize length, gboolean ended) {
    *line = (AtlasLine){
        .text = lines->buffer + lines->start,
        .length = length,
        .number = ++lines->number,
        .overlong = lines->rest,
        .ended = ended,
    };
    if (length > 0 && line->text[length - 1] == '\r')
        line->length--;
    lines->start += length + ended;
    return TRUE;
}

gboolean atlas_lines_next(AtlasLines *lines, AtlasLine *line) {
    if (lines->rest && !read_over_rest(lines))
        return FALSE;
    for (gsize searched = 0;;) {
        const char *from = lines->buffer + lines->start;
        gsize there = lines->end - lines->start;
        const char *newline = memchr(from + searched, '\n', there - searched);
        if (newline)
            return give(lines, line, (gsize)(newline - from), TRUE);
        if (there == lines->size) {
            lines->rest = TRUE;
            return give(lines, line, there, FALSE);
        }
        searched = there;
        if (!fill(lines)) /* what stands before a failed read may be half a line */
            return there > 0 && !lines->fault && give(lines, line, there, FALSE);
    }
}

#include "model/measure/feed.h"

#include <errno.h>
#include <string.h>

enum { FIRST_SIZE = 1 << 18 };

struct AtlasFeed {
    AtlasInput *input;
    char *bytes;
    gsize size, start, end;
    guint64 lines;  /* line ends before bytes[0] */
    guint64 column; /* bytes between the last of them and bytes[0] */
    const char *fault;
    gboolean ended;
};

AtlasFeed *atlas_feed_new(AtlasInput *input) {
    AtlasFeed *f = g_new0(AtlasFeed, 1);
    f->input = input;
    f->size = FIRST_SIZE;
    f->bytes = g_malloc(f->size);
    return f;
}

void atlas_feed_free(AtlasFeed *f) {
    if (!f)
        return;
    g_free(f->bytes);
    g_free(f);
}

const char *atlas_feed_text(const AtlasFeed *f, gsize *length) {
    *length = f->end - f->start;
    return f->bytes + f->start;
}

const char *atlas_feed_fault(const AtlasFeed *f) {
    return f->fault;
}

/* Adds the line ends of `length` bytes from bytes[0], and what is behind the last. */
static void count_lines(const AtlasFeed *f, gsize length, guint64 *lines, guint64 *column) {
    const char *p = f->bytes, *end = p + length, *last = p;
    guint64 ends = 0;
    for (; (p = memchr(p, '\n', (gsize)(end - p))); last = ++p)
        ends++;
    *lines = f->lines + ends;
    *column = (guint64)(end - last) + (ends > 0 ? 0 : f->column);
}

/* What was taken makes room. */
static void drop_taken(AtlasFeed *f) {
    count_lines(f, f->start, &f->lines, &f->column);
    memmove(f->bytes, f->bytes + f->start, f->end - f->start);
    f->end -= f->start;
    f->start = 0;
}

AtlasFeedMore atlas_feed_more(AtlasFeed *f) {
    if (f->fault || f->ended)
        return f->fault ? ATLAS_FEED_FAULT : ATLAS_FEED_END;
    if (f->start > 0)
        drop_taken(f);
    if (f->end == f->size) {
        if (f->size == ATLAS_FEED_MAX)
            return ATLAS_FEED_FULL;
        f->size *= 2;
        f->bytes = g_realloc(f->bytes, f->size);
    }
    gsize before = f->end;
    gssize got;
    do {
        errno = 0;
        got = f->input->read(f->input, f->bytes + f->end, f->size - f->end);
        f->end += got > 0 ? (gsize)got : 0;
    } while (got > 0 && f->end < f->size);
    if (got < 0)
        f->fault = f->input->fault ? f->input->fault : g_strerror(errno ? errno : EIO);
    f->ended = got == 0;
    return f->end > before ? ATLAS_FEED_MORE : got < 0 ? ATLAS_FEED_FAULT : ATLAS_FEED_END;
}

void atlas_feed_take(AtlasFeed *f, const char *upto) {
    f->start = (gsize)(upto - f->bytes);
}

AtlasPlace atlas_feed_place(const AtlasFeed *f, const char *at) {
    AtlasPlace place;
    count_lines(f, (gsize)(at - f->bytes), &place.line, &place.column);
    return (AtlasPlace){place.line + 1, place.column + 1};
}

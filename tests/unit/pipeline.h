/* The launch pipeline, for tests and benchmarks: launches are dealt to streams in turn, a stream
 * holds so many of them, and the host reads the counter late after each quarter and exactly at the
 * end. */
#ifndef ATLAS_TESTS_UNIT_PIPELINE_H
#define ATLAS_TESTS_UNIT_PIPELINE_H

#include <glib.h>

typedef struct {
    guint launches, streams, depth;
    gboolean slot; /* places are free when launches start */
} Pipe;

/* As a program's text. The caller frees it. */
static inline char *pipe_text(Pipe p) {
    GString *out = g_string_new(NULL);
    g_string_append_printf(out, "# pipeline of %u launches, %u streams, depth %u%s\n", p.launches,
                           p.streams, p.depth, p.slot ? ", free at start" : "");
    g_string_append_printf(out, "expect deadlock=no race=no\ndepth %u\n%s", p.depth,
                           p.slot ? "slot start\n" : "");
    for (guint s = 0; s < p.streams; s++)
        g_string_append_printf(out, "stream s%u nonblocking\n", s);
    for (guint i = 0; i < p.launches; i++)
        g_string_append_printf(out, "launch s%u k\n%s", i % p.streams,
                               (i + 1) % (p.launches / 4) == 0 ? "counter_read\n" : "");
    g_string_append(out, "sync_ctx\ncounter_read exact\n");
    return g_string_free(out, FALSE);
}

#endif

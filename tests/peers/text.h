/* Writing a model's text. Internal to murphi.c and promela.c. */
#ifndef ATLAS_TESTS_PEERS_TEXT_H
#define ATLAS_TESTS_PEERS_TEXT_H

#include "tests/peers/peer.h"

#define D "%" G_GINT64_FORMAT

typedef struct {
    const PeerModel *model;
    PeerClaim claim;
    GString *out;
} Writer;

static inline void say(const Writer *w, const char *format, ...) G_GNUC_PRINTF(2, 3);
static inline void say(const Writer *w, const char *format, ...) {
    va_list values;
    va_start(values, format);
    g_string_append_vprintf(w->out, format, values);
    va_end(values);
}

/* The line of an op, for whoever reads the model. */
static inline void say_op(const Writer *w, guint op) {
    g_autoptr(GString) text = g_string_new(NULL);
    atlas_op_write_call(&g_array_index(w->model->program->ops, AtlasOp, op), text);
    say(w, "%s", text->str);
}

/* Whether a reading may lag so far only. */
static inline gboolean has_bound(const Writer *w, guint reading) {
    return w->claim.bounds && w->claim.bounds[reading] != PEER_ANY;
}

#endif

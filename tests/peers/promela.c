/* A model as Promela processes: peer.h says how it differs from the Murphi rules. */
#include "tests/peers/text.h"

static void say_comment(const Writer *w, guint op) {
    say(w, "  /* ");
    say_op(w, op);
    say(w, " */\n");
}

/* ---- accesses ---- */

/* That nothing conflicts with an access now. */
static void say_alone(const Writer *w, const PeerUse *use) {
    for (guint i = 0; i < w->model->cells->len; i++) {
        PeerUse other = {i, TRUE};
        if (!peer_conflict(w->model, use, &other))
            continue;
        say(w, " assert(writers[%u] == 0);", i);
        if (use->write)
            say(w, " assert(readers[%u] == 0);", i);
    }
}

static void say_begin(const Writer *w, const GArray *uses) {
    for (guint i = 0; uses && i < uses->len && w->claim.race; i++)
        say_alone(w, &g_array_index(uses, PeerUse, i));
    for (guint i = 0; uses && i < uses->len; i++) {
        const PeerUse *use = &g_array_index(uses, PeerUse, i);
        say(w, " %s[%u]++;", use->write ? "writers" : "readers", use->cell);
    }
}

static void say_end(const Writer *w, const GArray *uses) {
    for (guint i = 0; uses && i < uses->len; i++) {
        const PeerUse *use = &g_array_index(uses, PeerUse, i);
        say(w, " %s[%u]--;", use->write ? "writers" : "readers", use->cell);
    }
}

/* ---- streams ---- */

static void say_waits(const Writer *w, const PeerTask *t) {
    for (guint i = 0; t->behind && i < t->behind->len; i++)
        say(w, "  marked[%u];\n", g_array_index(t->behind, guint, i));
    if (t->wait)
        say(w, "  marked[bound[%u]];\n", t->wait);
    if (t->awaits)
        say(w, "  flag[%u];\n", t->awaits);
}

static void say_task(const Writer *w, guint number, guint nth) {
    const PeerModel *m = w->model;
    const PeerTask *t = peer_task(m, number);
    gboolean bounded = t->frees && m->depth > 0;
    say_comment(w, t->op);
    say(w, "  given[%u] > %u;\n", t->stream, nth);
    say_waits(w, t);
    if (m->starts || (t->uses && t->uses->len)) {
        say(w, "  d_step { skip;");
        say_begin(w, t->uses);
        if (bounded && m->slot)
            say(w, " held[%u]--;", t->stream);
        say(w, " };\n");
    }
    say(w, "  d_step { ended[%u]++;", t->stream);
    say_end(w, t->uses);
    if (bounded && !m->slot)
        say(w, " held[%u]--;", t->stream);
    if (t->kernel)
        say(w, " counter++;");
    if (t->mark)
        say(w, " marked[%u] = true;", t->mark);
    if (t->sets)
        say(w, " flag[%u] = true;", t->sets);
    say(w, " };\n");
}

/* ---- the host ---- */

static void say_give(const Writer *w, const PeerCall *c) {
    const PeerTask *t = peer_task(w->model, c->task);
    if (c->takes && w->model->depth)
        say(w, "  d_step { held[%u] < " D " -> held[%u]++;", t->stream, w->model->depth, t->stream);
    else
        say(w, "  d_step { skip;");
    if (t->kernel)
        say(w, " launched++;");
    if (c->event && t->wait)
        say(w, " bound[%u] = event[%u];", t->wait, c->event - 1);
    else if (c->event)
        say(w, " event[%u] = %u;", c->event - 1, t->mark);
    say(w, " given[%u]++ };\n", t->stream);
}

static void say_syncs(const Writer *w, const GArray *syncs) {
    for (guint i = 0; syncs && i < syncs->len; i++) {
        const PeerSync *sync = &g_array_index(syncs, PeerSync, i);
        if (sync->event)
            say(w, "  marked[event[%u]];\n", sync->which);
        else
            say(w, "  ended[%u] == given[%u];\n", sync->which, sync->which);
    }
}

static void say_call(const Writer *w, const PeerCall *c) {
    say_syncs(w, c->syncs);
    if (c->act != PEER_END)
        say_comment(w, c->op);
    if (c->awaits)
        say(w, "  flag[%u];\n", c->awaits);
    if (c->act == PEER_GIVE)
        say_give(w, c);
    if (c->sets)
        say(w, "  flag[%u] = true;\n", c->sets);
    if (c->act == PEER_ACCESS && c->uses->len) {
        say(w, "  d_step { skip;");
        say_begin(w, c->uses);
        say(w, " };\n  d_step { skip;");
        say_end(w, c->uses);
        say(w, " };\n");
    }
    if (c->act == PEER_READ && has_bound(w, c->reading))
        say(w, "  assert(launched - counter <= " D ");\n", w->claim.bounds[c->reading]);
}

/* ---- the whole ---- */

static void say_variables(const Writer *w) {
    const PeerModel *m = w->model;
    guint streams = MAX(m->streams, 1), cells = MAX(m->cells->len, 1);
    say(w, "short given[%u], ended[%u], held[%u], launched, counter;\n", streams, streams, streams);
    say(w, "bool marked[%u], flag[%u];\nshort event[%u], bound[%u];\n", m->marks + 1, m->flags + 1,
        MAX(m->events, 1), m->waits + 1);
    say(w, "byte readers[%u], writers[%u];\n", cells, cells);
}

char *peer_promela(const PeerModel *model, PeerClaim claim) {
    Writer w = {model, claim, g_string_new(NULL)};
    say(&w, "/* %s */\n", model->program->name);
    say_variables(&w);
    say(&w, "proctype host() {\n%s", model->calls->len ? "" : "  skip;\n");
    for (guint i = 0; i < model->calls->len; i++)
        say_call(&w, peer_call(model, i));
    say(&w, "}\n");
    for (guint s = 0; s < model->streams; s++) {
        say(&w, "proctype stream%u() {\n%s", s, peer_queue(model, s)->len ? "" : "  skip;\n");
        for (guint i = 0; i < peer_queue(model, s)->len; i++)
            say_task(&w, g_array_index(peer_queue(model, s), guint, i), i);
        say(&w, "}\n");
    }
    say(&w, "init {\n  atomic {\n    marked[0] = true;\n    run host();\n");
    for (guint s = 0; s < model->streams; s++)
        say(&w, "    run stream%u();\n", s);
    say(&w, "  }\n}\n");
    return g_string_free(w.out, FALSE);
}

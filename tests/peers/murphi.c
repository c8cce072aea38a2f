/* A model as Murphi rules: peer.h says what its states are. */
#include "tests/peers/text.h"

/* ---- conditions ---- */

/* That a task, the nth of its stream, is under way or could be. */
static void say_active(const Writer *w, guint number, guint nth) {
    const PeerTask *t = peer_task(w->model, number);
    say(w, "ended[%u] = %u & given[%u] > %u", t->stream, nth, t->stream, nth);
    if (w->model->starts)
        say(w, " & (busy[%u] | true", t->stream);
    for (guint i = 0; t->behind && i < t->behind->len; i++)
        say(w, " & marked[%u]", g_array_index(t->behind, guint, i));
    if (t->wait)
        say(w, " & marked[bound[%u]]", t->wait);
    if (t->awaits)
        say(w, " & flag[%u]", t->awaits);
    say(w, "%s", w->model->starts ? ")" : "");
}

/* That the host can make a call. */
static void say_callable(const Writer *w, guint number) {
    const PeerCall *c = peer_call(w->model, number);
    say(w, "at = %u", number);
    for (guint i = 0; c->syncs && i < c->syncs->len; i++) {
        const PeerSync *sync = &g_array_index(c->syncs, PeerSync, i);
        if (sync->event)
            say(w, " & marked[event[%u]]", sync->which);
        else
            say(w, " & ended[%u] = given[%u]", sync->which, sync->which);
    }
    if (c->awaits)
        say(w, " & flag[%u]", c->awaits);
    if (c->takes && w->model->depth)
        say(w, " & held[%u] < " D, peer_task(w->model, c->task)->stream, w->model->depth);
}

/* ---- rules ---- */

static void say_give(const Writer *w, const PeerCall *c) {
    const PeerTask *t = peer_task(w->model, c->task);
    say(w, "  given[%u] := given[%u] + 1;\n", t->stream, t->stream);
    if (c->takes && w->model->depth)
        say(w, "  held[%u] := held[%u] + 1;\n", t->stream, t->stream);
    if (t->kernel)
        say(w, "  launched := launched + 1;\n");
    if (c->event && t->wait)
        say(w, "  bound[%u] := event[%u];\n", t->wait, c->event - 1);
    else if (c->event)
        say(w, "  event[%u] := %u;\n", c->event - 1, t->mark);
}

/* Behind the last read nobody asks what it was. */
static gboolean is_last_read(const PeerModel *m, guint number) {
    for (guint i = number + 1; i < m->calls->len; i++)
        if (peer_call(m, i)->act == PEER_READ)
            return FALSE;
    return TRUE;
}

static void say_read(const Writer *w, guint number) {
    guint reading = peer_call(w->model, number)->reading;
    if (has_bound(w, reading))
        say(w, "  assert launched - counter <= " D ";\n", w->claim.bounds[reading]);
    say(w, "  reading := %s;\n", is_last_read(w->model, number) ? "0" : "counter");
}

static void say_call(const Writer *w, guint number) {
    const PeerCall *c = peer_call(w->model, number);
    say(w, "rule \"host %u", number);
    if (c->act != PEER_END) {
        say(w, ": ");
        say_op(w, c->op);
    }
    say(w, "\"\n  ");
    say_callable(w, number);
    say(w, "\n==>\n");
    if (c->act == PEER_GIVE)
        say_give(w, c);
    if (c->act == PEER_READ)
        say_read(w, number);
    if (c->sets)
        say(w, "  flag[%u] := true;\n", c->sets);
    say(w, "  at := %u;\nend;\n", number + 1);
}

static void say_end(const Writer *w, const PeerTask *t, guint nth) {
    say(w, "  ended[%u] := %u;\n", t->stream, nth + 1);
    if (t->frees && !w->model->slot && w->model->depth)
        say(w, "  held[%u] := held[%u] - 1;\n", t->stream, t->stream);
    if (t->kernel)
        say(w, "  counter := counter + 1;\n");
    if (t->mark)
        say(w, "  marked[%u] := true;\n", t->mark);
    if (t->sets)
        say(w, "  flag[%u] := true;\n", t->sets);
}

static void say_task(const Writer *w, guint number, guint nth) {
    const PeerTask *t = peer_task(w->model, number);
    say(w, "rule \"stream %u, task %u: ", t->stream, nth);
    say_op(w, t->op);
    say(w, "\"\n  ");
    say_active(w, number, nth);
    if (!w->model->starts) {
        say(w, "\n==>\n");
        say_end(w, t, nth);
        say(w, "end;\n");
        return;
    }
    say(w, "\n==>\n  if busy[%u] then\n  busy[%u] := false;\n", t->stream, t->stream);
    say_end(w, t, nth);
    say(w, "  else\n  busy[%u] := true;\n", t->stream);
    if (t->frees && w->model->slot && w->model->depth)
        say(w, "  held[%u] := held[%u] - 1;\n", t->stream, t->stream);
    say(w, "  end;\nend;\n");
}

/* ---- races ---- */

static gboolean clash(const PeerModel *m, const GArray *a, const GArray *b) {
    for (guint i = 0; a && b && i < a->len; i++)
        for (guint j = 0; j < b->len; j++)
            if (peer_conflict(m, &g_array_index(a, PeerUse, i), &g_array_index(b, PeerUse, j)))
                return TRUE;
    return FALSE;
}

/* The place of a task in its stream. */
static guint nth_of(const PeerModel *m, guint number) {
    const GArray *queue = peer_queue(m, peer_task(m, number)->stream);
    guint i = 0;
    while (g_array_index(queue, guint, i) != number)
        i++;
    return i;
}

static void say_races(const Writer *w) {
    const PeerModel *m = w->model;
    for (guint a = 0; a < m->tasks->len; a++) {
        const PeerTask *t = peer_task(m, a);
        for (guint b = a + 1; b < m->tasks->len; b++) {
            if (peer_task(m, b)->stream == t->stream || !clash(m, t->uses, peer_task(m, b)->uses))
                continue;
            say(w, "invariant \"race of tasks %u and %u\"\n  !(", a, b);
            say_active(w, a, nth_of(m, a));
            say(w, " & ");
            say_active(w, b, nth_of(m, b));
            say(w, ");\n");
        }
        for (guint c = 0; c < m->calls->len; c++) {
            if (!clash(m, t->uses, peer_call(m, c)->uses))
                continue;
            say(w, "invariant \"race of task %u and call %u\"\n  !(", a, c);
            say_active(w, a, nth_of(m, a));
            say(w, " & ");
            say_callable(w, c);
            say(w, ");\n");
        }
    }
}

/* ---- the whole ---- */

static void say_variables(const Writer *w) {
    const PeerModel *m = w->model;
    guint streams = MAX(m->streams, 1), tasks = m->tasks->len, events = MAX(m->events, 1);
    say(w, "var\n  at: 0..%u;\n  given, ended: array [0..%u] of 0..%u;\n", m->calls->len,
        streams - 1, tasks);
    if (m->starts)
        say(w, "  busy: array [0..%u] of boolean;\n", streams - 1);
    if (m->depth)
        say(w, "  held: array [0..%u] of 0.." D ";\n", streams - 1, m->depth);
    say(w, "  marked: array [0..%u] of boolean;\n  event: array [0..%u] of 0..%u;\n", m->marks,
        events - 1, m->marks);
    say(w, "  bound: array [0..%u] of 0..%u;\n  flag: array [0..%u] of boolean;\n", m->waits,
        m->marks, m->flags);
    say(w, "  launched, counter, reading: 0.." D ";\n", m->kernels);
    say(w, "startstate\n  clear at; clear given; clear ended; clear marked; clear event; "
           "clear bound; clear flag;\n  clear launched; clear counter; clear reading;\n");
    say(w, "%s%s  marked[0] := true;\nend;\n", m->starts ? "  clear busy;\n" : "",
        m->depth ? "  clear held;\n" : "");
}

/* A program that is over may stay so: that is no deadlock. */
static void say_over(const Writer *w) {
    say(w, "rule \"over\"\n  at = %u", w->model->calls->len);
    for (guint i = 0; i < w->model->streams; i++)
        say(w, " & ended[%u] = given[%u]", i, i);
    say(w, "\n==>\n  at := at;\nend;\n");
}

char *peer_murphi(const PeerModel *model, PeerClaim claim) {
    Writer w = {model, claim, g_string_new(NULL)};
    say(&w, "-- %s\n", model->program->name);
    say_variables(&w);
    for (guint i = 0; i < model->calls->len; i++)
        say_call(&w, i);
    for (guint s = 0; s < model->streams; s++)
        for (guint i = 0; i < peer_queue(model, s)->len; i++)
            say_task(&w, g_array_index(peer_queue(model, s), guint, i), i);
    say_over(&w);
    if (claim.race)
        say_races(&w);
    return g_string_free(w.out, FALSE);
}

#include "model/proof/search_path.h"

#include "model/proof/search_walk.h"
#include "model/proof/unroll.h"

/* A way that is being told. */
typedef struct {
    const Search *s;
    GArray *all;      /* of AtlasWhen: all performances, in the order of the program */
    guint next;       /* of `all`: what the host performs next */
    AtlasWhen now;    /* what it performed last */
    guint instance;   /* of the call that did */
    GPtrArray *whens; /* of GArray of AtlasWhen: by stream, of each task */
    GArray *events;   /* of AtlasScheduleEvent */
    gboolean too_long;
} Way;

/* ---- back ---- */

/* Goes back by one field's step, if the state before it was seen. */
static gboolean came_by(const Search *s, guint64 *state, guint field) {
    Field f = s->fields[field];
    guint64 one = G_GUINT64_CONSTANT(1) << f.shift;
    if (!(state[f.word] >> f.shift & f.mask))
        return FALSE;
    state[f.word] -= one;
    if (search_table_has(s->seen, state))
        return TRUE;
    state[f.word] += one;
    return FALSE;
}

/* The fields that grew on the way to a state, the last first. */
static GArray *way_back(Search *s, const guint64 *to) {
    GArray *fields = g_array_new(FALSE, FALSE, sizeof(guint));
    g_autofree guint64 *state = g_memdup2(to, s->words * sizeof(guint64));
    for (guint field = 0; field <= s->streams; field++) {
        if (!came_by(s, state, field))
            continue;
        g_array_append_val(fields, field);
        field = G_MAXUINT; /* from the first one again */
    }
    return fields;
}

/* ---- forth ---- */

static const AtlasOp *op_at(const Way *w, guint op) {
    return &g_array_index(w->s->model->program->ops, AtlasOp, op);
}

static void write(Way *w, gboolean complete, AtlasWhen when) {
    AtlasScheduleEvent event = {complete, when, 1}, *last = NULL;
    if (w->events->len)
        last = &g_array_index(w->events, AtlasScheduleEvent, w->events->len - 1);
    w->too_long |= w->events->len >= ATLAS_SCHEDULE_MAX;
    if (complete && last && last->complete && last->when.op == when.op &&
        last->when.nth == when.nth)
        last->count++;
    else if (!w->too_long)
        g_array_append_val(w->events, event);
}

/* Declarations and comments are no part of a schedule. */
static gboolean is_told(AtlasOpKind kind) {
    return kind == ATLAS_OP_STAGE || kind > ATLAS_OP_FLAG;
}

/* The host performs all up to an op, or all but that. */
static void perform_until(Way *w, guint op, gboolean itself) {
    while (w->next < w->all->len) {
        AtlasWhen when = g_array_index(w->all, AtlasWhen, w->next);
        if (when.op == op && !itself)
            return;
        w->next++;
        w->now = when;
        if (is_told(op_at(w, when.op)->kind))
            write(w, FALSE, when);
        if (when.op == op)
            return;
    }
}

static GArray *whens_of(const Way *w, guint stream) {
    return w->whens->pdata[stream];
}

static void call(Way *w, guint number) {
    const SearchCall *c = &g_array_index(w->s->model->calls, SearchCall, number);
    if (c->op == ATLAS_PROOF_NO_OP)
        return;
    if (c->instance != w->instance)
        perform_until(w, c->op, TRUE);
    w->instance = c->instance;
    if (c->act == SEARCH_ENQUEUE)
        g_array_append_val(whens_of(w, c->stream), w->now);
}

/* When a task was called. */
static AtlasWhen when_of(const Way *w, guint stream, guint task) {
    return g_array_index(whens_of(w, stream), AtlasWhen, task);
}

/* Of a graph its end is told; records and waits are not. */
static void end_task(Way *w, guint stream, guint task) {
    AtlasWhen when = when_of(w, stream, task);
    guint op = search_task(w->s->model, stream, task)->op;
    AtlasOpKind kind = op_at(w, op)->kind;
    gboolean begins =
        kind == ATLAS_OP_GRAPH_LAUNCH && (task == 0 || when_of(w, stream, task - 1).op != when.op ||
                                          when_of(w, stream, task - 1).nth != when.nth);
    if (op == when.op && !begins && kind != ATLAS_OP_RECORD && kind != ATLAS_OP_RECORD_EXTERNAL &&
        kind != ATLAS_OP_WAIT && kind != ATLAS_OP_WAIT_EXTERNAL)
        write(w, TRUE, when);
}

/* Follows the fields that grew, the last first. */
static void follow(Way *w, const GArray *fields) {
    g_autofree guint *value = g_new0(guint, w->s->streams + 1);
    guint unit = w->s->model->unit;
    for (guint i = fields->len; i-- > 0;) {
        guint field = g_array_index(fields, guint, i), before = value[field]++;
        if (field == host_field(w->s))
            call(w, before);
        else if (value[field] % unit == 0)
            end_task(w, field, before / unit);
    }
}

/* ---- what it shows ---- */

/* The first of the streams, but one, whose next task is of an op and can run; the host's field. */
static guint find_active(const Search *s, guint op, guint but) {
    for (guint i = 0; i < s->streams; i++)
        if (i != but && search_is_active(s, i) &&
            search_task(s->model, i, s->value[i] / s->model->unit)->op == op)
            return i;
    return host_field(s);
}

static AtlasWhen when_active(Way *w, guint field, guint op) {
    if (field == host_field(w->s)) {
        perform_until(w, op, TRUE);
        return w->now;
    }
    AtlasWhen when = when_of(w, field, w->s->value[field] / w->s->model->unit);
    when.op = op; /* of what a graph holds: the node */
    return when;
}

static gboolean comes_first(AtlasWhen a, AtlasWhen b) {
    return a.op == b.op ? a.nth < b.nth : a.op < b.op;
}

static void show_race(Way *w, SearchPath *path) {
    const SearchRace *race = &g_array_index(w->s->result->races, SearchRace, 0);
    guint one = find_active(w->s, race->ops[0], G_MAXUINT);
    guint other = find_active(w->s, race->ops[1], one);
    AtlasWhen a = when_active(w, one, race->ops[0]), b = when_active(w, other, race->ops[1]);
    path->at[0] = comes_first(b, a) ? b : a;
    path->at[1] = comes_first(b, a) ? a : b;
    path->ats = 2;
}

static gboolean waits(AtlasOpKind kind) {
    return kind == ATLAS_OP_SYNC_STREAM || kind == ATLAS_OP_SYNC_EVENT ||
           kind == ATLAS_OP_SYNC_CTX || kind == ATLAS_OP_HOST_FLAG_WAIT;
}

/* What the host waits in before a call: a sync or the like, else the call itself. */
static AtlasWhen host_stuck(Way *w, const SearchCall *c) {
    if (c->instance == w->instance)
        return w->now;
    for (guint i = w->next; i < w->all->len; i++) {
        AtlasWhen when = g_array_index(w->all, AtlasWhen, i);
        if (!waits(op_at(w, when.op)->kind) && when.op != c->op)
            continue;
        perform_until(w, when.op, FALSE);
        return when;
    }
    return w->now;
}

/* The host, where it cannot go on; else the first task that cannot run. */
static void show_stuck(Way *w, SearchPath *path) {
    const Search *s = w->s;
    const GArray *calls = s->model->calls;
    guint call = s->value[host_field(s)];
    path->ats = 1;
    if (call < calls->len)
        path->at[0] = host_stuck(w, &g_array_index(calls, SearchCall, call));
    else
        path->at[0].op = ATLAS_PROOF_NO_OP;
    for (guint i = 0; call == calls->len && i < s->streams; i++) {
        guint task = s->value[i] / s->model->unit;
        if (task < whens_of(w, i)->len && comes_first(when_of(w, i, task), path->at[0]))
            path->at[0] = when_of(w, i, task);
    }
}

static void show(Way *w, const SearchGoal *goal, SearchPath *path) {
    search_unpack(w->s, w->s->hit, w->s->value);
    if (goal->shows == SEARCH_SHOWS_RACE) {
        show_race(w, path);
    } else if (goal->shows == SEARCH_SHOWS_DEADLOCK) {
        show_stuck(w, path);
    } else {
        perform_until(w, goal->op, TRUE);
        path->at[0] = w->now;
        path->ats = 1;
    }
}

static void tell(Search *s, const SearchGoal *goal, SearchPath *path) {
    Unroll unroll;
    Way w = {.s = s, .now = {ATLAS_PROOF_NO_OP, 0, 0}};
    g_autoptr(GArray) fields = way_back(s, s->hit);
    unroll_init(&unroll, s->model->program);
    w.all = unroll_all(&unroll, 1, SEARCH_TASKS_MAX);
    w.events = g_array_new(FALSE, FALSE, sizeof(AtlasScheduleEvent));
    w.whens = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    for (guint i = 0; i < s->streams; i++)
        g_ptr_array_add(w.whens, g_array_new(FALSE, FALSE, sizeof(AtlasWhen)));
    if (w.all) {
        follow(&w, fields);
        show(&w, goal, path);
        path->schedule = w.too_long ? NULL : g_array_ref(w.events);
        g_array_unref(w.all);
    }
    g_array_unref(w.events);
    g_ptr_array_unref(w.whens);
    unroll_clear(&unroll);
}

SearchPath search_path(const AtlasProgram *program, gint64 depth, guint64 max_states,
                       const SearchGoal *goal) {
    SearchOptions options = {.depth = depth, .max_states = max_states};
    g_autoptr(SearchResult) result = g_new0(SearchResult, 1);
    SearchPath path = {0};
    Search s;
    if (search_open(&s, program, &options, result)) {
        s.goal = goal;
        search_explore(&s);
        if (s.hit)
            tell(&s, goal, &path);
    }
    search_close(&s);
    return path;
}

#include "model/proof/legal.h"

#include "model/proof/legal_threads.h"
#include "model/proof/search_table.h"
#include "model/machine/machine.h"

/* How a state was reached. */
typedef struct {
    guint from;          /* a state; its own number: the first one */
    guint thread, place; /* what was performed there; thread FLOW_NONE: nothing */
} Origin;

typedef struct {
    const Flow *flow;
    const AtlasScript *script;
    LegalThreads threads;
    LegalOptions options;
    guint words;
    GArray *origins; /* of Origin, of all states */
    SearchTable *seen;
    GPtrArray *now, *next; /* of AtlasMachine: states of the driver, at one distance */
    GArray *at, *at_next;  /* of guint: their number, then the place of each thread */
    Legal legal;
} Search;

guint legal_opening(const AtlasProgram *program) {
    guint i = 0;
    while (i < program->ops->len) {
        const AtlasOp *op = &g_array_index(program->ops, AtlasOp, i);
        gboolean opens = op->kind >= ATLAS_OP_COMMENT && op->kind <= ATLAS_OP_FLAG;
        if (!opens || op->thread > 1)
            break;
        i++;
    }
    return i;
}

/* ---- states ---- */

static guint *places(GArray *at, const Search *s, guint i) {
    return &g_array_index(at, guint, (gsize)i * (s->threads.count + 1)) + 1;
}

/* Adds a state; takes the machine over. FALSE: it was seen. */
static gboolean add_state(Search *s, AtlasMachine *machine, const guint *place, Origin origin) {
    guint64 key[SEARCH_WORDS_MAX] = {SEARCH_STATE_BIT};
    for (guint t = 0; t < s->threads.count; t++)
        key[t / 3] |= (guint64)place[t] << (t % 3 * 20);
    key[s->words - 1] = atlas_machine_hash(machine, ATLAS_HASH_BY_NAME);
    if (!search_table_add(s->seen, key, search_table_hash(s->seen, key))) {
        atlas_machine_free(machine);
        return FALSE;
    }
    guint number = s->origins->len;
    if (origin.from == FLOW_NONE)
        origin.from = number;
    g_array_append_val(s->origins, origin);
    g_array_append_val(s->at_next, number);
    g_array_append_vals(s->at_next, place, s->threads.count);
    g_ptr_array_add(s->next, machine);
    return TRUE;
}

/* ---- refutations ---- */

/* Numbers the steps of a schedule: a thread that comes back to an earlier place is a lap further. */
static void count_laps(const Search *s, GArray *schedule, const GArray *path) {
    const LegalThreads *t = &s->threads;
    g_autofree guint64 *laps = g_new0(guint64, t->count);
    for (guint i = 0; i < path->len; i++) {
        const Origin *o = &g_array_index(path, Origin, i);
        g_array_index(schedule, AtlasScheduleEvent, i).when.step += laps[o->thread] * t->lap;
        laps[o->thread] += legal_next(t, o->thread, o->place) <= o->place;
    }
}

/* The calls that lead to a state, then the one that fails. */
static void refute(Search *s, guint state, Origin last, const AtlasAnswer *answer) {
    g_autoptr(GArray) path = g_array_new(FALSE, FALSE, sizeof(Origin));
    for (Origin o = last; o.thread != FLOW_NONE;
         o = g_array_index(s->origins, Origin, state), state = o.from)
        g_array_append_val(path, o);
    for (guint i = 0, j = path->len; i + 1 < j; i++, j--) {
        Origin o = g_array_index(path, Origin, i);
        g_array_index(path, Origin, i) = g_array_index(path, Origin, j - 1);
        g_array_index(path, Origin, j - 1) = o;
    }
    s->legal.verdict = LEGAL_NO;
    s->legal.op = legal_when(&s->threads, last.thread, last.place)->op;
    s->legal.why = legal_why(s->flow, s->legal.op, answer);
    s->legal.schedule = g_array_new(FALSE, FALSE, sizeof(AtlasScheduleEvent));
    for (guint i = 0; i < path->len; i++) {
        const Origin *o = &g_array_index(path, Origin, i);
        AtlasScheduleEvent event = {FALSE, *legal_when(&s->threads, o->thread, o->place), 1};
        g_array_append_val(s->legal.schedule, event);
    }
    count_laps(s, s->legal.schedule, path);
}

/* ---- going on ---- */

/* One thread performs its next op in a state. Whether that leads to one not seen before. */
static gboolean go(Search *s, const AtlasMachine *machine, const guint *at, guint thread) {
    guint place[ATLAS_PROGRAM_THREADS_MAX], number = at[-1];
    for (guint t = 0; t < s->threads.count; t++)
        place[t] = at[t];
    Origin origin = {number, thread, place[thread]};
    AtlasMachine *moved = atlas_machine_new(s->script);
    atlas_machine_copy(moved, machine);
    AtlasAnswer answer =
        atlas_machine_apply(moved, legal_when(&s->threads, thread, place[thread])->op);
    place[thread] = legal_next(&s->threads, thread, place[thread]);
    if (!atlas_answer_failed(&answer))
        return add_state(s, moved, place, origin);
    refute(s, number, origin, &answer);
    atlas_machine_free(moved);
    return TRUE;
}

/* Those of some threads that can go, do. Whether that leads to any new state. */
static gboolean go_all(Search *s, const AtlasMachine *machine, const guint *place,
                       guint64 threads) {
    gboolean fresh = FALSE;
    for (guint t = 0; t < s->threads.count && s->legal.verdict == LEGAL_YES; t++)
        if (threads >> t & 1 && legal_can_go(&s->threads, place, t))
            fresh |= go(s, machine, place, t);
    return fresh;
}

static void look_at(Search *s, const AtlasMachine *machine, const guint *place) {
    guint64 alone = s->options.all ? G_MAXUINT64 : legal_threads_alone(&s->threads, place);
    gboolean fresh = go_all(s, machine, place, alone);
    /* Without laps no way leads back, so that nothing is put off for ever. */
    if (!fresh && s->threads.lap > 0)
        go_all(s, machine, place, ~alone);
}

static void explore(Search *s) {
    while (s->next->len > 0 && s->legal.verdict == LEGAL_YES) {
        GPtrArray *machines = s->now;
        GArray *at = s->at;
        s->now = s->next;
        s->at = s->at_next;
        s->next = machines;
        s->at_next = at;
        g_ptr_array_set_size(s->next, 0);
        g_array_set_size(s->at_next, 0);
        for (guint i = 0; i < s->now->len && s->legal.verdict == LEGAL_YES; i++)
            look_at(s, s->now->pdata[i], places(s->at, s, i));
        if (search_table_count(s->seen) > s->options.max_states && s->legal.verdict == LEGAL_YES)
            s->legal = legal_unknown("too many interleavings of the host threads");
    }
}

/* ---- one search ---- */

static void destroy_machine(gpointer machine) {
    atlas_machine_free(machine);
}

static void begin(Search *s, guint behind) {
    guint place[ATLAS_PROGRAM_THREADS_MAX] = {0};
    AtlasMachine *machine = atlas_machine_new(s->script);
    for (guint i = 0; i < behind; i++)
        atlas_machine_apply(machine, i);
    add_state(s, machine, place, (Origin){FLOW_NONE, FLOW_NONE, 0});
}

static void search_init(Search *s, const Flow *flow, const AtlasScript *script,
                        LegalOptions options) {
    *s = (Search){.flow = flow, .script = script, .options = options};
    s->words = (flow->threads + 2) / 3 + 1;
    s->origins = g_array_new(FALSE, FALSE, sizeof(Origin));
    s->now = g_ptr_array_new_with_free_func(destroy_machine);
    s->next = g_ptr_array_new_with_free_func(destroy_machine);
    s->at = g_array_new(FALSE, FALSE, sizeof(guint));
    s->at_next = g_array_new(FALSE, FALSE, sizeof(guint));
    s->seen = search_table_new(MIN(s->words, SEARCH_WORDS_MAX));
}

static void search_clear(Search *s) {
    legal_threads_clear(&s->threads);
    g_array_unref(s->origins);
    g_ptr_array_unref(s->now);
    g_ptr_array_unref(s->next);
    g_array_unref(s->at);
    g_array_unref(s->at_next);
    search_table_free(s->seen);
}

/* The ops before `end`. */
static Legal search_once(const Flow *flow, const AtlasScript *script, guint end,
                         LegalOptions options) {
    Search s;
    LegalRange range = {legal_opening(flow->program), end};
    search_init(&s, flow, script, options);
    gboolean fits =
        legal_threads_init(&s.threads, flow->program, range, options.steps, flow->period);
    if (s.words > SEARCH_WORDS_MAX || !fits) {
        s.legal = legal_unknown("too many host threads, or calls of one");
    } else {
        begin(&s, range.first);
        explore(&s);
    }
    s.legal.states = search_table_count(s.seen);
    search_clear(&s);
    return s.legal;
}

/* ---- all ---- */

/* Whether a call fails; where one does, by a shortest schedule. */
static Legal decide(const Flow *flow, const AtlasScript *script, guint end, LegalOptions options) {
    Legal legal = search_once(flow, script, end, options);
    if (options.all || legal.verdict != LEGAL_NO)
        return legal;
    options.all = TRUE;
    Legal shortest = search_once(flow, script, end, options);
    shortest.states += legal.states;
    if (shortest.verdict == LEGAL_NO) {
        legal_clear(&legal);
        return shortest;
    }
    legal.longer = TRUE;
    legal.states = shortest.states;
    legal_clear(&shortest);
    return legal;
}

/* What finitely many steps show, where not every number of them can be told: `why` says so. */
static Legal decide_some(const Flow *flow, const AtlasScript *script, LegalOptions options,
                         guint64 states, const char *why) {
    const gint64 tried[] = {1, 2 * flow->period};
    for (guint i = 0; i < G_N_ELEMENTS(tried); i++) {
        options.steps = tried[i];
        Legal legal = decide(flow, script, flow->program->ops->len, options);
        legal.states = states += legal.states;
        if (legal.verdict != LEGAL_YES)
            return legal;
    }
    g_autofree char *told = g_strdup_printf(
        "no call fails in 1 step, nor in %" G_GINT64_FORMAT "; in more, %s", tried[1], why);
    Legal legal = legal_unknown(told);
    legal.states = states;
    return legal;
}

/* Every number of steps. */
static Legal decide_all(const Flow *flow, const AtlasScript *script, LegalOptions options) {
    guint close = flow_op(flow, flow_op(flow, flow->step)->partner)->op;
    gboolean more = close + 1 < flow->program->ops->len;
    LegalOptions laps = options;
    laps.max_states = MIN(options.max_states, LEGAL_LAPS_MAX);
    Legal legal = decide(flow, script, close, laps);
    guint64 states = legal.states;
    if (legal.verdict == LEGAL_NO || (legal.verdict == LEGAL_YES && !more))
        return legal;
    gboolean good = legal.verdict == LEGAL_YES;
    legal_clear(&legal);
    return decide_some(flow, script, options, states,
                       good ? "only calls behind the step might"
                            : "it is not known: there are too many interleavings");
}

Legal legal_search(const Flow *flow, LegalOptions options) {
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasScript) script = atlas_script_new(flow->program, diags);
    if (!script)
        return legal_unknown("the program exceeds the limits of the simulated driver");
    options.max_states = options.max_states ? options.max_states : LEGAL_STATES_MAX;
    if (flow->step == FLOW_NONE)
        options.steps = 1;
    return options.steps > 0 ? decide(flow, script, flow->program->ops->len, options)
                             : decide_all(flow, script, options);
}

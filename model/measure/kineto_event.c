#include "model/measure/kineto_event.h"

#include <string.h>

struct KinetoEvents {
    AtlasTraceBuilder *builder;
    GString *text, *pid, *tid;
    guint64 halves;
    gboolean crowded;
};

KinetoEvents *kineto_events_new(AtlasTraceBuilder *builder) {
    KinetoEvents *events = g_new0(KinetoEvents, 1);
    events->builder = builder;
    events->text = g_string_new(NULL);
    events->pid = g_string_new(NULL);
    events->tid = g_string_new(NULL);
    return events;
}

void kineto_events_free(KinetoEvents *events) {
    g_string_free(events->text, TRUE);
    g_string_free(events->pid, TRUE);
    g_string_free(events->tid, TRUE);
    g_free(events);
}

guint64 kineto_events_halves(const KinetoEvents *events) {
    return events->halves;
}

gboolean kineto_events_crowded(const KinetoEvents *events) {
    return events->crowded;
}

/* ---- what an event has ---- */

typedef enum { PH, CAT, NAME, PID, TID, TS, DUR, ARGS, FIELDS } Field;

static const AtlasField keys[FIELDS] = {{"ph", 2},  {"cat", 3}, {"name", 4}, {"pid", 3},
                                        {"tid", 3}, {"ts", 2},  {"dur", 3},  {"args", 4}};

typedef struct {
    AtlasField field[FIELDS];
} Event;

/* The value that a key names; *ignored for any other. */
static AtlasField *field_of(Event *e, AtlasField key, AtlasField *ignored) {
    for (guint i = 0; i < FIELDS; i++)
        if (key.length == keys[i].length && *key.text == *keys[i].text &&
            memcmp(key.text, keys[i].text, key.length) == 0)
            return &e->field[i];
    return ignored;
}

/* Reads an object; of a key that comes again the first one counts. */
static gboolean read_event(AtlasScan *scan, Event *e) {
    AtlasField key, ignored;
    gboolean string;
    int more;
    if (!atlas_scan_open(scan, '{'))
        return FALSE;
    while ((more = atlas_scan_more(scan, '}')) > 0)
        if (!atlas_scan_key(scan, &key) ||
            !atlas_scan_value(scan, field_of(e, key, &ignored), &string))
            return FALSE;
    return more == 0;
}

/* What is read of `args`. */
typedef struct {
    gint64 correlation, device, stream, node;
} Args;

static void read_args(AtlasField args, Args *a) {
    AtlasField key, value;
    gboolean string;
    *a = (Args){0};
    if (args.length == 0)
        return;
    AtlasScan s = {args.text, args.text + args.length, FALSE, NULL};
    if (!atlas_scan_open(&s, '{'))
        return;
    while (atlas_scan_more(&s, '}') > 0 && atlas_scan_key(&s, &key) &&
           atlas_scan_value(&s, &value, &string)) {
        gint64 *into = atlas_field_is(key, "correlation")     ? &a->correlation
                       : atlas_field_is(key, "device")        ? &a->device
                       : atlas_field_is(key, "stream")        ? &a->stream
                       : atlas_field_is(key, "graph node id") ? &a->node
                                                              : NULL;
        gint64 number;
        if (into && atlas_scan_whole(value, &number))
            *into = number;
    }
}

/* ---- what it is ---- */

typedef enum { IS_OTHER, IS_CALL, IS_KERNEL, IS_COPY, IS_MEMSET, IS_RANGE, IS_OP } Is;

static gboolean cat_ends(AtlasField cat, const char *ending) {
    gsize length = strlen(ending);
    return cat.length >= length &&
           g_ascii_strncasecmp(cat.text + cat.length - length, ending, length) == 0;
}

static gboolean cat_is(AtlasField cat, const char *name) {
    return cat.length > 0 && (*cat.text | 0x20) == *name && cat.length == strlen(name) &&
           cat_ends(cat, name);
}

static Is what_is(AtlasField cat) {
    static const struct {
        const char *name;
        Is is;
    } cats[] = {{"cpu_op", IS_OP},       {"operator", IS_OP},           {"kernel", IS_KERNEL},
                {"gpu_memcpy", IS_COPY}, {"gpu_memset", IS_MEMSET},     {"memcpy", IS_COPY},
                {"memset", IS_MEMSET},   {"user_annotation", IS_RANGE}, {"runtime", IS_CALL},
                {"driver", IS_CALL}};
    for (guint i = 0; i < G_N_ELEMENTS(cats); i++)
        if (cat_is(cat, cats[i].name))
            return cats[i].is;
    return cat_ends(cat, "_runtime") || cat_ends(cat, "_driver") ? IS_CALL : IS_OTHER;
}

/* ---- adding it ---- */

static gboolean expect(AtlasScan *scan, AtlasField at, const char *otherwise, const char *what) {
    scan->p = at.text ? at.text : otherwise;
    scan->fault = what;
    return FALSE;
}

static guint32 name_of(KinetoEvents *k, AtlasField name) {
    name = atlas_scan_unescape(name, k->text);
    return atlas_trace_intern(k->builder, name.text ? name.text : "", name.length);
}

static const char *copy_id(GString *into, AtlasField id) {
    g_string_truncate(into, 0);
    g_string_append_len(into, id.text ? id.text : "", (gssize)id.length);
    return into->str;
}

static gboolean thread_of(KinetoEvents *k, const Event *e, guint16 *thread) {
    return atlas_trace_thread(k->builder, copy_id(k->pid, e->field[PID]),
                              copy_id(k->tid, e->field[TID]), thread);
}

static gboolean wants_all(const KinetoEvents *k) {
    return atlas_trace_built(k->builder)->wants == ATLAS_TRACE_ALL;
}

static void add_call(KinetoEvents *k, const Event *e, AtlasTraceCall *call, gint64 duration) {
    Args args;
    AtlasTraceDetail detail = {duration, ATLAS_TRACE_NONE};
    read_args(e->field[ARGS], &args);
    call->correlation = (guint32)args.correlation;
    const char *name = e->field[NAME].text ? e->field[NAME].text : "";
    call->kind = (guint8)atlas_call_kind(name, e->field[NAME].length);
    call->driver = (guint8)atlas_call_is_driver(name, e->field[NAME].length);
    if (call->kind < ATLAS_CALL_KINDS && wants_all(k))
        detail.name = name_of(k, e->field[NAME]);
    atlas_trace_add_call(k->builder, call, &detail);
}

static gboolean add_activity(KinetoEvents *k, const Event *e, AtlasTraceActivity *activity) {
    Args args;
    read_args(e->field[ARGS], &args);
    activity->correlation = (guint32)args.correlation;
    activity->in_graph = args.node != 0;
    activity->name = ATLAS_TRACE_NONE;
    if (wants_all(k)) {
        activity->name = name_of(k, e->field[NAME]);
        if (!atlas_trace_stream(k->builder, args.device, args.stream, &activity->stream))
            return FALSE;
    }
    atlas_trace_add_activity(k->builder, activity);
    return TRUE;
}

static gboolean add_range(KinetoEvents *k, const Event *e, AtlasTraceRange *range, gboolean op) {
    AtlasField name = atlas_scan_unescape(e->field[NAME], k->text);
    if (!name.text || (op && !atlas_trace_wants_op(k->builder, name.text, name.length)))
        return TRUE;
    range->name = atlas_trace_intern(k->builder, name.text, name.length);
    if (!thread_of(k, e, &range->thread))
        return FALSE;
    atlas_trace_add_range(k->builder, range);
    return TRUE;
}

static gboolean add(KinetoEvents *k, const Event *e, Is is, gint64 start, gint64 duration) {
    AtlasTraceCall call = {.start = start};
    AtlasTraceRange range = {.start = start, .duration = duration};
    AtlasTraceActivity activity = {.start = start, .duration = duration};
    switch (is) {
    case IS_CALL:
        if (!thread_of(k, e, &call.thread))
            return FALSE;
        add_call(k, e, &call, duration);
        return TRUE;
    case IS_RANGE:
    case IS_OP:
        return add_range(k, e, &range, is == IS_OP);
    default:
        activity.kind = is == IS_KERNEL ? ATLAS_ACTIVITY_KERNEL
                        : is == IS_COPY ? ATLAS_ACTIVITY_COPY
                                        : ATLAS_ACTIVITY_MEMSET;
        return add_activity(k, e, &activity);
    }
}

gboolean kineto_event_read(KinetoEvents *k, AtlasScan *scan) {
    Event e = {0};
    const char *from = scan->p;
    gint64 start, duration = 0;
    if (*from != '{')
        return atlas_scan_skip(scan);
    if (!read_event(scan, &e))
        return FALSE;
    gboolean whole = atlas_field_is(e.field[PH], "X");
    gboolean half = atlas_field_is(e.field[PH], "B") || atlas_field_is(e.field[PH], "E");
    Is is = whole || half ? what_is(e.field[CAT]) : IS_OTHER;
    k->halves += half && is != IS_OTHER;
    if (is == IS_OTHER || half)
        return TRUE;
    if (!atlas_scan_us(e.field[TS], &start))
        return expect(scan, e.field[TS], from, "a time 'ts' in microseconds");
    if (e.field[DUR].text && !atlas_scan_us(e.field[DUR], &duration))
        return expect(scan, e.field[DUR], from, "a time 'dur' in microseconds");
    k->crowded = !add(k, &e, is, start, duration);
    return !k->crowded ||
           expect(scan, (AtlasField){NULL, 0}, from, "at most 65535 threads, and as many streams");
}

#include "model/measure/kineto.h"

#include <string.h>

#include "model/measure/feed.h"
#include "model/measure/kineto_event.h"
#include "model/measure/scan.h"

/* A member of the trace: the last bracket, one that was read, or the beginning of one. */
typedef enum { MEMBER_NONE, MEMBER_READ, MEMBER_EVENTS, MEMBER_LONG } Member;

typedef struct {
    AtlasFeed *feed;
    AtlasTraceBuilder *builder;
    AtlasProblems problems;
    KinetoEvents *events;
    Member member;
    char bracket;    /* the first one: the list of events may be alone */
    gboolean inside; /* the list of events */
    gboolean found;  /* such a list */
    gboolean stop;   /* there is nothing more to be read, or nothing more can be */
} Kineto;

/* ---- one thing after the other ---- */

/* Reads one thing from a scan. Whatever it does must be done only once it returns TRUE. */
typedef gboolean (*Read)(Kineto *k, AtlasScan *scan);

static gboolean once(Kineto *k, Read read, gboolean lenient, AtlasScan *scan) {
    gsize length;
    const char *text = atlas_feed_text(k->feed, &length);
    *scan = (AtlasScan){text, text + length, lenient, NULL};
    return read(k, scan);
}

static void faulty(Kineto *k, const AtlasScan *scan) {
    gboolean crowded = kineto_events_crowded(k->events);
    if (!atlas_problem_add(&k->problems, atlas_feed_place(k->feed, scan->p), "expected %s",
                           scan->fault))
        return;
    if (crowded)
        atlas_diags_hint(k->problems.diags, "profile fewer steps, or fewer of the processes");
    else
        atlas_diags_hint(k->problems.diags, "the file was changed, or two programs wrote into it: "
                                            "write the trace again");
}

static void too_long(Kineto *k) {
    gsize length;
    if (atlas_problem_add(&k->problems,
                          atlas_feed_place(k->feed, atlas_feed_text(k->feed, &length)),
                          "what begins here has more than 16 MiB"))
        atlas_diags_hint(k->problems.diags, "no event of a profiler is that long: is a quote or a "
                                            "bracket missing?");
}

/* Reads one thing, whatever of the stream that needs; FALSE where the stream ends before, or there
 * is a problem, which then was added. */
static gboolean try(Kineto *k, Read read) {
    AtlasScan scan, lenient;
    while (!k->stop) {
        if (once(k, read, FALSE, &scan) || (scan.fault && once(k, read, TRUE, &lenient))) {
            atlas_feed_take(k->feed, scan.fault ? lenient.p : scan.p);
            return TRUE;
        }
        AtlasFeedMore more = ATLAS_FEED_END;
        if (!scan.fault || !lenient.fault)
            more = atlas_feed_more(k->feed);
        if (more == ATLAS_FEED_FULL)
            too_long(k);
        else if (more == ATLAS_FEED_END && scan.fault)
            faulty(k, &scan);
        k->stop |= more != ATLAS_FEED_MORE;
    }
    return FALSE;
}

/* The first reason is kept. */
static void incomplete(Kineto *k, const char *why) {
    AtlasTrace *trace = atlas_trace_built(k->builder);
    if (!trace->cut)
        trace->cut = g_string_chunk_insert(trace->strings, why);
}

/* Marks the trace as cut where the stream ends. */
static void cut(Kineto *k) {
    gsize length;
    const char *text = atlas_feed_text(k->feed, &length);
    AtlasPlace end = atlas_feed_place(k->feed, text + length);
    if (k->problems.count > 0 || atlas_feed_fault(k->feed))
        return;
    g_autofree char *why = g_strdup_printf("it ends at %" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT
                                           ", inside its list of events",
                                           end.line, end.column);
    incomplete(k, why);
}

/* ---- events ---- */

/* One event, or the end of them. */
static gboolean read_next(Kineto *k, AtlasScan *scan) {
    int more = atlas_scan_more(scan, ']');
    k->inside = more != 0;
    return more == 0 || (more > 0 && kineto_event_read(k->events, scan));
}

/* FALSE where the list does not end, or there is a problem. */
static gboolean read_events(Kineto *k) {
    k->found = k->inside = TRUE;
    while (try(k, read_next) && k->inside)
        ;
    if (k->inside)
        cut(k);
    return !k->inside;
}

/* ---- what stands beside them ---- */

/* Reads over a value of any length; `depth` brackets are open. */
typedef struct {
    guint depth;
    gboolean string, escaped;
} Over;

static const char *read_over(Over *o, const char *p, const char *end) {
    for (; p < end; p++) {
        if (o->string) {
            o->string = o->escaped || *p != '"';
            o->escaped = !o->escaped && *p == '\\';
            if (!o->string && o->depth == 0)
                return p + 1;
        } else if (*p == '"') {
            o->string = TRUE;
        } else if (*p == '{' || *p == '[') {
            if (++o->depth > ATLAS_SCAN_DEPTH)
                return p;
        } else if (*p == '}' || *p == ']') {
            if (o->depth == 0)
                return p;
            if (--o->depth == 0)
                return p + 1;
        } else if (*p == ',' && o->depth == 0) {
            return p;
        }
    }
    return NULL;
}

/* Reads over a value that may be longer than what is kept. */
static void skip_value(Kineto *k) {
    Over over = {0, FALSE, FALSE};
    for (;;) {
        gsize length;
        const char *text = atlas_feed_text(k->feed, &length);
        const char *behind = read_over(&over, text, text + length);
        if (over.depth > ATLAS_SCAN_DEPTH) {
            AtlasScan scan = {behind, NULL, FALSE, "at most 256 brackets inside each other"};
            faulty(k, &scan);
            k->stop = TRUE;
            return;
        }
        atlas_feed_take(k->feed, behind ? behind : text + length);
        if (behind)
            return;
        if (atlas_feed_more(k->feed) != ATLAS_FEED_MORE) {
            k->stop = TRUE;
            return;
        }
    }
}

/* What a key of the trace says, as trace->about calls it. */
static const char *about_key(AtlasField key) {
    static const char *const keys[][2] = {{"cuda_driver_version", "cuda-driver"},
                                          {"cuda_runtime_version", "cuda-runtime"},
                                          {"cupti_version", "cupti"},
                                          {"hip_driver_version", "hip-driver"},
                                          {"hip_runtime_version", "hip-runtime"},
                                          {"roctracer_version", "roctracer"},
                                          {"deviceProperties", "device"},
                                          {"distributedInfo", "rank"}};
    for (guint i = 0; i < G_N_ELEMENTS(keys); i++)
        if (atlas_field_is(key, keys[i][0]))
            return keys[i][1];
    return NULL;
}

/* The member of that name of an object, or of the first object of an array. */
static gboolean find_member(AtlasField value, const char *name, AtlasField *found) {
    AtlasScan s = {value.text, value.text + value.length, FALSE, NULL};
    AtlasField key;
    gboolean string;
    if (value.length > 0 && *value.text == '[')
        s.p++;
    if (!atlas_scan_open(&s, '{'))
        return FALSE;
    while (atlas_scan_more(&s, '}') > 0 && atlas_scan_key(&s, &key) &&
           atlas_scan_value(&s, found, &string))
        if (atlas_field_is(key, name))
            return TRUE;
    return FALSE;
}

/* Says what a value of the trace's own says. */
static void say(Kineto *k, const char *name, AtlasField value, gboolean string) {
    gboolean nested = !string && value.length > 0 && strchr("{[", *value.text);
    if (nested && !find_member(value, g_str_equal(name, "rank") ? "rank" : "name", &value))
        return;
    g_autoptr(GString) text = g_string_new(NULL);
    value = atlas_scan_unescape(value, text);
    g_autofree char *said = g_strndup(value.text, value.length);
    if (*said)
        atlas_trace_say(k->builder, name, said);
}

/* Reads a member, or of what may be long only its key. */
static gboolean read_member(Kineto *k, AtlasScan *scan) {
    AtlasField key, value;
    gboolean string;
    int more = atlas_scan_more(scan, '}');
    k->member = MEMBER_NONE;
    if (more <= 0)
        return more == 0;
    if (!atlas_scan_key(scan, &key))
        return FALSE;
    const char *about = about_key(key);
    if (about && !atlas_scan_value(scan, &value, &string))
        return FALSE;
    k->member = about ? MEMBER_READ : MEMBER_LONG;
    if (about) {
        say(k, about, value, string);
    } else if (atlas_field_is(key, "traceEvents") && *scan->p == '[') {
        scan->p++;
        k->member = MEMBER_EVENTS;
    }
    return TRUE;
}

/* FALSE where the object does not end, or there is a problem. */
static gboolean read_members(Kineto *k) {
    while (try(k, read_member)) {
        if (k->member == MEMBER_NONE)
            return TRUE;
        if (k->member == MEMBER_EVENTS && !read_events(k))
            return FALSE;
        if (k->member == MEMBER_LONG)
            skip_value(k);
    }
    return FALSE;
}

/* ---- the whole ---- */

#define EXPECTED "expected what prof.export_chrome_trace() writes"

/* The first bracket, if that is what comes first. */
static gboolean read_first(Kineto *k, AtlasScan *scan) {
    scan->p += atlas_lines_mark(scan->p, (gsize)(scan->end - scan->p));
    if (!atlas_scan_blank(scan))
        return FALSE;
    k->bracket = *scan->p == '[' || *scan->p == '{' ? *scan->p : '\0';
    scan->p += k->bracket != '\0';
    return TRUE;
}

/* Behind the last bracket there is nothing: another trace there would go unseen. */
static gboolean read_end(Kineto *k, AtlasScan *scan) {
    (void)k;
    if (atlas_scan_blank(scan))
        scan->fault = "nothing behind the trace's last bracket";
    return FALSE;
}

/* What the trace as a whole has that was not read. */
static void check_all(Kineto *k) {
    const char *fault = atlas_trace_times_fault(k->builder);
    guint64 halves = kineto_events_halves(k->events);
    if (k->problems.count > 0 || atlas_feed_fault(k->feed))
        return;
    if (fault && atlas_problem_add(&k->problems, (AtlasPlace){0, 0}, "%s", fault))
        atlas_diags_hint(k->problems.diags, "the file was changed: write the trace again");
    if (halves) {
        g_autofree char *why = g_strdup_printf(
            "%" G_GUINT64_FORMAT " of its events are halves ('ph': 'B', 'E'), of which only whole "
            "ones ('X') are read",
            halves);
        incomplete(k, why);
    }
}

static void read_all(Kineto *k) {
    if (!try(k, read_first)) {
        if (k->problems.count == 0 && !atlas_feed_fault(k->feed))
            atlas_problem_add(&k->problems, (AtlasPlace){0, 0}, "the file is empty");
        return;
    }
    if (!k->bracket) {
        gsize length;
        AtlasPlace first = atlas_feed_place(k->feed, atlas_feed_text(k->feed, &length));
        if (atlas_problem_add(&k->problems, first, "a trace begins with '{' or '['"))
            atlas_diags_hint(k->problems.diags, EXPECTED);
        return;
    }
    if (k->bracket == '[' ? read_events(k) : read_members(k))
        try(k, read_end);
    if (!k->found && k->problems.count == 0 && !atlas_feed_fault(k->feed) &&
        atlas_problem_add(&k->problems, (AtlasPlace){0, 0},
                          "no traceEvents in the whole file: it is no trace of PyTorch's profiler, "
                          "or was cut before them"))
        atlas_diags_hint(k->problems.diags, EXPECTED);
}

gboolean atlas_kineto_read(AtlasFile *file, AtlasTraceBuilder *builder, AtlasDiags *diags) {
    g_autoptr(AtlasFeed) feed = atlas_feed_new(atlas_file_input(file));
    Kineto k = {.feed = feed,
                .builder = builder,
                .problems = {.diags = diags, .path = atlas_file_name(file)},
                .events = kineto_events_new(builder)};
    read_all(&k);
    check_all(&k);
    kineto_events_free(k.events);
    if (atlas_feed_fault(feed))
        atlas_file_fault(file, atlas_feed_fault(feed), diags);
    return k.problems.count == 0 && !atlas_feed_fault(feed);
}

gboolean atlas_kineto_recognise(const char *text, gsize length) {
    AtlasScan s = {text, text + length, FALSE, NULL};
    s.p += atlas_lines_mark(text, length);
    return atlas_scan_blank(&s) && (*s.p == '{' || *s.p == '[');
}

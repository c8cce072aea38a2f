/* Where a trace has its steps. */
#include <string.h>

#include "model/measure/step_name.h"
#include "model/measure/trace_finder.h"

static guint32 main_thread(const Finder *f) {
    g_autofree gint64 *time = g_new0(gint64, f->trace->threads->len + 1);
    guint32 best = ATLAS_TRACE_NONE;
    for (guint i = 0; i < f->trace->ranges->len; i++)
        if (is_outermost(f, i))
            time[range_at(f, i)->thread] += range_at(f, i)->duration;
    for (guint i = 0; i < f->trace->ranges->len; i++) {
        guint32 thread = range_at(f, i)->thread;
        if (is_outermost(f, i) && (best == ATLAS_TRACE_NONE || time[thread] > time[best]))
            best = thread;
    }
    return best;
}

/* A step that begins before the last one has ended is none; nor is one that has no end. */
static void add_step(Finder *f, guint range, gint64 end, gint64 number) {
    AtlasTraceParts *p = f->parts;
    const AtlasTraceRange *from = range_at(f, range);
    if (p->steps->len && step_at(f, p->steps->len - 1)->end > from->start)
        return;
    if (from->open && p->by != ATLAS_STEPS_FIRST)
        return;
    AtlasTraceStep step = {from->start, end, number};
    g_array_append_val(p->steps, step);
    f->makes[range] = p->by != ATLAS_STEPS_FIRST;
    if (p->steps->len > 1)
        return;
    p->thread = from->thread;
    p->name = from->name;
}

static gboolean by_profiler(Finder *f) {
    f->parts->by = ATLAS_STEPS_PROFILER;
    for (guint i = 0; i < f->trace->ranges->len; i++) {
        const AtlasTraceRange *range = range_at(f, i);
        gsize start, end;
        gint64 number;
        if (!range->step || process_of(f->trace, range->thread) != f->parts->process)
            continue;
        if (!atlas_step_number(atlas_trace_name(f->trace, range->name), &start, &end, &number))
            number = -1;
        add_step(f, i, end_of(range), number);
        f->makes[i] = TRUE; /* also one inside of another: it is no stage */
    }
    return f->parts->steps->len > 0;
}

/* Ranges of one thread whose names differ in numbers only. */
typedef struct {
    gboolean called;   /* what steps are: all of them; of others those that are outermost */
    gboolean falls;    /* the numbers do not only rise */
    gboolean broken;   /* the last number does not count up by one */
    gint64 last, time; /* the last number; of all of them */
    const char *name;  /* of the last one */
    GArray *ranges;    /* of guint */
} Family;

static void free_family(gpointer data) {
    Family *family = data;
    g_array_unref(family->ranges);
    g_free(family);
}

/* The family of a thread and a kind, which is added where it is new. */
static Family *family_of(GHashTable *by_kind, GPtrArray *families, guint32 thread,
                         const char *kind) {
    char *key = g_strdup_printf("%u %s", thread, kind);
    Family *family = g_hash_table_lookup(by_kind, key);
    if (family) {
        g_free(key);
        return family;
    }
    family = g_new0(Family, 1);
    family->called = atlas_step_called(kind);
    family->ranges = g_array_new(FALSE, FALSE, sizeof(guint));
    g_ptr_array_add(families, family);
    g_hash_table_insert(by_kind, key, family);
    return family;
}

static void add_to_family(const Finder *f, GHashTable *by_kind, GPtrArray *families, guint i) {
    const AtlasTraceRange *range = range_at(f, i);
    const char *name = atlas_trace_name(f->trace, range->name);
    gsize start, end;
    gint64 number;
    if (process_of(f->trace, range->thread) != f->parts->process ||
        !atlas_step_number(name, &start, &end, &number))
        return;
    g_autofree char *kind = atlas_step_kind(name);
    if (!is_outermost(f, i) && !atlas_step_called(kind))
        return;
    Family *family = family_of(by_kind, families, range->thread, kind);
    if (family->ranges->len > 0) {
        family->broken |= number != family->last + 1;
        family->falls |= !atlas_step_rises(family->name, name);
    }
    family->last = number;
    family->name = name;
    family->time += range->duration;
    g_array_append_val(family->ranges, i);
}

/* What is called steps stands first: of it what only rises, then what there is most of; of others
 * what takes most time. */
static int by_likeness(gconstpointer a, gconstpointer b) {
    const Family *x = *(const Family *const *)a, *y = *(const Family *const *)b;
    if (x->called != y->called)
        return x->called ? -1 : 1;
    if (!x->called)
        return x->time != y->time ? (x->time > y->time ? -1 : 1) : 0;
    if (x->falls != y->falls)
        return x->falls ? 1 : -1;
    return x->ranges->len != y->ranges->len ? (x->ranges->len > y->ranges->len ? -1 : 1) : 0;
}

/* Whether more launches of the process are made in the steps than elsewhere, as far as is known. */
static gboolean hold_most(const Finder *f) {
    gint64 inside = 0, all = 0;
    for (guint i = 0, step = 0; i < f->trace->calls->len; i++) {
        const AtlasTraceCall *call = atlas_trace_call(f->trace, i);
        if (call->kind > ATLAS_CALL_GRAPH_LAUNCH ||
            process_of(f->trace, call->thread) != f->parts->process)
            continue;
        while (step < f->parts->steps->len && step_at(f, step)->end <= call->start)
            step++;
        inside += step < f->parts->steps->len && step_at(f, step)->start <= call->start;
        all++;
    }
    return 2 * inside > all || !atlas_trace_has_calls(f->trace);
}

/* Keeps the steps, of which there are so many at least, if they hold most; else there are none
 * yet. */
static gboolean keep(Finder *f, guint least) {
    if (f->parts->steps->len >= least && hold_most(f))
        return TRUE;
    g_array_set_size(f->parts->steps, 0);
    f->parts->name = ATLAS_TRACE_NONE;
    memset(f->makes, 0, f->trace->ranges->len * sizeof *f->makes);
    return FALSE;
}

static gboolean steps_of_family(Finder *f, const Family *family) {
    f->parts->by = ATLAS_STEPS_NUMBERED;
    for (guint i = 0; i < family->ranges->len; i++) {
        guint range = g_array_index(family->ranges, guint, i);
        gint64 first = family->last - family->ranges->len + 1;
        add_step(f, range, end_of(range_at(f, range)), family->broken ? -1 : first + i);
    }
    return keep(f, 2);
}

static gboolean by_number(Finder *f) {
    g_autoptr(GHashTable) by_kind = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GPtrArray) families = g_ptr_array_new_with_free_func(free_family);
    for (guint i = 0; i < f->trace->ranges->len; i++)
        add_to_family(f, by_kind, families, i);
    g_ptr_array_sort(families, by_likeness);
    for (guint i = 0; i < families->len; i++) {
        const Family *family = g_ptr_array_index(families, i);
        if (family->ranges->len > 1 && (family->called || !family->broken) &&
            steps_of_family(f, family))
            return TRUE;
    }
    return FALSE;
}

/* Names of the main thread's outermost ranges that repeat, by first appearance. */
static GArray *repeated(const Finder *f, guint32 thread) {
    GArray *names = g_array_new(FALSE, FALSE, sizeof(guint32));
    g_autofree guint *count = g_new0(guint, f->trace->names->len + 1);
    g_autofree gboolean *listed = g_new0(gboolean, f->trace->names->len + 1);
    for (guint i = 0; i < f->trace->ranges->len; i++)
        if (is_outermost(f, i) && range_at(f, i)->thread == thread)
            count[range_at(f, i)->name]++;
    for (guint i = 0; i < f->trace->ranges->len; i++) {
        guint32 name = range_at(f, i)->name;
        if (!is_outermost(f, i) || range_at(f, i)->thread != thread || count[name] < 2 ||
            listed[name])
            continue;
        listed[name] = TRUE;
        g_array_append_val(names, name);
    }
    return names;
}

static gboolean holds_ranges(const Finder *f, guint32 thread, guint32 name) {
    for (guint i = 0; i < f->trace->ranges->len; i++) {
        guint32 around = f->parent[i];
        if (range_at(f, i)->thread == thread && around != ATLAS_TRACE_NONE &&
            is_outermost(f, around) && range_at(f, around)->name == name)
            return TRUE;
    }
    return FALSE;
}

static gboolean by_outer(Finder *f, guint32 thread, const GArray *names) {
    guint32 name = names->len == 1 ? g_array_index(names, guint32, 0) : ATLAS_TRACE_NONE;
    if (names->len != 1 || !holds_ranges(f, thread, name))
        return FALSE;
    f->parts->by = ATLAS_STEPS_OUTER;
    for (guint i = 0; i < f->trace->ranges->len; i++)
        if (is_outermost(f, i) && range_at(f, i)->thread == thread && range_at(f, i)->name == name)
            add_step(f, i, end_of(range_at(f, i)), -1);
    return keep(f, 1);
}

/* Whether the recording ended inside of a range that began then, or later. */
static gboolean open_since(const Finder *f, guint32 thread, gint64 start) {
    for (guint i = 0; i < f->trace->ranges->len; i++) {
        const AtlasTraceRange *range = range_at(f, i);
        if (range->open && range->thread == thread && range->start >= start)
            return TRUE;
    }
    return FALSE;
}

static gboolean by_return(Finder *f, guint32 thread, const GArray *names) {
    gint64 end = G_MININT64;
    if (!names->len)
        return FALSE;
    f->parts->by = ATLAS_STEPS_FIRST;
    for (guint i = 0; i < f->trace->ranges->len; i++) {
        const AtlasTraceRange *range = range_at(f, i);
        if (!is_outermost(f, i) || range->thread != thread)
            continue;
        end = MAX(end, range->open ? range->start : end_of(range));
        if (range->name != g_array_index(names, guint32, 0))
            continue;
        if (f->parts->steps->len)
            step_at(f, f->parts->steps->len - 1)->end = range->start;
        add_step(f, i, end_of(range), -1);
    }
    guint last = f->parts->steps->len - 1;
    step_at(f, last)->end = end;
    if (open_since(f, thread, step_at(f, last)->start))
        g_array_set_size(f->parts->steps, last);
    return f->parts->steps->len > 0;
}

/* Ranges that the user named. */
static gboolean by_name(Finder *f, const char *asked) {
    gsize asked_start, asked_end, start, end;
    gint64 number;
    gboolean numbered = atlas_step_number(asked, &asked_start, &asked_end, &number);
    f->parts->by = ATLAS_STEPS_ASKED;
    for (guint i = 0; i < f->trace->ranges->len; i++) {
        const AtlasTraceRange *range = range_at(f, i);
        const char *name = atlas_trace_name(f->trace, range->name);
        if (process_of(f->trace, range->thread) != f->parts->process)
            continue;
        gboolean has = atlas_step_number(name, &start, &end, &number);
        gboolean like = numbered && has && start == asked_start &&
                        strncmp(name, asked, start) == 0 &&
                        g_str_equal(name + end, asked + asked_end);
        if (like || g_str_equal(name, asked))
            add_step(f, i, end_of(range), has ? number : -1);
    }
    return f->parts->steps->len > 0;
}

static void by_all(Finder *f, guint32 thread) {
    AtlasTraceStep step = {G_MAXINT64, G_MININT64, -1};
    f->parts->by = ATLAS_STEPS_NONE;
    f->parts->thread = thread;
    for (guint i = 0; i < f->trace->calls->len; i++) {
        const AtlasTraceCall *call = atlas_trace_call(f->trace, i);
        gint64 duration = g_array_index(f->trace->details, AtlasTraceDetail, i).duration;
        if (process_of(f->trace, call->thread) != f->parts->process)
            continue;
        step.start = MIN(step.start, call->start);
        step.end = MAX(step.end, call->start + MAX(duration, 1));
    }
    for (guint i = 0; i < f->trace->activities->len; i++) {
        const AtlasTraceActivity *a = &g_array_index(f->trace->activities, AtlasTraceActivity, i);
        if (!f->trace->by_process || a->process == f->parts->process)
            step.end = MAX(step.end, a->start + a->duration);
    }
    if (step.start != G_MAXINT64)
        g_array_append_val(f->parts->steps, step);
}

gboolean finder_steps(Finder *f, const char *asked) {
    guint32 thread = main_thread(f);
    if (asked)
        return by_name(f, asked);
    if (by_profiler(f) || by_number(f))
        return TRUE;
    g_autoptr(GArray) names = thread == ATLAS_TRACE_NONE
                                  ? g_array_new(FALSE, FALSE, sizeof(guint32))
                                  : repeated(f, thread);
    if (!by_outer(f, thread, names) && !by_return(f, thread, names))
        by_all(f, thread);
    return TRUE;
}

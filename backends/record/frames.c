#include "backends/record/frames.h"

#include <string.h>

#include "backends/record/levels.h"

typedef struct {
    const RecordReading *reading;
    RecordLevel level;
    RecordFrame *frame;
} Search;

/* ---- steps ---- */

static void add_step(Search *s, guint64 begin, guint64 end) {
    RecordStep step = {begin, end, (gint64)s->frame->steps->len};
    g_array_append_val(s->frame->steps, step);
}

/* Every range of the family is a step. Families whose ranges hold several of one kind again give
 * way to those. */
static void steps_of_family(Search *s, int family) {
    g_autoptr(GArray) ids = g_array_new(FALSE, FALSE, sizeof(guint32));
    g_autofree char *kind = NULL;
    const RecordFamily *inner = NULL;
    do {
        g_array_set_size(ids, 0);
        for (guint i = 0; i < s->level.ids->len; i++)
            if (g_array_index(s->level.family_of, guint, i) == (guint)family)
                g_array_append_val(ids, record_member(&s->level, i)->id);
        g_free(kind);
        kind = g_strdup(record_family(&s->level, (guint)family)->kind);
        record_descend(&s->level, family);
        family = record_find_family(&s->level);
        inner = family < 0 ? NULL : record_family(&s->level, (guint)family);
    } while (inner && inner->most > 1);
    for (guint i = 0; i < ids->len; i++) {
        const RecordRange *range = record_range(s->reading, g_array_index(ids, guint32, i));
        add_step(s, range->begin, range->end);
    }
    s->frame->by = g_strdup_printf("range '%s'", kind);
}

/* The first stage of the level that comes again, by name; NULL: none does. */
static const RecordRange *find_opener(const Search *s) {
    g_autoptr(GHashTable) first = g_hash_table_new(NULL, NULL);
    const RecordRange *opener = NULL;
    for (guint i = 0; i < s->level.ids->len; i++) {
        const RecordRange *range = record_member(&s->level, i);
        const RecordRange *before = g_hash_table_lookup(first, GUINT_TO_POINTER(range->name));
        if (!range->stage)
            continue;
        if (!before)
            g_hash_table_insert(first, GUINT_TO_POINTER(range->name), (gpointer)range);
        else if (!opener || before->id < opener->id)
            opener = before;
    }
    return opener;
}

/* A step begins with every range of the opener's name; without one, with the first range. */
static void steps_of_opener(Search *s) {
    const RecordRange *opener = find_opener(s);
    guint64 last = 0;
    gboolean open = FALSE;
    for (guint i = 0; i < s->level.ids->len; i++) {
        const RecordRange *range = record_member(&s->level, i);
        if (opener ? range->name == opener->name : s->frame->steps->len == 0)
            add_step(s, range->begin, 0);
        open = s->frame->steps->len > 0 && (open || range->end == 0);
        last = MAX(last, range->end);
    }
    for (guint i = 0; i < s->frame->steps->len; i++) {
        RecordStep *step = &g_array_index(s->frame->steps, RecordStep, i);
        step->end = i + 1 < s->frame->steps->len ? step[1].begin : open ? 0 : last;
    }
    if (opener && s->frame->steps->len > 1 && !(s->reading->head.flags & RECORD_ENDED))
        g_array_index(s->frame->steps, RecordStep, s->frame->steps->len - 1).end = 0;
    s->frame->by =
        opener ? g_strdup_printf("the return of range '%s'", record_name(s->reading, opener->name))
               : g_strdup("no range that comes again");
}

/* Whether a range is the one that the user means: by its whole name, or with a number behind it. */
static gboolean is_meant(const char *name, const char *step) {
    gsize length = strlen(step);
    return g_str_has_prefix(name, step) &&
           strspn(name + length, " \t#:=_-/.,0123456789") == strlen(name + length);
}

/* Those of the first thread that has some, so that they do not overlap. */
static gboolean steps_of_user(Search *s, const char *step) {
    const RecordReading *r = s->reading;
    guint32 thread = 0;
    for (guint32 id = 1; id <= r->ranges->len; id++) {
        const RecordRange *range = record_range(r, id);
        if (!is_meant(record_name(r, range->name), step) || s->frame->is_frame[range->parent] ||
            (thread && range->thread != thread))
            continue;
        thread = range->thread;
        s->frame->is_frame[id] = 1;
        add_step(s, range->begin, range->end);
    }
    for (guint32 id = r->ranges->len; id > 0; id--)
        if (s->frame->is_frame[id])
            s->frame->is_frame[record_range(r, id)->parent] = 1;
    s->frame->is_frame[0] = 0;
    s->frame->by = g_strdup_printf("range '%s', as asked for", step);
    return s->frame->steps->len > 0;
}

static void find_steps(Search *s) {
    int family, holder;
    while ((family = record_find_family(&s->level)) < 0 && !record_comes_again(&s->level) &&
           (holder = record_find_holder(&s->level)) >= 0)
        record_descend(&s->level, holder);
    if (family < 0 && !record_comes_again(&s->level))
        family = record_find_in_all(&s->level);
    if (family >= 0)
        steps_of_family(s, family);
    else
        steps_of_opener(s);
}

/* ---- what is left of them ---- */

/* The first number in a name; -1: there is none, or too great a one. */
static gint64 number_in(const char *name) {
    const char *digits = name + strcspn(name, "0123456789");
    guint64 number = *digits ? g_ascii_strtoull(digits, NULL, 10) : G_MAXUINT64;
    return number <= G_MAXINT32 ? (gint64)number : -1;
}

/* Steps are called what their ranges call them, where that counts up by one. */
static void number_steps(const Search *s) {
    GArray *steps = s->frame->steps;
    g_autofree gint64 *numbers = g_new(gint64, steps->len + 1);
    guint found = 0;
    for (guint32 id = 1; id <= s->reading->ranges->len && found < steps->len; id++) {
        const RecordRange *range = record_range(s->reading, id);
        if (!s->frame->is_frame[id] ||
            range->begin != g_array_index(steps, RecordStep, found).begin)
            continue;
        numbers[found++] = number_in(record_name(s->reading, range->name));
    }
    for (guint i = 0; i < found; i++)
        if (found < steps->len || numbers[i] < 0 || numbers[i] != numbers[0] + (gint64)i)
            return;
    for (guint i = 0; i < found; i++)
        g_array_index(steps, RecordStep, i).number = numbers[i];
}

/* Leaves the steps out that may not be whole, which are the last ones. */
static void leave_out(const Search *s) {
    const RecordHead *head = &s->reading->head;
    GArray *steps = s->frame->steps;
    guint whole = 0;
    if (!s->frame->ranges)
        return;
    while (whole < steps->len) {
        const RecordStep *step = &g_array_index(steps, RecordStep, whole);
        if (step->end == 0 || (head->lost > 0 && step->end >= head->lost_at))
            break;
        whole++;
    }
    s->frame->left_out = steps->len - whole;
    g_array_set_size(steps, whole);
}

/* ---- the whole ---- */

static guint32 main_thread(const RecordReading *r) {
    g_autoptr(GHashTable) calls = g_hash_table_new(NULL, NULL);
    guint32 best = r->ranges->len > 0 ? record_range(r, 1)->thread : 0;
    guint64 most = 0;
    for (guint i = 0; i < r->blocks->len; i++) {
        const RecordBlock *block = &g_array_index(r->blocks, RecordBlock, i);
        const RecordRange *range = record_range(r, block->range);
        if (!range)
            continue;
        gpointer key = GUINT_TO_POINTER(range->thread);
        guint64 sum = GPOINTER_TO_SIZE(g_hash_table_lookup(calls, key)) +
                      block->counts[RECORD_CALLS] + block->counts[RECORD_GRAPH_LAUNCHES];
        g_hash_table_insert(calls, key, GSIZE_TO_POINTER(sum));
        if (sum > most) {
            most = sum;
            best = range->thread;
        }
    }
    return best;
}

static gboolean has_stage(const RecordReading *r) {
    for (guint32 id = 1; id <= r->ranges->len; id++)
        if (record_range(r, id)->stage)
            return TRUE;
    return FALSE;
}

static gboolean search(Search *s, const char *step, guint64 ended) {
    const RecordReading *r = s->reading;
    s->frame->ranges = has_stage(r);
    if (step && !steps_of_user(s, step))
        return FALSE;
    if (!step && s->frame->ranges)
        find_steps(s);
    else if (!step)
        add_step(s, r->head.started, ended);
    if (!s->frame->by)
        s->frame->by = g_strdup("no ranges");
    number_steps(s);
    leave_out(s);
    return TRUE;
}

RecordFrame *record_frame(const RecordReading *reading, const char *step, guint64 ended) {
    Search s = {.reading = reading, .frame = g_new0(RecordFrame, 1)};
    g_autoptr(RecordFrame) frame = s.frame;
    frame->steps = g_array_new(FALSE, FALSE, sizeof(RecordStep));
    frame->is_frame = g_new0(guint8, reading->ranges->len + 1);
    record_level_init(&s.level, reading, main_thread(reading), frame->is_frame);
    gboolean found = search(&s, step, ended);
    record_level_clear(&s.level);
    return found ? g_steal_pointer(&frame) : NULL;
}

void record_frame_free(RecordFrame *frame) {
    if (!frame)
        return;
    g_array_unref(frame->steps);
    g_free(frame->is_frame);
    g_free(frame->by);
    g_free(frame);
}

int record_frame_step(const RecordFrame *frame, guint64 time) {
    guint low = 0, high = frame->steps->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (g_array_index(frame->steps, RecordStep, middle).begin <= time)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || time >= g_array_index(frame->steps, RecordStep, low - 1).end)
        return -1;
    return (int)low - 1;
}

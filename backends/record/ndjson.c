#include "backends/cuda/driver.h"
#include "backends/record/write.h"
#include "model/base/json.h"
#include "model/base/version.h"

static const char *const count_names[] = {
#define COUNT_NAME(number, name) name,
    RECORD_COUNTS(COUNT_NAME)
#undef COUNT_NAME
};

static void put(json_t *object, const char *key, json_t *value) {
    json_object_set_new(object, key, value);
}

/* Takes over the object. */
static void add_line(GString *out, json_t *object) {
    char *line = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(12));
    g_string_append(out, line);
    g_string_append_c(out, '\n');
    free(line);
    json_decref(object);
}

/* ---- the head ---- */

static json_t *texts(char *const *list) {
    json_t *array = json_array();
    for (; *list; list++) {
        g_autofree char *valid = g_utf8_make_valid(*list, -1);
        json_array_append_new(array, json_string(valid));
    }
    return array;
}

static json_t *stage_list(const RecordTally *t) {
    json_t *array = json_array();
    for (guint s = 0; s < t->stages->len; s++) {
        const RecordStage *stage = &g_array_index(t->stages, RecordStage, s);
        json_t *object = json_object();
        put(object, "name", json_string(stage->name));
        put(object, "range",
            stage->range ? json_string(record_name(t->reading, stage->range)) : json_null());
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *version_or_null(char *text, gboolean known) {
    json_t *value = known ? json_string(text) : json_null();
    g_free(text);
    return value;
}

static void add_head(GString *out, const RecordTally *t, const RecordAbout *about) {
    const RecordHead *head = &t->reading->head;
    g_autoptr(GPtrArray) notes = record_notes(t, about);
    json_t *o = json_object();
    put(o, "schema", json_string("atlas-record/1"));
    put(o, "version", json_string(ATLAS_VERSION));
    put(o, "program", texts(about->command));
    put(o, "status", json_integer(about->status));
    put(o, "pid", json_integer(head->pid));
    put(o, "device", head->device[0] ? json_string(head->device) : json_null());
    put(o, "devices", json_integer(head->devices));
    put(o, "cuda", version_or_null(cuda_version_text((int)head->driver), head->driver > 0));
    put(o, "driver", atlas_json_string(about->release));
    put(o, "cupti", head->cupti ? json_integer(head->cupti) : json_null());
    put(o, "attach", json_string(about->cupti ? "cupti" : "preload"));
    put(o, "steps", json_integer(t->frame->steps->len));
    put(o, "steps_by", json_string(t->frame->by));
    put(o, "steps_left_out", json_integer(t->frame->left_out));
    put(o, "stages", stage_list(t));
    put(o, "ended", json_boolean(head->flags & RECORD_ENDED));
    put(o, "full", json_boolean(head->lost > 0));
    put(o, "lost_activities",
        about->activities ? json_integer((json_int_t)head->lost_activities) : json_null());
    g_ptr_array_add(notes, NULL);
    put(o, "notes", texts((char *const *)notes->pdata));
    add_line(out, o);
}

/* ---- steps ---- */

static void add_cell(GString *out, const RecordAbout *about, json_t *step, const char *stage,
                     const RecordCell *cell, gboolean timed) {
    json_t *o = json_object();
    put(o, "step", step);
    put(o, "stage", atlas_json_string(stage));
    put(o, "ms", timed ? json_real((double)MAX(cell->ns, 0) / 1e6) : json_null());
    put(o, "submissions", json_integer(record_submissions(cell)));
    for (guint k = 0; k < RECORD_COUNT_KINDS; k++) {
        gboolean of_device = k >= RECORD_ACTIVITIES && k <= RECORD_DEVICE_NS;
        put(o, count_names[k],
            of_device && !about->activities ? json_null() : json_integer(cell->counts[k]));
    }
    add_line(out, o);
}

static void add_steps(GString *out, const RecordTally *t, const RecordAbout *about) {
    for (guint i = 0; i < t->frame->steps->len; i++)
        for (guint s = 0; s <= t->stages->len; s++) {
            const char *name =
                s < t->stages->len ? g_array_index(t->stages, RecordStage, s).name : NULL;
            gint64 number = g_array_index(t->frame->steps, RecordStep, i).number;
            add_cell(out, about, json_integer(number), name, record_cell(t, i, s), TRUE);
        }
    add_cell(out, about, json_null(), NULL, &t->elsewhere, FALSE);
}

/* ---- kernels ---- */

/* All threads' uses of a kernel in a stage (-1: none) on a stream. */
typedef struct {
    const char *kernel;
    int stage;
    guint32 stream;
    guint64 calls, captured;
} Kernel;

static gint by_stage(gconstpointer a, gconstpointer b) {
    const Kernel *x = a, *y = b;
    if (x->stage != y->stage)
        return (guint)x->stage < (guint)y->stage ? -1 : 1;
    if (x->calls != y->calls)
        return x->calls > y->calls ? -1 : 1;
    int names = g_strcmp0(x->kernel, y->kernel);
    return names != 0 ? names : x->stream < y->stream ? -1 : x->stream > y->stream;
}

static GArray *find_kernels(const RecordTally *t) {
    const RecordReading *r = t->reading;
    GArray *kernels = g_array_new(FALSE, FALSE, sizeof(Kernel));
    g_autoptr(GHashTable) places = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < r->uses->len; i++) {
        const RecordUse *use = &g_array_index(r->uses, RecordUse, i);
        Kernel kernel = {use->kernel ? record_name(r, use->kernel) : NULL,
                         use->range || !t->frame->ranges ? record_stage_of(t, use->range) : -1,
                         use->stream, 0, 0};
        char *key = g_strdup_printf("%u %d %u", use->kernel, kernel.stage, use->stream);
        guint place = GPOINTER_TO_UINT(g_hash_table_lookup(places, key));
        if (place == 0) {
            g_array_append_val(kernels, kernel);
            place = kernels->len;
            g_hash_table_insert(places, key, GUINT_TO_POINTER(place));
        } else {
            g_free(key);
        }
        Kernel *sum = &g_array_index(kernels, Kernel, place - 1);
        sum->calls += use->calls;
        sum->captured += use->captured;
    }
    g_array_sort(kernels, by_stage);
    return kernels;
}

static json_t *stream_name(guint32 stream) {
    char number[16];
    g_snprintf(number, sizeof number, "%u", stream);
    return json_string(stream == 0 ? "legacy" : stream == 1 ? "per-thread" : number);
}

static void add_kernels(GString *out, const RecordTally *t) {
    g_autoptr(GArray) kernels = find_kernels(t);
    for (guint i = 0; i < kernels->len; i++) {
        const Kernel *kernel = &g_array_index(kernels, Kernel, i);
        json_t *o = json_object();
        put(o, "kernel", atlas_json_string(kernel->kernel));
        put(o, "stage",
            kernel->stage < 0
                ? json_null()
                : json_string(g_array_index(t->stages, RecordStage, (guint)kernel->stage).name));
        put(o, "stream", stream_name(kernel->stream));
        put(o, "calls", json_integer((json_int_t)kernel->calls));
        put(o, "captured", json_integer((json_int_t)kernel->captured));
        add_line(out, o);
    }
}

char *record_ndjson(const RecordTally *t, const RecordAbout *about) {
    GString *out = g_string_new(NULL);
    add_head(out, t, about);
    add_steps(out, t, about);
    add_kernels(out, t);
    return g_string_free(out, FALSE);
}

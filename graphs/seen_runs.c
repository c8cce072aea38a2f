#include "graphs/seen_runs.h"

#include <string.h>

#include "model/measure/kernel_name.h"
#include "model/op/program.h"

/* ---- names ---- */

/* A name that is not among those given out, and is from now on. */
static const char *own_name(SeenRuns *r, GHashTable *taken, const char *text) {
    g_autofree char *name = atlas_kernel_identifier(text);
    g_autoptr(GString) own = g_string_new(name);
    for (guint n = 2; g_hash_table_contains(taken, own->str); n++)
        g_string_printf(own, "%s_%u", name, n);
    const char *kept = g_string_chunk_insert(r->strings, own->str);
    g_hash_table_add(taken, (gpointer)kept);
    return kept;
}

/* How many bytes of every stage's name are the same word and colon; 0: none are. */
static gsize shared_word(const AtlasSurvey *survey) {
    gsize length = 0;
    for (guint i = 0; i + 1 < survey->stages->len; i++) {
        const char *name = atlas_survey_stage(survey, i)->name;
        const char *colon = strchr(name, ':');
        gsize own = colon && colon[1] ? (gsize)(colon - name) + 1 : 0;
        if (i > 0 &&
            (own != length || strncmp(name, atlas_survey_stage(survey, 0)->name, length) != 0))
            return 0;
        length = own;
    }
    return length;
}

static void name_stages(SeenRuns *r) {
    g_autoptr(GHashTable) taken = g_hash_table_new(g_str_hash, g_str_equal);
    gsize skip = shared_word(r->survey);
    for (guint i = 0; i < r->survey->stages->len; i++) {
        const char *name = atlas_survey_stage(r->survey, i)->name;
        g_ptr_array_add(r->stages, (gpointer)own_name(r, taken, name ? name + skip : "outside"));
    }
}

/* Kernels that people know by the same short name are one. */
static void name_kernels(SeenRuns *r) {
    g_autoptr(GHashTable) taken = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GHashTable) known = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < r->survey->kernels->len; i++) {
        const char *brief = atlas_survey_kernel(r->survey, i)->brief;
        gpointer name = g_hash_table_lookup(known, brief);
        if (!name) {
            name = (gpointer)own_name(r, taken, brief);
            g_hash_table_insert(known, (gpointer)brief, name);
        }
        g_ptr_array_add(r->kernels, name);
    }
}

/* What kernels of a name took, all together. */
typedef struct {
    gint64 ns, ran;
} Took;

static void time_kernels(SeenRuns *r) {
    g_autoptr(GHashTable) by_name = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    guint n = r->survey->kernels->len;
    r->kernel_ns = g_new0(gint64, n + 1);
    for (guint i = 0; i < n; i++) {
        const AtlasSurveyKernel *kernel = atlas_survey_kernel(r->survey, i);
        gpointer name = g_ptr_array_index(r->kernels, i);
        Took *took = g_hash_table_lookup(by_name, name);
        if (!took) {
            took = g_new0(Took, 1);
            g_hash_table_insert(by_name, name, took);
        }
        took->ns += MAX(kernel->gpu_ns, 0);
        took->ran += kernel->launches + kernel->nodes;
    }
    for (guint i = 0; i < n; i++) {
        const Took *took = g_hash_table_lookup(by_name, g_ptr_array_index(r->kernels, i));
        gint64 mean = took->ran ? took->ns / took->ran : 0;
        r->kernel_ns[i] =
            mean <= ATLAS_PROGRAM_COST_MAX ? mean : 0; /* a program could not say it */
    }
}

/* "s7", or "d1_s7" where there are several devices. */
static const char *stream_name(SeenRuns *r, guint stream) {
    const GArray *all = r->survey->streams;
    g_autofree char *name = NULL;
    gboolean many = FALSE;
    if (stream == ATLAS_SEEN_NONE && all->len == 1)
        stream = 0; /* it ran somewhere, and there is nothing else */
    for (guint i = 1; i < all->len; i++)
        many |= g_array_index(all, AtlasSurveyStream, i).device !=
                g_array_index(all, AtlasSurveyStream, 0).device;
    if (stream == ATLAS_SEEN_NONE) {
        name = g_strdup("untold");
    } else {
        const AtlasSurveyStream *s = &g_array_index(all, AtlasSurveyStream, stream);
        name =
            many ? g_strdup_printf("d%" G_GINT64_FORMAT "_s%" G_GINT64_FORMAT, s->device, s->stream)
                 : g_strdup_printf("s%" G_GINT64_FORMAT, s->stream);
    }
    const char *kept = g_string_chunk_insert_const(r->strings, name);
    if (!g_ptr_array_find(r->streams, kept, NULL))
        g_ptr_array_add(r->streams, (gpointer)kept);
    return kept;
}

char *seen_name(const AtlasSurvey *survey, char joint) {
    static const char *const endings[] = {".gz", ".json", ".sqlite", ".ndjson", ".pt.trace"};
    g_autofree char *base = g_path_get_basename(survey->name);
    for (guint i = 0; i < G_N_ELEMENTS(endings); i++)
        if (g_str_has_suffix(base, endings[i]))
            base[strlen(base) - strlen(endings[i])] = '\0';
    return g_strdelimit(atlas_kernel_identifier(base), "_", joint);
}

gboolean seen_can_be_written(const AtlasSurvey *survey, AtlasDiags *diags) {
    AtlasSpan nowhere = {NULL, 0, 0};
    if (!survey->sequence->len) {
        atlas_diags_error(diags, nowhere, "'%s' does not tell in which order a step launches what",
                          survey->name);
        atlas_diags_hint(diags, "a trace of PyTorch's profiler or of Nsight Systems does, if the "
                                "GPU's calls are in it");
        return FALSE;
    }
    for (guint i = 0; i < survey->sequence->len; i++) {
        const AtlasSeen *seen = &g_array_index(survey->sequence, AtlasSeen, i);
        if (seen->kind != ATLAS_SEEN_PART || seen->part != ATLAS_PART_CAPTURE)
            continue;
        atlas_diags_error(diags, nowhere, "the typical step of '%s' captures graphs itself",
                          survey->name);
        atlas_diags_hint(diags, "trace steps that run eagerly, or that only replay graphs");
        return FALSE;
    }
    return TRUE;
}

/* ---- runs ---- */

/* The run of a stage between two places, from `first` on; it is added where it is new. */
static SeenRun *run_of(SeenRuns *r, guint first, const char *stage) {
    for (guint i = first; i < r->runs->len; i++)
        if (g_array_index(r->runs, SeenRun, i).stage == stage)
            return &g_array_index(r->runs, SeenRun, i);
    SeenRun run = {.stage = stage, .work = g_array_new(FALSE, FALSE, sizeof(SeenWork))};
    g_array_append_val(r->runs, run);
    return &g_array_index(r->runs, SeenRun, r->runs->len - 1);
}

static void add_work(SeenRuns *r, guint first, const AtlasSeen *seen) {
    SeenRun *run = run_of(r, first, g_ptr_array_index(r->stages, seen->stage));
    SeenWork work = {.kind = seen->kind,
                     .stream = stream_name(r, seen->stream),
                     .pageable = seen->pageable,
                     .count = 1};
    if (seen->kind == ATLAS_SEEN_LAUNCH) {
        gboolean told = seen->of != ATLAS_TRACE_NONE;
        work.kernel = told ? g_ptr_array_index(r->kernels, seen->of) : "unrecorded";
        work.ns = told ? r->kernel_ns[seen->of] : 0;
    }
    for (guint i = 0; i < run->work->len; i++) {
        SeenWork *same = &g_array_index(run->work, SeenWork, i);
        if (same->kind == work.kind && same->stream == work.stream && same->kernel == work.kernel &&
            same->pageable == work.pageable) {
            same->count++;
            return;
        }
    }
    g_array_append_val(run->work, work);
}

/* What the host does outside of every stage belongs to what stands before it. */
static const char *stage_of_end(const SeenRuns *r, const AtlasSeen *seen) {
    if (seen->stage + 1U < r->stages->len || seen->kind == ATLAS_SEEN_GRAPH || r->runs->len == 0)
        return g_ptr_array_index(r->stages, seen->stage);
    return g_array_index(r->runs, SeenRun, r->runs->len - 1).stage;
}

/* The end stands in a run of its own stage, the last one before it. */
static void add_end(SeenRuns *r, guint first, const AtlasSeen *seen) {
    const char *stage = stage_of_end(r, seen);
    gboolean last =
        r->runs->len > first && g_array_index(r->runs, SeenRun, r->runs->len - 1).stage == stage;
    SeenRun *run =
        last ? &g_array_index(r->runs, SeenRun, r->runs->len - 1) : run_of(r, r->runs->len, stage);
    run->ended = TRUE;
    run->end = *seen;
    run->end_stream = seen->stream == ATLAS_SEEN_NONE && seen->kind == ATLAS_SEEN_PART
                          ? NULL
                          : stream_name(r, seen->stream);
}

static void clear_run(gpointer data) {
    g_array_unref(((SeenRun *)data)->work);
}

SeenRuns *seen_runs_new(const AtlasSurvey *survey) {
    SeenRuns *r = g_new0(SeenRuns, 1);
    guint first = 0;
    r->survey = survey;
    r->strings = g_string_chunk_new(1024);
    r->runs = g_array_new(FALSE, FALSE, sizeof(SeenRun));
    g_array_set_clear_func(r->runs, clear_run);
    r->stages = g_ptr_array_new();
    r->streams = g_ptr_array_new();
    r->kernels = g_ptr_array_new();
    name_stages(r);
    name_kernels(r);
    time_kernels(r);
    for (guint i = 0; i < survey->sequence->len; i++) {
        const AtlasSeen *seen = &g_array_index(survey->sequence, AtlasSeen, i);
        if (seen->kind != ATLAS_SEEN_PART && seen->kind != ATLAS_SEEN_GRAPH) {
            add_work(r, first, seen);
            continue;
        }
        add_end(r, first, seen);
        first = r->runs->len;
    }
    return r;
}

void seen_runs_free(SeenRuns *r) {
    if (!r)
        return;
    g_array_unref(r->runs);
    g_ptr_array_unref(r->stages);
    g_ptr_array_unref(r->streams);
    g_ptr_array_unref(r->kernels);
    g_string_chunk_free(r->strings);
    g_free(r->kernel_ns);
    g_free(r);
}

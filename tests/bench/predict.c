/* How fast configurations are predicted, and how that grows with the model and its runs.
 *
 * One core, no limit that passes or fails. "point" is what a configuration launches at the solved
 * point; "bounds" is the least and greatest launches of all its stages. The peer of the first is a
 * C function written by hand for minimouse alone: the price of reading the model from a file.
 */
#include <glib/gstdio.h>
#include <string.h>

#include "model/base/table.h"
#include "model/solve/study.h"
#include "tests/bench/bench.h"

enum { CONFIGS = 1024 };

/* splitmix64 */
static guint64 random_bits(guint64 *state) {
    guint64 z = *state += G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * G_GUINT64_CONSTANT(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* ---- a study and configurations of it ---- */

typedef struct {
    AtlasDiags *diags;
    AtlasStudy *study;
    double load_s;
    AtlasConfig *configs[CONFIGS];
} Subject;

/* Every parameter and every arm of the base gets a random value. */
static AtlasConfig *random_config(const AtlasModel *model, guint64 *state) {
    AtlasConfig *config = atlas_config_new(model);
    for (guint i = 0; i < model->params->len; i++) {
        const AtlasParam *p = ATLAS_PARAM(model, i);
        guint64 range = (guint64)(p->high - p->low) + 1;
        atlas_config_put(config, FALSE, i, p->low + (gint64)(random_bits(state) % range));
    }
    for (guint i = 0; i < model->arms->len; i++)
        atlas_config_put(config, TRUE, i,
                         ATLAS_ARM(model, i)->standard && random_bits(state) % 4 != 0);
    return config;
}

static Subject subject_new(const char *spec) {
    guint64 state = 1;
    double start = now();
    Subject s = {.diags = atlas_diags_new()};
    s.study = atlas_study_load(spec, NULL, ATLAS_RAT_NONE, s.diags);
    s.load_s = now() - start;
    if (atlas_diags_errors(s.diags)) {
        g_autofree char *text = atlas_diags_render(s.diags, FALSE);
        fail(text);
    }
    for (guint i = 0; i < CONFIGS; i++)
        s.configs[i] = random_config(s.study->model, &state);
    return s;
}

static void subject_clear(Subject *s) {
    for (guint i = 0; i < CONFIGS; i++)
        atlas_config_free(s->configs[i]);
    atlas_study_free(s->study);
    atlas_diags_free(s->diags);
}

/* ---- what is measured ---- */

static void point(const Subject *s, guint index) {
    AtlasWalkFault fault;
    AtlasRat stages[16];
    if (!atlas_walk_stages(s->configs[index], s->study->point->unknowns, 0, 0, stages, &fault))
        fail("a configuration makes no sense");
    sink += stages[0].num;
}

static void bounds(const Subject *s, guint index) {
    AtlasWalkFault fault;
    const AtlasConfig *config = s->configs[index];
    guint stages = config->model->stages->len;
    gint64 period = atlas_walk_period(config, &fault);
    AtlasLinear *forms = period ? atlas_walk_linear_stages(config, 0, period - 1, &fault) : NULL;
    if (!forms)
        fail("a configuration makes no sense");
    for (guint i = 0; i < stages; i++)
        sink += atlas_lp_interval(s->study->lp, &forms[i]).lo.num;
    atlas_linear_free(forms, stages);
}

/* Five counts of minimouse, as one would write them down. */
enum {
    EMBED_FWD,
    HEAD_FWD,
    KDA_FWD,
    CORE_FWD,
    EXPERT_FWD,
    LOSS_FWD,
    AUX_FWD,
    KDA_BWD,
    CORE_BWD,
    EXPERT_BWD,
    ENDS_BWD,
    AUX_BWD,
    KDA_OPT,
    EXPERT_OPT,
    REST_OPT,
    AUX_OPT,
    EXPERT_RETR,
    HEAD_RETR,
    KDA_EMA,
    EXPERT_EMA,
    REST_EMA,
    COUNTS
};
static const char *const count_names[COUNTS] = {
    "embed_fwd", "head_fwd", "kda_fwd",     "core_fwd",  "expert_fwd", "loss_fwd",   "aux_fwd",
    "kda_bwd",   "core_bwd", "expert_bwd",  "ends_bwd",  "aux_bwd",    "kda_opt",    "expert_opt",
    "rest_opt",  "aux_opt",  "expert_retr", "head_retr", "kda_ema",    "expert_ema", "rest_ema",
};

typedef struct {
    gint64 iters, experts;
    gboolean kda, jepa;
} Setting;

static gint64 counts[COUNTS];
static Setting settings[CONFIGS];

static void by_hand(const Setting *s, const gint64 *c, gint64 *stages) {
    gint64 body = (s->kda ? c[KDA_FWD] : 0) + c[CORE_FWD] + c[EXPERT_FWD] * s->experts;
    gint64 forward = c[EMBED_FWD] + s->iters * body + c[HEAD_FWD];
    gint64 back = (s->kda ? c[KDA_BWD] : 0) + c[CORE_BWD] + c[EXPERT_BWD] * s->experts;
    gint64 add = (s->kda ? 10 : 0) + 6 + 3 * s->experts;
    stages[0] = forward + c[LOSS_FWD] + (s->jepa ? forward + c[AUX_FWD] : 0);
    stages[1] = (s->jepa ? c[AUX_BWD] : 0) + c[ENDS_BWD] + s->iters * back + (s->iters - 1) * add;
    stages[2] = (s->kda ? c[KDA_OPT] : 0) + c[EXPERT_OPT] * s->experts + c[REST_OPT] +
                (s->jepa ? c[AUX_OPT] : 0);
    stages[3] = c[EXPERT_RETR] * s->experts + c[HEAD_RETR];
    stages[4] = s->jepa ? (s->kda ? c[KDA_EMA] : 0) + c[EXPERT_EMA] * s->experts + c[REST_EMA] : 0;
}

static void peer(const Subject *s, guint index) {
    gint64 stages[5];
    (void)s;
    by_hand(&settings[index], counts, stages);
    sink += stages[0] + stages[1] + stages[2] + stages[3] + stages[4];
}

/* The peer's numbers, from the solved model; both must say the same of every configuration. */
static void prepare_peer(const Subject *s) {
    const AtlasModel *model = s->study->model;
    guint iters = (guint)atlas_model_find_param(model, "iters");
    guint experts = (guint)atlas_model_find_param(model, "experts");
    guint kda = (guint)atlas_model_find_arm(model, "kda");
    guint jepa = (guint)atlas_model_find_arm(model, "jepa");
    for (guint i = 0; i < model->unknowns->len; i++)
        for (guint j = 0; j < COUNTS; j++)
            if (strcmp(ATLAS_UNKNOWN(model, i)->name, count_names[j]) == 0)
                counts[j] = s->study->point->unknowns[i].num;
    for (guint i = 0; i < CONFIGS; i++) {
        const AtlasConfig *config = s->configs[i];
        AtlasWalkFault fault;
        AtlasRat walked[5];
        gint64 stages[5];
        settings[i] = (Setting){config->params[iters], config->params[experts],
                                atlas_config_arm(config, kda), atlas_config_arm(config, jepa)};
        by_hand(&settings[i], counts, stages);
        atlas_walk_stages(config, s->study->point->unknowns, 0, 0, walked, &fault);
        for (guint j = 0; j < G_N_ELEMENTS(stages); j++)
            if (walked[j].num != stages[j])
                fail("minimouse and its peer differ");
    }
}

/* Calls a second, over the configurations in turn. */
static double rate(void (*what)(const Subject *, guint), const Subject *s) {
    gint64 calls = 0, batch = 1;
    double start = now(), took = 0;
    for (; took < LONG_ENOUGH; took = now() - start, batch *= 2)
        for (gint64 i = 0; i < batch; i++)
            what(s, (guint)(calls++ % CONFIGS));
    return (double)calls / took;
}

/* ---- growth ---- */

enum { SETTINGS = 8, STAGES = 5 };

/* A model of `populations`, each with an unknown of its own and times one of eight parameters, and
 * `runs` of it with random parameters. */
static void write_study(const char *folder, guint populations, guint runs) {
    GString *spec = g_string_new("atlas: 1\nname: growth\ncounter: {lag: 2}\nparams:\n");
    GString *table = g_string_new("run\tconfiguration\tsteps");
    guint64 state = 1;
    for (guint p = 0; p < SETTINGS; p++)
        g_string_append_printf(spec, "  p%u: {default: 1, min: 0, max: 3}\n", p);
    g_string_append(spec, "stages:\n");
    for (guint s = 0; s < STAGES; s++) {
        g_string_append_printf(spec, "  - stage: s%u\n    do:\n", s);
        g_string_append_printf(table, "\ts%u", s);
        for (guint i = s; i < populations; i += STAGES)
            g_string_append_printf(spec, "      - {launch: i%u, count: u%u * p%u}\n", i, i,
                                   i / STAGES % SETTINGS);
    }
    g_string_append(spec, "unknowns:\n");
    for (guint i = 0; i < populations; i++)
        g_string_append_printf(spec, "  u%u: {}\n", i);
    g_string_append(spec, "runs: runs.tsv\n");
    for (guint r = 0; r < runs; r++) {
        gint64 setting[SETTINGS], sums[STAGES] = {0};
        g_string_append_printf(table, "\nr%u\t", r);
        for (guint p = 0; p < SETTINGS; p++) {
            setting[p] = (gint64)(random_bits(&state) % 4);
            g_string_append_printf(table, "%sp%u=%d", p ? "," : "", p, (int)setting[p]);
        }
        for (guint i = 0; i < populations; i++)
            sums[i % STAGES] += (1 + i * 7919 % 17) * setting[i / STAGES % SETTINGS];
        g_string_append(table, "\t20-29");
        for (guint s = 0; s < STAGES; s++)
            g_string_append_printf(table, "\t%d.0", (int)sums[s]);
    }
    g_string_append_c(table, '\n');
    g_autofree char *spec_path = g_build_filename(folder, "growth.yaml", NULL);
    g_autofree char *table_path = g_build_filename(folder, "runs.tsv", NULL);
    if (!g_file_set_contents(spec_path, spec->str, -1, NULL) ||
        !g_file_set_contents(table_path, table->str, -1, NULL))
        fail("cannot write a generated spec");
    g_string_free(spec, TRUE);
    g_string_free(table, TRUE);
}
static void remove_study(const char *folder) {
    static const char *const files[] = {"growth.yaml", "runs.tsv"};
    for (guint i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *path = g_build_filename(folder, files[i], NULL);
        g_remove(path);
    }
    g_rmdir(folder);
}

/* ---- reports ---- */

static const AtlasTableColumn rate_columns[] = {{"what", "what", FALSE},
                                                {"value", "value", TRUE},
                                                {"unit", "unit", FALSE},
                                                {NULL, NULL, FALSE}};

static void add_rate(AtlasTable *table, const char *what, double value, const char *unit) {
    atlas_table_row(table);
    atlas_table_text(table, "%s", what);
    atlas_table_text(table, value < 100 ? "%.1f" : "%.0f", value);
    atlas_table_text(table, "%s", unit);
}

static void print_and_free(AtlasTable *table) {
    g_autofree char *text = atlas_table_render(table);
    puts(text);
    fflush(stdout);
    atlas_table_free(table);
}

static void report_rates(void) {
    AtlasTable *table = atlas_table_new(rate_columns);
    Subject s = subject_new("specs/minimouse.yaml");
    prepare_peer(&s);
    double points = rate(point, &s), peers = rate(peer, &s);
    add_rate(table, "minimouse, point", points, "configurations/s");
    add_rate(table, "minimouse, the same in C by hand", peers, "configurations/s");
    add_rate(table, "minimouse, by hand over point", peers / points, "times");
    add_rate(table, "minimouse, bounds of all stages", rate(bounds, &s), "configurations/s");
    subject_clear(&s);
    s = subject_new("specs/dormouse-small.yaml");
    add_rate(table, "dormouse-small, point", rate(point, &s), "configurations/s");
    add_rate(table, "dormouse-small, bounds of all stages", rate(bounds, &s), "configurations/s");
    add_rate(table, "dormouse-small, from file to point", s.load_s * 1e3, "ms");
    subject_clear(&s);
    add_rate(table, "peak memory so far", peak_mib(), "MiB");
    print_and_free(table);
}

static const AtlasTableColumn growth_columns[] = {{"populations", "populations", TRUE},
                                                  {"runs", "runs", TRUE},
                                                  {"load ms", "load_ms", TRUE},
                                                  {"point us", "point_us", TRUE},
                                                  {"bounds ms", "bounds_ms", TRUE},
                                                  {"peak MiB", "peak_mib", TRUE},
                                                  {NULL, NULL, FALSE}};

/* From file to point, then a configuration's stages at the point, then their bounds. */
static void report_growth(void) {
    static const struct {
        guint populations, runs;
    } sizes[] = {{10, 10}, {100, 10}, {1000, 10}, {10000, 10}, {40, 10}, {40, 30}, {40, 100}};
    AtlasTable *table = atlas_table_new(growth_columns);
    g_autofree char *folder = g_dir_make_tmp("atlas-bench-XXXXXX", NULL);
    g_autofree char *spec = g_build_filename(folder, "growth.yaml", NULL);
    for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) {
        write_study(folder, sizes[i].populations, sizes[i].runs);
        Subject s = subject_new(spec);
        atlas_table_row(table);
        atlas_table_text(table, "%u", sizes[i].populations);
        atlas_table_text(table, "%u", sizes[i].runs);
        atlas_table_text(table, "%.0f", s.load_s * 1e3);
        if (s.study->point)
            atlas_table_text(table, "%.1f", 1e6 / rate(point, &s));
        else
            atlas_table_text(table, "none");
        atlas_table_text(table, "%.1f", 1e3 / rate(bounds, &s));
        atlas_table_text(table, "%.0f", peak_mib());
        subject_clear(&s);
    }
    remove_study(folder);
    print_and_free(table);
}

int main(void) {
    report_rates();
    report_growth();
    return 0;
}

/* Surveys as one table of rows for programs. */
#include "backends/survey/show.h"

static const AtlasTableColumn columns[] = {
    {NULL, "file", FALSE},  {NULL, "what", FALSE}, {NULL, "name", FALSE}, {NULL, "stage", FALSE},
    {NULL, "count", FALSE}, {NULL, "sum", TRUE},   {NULL, "least", TRUE}, {NULL, "most", TRUE},
    {NULL, "steps", TRUE},  {NULL, NULL, FALSE},
};

typedef struct {
    AtlasTable *table;
    const AtlasSurvey *survey;
} Rows;

static AtlasRat known(gint64 n) {
    return n < 0 ? ATLAS_RAT_NONE : atlas_rat(n);
}

static void head(Rows *r, const char *what, const char *name, const char *stage,
                 const char *count) {
    atlas_table_row(r->table);
    atlas_table_text(r->table, "%s", r->survey->name);
    atlas_table_text(r->table, "%s", what);
    atlas_table_text(r->table, "%s", name);
    atlas_table_text(r->table, "%s", stage);
    atlas_table_text(r->table, "%s", count);
}

static void row(Rows *r, const char *what, const char *name, const char *stage, const char *count,
                AtlasRat sum) {
    head(r, what, name, stage, count);
    atlas_table_number(r->table, sum, 0);
    atlas_table_skip(r->table);
    atlas_table_skip(r->table);
    atlas_table_number(r->table, atlas_rat(r->survey->steps), 0);
}

static void tally_row(Rows *r, const char *what, const char *name, const char *stage,
                      const char *count, const AtlasTally *tally) {
    head(r, what, name, stage, count);
    atlas_table_number(r->table, tally->known ? atlas_rat(tally->sum) : ATLAS_RAT_NONE, 0);
    atlas_table_number(r->table, tally->known ? atlas_rat(tally->least) : ATLAS_RAT_NONE, 0);
    atlas_table_number(r->table, tally->known ? atlas_rat(tally->most) : ATLAS_RAT_NONE, 0);
    atlas_table_number(r->table, atlas_rat(r->survey->steps), 0);
}

static const char *stage_name(const AtlasSurvey *survey, guint stage) {
    const char *name = atlas_survey_stage(survey, stage)->name;
    return name ? name : "";
}

static void totals(Rows *r) {
    const AtlasTraceTotals *t = &r->survey->totals;
    const struct {
        const char *name;
        gint64 n;
    } rows[] = {{"calls", t->calls},           {"graph_launches", t->graph_launches},
                {"copies", t->copies},         {"memsets", t->memsets},
                {"activities", t->activities}, {"graph_nodes", t->graph_nodes},
                {"orphans", t->orphans},       {"uncaused", t->uncaused}};
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
        row(r, "total", "", "", rows[i].name, known(rows[i].n));
}

static void times(Rows *r) {
    const AtlasSurveyTime *t = &r->survey->time;
    const struct {
        const char *name;
        gint64 ns;
    } rows[] = {{"steps_ns", t->steps},     {"busy_ns", t->busy},     {"starved_ns", t->starved},
                {"waiting_ns", t->waiting}, {"queued_ns", t->queued}, {"untold_ns", t->untold},
                {"host_ns", t->host},       {"launch_ns", t->launch}};
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
        row(r, "time", "", "", rows[i].name, known(rows[i].ns));
}

static void stages(Rows *r) {
    for (guint i = 0; i <= r->survey->stages->len; i++) {
        gboolean all = i == r->survey->stages->len;
        const AtlasTally *counts = all ? r->survey->step : atlas_survey_stage(r->survey, i)->counts;
        for (AtlasTallyKind kind = 0; kind < ATLAS_TALLIES; kind++)
            tally_row(r, all ? "step" : "stage", "", all ? "" : stage_name(r->survey, i),
                      atlas_tally_name(kind), &counts[kind]);
    }
}

static void kernels(Rows *r) {
    for (guint i = 0; i < r->survey->kernels->len; i++) {
        const AtlasSurveyKernel *k = atlas_survey_kernel(r->survey, i);
        for (guint s = 0; s < r->survey->stages->len; s++)
            if (k->by_stage[s])
                row(r, "kernel", k->name, stage_name(r->survey, s), "launches",
                    atlas_rat(k->by_stage[s]));
        if (k->nodes || !r->survey->nodes_by_kernel)
            row(r, "kernel", k->name, "", "graph_nodes",
                known(r->survey->nodes_by_kernel ? k->nodes : -1));
    }
}

static void parts(Rows *r) {
    for (guint i = 0; i < r->survey->parts->len; i++) {
        const AtlasSurveyPart *p = &g_array_index(r->survey->parts, AtlasSurveyPart, i);
        tally_row(r, "part", p->call, stage_name(r->survey, p->stage), atlas_part_name(p->kind),
                  &p->count);
    }
}

char *survey_tsv(const GPtrArray *surveys) {
    g_autoptr(AtlasTable) table = atlas_table_new(columns);
    for (guint i = 0; i < surveys->len; i++) {
        Rows r = {table, g_ptr_array_index(surveys, i)};
        totals(&r);
        times(&r);
        stages(&r);
        kernels(&r);
        parts(&r);
    }
    return atlas_table_render_tsv(table);
}

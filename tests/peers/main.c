/* Compares the checker with SPIN and Rumur:
 *
 *     peers FILE…        programs (model/op/program.h) whose verdicts are to be compared
 *
 * Beside the files' programs: launch pipelines, random programs (so many of each kind as the
 * variable ATLAS_PEERS says, 3 where it is not set), and the pipelines of ../shared/docs/pipe where
 * those are. What is not installed is skipped, and said. Exit: 1 where any comparison fails.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/table.h"
#include "tests/peers/judge.h"
#include "tests/peers/pipes.h"
#include "tests/unit/random_flow.h"

#define BY_HAND "../shared/docs/pipe"
enum { STATES_MAX = 100000, RANDOM_USUAL = 3, RANDOM_TRIES = 40 };

static const AtlasTableColumn columns[] = {{"program", "program", FALSE},
                                           {"deadlock", "deadlock", FALSE},
                                           {"race", "race", FALSE},
                                           {"at its depth", "race_at_depth", FALSE},
                                           {"smear", "smear", FALSE},
                                           {"states", "states", TRUE},
                                           {"Rumur's", "rumur_states", TRUE},
                                           {"SPIN's", "spin_states", TRUE},
                                           {NULL, NULL, FALSE}};

typedef struct {
    Judge judge;
    AtlasTable *table;
    guint compared, legality, left_out;
} Peers;

static void tell(Peers *p, const char *name, const Judgement *j) {
    atlas_table_row(p->table);
    atlas_table_text(p->table, "%s", name);
    if (j->end == JUDGE_LEGALITY) {
        for (int i = 0; i < 3; i++)
            atlas_table_skip(p->table);
        atlas_table_text(p->table, "a call fails");
        return;
    }
    atlas_table_text(p->table, "%s", j->deadlock);
    atlas_table_text(p->table, "%s", j->race);
    atlas_table_text(p->table, "%s", j->race_at_depth);
    atlas_table_text(p->table, "%s", j->smear);
    atlas_table_text(p->table, "%" G_GUINT64_FORMAT, j->states);
    for (Tool tool = 0; tool < TOOLS; tool++) {
        if (p->judge.use[tool])
            atlas_table_text(p->table, "%" G_GUINT64_FORMAT, j->tool_states[tool]);
        else
            atlas_table_skip(p->table);
    }
}

/* Judges a program; TRUE where there was something to compare. `must`: there has to be. */
static gboolean take(Peers *p, const AtlasProgram *program, gboolean starts, gboolean must) {
    Judgement j = judge(&p->judge, program, starts);
    gboolean good = j.end == JUDGE_COMPARED || j.end == JUDGE_LEGALITY;
    if (must && !good)
        judge_same(&p->judge, program->name, "model", "the comparison", j.why ? j.why : "too large",
                   "modelled");
    if (good && (must || j.end == JUDGE_COMPARED)) {
        tell(p, program->name, &j);
        p->compared += j.end == JUDGE_COMPARED;
        p->legality += j.end == JUDGE_LEGALITY;
    } else {
        p->left_out++;
    }
    judgement_clear(&j);
    return good;
}

static void fail(const char *text) {
    fprintf(stderr, "%s\n", text);
    exit(2);
}

static AtlasProgramFile *read_source(const AtlasSource *source, AtlasDiags *diags) {
    AtlasProgramFile *file = atlas_program_read(source, diags);
    if (!file)
        fail(atlas_diags_render(diags, FALSE));
    return file;
}

static void take_file(Peers *p, const char *path) {
    GError *error = NULL;
    AtlasSource *source = atlas_source_load(path, &error);
    if (!source)
        fail(error->message);
    AtlasDiags *diags = atlas_diags_new();
    AtlasProgramFile *file = read_source(source, diags);
    for (guint i = 0; i < atlas_program_file_count(file); i++)
        take(p, atlas_program_file_get(file, i), FALSE, TRUE);
    atlas_program_file_free(file);
    atlas_diags_free(diags);
    atlas_source_free(source);
}

/* A program of this process's own; as take(). */
static gboolean take_text(Peers *p, char *text, const char *name, gboolean starts, gboolean must) {
    AtlasSource *source = atlas_source_new("text", text, strlen(text), NULL);
    AtlasDiags *diags = atlas_diags_new();
    AtlasProgramFile *file = read_source(source, diags);
    AtlasProgram *program = atlas_program_file_get(file, 0);
    if (name)
        program->name = atlas_program_file_intern(file, name);
    gboolean taken = take(p, program, starts, must);
    atlas_program_file_free(file);
    atlas_diags_free(diags);
    atlas_source_free(source);
    g_free(text);
    return taken;
}

static void take_pipes(Peers *p) {
    static const Pipe pipes[] = {
        {12, 2, 2, FALSE}, {24, 2, 3, FALSE}, {8, 4, 1, FALSE}, {12, 2, 2, TRUE}};
    for (guint i = 0; i < G_N_ELEMENTS(pipes); i++)
        take_text(p, pipe_text(pipes[i]), NULL, TRUE, TRUE);
}

static void take_random(Peers *p) {
    static const struct {
        const char *name;
        guint features;
    } kinds[] = {{"events", 0},
                 {"flags", RANDOM_FLAGS},
                 {"loops", RANDOM_LOOPS | RANDOM_FLAGS},
                 {"captures", RANDOM_CAPTURES}};
    const char *stated = g_getenv("ATLAS_PEERS");
    guint count = stated ? (guint)atoi(stated) : RANDOM_USUAL;
    for (guint k = 0; k < G_N_ELEMENTS(kinds); k++) {
        guint taken = 0;
        for (guint seed = 0; taken < count && seed < count * RANDOM_TRIES; seed++) {
            g_autofree char *name = g_strdup_printf("random %s %u", kinds[k].name, seed);
            taken += take_text(p, random_flow(seed, kinds[k].features), name, FALSE, FALSE);
        }
    }
}

int main(int argc, char **argv) {
    Peers p = {{.max_states = STATES_MAX, .faults = g_string_new(NULL)}, NULL, 0, 0, 0};
    guint installed = 0;
    for (Tool tool = 0; tool < TOOLS; tool++) {
        p.judge.use[tool] = tool_is_installed(tool);
        installed += p.judge.use[tool];
        if (!p.judge.use[tool])
            printf("skipped: %s not installed\n", tool_name(tool));
    }
    p.table = atlas_table_new(columns);
    for (int i = 1; i < argc; i++)
        take_file(&p, argv[i]);
    take_pipes(&p);
    if (installed)
        take_random(&p);
    g_autofree char *text = atlas_table_render(p.table);
    puts(text);
    if (installed && !pipes_by_hand(&p.judge, BY_HAND))
        printf("skipped: %s is not here\n", BY_HAND);
    printf("\n%u programs compared, each bound of a smear also lowered by one; of %u more a call "
           "fails; %u random ones were left out (not modelled, or too large)\n",
           p.compared, p.legality, p.left_out);
    printf("%s%u passed, %u failed\n", p.judge.faults->str, p.judge.passed, p.judge.failed);
    g_string_free(p.judge.faults, TRUE);
    atlas_table_free(p.table);
    return p.judge.failed > 0;
}

/* What the searches cost: all states of the launch pipeline, beside Rumur and SPIN where they are
 * installed; and interleavings of host threads, with and without those that differ in nothing.
 *
 * One core, no limit that passes or fails. A peer's seconds are the processor's, translation left
 * out. Bytes a state: of the search what its table and queues take, of a peer the most memory of
 * its process, over the states that it counts itself. SPIN's hash table has 4 to 8 slots for each
 * of the search's states: 1 to 3 for each of its own.
 */
#define _DEFAULT_SOURCE /* wait4 */
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/base/table.h"
#include "model/proof/legal.h"
#include "model/proof/search.h"
#include "tests/bench/bench.h"
#include "tests/unit/pipeline.h"

/* ---- programs ---- */

typedef struct {
    AtlasSource *source;
    AtlasDiags *diags;
    AtlasProgramFile *file;
    const AtlasProgram *program;
} Text;

static Text text_read(char *text) {
    Text t = {atlas_source_new("bench", text, strlen(text), NULL), atlas_diags_new(), NULL, NULL};
    t.file = atlas_program_read(t.source, t.diags);
    g_free(text);
    if (!t.file)
        fail("a program does not read");
    t.program = atlas_program_file_get(t.file, 0);
    return t;
}

static void text_clear(Text *t) {
    atlas_program_file_free(t->file);
    atlas_diags_free(t->diags);
    atlas_source_free(t->source);
}

/* ---- pipelines ---- */

typedef struct {
    double states, seconds, bytes;
} Cost;

static Cost search_cost(Pipe p) {
    Text t = text_read(pipe_text(p));
    SearchOptions options = {.depth = p.depth, .counts = TRUE, .starts = TRUE};
    double start = cpu();
    g_autoptr(SearchResult) s = search_run(t.program, &options);
    Cost cost = {(double)s->states, cpu() - start, (double)s->bytes};
    if (s->end != SEARCH_DONE)
        fail("a pipeline is too large");
    text_clear(&t);
    return cost;
}

/* Runs FOLDER/pipeline, its output into FOLDER/out, and takes its seconds and memory. */
static void run_pipeline(const char *folder, char *const *argv, Cost *cost) {
    g_autofree char *out = g_build_filename(folder, "out", NULL);
    struct rusage usage;
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        int to = open(out, O_CREAT | O_WRONLY | O_TRUNC, 0600);
        if (to < 0 || chdir(folder) != 0 || dup2(to, STDOUT_FILENO) < 0)
            _exit(1);
        execv(argv[0], argv);
        _exit(1);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0)
        fail("a peer does not run");
    cost->seconds = (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec +
                    (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
    cost->bytes = (double)usage.ru_maxrss * 1024;
}

/* The number that begins the last line which holds a word. */
static double count_states(const char *folder, const char *word) {
    g_autofree char *out = g_build_filename(folder, "out", NULL);
    g_autofree char *said = NULL;
    double found = -1;
    if (!g_file_get_contents(out, &said, NULL, NULL))
        fail("a peer says nothing");
    g_auto(GStrv) lines = g_strsplit(said, "\n", -1);
    for (guint i = 0; lines[i]; i++)
        if (strstr(lines[i], word))
            found = g_ascii_strtod(g_strstrip(lines[i]), NULL);
    if (found <= 0)
        fail("a peer does not say how many states there are");
    return found;
}

static void run_quietly(const char *command) {
    int status = 0;
    if (!g_spawn_command_line_sync(command, NULL, NULL, &status, NULL) || status != 0)
        fail("a peer cannot be built");
}

/* FALSE: it is not installed. `slots`: of SPIN's table, at least. */
static gboolean peer_cost(const char *tool, Pipe p, double slots, Cost *cost) {
    g_autofree char *path = g_find_program_in_path(tool);
    g_autofree char *folder = path ? g_dir_make_tmp("pipeline-XXXXXX", NULL) : NULL;
    guint bits = 18;
    if (!folder)
        return FALSE;
    while ((double)(1u << bits) < slots)
        bits++;
    gboolean spin = strcmp(tool, "spin") == 0;
    g_autofree char *build = g_strdup_printf("tests/bench/pipeline-peer %s %u %u %u %s", tool,
                                             p.launches, p.streams, p.depth, folder);
    g_autofree char *remove = g_strdup_printf("rm -rf %s", folder);
    g_autofree char *table = g_strdup_printf("-w%u", bits);
    char name[] = "./pipeline", depth[] = "-m1000000";
    char *argv[] = {name, spin ? depth : NULL, table, NULL};
    run_quietly(build);
    run_pipeline(folder, argv, cost);
    cost->states = count_states(folder, spin ? "states, stored" : "rules fired in");
    run_quietly(remove);
    return TRUE;
}

static const AtlasTableColumn search_columns[] = {{"pipeline", "pipeline", FALSE},
                                                  {"by", "by", FALSE},
                                                  {"states", "states", TRUE},
                                                  {"seconds", "seconds", TRUE},
                                                  {"million states/s", "rate", TRUE},
                                                  {"atlas over it", "rate_ratio", TRUE},
                                                  {"bytes a state", "bytes", TRUE},
                                                  {"it over atlas", "bytes_ratio", TRUE},
                                                  {"seconds over atlas's", "seconds_ratio", TRUE},
                                                  {NULL, NULL, FALSE}};

static void add_row(AtlasTable *table, Pipe p, const char *by, Cost cost, Cost atlas) {
    double rate = cost.states / cost.seconds / 1e6, own = atlas.states / atlas.seconds / 1e6;
    double bytes = cost.bytes / cost.states, fewest = atlas.bytes / atlas.states;
    atlas_table_row(table);
    atlas_table_text(table, "%u launches, %u streams, depth %u", p.launches, p.streams, p.depth);
    atlas_table_text(table, "%s", by);
    atlas_table_text(table, "%.0f", cost.states);
    atlas_table_text(table, "%.2f", cost.seconds);
    atlas_table_text(table, "%.2f", rate);
    atlas_table_text(table, "%.1f", own / rate);
    atlas_table_text(table, "%.1f", bytes);
    atlas_table_text(table, "%.1f", bytes / fewest);
    atlas_table_text(table, "%.1f", cost.seconds / atlas.seconds);
}

static void report_search(void) {
    static const Pipe pipes[] = {{48, 3, 4, FALSE},
                                 {96, 3, 6, FALSE},
                                 {96, 4, 3, FALSE},
                                 {96, 3, 8, FALSE},
                                 {96, 4, 4, FALSE}};
    static const char *const peers[] = {"rumur", "spin"};
    AtlasTable *table = atlas_table_new(search_columns);
    for (guint i = 0; i < G_N_ELEMENTS(pipes); i++) {
        Cost atlas = search_cost(pipes[i]);
        add_row(table, pipes[i], "atlas", atlas, atlas);
        for (guint j = 0; j < G_N_ELEMENTS(peers); j++) {
            Cost cost;
            if (peer_cost(peers[j], pipes[i], 4 * atlas.states, &cost))
                add_row(table, pipes[i], peers[j], cost, atlas);
            else
                printf("skipped: %s not installed\n", peers[j]);
        }
    }
    g_autofree char *text = atlas_table_render(table);
    puts(text);
    atlas_table_free(table);
}

/* ---- host threads ---- */

/* Threads that each capture a stream of their own, so many launches, and one that watches: it
 * records and queries an event of its own, as often. */
static char *threads_text(guint threads, guint launches, gboolean watched) {
    GString *out = g_string_new("# threads\nevent e\nstream w nonblocking\n");
    for (guint t = 0; t < threads; t++)
        g_string_append_printf(out, "stream s%u nonblocking\n", t);
    for (guint t = 0; t < threads; t++) {
        g_string_append_printf(out, "@%u begin s%u thread_local\n", t + 1, t);
        for (guint i = 0; i < launches; i++)
            g_string_append_printf(out, "@%u launch s%u\n", t + 1, t);
        g_string_append_printf(out, "@%u end s%u g%u\n", t + 1, t, t);
    }
    for (guint i = 0; i < launches && watched; i++)
        g_string_append_printf(out, "@%u record e w\n@%u query_event e\n", threads + 1,
                               threads + 1);
    return g_string_free(out, FALSE);
}

static const AtlasTableColumn legal_columns[] = {{"host threads", "threads", FALSE},
                                                 {"all states", "all", TRUE},
                                                 {"seconds", "all_seconds", TRUE},
                                                 {"followed", "followed", TRUE},
                                                 {"seconds", "seconds", TRUE},
                                                 {"saved", "saved", TRUE},
                                                 {NULL, NULL, FALSE}};

static double legal_cost(const Flow *flow, gboolean all, double *seconds) {
    double start = cpu();
    Legal legal = legal_search(flow, (LegalOptions){.all = all});
    *seconds = cpu() - start;
    if (legal.verdict != LEGAL_YES)
        fail("the threads are not legal");
    double states = (double)legal.states;
    legal_clear(&legal);
    return states;
}

static void report_threads(void) {
    static const struct {
        guint threads, launches;
        gboolean watched;
    } cases[] = {{2, 100, FALSE}, {3, 20, FALSE}, {2, 20, TRUE}, {3, 8, TRUE}};
    AtlasTable *table = atlas_table_new(legal_columns);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        Text t = text_read(threads_text(cases[i].threads, cases[i].launches, cases[i].watched));
        Flow *flow = flow_new(t.program);
        double seconds[2], all = legal_cost(flow, TRUE, &seconds[0]);
        double followed = legal_cost(flow, FALSE, &seconds[1]);
        atlas_table_row(table);
        atlas_table_text(table, "%u capture %u launches each%s", cases[i].threads,
                         cases[i].launches, cases[i].watched ? ", one watches" : "");
        atlas_table_text(table, "%.0f", all);
        atlas_table_text(table, "%.3f", seconds[0]);
        atlas_table_text(table, "%.0f", followed);
        atlas_table_text(table, "%.3f", seconds[1]);
        atlas_table_text(table, "%.1f %%", 100 * (1 - followed / all));
        flow_free(flow);
        text_clear(&t);
    }
    g_autofree char *text = atlas_table_render(table);
    puts(text);
    atlas_table_free(table);
}

int main(void) {
    report_threads();
    report_search();
    return 0;
}

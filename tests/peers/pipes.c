#include "tests/peers/pipes.h"

#include <stdio.h>
#include <string.h>

#include "model/proof/search.h"

/* ---- what the search says ---- */

typedef struct {
    guint64 states;
    gint64 most; /* of all reads */
} Found;

static Found search_pipe(Pipe p) {
    char *text = pipe_text(p);
    g_autoptr(AtlasSource) source = atlas_source_new("pipeline", text, strlen(text), NULL);
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasProgramFile) file = atlas_program_read(source, diags);
    SearchOptions options = {.depth = p.depth, .counts = TRUE, .starts = TRUE};
    g_autoptr(SearchResult) s = search_run(atlas_program_file_get(file, 0), &options);
    Found found = {s->states, 0};
    for (guint i = 0; i < s->readings->len; i++)
        found.most = MAX(found.most, g_array_index(s->readings, SearchReading, i).most);
    g_free(text);
    return found;
}

/* ---- models written by hand ---- */

/* The model's text with numbers in the place of its parameters: @N@ for Rumur's, macros before
 * SPIN's. NULL: there is no such file. */
static char *fill_in(const char *folder, const char *name, Pipe p, gint64 bound) {
    const char *names[] = {"N", "S", "D", "K", "PER", "BOUND", "SLOT"};
    gint64 values[] = {p.launches, p.streams, p.depth, 4, p.launches / 4, bound, p.slot};
    g_autofree char *path = g_build_filename(folder, name, NULL);
    gboolean murphi = g_str_has_suffix(name, ".m.in");
    char *text = NULL;
    GString *filled = g_string_new(murphi ? "" : "#define CHAN 0\n");
    if (!g_file_get_contents(path, &text, NULL, NULL)) {
        g_string_free(filled, TRUE);
        return NULL;
    }
    for (guint i = 0; i < G_N_ELEMENTS(names) && !murphi; i++)
        if (strcmp(names[i], "PER") != 0)
            g_string_append_printf(filled, "#define %s %" G_GINT64_FORMAT "\n", names[i],
                                   values[i]);
    g_string_append(filled, text);
    for (guint i = 0; i < G_N_ELEMENTS(names) && murphi; i++) {
        g_autofree char *from = g_strdup_printf("@%s@", names[i]);
        g_autofree char *to = g_strdup_printf("%" G_GINT64_FORMAT, values[i]);
        g_string_replace(filled, from, to, 0);
    }
    g_free(text);
    return g_string_free(filled, FALSE);
}

static const struct {
    const char *file;
    Tool tool;
    gboolean states; /* they are the search's */
    gboolean slot;   /* places free at starts are modelled */
} models[] = {
    {"pipe.m.in", TOOL_RUMUR, TRUE, FALSE},
    {"pipe.pml", TOOL_SPIN, FALSE, TRUE},
    {"pipe_sym.m.in", TOOL_RUMUR, FALSE, FALSE}, /* any stream may get the next launch */
};

/* One model with one bound: whether it breaks. */
static void compare(Judge *judge, const char *folder, guint model, Pipe p, gint64 bound,
                    gboolean broken, guint64 states) {
    g_autofree char *text = fill_in(folder, models[model].file, p, bound);
    g_autofree char *name =
        g_strdup_printf("%s N=%u S=%u D=%u SLOT=%d BOUND=%" G_GINT64_FORMAT, models[model].file,
                        p.launches, p.streams, p.depth, p.slot, bound);
    Tool tool = models[model].tool;
    ToolRun run = tool_run(tool, text ? text : "", TOOL_ASSERTIONS);
    judge_same(judge, name, "an assertion fails", tool_name(tool),
               run.complete ? (run.broken ? "yes" : "no") : run.said, broken ? "yes" : "no");
    if (models[model].states && !broken) {
        g_autofree char *counted = g_strdup_printf("%" G_GUINT64_FORMAT, run.states);
        g_autofree char *wanted = g_strdup_printf("%" G_GUINT64_FORMAT, states);
        judge_same(judge, name, "states", tool_name(tool), counted, wanted);
    }
    printf("%s: %s by %s, %" G_GUINT64_FORMAT " states\n", name, run.broken ? "refuted" : "holds",
           tool_name(tool), run.states);
    tool_run_clear(&run);
}

gboolean pipes_by_hand(Judge *judge, const char *folder) {
    static const Pipe pipes[] = {{12, 2, 2, FALSE},
                                 {24, 3, 2, FALSE},
                                 {48, 3, 4, FALSE},
                                 {12, 2, 2, TRUE},
                                 {36, 3, 2, TRUE}};
    if (!g_file_test(folder, G_FILE_TEST_IS_DIR))
        return FALSE;
    for (guint i = 0; i < G_N_ELEMENTS(pipes); i++) {
        Found found = search_pipe(pipes[i]);
        for (guint m = 0; m < G_N_ELEMENTS(models); m++) {
            if (!judge->use[models[m].tool] || (pipes[i].slot && !models[m].slot))
                continue;
            compare(judge, folder, m, pipes[i], found.most, FALSE, found.states);
            compare(judge, folder, m, pipes[i], found.most - 1, TRUE, 0);
        }
    }
    return TRUE;
}

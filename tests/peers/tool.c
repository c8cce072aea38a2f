#include "tests/peers/tool.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *name, *file;
    const char *build[2];   /* shell commands, by what is looked for */
    const char *explore[2]; /* the same */
} Row;

#define RUMUR(mode)                                                                                \
    "rumur --deadlock-detection " mode " --symmetry-reduction off --threads 1 --max-errors "       \
    "1000000 --counterexample-trace off --output-format machine-readable -o model.c model.m && "   \
    "cc -O0 -w -mcx16 model.c -o model -lpthread -latomic"
#define SPIN "spin -a model.pml && cc -O0 -w -DSAFETY -o pan pan.c"

static const Row rows[TOOLS] = {
    {"rumur", "model.m", {RUMUR("stuck"), RUMUR("off")}, {"./model", "./model"}},
    {"spin", "model.pml", {SPIN, SPIN}, {"./pan -A -c0 -m1000000 -w20", "./pan -E -m1000000 -w20"}},
};

const char *tool_name(Tool tool) {
    return rows[tool].name;
}

gboolean tool_is_installed(Tool tool) {
    g_autofree char *path = g_find_program_in_path(rows[tool].name);
    return path != NULL;
}

/* Runs a shell's command in a folder and adds what it says; its exit status. */
static int shell(const char *dir, const char *command, GString *said) {
    const char *argv[] = {"/bin/sh", "-c", command, NULL};
    char *out = NULL, *err = NULL;
    int status = 0;
    GError *error = NULL;
    if (!g_spawn_sync(dir, (char **)argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, &out, &err, &status,
                      &error)) {
        g_string_append(said, error->message);
        g_error_free(error);
        return -1;
    }
    g_string_append_printf(said, "%s%s", out, err);
    g_free(out);
    g_free(err);
    return status;
}

/* The number behind a word, or -1. */
static double number_behind(const char *text, const char *word) {
    const char *at = strstr(text, word);
    return at ? g_ascii_strtod(at + strlen(word), NULL) : -1;
}

/* The number before a word, on its line; -1: there is no such word. */
static double number_before(const char *text, const char *word) {
    const char *at = strstr(text, word);
    while (at && at > text && at[-1] != '\n')
        at--;
    return at ? g_ascii_strtod(at, NULL) : -1;
}

/* <summary states="101" … errors="0" …/> ends what Rumur says, unless it gave up. */
static void read_rumur(ToolRun *run) {
    const char *summary = strstr(run->said, "<summary ");
    double states = summary ? number_behind(summary, "states=\"") : -1;
    double errors = summary ? number_behind(summary, "errors=\"") : -1;
    run->complete = states >= 0 && errors >= 0;
    run->broken = errors > 0;
    run->states = run->complete ? (guint64)states : 0;
}

/* A search that stops at an error is complete as an answer. */
static void read_spin(ToolRun *run, ToolFind find) {
    double states = number_before(run->said, "states, stored");
    double errors = number_behind(run->said, "errors: ");
    const char *what = find == TOOL_DEADLOCK ? "invalid end state (" : "assertion violated (";
    gboolean cut = strstr(run->said, "max search depth too small") != NULL ||
                   strstr(run->said, "out of memory") != NULL;
    run->broken = errors > 0;
    run->complete =
        states >= 0 && errors >= 0 && !cut && (!run->broken || strstr(run->said, what) != NULL);
    run->states = run->complete ? (guint64)states : 0;
}

static void remove_folder(const char *dir) {
    GDir *files = g_dir_open(dir, 0, NULL);
    for (const char *name = files ? g_dir_read_name(files) : NULL; name;
         name = g_dir_read_name(files)) {
        g_autofree char *path = g_build_filename(dir, name, NULL);
        g_unlink(path);
    }
    if (files)
        g_dir_close(files);
    g_rmdir(dir);
}

ToolRun tool_run(Tool tool, const char *text, ToolFind find) {
    const Row *row = &rows[tool];
    ToolRun run = {0};
    GError *error = NULL;
    g_autofree char *dir = g_dir_make_tmp("peers-XXXXXX", &error);
    GString *said = g_string_new(error ? error->message : NULL);
    if (dir) {
        g_autofree char *path = g_build_filename(dir, row->file, NULL);
        if (g_file_set_contents(path, text, -1, &error) &&
            shell(dir, row->build[find], said) == 0) {
            g_string_truncate(said, 0);
            shell(dir, row->explore[find], said);
        }
        remove_folder(dir);
    }
    if (error)
        g_string_append(said, error->message);
    g_clear_error(&error);
    run.said = g_string_free(said, FALSE);
    if (tool == TOOL_RUMUR)
        read_rumur(&run);
    else
        read_spin(&run, find);
    return run;
}

void tool_run_clear(ToolRun *run) {
    g_free(run->said);
}

#define _POSIX_C_SOURCE 200809L
#include "backends/record/run.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include "backends/cuda/nvtx_abi.h"
#include "backends/record/recording.h"

#define LIBRARY "libatlas-record.so"

char *record_library(GError **error) {
    static const char *const places[] = {"../lib/launch-atlas", "."};
    g_autofree char *self = g_file_read_link("/proc/self/exe", error);
    if (!self)
        return NULL;
    g_autofree char *folder = g_path_get_dirname(self);
    for (guint i = 0; i < G_N_ELEMENTS(places); i++) {
        g_autofree char *path = g_build_filename(folder, places[i], LIBRARY, NULL);
        if (g_file_test(path, G_FILE_TEST_IS_REGULAR))
            return g_canonicalize_filename(path, NULL);
    }
    g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_NOENT,
                "no " LIBRARY " in '%s/../lib/launch-atlas', nor beside the program: install both",
                folder);
    return NULL;
}

gboolean record_is_taken(const char *variable) {
    const char *value = g_getenv(variable);
    return value && *value;
}

/* What the user preloads stays first. */
static char **preload(char **env, const char *library) {
    const char *before = g_environ_getenv(env, "LD_PRELOAD");
    g_autofree char *both = before && *before ? g_strconcat(before, ":", library, NULL) : NULL;
    return g_environ_setenv(env, "LD_PRELOAD", both ? both : library, TRUE);
}

static char **environment(const RecordRun *run, const char *folder, const char *library) {
    char **env = g_get_environ();
    if (!folder)
        return env;
    if (run->ranges)
        env = g_environ_setenv(env, NVTX_PATH, library, TRUE);
    env = run->cupti ? g_environ_setenv(env, RECORD_CUDA_VARIABLE, library, TRUE)
                     : preload(env, library);
    env = g_environ_setenv(env, RECORD_FOLDER, folder, TRUE);
    env = run->stages ? g_environ_setenv(env, RECORD_STAGES, run->stages, TRUE)
                      : g_environ_unsetenv(env, RECORD_STAGES);
    return run->activities ? g_environ_setenv(env, RECORD_DETAIL, "activities", TRUE)
                           : g_environ_unsetenv(env, RECORD_DETAIL);
}

/* ---- signals ---- */

/* What SIGTERM is passed on to. */
static volatile sig_atomic_t program;

static void pass_on(int number) {
    if (program > 0)
        kill((pid_t)program, number);
}

static const struct {
    int number;
    void (*handler)(int);
} signals[] = {{SIGINT, SIG_IGN}, {SIGQUIT, SIG_IGN}, {SIGTERM, pass_on}, {SIGHUP, pass_on}};

/* What this process was started to ignore stays ignored. */
static void set_signals(struct sigaction before[G_N_ELEMENTS(signals)]) {
    for (guint i = 0; i < G_N_ELEMENTS(signals); i++) {
        struct sigaction action = {.sa_handler = signals[i].handler, .sa_flags = SA_RESTART};
        sigemptyset(&action.sa_mask);
        sigaction(signals[i].number, NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN)
            sigaction(signals[i].number, &action, NULL);
    }
}

static void restore_signals(const struct sigaction before[G_N_ELEMENTS(signals)]) {
    for (guint i = 0; i < G_N_ELEMENTS(signals); i++)
        sigaction(signals[i].number, &before[i], NULL);
}

/* ---- the program ---- */

static int start(const RecordRun *run, char **env, pid_t *pid, GError **error) {
    int failure = posix_spawnp(pid, run->command[0], NULL, NULL, run->command, env);
    if (failure == 0)
        return 0;
    g_set_error(error, G_FILE_ERROR, (int)g_file_error_from_errno(failure), "cannot run '%s': %s",
                run->command[0], g_strerror(failure));
    return failure == ENOENT ? RECORD_RUN_NOT_FOUND : RECORD_RUN_NOT_EXECUTABLE;
}

int record_run(const RecordRun *run, const char *folder, const char *library, int *status,
               GError **error) {
    struct sigaction before[G_N_ELEMENTS(signals)];
    g_auto(GStrv) env = environment(run, folder, library);
    pid_t pid = 0;
    int ended = 0;
    *status = start(run, env, &pid, error);
    if (*status != 0)
        return -1;
    program = (sig_atomic_t)pid;
    set_signals(before);
    while (waitpid(pid, &ended, 0) < 0 && errno == EINTR)
        continue;
    program = 0;
    restore_signals(before);
    return ended;
}

/* Running a program with the library that records (inject/) in it.
 *
 * The program gets this process's input, output and environment, to which is added what NVTX looks
 * at when it is started (NVTX_INJECTION64_PATH), and either LD_PRELOAD or what the driver looks at
 * (CUDA_INJECTION64_PATH). The library is found beside this program: in ../lib/launch-atlas, or in
 * the program's folder.
 */
#ifndef ATLAS_BACKENDS_RECORD_RUN_H
#define ATLAS_BACKENDS_RECORD_RUN_H

#include <glib.h>

typedef struct {
    char *const *command; /* ends with NULL */
    const char *stages;   /* names with commas between; NULL: all ranges */
    gboolean activities;
    gboolean cupti;  /* it is what tells of calls; else the library is preloaded */
    gboolean ranges; /* NVTX is ours */
} RecordRun;

enum { RECORD_RUN_NOT_EXECUTABLE = 126, RECORD_RUN_NOT_FOUND = 127 };

/* The library's path; NULL, with an error, where it is not there. The caller frees it. */
char *record_library(GError **error);

/* Whether another tool has set a variable of the environment in order to be loaded. */
gboolean record_is_taken(const char *variable);

#define RECORD_CUDA_VARIABLE "CUDA_INJECTION64_PATH"

/* Runs the program, and waits for it. Recordings go to `folder`; NULL: nothing is recorded. While
 * it waits, keyboard signals are the program's alone, and SIGTERM and SIGHUP are passed on. Returns
 * what waitpid says of it; or -1 with an error, and *status is one of those above, where it could
 * not be started. */
int record_run(const RecordRun *run, const char *folder, const char *library, int *status,
               GError **error);

#endif

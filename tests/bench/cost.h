/* What reading a file costs: seconds and memory, each reading in a process of its own. */
#ifndef ATLAS_TESTS_BENCH_COST_H
#define ATLAS_TESTS_BENCH_COST_H

#define _DEFAULT_SOURCE /* wait4 */

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/bench/bench.h"

/* The peer of whatever reads compressed files. */
static inline void gunzip(const char *path) {
    if (!freopen("/dev/null", "wb", stdout))
        fail("cannot write to /dev/null");
    execlp("gzip", "gzip", "-dc", path, (char *)NULL);
    fail("there is no gzip");
}

typedef struct {
    double seconds, peak_mib;
} Cost;

static inline Cost cost_of(void (*what)(const char *), const char *path) {
    struct rusage usage;
    int status;
    fflush(stdout);
    double start = now();
    pid_t child = fork();
    if (child == 0) {
        what(path);
        _exit(0);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) < 0 || status != 0)
        fail("a reading failed");
    return (Cost){now() - start, (double)usage.ru_maxrss / 1024};
}

/* The fastest of three: others use the machine, too. */
static inline Cost best_of(void (*what)(const char *), const char *path) {
    Cost best = cost_of(what, path);
    for (int i = 0; i < 2; i++) {
        Cost next = cost_of(what, path);
        best = next.seconds < best.seconds ? next : best;
    }
    return best;
}

#endif

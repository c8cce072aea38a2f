/* What benchmarks share: a clock, memory, an end, and a place for results. */
#ifndef ATLAS_TESTS_BENCH_BENCH_H
#define ATLAS_TESTS_BENCH_BENCH_H

#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

/* Seconds that a rate is measured for, at least. */
#define LONG_ENOUGH 0.5

/* What results are summed up in, so that no compiler leaves the work out. */
static volatile gint64 sink;

/* Seconds of wall time since some moment. */
static inline double now(void) {
    return (double)g_get_monotonic_time() / 1e6;
}

/* Seconds that the processor spent on this process, so that others on the machine matter less. */
static inline double cpu(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

/* The most memory that this process had so far. */
static inline double peak_mib(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

static inline void fail(const char *what) {
    fprintf(stderr, "bench: %s\n", what);
    exit(1);
}

#endif

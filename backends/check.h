/* What atlas-check was asked for, and the parts that answer: for atlas-check.c and check_*.c only.
 *
 * atlas-check.c holds the options, and prints; check_request.c reads their values; each of the
 * others makes one kind of check and adds it to a result. Problems go to request->cli.diags.
 */
#ifndef ATLAS_BACKENDS_CHECK_H
#define ATLAS_BACKENDS_CHECK_H

#include "backends/backend.h"
#include "backends/cuda/pool.h"
#include "model/base/cli.h"
#include "model/check/claims.h"
#include "sim/execution.h"

/* Options as given; NULL or FALSE where they were not. */
typedef struct {
    char **toggles, **sets, **changes, **budgets, **abouts, **files, **sweeps;
    char **stage_maps, **arm_maps;
    char *backend, *steps, *lag, *counter_lag, *seed, *baseline, *write_baseline, *schema, *format,
        *color, *report, *launch_us;
    char *plan, *plan_with, *plan_steps, *plan_nodes, *plan_graphs, *run_plan;
    char *against, *random, *jobs, *limit, *sharing, *kernel_us;
    char *toggle_sets, *depth, *trail;
    gboolean runs, claims, all, version, help, answers, explain, prove;
} CheckOptions;

/* One value of --about. */
typedef struct {
    const char *key, *value;
    AtlasSpan at;
} CheckAbout;

typedef struct {
    AtlasCli cli;
    const CheckOptions *option;
    const AtlasBackend *backend; /* NULL: none */
    gboolean cuda;               /* the backend is the GPU's driver */
    const char *spec;
    AtlasSource *spec_source; /* it, where it was loaded already; the study takes it over */
    GPtrArray *programs;      /* of AtlasSource*, owned: program files; empty: none were given */
    AtlasRat lag, counter_lag, launch_us;
    AtlasRat plan_steps, plan_nodes, plan_graphs; /* no number: not given */
    AtlasWindow window;
    gboolean window_given;
    guint64 seed;
    guint random;      /* programs to generate */
    gint64 depth;      /* of streams, for proofs; 0: without end */
    guint64 kernel_us; /* replays: how long a kernel takes at least */
    gboolean cannot;   /* what was asked for cannot be measured where this runs */
    AtlasCudaConfig driver;
    GArray *files;                 /* of AtlasText */
    GArray *stage_maps, *arm_maps; /* the same */
    GArray *changes;               /* of AtlasChange */
    GArray *abouts;                /* of CheckAbout */
    GPtrArray *names;              /* of char*: populations of changes, keys of abouts */
    char *notice;                  /* to be printed behind the result, on standard error; or NULL */
} CheckRequest;

/* Fills in the request from its options. */
void check_request_init(CheckRequest *request, const CheckOptions *option);
void check_request_clear(CheckRequest *request);
void check_request_read(CheckRequest *request);

/* The budgets asked for, of AtlasBudget; the caller owns them. */
GArray *check_budgets(CheckRequest *request, const AtlasModel *model);

/* Without a backend: the runs, the claims where there are some, proofs of the base; or what of
 * these, and of budgets, was asked for. Returns what the checks are called. */
const char *check_spec(CheckRequest *request, AtlasStudy *study, AtlasResult *result);

/* Proves the program of the base, and says so in one sentence. */
void check_proved_base(CheckRequest *request, AtlasStudy *study, AtlasResult *result);

/* --prove of a spec: the configuration asked for, or all of --toggles and --sweep. */
void check_proved(CheckRequest *request, AtlasStudy *study, AtlasResult *result);

/* --prove of program files, judged by what they expect. */
void check_proved_programs(CheckRequest *request, AtlasResult *result);

/* Judges the statements of the spec's claims file, which it returns for the caller to free; NULL,
 * with problems, if there is none. */
AtlasClaims *check_claims(CheckRequest *request, AtlasStudy *study, AtlasResult *result);

/* Writes the report of the study where --report says; returns an exit status, or ATLAS_EXIT_USAGE
 * with problems added or printed. */
int check_report(CheckRequest *request, AtlasStudy *study);

/* Makes the capture plan of a configuration, or of the first program, and writes it where --plan
 * says; returns an exit status. */
int check_plan(CheckRequest *request, AtlasStudy *study);
int check_plan_program(CheckRequest *request);

/* Runs the plan of --run-plan and its eager program, and judges what it promises. */
void check_run_plan(CheckRequest *request, AtlasResult *result);

/* Whether a file that is to be written is none of those that were read: the study's (or NULL), runs
 * that were `measured` (or NULL), programs, claims and whatever else is among the command line's
 * sources. Adds a problem where it is. */
gboolean check_output(CheckRequest *request, const AtlasStudy *study, AtlasRuns *measured,
                      const char *path);

/* Whether a baseline may be written there: over nothing, an empty file or another baseline. */
gboolean check_may_replace(CheckRequest *request, const char *path);

/* Compares measurements with the baseline asked for, then writes the one asked for; where both are
 * asked for, only if all checks pass, else says so in request->notice. */
void check_baseline(CheckRequest *request, const AtlasStudy *study,
                    const AtlasMeasurements *measurements, AtlasResult *result);

/* What the backend measured. */
void check_measured(CheckRequest *request, AtlasStudy *study, AtlasResult *result);

/* Replays the given programs on the GPU for the steps asked for, and compares what ran with what
 * the CPU computes. */
void check_replayed(CheckRequest *request, AtlasResult *result);

/* One program that is replayed. */
typedef struct {
    AtlasProgram *program;
    const char *name; /* as its measurement is called */
    AtlasWindow window;
    const GArray *changes; /* of AtlasChange; NULL: none */
} CheckReplay;

/* Replays one, and adds its measurement to `into` and what was found to the result. Returns what
 * the CPU's run did, for the caller to free; NULL, with problems, where it could not be measured. */
AtlasExecution *check_replay(CheckRequest *request, const CheckReplay *replay,
                             AtlasMeasurements *into, AtlasResult *result);

/* Whether programs are to be run, not a spec judged. */
gboolean check_wants_programs(const CheckRequest *request);

/* Runs programs on the machine or the driver; returns what to print, and the exit status. NULL
 * where there are problems: nothing could be run (status 3), or not all could be read (2). */
char *check_programs(CheckRequest *request, int *status);

#endif

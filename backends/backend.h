/* Backends: where measurements come from.
 *
 * To add one:
 *   1. write backends/NAME.c (or a folder backends/NAME/) with one `const AtlasBackend
 *      atlas_backend_NAME` and declare it below;
 *   2. add it to the table in backend.c;
 *   3. let `measure` fill in what the source knows (model/measure/measurement.h says what there is)
 *      and leave the rest unknown; a replay of the model's own program sets `replay`;
 *   4. add command lines to tests/golden/check.test.
 * Nothing else changes: verdicts, claims and reports work on measurements only.
 *
 * (With program files, `--backend cuda` runs those instead, which measures no model: cuda/pool.h.)
 *
 * A backend reports problems of its input through `diags`, with their places, and measures nothing
 * then. Where nothing can be measured on this machine, it reports that and sets `cannot`. It
 * neither prints nor exits.
 */
#ifndef ATLAS_BACKENDS_BACKEND_H
#define ATLAS_BACKENDS_BACKEND_H

#include "model/measure/measurement.h"
#include "model/solve/study.h"

/* What is to be measured. */
typedef struct {
    AtlasStudy *study;
    const AtlasConfig *config; /* the configuration a replay runs */
    const GArray *files;       /* of AtlasText: FILE[@CONFIGURATION], for backends that read */
    const GArray *stage_maps;  /* of AtlasText: traces: what ranges are stages; name_map.h */
    const GArray *arm_maps;    /* the same of arms */
    const AtlasWindow *window; /* warm steps; NULL: the backend's own choice */
    AtlasRat lag;              /* simulated counters: the greatest lag, 0 is exact */
    guint64 seed;              /* simulated counters: which lags it shows */
    const GArray *changes;     /* of AtlasChange: replays: counts that differ from the model's */
    GPtrArray *sources;        /* takes over texts that measurements refer to */
    guint64 kernel_ns;         /* replays on a device: how long each kernel takes at least whose
                                  launch states no us: */
    guint limit_s;             /* and how long one call may take; 0: see cuda/watch.h */
} AtlasAsk;

/* A population whose launch ops launch `by` more (or fewer) than the program says, each time they
 * are performed. */
typedef struct {
    const char *population;
    gint64 by;
    AtlasSpan at; /* where it was asked for */
} AtlasChange;

typedef struct {
    const char *name;  /* as --backend names it */
    const char *about; /* one line, for --help */
    gboolean reads_files;
    gboolean (*measure)(const AtlasAsk *ask, AtlasMeasurements *into, AtlasDiags *diags);
    const char *(*lacks)(void); /* what was missing when this was built, and how to get it: "not
                                   built: ..."; it and its result are NULL where nothing was */
} AtlasBackend;

extern const AtlasBackend atlas_backend_sim;
extern const AtlasBackend atlas_backend_log;
extern const AtlasBackend atlas_backend_cuda;
extern const AtlasBackend atlas_backend_kineto;
extern const AtlasBackend atlas_backend_nsys;

/* All of them, NULL-terminated. */
extern const AtlasBackend *const atlas_backends[];
const AtlasBackend *atlas_backend_find(const char *name);

/* Appends a line for each, as --help has them, and what one lacks on a line behind its own. */
void atlas_backends_help(GString *out);

/* "sim, log, cuda (not built: ...)"; the caller frees it. */
char *atlas_backends_list(void);

#endif

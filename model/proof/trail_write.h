/* How trails are written: op after op, then read back, proved and run. Internal to trail.c, which
 * writes the schedule, and trail_order.c, which writes the other order of a race. */
#ifndef ATLAS_MODEL_PROOF_TRAIL_WRITE_H
#define ATLAS_MODEL_PROOF_TRAIL_WRITE_H

#include "model/proof/trail.h"
#include "model/proof/unroll.h"

/* Ops of a trail. */
#define TRAIL_OPS_MAX 100000

/* A trail that is being written. */
typedef struct {
    const AtlasProgram *program;
    const AtlasProof *proof;
    const AtlasProveOptions *options;
    Unroll unroll;
    AtlasProgram *out; /* in unroll.file */
    GArray *all;       /* of AtlasWhen: all performances, in the order of the text */
    guint next;        /* of `all`: what comes next */
} Trail;

/* Begins a program with this suffix to its name, of so many steps; -1: those of the schedule. FALSE
 * where it is too long. trail_end goes with it in any case. */
gboolean trail_begin(Trail *t, const char *suffix, gint64 steps);
void trail_end(Trail *t);

/* Appends an op to it; a performance of one of the program's, but what trails say themselves. */
AtlasOp *trail_put(Trail *t, AtlasOpKind kind, const char *first, const char *second);
void trail_put_op(Trail *t, AtlasWhen when);

static inline gboolean trail_same(AtlasWhen a, AtlasWhen b) {
    return a.op == b.op && a.step == b.step && a.nth == b.nth;
}
static inline const AtlasOp *trail_op(const Trail *t, guint op) {
    return &g_array_index(t->program->ops, AtlasOp, op);
}

/* Text that is read, proved, and run, before it is handed out. */
typedef struct {
    AtlasSource *source;
    AtlasDiags *diags;
    AtlasProgramFile *file;
    AtlasProgram *program; /* NULL: it does not read */
    gboolean stuck;        /* it deadlocks: what is executed is not stated, ... */
    guint unstated;        /* ... nor the results of so many of its last ops, which are never
                              performed or never return */
} Again;

void again_init(Again *a, const AtlasProgram *program);
void again_read(Again *a, const char *text);
void again_clear(Again *a);

/* Puts a comment, or an expectation, at the top, behind so many others. */
void again_open(Again *a, guint at, AtlasOpKind kind, const char *text);

/* Appends the program with the results of the simulated driver. FALSE: it cannot be run. */
gboolean again_write(Again *a, GString *out);

/* Appends the programs that show a race in memory; nothing where that cannot be had. */
void trail_order(Trail *t, AtlasTrailShows *shows, GString *out);

#endif

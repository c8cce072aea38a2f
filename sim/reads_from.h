/* Reads-from: who wrote what each read of a run sees, and whether two programs agree in that.
 *
 * A plan that replaces launches by graph launches computes what the eager program does where every
 * read - of a kernel, a copy's reader, the host - sees the same writer: the same kernel, in the
 * same step, the same time in that step. An instance is (kernel's name, step, how often that name
 * was performed before in the step), so populations and the ops that enqueue them do not matter; an
 * op of launches xN is one instance, of its count. Copies pass on what they copy, so that those
 * which a plan adds are no writers. A scalar is what it is: a value by name, or by name and step.
 * What memory holds where a step ends, and at the end of the run, is compared like a read: the
 * device's, of buffers that both programs have, and the host's. The run may end after any step, and
 * what it then leaves, when all work is done, is what the step has left; that a copy is still under
 * way where the step ends is the same to that.
 *
 * How many steps are enough. What a step does depends on its number modulo the period P (the least
 * common multiple of all every:) and on what memory holds when it begins; it never depends on what
 * was read. So over a period the content of each cell becomes either what some instance of this
 * period wrote, or what a fixed other cell held when the period began. Say a cell is `moved` by a
 * period if it holds, at the end, the same instance as at the beginning but P steps later, and
 * `still` if it holds the very same. If every cell of both runs is one or the other over two
 * periods in a row, and each is the same both times, it is so for ever: a cell that is written anew
 * is moved, and one that takes over another's content is what that other was. From then on, a read
 * sees a still or a moved instance in every period alike. If eager and plan agree in a read in two
 * such periods, both see the same, or both move together; one still and one moved differ in one of
 * the two. So comparing every read up to the period behind those two decides for every number of
 * steps. Buffers that moved to new memory (f:) are followed by name, and what a graph has in it by
 * address; where a name stands at an address that a graph uses is part of what is compared. No
 * program may use a buffer's memory after that was freed.
 *
 * This is one schedule (execute.h): that the plan has no race (model/proof/prove.h) is what makes
 * it stand for all.
 */
#ifndef ATLAS_SIM_READS_FROM_H
#define ATLAS_SIM_READS_FROM_H

#include "model/op/program.h"

/* Why reads differ: the properties E1-E15 of replay-equivalence that a comparison of reads can
 * break. */
typedef enum {
    ATLAS_EQUAL_EFFECT = 1,  /* E1: what the eager program does in the step is not done again */
    ATLAS_EQUAL_ADDRESS = 2, /* E2: the graph uses memory where the buffer is no more, or
                                that was freed */
    ATLAS_EQUAL_OWNER = 3,   /* E3: the graph writes memory that others use, too */
    ATLAS_EQUAL_SCALAR = 4,  /* E4: an argument passed by value stays what it was at capture */
    ATLAS_EQUAL_ARM = 5,     /* E5: the graph does what the eager program does in some steps only */
    ATLAS_EQUAL_ORDER = 6,   /* E6: the same work in another order */
    ATLAS_EQUAL_INIT = 9,    /* E9: what zeroes memory is not done again */
    ATLAS_EQUAL_SEEN = 15    /* E15: the host sees, or device or host memory ends with, something
                                else */
} AtlasEqualProperty;

typedef struct {
    AtlasEqualProperty property;
    guint op;           /* of the plan: the reader; of the eager program where the plan lacks it */
    gboolean missing;   /* the plan does not perform it: `op` is the eager program's */
    guint by;           /* of the plan: the graph launch that performed it, else `op` */
    guint writer;       /* of the plan: the op whose write it should have seen, or is to be mended;
                           G_MAXUINT: unknown */
    const char *buffer; /* or the scalar; NULL where an op is missing */
    gint64 step;
    char *why; /* "newton_schulz reads params as ..." */
} AtlasUnequal;

typedef struct {
    GArray *unequal;     /* of AtlasUnequal: each property, op and buffer once, in order */
    gint64 steps, reads; /* that were compared */
    gboolean settled;    /* the steps stand for every number of steps */
} AtlasReadsFrom;

/* Compares two programs of one file. NULL with errors where one of them cannot be executed. */
AtlasReadsFrom *atlas_reads_from(const AtlasProgram *eager, const AtlasProgram *plan,
                                 AtlasDiags *diags);
void atlas_reads_from_free(AtlasReadsFrom *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasReadsFrom, atlas_reads_from_free)

/* What mends a program that breaks a property. */
const char *atlas_equal_mend(AtlasEqualProperty property);

#endif

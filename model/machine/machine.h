/* The machine: a simulated CUDA driver, as a state and one function per call.
 *
 * A program is compiled once to a script, in which names are numbers; a machine of a script holds
 * the state of everything the driver knows: threads and their capture modes, streams, events, open
 * captures, graphs, execs, memory. atlas_machine_apply performs one op, changes the state and
 * answers as a real driver does. The specification is what a real driver returned for thousands of
 * programs (tests/programs/README.md); the rules stand in calls_*.c, one function per call, and
 * rules.h names each.
 *
 *     AtlasScript *script = atlas_script_new(program, diags);   NULL: a limit is exceeded
 *     AtlasMachine *machine = atlas_machine_new(script);
 *     AtlasAnswer answer = atlas_machine_apply(machine, op);    op: an index into program->ops
 *     atlas_machine_copy(other, machine);                       remember
 *     atlas_machine_copy(machine, other);                       undo
 *
 * run.h walks a whole program with its steps and loops. Whoever follows another order (all
 * interleavings of the host threads, say) applies ops himself: an op's thread is part of the op.
 *
 * What is modelled: results, capture status, captured graphs, which kernels are executed, which
 * memory is live, which events a launched graph records and waits for. What is not: time, and order
 * on the device. A machine answers as though the device were always done, so that queries never say
 * NOT_READY. Ops that are no driver calls (structure, buffers, what the host reads, writes and
 * sets) change nothing and answer NONE.
 *
 * What CUDA leaves undefined answers UNDEFINED (rules.h lists what); the machine's state is then no
 * longer of use, and every further call answers UNDEFINED too. For want of evidence, flag_wait and
 * flag_set are UNDEFINED inside a capture, and so are launches of graphs with parallel nodes that
 * wait for an event of an open capture.
 *
 * The state is one block of memory without pointers, so that copying is one memcpy. It grows with
 * the nodes that are alive: 16 bytes each and 4 for each edge where it has several; a kernel xN is
 * one node of weight N. Graphs that nothing can reach any more are dropped when room is
 * needed. A machine of a program with three streams is under 1 KB (tests/bench/machine.c).
 *
 * Threads: a script may be shared; a machine belongs to one thread at a time.
 */
#ifndef ATLAS_MODEL_MACHINE_MACHINE_H
#define ATLAS_MODEL_MACHINE_MACHINE_H

#include "model/machine/outcome.h"

/* Limits. atlas_script_new refuses programs with more names of one kind, the given streams among
 * them, than NAMES_MAX; atlas_machine_apply answers UNDEFINED (rule LIMIT) where more captures
 * would be open at once than CAPTURES_MAX, the block would grow beyond WORDS_MAX words of 4 bytes
 * (about 4 million nodes), or 2^63 kernels be executed. */
#define ATLAS_MACHINE_NAMES_MAX 20000
#define ATLAS_MACHINE_CAPTURES_MAX 20000
#define ATLAS_MACHINE_WORDS_MAX (1 << 24)

/* Values are those of CUstreamCaptureMode. */
typedef enum { ATLAS_MODE_GLOBAL, ATLAS_MODE_THREAD_LOCAL, ATLAS_MODE_RELAXED } AtlasCaptureMode;

/* The mode that an op's operand names: "global", "thread_local", "relaxed". */
AtlasCaptureMode atlas_capture_mode(const char *word);

/* ---- scripts ---- */

typedef struct AtlasScript AtlasScript;

/* Compiles a program, which must outlive the script and stay as it is. A program that exceeds a
 * limit is an error of `diags`; then the result is NULL. */
AtlasScript *atlas_script_new(const AtlasProgram *program, AtlasDiags *diags);
void atlas_script_free(AtlasScript *script);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasScript, atlas_script_free)

/* ---- machines ---- */

typedef struct AtlasMachine AtlasMachine;

/* A machine before the first op: a fresh context, every thread in global mode. The script must
 * outlive it. */
AtlasMachine *atlas_machine_new(const AtlasScript *script);
void atlas_machine_free(AtlasMachine *machine);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasMachine, atlas_machine_free)

/* Back to the start. */
void atlas_machine_reset(AtlasMachine *machine);

/* Makes `to` what `from` is; both are of one script. */
void atlas_machine_copy(AtlasMachine *to, const AtlasMachine *from);

/* Bytes that a copy moves now. */
gsize atlas_machine_size(const AtlasMachine *machine);

/* Performs the op with this index of the program's ops. Where it has an `every`, it is performed
 * all the same: when it is due is for whoever walks the steps. */
AtlasAnswer atlas_machine_apply(AtlasMachine *machine, guint op);

/* Kernels executed so far: launches outside of captures and kernels of launched graphs. */
gint64 atlas_machine_executed(const AtlasMachine *machine);

/* A hash of the state without the number of executed kernels.
 *
 * BY_NAME: two machines of one script that answer every further sequence of ops alike, because
 * their states are equal, hash alike: it does not matter by which ops they came there, in what
 * order captures and graphs were made, what is unreachable by now, nor where the block holds them.
 * Which op made each reachable graph node counts.
 *
 * ANY_NAME: what objects are called does not matter either: states of one or of two scripts that
 * become equal by renaming streams, events, graphs, execs, allocations and threads hash alike, so
 * programs that differ in names or in the order of declarations do. Of a node the call counts that
 * made it, not the op. (Not for telling whether a search was here already: the ops to come know
 * names.)
 *
 * Hashes of states that differ are different but for chance (2^-64 each) and but for what refining
 * colours cannot tell apart: symmetric tangles of captures (ANY_NAME), parallel nodes of one op
 * (BY_NAME). */
typedef enum { ATLAS_HASH_BY_NAME, ATLAS_HASH_ANY_NAME } AtlasHashKind;
guint64 atlas_machine_hash(const AtlasMachine *machine, AtlasHashKind kind);

/* ---- looking inside ---- */

/* Streams are asked for by an op that has one (`launch s0`, `begin s0 global`): the stream it would
 * use now, or the thread's own for ptds. */
AtlasCaptureStatus atlas_machine_status(const AtlasMachine *machine, guint op);

/* One node of a captured graph. `weight` serial nodes of the same type stand for a launch xN: the
 * first depends on `deps`, each further one on the one before it, and who depends on this node
 * depends on the last of them. */
typedef struct {
    guint op; /* the op that made it */
    AtlasNodeType type;
    gint64 weight;     /* 1, but for launch xN */
    const guint *deps; /* the nodes it depends on, as indices into the same graph, by edge */
    guint deps_len;
} AtlasGraphNode;

/* A captured graph: nodes in the order in which they were captured, so that each stands behind
 * those it depends on. */
typedef struct {
    GArray *nodes;       /* of AtlasGraphNode */
    gint64 total, edges; /* as answers count them, weights included */
    GArray *words;       /* of guint: what `deps` point into */
} AtlasGraph;

/* The graph that an op's graph or exec operand names now (`end s0 g0`, `instantiate g0 x0`,
 * `graph_launch x0 s0`; for update the exec's), or, for an op with a stream and neither (`launch
 * s0`, `begin s0 global`), what that stream's open capture holds so far. NULL where there is none.
 * The caller frees it; it stays as it is when the machine goes on. */
AtlasGraph *atlas_machine_graph(const AtlasMachine *machine, guint op);
void atlas_graph_free(AtlasGraph *graph);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasGraph, atlas_graph_free)

#endif

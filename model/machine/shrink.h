/* Shrinking: the shortest program that still shows what a longer one does.
 *
 * Delta debugging: halves, quarters … of the ops are left out, as long as a shorter program still
 * passes the test, down to one where no single op can be left out any more. An op that uses a
 * stream, event or flag goes with the declaration; a step or loop goes without its body, its `end`
 * with it; counts become 1, and threads 1, where the test still passes. What has no meaning to the
 * driver (comments, buffers, scalars, `of:`) goes first.
 */
#ifndef ATLAS_MODEL_MACHINE_SHRINK_H
#define ATLAS_MODEL_MACHINE_SHRINK_H

#include "model/op/program.h"

/* Which of several candidates (of AtlasProgram*) passes: the index of the first that does, or -1.
 * They come together so that they can be tried in parallel. */
typedef gint AtlasShrinkTest(const GPtrArray *candidates, gpointer data);

/* The shortest program found that passes, in the file that holds `program` (which passes too, or
 * the result is as long as it); named "NAME shrunk". Candidates are added to the file as well. */
AtlasProgram *atlas_shrink(AtlasProgramFile *file, const AtlasProgram *program,
                           AtlasShrinkTest *test, gpointer data);

#endif

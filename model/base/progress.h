/* Progress of something long, for a person at a terminal.
 *
 *     comparing runs:  45% (670/1491)
 *
 * Nothing is shown unless standard error is a terminal in which this process is in the foreground,
 * nor before a second has passed; then the line is repainted when the percentage changes, at most
 * ten times a second, and wiped at the end. A NULL progress is silent, so callers need no `if`.
 */
#ifndef ATLAS_MODEL_BASE_PROGRESS_H
#define ATLAS_MODEL_BASE_PROGRESS_H

#include <glib.h>

typedef struct AtlasProgress AtlasProgress;

/* `title` is borrowed. NULL where nothing would be shown. */
AtlasProgress *atlas_progress_start(const char *title);
void atlas_progress_update(AtlasProgress *progress, guint done, guint total);
/* Wipes the line and frees. */
void atlas_progress_stop(AtlasProgress *progress);

#endif

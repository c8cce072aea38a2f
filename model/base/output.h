/* Terminals, standard output and files: what every program does the same way.
 *
 * Colour rules: `--color=always|never` wins; then NO_COLOR (set and not empty) means none, then
 * CLICOLOR_FORCE means colour, then a terminal that is not "dumb" gets it; each stream by itself.
 */
#ifndef ATLAS_MODEL_BASE_OUTPUT_H
#define ATLAS_MODEL_BASE_OUTPUT_H

#include <glib.h>

/* Whether to colour what goes to a file descriptor. `when` is "always", "never", or "auto" (NULL
 * too). */
gboolean atlas_output_colour(int fd, const char *when);

/* The columns of a terminal; 80 where it does not say, or it is none, so that what goes elsewhere
 * is the same everywhere. */
enum { ATLAS_OUTPUT_COLUMNS = 80 };
guint atlas_output_columns(int fd);

/* Writes all of `text` to standard output and flushes it. A full disk or a closed pipe is an error:
 * FALSE, and errno says which. */
gboolean atlas_output_write(const char *text);

/* Whether two paths lead to the same plain file. */
gboolean atlas_output_same_file(const char *a, const char *b);

/* Writes a file so that whoever reads it finds the old text or the new one, whole: a temporary file
 * beside it that is renamed. A symbolic link stays one, and what it leads to is written. What
 * exists and is no plain file (a pipe, /dev/stdout) is written to as it is. */
gboolean atlas_output_replace(const char *path, const char *text, GError **error);

#endif

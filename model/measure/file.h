/* Files to be read as text, compressed with gzip or not, from a path, standard input or memory.
 *
 * What is compressed shows in its first two bytes, whatever the file is called. Compressed members
 * that stand one behind the other are one text, and zeros behind the last one are nothing, as for
 * gzip itself. A compressed file that was cut or changed is a failed read, never a shorter text.
 *
 * Life cycle: atlas_file_open or atlas_file_memory, then reading through lines.h or
 * atlas_file_read_all, then atlas_file_close. Memory: 64 KiB, as much again where it is compressed
 * or peeked at.
 */
#ifndef ATLAS_MODEL_MEASURE_FILE_H
#define ATLAS_MODEL_MEASURE_FILE_H

#include "model/base/diag.h"
#include "model/base/progress.h"
#include "model/measure/lines.h"

typedef struct AtlasFile AtlasFile;

/* Opens a path, or standard input for "-", which can be read once. NULL on failure, and *fault says
 * why; it is never freed. */
AtlasFile *atlas_file_open(const char *path, const char **fault);

/* The same for `length` bytes that outlive the file; `name` stands where a path would. */
AtlasFile *atlas_file_memory(const char *name, const char *text, gsize length);

void atlas_file_close(AtlasFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasFile, atlas_file_close)

/* The path, or "<stdin>". */
const char *atlas_file_name(const AtlasFile *file);

/* Shows, while it is read, how many KiB of it were, where it is known how many there are. The
 * progress is borrowed, and may be NULL. */
void atlas_file_show(AtlasFile *file, AtlasProgress *progress);

/* For lines.h; owned by the file. */
AtlasInput *atlas_file_input(AtlasFile *file);

/* The first bytes of the text, up to 64 KiB, which are still to be read afterwards. Nothing may
 * have been read before. They hold until something is read. */
const char *atlas_file_peek(AtlasFile *file, gsize *length);

/* Appends all that is still to be read; FALSE if reading failed, or gave more than `most` bytes:
 * *fault says why. */
gboolean atlas_file_read_all(AtlasFile *file, GString *into, gsize most, const char **fault);

/* Adds the error that the file cannot be read, with its name. */
void atlas_file_fault(const AtlasFile *file, const char *fault, AtlasDiags *diags);

#endif

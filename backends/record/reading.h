/* Recordings (recording.h), read back: what one process did.
 *
 * Ranges and blocks stand in the order in which they began. Texts are UTF-8; what was none in the
 * program is replaced.
 *
 * Life cycle: record_read, record_reading_free.
 */
#ifndef ATLAS_BACKENDS_RECORD_READING_H
#define ATLAS_BACKENDS_RECORD_READING_H

#include <glib.h>

#include "backends/record/recording.h"

typedef struct {
    RecordHead head;
    GPtrArray *names; /* of char*, by id; 0 is "" */
    GArray *ranges;   /* of RecordRange, by id - 1 */
    GArray *blocks;   /* of RecordBlock */
    GArray *uses;     /* of RecordUse */
} RecordReading;

/* Reads a file; NULL, with an error, where it is none of this build's. */
RecordReading *record_read(const char *path, GError **error);
void record_reading_free(RecordReading *reading);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(RecordReading, record_reading_free)

const char *record_name(const RecordReading *reading, guint32 id);

/* NULL for 0. */
const RecordRange *record_range(const RecordReading *reading, guint32 id);

/* The sum of a count over all blocks. */
guint64 record_total(const RecordReading *reading, guint kind);

#endif

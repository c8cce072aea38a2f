/* JSON as profilers write it, scanned in place: what lies where, nothing built, nothing copied.
 *
 * Why not a library (Debian 12's; a trace of 35 MB, which gunzip writes in 0.20 s, on one core):
 * jansson builds a tree, which takes 1.5 s and seven times the file's size in memory; simdjson
 * wants the whole text in memory and refuses text that is cut; yajl takes 0.17 s to scan it, gives
 * up at the first quote that a profiler did not escape, and keeps a byte for each of four thousand
 * million brackets. This scan and all that is made of it take 0.19 s.
 *
 * What is read: JSON, and beside it bare words ("nan"), control characters and bytes that are no
 * UTF-8 in strings, commas before a closing bracket. A `lenient` scan, which is for text that a
 * plain one found faulty, takes a quote for the end of a string only where a member's end can be: a
 * closing bracket or, behind a comma, the next key. So names that hold quotes are read as they were
 * meant. Strings inside a member that is itself an object or array are scanned plainly.
 *
 * Every function moves the scan behind what it has read. One that returns FALSE found text that
 * ends too early, where `fault` is NULL, or a fault, at `p`: what was expected there.
 */
#ifndef ATLAS_MODEL_MEASURE_SCAN_H
#define ATLAS_MODEL_MEASURE_SCAN_H

#include "model/measure/field.h"

/* The deepest nesting: profilers write four levels. */
#define ATLAS_SCAN_DEPTH 256

typedef struct {
    const char *p, *end;
    gboolean lenient;
    const char *fault;
} AtlasScan;

/* Moves to the next byte that is no blank; FALSE where there is none. */
gboolean atlas_scan_blank(AtlasScan *scan);

/* Reads over a value. */
gboolean atlas_scan_skip(AtlasScan *scan);

/* Begins an object or array with its bracket. */
gboolean atlas_scan_open(AtlasScan *scan, char bracket);

/* Whether an object or array has another member, or ends here, and then moves behind its bracket;
 * -1: FALSE as above. */
int atlas_scan_more(AtlasScan *scan, char closing);

/* Reads a key, of which `key` is what stands between the quotes, up to the value's first byte. */
gboolean atlas_scan_key(AtlasScan *scan, AtlasField *key);

/* Reads a value and gives its text: of a string what stands between the quotes, of anything else
 * all of it. *string says which. */
gboolean atlas_scan_value(AtlasScan *scan, AtlasField *value, gboolean *string);

/* What a string says: `text` without its escapes, in `into` where there are any. */
AtlasField atlas_scan_unescape(AtlasField text, GString *into);

/* A whole number of a value or of a string that holds one, "5" or "5.0"; FALSE where it is none. */
gboolean atlas_scan_whole(AtlasField text, gint64 *number);

/* A decimal number of microseconds ("12", "5112244662205.720", "1.5e3") as nanoseconds, rounded;
 * FALSE where it is none, or has more than 63 bits. */
gboolean atlas_scan_us(AtlasField text, gint64 *ns);

#endif

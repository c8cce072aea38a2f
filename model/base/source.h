/* A source is the text of one input file, kept whole, with a map of its lines.
 *
 * Everything that is parsed (specs, programs, logs' small siblings the run tables, settings on a
 * command line) is read into a source first; parsers remember places as spans, which are byte
 * offsets into it, and only a diagnostic turns them into lines and columns.
 *
 * Invariants: text is NUL-terminated behind `length` bytes and valid UTF-8 (atlas_source_load and
 * atlas_source_new refuse anything else, naming the byte); a span's source outlives the span.
 * Lines and columns count from 1; a column counts characters, not bytes.
 *
 * Life cycle: atlas_source_load or atlas_source_new gives a source that the caller owns and frees
 * with atlas_source_free.
 */
#ifndef ATLAS_MODEL_BASE_SOURCE_H
#define ATLAS_MODEL_BASE_SOURCE_H

#include <glib.h>

typedef struct AtlasSource AtlasSource;

/* A place in a source: bytes [start, end). A span with a NULL source means "no place". */
typedef struct {
    const AtlasSource *source;
    gsize start, end;
} AtlasSpan;

/* A piece of text and where it stands. `text` belongs to whoever parsed it. */
typedef struct {
    const char *text;
    AtlasSpan at;
} AtlasText;

/* The greatest input that is read whole, in bytes. Specs and programs are written by people or by
 * this project; logs, which may be larger, are streamed and never pass through here. */
#define ATLAS_SOURCE_MAX ((gsize)1 << 30)

#define ATLAS_SOURCE_ERROR (atlas_source_error_quark())
GQuark atlas_source_error_quark(void);
enum { ATLAS_SOURCE_ERROR_READ, ATLAS_SOURCE_ERROR_ENCODING };

/* Reads a file, or standard input where path is "-". On failure returns NULL and sets error to a
 * message that names the file, the reason and, for an encoding fault, line and column. */
AtlasSource *atlas_source_load(const char *path, GError **error);

/* Makes a source of `length` bytes that are copied; `name` stands where a path would. Errors as
 * above. */
AtlasSource *atlas_source_new(const char *name, const char *text, gsize length, GError **error);

void atlas_source_free(AtlasSource *source);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasSource, atlas_source_free)

const char *atlas_source_path(const AtlasSource *source);
const char *atlas_source_text(const AtlasSource *source);
gsize atlas_source_length(const AtlasSource *source);

/* Line and column (from 1) of a byte offset; an offset behind the end means the end. A line end
 * counts as one place, the one behind the line's last character. */
void atlas_source_position(const AtlasSource *source, gsize offset, guint *line, guint *column);

/* The line (from 1) as bytes [*start, *end), its line end (LF or CRLF) left out. */
void atlas_source_line(const AtlasSource *source, guint line, gsize *start, gsize *end);
guint atlas_source_lines(const AtlasSource *source);

#endif

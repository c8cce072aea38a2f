#define _POSIX_C_SOURCE 200809L /* fileno */
#include "model/base/source.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

struct AtlasSource {
    char *path;
    char *text;
    gsize length;
    GArray *line_starts; /* of gsize; one for each line, the first is 0 */
};

G_DEFINE_QUARK(atlas_source_error, atlas_source_error)

static void map_lines(AtlasSource *source) {
    gsize start = 0;
    source->line_starts = g_array_new(FALSE, FALSE, sizeof(gsize));
    g_array_append_val(source->line_starts, start);
    for (const char *p = source->text; (p = memchr(p, '\n', source->text + source->length - p));) {
        start = (gsize)(++p - source->text);
        if (start < source->length)
            g_array_append_val(source->line_starts, start);
    }
}

/* Takes over `text`, which is NUL-terminated behind `length`. */
static AtlasSource *source_take(const char *path, char *text, gsize length, GError **error) {
    const char *bad;
    AtlasSource *source = g_new0(AtlasSource, 1);
    source->path = g_strdup(path);
    source->text = text;
    source->length = length;
    map_lines(source);
    /* With an explicit length, g_utf8_validate also refuses NUL bytes. */
    if (!g_utf8_validate(text, (gssize)length, &bad)) {
        guint line, column;
        gsize offset = (gsize)(bad - text);
        source->length = offset; /* what stands before the fault is valid, and enough to count */
        atlas_source_position(source, offset, &line, &column);
        g_set_error(error, ATLAS_SOURCE_ERROR, ATLAS_SOURCE_ERROR_ENCODING,
                    "%s:%u:%u: error: byte 0x%02x is not text; expected UTF-8", path, line, column,
                    (unsigned char)*bad);
        atlas_source_free(source);
        return NULL;
    }
    return source;
}

AtlasSource *atlas_source_new(const char *name, const char *text, gsize length, GError **error) {
    char *copy = g_malloc(length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return source_take(name, copy, length, error);
}

static gboolean read_all(FILE *file, GString *into) {
    char block[65536];
    size_t got;
    while ((got = fread(block, 1, sizeof block, file)) > 0) {
        g_string_append_len(into, block, (gssize)got);
        if (into->len > ATLAS_SOURCE_MAX) {
            errno = EFBIG;
            return FALSE;
        }
    }
    return !ferror(file);
}

/* A file that says how large it is need not be read to be refused. */
static gboolean is_too_large(FILE *file) {
    struct stat about;
    if (fstat(fileno(file), &about) != 0 || (guint64)about.st_size <= ATLAS_SOURCE_MAX)
        return FALSE;
    errno = EFBIG;
    return TRUE;
}

AtlasSource *atlas_source_load(const char *path, GError **error) {
    gboolean is_stdin = strcmp(path, "-") == 0;
    const char *name = is_stdin ? "<stdin>" : path;
    FILE *file = is_stdin ? stdin : fopen(path, "rb");
    GString *text = g_string_new(NULL);
    gboolean ok = file && !is_too_large(file) && read_all(file, text);
    int reason = errno;
    if (file && !is_stdin)
        fclose(file);
    if (!ok) {
        g_set_error(error, ATLAS_SOURCE_ERROR, ATLAS_SOURCE_ERROR_READ,
                    "error: cannot read '%s': %s%s", name, g_strerror(reason),
                    reason == EFBIG ? " (more than 1 GiB)" : "");
        g_string_free(text, TRUE);
        return NULL;
    }
    gsize length = text->len;
    return source_take(name, g_string_free(text, FALSE), length, error);
}

void atlas_source_free(AtlasSource *source) {
    if (!source)
        return;
    g_array_unref(source->line_starts);
    g_free(source->path);
    g_free(source->text);
    g_free(source);
}

const char *atlas_source_path(const AtlasSource *source) {
    return source->path;
}

const char *atlas_source_text(const AtlasSource *source) {
    return source->text;
}

gsize atlas_source_length(const AtlasSource *source) {
    return source->length;
}

guint atlas_source_lines(const AtlasSource *source) {
    return source->line_starts->len;
}

static gsize line_start(const AtlasSource *source, guint index) {
    return g_array_index(source->line_starts, gsize, index);
}

void atlas_source_position(const AtlasSource *source, gsize offset, guint *line, guint *column) {
    guint low = 0, high = source->line_starts->len;
    offset = MIN(offset, source->length);
    while (high - low > 1) { /* the line start at low is <= offset, the one at high is not */
        guint middle = low + (high - low) / 2;
        if (line_start(source, middle) <= offset)
            low = middle;
        else
            high = middle;
    }
    *line = low + 1;
    gsize start, end;
    atlas_source_line(source, *line, &start, &end);
    const char *from = source->text + start, *to = source->text + MIN(offset, end);
    *column = (guint)g_utf8_pointer_to_offset(from, to) + 1;
}

void atlas_source_line(const AtlasSource *source, guint line, gsize *start, gsize *end) {
    g_return_if_fail(line >= 1 && line <= source->line_starts->len);
    *start = line_start(source, line - 1);
    const char *from = source->text + *start;
    const char *newline = memchr(from, '\n', source->length - *start);
    *end = newline ? (gsize)(newline - source->text) : source->length;
    if (*end > *start && source->text[*end - 1] == '\r')
        (*end)--;
}

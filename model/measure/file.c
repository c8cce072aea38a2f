#define _POSIX_C_SOURCE 200809L /* fileno */
#include "model/measure/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

enum { BLOCK = 1 << 16 };

/* zlib's word for "with a gzip header", added to the size of its window. */
enum { GZIP_WINDOW = 16 + MAX_WBITS };

/* Bytes that were read and not given out yet. */
typedef struct {
    char *bytes;
    gsize start, end;
} Block;

struct AtlasFile {
    AtlasInput input;
    char *name;
    FILE *file;         /* NULL: memory */
    const char *memory; /* what of it is still to be read */
    gsize memory_left;
    Block raw;           /* as the file has it */
    Block head;          /* text that was peeked at, where `raw` is not the text */
    gboolean compressed; /* told by the first read */
    gboolean started;    /* that was made */
    gboolean between;    /* the last compressed member has ended */
    gboolean raw_ended;
    z_stream z;
    AtlasProgress *progress; /* NULL: none is shown */
    guint64 size, done;      /* of the file, in bytes */
    int reason;              /* errno of a failed read, which every later one repeats */
};

/* ---- as the file has it ---- */

static gssize read_memory(AtlasFile *f, char *into, gsize size) {
    gsize got = MIN(size, f->memory_left);
    memcpy(into, f->memory, got);
    f->memory += got;
    f->memory_left -= got;
    return (gssize)got;
}

static gssize read_raw(AtlasFile *f, char *into, gsize size) {
    if (!f->file)
        return read_memory(f, into, size);
    errno = 0;
    gsize got = fread(into, 1, size, f->file);
    f->done += got;
    if (f->size)
        atlas_progress_update(f->progress, (guint)(f->done >> 10), (guint)(f->size >> 10));
    if (got > 0 || !ferror(f->file))
        return (gssize)got;
    f->reason = errno ? errno : EIO;
    return -1;
}

static gboolean fill_raw(AtlasFile *f) {
    gssize got = f->raw_ended ? 0 : read_raw(f, f->raw.bytes, BLOCK);
    f->raw.start = 0;
    f->raw.end = got > 0 ? (gsize)got : 0;
    f->raw_ended = got <= 0;
    return got >= 0;
}

static gsize take(Block *block, char *into, gsize size) {
    gsize got = MIN(size, block->end - block->start);
    memcpy(into, block->bytes + block->start, got);
    block->start += got;
    return got;
}

/* ---- as text ---- */

static gssize fail(AtlasFile *f, const char *fault) {
    f->input.fault = fault;
    return -1;
}

/* Goes on to the next member; FALSE where there is none. */
static gboolean next_member(AtlasFile *f) {
    while (f->raw.start < f->raw.end && f->raw.bytes[f->raw.start] == '\0')
        f->raw.start++;
    if (f->raw.start == f->raw.end)
        return FALSE;
    inflateReset(&f->z);
    f->between = FALSE;
    return TRUE;
}

static gssize read_compressed(AtlasFile *f, char *into, gsize size) {
    for (;;) {
        if (f->raw.start == f->raw.end && !f->raw_ended && !fill_raw(f))
            return -1;
        if (f->between && !next_member(f)) {
            if (f->raw_ended)
                return 0;
            continue;
        }
        f->z.next_in = (Bytef *)f->raw.bytes + f->raw.start;
        f->z.avail_in = (uInt)(f->raw.end - f->raw.start);
        f->z.next_out = (Bytef *)into;
        f->z.avail_out = (uInt)MIN(size, BLOCK);
        int result = inflate(&f->z, Z_NO_FLUSH);
        gsize got = MIN(size, BLOCK) - f->z.avail_out;
        f->raw.start = f->raw.end - f->z.avail_in;
        f->between = result == Z_STREAM_END;
        if (got > 0)
            return (gssize)got;
        if (result == Z_BUF_ERROR && f->raw_ended)
            return fail(f, "the compressed data end too early");
        if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
            return fail(f, "the compressed data are damaged");
    }
}

/* The first bytes tell whether the rest is compressed. */
static gboolean start(AtlasFile *f) {
    f->started = TRUE;
    f->raw.bytes = g_malloc(BLOCK);
    if (!fill_raw(f))
        return FALSE;
    f->compressed = f->raw.end >= 2 && memcmp(f->raw.bytes, "\x1f\x8b", 2) == 0;
    if (f->compressed && inflateInit2(&f->z, GZIP_WINDOW) != Z_OK)
        g_error("zlib cannot be used: %s", f->z.msg ? f->z.msg : "out of memory");
    return TRUE;
}

static gssize read_some(AtlasFile *f, char *into, gsize size) {
    if (!f->started && !start(f))
        return -1;
    if (f->head.start < f->head.end)
        return (gssize)take(&f->head, into, size);
    if (f->compressed)
        return read_compressed(f, into, size);
    if (f->raw.start < f->raw.end)
        return (gssize)take(&f->raw, into, size);
    return f->raw_ended ? 0 : read_raw(f, into, size);
}

static gssize read_text(AtlasInput *input, char *into, gsize size) {
    AtlasFile *f = (AtlasFile *)input;
    gssize got = f->reason || f->input.fault ? -1 : read_some(f, into, size);
    if (got < 0)
        errno = f->reason;
    return got;
}

/* ---- opening and closing ---- */

static AtlasFile *file_new(const char *name) {
    AtlasFile *f = g_new0(AtlasFile, 1);
    f->input.read = read_text;
    f->name = g_strdup(name);
    return f;
}

AtlasFile *atlas_file_open(const char *path, const char **fault) {
    gboolean is_stdin = strcmp(path, "-") == 0;
    FILE *from = is_stdin ? stdin : fopen(path, "rb");
    if (!from || (is_stdin && feof(stdin))) {
        *fault = from ? "standard input was read already" : g_strerror(errno);
        return NULL;
    }
    AtlasFile *f = file_new(is_stdin ? "<stdin>" : path);
    f->file = from;
    return f;
}

AtlasFile *atlas_file_memory(const char *name, const char *text, gsize length) {
    AtlasFile *f = file_new(name);
    f->memory = text;
    f->memory_left = length;
    return f;
}

void atlas_file_close(AtlasFile *f) {
    if (!f)
        return;
    if (f->file && f->file != stdin)
        fclose(f->file);
    if (f->compressed)
        inflateEnd(&f->z);
    g_free(f->raw.bytes);
    g_free(f->head.bytes);
    g_free(f->name);
    g_free(f);
}

void atlas_file_show(AtlasFile *f, AtlasProgress *progress) {
    struct stat at;
    f->progress = progress;
    f->size = f->file && fstat(fileno(f->file), &at) == 0 && S_ISREG(at.st_mode)
                  ? (guint64)at.st_size
                  : 0;
}

const char *atlas_file_name(const AtlasFile *f) {
    return f->name;
}

AtlasInput *atlas_file_input(AtlasFile *f) {
    return &f->input;
}

const char *atlas_file_peek(AtlasFile *f, gsize *length) {
    const Block *shown = &f->raw;
    if (!f->started && start(f) && f->compressed) {
        gssize got;
        f->head.bytes = g_malloc(BLOCK);
        while (f->head.end < BLOCK &&
               (got = read_compressed(f, f->head.bytes + f->head.end, BLOCK - f->head.end)) > 0)
            f->head.end += (gsize)got;
        shown = &f->head;
    }
    *length = shown->end - shown->start;
    return shown->bytes + shown->start;
}

gboolean atlas_file_read_all(AtlasFile *f, GString *into, gsize most, const char **fault) {
    char block[4096];
    gssize got;
    while ((got = read_text(&f->input, block, sizeof block)) > 0) {
        g_string_append_len(into, block, got);
        if (into->len > most) {
            *fault = g_strerror(EFBIG);
            return FALSE;
        }
    }
    if (got < 0)
        *fault = f->input.fault ? f->input.fault : g_strerror(f->reason);
    return got == 0;
}

void atlas_file_fault(const AtlasFile *f, const char *fault, AtlasDiags *diags) {
    atlas_diags_error(diags, (AtlasSpan){NULL, 0, 0}, "cannot read '%s': %s", f->name, fault);
    if (f->input.fault)
        atlas_diags_hint(diags, "the file was cut or changed, or is still being written: compress "
                                "or copy it again");
}

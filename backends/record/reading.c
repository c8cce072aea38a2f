#include "backends/record/reading.h"

#include <string.h>

static void add_piece(RecordReading *r, const RecordPiece *piece) {
    const RecordName *name = (const RecordName *)(const void *)piece;
    gsize whole = piece->size;
    if (piece->kind == RECORD_NAME && whole >= sizeof *name + name->length)
        g_ptr_array_add(r->names, g_utf8_make_valid(name->text, (gssize)name->length));
    else if (piece->kind == RECORD_RANGE && whole >= sizeof(RecordRange))
        g_array_append_vals(r->ranges, piece, 1);
    else if (piece->kind == RECORD_BLOCK && whole >= sizeof(RecordBlock))
        g_array_append_vals(r->blocks, piece, 1);
    else if (piece->kind == RECORD_USE && whole >= sizeof(RecordUse))
        g_array_append_vals(r->uses, piece, 1);
}

static gboolean is_recording(const char *text, gsize length) {
    const RecordHead *head = (const RecordHead *)(const void *)text;
    return length >= sizeof *head && memcmp(head->magic, RECORD_MAGIC, sizeof RECORD_MAGIC) == 0 &&
           head->head_size == sizeof *head && head->count_kinds == RECORD_COUNT_KINDS &&
           head->used <= length;
}

RecordReading *record_read(const char *path, GError **error) {
    g_autoptr(GMappedFile) file = g_mapped_file_new(path, FALSE, error);
    if (!file)
        return NULL;
    const char *text = g_mapped_file_get_contents(file);
    if (!is_recording(text, g_mapped_file_get_length(file))) {
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
                    "'%s' is no recording of this version of atlas-record", path);
        return NULL;
    }
    RecordReading *r = g_new0(RecordReading, 1);
    memcpy(&r->head, text, sizeof r->head);
    r->head.device[sizeof r->head.device - 1] = r->head.why[sizeof r->head.why - 1] = '\0';
    r->names = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(r->names, g_strdup(""));
    r->ranges = g_array_new(FALSE, FALSE, sizeof(RecordRange));
    r->blocks = g_array_new(FALSE, FALSE, sizeof(RecordBlock));
    r->uses = g_array_new(FALSE, FALSE, sizeof(RecordUse));
    for (guint64 at = (sizeof r->head + 7) / 8 * 8; at + sizeof(RecordPiece) <= r->head.used;) {
        const RecordPiece *piece = (const RecordPiece *)(const void *)(text + at);
        if (piece->size < sizeof *piece || piece->size > r->head.used - at)
            break;
        add_piece(r, piece);
        at += piece->size;
    }
    return r;
}

void record_reading_free(RecordReading *r) {
    if (!r)
        return;
    g_ptr_array_unref(r->names);
    g_array_unref(r->ranges);
    g_array_unref(r->blocks);
    g_array_unref(r->uses);
    g_free(r);
}

const char *record_name(const RecordReading *r, guint32 id) {
    return id < r->names->len ? g_ptr_array_index(r->names, id) : "";
}

const RecordRange *record_range(const RecordReading *r, guint32 id) {
    return id > 0 && id <= r->ranges->len ? &g_array_index(r->ranges, RecordRange, id - 1) : NULL;
}

guint64 record_total(const RecordReading *r, guint kind) {
    guint64 total = 0;
    for (guint i = 0; i < r->blocks->len; i++)
        total += g_array_index(r->blocks, RecordBlock, i).counts[kind];
    return total;
}

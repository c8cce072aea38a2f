/* Files: compressed or not, whole or cut, in pieces of any size. */
#include <string.h>
#include <zlib.h>

#include "model/measure/file.h"
#include "tests/unit/suites.h"

/* Appends `length` bytes as one gzip member. */
static void append_member(GString *into, const char *text, gsize length) {
    z_stream z = {0};
    ck_assert_int_eq(deflateInit2(&z, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
    gsize most = deflateBound(&z, length) + 32, from = into->len;
    g_string_set_size(into, from + most);
    z.next_in = (Bytef *)text;
    z.avail_in = (uInt)length;
    z.next_out = (Bytef *)into->str + from;
    z.avail_out = (uInt)most;
    ck_assert_int_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
    g_string_set_size(into, from + most - z.avail_out);
    deflateEnd(&z);
}

/* What is read in pieces of `size`, behind a look at the first bytes where `peek` says so. */
static GString *read_file(const GString *bytes, gsize size, gboolean peek, const char **fault) {
    g_autoptr(AtlasFile) file = atlas_file_memory("memory", bytes->str, bytes->len);
    AtlasInput *input = atlas_file_input(file);
    GString *text = g_string_new(NULL);
    g_autofree char *piece = g_malloc(size);
    gsize length;
    gssize got;
    g_autoptr(GString) seen = g_string_new(NULL);
    if (peek) {
        const char *first = atlas_file_peek(file, &length);
        g_string_append_len(seen, first, (gssize)length);
        ck_assert_uint_le(length, 1 << 16);
    }
    while ((got = input->read(input, piece, size)) > 0)
        g_string_append_len(text, piece, got);
    *fault = got < 0 ? input->fault : NULL;
    if (got == 0) {
        ck_assert_uint_eq(seen->len, peek ? MIN(text->len, 1 << 16) : 0);
        ck_assert(memcmp(seen->str, text->str, seen->len) == 0);
    }
    return text;
}

/* Text that does not compress to nothing. */
static GString *make_text(gsize length) {
    GString *text = g_string_sized_new(length);
    for (guint64 x = 1; text->len < length; x = x * 6364136223846793005u + 1442695040888963407u)
        g_string_append_printf(text, "%u\n", (guint)(x >> 40));
    g_string_truncate(text, length);
    return text;
}

static const gsize lengths[] = {0, 1, 2, 100, 65535, 65536, 65537, 300000};
static const gsize pieces[] = {1, 7, 4096, 1 << 17};

START_TEST(same_text) {
    g_autoptr(GString) text = make_text(lengths[_i]);
    g_autoptr(GString) packed = g_string_new(NULL), parts = g_string_new(NULL);
    gsize half = text->len / 2;
    append_member(packed, text->str, text->len);
    append_member(parts, text->str, half);
    append_member(parts, "", 0);
    append_member(parts, text->str + half, text->len - half);
    g_string_append_len(parts, "\0\0\0", 3); /* padding, as on tapes */
    const GString *forms[] = {text, packed, parts};
    for (gsize f = 0; f < G_N_ELEMENTS(forms); f++)
        for (gsize p = 0; p < G_N_ELEMENTS(pieces); p++)
            for (int peek = 0; peek < 2; peek++) {
                const char *fault;
                g_autoptr(GString) read = read_file(forms[f], pieces[p], peek, &fault);
                ck_assert_ptr_null(fault);
                ck_assert(g_string_equal(read, text));
            }
}
END_TEST

/* Wherever it is cut, it is not taken for a shorter text; behind its first member it is whole. */
START_TEST(cut) {
    g_autoptr(GString) text = make_text(3000), packed = g_string_new(NULL);
    append_member(packed, text->str, 1000);
    gsize first = packed->len;
    append_member(packed, text->str + 1000, 2000);
    for (gsize length = 2; length < packed->len; length++) {
        const char *fault;
        g_autoptr(GString) part = g_string_new_len(packed->str, (gssize)length);
        g_autoptr(GString) read = read_file(part, 1 << 16, length % 2, &fault);
        ck_assert(memcmp(read->str, text->str, read->len) == 0);
        if (length == first)
            ck_assert_ptr_null(fault);
        else
            ck_assert_str_eq(fault, "the compressed data end too early");
    }
}
END_TEST

/* A byte that is changed in the data or its check sum is found. */
START_TEST(damaged) {
    g_autoptr(GString) text = make_text(2000), packed = g_string_new(NULL);
    append_member(packed, text->str, text->len);
    for (gsize i = 10; i < packed->len; i += 13) { /* the header's flags and time may be anything */
        const char *fault;
        g_autoptr(GString) other = g_string_new_len(packed->str, (gssize)packed->len);
        other->str[i] ^= 1;
        g_autoptr(GString) read = read_file(other, 100, FALSE, &fault);
        ck_assert_msg(fault != NULL, "%" G_GSIZE_FORMAT " bytes without a fault", read->len);
    }
    g_string_append(packed, "behind");
    const char *fault;
    g_autoptr(GString) read = read_file(packed, 100, FALSE, &fault);
    ck_assert(g_string_equal(read, text)); /* what stands before is right */
    ck_assert_str_eq(fault, "the compressed data are damaged");
}
END_TEST

START_TEST(all_at_once) {
    g_autoptr(GString) text = make_text(10000), packed = g_string_new(NULL);
    const char *fault = NULL;
    append_member(packed, text->str, text->len);
    for (gsize most = 9999; most <= 10000; most++) {
        g_autoptr(AtlasFile) file = atlas_file_memory("memory", packed->str, packed->len);
        g_autoptr(GString) read = g_string_new(NULL);
        ck_assert_int_eq(atlas_file_read_all(file, read, most, &fault), most == 10000);
        ck_assert(most < 10000 || g_string_equal(read, text));
    }
    ck_assert_str_eq(fault, "File too large");
}
END_TEST

Suite *file_suite(void) {
    Suite *suite = suite_create("file");
    TCase *all = tcase_create("all");
    tcase_add_loop_test(all, same_text, 0, G_N_ELEMENTS(lengths));
    tcase_add_test(all, cut);
    tcase_add_test(all, damaged);
    tcase_add_test(all, all_at_once);
    suite_add_tcase(suite, all);
    return suite;
}

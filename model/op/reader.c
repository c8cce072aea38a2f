#include "model/op/reader.h"

#include <stdarg.h>
#include <string.h>

/* Errors after which reading stops: the file is something else. */
enum { ERRORS_MOST = 1000 };

/* Steps of comparing names that suggestions may take in one file, about half a second. */
enum { EFFORT = 100 * 1000 * 1000 };

gboolean program_error(Reader *r, AtlasSpan at, const char *format, ...) {
    if (r->muted || r->errors >= ERRORS_MOST)
        return FALSE;
    va_list args;
    va_start(args, format);
    g_autofree char *message = g_strdup_vprintf(format, args);
    va_end(args);
    atlas_diags_error(r->diags, at, "%s", message);
    r->errors++;
    return TRUE;
}

AtlasSpan program_span(const Reader *r, Word word) {
    gsize start = (gsize)(word.text - r->text);
    return (AtlasSpan){r->source, start, start + word.length};
}

AtlasSpan program_span_of_line(const Reader *r) {
    AtlasSpan span = program_span(r, g_array_index(r->words, Word, 0));
    span.end = program_span(r, g_array_index(r->words, Word, r->words->len - 1)).end;
    return span;
}

const char *program_quote(Reader *r, Word word) {
    gsize length = word.length;
    gboolean cut = length >= sizeof r->shown;
    if (cut)
        length = sizeof r->shown - 4;
    while (cut && ((guchar)word.text[length] & 0xc0) == 0x80) /* not inside a character */
        length--;
    memcpy(r->shown, word.text, length);
    strcpy(r->shown + length, cut ? "..." : "");
    return r->shown;
}

const char *program_intern(Reader *r, Word word) {
    g_string_truncate(r->scratch, 0);
    g_string_append_len(r->scratch, word.text, (gssize)word.length);
    return atlas_program_file_intern(r->file, r->scratch->str);
}

gboolean program_word_is(Word word, const char *text) {
    return strlen(text) == word.length && memcmp(word.text, text, word.length) == 0;
}

const char *program_take_rest(Reader *r) {
    if (r->next == r->words->len)
        return NULL;
    g_string_truncate(r->scratch, 0);
    for (guint first = r->next; r->next < r->words->len; r->next++) {
        Word word = g_array_index(r->words, Word, r->next);
        if (r->next > first)
            g_string_append_c(r->scratch, ' ');
        g_string_append_len(r->scratch, word.text, (gssize)word.length);
    }
    return atlas_program_file_intern(r->file, r->scratch->str);
}

static gboolean is_space(char c) {
    return c == ' ' || c == '\t';
}

static void split(Reader *r, Word line) {
    const char *p = line.text, *end = line.text + line.length;
    g_array_set_size(r->words, 0);
    r->next = 0;
    while (p < end) {
        while (p < end && is_space(*p))
            p++;
        Word word = {p, 0};
        while (p < end && !is_space(*p))
            p++;
        word.length = (gsize)(p - word.text);
        if (word.length > 0)
            g_array_append_val(r->words, word);
    }
}

/* Ends the current program, if there is one. */
static void finish(Reader *r) {
    r->muted = FALSE;
    for (guint i = 0; i < r->blocks->len; i++) {
        const Block *block = &g_array_index(r->blocks, Block, i);
        if (!block->doubtful &&
            program_error(r, block->at, "'%s' has no 'end'", atlas_op_word(block->kind)))
            atlas_diags_hint(r->diags, "'end' must stand before the program ends, on a line of "
                                       "its own");
    }
    g_array_set_size(r->blocks, 0);
    program_names_end(r);
    memset(r->seen, 0, sizeof r->seen);
    r->program = NULL;
    r->ended = r->skipping = FALSE;
}

/* Reads "# NAME"; the name is what follows. */
static void read_title(Reader *r) {
    gboolean good = r->words->len > 1 && g_array_index(r->words, Word, 0).length == 1;
    AtlasSpan at = program_span_of_line(r);
    if (r->program && !r->ended) {
        if (program_error(r, at, "'#' inside program '%s'", r->program->name))
            atlas_diags_hint(r->diags, "a comment starts with '//'; an empty line ends a program");
        if (!good || r->blocks->len > 0) /* a comment was meant */
            return;
    }
    finish(r);
    r->next = 1;
    const char *name = good ? program_take_rest(r) : "";
    if (strlen(name) > NAME_LONGEST) {
        program_error(r, at, "program's name of %" G_GSIZE_FORMAT " bytes; expected at most %d",
                      strlen(name), NAME_LONGEST);
        name = "";
    }
    if (!good && program_error(r, at, "'#' opens a program and needs its name"))
        atlas_diags_hint(r->diags, "expected: # NAME; a comment starts with '//'");
    r->program = atlas_program_file_add(r->file, name);
    r->program->at = at;
}

/* Reports a line that stands outside of any program. Behind an empty line, goes on as if it stood
 * in the last one, its own errors left out; else skips all lines up to the next program. */
static void outside(Reader *r, AtlasSpan at) {
    guint count = atlas_program_file_count(r->file);
    if (r->program) {
        if (program_error(r, at, "text after the empty line that ended program '%s'",
                          r->program->name))
            atlas_diags_hint(r->diags, "'//' parts lines inside a program; '# NAME' opens one");
    } else {
        const char *last = count ? atlas_program_file_get(r->file, count - 1)->name : NULL;
        if (last ? program_error(r, at, "text after the end of program '%s'", last)
                 : program_error(r, at, "text before the first program"))
            atlas_diags_hint(r->diags, "'# NAME' opens a program; comments stand inside one");
        r->skipping = TRUE;
    }
    r->ended = FALSE;
    r->muted = TRUE;
}

/* Reads "executed N", where the line is one. */
static gboolean read_executed(Reader *r) {
    gint64 executed = 0;
    Word first = g_array_index(r->words, Word, 0);
    guint at = first.text[0] == '@' && r->words->len > 1 ? 1 : 0;
    if (!program_word_is(g_array_index(r->words, Word, at), "executed"))
        return FALSE;
    if (at != 0 || r->words->len != 2) {
        if (program_error(r, program_span_of_line(r), "'executed' takes one number, and no more"))
            atlas_diags_hint(r->diags, "expected: executed N");
    } else {
        program_number(r, g_array_index(r->words, Word, 1), 0, G_MAXINT64, "number of launches",
                       &executed);
    }
    r->program->executed = executed;
    finish(r);
    return TRUE;
}

/* Keeps a comment: what follows "// ", without spaces at its end. */
static void read_comment(Reader *r, Word line) {
    Word text = {line.text + 2, line.length - 2};
    if (text.length > 0 && text.text[0] == ' ')
        text = (Word){text.text + 1, text.length - 1};
    AtlasOp *op = atlas_program_append(r->program, ATLAS_OP_COMMENT);
    op->at = program_span(r, line);
    op->text = program_intern(r, text);
}

static Word trim(Word line) {
    while (line.length > 0 && is_space(line.text[0]))
        line = (Word){line.text + 1, line.length - 1};
    while (line.length > 0 && is_space(line.text[line.length - 1]))
        line.length--;
    return line;
}

static void read_line(Reader *r, Word line) {
    line = trim(line);
    if (line.length == 0) {
        r->ended = r->program != NULL;
        return;
    }
    if (line.length > LINE_LONGEST) {
        program_error(r, program_span(r, (Word){line.text, 1}),
                      "line of %" G_GSIZE_FORMAT " bytes; expected at most %d", line.length,
                      LINE_LONGEST);
        if (line.text[0] == '#') {
            finish(r);
            r->skipping = TRUE;
        }
        return;
    }
    split(r, line);
    if (line.text[0] == '#') {
        read_title(r);
        return;
    }
    if (r->skipping)
        return;
    if (!r->program || r->ended)
        outside(r, program_span(r, line));
    if (r->skipping)
        return;
    if (line.length > 1 && line.text[0] == '/' && line.text[1] == '/')
        read_comment(r, line);
    else if (!read_executed(r))
        program_line(r);
}

/* Lines end with line feeds alone. A carriage return, at the end of one or inside, is said once a
 * file. */
static void refuse_carriage_return(Reader *r, Word *line) {
    const char *found = memchr(line->text, '\r', line->length);
    if (!found)
        return;
    gboolean last = found == line->text + line->length - 1;
    if (!r->carriage && program_error(r, program_span(r, (Word){found, 1}),
                                      last ? "line ends with a carriage return"
                                           : "line has a carriage return inside"))
        atlas_diags_hint(r->diags, "expected line feeds alone, in the whole file; 'dos2unix' "
                                   "converts it");
    r->carriage = TRUE;
    if (last)
        line->length--;
}

/* Text holds no control characters, which a terminal would obey when a name or a comment is shown:
 * said once a file. Tabs part words, and a line's end has its own sentence. */
static void refuse_control(Reader *r, Word line) {
    for (const char *p = line.text, *end = line.text + line.length; p < end && !r->control; p++) {
        gboolean high = *p == '\xc2' && (guchar)p[1] >= 0x80 && (guchar)p[1] < 0xa0;
        if (!high && (!g_ascii_iscntrl(*p) || *p == '\t' || *p == '\r'))
            continue;
        r->control = TRUE;
        program_error(r, program_span(r, (Word){p, high ? 2 : 1}),
                      "control character 0x%02x; expected text",
                      (guint)(guchar)(high ? p[1] : p[0]));
    }
}

/* A byte order mark at the start of a file is a mark of other systems. */
static void refuse_mark(Reader *r) {
    static const char mark[] = "\xef\xbb\xbf";
    if (!g_str_has_prefix(r->text, mark))
        return;
    if (program_error(r, (AtlasSpan){r->source, 0, sizeof mark - 1},
                      "byte order mark (BOM) at the start of the file"))
        atlas_diags_hint(r->diags, "expected UTF-8 without one; sed -i '1s/^\\xef\\xbb\\xbf//' "
                                   "takes it away");
    r->cursor += sizeof mark - 1;
}

/* Takes the next line, without its end; FALSE at the end of the source. */
static gboolean next_line(Reader *r, Word *line) {
    if (r->cursor == r->end)
        return FALSE;
    const char *newline = memchr(r->cursor, '\n', (gsize)(r->end - r->cursor));
    const char *end = newline ? newline : r->end;
    *line = (Word){r->cursor, (gsize)(end - r->cursor)};
    r->cursor = newline ? newline + 1 : r->end;
    r->muted = FALSE;
    refuse_carriage_return(r, line);
    if (line->length <= LINE_LONGEST) /* else it is refused as it is */
        refuse_control(r, *line);
    return TRUE;
}

static void init_words(Reader *r) {
    r->kinds = g_hash_table_new(g_str_hash, g_str_equal);
    r->op_words = g_ptr_array_new();
    for (guint kind = 0; kind < ATLAS_OP_KINDS; kind++) {
        const char *word = atlas_op_word(kind);
        if (kind == ATLAS_OP_COMMENT || kind == ATLAS_OP_END_BLOCK)
            continue; /* line.c tells `end` and `end s g` apart */
        g_hash_table_insert(r->kinds, (gpointer)word, GUINT_TO_POINTER(kind));
        g_ptr_array_add(r->op_words, (gpointer)word);
    }
    g_ptr_array_add(r->op_words, (gpointer) "executed");
    g_ptr_array_add(r->op_words, NULL);
}

static void reader_clear(Reader *r) {
    program_names_free(r);
    g_array_unref(r->words);
    g_array_unref(r->blocks);
    g_hash_table_unref(r->kinds);
    g_ptr_array_unref(r->op_words);
    g_string_free(r->scratch, TRUE);
}

AtlasProgramFile *atlas_program_read(const AtlasSource *source, AtlasDiags *diags) {
    Reader r = {.source = source, .diags = diags, .effort = EFFORT};
    Word line;
    r.text = r.cursor = atlas_source_text(source);
    r.end = r.text + atlas_source_length(source);
    r.file = atlas_program_file_new();
    r.words = g_array_new(FALSE, FALSE, sizeof(Word));
    r.blocks = g_array_new(FALSE, FALSE, sizeof(Block));
    r.scratch = g_string_new(NULL);
    init_words(&r);
    program_names_init(&r);

    refuse_mark(&r);
    while (r.errors < ERRORS_MOST && next_line(&r, &line))
        read_line(&r, line);
    finish(&r);
    if (r.errors == 0 && atlas_program_file_count(r.file) == 0 &&
        program_error(&r, (AtlasSpan){source, 0, 0}, "no program in this file"))
        atlas_diags_hint(diags, "'# NAME' opens a program");

    reader_clear(&r);
    if (r.errors == 0)
        return r.file;
    atlas_program_file_free(r.file);
    return NULL;
}

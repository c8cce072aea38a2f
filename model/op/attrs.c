#include "model/op/reader.h"

#include <string.h>

#include "model/base/rational.h"

static Word behind(Word word, gsize skip) {
    return (Word){word.text + skip, word.length - skip};
}

/* The piece of *rest before the next comma, taken from it; FALSE when nothing is left. */
static gboolean take_item(Word *rest, Word *item) {
    if (!rest->text)
        return FALSE;
    const char *comma = memchr(rest->text, ',', rest->length);
    item->text = rest->text;
    item->length = comma ? (gsize)(comma - rest->text) : rest->length;
    *rest = comma ? behind(*rest, item->length + 1) : (Word){NULL, 0};
    return TRUE;
}

/* The enclosing loop of that name; NULL, with an error where no loop's line was faulty. */
static gboolean find_loop(Reader *r, Word word, const char **name, const Block **found) {
    gboolean doubtful = FALSE;
    *found = NULL;
    if (!program_name(r, word, "loop", name))
        return FALSE;
    for (guint i = 0; i < r->blocks->len; i++) {
        const Block *block = &g_array_index(r->blocks, Block, i);
        doubtful = doubtful || block->doubtful;
        if (block->loop == *name)
            *found = block;
    }
    if (*found || doubtful)
        return TRUE;
    if (program_error(r, program_span(r, word), "no loop '%s' around this line", *name)) {
        g_autoptr(GPtrArray) loops = g_ptr_array_new();
        for (guint i = 0; i < r->blocks->len; i++)
            if (g_array_index(r->blocks, Block, i).loop)
                g_ptr_array_add(loops, (gpointer)g_array_index(r->blocks, Block, i).loop);
        g_ptr_array_add(loops, NULL);
        atlas_diags_suggest(r->diags, *name, "loops around it", (const char *const *)loops->pdata);
    }
    return FALSE;
}

static gboolean is_number(Word word) {
    return word.length > 0 && (g_ascii_isdigit(word.text[0]) || word.text[0] == '-');
}

/* Reads an index: N, NAME, NAME+N, NAME-N, N+NAME or N-NAME. */
static gboolean read_index(Reader *r, Word word, AtlasAccess *access, const Block **loop) {
    gint64 most = ATLAS_PROGRAM_TIMES_MAX;
    gsize sign = 1; /* of the operator, behind what may be the number's own minus */
    while (sign < word.length && word.text[sign] != '+' && word.text[sign] != '-')
        sign++;
    Word left = {word.text, MIN(sign, word.length)};
    Word right = sign < word.length ? behind(word, sign + 1) : (Word){word.text, 0};
    gboolean minus = sign < word.length && word.text[sign] == '-';
    *loop = NULL;
    if (sign >= word.length && is_number(left))
        return program_number(r, left, -most, most, "index", &access->offset);
    if (is_number(left)) {
        access->sign = minus ? -1 : 1;
        return program_number(r, left, -most, most, "index", &access->offset) &&
               find_loop(r, right, &access->loop, loop);
    }
    access->sign = 1;
    if (!find_loop(r, left, &access->loop, loop))
        return FALSE;
    if (sign >= word.length)
        return TRUE;
    if (!program_number(r, right, 0, most, "index", &access->offset))
        return FALSE;
    access->offset *= minus ? -1 : 1;
    return TRUE;
}

/* Checks that the buffer has the part, in every iteration. */
static gboolean check_part(Reader *r, const AtlasAccess *access, const Block *loop, Word word) {
    const Name *buffer = program_declared(r, OP_NOUN_BUFFER, access->buffer);
    if (!buffer || (access->loop && !loop) || program_times(r) == 0)
        return TRUE;
    gint64 low = access->offset, high = access->offset;
    if (loop) {
        low += access->sign * (access->sign > 0 ? loop->first : loop->last);
        high += access->sign * (access->sign > 0 ? loop->last : loop->first);
    }
    if (low >= 0 && high < buffer->parts)
        return TRUE;
    if (program_error(r, program_span(r, word), "no part %" G_GINT64_FORMAT " in buffer '%s'",
                      low < 0 ? low : high, access->buffer))
        atlas_diags_note(r->diags, buffer->at,
                         "it is declared with %" G_GINT64_FORMAT " (from 0), here", buffer->parts);
    return FALSE;
}

static gboolean read_access(Reader *r, Word item, AtlasAccess *access) {
    const Block *loop;
    const char *bracket = memchr(item.text, '[', item.length);
    Word name = {item.text, bracket ? (gsize)(bracket - item.text) : item.length};
    if (!program_name(r, name, "buffer", &access->buffer))
        return FALSE;
    program_use(r, OP_NOUN_BUFFER, access->buffer, program_span(r, name));
    if (!bracket)
        return TRUE;
    Word index = behind(item, name.length + 1);
    if (index.length < 2 || index.text[index.length - 1] != ']') {
        if (program_error(r, program_span(r, item), "incomplete index in '%s'",
                          program_quote(r, item)))
            atlas_diags_hint(r->diags, "expected BUFFER[INDEX], where INDEX is a whole number, a "
                                       "loop's name or their sum or difference");
        return FALSE;
    }
    index.length--;
    access->indexed = TRUE;
    return read_index(r, index, access, &loop) && check_part(r, access, loop, index);
}

static gboolean read_accesses(Reader *r, Word rest, GArray **into) {
    Word item;
    *into = atlas_program_list_new(r->file, sizeof(AtlasAccess));
    while (take_item(&rest, &item)) {
        AtlasAccess access = {0};
        if (!read_access(r, item, &access))
            return FALSE;
        g_array_append_val(*into, access);
    }
    return TRUE;
}

static gboolean read_arg(Reader *r, Word item, AtlasArg *arg) {
    static const char *const kinds[] = {"step", "device", NULL};
    const char *at = memchr(item.text, '@', item.length);
    Word name = {item.text, at ? (gsize)(at - item.text) : item.length};
    if (!program_name(r, name, "scalar", &arg->name))
        return FALSE;
    program_use(r, OP_NOUN_SCALAR, arg->name, program_span(r, name));
    arg->kind = ATLAS_ARG_CONST;
    if (!at)
        return TRUE;
    Word kind = behind(item, name.length + 1);
    arg->kind = program_word_is(kind, "step") ? ATLAS_ARG_HOST_PER_STEP : ATLAS_ARG_DEVICE;
    if (arg->kind == ATLAS_ARG_HOST_PER_STEP || program_word_is(kind, "device"))
        return TRUE;
    const char *shown = program_quote(r, kind);
    if (program_error(r, program_span(r, kind), "unknown kind of scalar '%s'", shown))
        atlas_diags_suggest(r->diags, shown, "kinds of scalars", kinds);
    return FALSE;
}

static gboolean read_args(Reader *r, Word rest, GArray **into) {
    Word item;
    *into = atlas_program_list_new(r->file, sizeof(AtlasArg));
    while (take_item(&rest, &item)) {
        AtlasArg arg = {0};
        if (!read_arg(r, item, &arg))
            return FALSE;
        g_array_append_val(*into, arg);
    }
    return TRUE;
}

/* Reads a population's key: names with points between them. */
static gboolean read_key(Reader *r, Word word, const char **into) {
    gboolean good = word.length <= NAME_LONGEST, start = TRUE;
    for (gsize i = 0; i < word.length && good; i++) {
        char c = word.text[i];
        good = g_ascii_islower(c) || (!start && (g_ascii_isdigit(c) || c == '_' || c == '.'));
        start = c == '.';
    }
    if (good && !start) {
        *into = program_intern(r, word);
        return TRUE;
    }
    if (program_error(r, program_span(r, word), "invalid key of a population: '%s'",
                      program_quote(r, word)))
        atlas_diags_hint(r->diags, "a key is names with points between them: fwd.main.kda");
    return FALSE;
}

static gboolean read_count(Reader *r, Word word, AtlasOp *op) {
    if (op->kind == ATLAS_OP_BUFFER)
        return program_number(r, word, 0, ATLAS_PROGRAM_PARTS_MAX, "number of parts", &op->count);
    if (!program_number(r, word, 1, ATLAS_PROGRAM_TIMES_MAX, "count", &op->count))
        return FALSE;
    if (op->count > 1 && program_times(r) > ATLAS_PROGRAM_TIMES_MAX / op->count) {
        program_error(r, program_span(r, word),
                      "line is performed more than %" G_GINT64_FORMAT " times",
                      ATLAS_PROGRAM_TIMES_MAX);
        return FALSE;
    }
    return TRUE;
}

static gboolean read_every(Reader *r, Word word, AtlasOp *op) {
    const Block *outer = r->blocks->len ? &g_array_index(r->blocks, Block, 0) : NULL;
    if (!outer || (outer->kind != ATLAS_OP_STEP && !outer->doubtful)) {
        if (program_error(r, program_span(r, word), "'every:' outside of 'step'"))
            atlas_diags_hint(r->diags, "only lines between 'step' and its 'end' belong to a step");
        return FALSE;
    }
    return program_number(r, word, 1, ATLAS_PROGRAM_TIMES_MAX, "number of steps", &op->every);
}

gint64 atlas_program_cost(const char *text, gsize length) {
    AtlasRat ns = atlas_rat_mul(atlas_rat_parse(text, length, NULL), atlas_rat(1000));
    return atlas_rat_is_whole(ns) && ns.num >= 1 && ns.num <= ATLAS_PROGRAM_COST_MAX ? ns.num : 0;
}

static gboolean read_cost(Reader *r, Word word, AtlasOp *op) {
    op->cost_ns = atlas_program_cost(word.text, word.length);
    if (op->cost_ns)
        return TRUE;
    if (program_error(r, program_span(r, word), "invalid cost of a launch: '%s'",
                      program_quote(r, word)))
        atlas_diags_hint(r->diags, "expected " ATLAS_PROGRAM_COST_HINT);
    return FALSE;
}

static gboolean read_value(Reader *r, guint bit, Word value, AtlasOp *op) {
    switch (bit) {
    case OP_COUNT:
        return read_count(r, value, op);
    case OP_READS:
        return read_accesses(r, value, &op->reads);
    case OP_WRITES:
        return read_accesses(r, value, &op->writes);
    case OP_FRESH:
        return read_accesses(r, value, &op->fresh);
    case OP_ARGS:
        return read_args(r, value, &op->args);
    case OP_EVERY:
        return read_every(r, value, op);
    case OP_COST:
        return read_cost(r, value, op);
    default:
        return read_key(r, value, &op->of);
    }
}

/* The attribute that the word is; NULL where it is none. A faulty count is still one. */
static const OpAttr *find_attr(Word word) {
    for (guint i = 0; i < OP_ATTRS; i++) {
        const OpAttr *attr = op_attr(i);
        gsize length = strlen(attr->prefix);
        if (word.length < length || memcmp(word.text, attr->prefix, length) != 0)
            continue;
        if (attr->bit != OP_COUNT || (word.length > 1 && strchr("0123456789-+", word.text[1])))
            return attr;
    }
    return NULL;
}

/* Reads one attribute; `seen` holds the bits of those before it. */
static gboolean read_attr(Reader *r, AtlasOp *op, Word word, guint *seen) {
    const OpAttr *attr = find_attr(word);
    if (!attr || !(op_row(op->kind)->takes & attr->bit)) {
        const char *shown = program_quote(r, word);
        if (attr || !memchr(word.text, ':', word.length)
                ? program_error(r, program_span(r, word), "'%s' takes no '%s'",
                                atlas_op_word(op->kind), shown)
                : program_error(r, program_span(r, word), "unknown attribute '%s'", shown))
            program_hint_usage(r, op->kind);
        return FALSE;
    }
    if (*seen & attr->bit) {
        program_error(r, program_span(r, word), "second '%s' on this line", attr->prefix);
        return FALSE;
    }
    *seen |= attr->bit;
    return read_value(r, attr->bit, behind(word, strlen(attr->prefix)), op);
}

gboolean program_attrs(Reader *r, AtlasOp *op) {
    guint takes = op_row(op->kind)->takes, seen = 0;
    for (const Word *word; (word = program_peek(r)); r->next++)
        if (!read_attr(r, op, *word, &seen))
            return FALSE;
    const char *lacks = takes & OP_MUST_READ && !op->reads     ? "r:"
                        : takes & OP_MUST_WRITE && !op->writes ? "w:"
                                                               : NULL;
    if (lacks) {
        if (program_error(r, op->at, "'%s' lacks '%s' with a buffer", atlas_op_word(op->kind),
                          lacks))
            program_hint_usage(r, op->kind);
        return FALSE;
    }
    Name *declared =
        op->kind == ATLAS_OP_BUFFER ? program_declared(r, OP_NOUN_BUFFER, op->operands[0]) : NULL;
    if (declared)
        declared->parts = op->count;
    return TRUE;
}

#include "model/op/reader.h"

#include <string.h>

#include "model/base/names.h"

static Word word_at(const Reader *r, guint index) {
    return g_array_index(r->words, Word, index);
}

const Word *program_peek(const Reader *r) {
    const Word *word = &g_array_index(r->words, Word, r->next);
    return r->next < r->words->len && !program_word_is(*word, "=>") ? word : NULL;
}

/* The next word, or the end of the line. */
static AtlasSpan span_of_next(const Reader *r) {
    if (r->next < r->words->len)
        return program_span(r, word_at(r, r->next));
    AtlasSpan last = program_span(r, word_at(r, r->words->len - 1));
    return (AtlasSpan){r->source, last.end, last.end};
}

void program_hint_usage(Reader *r, AtlasOpKind kind) {
    g_autoptr(GString) usage = g_string_new(NULL);
    atlas_op_usage(kind, usage);
    atlas_diags_hint(r->diags, "expected: %s", usage->str);
}

gboolean program_name(Reader *r, Word word, const char *what, const char **name) {
    if (word.length <= NAME_LONGEST) {
        g_string_truncate(r->scratch, 0);
        g_string_append_len(r->scratch, word.text, (gssize)word.length);
        if (atlas_name_valid(r->scratch->str, FALSE)) {
            *name = atlas_program_file_intern(r->file, r->scratch->str);
            return TRUE;
        }
    }
    if (program_error(r, program_span(r, word), "invalid %s name '%s'", what,
                      program_quote(r, word)))
        atlas_diags_hint(r->diags,
                         "a name is a small letter, then small letters, digits and '_', at most "
                         "%d in all",
                         NAME_LONGEST);
    return FALSE;
}

gboolean program_number(Reader *r, Word word, gint64 min, gint64 max, const char *what,
                        gint64 *number) {
    gsize sign = min < 0 && word.length > 0 && word.text[0] == '-' ? 1 : 0;
    gboolean good = word.length > sign;
    gint64 value = 0;
    for (gsize i = sign; i < word.length && good; i++) {
        gint64 digit = word.text[i] - '0';
        good = digit >= 0 && digit <= 9 && value <= (max - digit) / 10;
        value = good ? value * 10 + digit : 0;
    }
    value = sign ? -value : value;
    if (good && value >= min && value <= max) {
        *number = value;
        return TRUE;
    }
    program_error(r, program_span(r, word),
                  "%s '%s' is not a whole number from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT,
                  what, program_quote(r, word), min, max);
    return FALSE;
}

gint64 program_times(const Reader *r) {
    return r->blocks->len ? g_array_index(r->blocks, Block, r->blocks->len - 1).times : 1;
}

/* The op that the word at `at` names; ATLAS_OP_KINDS where it names none. */
static AtlasOpKind find_kind(Reader *r, guint at) {
    gpointer kind;
    Word word = word_at(r, at);
    if (program_word_is(word, "end") &&
        (at + 1 == r->words->len || program_word_is(word_at(r, at + 1), "=>")))
        return ATLAS_OP_END_BLOCK;
    if (word.length > NAME_LONGEST)
        return ATLAS_OP_KINDS;
    g_string_truncate(r->scratch, 0);
    g_string_append_len(r->scratch, word.text, (gssize)word.length);
    return g_hash_table_lookup_extended(r->kinds, r->scratch->str, NULL, &kind)
               ? (AtlasOpKind)GPOINTER_TO_UINT(kind)
               : ATLAS_OP_KINDS;
}

/* The kind of block that a line with an unknown op was probably to open or close; ATLAS_OP_KINDS
 * where it was to do neither. */
static AtlasOpKind meant_block(Reader *r, guint at, const char *nearest) {
    for (guint i = at; i < r->words->len; i++) {
        gboolean last = i + 1 == r->words->len;
        Word word = i == at && nearest ? (Word){nearest, strlen(nearest)} : word_at(r, i);
        if (program_word_is(word, "loop"))
            return ATLAS_OP_LOOP;
        if (last && program_word_is(word, "step"))
            return ATLAS_OP_STEP;
        if (last && program_word_is(word, "end"))
            return ATLAS_OP_END_BLOCK;
    }
    return ATLAS_OP_KINDS;
}

/* Reports the word at `at`, which is no op, and returns what meant_block says, so that blocks stay
 * balanced. */
static AtlasOpKind unknown_op(Reader *r, guint at) {
    const char *const *words = (const char *const *)r->op_words->pdata;
    Word word = word_at(r, at);
    const char *shown = program_quote(r, word);
    if (program_word_is(word, "=>")) {
        program_error(r, program_span(r, word), "no op before '=>'");
        return ATLAS_OP_KINDS;
    }
    if (program_error(r, program_span(r, word), "unknown op '%s'", shown))
        atlas_diags_suggest(r->diags, shown, "ops", words);
    return meant_block(r, at, atlas_name_nearest(shown, words));
}

/* Checks that an op of this kind may stand here. */
static gboolean check_place(Reader *r, AtlasOpKind kind, AtlasSpan at) {
    const OpRow *row = op_row(kind);
    gboolean again = r->seen[kind];
    r->seen[kind] = TRUE;
    if (row->takes & OP_ONCE && again) {
        program_error(r, at, "second '%s' in program '%s'; expected at most one", row->word,
                      r->program->name);
        return FALSE;
    }
    if (r->blocks->len > 0 && row->takes & OP_TOP) {
        const Block *block = &g_array_index(r->blocks, Block, r->blocks->len - 1);
        if (program_error(r, at, "'%s' inside '%s'", row->word, atlas_op_word(block->kind)))
            atlas_diags_note(r->diags, block->at, "'%s' stands here", atlas_op_word(block->kind));
        return FALSE;
    }
    if (kind == ATLAS_OP_END_BLOCK && r->blocks->len == 0) {
        if (program_error(r, at, "'end' without 'step' or 'loop'"))
            atlas_diags_hint(r->diags, "'end STREAM GRAPH' ends a capture");
        return FALSE;
    }
    if (kind == ATLAS_OP_LOOP && r->blocks->len >= ATLAS_PROGRAM_NESTING_MAX) {
        program_error(r, at, "more than %d steps and loops inside each other",
                      ATLAS_PROGRAM_NESTING_MAX);
        return FALSE;
    }
    return TRUE;
}

/* Reads the thread, "@2". */
static gboolean read_thread(Reader *r, AtlasOp *op) {
    gint64 thread;
    Word word = word_at(r, 0);
    if (!(op_row(op->kind)->takes & OP_THREAD)) {
        if (program_error(r, program_span(r, word), "'%s' takes no thread",
                          atlas_op_word(op->kind)))
            program_hint_usage(r, op->kind);
        return FALSE;
    }
    if (!program_number(r, (Word){word.text + 1, word.length - 1}, 1, ATLAS_PROGRAM_THREADS_MAX,
                        "thread", &thread))
        return FALSE;
    op->thread = (guint)thread;
    return TRUE;
}

static gboolean read_range(Reader *r, Word word, AtlasOp *op) {
    const char *dots = g_strstr_len(word.text, (gssize)word.length, "..");
    gint64 most = ATLAS_PROGRAM_TIMES_MAX;
    if (!dots) {
        if (!program_number(r, word, 0, most, "loop count", &op->last))
            return FALSE;
        op->last--;
    } else {
        Word first = {word.text, (gsize)(dots - word.text)};
        Word last = {dots + 2, word.length - first.length - 2};
        if (!program_number(r, first, -most, most, "first index", &op->first) ||
            !program_number(r, last, -most, most, "last index", &op->last))
            return FALSE;
    }
    if (op->last >= op->first && program_times(r) > most / (op->last - op->first + 1)) {
        program_error(r, program_span(r, word),
                      "loop body is performed more than %" G_GINT64_FORMAT " times", most);
        return FALSE;
    }
    return TRUE;
}

/* Checks that a loop's name is not that of a loop around it. */
static gboolean check_shadow(Reader *r, const char *name, AtlasSpan at) {
    for (guint i = 0; i < r->blocks->len; i++) {
        const Block *block = &g_array_index(r->blocks, Block, i);
        if (block->loop != name)
            continue;
        if (program_error(r, at, "loop '%s' inside a loop of that name", name))
            atlas_diags_note(r->diags, block->at, "the outer loop stands here");
        return FALSE;
    }
    return TRUE;
}

static gboolean read_verdicts(Reader *r, AtlasOp *op) {
    for (guint i = r->next; i < r->words->len; i++) {
        Word word = word_at(r, i);
        const char *equals = memchr(word.text, '=', word.length);
        if (equals && equals > word.text && equals < word.text + word.length - 1)
            continue;
        if (program_error(r, program_span(r, word), "'%s' is no verdict", program_quote(r, word)))
            program_hint_usage(r, op->kind);
        return FALSE;
    }
    op->text = program_take_rest(r);
    return TRUE;
}

static gboolean read_word(Reader *r, Word word, const OpRoleRow *role, const char **into) {
    for (guint i = 0; role->words[i]; i++) {
        if (program_word_is(word, role->words[i])) {
            *into = program_intern(r, word);
            return TRUE;
        }
    }
    const char *shown = program_quote(r, word);
    if (program_error(r, program_span(r, word), "unknown %s '%s'", role->what, shown)) {
        g_autofree char *known = g_strdup_printf("known %ss", role->what);
        atlas_diags_suggest(r->diags, shown, known, role->words);
    }
    return FALSE;
}

/* Whether an optional kernel stands next: a word that reads as a count is one only where another
 * count follows. */
static gboolean is_kernel(const Reader *r, Word word) {
    if (!op_like_count(word.text, word.length))
        return TRUE;
    for (guint i = r->next + 1; i < r->words->len; i++) {
        Word other = word_at(r, i);
        if (program_word_is(other, "=>"))
            break;
        if (op_like_count(other.text, other.length))
            return TRUE;
    }
    return FALSE;
}

static gboolean read_operand(Reader *r, AtlasOp *op, OpRole which, const char **into) {
    const OpRoleRow *role = op_role(which);
    const Word *next = program_peek(r);
    gboolean missing = !next || memchr(next->text, ':', next->length);
    if (role->optional && (missing || (which == OP_KERNEL && !is_kernel(r, *next))))
        return TRUE;
    if (missing) {
        if (program_error(r, span_of_next(r), "'%s' lacks its %s", atlas_op_word(op->kind),
                          role->what))
            program_hint_usage(r, op->kind);
        return FALSE;
    }
    if (role->form == OP_FORM_TEXT)
        return read_verdicts(r, op);
    Word word = *next;
    r->next++;
    switch (role->form) {
    case OP_FORM_DECLARE:
        return program_name(r, word, role->what, into) &&
               program_declare(r, role->noun, *into, program_span(r, word));
    case OP_FORM_USE:
        if (!program_name(r, word, role->what, into))
            return FALSE;
        program_use(r, role->noun, *into, program_span(r, word));
        return TRUE;
    case OP_FORM_WORD:
        return read_word(r, word, role, into);
    case OP_FORM_FILLER:
        if (program_word_is(word, role->shown))
            return TRUE;
        if (program_error(r, program_span(r, word), "expected '%s', not '%s'", role->shown,
                          program_quote(r, word)))
            program_hint_usage(r, op->kind);
        return FALSE;
    case OP_FORM_RANGE:
        return read_range(r, word, op);
    case OP_FORM_NUMBER:
        return program_number(r, word, 1, ATLAS_PROGRAM_TIMES_MAX, role->what, &op->count);
    default:
        return program_name(r, word, role->what, into) &&
               (which != OP_LOOP || check_shadow(r, *into, program_span(r, word)));
    }
}

static gboolean read_operands(Reader *r, AtlasOp *op) {
    const OpRow *row = op_row(op->kind);
    guint stored = 0;
    for (guint i = 0; i < OP_OPERANDS && row->operands[i]; i++) {
        if (!read_operand(r, op, row->operands[i], &op->operands[stored]))
            return FALSE;
        if (op_role(row->operands[i])->form <= OP_FORM_WORD)
            stored++;
    }
    return TRUE;
}

/* "INVALID_VALUE", or "CUresult=719", as a result is written that has no name here. */
static gboolean is_result(Word word) {
    static const char numbered[] = "CUresult=";
    gsize from = strlen(numbered);
    gboolean number = word.length > from && memcmp(word.text, numbered, from) == 0;
    gboolean good = word.length > 0 && word.length <= NAME_LONGEST;
    for (gsize i = number ? from : 0; i < word.length && good; i++)
        good = number ? g_ascii_isdigit(word.text[i])
                      : g_ascii_isalnum(word.text[i]) || word.text[i] == '_';
    return good;
}

static gboolean read_result(Reader *r, AtlasOp *op) {
    if (r->next == r->words->len)
        return TRUE;
    AtlasSpan arrow = program_span(r, word_at(r, r->next++));
    if (!(op_row(op->kind)->takes & OP_RESULT)) {
        if (program_error(r, arrow, "'%s' is no driver call and has no result",
                          atlas_op_word(op->kind)))
            program_hint_usage(r, op->kind);
        return FALSE;
    }
    Word word = r->next < r->words->len ? word_at(r, r->next++) : (Word){"", 0};
    if (!is_result(word)) {
        if (word.length > 0 ? program_error(r, program_span(r, word), "invalid result '%s'",
                                            program_quote(r, word))
                            : program_error(r, arrow, "no result after '=>'"))
            atlas_diags_hint(r->diags, "a result is a CUresult's name without CUDA_ERROR_, such "
                                       "as OK or INVALID_VALUE");
        return FALSE;
    }
    op->result = program_intern(r, word);
    op->details = program_take_rest(r);
    return TRUE;
}

/* Reads the line into a new op. *op and *kind are set as far as they are known. */
static gboolean read_op(Reader *r, AtlasOpKind *kind, AtlasOp **op) {
    guint at = word_at(r, 0).text[0] == '@' ? 1 : 0;
    if (at == r->words->len) {
        program_error(r, program_span(r, word_at(r, 0)), "no op after '%s'",
                      program_quote(r, word_at(r, 0)));
        return FALSE;
    }
    *kind = find_kind(r, at);
    if (*kind == ATLAS_OP_KINDS) {
        *kind = unknown_op(r, at);
        return FALSE;
    }
    *op = atlas_program_append(r->program, *kind);
    (*op)->at = program_span_of_line(r);
    r->next = at + 1;
    return check_place(r, *kind, program_span(r, word_at(r, at))) &&
           (at == 0 || read_thread(r, *op)) && read_operands(r, *op) && program_attrs(r, *op) &&
           read_result(r, *op);
}

static void open_block(Reader *r, AtlasOpKind kind, const AtlasOp *op) {
    Block block = {.kind = kind, .at = program_span_of_line(r), .times = program_times(r)};
    if (!op) {
        block.doubtful = TRUE;
    } else if (kind == ATLAS_OP_LOOP) {
        block.loop = op->operands[0];
        block.first = op->first;
        block.last = op->last;
        block.times *= MAX(op->last - op->first + 1, 0);
    }
    g_array_append_val(r->blocks, block);
}

void program_line(Reader *r) {
    AtlasOpKind kind = ATLAS_OP_KINDS;
    AtlasOp *op = NULL;
    program_names_line(r);
    gboolean good = read_op(r, &kind, &op);
    if (!good) {
        const OpRoleRow *role = op ? op_role(op_row(kind)->operands[0]) : NULL;
        gboolean declares = role && role->form == OP_FORM_DECLARE;
        if (declares && !op->operands[0])
            r->names[role->noun].lost = TRUE;
        program_names_fault(r, declares || !op);
    }
    if (kind == ATLAS_OP_STEP || kind == ATLAS_OP_LOOP)
        open_block(r, kind, good ? op : NULL);
    else if (kind == ATLAS_OP_END_BLOCK && r->blocks->len > 0)
        g_array_set_size(r->blocks, r->blocks->len - 1);
}

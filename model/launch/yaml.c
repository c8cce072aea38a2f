#include "model/launch/yaml.h"

#include <string.h>

#include "model/launch/tree.h"

/* Bounds of a text that the library is given, so that no file keeps it busy: it takes some 0.1 us
 * a byte, and, for every bracket that it sees open, about as much memory as a page of text. */
enum {
    SPEC_LONGEST = 8 << 20,
    LINE_LONGEST = 1 << 20,
    OPEN_MOST = 10000, /* '[' and '{' without their ends; a real nesting has at most 64 */
};

static AtlasSpan one_byte(const AtlasSource *source, gsize offset) {
    return (AtlasSpan){source, offset, offset + 1};
}

/* From line and column as the library counts them (from 1, in characters) to a span of one
 * character. */
static AtlasSpan span_at(const AtlasSource *source, int line, int column) {
    gsize start, end;
    guint lines = atlas_source_lines(source);
    if (line < 1)
        return (AtlasSpan){source, 0, 0};
    atlas_source_line(source, MIN((guint)line, lines), &start, &end);
    if ((guint)line > lines)
        return (AtlasSpan){source, end, end};
    const char *text = atlas_source_text(source);
    const char *p = text + start;
    for (int i = 1; i < column && p < text + end; i++)
        p = g_utf8_next_char(p);
    gsize offset = (gsize)(p - text);
    return (AtlasSpan){source, offset, MIN(offset + 1, end)};
}

/* ---- what the library must not see ---- */

/* Refuses the sizes above. Brackets in quotes and comments are counted too; so many of them without
 * an end stand in no file that means something. */
static gboolean bearable(const AtlasSource *source, const AtlasObjectKind *root,
                         AtlasDiags *diags) {
    const char *text = atlas_source_text(source);
    gsize length = atlas_source_length(source), start = 0;
    guint open = 0;
    if (length > SPEC_LONGEST) {
        atlas_diags_error(diags, (AtlasSpan){source, 0, 0},
                          "%s of %" G_GSIZE_FORMAT " bytes; expected at most %d", root->what,
                          length, SPEC_LONGEST);
        atlas_diags_hint(diags,
                         "loops, and groups that are 'like' others, describe much in little");
        return FALSE;
    }
    for (gsize i = 0; i < length; i++) {
        if (text[i] == '\n')
            start = i + 1;
        else if (text[i] == '[' || text[i] == '{')
            open++;
        else if ((text[i] == ']' || text[i] == '}') && open > 0)
            open--;
        if (open <= OPEN_MOST && i < start + LINE_LONGEST)
            continue;
        if (open > OPEN_MOST) {
            atlas_diags_error(diags, one_byte(source, i), "more than %d brackets are open here",
                              OPEN_MOST);
            atlas_diags_hint(diags, "every '[' and '{' needs its end");
        } else {
            atlas_diags_error(diags, one_byte(source, start), "a line of more than %d bytes",
                              LINE_LONGEST);
            atlas_diags_hint(diags, "break it into several");
        }
        return FALSE;
    }
    return TRUE;
}

/* libfyaml 0.7.12 scans some directives for ever; a line starts with '%' there. No spec needs one.
 * It also takes a carriage return alone for a line end, which no other part of this project does:
 * places would be wrong, and behind one a directive could hide. */
static gboolean refuse_directives(const AtlasSource *source, AtlasDiags *diags) {
    guint before = atlas_diags_errors(diags);
    const char *text = atlas_source_text(source);
    const char *mark = g_str_has_prefix(text, "\xef\xbb\xbf") ? text + 3 : text;
    for (const char *p = mark; *p && atlas_diags_errors(diags) < ATLAS_SPEC_ERRORS_MAX; p++) {
        gsize offset = (gsize)(p - text);
        if (*p == '%' && (p == mark || p[-1] == '\n')) {
            atlas_diags_error(diags, one_byte(source, offset), "a line cannot start with '%%'");
            atlas_diags_hint(diags,
                             "YAML directives are not used here; indent the line, or quote it");
        } else if (*p == '\r' && p[1] != '\n') {
            atlas_diags_error(diags, one_byte(source, offset),
                              "a carriage return without a line feed");
            atlas_diags_hint(diags, "end lines with a line feed; in quotes write \\r");
        }
    }
    return atlas_diags_errors(diags) == before;
}

/* ---- what it says ---- */

/* What may help with a message of the library: the first row whose part it has. */
static const struct {
    const char *part, *hint;
} hints[] = {
    {"tab", "indent with spaces"},
    {"escape", "between \" quotes a backslash starts an escape; ' quotes take it as it is"},
    {"quoted scalar", "a quote that opens a text needs another one that closes it"},
    {"cannot start", "quote a text that starts with a sign"},
    {"mapping on the same line", "quote a text that has ': ' in it"},
    {"plain multiline", "quote a text that has ': ' in it"},
    {"multiline plain key", "is a ':' missing, or a line indented unlike its neighbours?"},
    {"flow", "every '[' and '{' needs its end, and commas between its entries"},
    {"comma", "every '[' and '{' needs its end, and commas between its entries"},
    {"", "entries of one mapping or list are indented alike, by spaces; a text that holds ': ' or "
         "' #', or starts with a sign, needs quotes"},
};

static void report(AtlasYaml *yaml, AtlasDiags *diags) {
    void *iterator = NULL;
    struct fy_diag_error *error;
    while ((error = fy_diag_errors_iterate(yaml->diag, &iterator))) {
        AtlasSpan at = span_at(yaml->source, error->line, error->column);
        guint row = 0;
        if (g_str_has_prefix(error->msg, "Max depth")) {
            atlas_diags_error(diags, at,
                              "mappings and lists stand too deep inside each other here");
            atlas_diags_hint(diags, "a group that is 'like' another can hold what stands deeper");
            continue;
        }
        atlas_diags_error(diags, at, "no valid YAML: %s", error->msg);
        while (!strstr(error->msg, hints[row].part))
            row++;
        atlas_diags_hint(diags, "%s", hints[row].hint);
    }
}

static struct fy_diag *quiet_diag(void) {
    struct fy_diag_cfg config;
    fy_diag_cfg_default(&config);
    config.fp = NULL;
    config.level = FYET_MAX;
    struct fy_diag *diag = fy_diag_create(&config);
    fy_diag_set_collect_errors(diag, true); /* collected errors are never displayed by it */
    return diag;
}

static gboolean is_empty(const AtlasYaml *yaml) {
    struct fy_node *root = yaml->document ? fy_document_root(yaml->document) : NULL;
    gsize length = 0;
    const char *refused;
    return !root ||
           (fy_node_is_scalar(root) && !fy_node_is_alias(root) && !fy_node_get_anchor(root) &&
            !fy_node_get_tag(root, &(size_t){0}) && fy_node_get_style(root) == FYNS_PLAIN &&
            (!atlas_yaml_text(yaml, root, &length, &refused) || length == 0));
}

/* The keys that a file begins with, and must have. */
static void expect_root(const AtlasObjectKind *root, AtlasSpan at, AtlasDiags *diags) {
    g_autoptr(GString) keys = g_string_new(NULL);
    atlas_diags_error(diags, at, "the file is empty; expected %s", root->what);
    for (const AtlasSpecField *field = root->fields + 1; field->key; field++)
        if (field->required)
            g_string_append_printf(keys, "%s'%s'", keys->len ? " and " : "", field->key);
    atlas_diags_hint(diags, "%s starts with '%s: 1' and has %s", root->what, root->fields->key,
                     keys->str);
}

AtlasYaml *atlas_yaml_load(const AtlasSource *source, const AtlasObjectKind *root,
                           AtlasDiags *diags) {
    AtlasSpan top = {source, 0, 0};
    guint before = atlas_diags_errors(diags);
    if (!bearable(source, root, diags) || !refuse_directives(source, diags))
        return NULL;
    g_autoptr(AtlasYaml) yaml = g_new0(AtlasYaml, 1);
    yaml->source = source;
    yaml->diag = quiet_diag();
    struct fy_parse_cfg config = {
        .flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG | FYPCF_ALLOW_DUPLICATE_KEYS,
        .diag = yaml->diag,
    };
    yaml->parser = fy_parser_create(&config);
    fy_parser_set_string(yaml->parser, atlas_source_text(source), atlas_source_length(source));
    yaml->document = fy_parse_load_document(yaml->parser);
    struct fy_document *second = yaml->document ? fy_parse_load_document(yaml->parser) : NULL;
    report(yaml, diags);
    if (second) {
        gsize end = atlas_source_length(source);
        AtlasSpan at =
            atlas_yaml_span(yaml, fy_document_root(second), (AtlasSpan){source, end, end});
        fy_parse_document_destroy(yaml->parser, second);
        atlas_diags_error(diags, at, "this belongs to a second YAML document");
        atlas_diags_hint(diags, "a file holds one document; remove the '---' line between them");
    }
    if (atlas_diags_errors(diags) > before)
        return NULL;
    if (fy_parser_get_stream_error(yaml->parser)) {
        atlas_diags_error(diags, top, "no valid YAML");
        atlas_diags_hint(diags, "%s", hints[G_N_ELEMENTS(hints) - 1].hint);
        return NULL;
    }
    if (is_empty(yaml)) {
        expect_root(root, top, diags);
        return NULL;
    }
    return g_steal_pointer(&yaml);
}

void atlas_yaml_free(AtlasYaml *yaml) {
    if (!yaml)
        return;
    if (yaml->document)
        fy_parse_document_destroy(yaml->parser, yaml->document);
    if (yaml->parser)
        fy_parser_destroy(yaml->parser);
    fy_diag_destroy(yaml->diag);
    g_free(yaml);
}

static gboolean scalar_span(const AtlasYaml *yaml, struct fy_node *node, AtlasSpan *span) {
    struct fy_token *token = fy_node_get_scalar_token(node);
    const struct fy_mark *start = token ? fy_token_start_mark(token) : NULL;
    const struct fy_mark *end = token ? fy_token_end_mark(token) : NULL;
    if (!start || !end)
        return FALSE;
    gsize from = start->input_pos;
    enum fy_node_style style = fy_node_get_style(node);
    if (style == FYNS_LITERAL || style == FYNS_FOLDED) { /* these start with their indentation */
        const char *text = atlas_source_text(yaml->source);
        while (from < end->input_pos && g_ascii_isspace(text[from]))
            from++;
    }
    *span = (AtlasSpan){yaml->source, from, end->input_pos};
    return TRUE;
}

static const char *refused_quotes(const AtlasYaml *yaml, struct fy_node *node) {
    struct fy_token *token = fy_node_get_scalar_token(node);
    const struct fy_mark *start = token ? fy_token_start_mark(token) : NULL;
    const struct fy_mark *end = token ? fy_token_end_mark(token) : NULL;
    enum fy_node_style style = fy_node_get_style(node);
    if (!start || !end || end->input_pos < start->input_pos)
        return NULL;
    const char *text = atlas_source_text(yaml->source) + start->input_pos;
    gssize length = (gssize)(end->input_pos - start->input_pos);
    if (style == FYNS_SINGLE_QUOTED && g_strstr_len(text, length, "''''"))
        return "write it between double quotes";
    if (style == FYNS_DOUBLE_QUOTED && g_strstr_len(text, length, "\n") &&
        g_strstr_len(text, length, "\\"))
        return "write it in one line, or without quotes and escapes behind '>-'";
    return NULL;
}

const char *atlas_yaml_text(const AtlasYaml *yaml, struct fy_node *node, gsize *length,
                            const char **refused) {
    *refused = NULL;
    if (!node || !fy_node_is_scalar(node))
        return NULL;
    *refused = refused_quotes(yaml, node);
    return *refused ? NULL : fy_node_get_scalar(node, length);
}

AtlasSpan atlas_yaml_span(const AtlasYaml *yaml, struct fy_node *node, AtlasSpan otherwise) {
    AtlasSpan span;
    /* The library keeps nesting below its depth limit, and with it this descent. */
    while (node && !fy_node_is_scalar(node)) {
        void *iterator = NULL;
        if (fy_node_is_sequence(node)) {
            node = fy_node_sequence_iterate(node, &iterator);
        } else {
            struct fy_node_pair *pair = fy_node_mapping_iterate(node, &iterator);
            node = pair ? fy_node_pair_key(pair) : NULL;
        }
    }
    return node && scalar_span(yaml, node, &span) ? span : otherwise;
}

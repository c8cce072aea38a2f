#include "model/launch/yaml.h"

#include <string.h>

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

/* libfyaml 0.7.12 scans some directives for ever. No spec needs one. */
static gboolean refuse_directives(const AtlasSource *source, AtlasDiags *diags) {
    guint before = atlas_diags_errors(diags);
    const char *text = atlas_source_text(source);
    for (const char *p = text; p; p = strchr(p, '\n'), p = p ? p + 1 : NULL) {
        if (*p != '%')
            continue;
        gsize offset = (gsize)(p - text);
        atlas_diags_error(diags, (AtlasSpan){source, offset, offset + 1},
                          "a line cannot start with '%%'");
        atlas_diags_hint(diags, "YAML directives are not used here; indent the line, or quote it");
    }
    return atlas_diags_errors(diags) == before;
}

static void report(AtlasYaml *yaml, AtlasDiags *diags) {
    void *iterator = NULL;
    struct fy_diag_error *error;
    while ((error = fy_diag_errors_iterate(yaml->diag, &iterator)))
        atlas_diags_error(diags, span_at(yaml->source, error->line, error->column),
                          "no valid YAML: %s", error->msg);
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

AtlasYaml *atlas_yaml_load(const AtlasSource *source, AtlasDiags *diags) {
    AtlasSpan top = {source, 0, 0};
    guint before = atlas_diags_errors(diags);
    if (!refuse_directives(source, diags))
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
        AtlasSpan at = atlas_yaml_span(yaml, fy_document_root(second), top);
        fy_parse_document_destroy(yaml->parser, second);
        atlas_diags_error(diags, at, "a second YAML document starts before this line");
        atlas_diags_hint(diags, "a file holds one spec; remove the '---' line");
    }
    if (atlas_diags_errors(diags) > before)
        return NULL;
    if (!yaml->document || !fy_document_root(yaml->document)) {
        atlas_diags_error(diags, top, "the file is empty; expected a spec");
        atlas_diags_hint(diags, "a spec starts with 'atlas: 1' and has 'name' and 'stages'");
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
    *span = (AtlasSpan){yaml->source, start->input_pos, end->input_pos};
    return TRUE;
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

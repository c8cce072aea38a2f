#include "tests/unit/flow_case.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

void flow_case_init(FlowCase *c, char *text) {
    c->text = text;
    c->source = atlas_source_new("case", text, strlen(text), NULL);
    c->diags = atlas_diags_new();
    c->file = atlas_program_read(c->source, c->diags);
    g_autofree char *errors = atlas_diags_render(c->diags, FALSE);
    ck_assert_msg(c->file != NULL, "%s%s", errors, text);
    c->program = atlas_program_file_get(c->file, 0);
    c->flow = flow_new(c->program);
}

void flow_case_clear(FlowCase *c) {
    flow_free(c->flow);
    atlas_program_file_free(c->file);
    atlas_diags_free(c->diags);
    atlas_source_free(c->source);
    g_free(c->text);
}

guint flow_case_programs(guint usual) {
    const char *stated = g_getenv("ATLAS_RANDOM");
    return stated ? (guint)atoi(stated) : usual;
}

const Reading *flow_case_reading(const Engine *e, guint op) {
    for (guint i = 0; i < e->smear.readings->len; i++) {
        const Reading *r = &g_array_index(e->smear.readings, Reading, i);
        if ((r->flow == FLOW_NONE ? G_MAXUINT : flow_op(e->flow, r->flow)->op) == op)
            return r;
    }
    return NULL;
}

#include "model/machine/outcome.h"

#include <string.h>

/* Names without CUDA_ERROR_, as far as a program of this form can meet them. */
static const struct {
    int code;
    const char *name;
} names[] = {
    {ATLAS_RESULT_UNDEFINED, "UNDEFINED"},
    {ATLAS_RESULT_NONE, ""},
    {ATLAS_RESULT_OK, "OK"},
    {ATLAS_RESULT_INVALID_VALUE, "INVALID_VALUE"},
    {ATLAS_RESULT_OUT_OF_MEMORY, "OUT_OF_MEMORY"},
    {3, "NOT_INITIALIZED"},
    {4, "DEINITIALIZED"},
    {46, "DEVICE_UNAVAILABLE"},
    {100, "NO_DEVICE"},
    {101, "INVALID_DEVICE"},
    {200, "INVALID_IMAGE"},
    {201, "INVALID_CONTEXT"},
    {209, "NO_BINARY_FOR_GPU"},
    {214, "ECC_UNCORRECTABLE"},
    {218, "INVALID_PTX"},
    {220, "NVLINK_UNCORRECTABLE"},
    {222, "UNSUPPORTED_PTX_VERSION"},
    {400, "INVALID_HANDLE"},
    {ATLAS_RESULT_ILLEGAL_STATE, "ILLEGAL_STATE"},
    {500, "NOT_FOUND"},
    {ATLAS_RESULT_NOT_READY, "NOT_READY"},
    {700, "ILLEGAL_ADDRESS"},
    {701, "LAUNCH_OUT_OF_RESOURCES"},
    {702, "LAUNCH_TIMEOUT"},
    {709, "CONTEXT_IS_DESTROYED"},
    {710, "ASSERT"},
    {714, "HARDWARE_STACK_ERROR"},
    {715, "ILLEGAL_INSTRUCTION"},
    {716, "MISALIGNED_ADDRESS"},
    {717, "INVALID_ADDRESS_SPACE"},
    {718, "INVALID_PC"},
    {719, "LAUNCH_FAILED"},
    {800, "NOT_PERMITTED"},
    {ATLAS_RESULT_NOT_SUPPORTED, "NOT_SUPPORTED"},
    {802, "SYSTEM_NOT_READY"},
    {ATLAS_RESULT_STREAM_CAPTURE_UNSUPPORTED, "STREAM_CAPTURE_UNSUPPORTED"},
    {ATLAS_RESULT_STREAM_CAPTURE_INVALIDATED, "STREAM_CAPTURE_INVALIDATED"},
    {ATLAS_RESULT_STREAM_CAPTURE_MERGE, "STREAM_CAPTURE_MERGE"},
    {ATLAS_RESULT_STREAM_CAPTURE_UNMATCHED, "STREAM_CAPTURE_UNMATCHED"},
    {ATLAS_RESULT_STREAM_CAPTURE_UNJOINED, "STREAM_CAPTURE_UNJOINED"},
    {ATLAS_RESULT_STREAM_CAPTURE_ISOLATION, "STREAM_CAPTURE_ISOLATION"},
    {ATLAS_RESULT_STREAM_CAPTURE_IMPLICIT, "STREAM_CAPTURE_IMPLICIT"},
    {ATLAS_RESULT_CAPTURED_EVENT, "CAPTURED_EVENT"},
    {ATLAS_RESULT_STREAM_CAPTURE_WRONG_THREAD, "STREAM_CAPTURE_WRONG_THREAD"},
    {909, "TIMEOUT"},
    {ATLAS_RESULT_GRAPH_EXEC_UPDATE_FAILURE, "GRAPH_EXEC_UPDATE_FAILURE"},
    {999, "UNKNOWN"},
};

#define NUMBERED "CUresult="

const char *atlas_result_name(int code) {
    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        if (names[i].code == code)
            return names[i].name;
    return NULL;
}

gboolean atlas_result_parse(const char *name, int *code) {
    guint64 number;
    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        if (*name && strcmp(names[i].name, name) == 0) {
            *code = names[i].code;
            return TRUE;
        }
    if (!g_str_has_prefix(name, NUMBERED) ||
        !g_ascii_string_to_unsigned(name + strlen(NUMBERED), 10, 0, G_MAXINT, &number, NULL))
        return FALSE;
    *code = (int)number;
    return TRUE;
}

void atlas_result_suggest(const char *name, AtlasDiags *diags) {
    const char *all[G_N_ELEMENTS(names) + 1];
    guint count = 0;
    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        if (*names[i].name)
            all[count++] = names[i].name;
    all[count] = NULL;
    atlas_diags_suggest(diags, name, "results are", all);
    atlas_diags_hint(diags, "a result is a CUresult without CUDA_ERROR_, or CUresult=N");
}

const char *atlas_node_type_name(AtlasNodeType type) {
    static const char *const words[ATLAS_NODE_TYPES] = {
        "kernel",     "memcpy",       "memset",    "host",     "graph",        "empty",
        "wait_event", "event_record", "mem_alloc", "mem_free", "batch_mem_op", "other"};
    g_assert((guint)type < ATLAS_NODE_TYPES);
    return words[type];
}

AtlasAnswer atlas_answer(int code) {
    return (AtlasAnswer){.code = code};
}

/* ---- text ---- */

static const char *const statuses[] = {"none", "active", "invalidated"};

static void write_graph(const AtlasAnswer *answer, GString *out) {
    g_string_append_printf(out, "nodes=%" G_GINT64_FORMAT " edges=%" G_GINT64_FORMAT, answer->nodes,
                           answer->edges);
    for (guint i = 0; i < ATLAS_NODE_TYPES; i++)
        if (answer->of[i])
            g_string_append_printf(out, " %s=%" G_GINT64_FORMAT, atlas_node_type_name(i),
                                   answer->of[i]);
}

static void write_details(const AtlasAnswer *answer, GString *out) {
    switch (answer->details) {
    case ATLAS_DETAILS_NONE:
        break;
    case ATLAS_DETAILS_STATUS:
        g_string_append(out, statuses[answer->status]);
        break;
    case ATLAS_DETAILS_NULL_GRAPH:
        g_string_append(out, "graph=null");
        break;
    case ATLAS_DETAILS_GRAPH:
        write_graph(answer, out);
        break;
    case ATLAS_DETAILS_UPDATE:
        g_string_append_printf(out, "result=%d", answer->update);
        break;
    }
}

static void write_result(const AtlasAnswer *answer, GString *out) {
    const char *name = atlas_result_name(answer->code);
    if (name)
        g_string_append(out, name);
    else
        g_string_append_printf(out, NUMBERED "%d", answer->code);
}

void atlas_answer_write(const AtlasAnswer *answer, GString *out) {
    write_result(answer, out);
    if (answer->details != ATLAS_DETAILS_NONE)
        g_string_append_c(out, ' ');
    write_details(answer, out);
}

/* ---- outcomes ---- */

AtlasOutcome *atlas_outcome_new(const AtlasProgram *program) {
    AtlasOutcome *outcome = g_new0(AtlasOutcome, 1);
    AtlasAnswer none = {.code = ATLAS_RESULT_NONE};
    outcome->executed = -1;
    outcome->ended_at = program->ops->len;
    outcome->answers = g_array_sized_new(FALSE, FALSE, sizeof(AtlasAnswer), program->ops->len);
    for (guint i = 0; i < program->ops->len; i++)
        g_array_append_val(outcome->answers, none);
    return outcome;
}

void atlas_outcome_free(AtlasOutcome *outcome) {
    if (!outcome)
        return;
    g_array_unref(outcome->answers);
    g_free(outcome->uncounted);
    g_free(outcome);
}

const AtlasAnswer *atlas_outcome_get(const AtlasOutcome *outcome, guint op) {
    g_assert(op < outcome->answers->len);
    return &g_array_index(outcome->answers, AtlasAnswer, op);
}

void atlas_outcome_put(AtlasOutcome *outcome, guint op, const AtlasAnswer *answer) {
    AtlasAnswer *kept = &g_array_index(outcome->answers, AtlasAnswer, op);
    if (!atlas_answer_failed(kept))
        *kept = *answer;
}

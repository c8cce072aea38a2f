#include "model/op/op.h"

/* Attributes of host actions, of driver calls, of calls that make what a program declares. */
enum {
    HOST = OP_THREAD | OP_EVERY,
    CALL = OP_THREAD | OP_EVERY | OP_RESULT,
    MAKE = OP_THREAD | OP_RESULT,
    MOVE = OP_READS | OP_WRITES,
    KERNEL = OP_COUNT | OP_READS | OP_WRITES | OP_FRESH | OP_ARGS | OP_OF | OP_COST
};

static const OpRow rows[ATLAS_OP_KINDS] = {
    /* structure */
    [ATLAS_OP_STEP] = {"step", {0}, OP_ONCE | OP_TOP, ""},
    [ATLAS_OP_LOOP] = {"loop", {OP_RANGE, OP_AS, OP_LOOP}, 0, ""},
    [ATLAS_OP_END_BLOCK] = {"end", {0}, 0, ""},
    [ATLAS_OP_STAGE] = {"stage", {OP_STAGE}, 0, ""},
    [ATLAS_OP_COMMENT] = {"//", {OP_ANY_TEXT}, 0, ""},
    [ATLAS_OP_EXPECT] = {"expect", {OP_VERDICTS}, OP_TOP, ""},
    [ATLAS_OP_DEPTH] = {"depth", {OP_DEPTH, OP_ENTRIES}, OP_ONCE | OP_TOP, ""},
    [ATLAS_OP_SLOT] = {"slot", {OP_SLOT_RULE}, OP_ONCE | OP_TOP, ""},
    /* declarations */
    [ATLAS_OP_STREAM] = {"stream", {OP_NEW_STREAM, OP_STREAM_KIND}, MAKE, "cuStreamCreate"},
    [ATLAS_OP_EVENT] = {"event", {OP_NEW_EVENT}, MAKE, "cuEventCreate"},
    [ATLAS_OP_BUFFER] = {"buffer", {OP_NEW_BUFFER}, OP_COUNT, ""},
    [ATLAS_OP_SCALAR] = {"scalar", {OP_NEW_SCALAR}, 0, ""},
    [ATLAS_OP_FLAG] = {"flag", {OP_NEW_FLAG}, 0, ""},
    /* capture */
    [ATLAS_OP_MODE] = {"mode", {OP_CAPTURE_MODE}, CALL, "cuThreadExchangeStreamCaptureMode"},
    [ATLAS_OP_BEGIN] = {"begin", {OP_STREAM, OP_CAPTURE_MODE}, CALL, "cuStreamBeginCapture"},
    [ATLAS_OP_END_CAPTURE] = {"end", {OP_STREAM, OP_GRAPH}, CALL, "cuStreamEndCapture"},
    [ATLAS_OP_STATUS] = {"status", {OP_STREAM}, CALL, "cuStreamIsCapturing"},
    /* work on a stream */
    [ATLAS_OP_LAUNCH] = {"launch", {OP_STREAM, OP_KERNEL}, CALL | KERNEL, "cuLaunchKernel"},
    [ATLAS_OP_MEMSET_ASYNC] = {"memset_async", {OP_STREAM}, CALL | OP_WRITES, "cuMemsetD8Async"},
    [ATLAS_OP_DTOD_ASYNC] = {"dtod_async", {OP_STREAM}, CALL | MOVE, "cuMemcpyDtoDAsync"},
    [ATLAS_OP_HTOD_ASYNC] = {"htod_async",
                             {OP_STREAM, OP_COPY_KIND},
                             CALL | MOVE,
                             "cuMemcpyHtoDAsync"},
    [ATLAS_OP_DTOH_ASYNC] = {"dtoh_async",
                             {OP_STREAM, OP_COPY_KIND},
                             CALL | MOVE,
                             "cuMemcpyDtoHAsync"},
    [ATLAS_OP_HOST_FN] = {"host_fn", {OP_STREAM}, CALL | MOVE, "cuLaunchHostFunc"},
    [ATLAS_OP_STREAM_CALLBACK] = {"stream_callback",
                                  {OP_STREAM},
                                  CALL | MOVE,
                                  "cuStreamAddCallback"},
    [ATLAS_OP_MALLOC_ASYNC] = {"malloc_async", {OP_MEMORY, OP_STREAM}, CALL, "cuMemAllocAsync"},
    [ATLAS_OP_FREE_ASYNC] = {"free_async", {OP_MEMORY, OP_STREAM}, CALL, "cuMemFreeAsync"},
    [ATLAS_OP_FLAG_WAIT] = {"flag_wait", {OP_STREAM, OP_FLAG}, CALL, "cuStreamWaitValue32"},
    [ATLAS_OP_FLAG_SET] = {"flag_set", {OP_STREAM, OP_FLAG}, CALL, "cuStreamWriteValue32"},
    /* events and waiting */
    [ATLAS_OP_RECORD] = {"record", {OP_EVENT, OP_STREAM}, CALL, "cuEventRecord"},
    [ATLAS_OP_RECORD_EXTERNAL] = {"record_external",
                                  {OP_EVENT, OP_STREAM},
                                  CALL,
                                  "cuEventRecordWithFlags"},
    [ATLAS_OP_WAIT] = {"wait", {OP_STREAM, OP_EVENT}, CALL, "cuStreamWaitEvent"},
    [ATLAS_OP_WAIT_EXTERNAL] = {"wait_external", {OP_STREAM, OP_EVENT}, CALL, "cuStreamWaitEvent"},
    [ATLAS_OP_SYNC_STREAM] = {"sync_stream", {OP_STREAM}, CALL, "cuStreamSynchronize"},
    [ATLAS_OP_QUERY_STREAM] = {"query_stream", {OP_STREAM}, CALL, "cuStreamQuery"},
    [ATLAS_OP_SYNC_EVENT] = {"sync_event", {OP_EVENT}, CALL, "cuEventSynchronize"},
    [ATLAS_OP_QUERY_EVENT] = {"query_event", {OP_EVENT}, CALL, "cuEventQuery"},
    [ATLAS_OP_SYNC_CTX] = {"sync_ctx", {0}, CALL, "cuCtxSynchronize"},
    /* the host */
    [ATLAS_OP_HOST_READ] = {"host_read", {0}, HOST | OP_READS | OP_MUST_READ, ""},
    [ATLAS_OP_HOST_WRITE] = {"host_write", {0}, HOST | OP_WRITES | OP_MUST_WRITE, ""},
    [ATLAS_OP_HOST_SET] = {"host_set", {OP_SCALAR}, HOST, ""},
    [ATLAS_OP_HOST_FLAG_SET] = {"host_flag_set", {OP_FLAG}, HOST, ""},
    [ATLAS_OP_HOST_FLAG_WAIT] = {"host_flag_wait", {OP_FLAG}, HOST, ""},
    [ATLAS_OP_COUNTER_READ] = {"counter_read", {OP_EXACT}, HOST, ""},
    /* memory and other calls */
    [ATLAS_OP_MALLOC] = {"malloc", {OP_MEMORY}, CALL, "cuMemAlloc"},
    [ATLAS_OP_FREE] = {"free", {OP_MEMORY}, CALL, "cuMemFree"},
    [ATLAS_OP_HOST_ALLOC] = {"host_alloc", {OP_MEMORY}, CALL, "cuMemHostAlloc"},
    [ATLAS_OP_HOST_FREE] = {"host_free", {OP_MEMORY}, CALL, "cuMemFreeHost"},
    [ATLAS_OP_MEMSET_SYNC] = {"memset_sync", {0}, CALL | OP_WRITES, "cuMemsetD8"},
    [ATLAS_OP_HTOD_SYNC] = {"htod_sync", {0}, CALL | MOVE, "cuMemcpyHtoD"},
    [ATLAS_OP_DTOH_SYNC] = {"dtoh_sync", {0}, CALL | MOVE, "cuMemcpyDtoH"},
    [ATLAS_OP_MODULE_LOAD] = {"module_load", {0}, CALL, "cuModuleLoad, cuModuleUnload"},
    [ATLAS_OP_EVENT_CREATE] = {"event_create", {0}, CALL, "cuEventCreate, cuEventDestroy"},
    [ATLAS_OP_STREAM_CREATE] = {"stream_create", {0}, CALL, "cuStreamCreate, cuStreamDestroy"},
    [ATLAS_OP_MEM_INFO] = {"mem_info", {0}, CALL, "cuMemGetInfo"},
    /* graphs */
    [ATLAS_OP_INSTANTIATE] = {"instantiate", {OP_GRAPH, OP_EXEC}, CALL, "cuGraphInstantiate"},
    [ATLAS_OP_INSTANTIATE_AUTOFREE] = {"instantiate_autofree",
                                       {OP_GRAPH, OP_EXEC},
                                       CALL,
                                       "cuGraphInstantiate"},
    [ATLAS_OP_GRAPH_LAUNCH] = {"graph_launch", {OP_EXEC, OP_STREAM}, CALL, "cuGraphLaunch"},
    [ATLAS_OP_UPDATE] = {"update", {OP_EXEC, OP_GRAPH}, CALL, "cuGraphExecUpdate"},
    [ATLAS_OP_DESTROY_EXEC] = {"destroy_exec", {OP_EXEC}, CALL, "cuGraphExecDestroy"},
    [ATLAS_OP_DESTROY_GRAPH] = {"destroy_graph", {OP_GRAPH}, CALL, "cuGraphDestroy"},
};

static const char *const stream_kinds[] = {"nonblocking", "blocking", NULL};
static const char *const capture_modes[] = {"global", "thread_local", "relaxed", NULL};
static const char *const copy_kinds[] = {"pinned", "pageable", NULL};
static const char *const slot_rules[] = {"retire", "start", NULL};
static const char *const exact[] = {"exact", NULL};
static const char *const entries[] = {"entries", NULL};

static const OpRoleRow roles[OP_ROLES] = {
    [OP_NEW_STREAM] = {"STREAM", "stream", OP_FORM_DECLARE, OP_NOUN_STREAM, FALSE, NULL},
    [OP_NEW_EVENT] = {"EVENT", "event", OP_FORM_DECLARE, OP_NOUN_EVENT, FALSE, NULL},
    [OP_NEW_BUFFER] = {"BUFFER", "buffer", OP_FORM_DECLARE, OP_NOUN_BUFFER, FALSE, NULL},
    [OP_NEW_SCALAR] = {"SCALAR", "scalar", OP_FORM_DECLARE, OP_NOUN_SCALAR, FALSE, NULL},
    [OP_NEW_FLAG] = {"FLAG", "flag", OP_FORM_DECLARE, OP_NOUN_FLAG, FALSE, NULL},
    [OP_STREAM] = {"STREAM", "stream", OP_FORM_USE, OP_NOUN_STREAM, FALSE, NULL},
    [OP_EVENT] = {"EVENT", "event", OP_FORM_USE, OP_NOUN_EVENT, FALSE, NULL},
    [OP_SCALAR] = {"SCALAR", "scalar", OP_FORM_USE, OP_NOUN_SCALAR, FALSE, NULL},
    [OP_FLAG] = {"FLAG", "flag", OP_FORM_USE, OP_NOUN_FLAG, FALSE, NULL},
    [OP_GRAPH] = {"GRAPH", "graph", OP_FORM_NAME, 0, FALSE, NULL},
    [OP_EXEC] = {"EXEC", "exec", OP_FORM_NAME, 0, FALSE, NULL},
    [OP_MEMORY] = {"MEMORY", "allocation", OP_FORM_NAME, 0, FALSE, NULL},
    [OP_STAGE] = {"STAGE", "stage", OP_FORM_NAME, 0, FALSE, NULL},
    [OP_KERNEL] = {"KERNEL", "kernel", OP_FORM_NAME, 0, TRUE, NULL},
    [OP_STREAM_KIND] = {"KIND", "stream kind", OP_FORM_WORD, 0, FALSE, stream_kinds},
    [OP_CAPTURE_MODE] = {"MODE", "capture mode", OP_FORM_WORD, 0, FALSE, capture_modes},
    [OP_COPY_KIND] = {"KIND", "copy kind", OP_FORM_WORD, 0, FALSE, copy_kinds},
    [OP_SLOT_RULE] = {"RULE", "slot rule", OP_FORM_WORD, 0, FALSE, slot_rules},
    [OP_EXACT] = {"exact", "word", OP_FORM_WORD, 0, TRUE, exact},
    [OP_ENTRIES] = {"entries", "word", OP_FORM_WORD, 0, TRUE, entries},
    [OP_RANGE] = {"N|A..B", "range", OP_FORM_RANGE, 0, FALSE, NULL},
    [OP_AS] = {"as", "word 'as'", OP_FORM_FILLER, 0, FALSE, NULL},
    [OP_LOOP] = {"NAME", "index", OP_FORM_NAME, 0, FALSE, NULL},
    [OP_DEPTH] = {"N", "depth", OP_FORM_NUMBER, 0, FALSE, NULL},
    [OP_VERDICTS] = {"PROPERTY=VERDICT...", "verdict", OP_FORM_TEXT, 0, FALSE, NULL},
    [OP_ANY_TEXT] = {"TEXT", "text", OP_FORM_TEXT, 0, FALSE, NULL},
};

static const OpAttr attrs[OP_ATTRS] = {
    {OP_COUNT, "x", "xN"},           {OP_READS, "r:", "r:BUFFERS"},
    {OP_WRITES, "w:", "w:BUFFERS"},  {OP_FRESH, "f:", "f:BUFFERS"},
    {OP_ARGS, "a:", "a:SCALARS"},    {OP_EVERY, "every:", "every:E"},
    {OP_OF, "of:", "of:POPULATION"}, {OP_COST, "us:", "us:MICROSECONDS"},
};

const OpRow *op_row(AtlasOpKind kind) {
    g_assert((guint)kind < ATLAS_OP_KINDS);
    return &rows[kind];
}

const OpRoleRow *op_role(OpRole role) {
    return &roles[role];
}

const OpAttr *op_attr(guint index) {
    return &attrs[index];
}

const char *op_noun(OpNoun noun) {
    static const char *const words[OP_NOUNS] = {"stream", "event", "buffer", "scalar", "flag"};
    return words[noun];
}

const char *atlas_op_word(AtlasOpKind kind) {
    return op_row(kind)->word;
}

const char *atlas_op_call(AtlasOpKind kind) {
    const char *call = op_row(kind)->call;
    return *call ? call : NULL;
}

void atlas_op_usage(AtlasOpKind kind, GString *out) {
    const OpRow *row = op_row(kind);
    g_string_append(out, row->word);
    for (guint i = 0; i < OP_OPERANDS && row->operands[i]; i++) {
        const OpRoleRow *role = op_role(row->operands[i]);
        g_string_append_printf(out, role->optional ? " [%s]" : " %s", role->shown);
    }
    for (guint i = 0; i < OP_ATTRS; i++) {
        gboolean must = (attrs[i].bit == OP_READS && row->takes & OP_MUST_READ) ||
                        (attrs[i].bit == OP_WRITES && row->takes & OP_MUST_WRITE);
        if (row->takes & attrs[i].bit)
            g_string_append_printf(out, must ? " %s" : " [%s]", attrs[i].shown);
    }
    if (row->takes & OP_RESULT)
        g_string_append(out, " [=> RESULT]");
}

gboolean op_like_count(const char *word, gsize length) {
    if (length < 2 || word[0] != 'x')
        return FALSE;
    for (gsize i = 1; i < length; i++)
        if (!g_ascii_isdigit(word[i]))
            return FALSE;
    return TRUE;
}

/* Which op is which call. */
#include "model/machine/calls.h"

static Call *const calls[ATLAS_OP_KINDS] = {
    [ATLAS_OP_STREAM] = call_stream,
    [ATLAS_OP_EVENT] = call_event,
    [ATLAS_OP_MODE] = call_mode,
    [ATLAS_OP_BEGIN] = call_begin,
    [ATLAS_OP_END_CAPTURE] = call_end,
    [ATLAS_OP_STATUS] = call_status,
    [ATLAS_OP_LAUNCH] = call_launch,
    [ATLAS_OP_MEMSET_ASYNC] = call_copy,
    [ATLAS_OP_DTOD_ASYNC] = call_copy,
    [ATLAS_OP_HTOD_ASYNC] = call_copy,
    [ATLAS_OP_DTOH_ASYNC] = call_copy,
    [ATLAS_OP_HOST_FN] = call_copy,
    [ATLAS_OP_STREAM_CALLBACK] = call_stream_callback,
    [ATLAS_OP_MALLOC_ASYNC] = call_malloc_async,
    [ATLAS_OP_FREE_ASYNC] = call_free_async,
    [ATLAS_OP_FLAG_WAIT] = call_flag,
    [ATLAS_OP_FLAG_SET] = call_flag,
    [ATLAS_OP_RECORD] = call_record,
    [ATLAS_OP_RECORD_EXTERNAL] = call_record_external,
    [ATLAS_OP_WAIT] = call_wait,
    [ATLAS_OP_WAIT_EXTERNAL] = call_wait_external,
    [ATLAS_OP_SYNC_STREAM] = call_sync_stream,
    [ATLAS_OP_QUERY_STREAM] = call_sync_stream,
    [ATLAS_OP_SYNC_EVENT] = call_sync_event,
    [ATLAS_OP_QUERY_EVENT] = call_sync_event,
    [ATLAS_OP_SYNC_CTX] = call_sync_ctx,
    [ATLAS_OP_MALLOC] = call_malloc,
    [ATLAS_OP_FREE] = call_free,
    [ATLAS_OP_HOST_ALLOC] = call_host_alloc,
    [ATLAS_OP_HOST_FREE] = call_host_free,
    [ATLAS_OP_MEMSET_SYNC] = call_sync_copy,
    [ATLAS_OP_HTOD_SYNC] = call_sync_copy,
    [ATLAS_OP_DTOH_SYNC] = call_sync_copy,
    [ATLAS_OP_MODULE_LOAD] = call_module_load,
    [ATLAS_OP_EVENT_CREATE] = call_harmless,
    [ATLAS_OP_STREAM_CREATE] = call_harmless,
    [ATLAS_OP_MEM_INFO] = call_harmless,
    [ATLAS_OP_INSTANTIATE] = call_instantiate,
    [ATLAS_OP_INSTANTIATE_AUTOFREE] = call_instantiate,
    [ATLAS_OP_GRAPH_LAUNCH] = call_graph_launch,
    [ATLAS_OP_UPDATE] = call_update,
    [ATLAS_OP_DESTROY_EXEC] = call_destroy_exec,
    [ATLAS_OP_DESTROY_GRAPH] = call_destroy_graph,
};

/* The most that one call appends to the arena. */
static guint words_of(const AtlasMachine *m, const ScriptOp *op) {
    guint words = MAX(WORDS(Node), WORDS(Graph));
    if (op->kind == ATLAS_OP_WAIT)
        words += set_union_words(m, &stream_of(m, op)->deps, &event_of(m, op)->deps);
    else if (op->kind == ATLAS_OP_GRAPH_LAUNCH)
        words += perform_words(m, exec_at(m, op->named[NAMED_EXEC])->graph);
    return words;
}

AtlasAnswer atlas_machine_apply(AtlasMachine *machine, guint index) {
    const ScriptOp *op = op_at(machine, index);
    if (!calls[op->kind])
        return (AtlasAnswer){.code = ATLAS_RESULT_NONE};
    if (head_of(machine)->undefined)
        return by_rule(machine, ATLAS_RULE_AFTER_UNDEFINED, 0);
    if (!state_reserve(machine, words_of(machine, op)))
        return by_rule(machine, ATLAS_RULE_LIMIT, 0);
    machine->performing = index;
    return calls[op->kind](machine, op);
}

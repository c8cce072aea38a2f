/* The calls: one function each, in files by subject. apply.c says which op is which call.
 *
 * A function reads as the rule of its call: its checks in the order in which the driver makes them,
 * then what the call does, then its answer. Everything that can go wrong is named by a rule of
 * rules.h, which also says what becomes of the capture.
 */
#ifndef ATLAS_MODEL_MACHINE_CALLS_H
#define ATLAS_MODEL_MACHINE_CALLS_H

#include "model/machine/checks.h"

typedef AtlasAnswer Call(AtlasMachine *m, const ScriptOp *op);

/* calls_stream.c: streams, threads, work on streams, calls that are none of a stream's */
Call call_stream, call_event, call_mode, call_launch, call_copy, call_stream_callback, call_flag;
Call call_sync_stream, call_sync_ctx, call_sync_copy, call_module_load, call_harmless;

/* calls_capture.c */
Call call_begin, call_end, call_status;

/* calls_event.c */
Call call_record, call_record_external, call_wait, call_wait_external, call_sync_event;

/* An external record or wait of a graph that is launched: a record or wait of the launch's stream.
 * The answer is OK, with a rule or without, where the launch goes on. What state_reserve is to
 * reserve for the launch. */
AtlasAnswer perform_event(AtlasMachine *m, const ScriptOp *op, Ref graph, const Node *node);
guint perform_words(const AtlasMachine *m, Ref graph);

/* calls_memory.c */
Call call_malloc, call_free, call_host_alloc, call_host_free, call_malloc_async, call_free_async;

/* calls_graph.c */
Call call_instantiate, call_graph_launch, call_update, call_destroy_exec, call_destroy_graph;

#endif

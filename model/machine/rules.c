#include "model/machine/rules.h"

#include "model/machine/outcome.h"

#define CODE(name) ATLAS_RESULT_##name
enum { STAYS = FALSE, INVALIDATES = TRUE };

/* In the order of rules.h. */
static const AtlasRuleRow rows[ATLAS_RULES] = {
    [ATLAS_RULE_NONE] = {CODE(OK), STAYS, NULL, NULL, NULL, NULL},

    /* ---- what many calls share ---- */
    [ATLAS_RULE_LEGACY_USE] =
        {CODE(STREAM_CAPTURE_IMPLICIT), INVALIDATES, "legacy-use",
         "{call} uses the legacy stream, which waits for blocking streams, while one takes part in "
         "the capture of {origin}",
         "use a stream of your own, or capture non-blocking streams only",
         "rule-legacy-launch-blocking-capture"},
    [ATLAS_RULE_UNSAFE_CALL] = {CODE(STREAM_CAPTURE_UNSUPPORTED), INVALIDATES, "unsafe-call",
                                "{call} is unsafe while {captor} captures {origin} in {mode} mode",
                                "{act} before begin, or begin in relaxed mode",
                                "rule-malloc-global"},
    [ATLAS_RULE_STREAM_INVALIDATED] =
        {CODE(STREAM_CAPTURE_INVALIDATED), STAYS, "stream-invalidated",
         "{stream} takes part in the capture of {origin}, which {cause} invalidated",
         "mend that call", "rule-sync-capturing-stream"},

    /* ---- captures ---- */
    [ATLAS_RULE_BEGIN_LEGACY] = {CODE(STREAM_CAPTURE_UNSUPPORTED), STAYS, "begin-legacy",
                                 "the legacy stream cannot be captured",
                                 "capture a stream of your own", "rule-begin-legacy"},
    [ATLAS_RULE_BEGIN_TWICE] = {CODE(ILLEGAL_STATE), STAYS, "begin-twice",
                                "{stream} takes part in the capture of {origin}, and goes on to",
                                "end that capture first", "rule-begin-twice"},
    [ATLAS_RULE_STATUS_LEGACY] =
        {CODE(STREAM_CAPTURE_IMPLICIT), STAYS, "status-legacy",
         "a blocking stream takes part in the capture of {origin}, and the legacy stream waits for "
         "those",
         "ask about {origin}", "rule-status-legacy-during-blocking"},
    [ATLAS_RULE_END_IDLE] = {CODE(ILLEGAL_STATE), STAYS, "end-idle", "{stream} captures nothing",
                             "begin a capture on it first", "rule-end-without-begin"},
    [ATLAS_RULE_END_JOINED] = {CODE(STREAM_CAPTURE_UNMATCHED), INVALIDATES, "end-joined",
                               "{stream} only joined a capture that was begun on {origin}",
                               "end it there", "rule-end-on-joined-stream"},
    [ATLAS_RULE_END_INVALIDATED] = {CODE(STREAM_CAPTURE_INVALIDATED), STAYS, "end-invalidated",
                                    "{cause} invalidated the capture of {origin}", "mend that call",
                                    "rule-sync-capturing-stream"},
    [ATLAS_RULE_END_UNJOINED] =
        {CODE(STREAM_CAPTURE_UNJOINED), STAYS, "end-unjoined",
         "{cause} was captured, and {origin} does not wait for it",
         "record an event behind the last work of each stream and let {origin} wait for it",
         "rule-unjoined"},
    [ATLAS_RULE_END_WRONG_THREAD] = {CODE(STREAM_CAPTURE_WRONG_THREAD), STAYS, "end-wrong-thread",
                                     "{captor} began the capture of {origin} in {mode} mode",
                                     "end it in that thread, or begin in relaxed mode",
                                     "rule-end-wrong-thread-global"},

    /* ---- streams ---- */
    [ATLAS_RULE_SYNC_CAPTURING] =
        {CODE(STREAM_CAPTURE_UNSUPPORTED), INVALIDATES, "sync-capturing",
         "{stream} takes part in the capture of {origin}, and what is captured is not running",
         "wait after the end, for the stream that the graph is launched on",
         "rule-sync-capturing-stream"},
    [ATLAS_RULE_SYNC_CONTEXT] =
        {CODE(STREAM_CAPTURE_UNSUPPORTED), INVALIDATES, "sync-context",
         "{call} waits for every stream while {captor} captures {origin}, which no capture mode "
         "allows",
         "call it before begin or after the end", "rule-ctx-sync-relaxed"},
    [ATLAS_RULE_CALLBACK_CAPTURING] =
        {CODE(STREAM_CAPTURE_UNSUPPORTED), INVALIDATES, "callback-capturing",
         "stream callbacks cannot be captured, and {stream} takes part in the capture of {origin}",
         "use cuLaunchHostFunc", "rule-stream-callback"},
    [ATLAS_RULE_FLAG_CAPTURING] = {CODE(UNDEFINED), STAYS, "flag-capturing",
                                   "what {call} does in a capture has not been measured",
                                   "call it outside of captures", "not measured"},
    [ATLAS_RULE_MODULE_LOAD] = {CODE(OK), INVALIDATES, "module-load",
                                "{call} succeeds, but cuModuleUnload behind it is unsafe while "
                                "{captor} captures {origin} in "
                                "{mode} mode",
                                "{act} before begin, or begin in relaxed mode",
                                "rule-module-load-global"},

    /* ---- events ---- */
    [ATLAS_RULE_RECORD_EXTERNAL_IDLE] =
        {CODE(ILLEGAL_STATE), STAYS, "record-external-idle",
         "an external record is a node of a graph, and {stream} captures nothing",
         "record without the flag", "rule-record-external-outside"},
    [ATLAS_RULE_WAIT_EXTERNAL_IDLE] =
        {CODE(ILLEGAL_STATE), STAYS, "wait-external-idle",
         "an external wait is a node of a graph, and {stream} captures nothing",
         "wait without the flag", "rule-wait-external-outside"},
    [ATLAS_RULE_WAIT_STALE] =
        {CODE(INVALID_VALUE), INVALIDATES, "wait-stale",
         "{event} was recorded in a capture that has ended or was invalidated", "record it anew",
         "rule-stale-captured-event"},
    [ATLAS_RULE_WAIT_OUTSIDE] = {CODE(STREAM_CAPTURE_ISOLATION), INVALIDATES, "wait-outside",
                                 "{event} was recorded outside of the capture of {origin}",
                                 "record it in the capture, or wait with the external flag",
                                 "rule-wait-plain-event"},
    [ATLAS_RULE_WAIT_MERGE] =
        {CODE(STREAM_CAPTURE_MERGE), INVALIDATES, "wait-merge",
         "{event} was recorded in the capture of {origin}, and {stream} takes part in another one",
         "let streams of one capture wait for each other only", "rule-merge-two-captures"},
    [ATLAS_RULE_WAIT_LEGACY] =
        {CODE(STREAM_CAPTURE_IMPLICIT), INVALIDATES, "wait-legacy",
         "{event} was recorded in the capture of {origin}, which the legacy stream cannot join",
         "wait on a stream of your own", "deep-00012"},
    [ATLAS_RULE_SYNC_CAPTURED] =
        {CODE(CAPTURED_EVENT), INVALIDATES, "sync-captured",
         "{event} was recorded in the capture of {origin}, and what is captured is not running",
         "wait after the end, for an event recorded there", "rule-sync-captured-event"},
    [ATLAS_RULE_SYNC_STALE] =
        {CODE(INVALID_VALUE), STAYS, "sync-stale",
         "{event} was recorded in a capture that has ended or was invalidated", "record it anew",
         "rule-captured-event-after-end"},

    /* ---- memory ---- */
    [ATLAS_RULE_FREE_UNDEFINED] =
        {CODE(UNDEFINED), STAYS, "free-undefined",
         "{memory} was freed before, or was allocated by a call that {call} does not undo",
         "free what was allocated once, by the call that belongs to it",
         "CUDA driver API, memory management"},
    [ATLAS_RULE_FREE_FOREIGN] =
        {CODE(INVALID_VALUE), STAYS, "free-foreign",
         "{memory} was not allocated by a capture whose graph or executable graph exists, and only "
         "that can be freed in one",
         "free it outside of the capture", "rule-free-async-plain-allocation-in-capture"},
    [ATLAS_RULE_FREE_AGAIN] =
        {CODE(INVALID_VALUE), STAYS, "free-again",
         "{memory} is freed already: by this capture, by the graph that allocates it, or, where "
         "this is to be that graph, by another",
         "free it in one graph only, once", "rule-free-of-what-another-graph-frees-itself"},
    [ATLAS_RULE_FREE_NOT_LIVE] =
        {CODE(INVALID_VALUE), STAYS, "free-not-live", "{memory} is not allocated now",
         "free what was allocated, once; what a graph allocates is there after its launch",
         "rule-double-free-async"},

    /* ---- graphs ---- */
    [ATLAS_RULE_NO_GRAPH] = {CODE(INVALID_VALUE), STAYS, "no-graph", "there is no graph {graph}",
                             "capture it first, successfully", "rule-child-graph"},
    [ATLAS_RULE_NO_EXEC] = {CODE(INVALID_VALUE), STAYS, "no-exec",
                            "there is no executable graph {exec}",
                            "instantiate it first, successfully", "rule-child-graph"},
    [ATLAS_RULE_INSTANTIATE_AGAIN] =
        {CODE(NOT_SUPPORTED), STAYS, "instantiate-again",
         "{graph} allocates or frees memory, or its capture failed to, and has an executable graph "
         "already",
         "destroy that one first, or capture another graph", "rule-alloc-graph-instantiated-twice"},
    [ATLAS_RULE_GRAPH_CAPTURING] =
        {CODE(STREAM_CAPTURE_UNSUPPORTED), INVALIDATES, "graph-capturing",
         "graphs cannot be launched into captures, and {stream} takes part in that of {origin}",
         "launch {exec} after the end", "rule-child-graph"},
    [ATLAS_RULE_LAUNCH_UNFREED] =
        {CODE(INVALID_VALUE), STAYS, "launch-unfreed",
         "memory that an earlier launch of {exec} allocated has not been freed",
         "free it first, or instantiate with AUTO_FREE_ON_LAUNCH", "rule-malloc-async-unfreed"},
    [ATLAS_RULE_LAUNCH_FREES_DEAD] =
        {CODE(INVALID_VALUE), STAYS, "launch-frees-dead",
         "{exec} frees memory of another graph that is not allocated now",
         "launch the graph that allocates it first", "open-00920"},
    [ATLAS_RULE_LAUNCH_OF_ITSELF] = {CODE(UNDEFINED), STAYS, "launch-of-itself",
                                     "{exec} frees memory of another graph and was updated from "
                                     "its own, on which a real driver "
                                     "hung",
                                     "leave that update out",
                                     "undefined-launch-of-an-exec-updated-from-its-own-graph"},
    [ATLAS_RULE_LAUNCH_JOINS] =
        {CODE(OK), STAYS, "launch-joins",
         "{exec} waits for an event that was recorded in the capture of {origin}, so that {stream} "
         "takes part in that from now on",
         "launch it before begin or after the end, or record the event outside of the capture",
         "rule-launch-waits-for-a-capture"},
    [ATLAS_RULE_LAUNCH_LEGACY] =
        {CODE(STREAM_CAPTURE_IMPLICIT), INVALIDATES, "launch-legacy",
         "{exec} waits for an event that was recorded in the capture of {origin}, which the legacy "
         "stream cannot join",
         "launch it on a stream of your own, before begin or after the end",
         "rule-launch-waits-on-the-legacy-stream"},
    [ATLAS_RULE_LAUNCH_WAITS] =
        {CODE(UNDEFINED), STAYS, "launch-waits",
         "{exec} waits for what an open capture recorded, and what that does is not known for a "
         "graph of its form",
         "launch it before begin or after the end, or record the event outside of the capture",
         "undefined-launch-of-a-fork-that-waits-for-a-capture"},
    [ATLAS_RULE_UPDATE_TAKEN] =
        {CODE(NOT_SUPPORTED), STAYS, "update-taken",
         "{graph} allocates or frees memory, or its capture failed to, and has another executable "
         "graph already",
         "destroy that one first, or capture another graph", "rule-update-from-a-taken-graph"},
    [ATLAS_RULE_UPDATE_TOPOLOGY] = {CODE(GRAPH_EXEC_UPDATE_FAILURE), STAYS, "update-topology",
                                    "{graph} has other nodes or dependencies than {exec}",
                                    "instantiate {graph} instead", "rule-update-topology"},
    [ATLAS_RULE_UPDATE_TYPE] = {CODE(GRAPH_EXEC_UPDATE_FAILURE), STAYS, "update-type",
                                "a node of {graph} has another type than in {exec}",
                                "instantiate {graph} instead", "rule-update-type"},
    [ATLAS_RULE_UPDATE_PARAMETERS] = {CODE(GRAPH_EXEC_UPDATE_FAILURE), STAYS, "update-parameters",
                                      "a copy of {graph} goes another way than in {exec}",
                                      "instantiate {graph} instead", "rule-update-copy-kind"},

    /* ---- the machine itself ---- */
    [ATLAS_RULE_LIMIT] = {CODE(UNDEFINED), STAYS, "limit", "the simulated driver holds no more",
                          "divide the program", "model/machine/machine.h"},
    [ATLAS_RULE_AFTER_UNDEFINED] = {CODE(UNDEFINED), STAYS, "after-undefined",
                                    "an earlier call was undefined", "mend that call",
                                    "model/machine/machine.h"},
};

const AtlasRuleRow *atlas_rule(AtlasRule rule) {
    g_assert((guint)rule < ATLAS_RULES);
    return &rows[rule];
}

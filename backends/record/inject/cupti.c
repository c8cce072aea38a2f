/* Counting by CUPTI's callbacks. The driver loads this library when the program starts it
 * (CUDA_INJECTION64_PATH), calls InitializeInjection, and from then on CUPTI tells of every call.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cuda/cupti_abi.h"
#include "backends/cuda/cupti_library.h"
#include "backends/record/inject/activities.h"
#include "backends/record/inject/arena.h"
#include "backends/record/inject/driver.h"
#include "backends/record/inject/hooks.h"
#include "backends/record/inject/slots.h"

__attribute__((visibility("default"))) int InitializeInjection(void);

static Cupti cupti;
static const char *const symbols[] = {
#define CUPTI_SYMBOL(symbol, parameters) #symbol,
    CUPTI_CALLS(CUPTI_SYMBOL)
#undef CUPTI_SYMBOL
};

/* 13.0.0 crashes where ranges are injected through NVTX as well; 13.0.1 does not. */
enum { CRASHES = 130000, IDS = 1024 };

static const struct {
    unsigned id, kind;
    const char *symbol;
} calls[] = {
#define CALL_ROW(id, symbol, kind) {id, CALL_##kind, #symbol},
    CALLS_ALL(CALL_ROW)
#undef CALL_ROW
};

/* By CUPTI's numbers. */
static unsigned char kinds[IDS];
static bool per_thread[IDS];

static bool is_launch(unsigned kind) {
    return kind >= CALL_LAUNCH && kind <= CALL_GRAPH_LAUNCH;
}

static void on_call(void *data, unsigned domain, unsigned id, const void *about) {
    const CuptiCallbackData *call = about;
    (void)data;
    if (domain != CUPTI_DRIVER_CALLS || id >= IDS)
        return;
    CallKind kind = kinds[id];
    if (call->site == CUPTI_ENTER) {
        hook_enter(kind, call->parameters);
        if (is_launch(kind))
            activities_launched(call->correlation);
        return;
    }
    hook_leave(kind, call->parameters, *(const unsigned *)call->result, per_thread[id],
               call->symbol);
}

/* ---- attaching ---- */

/* Says in the recording why nothing is counted. */
static void refuse(RecordHead *head, const char *why, const char *mend) {
    snprintf(head->why, sizeof head->why, "%s: %s", why, mend);
}

static bool check(RecordHead *head, unsigned result, const char *call) {
    const char *text = "unknown error";
    char why[160];
    if (result == CUPTI_OK)
        return true;
    cupti.cuptiGetResultString(result, &text);
    snprintf(why, sizeof why, "CUPTI refuses %s (%s)", call, text);
    if (result == CUPTI_NOT_PERMITTED || result == CUPTI_NOT_PERMITTED_VIRTUAL)
        refuse(head, why,
               "run as root, or let the driver's administrator set the module option "
               "NVreg_RestrictProfilingToAdminUsers=0");
    else if (result == CUPTI_OTHER_PROFILER)
        refuse(head, why, "another profiler is attached; run without it");
    else
        refuse(head, why, "the program was not counted");
    return false;
}

static bool find(RecordHead *head) {
    void *library = cupti_library();
    void *libcuda = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    if (!library) {
        refuse(head, "no CUPTI here, which counts launches (libcupti.so)", CUPTI_HINT);
        return false;
    }
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        void *call = dlsym(library, symbols[i]);
        memcpy((char *)&cupti + i * sizeof call, &call, sizeof call);
        if (call)
            continue;
        refuse(head, "this CUPTI is too old", "that of CUDA 12 or later counts");
        return false;
    }
    if (libcuda)
        driver_find(libcuda);
    return true;
}

/* An old CUPTI does not know the newest calls; nor does its driver. All launches must be told. */
static bool enable(RecordHead *head, CuptiSubscriber subscriber) {
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        unsigned id = calls[i].id;
        kinds[id] = (unsigned char)calls[i].kind;
        per_thread[id] = strstr(calls[i].symbol, "_pts") != NULL;
        unsigned result = cupti.cuptiEnableCallback(1, subscriber, CUPTI_DRIVER_CALLS, id);
        if (is_launch(calls[i].kind) && !check(head, result, "cuptiEnableCallback"))
            return false;
    }
    return true;
}

static bool attach(RecordHead *head) {
    CuptiSubscriber subscriber;
    if (!find(head) || !check(head, cupti.cuptiGetVersion(&head->cupti), "cuptiGetVersion"))
        return false;
    if (head->cupti == CRASHES) {
        refuse(head, "this CUPTI (13.0.0) crashes where ranges are recorded",
               "install 13.0.1 or later (pip's nvidia-cuda-cupti 13.0.85)");
        return false;
    }
    return check(head, cupti.cuptiSubscribe(&subscriber, on_call, NULL), "cuptiSubscribe") &&
           enable(head, subscriber) &&
           (!activities_wanted() || check(head, activities_begin(&cupti), "cuptiActivityEnable"));
}

int InitializeInjection(void) {
    static bool attached;
    if (!attached && arena_enter()) {
        RecordHead *head = arena_head();
        attached = true;
        arena_leave();
        slots_stop();
        if (attach(head))
            head->flags |= RECORD_ATTACHED;
    }
    return 1;
}

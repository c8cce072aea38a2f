#include <string.h>

#include "model/measure/trace.h"

/* A name without its library's prefix and its version's suffix, and what it does. `begins`: what
 * begins so does the same, as "MemcpyHtoDAsync" and "Memcpy2D". */
typedef struct {
    const char *name;
    gboolean begins;
    AtlasCallKind kind;
} Rule;

static const Rule rules[] = {
    {"LaunchKernel", FALSE, ATLAS_CALL_LAUNCH},
    {"LaunchKernelEx", FALSE, ATLAS_CALL_LAUNCH},
    {"LaunchKernelExC", FALSE, ATLAS_CALL_LAUNCH},
    {"LaunchCooperativeKernel", TRUE, ATLAS_CALL_LAUNCH},
    {"ModuleLaunchKernel", FALSE, ATLAS_CALL_LAUNCH},
    {"ModuleLaunchCooperativeKernel", TRUE, ATLAS_CALL_LAUNCH},
    {"ExtLaunchKernel", FALSE, ATLAS_CALL_LAUNCH},
    {"ExtModuleLaunchKernel", FALSE, ATLAS_CALL_LAUNCH},
    {"HccModuleLaunchKernel", FALSE, ATLAS_CALL_LAUNCH},
    {"LaunchByPtr", FALSE, ATLAS_CALL_LAUNCH},
    {"Launch", FALSE, ATLAS_CALL_LAUNCH},
    {"LaunchGrid", TRUE, ATLAS_CALL_LAUNCH},
    {"GraphLaunch", FALSE, ATLAS_CALL_GRAPH_LAUNCH},
    {"Memcpy", TRUE, ATLAS_CALL_COPY},
    {"Memset", TRUE, ATLAS_CALL_MEMSET},
    {"StreamSynchronize", FALSE, ATLAS_CALL_SYNC},
    {"EventSynchronize", FALSE, ATLAS_CALL_SYNC},
    {"DeviceSynchronize", FALSE, ATLAS_CALL_SYNC},
    {"CtxSynchronize", FALSE, ATLAS_CALL_SYNC},
    {"ThreadSynchronize", FALSE, ATLAS_CALL_SYNC},
    {"Malloc", TRUE, ATLAS_CALL_ALLOC},
    {"MemAlloc", TRUE, ATLAS_CALL_ALLOC},
    {"HostAlloc", FALSE, ATLAS_CALL_ALLOC},
    {"HostMalloc", FALSE, ATLAS_CALL_ALLOC},
    {"MemHostAlloc", FALSE, ATLAS_CALL_ALLOC},
    {"ExtMallocWithFlags", FALSE, ATLAS_CALL_ALLOC},
    {"Free", TRUE, ATLAS_CALL_FREE},
    {"MemFree", TRUE, ATLAS_CALL_FREE},
    {"HostFree", FALSE, ATLAS_CALL_FREE},
    {"EventRecord", TRUE, ATLAS_CALL_RECORD},
    {"StreamWaitEvent", FALSE, ATLAS_CALL_WAIT},
    {"StreamBeginCapture", TRUE, ATLAS_CALL_CAPTURE_BEGIN},
    {"StreamEndCapture", FALSE, ATLAS_CALL_CAPTURE_END},
    {"GraphInstantiate", TRUE, ATLAS_CALL_INSTANTIATE},
};

/* Bytes of the library's prefix; 0 where it is none. */
static gsize prefix_of(const char *name, gsize length) {
    static const char *const prefixes[] = {"cuda", "__cuda", "cu", "hip", "__hip"};
    for (guint i = 0; i < G_N_ELEMENTS(prefixes); i++) {
        gsize size = strlen(prefixes[i]);
        if (length > size && memcmp(name, prefixes[i], size) == 0 && g_ascii_isupper(name[size]))
            return size;
    }
    return 0;
}

gboolean atlas_call_is_driver(const char *name, gsize length) {
    return prefix_of(name, length) == strlen("cu");
}

AtlasCallKind atlas_call_kind(const char *name, gsize length) {
    gsize prefix = prefix_of(name, length);
    if (prefix == 0)
        return ATLAS_CALL_KINDS;
    name += prefix;
    length -= prefix;
    const char *suffix = memchr(name, '_', length);
    gsize size = suffix ? (gsize)(suffix - name) : length;
    for (guint i = 0; i < G_N_ELEMENTS(rules); i++) {
        gsize known = strlen(rules[i].name);
        if (size >= known && memcmp(name, rules[i].name, known) == 0 &&
            (size == known || rules[i].begins))
            return rules[i].kind;
    }
    return ATLAS_CALL_KINDS;
}

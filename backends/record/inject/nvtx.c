/* Ranges that the program names through NVTX, whose loader calls InitializeInjectionNvtx2
 * (NVTX_INJECTION64_PATH), once for each library of the program that has one.
 */
#include <stdlib.h>
#include <string.h>

#include "backends/record/inject/ranges.h"

__attribute__((visibility("default"))) int InitializeInjectionNvtx2(NvtxGetTable *get_table);

enum { TEXT_MAX = 1024 };

/* ---- messages ---- */

/* Wide text as UTF-8, cut where it gets too long. */
static const char *narrow(const wchar_t *wide, char text[TEXT_MAX]) {
    size_t n = 0;
    for (; *wide && n + 4 < TEXT_MAX; wide++) {
        uint32_t c = (uint32_t)*wide;
        if (c < 0x80) {
            text[n++] = (char)c;
        } else if (c < 0x800) {
            text[n++] = (char)(0xc0 | c >> 6);
            text[n++] = (char)(0x80 | (c & 0x3f));
        } else if (c < 0x10000) {
            text[n++] = (char)(0xe0 | c >> 12);
            text[n++] = (char)(0x80 | (c >> 6 & 0x3f));
            text[n++] = (char)(0x80 | (c & 0x3f));
        } else {
            text[n++] = (char)(0xf0 | (c >> 18 & 0x07));
            text[n++] = (char)(0x80 | (c >> 12 & 0x3f));
            text[n++] = (char)(0x80 | (c >> 6 & 0x3f));
            text[n++] = (char)(0x80 | (c & 0x3f));
        }
    }
    text[n] = '\0';
    return text;
}

/* A string that the program registered is a copy, which stays. */
static NvtxString keep(NvtxDomain domain, const char *text) {
    (void)domain;
    return (NvtxString)(void *)strdup(text ? text : "");
}

static NvtxString keep_wide(NvtxDomain domain, const wchar_t *wide) {
    char text[TEXT_MAX];
    return keep(domain, wide ? narrow(wide, text) : NULL);
}

/* A range without a message has the name "". */
static const char *message(const NvtxAttributes *about, char text[TEXT_MAX]) {
    const char *found = NULL;
    if (about && about->message_type == NVTX_IS_TEXT)
        found = about->message.text;
    else if (about && about->message_type == NVTX_IS_WIDE && about->message.wide)
        found = narrow(about->message.wide, text);
    else if (about && about->message_type == NVTX_IS_REGISTERED)
        found = (const char *)(const void *)about->message.registered;
    return found ? found : "";
}

static const RangeDomain *known(NvtxDomain domain) {
    return (const RangeDomain *)(const void *)domain;
}

/* ---- the functions that stand in the tables ---- */

static NvtxRangeId start_ex(const NvtxAttributes *about) {
    char text[TEXT_MAX];
    return range_start(NULL, message(about, text));
}
static NvtxRangeId start_a(const char *name) {
    return range_start(NULL, name ? name : "");
}
static NvtxRangeId start_w(const wchar_t *name) {
    char text[TEXT_MAX];
    return range_start(NULL, name ? narrow(name, text) : "");
}
static void end(NvtxRangeId id) {
    range_end(id);
}
static int push_ex(const NvtxAttributes *about) {
    char text[TEXT_MAX];
    return range_push(NULL, message(about, text));
}
static int push_a(const char *name) {
    return range_push(NULL, name ? name : "");
}
static int push_w(const wchar_t *name) {
    char text[TEXT_MAX];
    return range_push(NULL, name ? narrow(name, text) : "");
}
static int pop(void) {
    return range_pop(NULL);
}
static NvtxRangeId domain_start(NvtxDomain domain, const NvtxAttributes *about) {
    char text[TEXT_MAX];
    return range_start(known(domain), message(about, text));
}
static void domain_end(NvtxDomain domain, NvtxRangeId id) {
    (void)domain;
    range_end(id);
}
static int domain_push(NvtxDomain domain, const NvtxAttributes *about) {
    char text[TEXT_MAX];
    return range_push(known(domain), message(about, text));
}
static int domain_pop(NvtxDomain domain) {
    return range_pop(known(domain));
}
static NvtxDomain domain_create(const char *name) {
    return (NvtxDomain)(uintptr_t)range_domain(name ? name : "");
}
static NvtxDomain domain_create_w(const wchar_t *name) {
    char text[TEXT_MAX];
    return domain_create(name ? narrow(name, text) : NULL);
}

typedef struct {
    unsigned place;
    NvtxFunction function;
} Entry;

static const Entry core[] = {
    {NVTX_RANGE_START_EX, (NvtxFunction)start_ex}, {NVTX_RANGE_START, (NvtxFunction)start_a},
    {NVTX_RANGE_START_W, (NvtxFunction)start_w},   {NVTX_RANGE_END, (NvtxFunction)end},
    {NVTX_RANGE_PUSH_EX, (NvtxFunction)push_ex},   {NVTX_RANGE_PUSH, (NvtxFunction)push_a},
    {NVTX_RANGE_PUSH_W, (NvtxFunction)push_w},     {NVTX_RANGE_POP, (NvtxFunction)pop},
};

static const Entry core2[] = {
    {NVTX_DOMAIN_RANGE_START, (NvtxFunction)domain_start},
    {NVTX_DOMAIN_RANGE_END, (NvtxFunction)domain_end},
    {NVTX_DOMAIN_RANGE_PUSH, (NvtxFunction)domain_push},
    {NVTX_DOMAIN_RANGE_POP, (NvtxFunction)domain_pop},
    {NVTX_REGISTER_STRING, (NvtxFunction)keep},
    {NVTX_REGISTER_STRING_W, (NvtxFunction)keep_wide},
    {NVTX_DOMAIN_CREATE, (NvtxFunction)domain_create},
    {NVTX_DOMAIN_CREATE_W, (NvtxFunction)domain_create_w},
};

static bool fill(const NvtxModules *callbacks, unsigned module, const Entry *entries, size_t n) {
    NvtxFunction **table = NULL;
    unsigned count = 0;
    if (!callbacks->get(module, &table, &count) || !table)
        return false;
    for (size_t i = 0; i < n; i++)
        if (entries[i].place < count && table[entries[i].place])
            *table[entries[i].place] = entries[i].function;
    return true;
}

int InitializeInjectionNvtx2(NvtxGetTable *get_table) {
    const NvtxModules *callbacks = get_table(NVTX_GIVES_MODULES);
    if (!callbacks || callbacks->size < sizeof *callbacks)
        return 0;
    bool ok = fill(callbacks, NVTX_CORE, core, sizeof core / sizeof *core);
    fill(callbacks, NVTX_CORE2, core2, sizeof core2 / sizeof *core2);
    if (ok && arena_enter()) {
        arena_head()->nvtx++;
        arena_leave();
    }
    return ok;
}

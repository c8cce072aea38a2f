#include "backends/record/inject/ranges.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct RangeDomain {
    RangeDomain *next;
    bool plain; /* its ranges are the program's own */
    char name[];
};

struct Open {
    Open *below;         /* of its thread */
    Open *older, *newer; /* stages of the process; of what is not one, both NULL */
    RecordRange *range;  /* NULL: not recorded */
    Thread *thread;
    const RangeDomain *domain;
    bool started;
};

enum { NAME_MAX_BYTES = 1024 };

static RangeDomain *domains;
static Open *last_stage;               /* the stage that began last, of those that are open */
static _Atomic(RecordRange *) process; /* its range */
static _Atomic uint64_t moment;
static uint32_t range_count;
static const char *stages; /* RECORD_STAGES as it was at first */
static bool read_stages;

/* Ranges that were started: their ids are numbers, since a program may end one twice. */
typedef struct Started Started;
struct Started {
    Started *next;
    uint64_t id;
    Open *open;
};
static Started *all_started;
static uint64_t started_count;

static void in_child(void) {
    last_stage = NULL;
    all_started = NULL;
    atomic_store(&process, NULL);
    range_count = 0;
}

__attribute__((constructor)) static void watch_forks(void) {
    pthread_atfork(NULL, NULL, in_child);
}

const RangeDomain *range_domain(const char *name) {
    if (!arena_enter())
        return NULL;
    RangeDomain *domain = domains;
    while (domain && strcmp(domain->name, name) != 0)
        domain = domain->next;
    if (!domain && (domain = malloc(sizeof *domain + strlen(name) + 1))) {
        strcpy(domain->name, name);
        domain->plain = strcmp(name, "NVTX") == 0;
        domain->next = domains;
        domains = domain;
    }
    arena_leave();
    return domain;
}

/* ---- what is recorded ---- */

/* Whether a name is one of a list with commas between. */
static bool among(const char *list, const char *name) {
    size_t length = strlen(name);
    for (; list; list = strchr(list, ',')) {
        list += *list == ',';
        if (strncmp(list, name, length) == 0 && (list[length] == ',' || list[length] == '\0'))
            return true;
    }
    return false;
}

/* Whether a range is recorded; `stage`: and may hold launches. */
static bool records(const RangeDomain *domain, const char *name, bool *stage) {
    if (!read_stages) {
        const char *value = getenv(RECORD_STAGES);
        stages = value ? strdup(value) : NULL;
        read_stages = true;
    }
    bool plain = !domain || domain->plain;
    *stage = stages ? among(stages, name) : plain;
    return *stage || (plain && !last_stage);
}

static RecordRange *record(const Thread *thread, const char *name, bool stage) {
    RecordRange *parent = atomic_load_explicit(&thread->own, memory_order_relaxed);
    RecordRange range = {.piece.kind = RECORD_RANGE, .id = range_count + 1};
    range.parent = parent ? parent->id : 0;
    range.name = arena_name(name, strnlen(name, NAME_MAX_BYTES));
    range.thread = thread->number;
    range.stage = stage;
    range.begin = arena_now();
    RecordRange *made = arena_add(&range, sizeof range, NULL, 0);
    range_count += made != NULL;
    if (made && parent)
        parent->block = 0;
    return made;
}

/* ---- begin and end ---- */

static void show(Thread *thread) {
    const Open *open = thread->open;
    while (open && !open->range)
        open = open->below;
    atomic_store_explicit(&thread->own, open ? open->range : NULL, memory_order_release);
    atomic_store_explicit(&process, last_stage ? last_stage->range : NULL, memory_order_release);
    atomic_fetch_add_explicit(&moment, 1, memory_order_release);
}

static Open *begin(const RangeDomain *domain, const char *name, bool started) {
    Thread *thread = thread_self();
    Open *open = thread ? calloc(1, sizeof *open) : NULL;
    bool stage;
    if (!open)
        return NULL;
    *open = (Open){.below = thread->open, .thread = thread, .domain = domain, .started = started};
    if (records(domain, name, &stage))
        open->range = record(thread, name, stage);
    thread->open = open;
    if (open->range && stage) {
        open->older = last_stage;
        if (last_stage)
            last_stage->newer = open;
        last_stage = open;
    }
    if (open->range)
        show(thread);
    return open;
}

static void finish(Open *open) {
    Thread *thread = open->thread;
    Open **link = &thread->open;
    while (*link != open)
        link = &(*link)->below;
    *link = open->below;
    if (open->newer)
        open->newer->older = open->older;
    if (open->older)
        open->older->newer = open->newer;
    if (last_stage == open)
        last_stage = open->older;
    if (open->range) {
        open->range->end = arena_now();
        show(thread);
    }
    free(open);
}

static int level(const Thread *thread, const RangeDomain *domain) {
    int around = 0;
    for (const Open *open = thread->open; open; open = open->below)
        around += !open->started && open->domain == domain;
    return around;
}

int range_push(const RangeDomain *domain, const char *name) {
    if (!arena_enter())
        return NVTX_UNTRACKED;
    const Open *open = begin(domain, name, false);
    int around = open ? level(open->thread, domain) - 1 : NVTX_UNTRACKED;
    arena_leave();
    return around;
}

int range_pop(const RangeDomain *domain) {
    if (!arena_enter())
        return NVTX_UNTRACKED;
    const Thread *thread = thread_self();
    Open *open = thread ? thread->open : NULL;
    int around = NVTX_UNTRACKED;
    while (open && (open->started || open->domain != domain))
        open = open->below;
    if (open) {
        around = level(thread, domain) - 1;
        finish(open);
    }
    arena_leave();
    return around;
}

uint64_t range_start(const RangeDomain *domain, const char *name) {
    uint64_t id = 0;
    if (!arena_enter())
        return 0;
    Started *entry = malloc(sizeof *entry);
    Open *open = entry ? begin(domain, name, true) : NULL;
    if (open) {
        *entry = (Started){all_started, id = ++started_count, open};
        all_started = entry;
    } else {
        free(entry);
    }
    arena_leave();
    return id;
}

void range_end(uint64_t id) {
    if (!arena_enter())
        return;
    for (Started **link = &all_started; *link; link = &(*link)->next)
        if ((*link)->id == id) {
            Started *entry = *link;
            *link = entry->next;
            finish(entry->open);
            free(entry);
            break;
        }
    arena_leave();
}

/* ---- for launches ---- */

RecordRange *range_now(const Thread *thread) {
    RecordRange *own = atomic_load_explicit(&thread->own, memory_order_acquire);
    if (own && own->stage)
        return own;
    RecordRange *open = atomic_load_explicit(&process, memory_order_acquire);
    return open ? open : own;
}

uint64_t range_moment(void) {
    return atomic_load_explicit(&moment, memory_order_acquire);
}

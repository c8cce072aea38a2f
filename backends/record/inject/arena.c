#include "backends/record/inject/arena.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Address space that is set aside for a recording; the file grows in steps as it fills. */
enum { GROW = 1 << 20, NAMES_FIRST = 256, TRIES = 1000 };
static const size_t limit = (size_t)1 << 30;

typedef struct {
    uint64_t hash;
    const RecordName *name;
} Slot;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static __thread bool inside;
static _Atomic(RecordHead *) head;
static bool failed, full;
static char path[4096];
static char *base;  /* where the file is mapped */
static size_t room; /* bytes that it has, and that are mapped */

/* Names by what they say: open addressing, a power of 2, never full. */
static Slot *slots;
static uint32_t slot_count, name_count;

RecordHead *arena_head(void) {
    return atomic_load_explicit(&head, memory_order_acquire);
}

uint64_t arena_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Makes the file `wanted` bytes long, and maps them. By its path: a program may close files it does not know, and
 * open others under their numbers. */
static bool grow(size_t wanted) {
    struct rlimit most;
    wanted = (wanted + GROW - 1) / GROW * GROW;
    if (wanted > limit || (getrlimit(RLIMIT_FSIZE, &most) == 0 && wanted > most.rlim_cur))
        return false;
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool ok = posix_fallocate(fd, (off_t)room, (off_t)(wanted - room)) == 0 &&
              mmap(base + room, wanted - room, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
                   (off_t)room) != MAP_FAILED;
    close(fd);
    room = ok ? wanted : room;
    return ok;
}

/* A new file of a name that no other process, nor this one before an exec, has. */
static bool create(void) {
    const char *folder = getenv(RECORD_FOLDER);
    int fd = -1;
    for (int i = 0; folder && fd < 0 && i < TRIES; i++) {
        if (snprintf(path, sizeof path, "%s/%d.%d", folder, (int)getpid(), i) >= (int)sizeof path)
            return false;
        fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    }
    if (fd < 0)
        return false;
    close(fd);
    room = 0;
    base = mmap(NULL, limit, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED || !grow(GROW))
        return false;
    RecordHead *made = (RecordHead *)(void *)base;
    made->head_size = sizeof *made;
    made->count_kinds = RECORD_COUNT_KINDS;
    made->used = (sizeof *made + 7) / 8 * 8;
    made->started = arena_now();
    made->flags = getenv(RECORD_STAGES) ? RECORD_NAMED_STAGES : 0;
    made->pid = (int32_t)getpid();
    memcpy(made->magic, RECORD_MAGIC, sizeof RECORD_MAGIC);
    atomic_store_explicit(&head, made, memory_order_release);
    return true;
}

/* ---- fork ---- */

static void before_fork(void) {
    pthread_mutex_lock(&mutex);
}
static void after_fork(void) {
    pthread_mutex_unlock(&mutex);
}
static void in_child(void) {
    atomic_store(&head, NULL); /* the mapping stays: some thread's pointers lead into it */
    name_count = slot_count = 0;
    slots = NULL;
    failed = full = false;
    pthread_mutex_unlock(&mutex);
}

__attribute__((constructor)) static void watch_forks(void) {
    pthread_atfork(before_fork, after_fork, in_child);
}

bool arena_enter(void) {
    if (inside)
        return false;
    inside = true;
    pthread_mutex_lock(&mutex);
    if (arena_head() || (!failed && create()))
        return true;
    failed = true;
    arena_leave();
    return false;
}

void arena_leave(void) {
    pthread_mutex_unlock(&mutex);
    inside = false;
}

/* ---- pieces ---- */

void *arena_add(const void *piece, size_t size, const void *more, size_t more_size) {
    RecordHead *h = arena_head();
    size_t whole = (size + more_size + 7) / 8 * 8;
    full = full || (h->used + whole > room && !grow((size_t)h->used + whole));
    if (full) {
        h->lost_at = h->lost++ == 0 ? arena_now() : h->lost_at;
        return NULL;
    }
    char *at = (char *)h + h->used;
    memcpy(at, piece, size);
    if (more_size > 0)
        memcpy(at + size, more, more_size);
    ((RecordPiece *)(void *)at)->size = (uint32_t)whole;
    __atomic_store_n(&h->used, h->used + whole, __ATOMIC_RELEASE);
    return at;
}

uint32_t arena_offset(const void *piece) {
    return (uint32_t)(((uintptr_t)piece - (uintptr_t)arena_head()) / 8);
}

void *arena_at(uint32_t offset) {
    return (char *)arena_head() + (size_t)offset * 8;
}

/* ---- names ---- */

static uint64_t hash_of(const char *text, size_t length) {
    uint64_t h = 0xcbf29ce484222325u; /* FNV-1a */
    for (size_t i = 0; i < length; i++)
        h = (h ^ (unsigned char)text[i]) * 0x100000001b3u;
    return h;
}

static Slot *slot_of(Slot *table, uint32_t count, uint64_t hash, const char *text, size_t length) {
    for (uint32_t i = (uint32_t)hash & (count - 1);; i = (i + 1) & (count - 1))
        if (!table[i].name || (table[i].hash == hash && table[i].name->length == length &&
                               memcmp(table[i].name->text, text, length) == 0))
            return &table[i];
}

static bool make_slots(void) {
    uint32_t count = slot_count ? 2 * slot_count : NAMES_FIRST;
    Slot *table = calloc(count, sizeof *table);
    for (uint32_t i = 0; table && i < slot_count; i++)
        if (slots[i].name)
            *slot_of(table, count, slots[i].hash, slots[i].name->text, slots[i].name->length) =
                slots[i];
    if (!table)
        return false;
    free(slots);
    slots = table;
    slot_count = count;
    return true;
}

uint32_t arena_name(const char *text, size_t length) {
    uint64_t hash = hash_of(text, length);
    if (2 * name_count >= slot_count && !make_slots())
        return 0;
    Slot *slot = slot_of(slots, slot_count, hash, text, length);
    if (!slot->name) {
        RecordName name = {{RECORD_NAME, 0}, name_count + 1, (uint32_t)length};
        slot->name = arena_add(&name, sizeof name, text, length);
        slot->hash = hash;
        name_count += slot->name != NULL;
    }
    return slot->name ? slot->name->id : 0;
}

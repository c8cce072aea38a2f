#include "backends/record/inject/threads.h"

#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static bool have_key;
static __thread Thread *self;
static atomic_uint count;

/* Ranges that are still open lead to their thread: it is then kept. */
static void ends(void *data) {
    Thread *thread = data;
    self = NULL;
    free(thread->uses);
    thread->uses = NULL;
    thread->use_count = thread->use_slots = 0;
    if (!thread->open)
        free(thread);
}

/* Of a child's threads only this one is left, and what it counts into is its parent's. */
static void in_child(void) {
    self = NULL;
    atomic_store(&count, 0);
    if (have_key)
        pthread_setspecific(key, NULL);
}

__attribute__((constructor)) static void prepare(void) {
    have_key = pthread_key_create(&key, ends) == 0;
    pthread_atfork(NULL, NULL, in_child);
}

Thread *thread_self(void) {
    if (self)
        return self;
    Thread *thread = calloc(1, sizeof *thread);
    if (!thread)
        return NULL;
    thread->number = atomic_fetch_add(&count, 1) + 1;
    if (have_key)
        pthread_setspecific(key, thread);
    return self = thread;
}

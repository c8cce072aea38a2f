/* That the program's exit handlers have run, so that nothing was cut short. */
#include "backends/record/inject/arena.h"

__attribute__((destructor)) static void ended(void) {
    RecordHead *head = arena_head();
    if (head)
        head->flags |= RECORD_ENDED;
}

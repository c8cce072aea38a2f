/* The recording of this process: a mapped file that pieces are added to (../recording.h).
 *
 * It is made when something is first recorded; where that fails (no folder, no room), nothing is
 * recorded and the program runs on. Room is taken from the file system before it is written to,
 * since a mapping that finds the disk full would end the program. After fork the child has none
 * yet, and makes its own when it needs one.
 *
 * Everything but arena_head is called with the lock held, which no launch takes; a thread that
 * holds it records nothing else (an allocator that names ranges would else wait for itself).
 */
#ifndef ATLAS_BACKENDS_RECORD_INJECT_ARENA_H
#define ATLAS_BACKENDS_RECORD_INJECT_ARENA_H

#include <stdbool.h>
#include <stddef.h>

#include "backends/record/recording.h"

/* The head of the recording, NULL where there is none (yet); never goes away. */
RecordHead *arena_head(void);

/* Takes the lock, and makes the recording where there is none. False, without the lock: there is
 * none to be had, or this thread has the lock already. */
bool arena_enter(void);
void arena_leave(void);

/* Adds a copy of a piece whose kind is set, with `more` bytes behind it, as it is; sets its size.
 * NULL where there is no room, which is counted. */
void *arena_add(const void *piece, size_t size, const void *more, size_t more_size);

uint64_t arena_now(void);

/* Offset of what lies in the arena, divided by 8; and back. */
uint32_t arena_offset(const void *piece);
void *arena_at(uint32_t offset);

/* The id of a name, which is added where it is new; 0 where there is no room. */
uint32_t arena_name(const char *text, size_t length);

#endif

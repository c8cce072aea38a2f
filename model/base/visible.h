/* Text of others, as names in a trace are, where people read it: a terminal must not obey it, and a
 * line must stay one.
 */
#ifndef ATLAS_MODEL_BASE_VISIBLE_H
#define ATLAS_MODEL_BASE_VISIBLE_H

#include <glib.h>

/* The text with what is no printable UTF-8 as \t or, byte by byte, \xNN; cut behind `most` bytes,
 * with "..." (0: never). The caller frees it. */
char *atlas_visible(const char *text, gsize length, gsize most);

/* The same of a string, whole. */
char *atlas_visible_text(const char *text);

/* The text as one word of a command line, in quotes where it needs some: plain ones, or $'...'
 * where it holds what is not printable. The caller frees it. */
char *atlas_visible_word(const char *text);

#endif

/* The set of states that a search has seen: open addressing over whole states, no pointers.
 *
 * A state is 1 to SEARCH_WORDS_MAX words; the highest bit of its first word is set, so that a slot
 * of zeros is empty. The set is cut into segments that grow one by one, so that it never holds
 * much more than its states: between 1.25 and 1.8 slots for each.
 */
#ifndef ATLAS_MODEL_PROOF_SEARCH_TABLE_H
#define ATLAS_MODEL_PROOF_SEARCH_TABLE_H

#include <glib.h>

enum { SEARCH_WORDS_MAX = 8 };
#define SEARCH_STATE_BIT (G_GUINT64_CONSTANT(1) << 63)

typedef struct SearchTable SearchTable;

SearchTable *search_table_new(guint words);
void search_table_free(SearchTable *table);

guint64 search_table_hash(const SearchTable *table, const guint64 *state);

/* Tells the processor that this hash is looked for soon. */
void search_table_prefetch(const SearchTable *table, guint64 hash);

/* Adds a state; FALSE where it was there. */
gboolean search_table_add(SearchTable *table, const guint64 *state, guint64 hash);
gboolean search_table_has(const SearchTable *table, const guint64 *state);

guint64 search_table_count(const SearchTable *table);
gsize search_table_bytes(const SearchTable *table);

#endif

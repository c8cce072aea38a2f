/* Fields: what stands between the tabs of a line, in logs and tables alike.
 *
 * A field borrows its text from the line and has no NUL behind it.
 */
#ifndef ATLAS_MODEL_MEASURE_FIELD_H
#define ATLAS_MODEL_MEASURE_FIELD_H

#include <glib.h>

typedef struct {
    const char *text;
    gsize length;
} AtlasField;

/* Splits a line at its tabs and returns how many fields it has, at least one. The first `max` are
 * stored; where there are fewer, the others are set empty, at the end of the line. */
gsize atlas_fields_split(const char *line, gsize length, AtlasField *fields, gsize max);

/* The field without blanks at its ends. */
AtlasField atlas_field_trim(AtlasField field);

gboolean atlas_field_is(AtlasField field, const char *text);

/* Reads a whole number from 0 to G_MAXINT64: digits and nothing else. */
gboolean atlas_field_whole(AtlasField field, gint64 *value);

/* Reads a decimal number >= 0 of any length ("12", "0.438"): no sign, no exponent, no NaN. */
gboolean atlas_field_decimal(AtlasField field, double *value);

/* A copy to be quoted in a message: shortened, and what is not printable text as \t or \xNN. The
 * caller frees it. */
char *atlas_field_quote(AtlasField field);

#endif

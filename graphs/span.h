/* What equations determine, whatever they measure: the forms that are sums of multiples of the
 * runs' own. Internal to graphs/.
 *
 * A population whose form lies in the span of the runs is known as exactly as the counter counts;
 * of one that does not, more of the same runs tell nothing. Exact; constants are left aside.
 */
#ifndef ATLAS_GRAPHS_SPAN_H
#define ATLAS_GRAPHS_SPAN_H

#include "model/launch/walk.h"

typedef struct Span Span;

Span *span_new(guint unknowns);
void span_free(Span *span);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Span, span_free)

/* Adds a form; returns whether it was in the span already. */
gboolean span_add(Span *span, const AtlasLinear *form);
gboolean span_has(Span *span, const AtlasLinear *form);

/* FALSE if a number did not fit: then nothing that the span said is worth anything. */
gboolean span_fits(const Span *span);

#endif

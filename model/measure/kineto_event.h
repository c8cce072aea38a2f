/* One event of Kineto's: for kineto.c only. */
#ifndef ATLAS_MODEL_MEASURE_KINETO_EVENT_H
#define ATLAS_MODEL_MEASURE_KINETO_EVENT_H

#include "model/measure/scan.h"
#include "model/measure/trace.h"

typedef struct KinetoEvents KinetoEvents;

/* The builder is borrowed. */
KinetoEvents *kineto_events_new(AtlasTraceBuilder *builder);
void kineto_events_free(KinetoEvents *events);

/* Events that are half of a call, an activity or a range, its beginning or its end: they are not
 * read. */
guint64 kineto_events_halves(const KinetoEvents *events);
/* Whether the last event was one thread or stream too many. */
gboolean kineto_events_crowded(const KinetoEvents *events);

/* Reads an event, or what stands in its place, and adds to the builder what it says; FALSE as
 * functions of scan.h, and then nothing was added. */
gboolean kineto_event_read(KinetoEvents *events, AtlasScan *scan);

#endif

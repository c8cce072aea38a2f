/* The part of a stream that is in memory: it grows until what is to be read fits.
 *
 * A reader scans what is there. Where that ends too early, it asks for more and scans again from
 * the beginning; else it takes what it has read. So what is read at once lies in one piece, however
 * the stream comes, and nothing needs to be remembered between two pieces.
 *
 * Memory: 256 KiB, and as much as one thing that is read at once needs, up to ATLAS_FEED_MAX.
 */
#ifndef ATLAS_MODEL_MEASURE_FEED_H
#define ATLAS_MODEL_MEASURE_FEED_H

#include "model/measure/lines.h"
#include "model/measure/problems.h"

#define ATLAS_FEED_MAX ((gsize)1 << 24)

typedef struct AtlasFeed AtlasFeed;

/* The input is borrowed. */
AtlasFeed *atlas_feed_new(AtlasInput *input);
void atlas_feed_free(AtlasFeed *feed);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasFeed, atlas_feed_free)

/* What is there; it holds until more is asked for. */
const char *atlas_feed_text(const AtlasFeed *feed, gsize *length);

typedef enum {
    ATLAS_FEED_MORE, /* there is more now */
    ATLAS_FEED_END,  /* the stream ends here */
    ATLAS_FEED_FULL, /* ATLAS_FEED_MAX bytes are there */
    ATLAS_FEED_FAULT /* reading failed: atlas_feed_fault says why */
} AtlasFeedMore;

AtlasFeedMore atlas_feed_more(AtlasFeed *feed);
const char *atlas_feed_fault(const AtlasFeed *feed);

/* What stands before `upto` was read. */
void atlas_feed_take(AtlasFeed *feed, const char *upto);

/* Line and column, both from 1 and the latter in bytes, of a place in what is there. */
AtlasPlace atlas_feed_place(const AtlasFeed *feed, const char *at);

#endif

/* How checks of counts word what they say, and what they share. Internal to model/check. */
#ifndef ATLAS_MODEL_CHECK_AGREE_TEXT_H
#define ATLAS_MODEL_CHECK_AGREE_TEXT_H

#include "model/check/agree.h"

/* A number for people; the caller frees it. */
char *agree_number(AtlasRat value);

/* "20, 23, 27 and 4 more" of gint64 steps; the caller frees it. */
char *agree_steps(const GArray *steps);

/* Mean launches a step of a sum over that many steps; the middle of one that is an interval. */
AtlasRat agree_mean(const AtlasSum *sum, gint64 steps);

/* Whether a counter cannot have read that. */
gboolean agree_outside(const AtlasInterval *reading, AtlasRat measured);

/* Makes what a check measured a lower bound. */
void agree_mark_least(AtlasCheck *check);

/* Adds a check of one stage, which passes, with what was measured. */
AtlasCheck *agree_check(AtlasResult *result, const AtlasRun *run, const char *stage,
                        AtlasRat measured);

#endif

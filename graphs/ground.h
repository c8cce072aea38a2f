/* What a report stands on: the base step, the run that measured it, and sums of its populations.
 * Internal to graphs/.
 *
 * The base run is the first run of the base configuration that counted every stage. Populations are
 * summed over the steps of its window (over one period where there is no such run), so that what is
 * measured and what is solved are of the same steps. Where something runs every few steps only,
 * those steps may launch more or less than steps do in the long run, which is a whole period of the
 * base.
 *
 * A set of populations is an array of gboolean, one for each population of the model.
 */
#ifndef ATLAS_GRAPHS_GROUND_H
#define ATLAS_GRAPHS_GROUND_H

#include "model/solve/study.h"

typedef struct {
    AtlasStudy *study;
    const AtlasModel *model;
    AtlasConfig *base;
    const AtlasObservation *run; /* NULL: the base was not measured stage by stage */
    AtlasWindow window;
    gint64 steps;
    AtlasLinear *forms;     /* launches of each population over the window */
    gboolean *has;          /* whether they are any */
    gint64 period;          /* steps after which the base repeats itself */
    AtlasLinear *lasting;   /* launches of each population over one period */
    gboolean uneven;        /* the window's mean is not that of the period */
    AtlasLinear **launches; /* the same of each observation's configuration over its own window;
                               NULL for one that is excluded */
    GHashTable *solved;     /* of forms, as GBytes, to AtlasInterval*: sections ask for the same */
} Ground;

/* FALSE, with problems added, if the spec makes no sense in its base; to be cleared all the same.
 * The study must be consistent and outlive the ground. */
gboolean ground_init(Ground *ground, AtlasStudy *study, AtlasDiags *diags);
/* The same of any configuration, which takes the place of the base. */
gboolean ground_init_at(Ground *ground, AtlasStudy *study, const AtlasConfig *config,
                        AtlasDiags *diags);
void ground_clear(Ground *ground);

/* The configuration that a toggle makes of the spec's base; NULL where it makes no sense alone. */
AtlasConfig *ground_toggle(const Ground *ground, guint toggle);

/* A sum of populations over the window; the caller frees it with atlas_linear_free(form, 1). */
AtlasLinear *ground_form(const Ground *ground, const gboolean *in);

/* What a stage launches, or (behind the last) all of them: the sum of its populations' forms, which
 * are `forms` or `lasting`. The caller frees it with atlas_linear_free(form, 1). */
AtlasLinear *ground_stage_form(const Ground *ground, const AtlasLinear *forms, guint stage);

/* Launches a step of a form over that many steps: what every solution allows, and at the point (no
 * number where there is none, or nothing bounds it). */
AtlasInterval ground_bounds(const Ground *ground, const AtlasLinear *form, gint64 steps);
AtlasRat ground_point(const Ground *ground, const AtlasLinear *form, gint64 steps);

/* What share of the base's launches a form over the window is, which must be a sum of some of its
 * populations, in every solution: never above 1. */
AtlasInterval ground_share(const Ground *ground, const AtlasLinear *form);

/* The mean of a sum that is known, which is an interval where it was rounded. */
AtlasInterval ground_mean(const AtlasSum *sum, gint64 steps);

/* What a run counted a step in a stage, or (behind the last) in all of them. */
AtlasInterval ground_counted(const Ground *ground, const AtlasObservation *o, guint stage);

/* into += factor * what */
void interval_add(AtlasInterval *into, const AtlasInterval *what, AtlasRat factor);
gboolean interval_single(const AtlasInterval *interval);
gboolean interval_equal(const AtlasInterval *a, const AtlasInterval *b);
/* The middle; no number where an end is not known. */
AtlasRat interval_middle(const AtlasInterval *interval);

/* Below 0 where `a` comes before `b`: the greater one does, and no number comes last. */
int ground_order(AtlasRat a, AtlasRat b);

gboolean form_is_zero(const AtlasLinear *form);
/* Nothing in it is unknown: it is what the spec says. */
gboolean form_is_given(const AtlasLinear *form);

#endif

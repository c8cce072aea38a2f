#include "graphs/stretch.h"

#include "model/launch/walk.h"

/* A part of the step: if it is parted, what it launches before the first place that parts it and
 * behind the last, and the stretches between them; else all of it is the head. */
typedef struct {
    gboolean parted;
    StretchSteps *head, *tail;
    AtlasRat inside;
} Part;

typedef struct {
    const AtlasProgram *program;
    AtlasWindow window;
    gboolean stage_ends;
    guint at; /* the op that is read */
} Reader;

gboolean stretch_waits(AtlasOpKind kind) {
    return kind == ATLAS_OP_SYNC_STREAM || kind == ATLAS_OP_SYNC_EVENT || kind == ATLAS_OP_SYNC_CTX;
}

gboolean stretch_parts(AtlasOpKind kind) {
    return stretch_waits(kind) || kind == ATLAS_OP_HOST_READ || kind == ATLAS_OP_HOST_WRITE;
}

/* ---- steps ---- */

StretchSteps *stretch_steps_new(void) {
    return g_array_new(FALSE, FALSE, sizeof(gint64));
}

void stretch_steps_add(StretchSteps *steps, gint64 every) {
    for (guint i = steps->len; i-- > 0;) {
        gint64 other = g_array_index(steps, gint64, i);
        if (every % other == 0)
            return;
        if (other % every == 0)
            g_array_remove_index(steps, i);
    }
    g_array_append_val(steps, every);
}

static void add_steps(StretchSteps *steps, const StretchSteps *more) {
    for (guint i = 0; i < more->len; i++)
        stretch_steps_add(steps, g_array_index(more, gint64, i));
}

/* How many steps of the window are multiples of `of` and of one of the numbers from `first` on:
 * each of these, less what an earlier one has counted. A multiple beyond the window is step 0, if
 * any. */
static gint64 multiples(AtlasWindow window, const StretchSteps *steps, guint first, gint64 of) {
    gint64 sum = 0;
    if (of > window.last)
        return first < steps->len && window.first == 0;
    for (guint i = first; i < steps->len; i++) {
        gint64 both = atlas_lcm(of, g_array_index(steps, gint64, i));
        sum += atlas_multiples(window.first, window.last, both) -
               multiples(window, steps, i + 1, both);
    }
    return sum;
}

AtlasRat stretch_steps_mean(const StretchSteps *steps, AtlasWindow window) {
    return atlas_rat_make(multiples(window, steps, 0, 1), atlas_window_steps(window));
}

/* ---- parts ---- */

static Part part_new(gboolean parted) {
    return (Part){parted, stretch_steps_new(), stretch_steps_new(), atlas_rat(0)};
}

static void part_clear(Part *part) {
    g_array_unref(part->head);
    g_array_unref(part->tail);
}

/* Adds the stretch that the end of one part and the beginning of the next make. */
static void close_stretch(const Reader *r, Part *part, const StretchSteps *end,
                          const StretchSteps *begin) {
    g_autoptr(GArray) all = stretch_steps_new();
    add_steps(all, end);
    add_steps(all, begin);
    part->inside = atlas_rat_add(part->inside, stretch_steps_mean(all, r->window));
}

/* Takes `next` over. */
static void append(const Reader *r, Part *part, Part next) {
    if (part->parted && next.parted) {
        close_stretch(r, part, part->tail, next.head);
        g_array_set_size(part->tail, 0);
    } else {
        add_steps(part->parted ? part->tail : part->head, next.head);
    }
    part->parted = part->parted || next.parted;
    part->inside = atlas_rat_add(part->inside, next.inside);
    add_steps(part->tail, next.tail);
    part_clear(&next);
}

static void repeat(const Reader *r, Part *part, gint64 times) {
    if (!part->parted || times < 2)
        return;
    Part between = {.inside = atlas_rat(0)};
    close_stretch(r, &between, part->tail, part->head);
    part->inside = atlas_rat_add(atlas_rat_mul(part->inside, atlas_rat(times)),
                                 atlas_rat_mul(between.inside, atlas_rat(times - 1)));
}

/* Reads up to the end of the block, or of the program. */
static Part read_block(Reader *r) {
    Part all = part_new(FALSE);
    for (; r->at < r->program->ops->len; r->at++) {
        const AtlasOp *op = &g_array_index(r->program->ops, AtlasOp, r->at);
        if (op->kind == ATLAS_OP_END_BLOCK)
            break;
        if (op->kind == ATLAS_OP_LOOP || op->kind == ATLAS_OP_STEP) {
            r->at++;
            Part body = read_block(r);
            if (op->kind == ATLAS_OP_LOOP)
                repeat(r, &body, op->last - op->first + 1);
            append(r, &all, body);
        } else if (op->kind == ATLAS_OP_LAUNCH) {
            stretch_steps_add(all.parted ? all.tail : all.head, op->every);
        } else if (stretch_parts(op->kind) || (op->kind == ATLAS_OP_STAGE && r->stage_ends)) {
            append(r, &all, part_new(TRUE));
        }
    }
    return all;
}

AtlasRat stretch_count(const AtlasProgram *program, AtlasWindow window, gboolean stage_ends) {
    Reader r = {program, window, stage_ends, 0};
    Part all = read_block(&r);
    AtlasRat count = atlas_rat_add(all.inside, stretch_steps_mean(all.head, window));
    if (all.parted)
        count = atlas_rat_add(count, stretch_steps_mean(all.tail, window));
    part_clear(&all);
    return count;
}

#include "model/proof/race.h"

enum { READ, WRITE, ANY_PART = 1, FIRST_PART = 2 };

/* Nobody, and more than one, in Block.only. */
enum { NOBODY = -1, MANY = -2 };

/* The last read and write of a cell by one chain; position 0: none. */
typedef struct {
    gint64 position[2];
    RacePlace place[2];
    guint by[2];
} Last;

struct RaceTable {
    guint width;
    guint *block; /* of a cell, + 1; 0: never accessed */
    GArray *only; /* of int, for each block: the one chain that accesses it */
    GArray *last; /* of Last, `width` for each block */
    GArray *found;
    gboolean full;
};

RaceTable *race_table_new(guint cells, guint width) {
    RaceTable *t = g_new0(RaceTable, 1);
    t->width = width;
    t->block = g_new0(guint, cells + 1);
    t->only = g_array_new(FALSE, FALSE, sizeof(int));
    t->last = g_array_new(FALSE, TRUE, sizeof(Last));
    t->found = g_array_new(FALSE, FALSE, sizeof(Race));
    return t;
}

void race_table_free(RaceTable *t) {
    if (!t)
        return;
    g_free(t->block);
    g_array_unref(t->only);
    g_array_unref(t->last);
    g_array_unref(t->found);
    g_free(t);
}

gboolean race_is_full(const RaceTable *t) {
    return t->full;
}

const GArray *race_found(const RaceTable *t) {
    return t->found;
}

/* NULL where there is no room for one more. */
static Last *block_of(RaceTable *t, guint cell) {
    int nobody = NOBODY;
    if (!t->block[cell]) {
        t->full |= t->last->len + t->width > RACE_LAST_MAX;
        if (t->full)
            return NULL;
        g_array_append_val(t->only, nobody);
        t->block[cell] = t->only->len;
        g_array_set_size(t->last, t->last->len + t->width);
    }
    return &g_array_index(t->last, Last, (gsize)(t->block[cell] - 1) * t->width);
}

/* Keeps a race between two ops that were not seen to race before. */
void race_add(RaceTable *t, const Race *race) {
    for (guint i = 0; i < t->found->len; i++) {
        const Race *known = &g_array_index(t->found, Race, i);
        if (known->place[0].flow == race->place[0].flow &&
            known->place[1].flow == race->place[1].flow)
            return;
    }
    if (t->found->len < RACES_MAX)
        g_array_append_vals(t->found, race, 1);
}

/* Compares with all that other chains did to a cell. */
static void check(RaceTable *t, guint cell, guint chain, const gint64 *clock, const Race *now) {
    guint block = t->block[cell];
    if (!block || g_array_index(t->only, int, block - 1) == (int)chain)
        return;
    const Last *last = block_of(t, cell);
    for (guint c = 0; c < t->width; c++) {
        for (int kind = now->write[1] ? READ : WRITE; kind <= WRITE && c != chain; kind++) {
            if (last[c].position[kind] <= clock[c])
                continue;
            Race race = *now;
            race.place[0] = last[c].place[kind];
            race.by[0] = last[c].by[kind];
            race.write[0] = kind == WRITE;
            race.host[0] = c == FLOW_HOST_CHAIN;
            race_add(t, &race);
        }
    }
}

static void keep(RaceTable *t, guint cell, guint chain, gint64 position, const Race *now) {
    Last *last = block_of(t, cell);
    if (!last)
        return;
    int *only = &g_array_index(t->only, int, t->block[cell] - 1);
    int kind = now->write[1] ? WRITE : READ;
    last[chain].position[kind] = position;
    last[chain].place[kind] = now->place[1];
    last[chain].by[kind] = now->by[1];
    *only = *only == NOBODY || *only == (int)chain ? (int)chain : MANY;
}

/* The cell that is accessed, and, in *other, that of accesses that conflict with it, too. */
static guint cell_of(const FlowAccess *access, gint64 index, guint *other) {
    *other = access->part ? access->cell : access->cell + ANY_PART;
    return access->part ? access->cell + FIRST_PART + (guint)(access->offset + access->sign * index)
                        : access->cell;
}

void race_access(RaceTable *t, const FlowAccess *access, gint64 index, guint chain, gint64 position,
                 const gint64 *clock, RacePlace place, guint by) {
    guint other, own = cell_of(access, index, &other);
    Race now = {.place = {{0}, place},
                .by = {0, by},
                .write = {FALSE, access->write},
                .host = {FALSE, access->host},
                .cell = own};
    check(t, own, chain, clock, &now);
    check(t, other, chain, clock, &now);
    keep(t, own, chain, position, &now);
    if (access->part)
        keep(t, access->cell + ANY_PART, chain, position, &now);
}

void race_repeat(RaceTable *t, const FlowAccess *access, gint64 index, guint chain, gint64 position,
                 RacePlace place) {
    guint other, own = cell_of(access, index, &other);
    Race now = {
        .place = {{0}, place}, .by = {0, place.flow}, .write = {FALSE, access->write}, .cell = own};
    keep(t, own, chain, position, &now);
    if (access->part)
        keep(t, access->cell + ANY_PART, chain, position, &now);
}

gsize race_bytes(const RaceTable *t) {
    return t->last->len * sizeof(Last) + t->only->len * sizeof(int);
}

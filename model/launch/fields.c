#include "model/launch/fields.h"

#include <stddef.h>

#include "model/launch/spec.h"

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define END                                                                                        \
    { NULL, ATLAS_FIELD_TEXT, FALSE, 0, NULL, NULL, NULL }

/* One line of a table: key, type, member, documentation. */
#define OPTIONAL(key, type, member, doc)                                                           \
    { key, ATLAS_FIELD_##type, FALSE, AT(member), doc, NULL, NULL }
#define REQUIRED(key, type, member, doc)                                                           \
    { key, ATLAS_FIELD_##type, TRUE, AT(member), doc, NULL, NULL }
#define CHOICE(key, member, words, doc)                                                            \
    { key, ATLAS_FIELD_CHOICE, FALSE, AT(member), doc, words, NULL }
#define NESTED(key, type, member, kind, needed, doc)                                               \
    { key, ATLAS_FIELD_##type, needed, AT(member), doc, NULL, kind }

#define AT(member) offsetof(AtlasSpecParam, member)
static const AtlasSpecField param_fields[] = {
    REQUIRED("default", INT, standard, "the value where a configuration does not set it"),
    REQUIRED("min", INT, low, "the least value a run can set"),
    REQUIRED("max", INT, high, "the greatest value a run can set"),
    OPTIONAL("about", TEXT, about, "what the parameter means"),
    END,
};
#undef AT
static const AtlasObjectKind param = {"a parameter", sizeof(AtlasSpecParam), param_fields};

#define AT(member) offsetof(AtlasSpecArm, member)
static const AtlasSpecField arm_fields[] = {
    CHOICE("default", standard, WORDS("on", "off"),
           "whether the arm is on in the base; on if left out"),
    OPTIONAL("needs", NAME, needs, "the arm without which this one is off"),
    OPTIONAL("about", TEXT, about, "what the arm is"),
    END,
};
#undef AT
static const AtlasObjectKind arm = {"an arm", sizeof(AtlasSpecArm), arm_fields};

#define AT(member) offsetof(AtlasSpecToggle, member)
static const AtlasSpecField toggle_fields[] = {
    REQUIRED("set", PAIRS, set, "the parameters and arms it sets: {iters: 2, kda: off}"),
    OPTIONAL("changes", TEXT, changes, "what else it changes, e.g. the training objective"),
    OPTIONAL("about", TEXT, about, "what the toggle is for"),
    END,
};
#undef AT
static const AtlasObjectKind toggle = {"a toggle", sizeof(AtlasSpecToggle), toggle_fields};

#define AT(member) offsetof(AtlasSpecCounter, member)
static const AtlasSpecField counter_fields[] = {
    REQUIRED(
        "lag", NUMBER, lag,
        "the most launches that can be enqueued and not yet counted when a stage ends; 0: exact"),
    CHOICE("source", source, WORDS("measured", "study", "assumed"), "where that lag comes from"),
    OPTIONAL("about", TEXT, about, "how the lag is known, or why it was chosen"),
    END,
};
#undef AT
static const AtlasObjectKind counter = {"the counter", sizeof(AtlasSpecCounter), counter_fields};

#define AT(member) offsetof(AtlasSpecStream, member)
static const AtlasSpecField stream_fields[] = {
    CHOICE("kind", kind, WORDS("nonblocking", "blocking", "legacy"),
           "how it was created; nonblocking if left out"),
    OPTIONAL("about", TEXT, about, "what the stream carries"),
    END,
};
#undef AT
static const AtlasObjectKind stream = {"a stream", sizeof(AtlasSpecStream), stream_fields};

#define AT(member) offsetof(AtlasSpecBuffer, member)
static const AtlasSpecField buffer_fields[] = {
    OPTIONAL("per", EXPRESSION, per, "how many parts it has, e.g. one for each iteration"),
    OPTIONAL("about", TEXT, about, "what the buffer holds"),
    END,
};
#undef AT
static const AtlasObjectKind buffer = {"a buffer", sizeof(AtlasSpecBuffer), buffer_fields};

#define AT(member) offsetof(AtlasSpecUnknown, member)
static const AtlasSpecField unknown_fields[] = {
    CHOICE("kind", kind, WORDS("whole", "real"), "whole numbers >= 0, or any numbers >= 0"),
    OPTIONAL("min", INT, low, "the least it can be: 1 for what surely launches; 0 if left out"),
    OPTIONAL("about", TEXT, about, "what it counts"),
    END,
};
#undef AT
static const AtlasObjectKind unknown = {"an unknown", sizeof(AtlasSpecUnknown), unknown_fields};

#define AT(member) offsetof(AtlasSpecStage, member)
static const AtlasSpecField stage_fields[] = {
    REQUIRED("stage", NAME, name, "the stage's name, as measurements print it"),
    OPTIONAL("about", TEXT, about, "what the stage does"),
    NESTED("do", ITEMS, body, NULL, TRUE, "what the host enqueues, in order"),
    END,
};
#undef AT
static const AtlasObjectKind stage = {"a stage", sizeof(AtlasSpecStage), stage_fields};

#define AT(member) offsetof(AtlasSpecItem, member)
const AtlasSpecField atlas_fields_item[] = {
    OPTIONAL("when", EXPRESSION, when, "the condition under which the item is there at all"),
    OPTIONAL("every", EXPRESSION, every, "only in steps that are multiples of this"),
    OPTIONAL("stream", NAME, stream, "the stream it goes to; the enclosing item's if left out"),
    OPTIONAL("thread", INT, thread, "the host thread that enqueues it, from 1"),
    CHOICE("source", source, WORDS("measured", "study", "assumed"),
           "where the fact comes from; proofs list what is assumed"),
    OPTIONAL("about", TEXT, about, "what the item is"),
    END,
};
#define FIRST(key, type, doc) REQUIRED(key, type, what, doc)
static const AtlasSpecField launch_fields[] = {
    FIRST("launch", NAME, "kernel launches: the population's name"),
    OPTIONAL("count", EXPRESSION, count, "how many launches; 1 if left out"),
    OPTIONAL("kernel", NAME, kernel, "what runs; the item's name if left out"),
    OPTIONAL("cost_us", POSITIVE, cost,
             "how long each launch's kernel takes at least, in microseconds, where it is replayed"),
    OPTIONAL("reads", LIST, reads, "buffers read: h, act[i]"),
    OPTIONAL("writes", LIST, writes, "buffers written"),
    OPTIONAL("fresh", LIST, fresh, "written buffers that get newly allocated memory"),
    {"args", ATLAS_FIELD_PAIRS, FALSE, AT(args), "scalar arguments: {lr: host-per-step}",
     WORDS("const", "host-per-step", "device"), NULL},
    END,
};
static const AtlasSpecField copy_fields[] = {
    {"copy", ATLAS_FIELD_CHOICE, TRUE, AT(what), "an asynchronous copy of this kind; no launch",
     WORDS("dtoh_pinned", "dtoh_pageable", "htod_pinned", "htod_pageable", "dtod"), NULL},
    REQUIRED("from", TEXT, from, "the buffer copied from"),
    REQUIRED("to", TEXT, to, "the buffer copied to"),
    END,
};
static const AtlasSpecField record_fields[] = {
    FIRST("record", NAME, "an event, recorded on the stream"), END};
static const AtlasSpecField wait_fields[] = {FIRST("wait", NAME, "the stream waits for this event"),
                                             END};
static const AtlasSpecField sync_fields[] = {
    FIRST("sync", NAME, "the host waits for this stream or event, or for all: context"), END};
static const AtlasSpecField read_fields[] = {
    FIRST("read", TEXT, "the host reads this buffer: a copy, a stream sync, and the read"), END};
static const AtlasSpecField host_write_fields[] = {
    FIRST("host_write", TEXT, "the host writes this buffer"), END};
static const AtlasSpecField alloc_fields[] = {
    FIRST("alloc", NAME, "stream-ordered allocation of this buffer"), END};
static const AtlasSpecField free_fields[] = {
    FIRST("free", NAME, "stream-ordered free of this buffer"), END};
static const AtlasSpecField loop_fields[] = {
    FIRST("loop", EXPRESSION, "repeats its items this many times"),
    OPTIONAL("as", NAME, index, "the name of the index, which counts from 0"),
    NESTED("do", ITEMS, body, NULL, TRUE, "what is repeated"),
    END,
};
static const AtlasSpecField group_fields[] = {
    FIRST("group", NAME, "items under one name and condition"),
    NESTED("do", ITEMS, body, NULL, FALSE, "the items"),
    OPTIONAL("like", TEXT, like, "the items of this other group (its name, or stage.group)"),
    OPTIONAL("rename", PAIRS, rename, "with `like`: {buffer: the buffer it uses instead}"),
    OPTIONAL("counts", PAIRS, counts, "with `like`: {unknown: the unknown it uses instead}"),
    END,
};
#undef AT
#define ITEM(name, fields)                                                                         \
    { "a " name " item", sizeof(AtlasSpecItem), fields }
const AtlasObjectKind atlas_fields_items[] = {
    ITEM("launch", launch_fields),
    ITEM("copy", copy_fields),
    ITEM("record", record_fields),
    ITEM("wait", wait_fields),
    ITEM("sync", sync_fields),
    ITEM("read", read_fields),
    ITEM("host_write", host_write_fields),
    ITEM("alloc", alloc_fields),
    ITEM("free", free_fields),
    ITEM("loop", loop_fields),
    ITEM("group", group_fields),
};
G_STATIC_ASSERT(G_N_ELEMENTS(atlas_fields_items) == ATLAS_ITEM_KINDS);

#define AT(member) offsetof(AtlasSpec, member)
static const AtlasSpecField root_fields[] = {
    REQUIRED("atlas", INT, version, "the version of this form: 1"),
    REQUIRED("name", LABEL, name, "the model's name"),
    OPTIONAL("about", TEXT, about, "what is modelled"),
    OPTIONAL("recipe", PAIRS, recipe,
             "what else a run depends on; a run with another recipe is left out"),
    NESTED("params", NAMED, params, &param, FALSE, "whole numbers that a run can set"),
    NESTED("arms", NAMED, arms, &arm, FALSE, "parts of the network that can be switched"),
    NESTED("toggles", LABELLED, toggles, &toggle, FALSE, "saved settings"),
    NESTED("counter", OBJECT, counter, &counter, FALSE, "the instrument that counted the runs"),
    NESTED("streams", NAMED, streams, &stream, FALSE, "the streams; `main` alone if left out"),
    NESTED("buffers", NAMED, buffers, &buffer, FALSE, "device memory that items read and write"),
    NESTED("unknowns", NAMED, unknowns, &unknown, FALSE, "numbers that runs determine"),
    NESTED("stages", SEQUENCE, stages, &stage, TRUE,
           "the launch graph: the stages of a step, in order"),
    OPTIONAL("runs", LIST, runs, "run tables and logs: FILE[@CONFIGURATION], beside the spec"),
    OPTIONAL("claims", TEXT, claims, "a file of statements to be audited, beside the spec"),
    END,
};
#undef AT
const AtlasObjectKind atlas_fields_root = {"a spec", sizeof(AtlasSpec), root_fields};

gboolean atlas_fields_is_item(const AtlasObjectKind *kind) {
    return kind >= atlas_fields_items && kind < atlas_fields_items + ATLAS_ITEM_KINDS;
}

static const AtlasSpecField *find(const AtlasSpecField *fields, const char *key) {
    for (; fields->key; fields++)
        if (g_str_equal(fields->key, key))
            return fields;
    return NULL;
}

const AtlasSpecField *atlas_fields_find(const AtlasObjectKind *kind, const char *key) {
    const AtlasSpecField *field = find(kind->fields, key);
    return !field && atlas_fields_is_item(kind) ? find(atlas_fields_item, key) : field;
}

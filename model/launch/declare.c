#include <string.h>

#include "model/base/names.h"
#include "model/launch/build.h"

/* Bounds that keep work from growing with the square of a spec's size: of the things that a
 * configuration sets, names or runs on; of the names that hints are chosen from. */
enum { SETTABLE_MAX = 1000, CANDIDATES_MAX = 1000 };

gboolean atlas_build_goes_on(const AtlasBuilder *b) {
    return atlas_diags_errors(b->diags) < ATLAS_SPEC_ERRORS_MAX;
}

static gint64 whole(const AtlasText *text) {
    /* The first pass has reported what is no number. */
    AtlasRat value =
        text->text ? atlas_rat_parse(text->text, strlen(text->text), NULL) : atlas_rat(0);
    return atlas_rat_is_whole(value) ? value.num : 0;
}

GArray *atlas_build_array(AtlasModel *model, gsize element) {
    GArray *array = g_array_new(FALSE, TRUE, (guint)element);
    g_ptr_array_add(model->arrays, array);
    return array;
}

gboolean atlas_build_verbatim(const AtlasText *text) {
    gsize length = text->at.end - text->at.start;
    return text->at.source && strlen(text->text) == length &&
           memcmp(atlas_source_text(text->at.source) + text->at.start, text->text, length) == 0;
}

gboolean atlas_build_declare(AtlasBuilder *b, const AtlasText *name, AtlasNameKind kind,
                             guint index) {
    if (atlas_expr_reserved(name->text)) {
        atlas_diags_error(b->diags, name->at, "'%s' means something in expressions", name->text);
        atlas_diags_hint(b->diags, "choose another name");
        return FALSE;
    }
    AtlasDeclared *before = g_hash_table_lookup(b->names, name->text);
    if (before) {
        atlas_diags_error(b->diags, name->at, "the name '%s' is taken", name->text);
        atlas_diags_note(b->diags, before->at, "it is declared here");
        atlas_diags_hint(b->diags, "parameters, arms, unknowns and loop indices share their names");
        return FALSE;
    }
    AtlasDeclared *made = g_new(AtlasDeclared, 1);
    *made = (AtlasDeclared){kind, index, name->at};
    g_hash_table_insert(b->names, (gpointer)name->text, made);
    if (b->candidates->len <= CANDIDATES_MAX)
        g_ptr_array_insert(b->candidates, (int)b->candidates->len - 1, (gpointer)name->text);
    return TRUE;
}

void atlas_build_forget(AtlasBuilder *b, const AtlasText *name) {
    g_hash_table_remove(b->names, name->text);
    if (g_ptr_array_index(b->candidates, b->candidates->len - 2) == name->text)
        g_ptr_array_remove_index(b->candidates, b->candidates->len - 2);
}

static AtlasNameKind look_up(const char *name, guint *index, gpointer data) {
    const AtlasDeclared *found = g_hash_table_lookup(((AtlasBuilder *)data)->names, name);
    if (!found)
        return ATLAS_NAME_NONE;
    *index = found->index;
    return found->kind;
}

const AtlasExpr *atlas_build_expr(AtlasBuilder *b, const AtlasText *value,
                                  gboolean allow_unknowns) {
    if (!value->text)
        return NULL;
    static const char *const none[] = {NULL};
    gboolean shown = atlas_diags_errors(b->diags) < ATLAS_DIAGS_SHOWN; /* else no hint is either */
    AtlasScope scope = {look_up, shown ? (const char *const *)b->candidates->pdata : none,
                        shown ? (const char *const *)b->arm_names->pdata : none, b, allow_unknowns};
    AtlasExpr *expr = atlas_build_verbatim(value)
                          ? atlas_expr_parse(value->at, &scope, b->diags)
                          : atlas_expr_parse_text(value->text, value->at, &scope, b->diags);
    if (expr)
        g_ptr_array_add(b->model->exprs, expr);
    return expr;
}

void atlas_build_suggest(AtlasBuilder *b, const char *word, const GPtrArray *names,
                         const char *section) {
    const char *const *list = (const char *const *)names->pdata;
    if (atlas_diags_errors(b->diags) > ATLAS_DIAGS_SHOWN)
        return; /* no one sees it, and the search takes time */
    atlas_diags_suggest(b->diags, word, "there are", list);
    if (section && !atlas_name_nearest(word, list))
        atlas_diags_hint(
            b->diags, "name one that is declared under '%s', or declare this one there", section);
}

static const char *name_at(const GArray *array, guint i) {
    gsize size = g_array_get_element_size((GArray *)array);
    return *(const char *const *)(const void *)(array->data + i * size);
}

static GHashTable *index_of(AtlasBuilder *b, const GArray *array) {
    GHashTable *index = g_hash_table_lookup(b->indices, array);
    if (index)
        return index;
    index = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < array->len; i++)
        g_hash_table_insert(index, (gpointer)name_at(array, i), GUINT_TO_POINTER(i));
    g_hash_table_insert(b->indices, (gpointer)array, index);
    return index;
}

int atlas_build_index(AtlasBuilder *b, const GArray *array, const char *name) {
    gpointer found;
    gboolean is_there = g_hash_table_lookup_extended(index_of(b, array), name, NULL, &found);
    return is_there ? GPOINTER_TO_INT(found) : -1;
}

int atlas_build_find(AtlasBuilder *b, const GArray *array, const AtlasText *name,
                     const char *what) {
    int found = atlas_build_index(b, array, name->text);
    if (found >= 0)
        return found;
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    g_autofree char *section = g_strconcat(what, "s", NULL);
    for (guint i = 0; i < MIN(array->len, CANDIDATES_MAX); i++)
        g_ptr_array_add(names, (gpointer)name_at(array, i));
    g_ptr_array_add(names, NULL);
    atlas_diags_error(b->diags, name->at, "no %s named '%s'", what, name->text);
    atlas_build_suggest(b, name->text, names, section);
    return -1;
}

/* How many of a list of objects, which begin with their names, are read; reports too many. */
static guint readable(AtlasBuilder *b, const GPtrArray *list, const char *what) {
    if (!list || list->len <= SETTABLE_MAX)
        return list ? list->len : 0;
    const AtlasText *first = g_ptr_array_index(list, SETTABLE_MAX);
    atlas_diags_error(b->diags, first->at, "more than %d %s", SETTABLE_MAX, what);
    atlas_diags_hint(b->diags, "divide the model into several specs");
    return SETTABLE_MAX;
}

static void check_range(AtlasBuilder *b, const AtlasSpecParam *spec, const AtlasParam *param) {
    if (!spec->standard.text || !spec->low.text || !spec->high.text)
        return;
    if (param->high > ATLAS_PARAM_MAX) {
        atlas_diags_error(b->diags, spec->high.at, "a parameter goes up to %" G_GINT64_FORMAT,
                          ATLAS_PARAM_MAX);
        atlas_diags_hint(b->diags, "state the greatest value that is ever run");
    } else if (param->low > param->high) {
        atlas_diags_error(b->diags, spec->low.at, "the min of '%s' is above its max", param->name);
        atlas_diags_note(b->diags, spec->high.at, "max stands here");
        atlas_diags_hint(b->diags, "exchange the two");
    } else if (param->low > param->standard || param->standard > param->high) {
        atlas_diags_error(b->diags, spec->standard.at, "the default of '%s' is not within min..max",
                          param->name);
        atlas_diags_hint(b->diags, "min is %" G_GINT64_FORMAT ", max is %" G_GINT64_FORMAT,
                         param->low, param->high);
    }
}

static void params(AtlasBuilder *b) {
    guint count = readable(b, b->spec->params, "parameters");
    for (guint i = 0; i < count; i++) {
        const AtlasSpecParam *spec = g_ptr_array_index(b->spec->params, i);
        AtlasParam param = {spec->name.text, whole(&spec->standard), whole(&spec->low),
                            whole(&spec->high), spec->name.at};
        check_range(b, spec, &param);
        atlas_build_declare(b, &spec->name, ATLAS_NAME_PARAM, i);
        g_array_append_val(b->model->params, param);
    }
}

static void arms(AtlasBuilder *b) {
    guint count = readable(b, b->spec->arms, "arms");
    for (guint i = 0; i < count; i++) {
        const AtlasSpecArm *spec = g_ptr_array_index(b->spec->arms, i);
        gboolean off = spec->standard.text && g_str_equal(spec->standard.text, "off");
        AtlasArm arm = {spec->name.text, !off, -1, spec->name.at};
        atlas_build_declare(b, &spec->name, ATLAS_NAME_ARM, i);
        g_array_append_val(b->model->arms, arm);
        g_ptr_array_insert(b->arm_names, (int)b->arm_names->len - 1, (gpointer)arm.name);
    }
}

/* An arm that needs itself, through others or not, could never be on. */
static void arm_needs(AtlasBuilder *b) {
    GArray *all = b->model->arms;
    for (guint i = 0; i < all->len; i++) {
        const AtlasSpecArm *spec = g_ptr_array_index(b->spec->arms, i);
        if (spec->needs.text)
            ATLAS_ARM(b->model, i)->needs = atlas_build_find(b, all, &spec->needs, "arm");
    }
    for (guint i = 0; i < all->len; i++) {
        const AtlasSpecArm *spec = g_ptr_array_index(b->spec->arms, i);
        int at = ATLAS_ARM(b->model, i)->needs;
        for (guint steps = 0; at >= 0 && (guint)at != i && steps < all->len; steps++)
            at = ATLAS_ARM(b->model, at)->needs;
        if (at != (int)i)
            continue;
        atlas_diags_error(b->diags, spec->needs.at, "arm '%s' needs itself", spec->name.text);
        atlas_diags_hint(b->diags, "take one 'needs' out of the circle");
        ATLAS_ARM(b->model, i)->needs = -1;
    }
}

static void toggle_setting(AtlasBuilder *b, AtlasToggle *toggle, const AtlasPair *pair) {
    AtlasSetting setting = {FALSE, 0, 0, pair->key.at};
    const AtlasDeclared *found = g_hash_table_lookup(b->names, pair->key.text);
    const char *value = pair->value.text;
    if (!found || (found->kind != ATLAS_NAME_PARAM && found->kind != ATLAS_NAME_ARM)) {
        atlas_diags_error(b->diags, pair->key.at, "no parameter or arm named '%s'", pair->key.text);
        atlas_build_suggest(b, pair->key.text, b->candidates, "params' or 'arms");
        return;
    }
    setting.index = found->index;
    setting.is_arm = found->kind == ATLAS_NAME_ARM;
    if (setting.is_arm) {
        setting.value = g_str_equal(value, "on");
        if (!setting.value && !g_str_equal(value, "off")) {
            atlas_diags_error(b->diags, pair->value.at, "an arm is set to on or off, not to '%s'",
                              value);
            return;
        }
    } else {
        const AtlasParam *param = ATLAS_PARAM(b->model, found->index);
        AtlasRat number = atlas_rat_parse(value, strlen(value), NULL);
        setting.value = number.num;
        if (!atlas_rat_is_whole(number) || number.num < param->low || number.num > param->high) {
            atlas_diags_error(b->diags, pair->value.at,
                              "expected a whole number from %" G_GINT64_FORMAT
                              " to %" G_GINT64_FORMAT " for '%s', not '%s'",
                              param->low, param->high, param->name, value);
            atlas_diags_note(b->diags, param->at, "'%s' is declared here", param->name);
            atlas_diags_hint(b->diags, "widen min..max there if the program allows more");
            return;
        }
    }
    g_array_append_val(toggle->settings, setting);
}

static void toggles(AtlasBuilder *b) {
    guint count = readable(b, b->spec->toggles, "toggles");
    for (guint i = 0; i < count; i++) {
        const AtlasSpecToggle *spec = g_ptr_array_index(b->spec->toggles, i);
        AtlasToggle toggle = {spec->name.text, atlas_build_array(b->model, sizeof(AtlasSetting)),
                              spec};
        if (g_str_equal(toggle.name, "base")) {
            atlas_diags_error(b->diags, spec->name.at, "a toggle cannot be named 'base'");
            atlas_diags_hint(b->diags, "'base' is the configuration in which nothing is set");
        }
        for (guint j = 0; spec->set && j < spec->set->len; j++)
            toggle_setting(b, &toggle, &g_array_index(spec->set, AtlasPair, j));
        g_array_append_val(b->model->toggles, toggle);
    }
}

static void unknowns(AtlasBuilder *b) {
    for (guint i = 0; b->spec->unknowns && i < b->spec->unknowns->len; i++) {
        const AtlasSpecUnknown *spec = g_ptr_array_index(b->spec->unknowns, i);
        AtlasUnknown unknown = {spec->name.text,
                                spec->kind.text && g_str_equal(spec->kind.text, "real"),
                                whole(&spec->low), spec->name.at};
        atlas_build_declare(b, &spec->name, ATLAS_NAME_UNKNOWN, i);
        g_array_append_val(b->model->unknowns, unknown);
    }
}

/* In programs 'legacy' and 'ptds' are the driver's own streams; `sync: context` waits for all. */
static void check_stream(AtlasBuilder *b, const AtlasStream *stream) {
    gboolean legacy = g_str_equal(stream->name, "legacy");
    if ((legacy && g_str_equal(stream->kind, "legacy")) ||
        (!legacy && !g_str_equal(stream->name, "ptds") && !g_str_equal(stream->name, "context")))
        return;
    atlas_diags_error(b->diags, stream->at, "a stream of kind '%s' cannot be named '%s'",
                      stream->kind, stream->name);
    if (legacy)
        atlas_diags_hint(b->diags, "give it 'kind: legacy', or another name");
    else
        atlas_diags_hint(b->diags, "choose another name");
}

static void streams(AtlasBuilder *b) {
    guint count = readable(b, b->spec->streams, "streams");
    for (guint i = 0; i < count; i++) {
        const AtlasSpecStream *spec = g_ptr_array_index(b->spec->streams, i);
        AtlasStream stream = {spec->name.text, spec->kind.text ? spec->kind.text : "nonblocking",
                              spec->name.at};
        check_stream(b, &stream);
        g_array_append_val(b->model->streams, stream);
    }
    if (b->model->streams->len == 0) {
        AtlasStream stream = {"main", "nonblocking", {NULL, 0, 0}};
        g_array_append_val(b->model->streams, stream);
    }
}

static void buffers(AtlasBuilder *b) {
    for (guint i = 0; b->spec->buffers && i < b->spec->buffers->len; i++) {
        const AtlasSpecBuffer *spec = g_ptr_array_index(b->spec->buffers, i);
        AtlasBuffer buffer = {spec->name.text, atlas_build_expr(b, &spec->per, FALSE),
                              spec->name.at};
        g_array_append_val(b->model->buffers, buffer);
    }
}

void atlas_build_declarations(AtlasBuilder *b) {
    params(b);
    arms(b);
    arm_needs(b);
    toggles(b); /* before unknowns: a toggle cannot set one, and hints do not offer it */
    unknowns(b);
    streams(b);
    buffers(b);
    const AtlasText *lag = b->spec->counter ? &b->spec->counter->lag : NULL;
    if (lag && lag->text)
        b->model->lag = atlas_rat_parse(lag->text, strlen(lag->text), NULL);
}

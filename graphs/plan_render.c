#include "graphs/plan_show.h"
#include "model/base/json.h"

char *atlas_plan_render(const AtlasPlanShown *shown, const char *path, gboolean json,
                        GError **error) {
    if (g_str_has_suffix(path, ".dot"))
        return atlas_plan_dot(shown, error);
    if (!g_str_has_suffix(path, ".json") && !json)
        return atlas_plan_text(shown);
    return atlas_json_text(atlas_plan_json(shown), 0);
}

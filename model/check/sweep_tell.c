#include "model/check/sweep.h"
#include "model/proof/tell.h"

static AtlasVerdict row_verdict(const AtlasSweepRow *row) {
    return row->failing > 0 ? ATLAS_FAIL : row->open > 0 ? ATLAS_INCONCLUSIVE : ATLAS_PASS;
}

/* "holds in all 2048", "refuted in 12 of 2048", "0..5401". */
static char *found_text(const AtlasSweepRow *row) {
    AtlasProof numbers = {.property = row->property,
                          .verdict = row->most == 0 && row->property == ATLAS_PROPERTY_WINDOW
                                         ? ATLAS_PROOF_HOLDS
                                         : ATLAS_PROOF_REFUTED,
                          .least = row->least,
                          .most = row->most};
    if (row_verdict(row) == ATLAS_PASS)
        return atlas_property_counts(row->property)
                   ? atlas_tell_value(&numbers)
                   : g_strdup_printf("holds in all %u", row->configurations);
    return row->failing > 0
               ? g_strdup_printf("refuted in %u of %u", row->failing, row->configurations)
               : g_strdup_printf("open in %u of %u", row->open, row->configurations);
}

/* "2048 configurations, 1152 different programs, each over all schedules of …". */
static char *over_text(const AtlasSweep *sweep) {
    return g_strdup_printf("%u configuration%s, %u different program%s, each over %s",
                           sweep->configurations, sweep->configurations == 1 ? "" : "s",
                           sweep->programs, sweep->programs == 1 ? "" : "s", sweep->over);
}

static char *skipped_text(const AtlasSweep *sweep) {
    guint skipped = sweep->contradictory + sweep->unmeasured;
    if (skipped == 0)
        return NULL;
    return g_strdup_printf("skipped of %u combinations: %u contradict themselves, %u have an arm "
                           "that was never measured",
                           sweep->combinations, sweep->contradictory, sweep->unmeasured);
}

static void add_check(const AtlasSweep *sweep, const AtlasSweepRow *row, const char *smallest,
                      const char *subject, AtlasResult *result) {
    AtlasCheck *check = atlas_result_add(result, atlas_property_name(row->property));
    g_autofree char *over = over_text(sweep), *skipped = skipped_text(sweep);
    check->subject = row->of ? g_strdup_printf("%s %s", subject, row->of) : g_strdup(subject);
    check->verdict = row_verdict(row);
    check->measured = found_text(row);
    check->told = TRUE;
    check->why = g_strdup_printf(
        "over %s, by %s%s%s%s%s%s%s", over, row->method, row->assumes ? "; assuming: " : "",
        row->assumes ? row->assumes : "", smallest ? "; smallest: " : "", smallest ? smallest : "",
        skipped ? "; " : "", skipped ? skipped : "");
    check->proof = json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:s?}", "configurations",
                             (int)row->configurations, "programs", (int)sweep->programs, "failing",
                             (int)row->failing, "open", (int)row->open, "contradictory",
                             (int)sweep->contradictory, "unmeasured", (int)sweep->unmeasured,
                             "smallest", smallest);
    if (atlas_property_counts(row->property)) {
        check->lo = atlas_rat(row->least);
        check->hi = row->most < 0 ? ATLAS_RAT_NONE : atlas_rat(row->most);
    }
}

void atlas_sweep_add(const AtlasSweep *sweep, const char *subject, AtlasResult *result) {
    static const AtlasTableColumn columns[] = {
        {"verdict", NULL, FALSE}, {"property", NULL, FALSE}, {"of", NULL, FALSE},
        {"found", NULL, TRUE},    {"smallest", NULL, FALSE}, {NULL, NULL, FALSE},
    };
    g_autoptr(AtlasTable) table = atlas_table_new(columns);
    g_autofree char *over = over_text(sweep), *skipped = skipped_text(sweep);
    for (guint i = 0; i < sweep->rows->len; i++) {
        const AtlasSweepRow *row = &g_array_index(sweep->rows, AtlasSweepRow, i);
        g_autofree char *smallest = row->smallest ? atlas_config_describe(row->smallest) : NULL;
        g_autofree char *found = found_text(row);
        add_check(sweep, row, smallest, subject, result);
        atlas_table_row(table);
        atlas_table_text(table, "%s", atlas_verdict_name(row_verdict(row)));
        atlas_table_text(table, "%s", atlas_property_name(row->property));
        atlas_table_text(table, "%s", row->of ? row->of : "");
        atlas_table_text(table, "%s", found);
        atlas_table_text(table, "%s", smallest ? smallest : "");
    }
    g_autofree char *rows = atlas_table_render(table);
    g_string_append_printf(result->below, "%s%s: %s\n%s%s\n%s", result->below->len ? "\n" : "",
                           subject, over, skipped ? skipped : "", skipped ? "\n" : "", rows);
}

/* What the claims' document says, and what is not so. */
#include <string.h>

#include "graphs/report_part.h"
#include "model/base/markdown.h"

/* One statement: quoted, with the right value, the claimed one, and why. */
static void say_slip(Report *r, const AtlasCheck *check) {
    g_autofree char *says = atlas_markdown_escape(check->subject, FALSE);
    report_say(r, "- \"%s\"", says);
    if (check->measured && check->expected) {
        g_autofree char *is = atlas_markdown_escape(check->measured, FALSE);
        g_autofree char *claimed = atlas_markdown_escape(check->expected, FALSE);
        report_say(r, ": **%s**, claimed %s", is, claimed);
    }
    const char *const reasons[] = {check->note, check->why};
    for (guint i = 0; i < G_N_ELEMENTS(reasons); i++) {
        g_autofree char *reason = reasons[i] ? atlas_markdown_escape(reasons[i], FALSE) : NULL;
        if (reason)
            report_say(r, "%s%s", i == 0 || !reasons[0] ? ". " : "; ", reason);
    }
    report_say(r, "\n");
}

/* Statements of one verdict, under the places they stand at. */
static void say_all(Report *r, AtlasVerdict verdict) {
    const AtlasResult *claims = r->of->claims;
    const char *place = NULL;
    for (guint i = 0; i < claims->checks->len; i++) {
        const AtlasCheck *check = atlas_result_get(claims, i);
        if (check->verdict != verdict)
            continue;
        if (g_strcmp0(place, check->place) != 0) {
            g_autofree char *at = atlas_markdown_escape(check->place, FALSE);
            report_say(r, "%s**%s**\n\n", place ? "\n" : "", at);
        }
        place = check->place;
        say_slip(r, check);
    }
    report_say(r, "\n");
}

static void say_external(Report *r) {
    const AtlasResult *claims = r->of->claims;
    for (guint i = 0; i < claims->checks->len; i++) {
        const AtlasCheck *check = atlas_result_get(claims, i);
        if (check->verdict != ATLAS_EXTERNAL)
            continue;
        g_autofree char *says = atlas_markdown_escape(check->subject, FALSE);
        g_autofree char *at = atlas_markdown_escape(check->place, FALSE);
        g_autofree char *why = atlas_markdown_escape(check->why ? check->why : "", FALSE);
        report_say(r, "- %s: \"%s\": %s\n", at, says, why);
    }
    report_say(r, "\n");
}

void report_slips(Report *r) {
    const AtlasResult *claims = r->of->claims;
    if (!claims)
        return;
    guint pass = atlas_result_count(claims, ATLAS_PASS);
    guint fail = atlas_result_count(claims, ATLAS_FAIL);
    guint open = atlas_result_count(claims, ATLAS_INCONCLUSIVE);
    guint external = atlas_result_count(claims, ATLAS_EXTERNAL);
    g_autofree char *of = atlas_markdown_escape(r->of->claims_of, FALSE);
    report_say(r, "## Slips\n\n");
    report_say(r,
               "Of %u statements of \"%s\" %u hold, %u do not, %u are left open by the runs, and "
               "%u no arithmetic can settle. A lag says up to which counter lag the verdict "
               "stays.\n\n",
               claims->checks->len, of, pass, fail, open, external);
    if (fail) {
        report_say(r, "### Not so\n\n");
        say_all(r, ATLAS_FAIL);
    }
    if (open) {
        report_say(r, "### Left open\n\n");
        say_all(r, ATLAS_INCONCLUSIVE);
    }
    if (external) {
        report_say(r, "### Not a matter of counts\n\n");
        say_external(r);
    }
}

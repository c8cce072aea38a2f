/* What the claims' document says, and what is not so. */
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
    g_autofree char *note = check->note ? atlas_markdown_escape(check->note, FALSE) : NULL;
    g_autofree char *why = check->why ? atlas_markdown_escape(check->why, FALSE) : NULL;
    report_say(r, "%s%s", note ? " \u2014 " : "", note ? note : "");
    if (why)
        report_say(r, " (%s)", why);
    report_say(r, "\n");
}

/* Whether a check of that verdict stands before this one at the same place. */
static gboolean place_is_known(const AtlasResult *claims, guint index) {
    const AtlasCheck *check = atlas_result_get(claims, index);
    for (guint i = 0; i < index; i++)
        if (atlas_result_get(claims, i)->verdict == check->verdict &&
            g_strcmp0(atlas_result_get(claims, i)->place, check->place) == 0)
            return TRUE;
    return FALSE;
}

/* Statements of one verdict, under the places they stand at. */
static void say_all(Report *r, AtlasVerdict verdict) {
    const AtlasResult *claims = r->of->claims;
    for (guint i = 0; i < claims->checks->len; i++) {
        const AtlasCheck *first = atlas_result_get(claims, i);
        if (first->verdict != verdict || place_is_known(claims, i))
            continue;
        g_autofree char *at = atlas_markdown_escape(first->place, FALSE);
        report_say(r, "**%s**\n\n", at);
        for (guint k = i; k < claims->checks->len; k++) {
            const AtlasCheck *check = atlas_result_get(claims, k);
            if (check->verdict == verdict && g_strcmp0(check->place, first->place) == 0)
                say_slip(r, check);
        }
        report_say(r, "\n");
    }
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
    report_say(
        r,
        "Of %u statement%s of \"%s\", %u hold%s, %u do%s not, %u %s left open by the runs, and "
        "%u no arithmetic can settle. Each slip is quoted with the right value, or what the "
        "runs leave of it, the claimed one, and why; where a lag is named, the verdict "
        "stands for counters that lag up to that.\n\n",
        claims->checks->len, report_plural(claims->checks->len), of, pass, pass == 1 ? "s" : "",
        fail, fail == 1 ? "es" : "", open, open == 1 ? "is" : "are", external);
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

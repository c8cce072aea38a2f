/* Proofs: of the program that a spec lowers to, of many configurations of it, of program files. */
#include "backends/check.h"
#include "model/base/output.h"
#include "model/check/proved.h"
#include "model/check/sweep.h"
#include "model/proof/trail.h"
#include "model/launch/lower.h"
#include "sim/order.h"

/* What stays open until all was proved: the trail that is asked for. */
typedef struct {
    CheckRequest *request;
    AtlasResult *result;
    AtlasProveOptions options;
    gboolean written;     /* the trail, or it was tried */
    gboolean refused;     /* none can be written of some refutation, and that is said */
    char *kept, *kept_of; /* a trail of what does not fail, and of what: for want of another */
} Prover;

static Prover prover_new(CheckRequest *request, AtlasResult *result) {
    return (Prover){.request = request, .result = result, .options = {.depth = request->depth}};
}

/* ---- trails ---- */

/* The refutation that a trail is of: the first that fails, or else the first one of any kind. What
 * takes too long has no schedule to be written. */
static const AtlasProof *find_refuted(const AtlasProofs *proofs) {
    const AtlasProof *found = NULL;
    for (guint i = 0; i < atlas_proofs_count(proofs); i++) {
        const AtlasProof *proof = atlas_proofs_get(proofs, i);
        gboolean shown = proof->schedule || proof->property == ATLAS_PROPERTY_LEGAL;
        if (proof->verdict != ATLAS_PROOF_REFUTED || !shown)
            continue;
        if (atlas_proved_judge(proof) == ATLAS_FAIL)
            return proof;
        found = found ? found : proof;
    }
    return found;
}

static gboolean order_shows(const AtlasProgram *program, const AtlasProof *race) {
    return atlas_order_shows(program, race) != NULL;
}

static void write_file(Prover *p, const char *text, const char *of) {
    const char *path = p->request->option->trail;
    GError *error = NULL;
    p->written = TRUE;
    if (!atlas_output_replace(path, text, &error))
        atlas_diags_take(p->request->cli.diags, error);
    else
        g_string_append_printf(p->result->below, "%strail: %s (%s)\n",
                               p->result->below->len ? "\n" : "", path, of);
}

static void keep(Prover *p, char *text, char *of) {
    p->kept = text;
    p->kept_of = of;
}

/* Writes the trail of the first refutation that fails as soon as it is there, and keeps the first
 * of any other kind. A refutation that none can be written of keeps its verdict. */
static void write_trail(Prover *p, const AtlasProgram *program, const AtlasProofs *proofs) {
    const AtlasProof *proof =
        p->request->option->trail && !p->written ? find_refuted(proofs) : NULL;
    gboolean fails = proof && atlas_proved_judge(proof) == ATLAS_FAIL;
    g_autoptr(GError) error = NULL;
    if (!proof || (!fails && p->kept))
        return;
    g_autofree char *of =
        g_strdup_printf("%s of %s", atlas_property_name(proof->property), program->name);
    g_autofree char *text = atlas_trail(program, proof, &p->options, order_shows, &error);
    if (!text)
        g_string_append_printf(p->result->below, "%sno trail of %s: %s\n",
                               p->result->below->len ? "\n" : "", of, error->message);
    else if (fails)
        write_file(p, text, of);
    else
        keep(p, g_steal_pointer(&text), g_steal_pointer(&of));
    p->refused |= error != NULL;
}

static void end_trail(Prover *p) {
    if (p->kept && !p->written)
        write_file(p, p->kept, p->kept_of);
    if (p->request->option->trail && !p->written && !p->refused)
        g_string_append_printf(p->result->below, "%sno trail: nothing is refuted by a schedule\n",
                               p->result->below->len ? "\n" : "");
    g_clear_pointer(&p->kept, g_free);
    g_clear_pointer(&p->kept_of, g_free);
}

/* ---- one configuration ---- */

static void prove_config(Prover *p, const AtlasStudy *study, const AtlasConfig *config,
                         const char *subject, gboolean full, AtlasDiags *diags) {
    g_autoptr(AtlasProgramFile) file = atlas_program_file_new();
    AtlasProgram *program = atlas_lower(config, study->point->unknowns, file, diags);
    if (!program)
        return;
    g_autoptr(AtlasProofs) proofs = atlas_prove(program, &p->options);
    atlas_proved_add(proofs, program, subject, full, p->result);
    write_trail(p, program, proofs);
}

/* Why there is no program of the base to be proved. */
static void add_open(AtlasResult *result, const char *why) {
    AtlasCheck *check = atlas_result_add(result, "proof");
    check->subject = g_strdup("base");
    check->verdict = ATLAS_INCONCLUSIVE;
    check->why = g_strdup(why);
}

void check_proved_base(CheckRequest *request, AtlasStudy *study, AtlasResult *result) {
    Prover p = prover_new(request, result);
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasConfig) config = atlas_config_new(study->model);
    if (study->point)
        prove_config(&p, study, config, "base", FALSE, diags);
    else
        add_open(result, "nothing is proved: no whole numbers of launches explain the runs");
    if (atlas_diags_errors(diags) > 0)
        add_open(result, "nothing is proved: the base cannot be written as a program; "
                         "atlas-sim --emit-program says why");
}

/* ---- many configurations ---- */

static GArray *read_axes(CheckRequest *request, const AtlasModel *model) {
    GArray *axes = atlas_axes_new();
    AtlasText text;
    if (request->option->toggle_sets)
        atlas_axes_add_toggles(axes, model);
    for (guint i = 0; request->option->sweeps && request->option->sweeps[i]; i++)
        if (atlas_cli_text(&request->cli, "--sweep", request->option->sweeps[i], &text))
            atlas_axes_add(axes, &text, model, request->cli.diags);
    return axes;
}

/* Whether some row before this one has the same smallest configuration: it was told there. */
static gboolean told_before(const AtlasSweep *sweep, guint row) {
    const AtlasConfig *smallest = g_array_index(sweep->rows, AtlasSweepRow, row).smallest;
    for (guint i = 0; i < row; i++) {
        const AtlasConfig *other = g_array_index(sweep->rows, AtlasSweepRow, i).smallest;
        if (other && atlas_config_equal(other, smallest))
            return TRUE;
    }
    return FALSE;
}

/* Gives a row's check, for programs, the refutation in the smallest configuration. */
static void add_refutation(const AtlasCheck *check, const AtlasResult *one) {
    for (guint i = 0; i < one->checks->len; i++) {
        const AtlasCheck *other = atlas_result_get(one, i);
        if (other->verdict == ATLAS_FAIL && g_str_equal(other->property, check->property)) {
            json_object_set(check->proof, "refutation", other->proof);
            return;
        }
    }
}

/* The smallest configurations that fail, each with all that is refuted in it. `first` is the check
 * of the first row. */
static void tell_smallest(Prover *p, const AtlasStudy *study, const AtlasSweep *sweep,
                          guint first) {
    for (guint i = 0; i < sweep->rows->len; i++) {
        const AtlasSweepRow *row = &g_array_index(sweep->rows, AtlasSweepRow, i);
        if (row->failing == 0)
            continue;
        g_autoptr(AtlasResult) one = atlas_result_new();
        Prover alone = *p;
        g_autofree char *subject = atlas_config_describe(row->smallest);
        alone.result = one;
        prove_config(&alone, study, row->smallest, subject, FALSE, p->request->cli.diags);
        p->written = alone.written;
        p->refused = alone.refused;
        keep(p, alone.kept, alone.kept_of);
        add_refutation(atlas_result_get(p->result, first + i), one);
        if (!told_before(sweep, i))
            g_string_append_printf(p->result->below, "\n%s", one->below->str);
    }
}

static void prove_sweep(Prover *p, const AtlasStudy *study, const AtlasConfig *base) {
    AtlasDiags *diags = p->request->cli.diags;
    g_autoptr(GArray) axes = read_axes(p->request, study->model);
    AtlasProveOptions brief = p->options;
    brief.brief = TRUE;
    if (atlas_diags_errors(diags) > 0)
        return;
    AtlasProgress *progress = atlas_progress_start("proving configurations");
    g_autoptr(AtlasSweep) sweep = atlas_sweep(study, base, axes, &brief, progress, diags);
    atlas_progress_stop(progress);
    if (!sweep)
        return;
    guint first = p->result->checks->len;
    atlas_sweep_add(sweep, study->model->name, p->result);
    tell_smallest(p, study, sweep, first);
}

void check_proved(CheckRequest *request, AtlasStudy *study, AtlasResult *result) {
    const CheckOptions *option = request->option;
    Prover p = prover_new(request, result);
    g_autoptr(AtlasConfig) config = atlas_config_new(study->model);
    atlas_study_require(study, request->cli.diags);
    atlas_config_options(config, &request->cli, option->toggles, option->sets);
    if (atlas_diags_errors(request->cli.diags) > 0)
        return;
    if (!study->point) {
        atlas_diags_error(request->cli.diags, (AtlasSpan){NULL, 0, 0},
                          "no whole numbers of launches explain the runs of '%s', so that there is "
                          "no program to prove",
                          study->model->name);
        return;
    }
    if (option->trail && !check_output(request, study, NULL, option->trail))
        return;
    g_autofree char *settings = atlas_config_describe(config);
    g_autofree char *subject = g_strdup_printf("%s, %s", study->model->name, settings);
    if (option->toggle_sets || option->sweeps)
        prove_sweep(&p, study, config);
    else
        prove_config(&p, study, config, subject, TRUE, request->cli.diags);
    end_trail(&p);
}

/* ---- program files ---- */

void check_proved_programs(CheckRequest *request, AtlasResult *result) {
    AtlasDiags *diags = request->cli.diags;
    Prover p = prover_new(request, result);
    const char *trail = request->option->trail;
    if (trail && !check_output(request, NULL, NULL, trail))
        return;
    for (guint i = 0; i < request->programs->len; i++) {
        g_autoptr(AtlasProgramFile) file =
            atlas_program_read(g_ptr_array_index(request->programs, i), diags);
        for (guint k = 0; file && k < atlas_program_file_count(file); k++) {
            const AtlasProgram *program = atlas_program_file_get(file, k);
            g_autoptr(AtlasProofs) proofs = atlas_prove(program, &p.options);
            if (atlas_proved_expects(program))
                atlas_proved_expected(proofs, program, request->option->all, result, diags);
            else
                atlas_proved_add(proofs, program, program->name, TRUE, result);
            write_trail(&p, program, proofs);
        }
    }
    end_trail(&p);
}

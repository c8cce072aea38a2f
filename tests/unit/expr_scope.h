/* The scope that tests of expressions share; test_expr.c holds it and the values of its names.
 *
 * Parameters are iters, experts, zero, huge and least; loop indices i and j; unknowns u, v, w and
 * none; arms kda, jepa_off and far.
 */
#ifndef ATLAS_TESTS_UNIT_EXPR_SCOPE_H
#define ATLAS_TESTS_UNIT_EXPR_SCOPE_H

#include "model/launch/expr.h"

extern const char *const expr_test_candidates[], *const expr_test_arms[];
extern const AtlasScope expr_test_scope;

AtlasNameKind expr_test_lookup(const char *name, guint *index, gpointer data);

#endif

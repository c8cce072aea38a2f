/* Runs every unit test: the suites that tests/unit/suites.h declares, in its order.
 *
 * The Makefile turns that header's prototypes into suites.inc. Check's environment variables work
 * as always: CK_RUN_SUITE, CK_RUN_CASE, CK_FORK=no for a debugger, CK_VERBOSITY=verbose.
 */
#include <stdlib.h>

#include "tests/unit/suites.h"

#define SUITE(name) name,
static Suite *(*const suites[])(void) = {
#include "tests/unit/suites.inc"
    NULL,
};
#undef SUITE

int main(void) {
    SRunner *runner = srunner_create(NULL);

    for (int i = 0; suites[i]; i++)
        srunner_add_suite(runner, suites[i]());
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

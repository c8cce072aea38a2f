/* Runs every unit test: the suites that tests/unit/suites.h declares, in its order.
 *
 * The Makefile turns that header's prototypes into suites.inc. Check's environment variables work
 * as always: CK_RUN_SUITE, CK_RUN_CASE, CK_FORK=no for a debugger, CK_VERBOSITY=verbose. Suites
 * that UNIT_SKIP names ("lp leave" for lp_suite and leave_suite) are left out, which is said.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/suites.h"

#define SUITE(name) {#name, name},
static const struct {
    const char *name; /* "lp_suite" */
    Suite *(*make)(void);
} suites[] = {
#include "tests/unit/suites.inc"
    {NULL, NULL},
};
#undef SUITE

static int is_skipped(const char *suite) {
    size_t length = strlen(suite) - strlen("_suite");
    const char *word = getenv("UNIT_SKIP");
    while (word && *word) {
        size_t word_length = strcspn(word, " ");
        if (word_length == length && strncmp(word, suite, length) == 0)
            return 1;
        word += word_length + strspn(word + word_length, " ");
    }
    return 0;
}

int main(void) {
    SRunner *runner = srunner_create(NULL);

    for (int i = 0; suites[i].name; i++) {
        if (is_skipped(suites[i].name))
            printf("left out: %s\n", suites[i].name);
        else
            srunner_add_suite(runner, suites[i].make());
    }
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

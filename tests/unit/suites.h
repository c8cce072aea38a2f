/* The suites of unit tests; main.c runs them all. */
#ifndef ATLAS_TESTS_UNIT_SUITES_H
#define ATLAS_TESTS_UNIT_SUITES_H

#include <check.h>

Suite *program_suite(void);
Suite *program_faults_suite(void);

#endif

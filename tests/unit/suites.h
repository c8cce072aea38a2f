/* The suites of unit tests; main.c runs them all. */
#ifndef ATLAS_TESTS_UNIT_SUITES_H
#define ATLAS_TESTS_UNIT_SUITES_H

#include <check.h>

Suite *program_suite(void);
Suite *program_faults_suite(void);
Suite *base_suite(void);
Suite *rational_suite(void);
Suite *expr_suite(void);
Suite *expr_errors_suite(void);
Suite *measure_suite(void);
Suite *log_suite(void);

#endif

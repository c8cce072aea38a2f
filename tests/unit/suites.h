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
Suite *spec_suite(void);
Suite *spec_files_suite(void);
Suite *model_suite(void);
Suite *config_suite(void);
Suite *walk_suite(void);
Suite *lower_suite(void);
Suite *schema_suite(void);
Suite *result_schema_suite(void);
Suite *evidence_suite(void);
Suite *system_suite(void);
Suite *lp_suite(void);
Suite *point_suite(void);
Suite *next_suite(void);
Suite *leave_suite(void);
Suite *predict_suite(void);
Suite *count_suite(void);
Suite *execute_suite(void);
Suite *table_suite(void);
Suite *file_suite(void);
Suite *load_suite(void);
Suite *claims_suite(void);
Suite *agree_suite(void);
Suite *agree_logs_suite(void);
Suite *baseline_suite(void);
Suite *random_suite(void);
Suite *shrink_suite(void);
Suite *machine_suite(void);
Suite *machine_state_suite(void);
Suite *machine_run_suite(void);
Suite *outcome_suite(void);
Suite *report_suite(void);
Suite *targets_suite(void);
Suite *clock_suite(void);
Suite *plan_suite(void);
Suite *plan_corpus_suite(void);
Suite *engine_suite(void);
Suite *prove_suite(void);
Suite *legal_suite(void);
Suite *cutoff_suite(void);
Suite *search_suite(void);
Suite *trail_suite(void);
Suite *steps_suite(void);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every unit test starts with: UNIT_MAIN(suite name, test functions…) runs them under check;
 * UNIT_FIXTURE_MAIN takes two functions more, that run before and after each test. Where tests are
 * run in loops main() adds them between unit_case() and unit_run().
 */
#ifndef IOTOP_TESTS_UNIT_H
#define IOTOP_TESTS_UNIT_H

#include <check.h>
#include <stdlib.h>

#include "base/arena.h"

/* For what columns compute of which a test asks. */
static _unused_ struct arena unit_texts;

static SRunner *unit_runner;

static inline TCase *unit_case(const char *name, void (*before)(void), void (*after)(void))
{
	Suite *suite = suite_create(name);
	TCase *tcase = tcase_create(name);

	tcase_add_checked_fixture(tcase, before, after);
	suite_add_tcase(suite, tcase);
	unit_runner = srunner_create(suite);
	return tcase;
}

/* Returns main()'s result. */
static inline int unit_run(void)
{
	int failed;

	srunner_run_all(unit_runner, CK_ENV);
	failed = srunner_ntests_failed(unit_runner);
	srunner_free(unit_runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#define UNIT_FIXTURE_MAIN(name, before, after, ...)                              \
	int main(void)                                                           \
	{                                                                        \
		const TTest *const tests[] = { __VA_ARGS__ };                    \
		TCase *tcase = unit_case(name, before, after);                   \
\
		for (size_t i = 0; i < ARRAY_SIZE(tests); i++)                   \
			tcase_add_test(tcase, tests[i]);                         \
		return unit_run();                                               \
	}
#define UNIT_MAIN(name, ...) UNIT_FIXTURE_MAIN(name, NULL, NULL, __VA_ARGS__)

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every unit test starts with: UNIT_MAIN(suite name, test functions…) runs them under check; UNIT_FIXTURE_MAIN takes two
 * functions more, that run before and after each test.
 */
#ifndef IOTOP_TESTS_UNIT_H
#define IOTOP_TESTS_UNIT_H

#include <check.h>
#include <stdlib.h>

#include "base/macro.h"

static inline int unit_run(const char *name, void (*before)(void), void (*after)(void), const TTest *const *tests, size_t n)
{
	Suite *suite = suite_create(name);
	TCase *tcase = tcase_create(name);
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(tcase, before, after);
	for (size_t i = 0; i < n; i++)
		tcase_add_test(tcase, tests[i]);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#define UNIT_FIXTURE_MAIN(name, before, after, ...)                              \
	int main(void)                                                           \
	{                                                                        \
		const TTest *const tests[] = { __VA_ARGS__ };                    \
		return unit_run(name, before, after, tests, ARRAY_SIZE(tests));  \
	}
#define UNIT_MAIN(name, ...) UNIT_FIXTURE_MAIN(name, NULL, NULL, __VA_ARGS__)

#endif

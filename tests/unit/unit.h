/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every unit test starts with: UNIT_MAIN(suite name, test functions…) runs them under check;
 * UNIT_FIXTURE_MAIN takes two functions more, that run before and after each test. Where tests are
 * run in loops main() adds them between unit_case() and unit_run().
 */
#ifndef IOTOP_TESTS_UNIT_H
#define IOTOP_TESTS_UNIT_H

#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"

/* AddressSanitizer: gcc defines a macro, clang has a feature. */
#ifdef __SANITIZE_ADDRESS__
#define UNIT_SANITIZED 1
#elif defined(__has_feature)
#define UNIT_SANITIZED __has_feature(address_sanitizer)
#else
#define UNIT_SANITIZED 0
#endif

/* For what columns compute of which a test asks. */
static _unused_ struct arena unit_texts;

static SRunner *unit_runner;
static char unit_folder[] = "/tmp/iotop-unit-XXXXXX";
static pid_t unit_pid;

static inline void unit_clean(void)
{
	pid_t pid = fork();

	if (!pid) {
		execl("/bin/rm", "rm", "-rf", unit_folder, NULL);
		_exit(1);
	}
	waitpid(pid, NULL, 0);
}

static inline void unit_stop(int number)
{
	if (getpid() == unit_pid) {
		unit_clean();
		_exit(128 + number);
	}
	/* Inherited by a test or a child of it, which ends as it would without us. */
	signal(number, SIG_DFL);
	raise(number);
}

/*
 * A new folder for what a test writes, in `path`. The process that runs the tests removes all of
 * them, also when a test failed or the run is told to end.
 */
static inline void unit_mkdtemp(char *path, size_t size)
{
	ck_assert_int_lt(snprintf(path, size, "%s/XXXXXX", unit_folder), (int)size);
	ck_assert_ptr_nonnull(mkdtemp(path));
}

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

	unit_pid = getpid();
	if (!mkdtemp(unit_folder)) {
		perror(unit_folder);
		return EXIT_FAILURE;
	}
	signal(SIGTERM, unit_stop);
	signal(SIGINT, unit_stop);
	srunner_run_all(unit_runner, CK_ENV);
	failed = srunner_ntests_failed(unit_runner);
	srunner_free(unit_runner);
	unit_clean();
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

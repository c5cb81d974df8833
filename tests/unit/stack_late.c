// SPDX-License-Identifier: GPL-2.0-or-later
/* Names and places of stacks that are not told in time. */
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "stack_stores.h"

static void signal_children(pid_t pid, int number, int depth)
{
	_cleanup_(buf_release) struct buf text = { 0 };
	char path[64], *next;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)pid, (int)pid);
	ck_assert_int_eq(buf_read_file(&text, AT_FDCWD, path, 0), 0);
	for (char *p = text.data; p && *p; p = next) {
		pid_t child = (pid_t)strtol(p, &next, 10);

		if (next == p)
			break;
		kill(child, number);
		if (depth)
			signal_children(child, number, depth - 1);
	}
}

/*
 * Time is up before any name came: all are said to be left, and come when they are asked for again.
 */
START_TEST(a_little_at_a_time)
{
	uint64_t ids[3];
	struct abi_stack s = user(getpid(), 0);

	for (unsigned i = 0; i < 3; i++) {
		s.ip[0] += i;
		ids[i] = stackstore_add(store, 10 + i, &s);
	}
	/* The keeper, so that it starts no others, and those that look names up. */
	signal_children(getpid(), SIGSTOP, 1);
	ck_assert_uint_eq(stackstore_resolve(store, sample, ids, 3, 1), 3);
	signal_children(getpid(), SIGCONT, 1);
	ck_assert_uint_eq(sample->tables[TABLE_FRAMES].n, 0);
	ck_assert_uint_eq(
		stackstore_resolve(store, sample, ids, 3, clock_mono() + 60 * NSEC_PER_SEC), 0);
	ck_assert_uint_eq(sample->tables[TABLE_FRAMES].n, 3);
	/* Asked for twice, one row. */
	sample_reset(sample);
	ids[1] = ids[0];
	stackstore_resolve(store, sample, ids, 2, 0);
	ck_assert_uint_eq(sample->tables[TABLE_FRAMES].n, 1);
}
END_TEST

/*
 * Whose addresses mean nothing yet when it is in rows already: it has no names until they are told,
 * and then those that it has.
 */
START_TEST(places_that_come_late)
{
	struct abi_stack s = user(getpid(), 0);
	uint64_t id;

	names(stackstore_add(store, 1, &s));
	s.ip[0]++;
	signal_children(getpid(), SIGSTOP, 1);
	stackstore_round(store, true);
	id = stackstore_add(store, 2, &s);
	sample_reset(sample);
	ck_assert_uint_eq(stackstore_resolve(store, sample, &id, 1, clock_mono() + 1000000), 1);
	ck_assert_uint_eq(sample->tables[TABLE_FRAMES].n, 0);
	signal_children(getpid(), SIGCONT, 1);
	ck_assert_str_eq(names(id), "stackstore_inner\nstackstore_outer");
}
END_TEST

UNIT_FIXTURE_MAIN("stack_late", setup, teardown, a_little_at_a_time, places_that_come_late)

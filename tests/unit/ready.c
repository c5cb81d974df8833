/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between two samples only who has something to be read is called, with the privileges it needs. */
#include <unistd.h>

#include "collect/collect.h"
#include "collect/set.h"
#include "unit.h"

struct fake {
	int pipe[2];
	unsigned drained;
};

static int fake_fd(void *state)
{
	return ((struct fake *)state)->pipe[0];
}

static void fake_drain(void *state)
{
	struct fake *f = state;
	char byte;

	ck_assert_int_eq(read(f->pipe[0], &byte, 1), 1);
	f->drained++;
}

static const struct collector with_fd = { .name = "with", .fd = fake_fd, .drain = fake_drain },
			      without = { .name = "without", .drain = fake_drain };

START_TEST(who_is_ready)
{
	struct fake fakes[4] = { 0 };
	struct collect_set set = { .n = ARRAY_SIZE(fakes) };
	struct pollfd fds[8];
	size_t n;

	for (size_t i = 0; i < set.n; i++) {
		ck_assert_int_eq(pipe(fakes[i].pipe), 0);
		set.slots[i] = (struct slot){
			.c = i == 3 ? &without : &with_fd, .state = &fakes[i], .open = i != 2,
		};
	}
	n = collect_pollfds(&set, fds, ARRAY_SIZE(fds));
	ck_assert_uint_eq(n, 2);
	ck_assert_uint_eq(collect_pollfds(&set, fds, 1), 1);
	collect_pollfds(&set, fds, ARRAY_SIZE(fds));
	ck_assert_int_eq(poll(fds, n, 0), 0);
	collect_drain(&set, fds, n);
	for (unsigned round = 1; round <= 3; round++) {
		ck_assert_int_eq(write(fakes[1].pipe[1], "x", 1), 1);
		ck_assert_int_eq(poll(fds, n, 0), 1);
		collect_drain(&set, fds, n);
		ck_assert_uint_eq(fakes[0].drained, 0);
		ck_assert_uint_eq(fakes[1].drained, round);
		ck_assert_uint_eq(fakes[2].drained + fakes[3].drained, 0);
	}
	for (size_t i = 0; i < set.n; i++) {
		close(fakes[i].pipe[0]);
		close(fakes[i].pipe[1]);
	}
}
END_TEST

UNIT_MAIN("ready", who_is_ready)

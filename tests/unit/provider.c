/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Disks that tell of the limits of their provider: when they are asked, what is made of their
 * answers, and one that hangs.
 */
#include <errno.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "collect/helper/provider.h"
#include "collect/helper/provider_process.h"
#include "collect/helper/wire.h"
#include "unit.h"

#define SEC NSEC_PER_SEC
#define DEV(minor) (259u << 20 | (minor))

static const struct provider_disk disks[] = { { DEV(0), "nvme0n1" }, { DEV(1), "nvme1n1" } };

static int sockets[2];
static struct provider *provider;

static void setup(void)
{
	ck_assert_int_eq(wire_pair(sockets), 0);
	provider = provider_at(sockets[0], disks, 2);
}

static void teardown(void)
{
	provider_stop(provider);
	close(sockets[1]);
}

/* The questions that were sent since, all of a round. */
static unsigned questions(void)
{
	struct provider_question q;
	unsigned n = 0;

	while (recv(sockets[1], &q, sizeof(q), MSG_DONTWAIT) == sizeof(q))
		ck_assert_uint_eq(q.disk, n++);
	return n;
}

static void answer(uint32_t disk, int error, uint64_t seconds, uint64_t iops_us)
{
	struct provider_answer a = { .disk = disk, .error = error, .at_ns = seconds * SEC };

	a.exceeded_us[LIMIT_VOLUME_IOPS] = iops_us;
	a.exceeded_us[LIMIT_INSTANCE_THROUGHPUT] = 7;
	ck_assert_int_eq(send(sockets[1], &a, sizeof(a), 0), sizeof(a));
}

/* At a time; how often it asks then. */
static unsigned turn(uint64_t seconds)
{
	provider_turn(provider, seconds * SEC);
	return questions();
}

static enum disk_limits get(uint32_t dev, uint64_t seconds, struct provider_counts *ret)
{
	return provider_get(provider, dev, seconds * SEC, ret);
}

START_TEST(asks_rarely)
{
	struct provider_counts c;

	ck_assert_int_eq(get(DEV(0), 100, &c), LIMITS_SILENT);
	ck_assert_uint_eq(turn(100), 2);
	answer(0, 0, 100, 1000000);
	answer(1, 0, 100, 0);
	ck_assert_uint_eq(turn(101), 0);
	ck_assert_int_eq(get(DEV(0), 101, &c), LIMITS_TOLD);
	/* What was before the first is not of the time that it tells of. */
	ck_assert_uint_eq(c.told_ns, 0);
	ck_assert_uint_eq(c.exceeded_ns[LIMIT_VOLUME_IOPS], 0);
	/* The second comes soon, the others each 10 s. */
	ck_assert_uint_eq(turn(103), 0);
	ck_assert_uint_eq(turn(104), 2);
	answer(0, 0, 104, 3000000);
	answer(1, 0, 104, 0);
	for (uint64_t t = 105; t < 114; t++)
		ck_assert_uint_eq(turn(t), 0);
	ck_assert_int_eq(get(DEV(0), 113, &c), LIMITS_TOLD);
	ck_assert_uint_eq(c.told_ns, 4 * SEC);
	ck_assert_uint_eq(c.exceeded_ns[LIMIT_VOLUME_IOPS], 2 * SEC);
	ck_assert_uint_eq(c.exceeded_ns[LIMIT_INSTANCE_THROUGHPUT], 0);
	ck_assert_uint_eq(turn(114), 2);
	for (uint64_t t = 115; t < 1000; t += 5)
		ck_assert_uint_eq(turn(t), 0);
	/* Another one is not asked at all. */
	ck_assert_int_eq(get(DEV(2), 113, &c), LIMITS_SILENT);
}
END_TEST

/* A command hangs: nothing is asked any more, and it is told again when it answers at last. */
START_TEST(hangs)
{
	struct provider_counts c;

	ck_assert_uint_eq(turn(100), 2);
	answer(0, 0, 100, 0);
	answer(1, 0, 100, 0);
	ck_assert_uint_eq(turn(104), 2);
	answer(0, 0, 104, 4000000);
	for (uint64_t t = 105; t < 200; t++)
		ck_assert_uint_eq(turn(t), 0);
	ck_assert_int_eq(get(DEV(0), 105, &c), LIMITS_TOLD);
	ck_assert_uint_eq(c.exceeded_ns[LIMIT_VOLUME_IOPS], 4 * SEC);
	ck_assert_int_eq(get(DEV(1), 108, &c), LIMITS_TOLD);
	ck_assert_int_eq(get(DEV(1), 110, &c), LIMITS_SILENT);
	answer(1, 0, 199, 1000000);
	ck_assert_uint_eq(turn(200), 2);
	ck_assert_int_eq(get(DEV(1), 200, &c), LIMITS_TOLD);
	ck_assert_uint_eq(c.told_ns, 99 * SEC);
	ck_assert_uint_eq(c.exceeded_ns[LIMIT_VOLUME_IOPS], SEC);
}
END_TEST

/* A counter that fell is another disk's: what it had before is not of this time. */
START_TEST(falls)
{
	static const uint64_t us[] = { 5000000, 6000000, 1000, 2001000, 90001000 };
	static const uint64_t told[] = { 0, 10, 10, 20, 30 }, exceeded[] = { 0, 1, 1, 3, 13 };
	struct provider_counts c;

	for (uint64_t i = 0; i < 5; i++) {
		ck_assert_uint_eq(turn(100 + 10 * i), 2);
		answer(0, 0, 100 + 10 * i, us[i]);
		answer(1, 0, 100 + 10 * i, 0);
		ck_assert_uint_eq(turn(101 + 10 * i), 0);
		ck_assert_int_eq(get(DEV(0), 101, &c), LIMITS_TOLD);
		ck_assert_uint_eq(c.told_ns, told[i] * SEC);
		/* Never more than there was time. */
		ck_assert_uint_eq(c.exceeded_ns[LIMIT_VOLUME_IOPS], exceeded[i] * SEC);
	}
}
END_TEST

/* Who refuses is not asked again, what may pass is; a disk that is gone has nothing. */
START_TEST(refused)
{
	struct provider_counts c;
	struct provider_question q;

	ck_assert_uint_eq(turn(100), 2);
	answer(0, 0x4109, 100, 0);
	answer(1, _i ? -EIO : 0x370, 100, 0);
	ck_assert_uint_eq(turn(101), 0);
	ck_assert_int_eq(get(DEV(0), 101, &c), LIMITS_SILENT);
	ck_assert_int_eq(get(DEV(1), 101, &c), LIMITS_SILENT);
	provider_turn(provider, 110 * SEC);
	ck_assert_int_eq(recv(sockets[1], &q, sizeof(q), MSG_DONTWAIT), sizeof(q));
	ck_assert_uint_eq(q.disk, 1);
	ck_assert_uint_eq(questions(), 0);
	for (uint64_t t = 110; t < 140; t += 10) {
		answer(1, t < 130 ? 0 : -ENODEV, t, t * 1000);
		provider_turn(provider, (t + 10) * SEC);
		ck_assert_int_eq(get(DEV(1), t + 10, &c), t < 130 ? LIMITS_TOLD : LIMITS_SILENT);
		ck_assert_uint_eq(c.told_ns, (t < 130 ? t - 110 : 0) * SEC);
		while (recv(sockets[1], &q, sizeof(q), MSG_DONTWAIT) == sizeof(q))
			ck_assert(q.disk == 1 && t < 130);
	}
	ck_assert_uint_eq(turn(1000), 0);
}
END_TEST

/* What is no answer to a question is the last that is read. */
START_TEST(is_no_answer)
{
	struct provider_counts c;

	ck_assert_uint_eq(turn(100), 2);
	answer(0, 0, 100, 0);
	if (_i == 0)
		answer(2, 0, 100, 0);
	else if (_i == 1)
		answer(0, 0, 101, 0);
	else if (_i == 2)
		ck_assert_int_eq(send(sockets[1], "no", 2, 0), 2);
	else
		shutdown(sockets[1], SHUT_RDWR);
	provider_turn(provider, 101 * SEC);
	ck_assert_int_eq(get(DEV(0), 101, &c), LIMITS_SILENT);
	provider_turn(provider, 200 * SEC);
	ck_assert_int_eq(get(DEV(0), 200, &c), LIMITS_SILENT);
}
END_TEST

int main(void)
{
	TCase *tc = unit_case("provider", setup, teardown);

	tcase_add_test(tc, asks_rarely);
	tcase_add_test(tc, hangs);
	tcase_add_test(tc, falls);
	tcase_add_loop_test(tc, refused, 0, 2);
	tcase_add_loop_test(tc, is_no_answer, 0, 4);
	return unit_run();
}

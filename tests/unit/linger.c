// SPDX-License-Identifier: GPL-2.0-or-later
/* Whoever goes from screen to screen and back: what is counted meanwhile. */
#include "linger.h"

#include "unit.h"

#define COMMON 1u
#define TASKS (COMMON | 2u)
#define LAYERS (COMMON | 4u)
#define STACKS (COMMON | 8u)

START_TEST(there_and_back)
{
	struct linger l = { 0 };
	uint64_t t = 100 * NSEC_PER_SEC;

	ck_assert_uint_eq(linger_needs(&l, LAYERS, t), LAYERS);
	ck_assert_uint_eq(linger_needs(&l, TASKS, t), TASKS | LAYERS);
	t += LINGERS - 1;
	ck_assert_uint_eq(linger_needs(&l, TASKS, t), TASKS | LAYERS);
	/* Back in time: what was left now stays as long. */
	ck_assert_uint_eq(linger_needs(&l, LAYERS, t), TASKS | LAYERS);
	t += LINGERS - 1;
	ck_assert_uint_eq(linger_needs(&l, LAYERS, t), TASKS | LAYERS);
	ck_assert_uint_eq(linger_needs(&l, LAYERS, t + 1), LAYERS);
	ck_assert_uint_eq(linger_needs(&l, LAYERS, t + 2), LAYERS);
}
END_TEST

/* Of one screen: who looks at all of them does not pay for all of them. */
START_TEST(from_one_to_the_next)
{
	struct linger l = { 0 };
	uint64_t t = 100 * NSEC_PER_SEC;

	linger_needs(&l, LAYERS, t);
	ck_assert_uint_eq(linger_needs(&l, STACKS, t), STACKS | LAYERS);
	ck_assert_uint_eq(linger_needs(&l, TASKS, t), TASKS | STACKS);
	ck_assert_uint_eq(linger_needs(&l, TASKS, t + LINGERS), TASKS);
}
END_TEST

/* A screen that needs no more than the one before, and one of the first seconds of a machine. */
START_TEST(nothing_left)
{
	struct linger l = { 0 };

	ck_assert_uint_eq(linger_needs(&l, COMMON, 0), COMMON);
	ck_assert_uint_eq(linger_needs(&l, LAYERS, 1), LAYERS);
	ck_assert_uint_eq(linger_needs(&l, COMMON, 2), LAYERS);
	ck_assert_uint_eq(linger_needs(&l, COMMON, 2 + LINGERS), COMMON);
}
END_TEST

UNIT_MAIN("linger", there_and_back, from_one_to_the_next, nothing_left)

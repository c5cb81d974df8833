/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Findings of who writes little and waits for it, beside who fills the disk. */
#include "finding_seconds.h"

static const struct finding_row *see(const struct second *step, unsigned n)
{
	const struct finding_row *f = NULL;

	for (unsigned i = 0; i < n; i++)
		f = found(play(step), "small-syncs");
	return f;
}

static void ck_sentence(const struct finding_row *f, const char *wanted)
{
	char text[200];

	ck_assert_ptr_nonnull(f);
	finding_sentence(f, &(struct unit_style){ 0 }, text, sizeof(text));
	ck_assert_str_eq(text, wanted);
}

/* Its own flushes are the reason, where nobody else asks much of the disk. */
START_TEST(alone)
{
	static const struct second own = { .busy = 90, .depth = 1, .wait = 80, .load = 35,
					   .syncs = 50 };

	ck_sentence(see(&own, 5), "worker 30 waits 80.0 % of its time for writes of 4.00 KiB that "
				  "it has flushed to sda one by one (50/s)");
}
END_TEST

/* Another has it, and is named until it is clearly less; and not before it is that much. */
START_TEST(beside_another)
{
	static const struct second beside = { .busy = 90, .depth = 2, .wait = 80, .load = 60,
					      .syncs = 50 };
	static const struct second somewhat = { .busy = 90, .depth = 2, .wait = 80, .load = 35,
						.syncs = 50 };
	static const struct second less = { .busy = 90, .depth = 2, .wait = 80, .load = 20,
					    .syncs = 50 };
	const struct finding_row *f = see(&beside, 5);

	ck_sentence(f, "worker 30 waits 80.0 % of its time at sda beside ba\"ckup 20, who makes "
		       "60.0 % of its load: writes of 4.00 KiB, flushed one by one (50/s)");
	ck_assert_str_eq(f->who, "ba\"ckup 20");
	ck_assert_str_eq(f->victim, "worker 30");
	ck_assert_str_eq(see(&somewhat, 5)->who, "ba\"ckup 20");
	f = see(&less, 5);
	ck_assert_str_eq(f->who, f->victim);
	f = see(&somewhat, 5);
	ck_assert_str_eq(f->who, f->victim);
}
END_TEST

/* All processes of a program together, where each makes a little. */
START_TEST(beside_many)
{
	static const struct second many = { .busy = 90, .depth = 2, .wait = 80, .many = 20,
					    .syncs = 50 };

	ck_assert_str_eq(see(&many, 5)->who, "fio (20)");
}
END_TEST

/* The disk has no time left: that is told, with the same culprit, and in its place. */
START_TEST(told_once)
{
	static const struct second full = { .busy = 100, .depth = 30, .wait = 80, .load = 60,
					    .syncs = 50 };
	const struct finding_row *f;

	ck_assert_ptr_null(see(&full, 5));
	f = found(play(&full), "disk-saturated");
	ck_assert(f && !strcmp(f->who, "ba\"ckup 20") && !strcmp(f->victim, "worker 30"));
}
END_TEST

/* The disk without time is another one than that which is flushed: both are told. */
START_TEST(told_twice)
{
	static const struct second full = { .busy = 100, .depth = 30, .wait = 80, .load = 60,
					    .syncs = 50, .apart = true };

	ck_sentence(see(&full, 5), "worker 30 waits 80.0 % of its time for writes of 4.00 KiB that "
				   "it has flushed to sdb one by one (50/s)");
	ck_assert_ptr_nonnull(found(play(&full), "disk-saturated"));
}
END_TEST

/* Few flushes, or large writes, are no such case. */
START_TEST(few)
{
	static const struct second rare = { .busy = 100, .depth = 30, .wait = 80, .syncs = 5 };

	ck_assert_ptr_null(see(&rare, 5));
}
END_TEST

UNIT_FIXTURE_MAIN("finding_beside", begin, samples_teardown, alone, beside_another, beside_many,
		  told_once, told_twice, few)

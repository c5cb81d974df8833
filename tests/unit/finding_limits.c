/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Findings of disks that tell of the limits of their provider. */
#include "finding_seconds.h"

static double evidence(const struct finding_row *f, const char *key)
{
	for (size_t i = 0; i < f->nnumbers; i++)
		if (!strcmp(f->numbers[i].key, key))
			return f->numbers[i].value;
	return -1;
}

/* A disk tells that more was asked of it than its provider allows, and somebody waits there. */
START_TEST(held_back_by_the_provider)
{
	static const struct second held = { .busy = 60, .depth = 2, .wait = 60,
					    .limits = LIMITS_TOLD, .exceeded = 40 };
	static const struct second less = { .busy = 60, .depth = 2, .wait = 60,
					    .limits = LIMITS_TOLD, .exceeded = 10 };
	static const struct second nobody = { .busy = 60, .depth = 2, .limits = LIMITS_TOLD,
					      .exceeded = 90 };
	const struct finding_row *f = NULL;
	char text[200];

	for (unsigned i = 0; i < 5; i++) {
		ck_assert_ptr_null(found(play(&less), "provider-limit"));
		ck_assert_ptr_null(found(play(&nobody), "provider-limit"));
	}
	for (unsigned i = 0; i < 4; i++)
		f = found(play(&held), "provider-limit");
	ck_assert_ptr_nonnull(f);
	finding_sentence(f, &(struct unit_style){ 0 }, text, sizeof(text));
	ck_assert_str_eq(text, "sda is held back by its provider's limit (volume throughput) "
			       "40.0 % of the time: worker 30 waits 60.0 % of its time");
	ck_assert_double_eq_tol(evidence(f, "volume_throughput"), 40, 0.01);
	ck_assert_double_eq_tol(evidence(f, "instance_iops"), 8, 0.01);
	ck_assert_double_eq_tol(evidence(f, "volume_iops"), 0, 0.01);
}
END_TEST

/* Evidence of others, too. */
START_TEST(saturated_by_the_provider)
{
	static const struct second both = { .busy = 100, .depth = 30, .wait = 60,
				     .limits = LIMITS_TOLD, .exceeded = 15 };
	const struct finding_row *f = NULL;

	for (unsigned i = 0; i < 5; i++)
		f = found(play(&both), "disk-saturated");
	ck_assert_ptr_nonnull(f);
	ck_assert_double_eq_tol(evidence(f, "exceeded"), 15, 0.01);
}
END_TEST

/* What no disk here can tell is not unknown; what one could tell and does not is. */
START_TEST(of_the_provider_is_known)
{
	static const enum finding_check_state states[] = {
		[LIMITS_NONE] = CHECK_ABSENT, [LIMITS_TOLD] = CHECK_WATCHED,
		[LIMITS_DENIED] = CHECK_OFF, [LIMITS_SILENT] = CHECK_OFF,
	};
	struct second second = { .busy = 20, .depth = 1, .wait = 5 };
	size_t kind = 0;

	while (strcmp(finding_names[kind], "provider-limit"))
		kind++;
	play(&second);
	for (unsigned i = 0; i < ARRAY_SIZE(states); i++) {
		struct finding_checked c;

		second.limits = i;
		/* Twice: programs that have just come back have watched for no interval. */
		play(&second);
		c = finding_check(play(&second), kind);
		ck_assert_int_eq(c.state, states[i]);
		if (c.state == CHECK_OFF)
			ck_assert_int_eq(strstr(c.reason, "CAP_SYS_ADMIN") != NULL,
					 i == LIMITS_DENIED);
		second.off = SRC_BLOCK;
		c = finding_check(play(&second), kind);
		ck_assert_int_eq(c.state == CHECK_ABSENT, i == LIMITS_NONE);
		second.off = 0;
	}
}
END_TEST

/* A limit of its control group, which holds I/O back for a time that is known or not. */
START_TEST(held_back_by_its_group)
{
	static const struct second timed = { .wait = 90, .limited = 60, .more = SRC_NAMES };
	static const struct second some = { .wait = 90, .unseen = 30, .more = SRC_NAMES };
	static const struct second idle = { .wait = 10, .unseen = 90, .more = SRC_NAMES };
	static const struct second unseen = { .wait = 90, .unseen = 90, .more = SRC_NAMES };
	const struct finding_row *f = NULL;
	char text[200];

	for (unsigned i = 0; i < 5; i++) {
		ck_assert_ptr_null(found(play(&some), "throttled"));
		ck_assert_ptr_null(found(play(&idle), "throttled"));
	}
	for (unsigned i = 0; i < 4; i++)
		f = found(play(&timed), "throttled");
	ck_assert_ptr_nonnull(f);
	finding_sentence(f, &(struct unit_style){ 0 }, text, sizeof(text));
	ck_assert_str_eq(text,
			 "worker 30 is held back at sda 60.0 % of its time by the limit ? of ?");
	for (unsigned i = 0; i < 4; i++)
		f = found(play(&unseen), "throttled");
	ck_assert_ptr_nonnull(f);
	ck_assert_double_eq_tol(evidence(f, "wait"), 90, 0.01);
	ck_assert_double_eq(evidence(f, "throttled"), -1);
	finding_sentence(f, &(struct unit_style){ 0 }, text, sizeof(text));
	ck_assert_str_eq(text, "worker 30 waits 90.0 % of its time for I/O at sda, and the limit ? "
			       "of ? holds most of it back: for how long cannot be seen here");
}
END_TEST

UNIT_FIXTURE_MAIN("finding_limits", begin, samples_teardown, held_back_by_the_provider,
		  saturated_by_the_provider, of_the_provider_is_known, held_back_by_its_group)

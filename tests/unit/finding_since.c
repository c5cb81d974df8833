/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Findings: since when they go on, and whom they name from interval to interval. */
#include "finding_seconds.h"

static const struct second calm = { .busy = 20, .depth = 1, .wait = 5 };
static const struct second bad = { .busy = 100, .depth = 30, .wait = 60 };

static const struct model *see_model;	/* the newest of see() */

static const struct finding_row *see(const struct second *step, unsigned n)
{
	const struct finding_row *f = NULL;

	for (unsigned i = 0; i < n; i++) {
		see_model = play(step);
		f = found(see_model, "disk-saturated");
	}
	return f;
}

/* What was there in the first look may be older; what came later began then. */
START_TEST(began)
{
	const struct finding_row *f;
	const struct model *m;
	char text[64];

	play(&bad);
	f = see(&bad, 4);
	ck_assert(f && f->since_before);
	finding_began(f, text);
	ck_assert_int_eq(text[0], '<');
	see(&calm, 11);
	see(&bad, 4);
	m = play(&bad);
	f = found(m, "disk-saturated");
	ck_assert(f && !f->since_before);
	finding_began(f, text);
	ck_assert_uint_eq(strlen(text), strlen("14:02:01"));
	finding_since(f, m, &(struct unit_style){ 0 }, text, sizeof(text));
	ck_assert_ptr_nonnull(strstr(text, "4.00s, since "));
}
END_TEST

/* What goes away for a moment and comes back is the same, and not shown meanwhile. */
START_TEST(comes_back)
{
	const struct finding_row *f;
	uint64_t since;

	see(&calm, 3);
	f = see(&bad, 4);
	ck_assert(f && !f->since_before);
	since = f->since_ns;
	ck_assert_ptr_null(see(&calm, 9));
	ck_assert_ptr_null(see(&bad, 2));
	f = see(&bad, 2);
	ck_assert(f && f->since_ns == since);
	ck_assert_ptr_null(see(&calm, 10));
	f = see(&bad, 4);
	ck_assert(f && f->since_ns > since);
}
END_TEST

/*
 * What cannot be looked at any more holds while whoever it holds up waits, with the time at which
 * it was last seen, and goes when he does not.
 */
START_TEST(is_over)
{
	static const struct second unseen = { .off = SRC_BLOCK, .wait = 60 };
	static const struct second over = { .off = SRC_BLOCK };
	const struct finding_row *f;
	char text[80];

	see(&calm, 3);
	f = see(&bad, 4);
	ck_assert(f && !finding_is_unseen(f, see_model));
	f = see(&unseen, 10);
	ck_assert(f && finding_is_unseen(f, see_model) && f->holds);
	finding_since(f, see_model, &(struct unit_style){ 0 }, text, sizeof(text));
	ck_assert_ptr_nonnull(strstr(text, "13.0s, since "));
	ck_assert_ptr_nonnull(strstr(text, ", last seen "));
	f = see(&over, 2);
	ck_assert(f && !f->holds);
	ck_assert_ptr_null(see(&over, 1));
}
END_TEST

/* The page of a task has what names it. */
START_TEST(of_a_task)
{
	const struct task_row *t;
	const struct model *m;

	see(&calm, 3);
	see(&bad, 3);
	m = play(&bad);
	row_each(t, &m->rows[ENTITY_TASK])
		ck_assert_int_eq(finding_of(m, t) != NULL, t->pid == CULPRIT || t->pid == VICTIM);
}
END_TEST

/* Of two who wait alike one is named as long as the other has not much more. */
START_TEST(named_again)
{
	static const struct second both = { .busy = 100, .depth = 30, .wait = 60, .other = 50 };
	static const struct second turned = { .busy = 100, .depth = 30, .wait = 50, .other = 60 };
	static const struct second less = { .busy = 100, .depth = 30, .wait = 30, .other = 60 };

	see(&calm, 3);
	ck_assert_str_eq(see(&both, 4)->victim, "worker 30");
	ck_assert_str_eq(see(&turned, 1)->victim, "worker 30");
	ck_assert_str_eq(see(&less, 1)->victim, "worker 40");
	ck_assert_str_eq(see(&both, 1)->victim, "worker 40");
}
END_TEST

/* Programs are being loaded: that is no judgement for good. */
START_TEST(is_looking)
{
	static const struct second later = { .off = SRC_WAITS, .hopeful = true };
	static const struct second never = { .off = SRC_WAITS };
	const struct unit_style style = { 0 };
	char text[200];

	play(&later);
	finding_nothing(play(&later), &style, text, sizeof(text));
	ck_assert_ptr_nonnull(strstr(text, "looking, 1 s so far"));
	finding_nothing(play(&never), &style, text, sizeof(text));
	ck_assert_ptr_nonnull(strstr(text, "not known"));
	for (unsigned i = 0; i < 12; i++)
		finding_nothing(play(&later), &style, text, sizeof(text));
	ck_assert_ptr_nonnull(strstr(text, "not known"));
}
END_TEST

/* While somebody waits and more is on for a moment it is not said that there is nothing. */
START_TEST(is_looking_closer)
{
	static const struct second waits = { .busy = 20, .depth = 1, .wait = 5, .pressure = 10 };
	static const struct second closer = { .busy = 20, .depth = 1, .wait = 5, .pressure = 10,
					      .more = SRC_LAYERS };
	const struct unit_style style = { 0 };
	char text[200];

	see(&waits, 4);
	for (unsigned i = 0; i < 3; i++) {
		finding_nothing(play(&closer), &style, text, sizeof(text));
		ck_assert_ptr_nonnull(strstr(text, "nothing wrong so far, looking closer"));
	}
	for (unsigned i = 0; i < 10; i++)
		finding_nothing(play(&closer), &style, text, sizeof(text));
	ck_assert_ptr_nonnull(strstr(text, "nothing wrong; "));
}
END_TEST

UNIT_FIXTURE_MAIN("finding_since", begin, samples_teardown, began, comes_back, is_over,
		  of_a_task, named_again, is_looking, is_looking_closer)

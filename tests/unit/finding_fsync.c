// SPDX-License-Identifier: GPL-2.0-or-later
/* Findings of who does little else than fsync(), and the rows of layers that they lead to. */
#include "finding_seconds.h"

#include "view/filter.h"

static const struct finding_row *see(const struct model **m, const struct second *step)
{
	const struct finding_row *f = NULL;

	for (unsigned i = 0; i < 5; i++) {
		*m = play(step);
		f = found(*m, "fsync-storm");
	}
	ck_assert_ptr_nonnull(f);
	ck_assert_str_eq(f->who, "worker 30");
	ck_assert_str_eq(f->screen, "layers");
	return f;
}

/* Where the finding leads to, there is something to be seen. */
static void ck_leads(const struct model *m, const struct finding_row *f, const char *wanted)
{
	struct filter_budget budget = { .left = FILTER_TIME };
	struct filter *filter;
	const struct row *r;
	unsigned n = 0;
	struct err err;
	size_t place;

	ck_assert_str_eq(f->filter, wanted);
	ck_assert_int_eq(filter_parse(f->filter, entities[ENTITY_LAYER], &filter, &place, &err),
			 0);
	row_each(r, &m->rows[ENTITY_LAYER])
		n += filter_match(filter, r, m, SPAN_TICK, &budget);
	ck_assert_uint_gt(n, 0);
	filter_free(filter);
}

START_TEST(at_a_disk)
{
	static const struct second syncs = { .busy = 90, .depth = 1, .load = 5, .wait = 90,
					     .calls = 50,
					     .more = SRC_LAYERS | SRC_CALLERS };
	const struct model *m;
	const struct finding_row *f = see(&m, &syncs);

	ck_leads(m, f, "disk = \"sda\"");
}
END_TEST

/* Of a file system that spans disks, or has none. */
START_TEST(at_no_disk)
{
	static const struct second syncs = { .busy = 90, .depth = 1, .load = 5, .wait = 90,
					     .calls = 50,
					     .no_disk = true, .more = SRC_LAYERS | SRC_CALLERS };
	const struct model *m;
	const struct finding_row *f = see(&m, &syncs);

	ck_leads(m, f, "fs = \"btrfs\"");
}
END_TEST

/*
 * Who waits for others in fsync() waits little for I/O of his own: whether he does says nothing of
 * what cannot be looked at any more.
 */
START_TEST(last_seen)
{
	static const struct second syncs = { .busy = 90, .depth = 1, .load = 5, .wait = 6,
					     .behind = 80, .calls = 50,
					     .more = SRC_LAYERS | SRC_CALLERS };
	static const struct second more = { .busy = 90, .depth = 1, .load = 5, .wait = 6 };
	static const struct second less = { .busy = 90, .depth = 1, .load = 5, .wait = 4 };
	const struct finding_row *f;
	const struct model *m;

	see(&m, &syncs);
	for (unsigned i = 0; i < 10; i++) {
		m = play(i % 2 ? &more : &less);
		f = found(m, "fsync-storm");
		ck_assert(f && !f->holds && finding_is_unseen(f, m) == (i > 2));
	}
}
END_TEST

UNIT_FIXTURE_MAIN("finding_fsync", begin, samples_teardown, at_a_disk, at_no_disk,
		  last_seen)

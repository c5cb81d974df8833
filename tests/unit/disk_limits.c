/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What disks tell of the limits of their provider: what the model makes of it. */
#include "disk_samples.h"

/*
 * A disk tells each 10 s: what it told stays, until it has been silent for long. Of several limits
 * the worst counts, since the start all of the time that it told of.
 */
START_TEST(limits_of_the_provider)
{
	static const struct {
		unsigned second, told;
		uint64_t iops, throughput;
		double shown, sum;	/* -1: unknown */
	} at[] = {
		{ 0, 0, 0, 0, -1, -1 },
		{ 1, 4, 1, 2, 50, 50 },
		{ 2, 4, 1, 2, 50, 50 },
		{ 11, 14, 9, 3, 80, 100 * 9 / 14.0 },
		{ 36, 14, 9, 3, 80, 100 * 9 / 14.0 },
		{ 37, 14, 9, 3, -1, 100 * 9 / 14.0 },
		{ 38, 44, 9, 3, 0, 100 * 9 / 44.0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(at); i++) {
		struct sample *s = sample_at(at[i].second, WANTED);
		struct sample_disk *d = disk(s, SDA, "sda", NULL);
		const struct model *m;
		struct value v;

		disk(s, SDB, "sdb", NULL);
		diskop(s, SDA, OP_READ, 50 * i, 3);
		d->limits = LIMITS_TOLD;
		d->limits_ns = at[i].told * SEC;
		d->volume_iops_ns = at[i].iops * SEC;
		d->instance_throughput_ns = at[i].throughput * SEC;
		m = advance(s);
		v = cell(m, "sda", "exceeded");
		ck_assert_msg(at[i].shown < 0 ? v.kind == VAL_NONE : v.f64 == at[i].shown,
			      "second %u: %f", at[i].second, v.f64);
		v = column_value(entity_column(&entity_disk, "exceeded"), &row_of(m, "sda")->row,
				 m, SPAN_SUM, &unit_texts);
		ck_assert_msg(at[i].sum < 0 ? v.kind == VAL_NONE :
					      fabs(v.f64 - at[i].sum) < 0.01,
			      "second %u, since the start: %f", at[i].second, v.f64);
		ck_assert(is_none(m, "sdb", "exceeded"));
	}
}
END_TEST

UNIT_FIXTURE_MAIN("disk_limits", samples_setup, samples_teardown, limits_of_the_provider)

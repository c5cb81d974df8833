// SPDX-License-Identifier: GPL-2.0-or-later
/* The longest time of an interval, and of what was counted when it was read. */
#include "bpf/abi.h"
#include "collect/bpf/bpf.h"
#include "unit.h"

#define INTERVAL 7

static __u64 longest(__u64 interval, __u64 ns)
{
	return (interval & ABI_EPOCH_MASK) << ABI_MAX_BITS | ns;
}

START_TEST(of_its_interval)
{
	__u64 max[2] = { [INTERVAL & 1] = longest(INTERVAL, 200) };

	ck_assert_uint_eq(bpf_longest(max, INTERVAL), 200);
	ck_assert_uint_eq(bpf_longest(max, INTERVAL + 2), 0);
	ck_assert_uint_eq(bpf_longest_read(max, INTERVAL), 200);
	ck_assert_uint_eq(bpf_longest_read(max, INTERVAL + 1), 0);
}
END_TEST

/* Counted after the interval ended, and before it was read. */
START_TEST(what_came_before_it_was_read)
{
	__u64 max[2] = { [INTERVAL & 1] = longest(INTERVAL, 200),
			    [(INTERVAL + 1) & 1] = longest(INTERVAL + 1, 5000) };

	ck_assert_uint_eq(bpf_longest(max, INTERVAL), 200);
	ck_assert_uint_eq(bpf_longest_read(max, INTERVAL), 5000);
	/* What is left of the interval before says nothing. */
	max[(INTERVAL + 1) & 1] = longest(INTERVAL - 1, 5000);
	ck_assert_uint_eq(bpf_longest_read(max, INTERVAL), 200);
}
END_TEST

UNIT_MAIN("longest", of_its_interval, what_came_before_it_was_read)

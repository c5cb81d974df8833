// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/ahead.h"

#include "base/clock.h"
#include "collect/bpf/bpf.h"
#include "collect/collect.h"
#include "collect/privilege.h"
#include "collect/set.h"

#define TYPES_KEPT (60 * NSEC_PER_SEC)
#define SAMPLES_SHOWN 2	/* there are numbers then */

void ahead_look(struct collect_set *set)
{
	struct err ignored;
	uint64_t before;

	if (!set->yield || set->samples == SAMPLES_SHOWN || ++set->samples < SAMPLES_SHOWN ||
	    !set_told_by_bpf(set, ~0u))
		return;
	before = privilege_raise(PRIV_PROGRAMS);
	bpf_host_check(set->opt->proc, &ignored);
	privilege_restore(before);
}

void ahead_release(const struct collect_set *set)
{
	bpf_host_release(set->yield ? TYPES_KEPT : 0);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Completions interrupt each other: the program would miss those that interrupt it. A second
 * program for the same event looks at them, and only at them: the first one leaves a mark of what
 * it has done.
 */
#ifndef IOTOP_BPF_BLOCK_FALLBACK_H
#define IOTOP_BPF_BLOCK_FALLBACK_H

#include "bpf/block/count.h"
#include "bpf/block/inflight.h"
#include "bpf/common/kernel.h"
#include "bpf/block/maps.h"

_always_ volatile __u16 *done_mark(enum mark which)
{
	__u32 cpu = bpf_get_smp_processor_id();
	struct processor *here = bpf_map_lookup_elem(&processors, &cpu);

	return here ? &here->done[which] : NULL;
}

_always_ void done_set(enum mark which, __u64 at)
{
	volatile __u16 *mark = program_may_be_skipped() ? done_mark(which) : NULL;

	if (mark)
		*mark = MARK(at);
}

/*
 * Was the event missed that is about `at'? When others came between the two programs, it was if
 * there is still a note of the bio.
 */
_always_ bool is_nested(enum mark which, __u64 at, __u64 bio, bool or_parent)
{
	volatile __u16 *mark = done_mark(which);

	if (mark && *mark == MARK(at)) {
		*mark = 0;
		return false;
	}
	if (!flight_find(bio, or_parent))
		return false;
	add(nested, 1);
	return true;
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Address spaces that user space is told of. */
#ifndef IOTOP_BPF_COMMON_USER_SPACE_H
#define IOTOP_BPF_COMMON_USER_SPACE_H

#include "bpf/common/stack.h"

/* ns between two times that one has changed; less for the first times, as it loads libraries */
#define SPACE_AGAIN 1000000000ULL
#define SPACE_AGAIN_NEW 10000000ULL
#define SPACE_NEW 50	/* times */

struct space_change {
	__u64 at;	/* ns of CLOCK_MONOTONIC */
	__u64 times;
};

LRU_MAP(spaces_changed, 8192, struct abi_space, struct space_change);

/* The space of a stack is new, or has changed; the latter is not told all the time. */
_always_ void space_tell(const struct abi_stack *s, bool changed)
{
	struct abi_space space = { .start = s->start, .mm = s->mm, .tgid = s->tgid,
				   .changed = changed };
	struct space_change now = { bpf_ktime_get_ns(), 1 }, *last;
	__u8 told = 1;

	if (changed) {
		last = bpf_map_lookup_elem(&spaces_changed, &space);
		if (last && now.at - last->at < (last->times < SPACE_NEW ? SPACE_AGAIN_NEW
									 : SPACE_AGAIN))
			return;
		now.times += last ? last->times : 0;
		bpf_map_update_elem(&spaces_changed, &space, &now, BPF_ANY);
	} else if (bpf_map_lookup_elem(&spaces_told, &space)) {
		return;
	}
	if (bpf_ringbuf_output(&spaces, &space, sizeof(space), 0))
		stack_lose(ABI_STACK_SPACES);
	else if (!changed)
		bpf_map_update_elem(&spaces_told, &space, &told, BPF_ANY);
}

#endif

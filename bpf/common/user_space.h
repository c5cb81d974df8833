/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Address spaces that user space is told of. */
#ifndef IOTOP_BPF_COMMON_USER_SPACE_H
#define IOTOP_BPF_COMMON_USER_SPACE_H

#include "bpf/common/stack.h"

#define SPACE_AGAIN 1000000000ULL	/* ns between two times that one has changed */

struct space_change {
	__u64 at;	/* ns of CLOCK_MONOTONIC */
};

LRU_MAP(spaces_changed, 8192, struct abi_space, struct space_change);

/* The space of a stack is new, or has changed; the latter is not told all the time. */
_always_ void space_tell(const struct abi_stack *s, bool changed)
{
	struct abi_space space = { .start = s->start, .mm = s->mm, .tgid = s->tgid,
				   .changed = changed };
	struct space_change now = { bpf_ktime_get_ns() }, *last;
	__u8 told = 1;

	if (changed) {
		last = bpf_map_lookup_elem(&spaces_changed, &space);
		if (last && now.at - last->at < SPACE_AGAIN)
			return;
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

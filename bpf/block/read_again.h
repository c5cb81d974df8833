/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The read before on this CPU: the next one is often by the same task at the same disk. */
#ifndef IOTOP_BPF_BLOCK_READ_AGAIN_H
#define IOTOP_BPF_BLOCK_READ_AGAIN_H

#include "bpf/block/count.h"
#include "bpf/block/maps.h"
#include "bpf/common/kernel.h"

/*
 * The fast path: a read by the task that read last on this CPU, at the same disk. Charges the same
 * counter again without a lookup. Returns 0 where it is not that.
 */
_always_ __u32 read_again(const volatile struct read_before *last, __u32 dev, __u32 bytes,
			  __u32 *ret_owner)
{
	__u32 counter = last->counter, place = ABI_COUNTER_PLACE(counter);
	struct abi_counter *to;

	if (last->dev != dev || last->ended != tasks_ended ||
	    last->throttled != throttled_changes || last->task != bpf_get_current_pid_tgid())
		return 0;
	to = bpf_map_lookup_elem(&counters, &place);
	if (!to)
		return 0;
	add(to->ios, 1);
	add(to->bytes, bytes);
	*ret_owner = to->key.owner;
	return counter;
}

/* Not remembered for a task that has ended: its pid may be used again. */
_always_ void read_remember(volatile struct read_before *last, const struct task_slot *slot,
			    __u32 dev, __u32 counter)
{
	if (!last || !slot || slot->flags & (SLOT_KTHREAD | SLOT_ENDED) ||
	    ABI_COUNTER_PLACE(counter) < ABI_COUNTER_FIRST)
		return;
	last->task = 0;
	last->dev = dev;
	last->counter = counter;
	last->ended = tasks_ended;
	last->throttled = throttled_changes;
	last->task = bpf_get_current_pid_tgid();
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Time that tasks wait for I/O: from where they leave the processor with in_iowait set to where
 * they are woken, as delay accounting has it. A context switch of any other task costs a look at
 * its flags.
 */
#include "bpf/abi.h"
#include "bpf/common/kernel.h"
#include "bpf/common/pid.h"

char LICENSE[] SEC("license") = "GPL";

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, struct abi_wait_key);
	__type(value, struct abi_wait);
} waits SEC(".maps");

volatile __u64 waits_full;	/* waits of tasks for whom there was no room */

_always_ bool waiting_for_io(const struct task_struct *task)
{
	return BPF_CORE_READ_BITFIELD(task, in_iowait);
}

_always_ struct abi_wait_key wait_key(const struct task_struct *task)
{
	return (struct abi_wait_key){ .start = task->start_boottime, .tid = (__u32)ids_of(task) };
}

_always_ struct abi_wait *wait_get(const struct abi_wait_key *key, unsigned int flags)
{
	struct abi_wait fresh = {}, *wait = bpf_map_lookup_elem(&waits, key);

	/* The entry of a task whose end was told would stay for ever; one outside is not shown. */
	if (wait || flags & KERNEL_PF_EXITING || !key->tid)
		return wait;
	bpf_map_update_elem(&waits, key, &fresh, BPF_NOEXIST);
	wait = bpf_map_lookup_elem(&waits, key);
	if (!wait)
		__sync_fetch_and_add(&waits_full, 1);
	return wait;
}

/* A task that is preempted on its way to sleep comes back by itself. */
SEC("tp_btf/sched_switch")
int wait_begin(__u64 *ctx)
{
	const struct task_struct *prev = (const struct task_struct *)ctx[1];
	struct abi_wait_key key;
	struct abi_wait *wait;

	if (!waiting_for_io(prev) || ctx[0] || !task_state(prev))
		return 0;
	key = wait_key(prev);
	wait = wait_get(&key, prev->flags);
	if (wait)
		wait->since = bpf_ktime_get_ns();
	return 0;
}

_always_ void wait_close(struct abi_wait *wait)
{
	__u64 now = bpf_ktime_get_ns(), since = wait->since;

	if (since && now > since) {
		wait->iowait_ns += now - since;
		if (wait->throttled)
			wait->throttle_ns += now - since;
	}
	wait->since = 0;
	wait->throttled = 0;
}

/* sched_wakeup, not sched_waking: that one may run before the task has left its processor. */
SEC("tp_btf/sched_wakeup")
int wait_end(__u64 *ctx)
{
	const struct task_struct *task = (const struct task_struct *)ctx[0];
	struct abi_wait_key key;
	struct abi_wait *wait;

	if (!waiting_for_io(task))
		return 0;
	key = wait_key(task);
	wait = bpf_map_lookup_elem(&waits, &key);
	if (wait && wait->since)
		wait_close(wait);
	return 0;
}

/* Runs before the task sleeps, if it has to: pause, in jiffies, is above 0 then. */
_always_ int on_throttle(long pause)
{
	const struct task_struct *task = (const struct task_struct *)bpf_get_current_task();
	struct abi_wait_key key = {};
	struct abi_wait *wait;

	if (pause <= 0)
		return 0;
	key.start = BPF_CORE_READ(task, start_boottime);
	key.tid = (__u32)current_ids();
	wait = wait_get(&key, 0);
	if (wait)
		wait->throttled = 1;
	return 0;
}

SEC("tp_btf/balance_dirty_pages")
int throttle(__u64 *ctx)
{
	return on_throttle(ctx[6]);
}

/* Before 6.17 the thresholds were arguments of their own. */
SEC("tp_btf/balance_dirty_pages")
int throttle_12(__u64 *ctx)
{
	return on_throttle(ctx[10]);
}

SEC("tp_btf/sched_process_exit")
int wait_exit(__u64 *ctx)
{
	struct abi_wait_key key = wait_key((const struct task_struct *)ctx[0]);
	struct abi_wait *wait = bpf_map_lookup_elem(&waits, &key);

	if (wait)
		wait->ended = 1;
	return 0;
}

/* Read once, when the others are attached: who waits already does so from now on. */
SEC("iter/task")
int wait_began_before(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct abi_wait_key key;
	struct abi_wait *wait;

	if (!task || !waiting_for_io(task) || !task_state(task))
		return 0;
	key = wait_key(task);
	wait = wait_get(&key, task->flags);
	if (!wait || wait->since)
		return 0;
	wait->since = bpf_ktime_get_ns();
	/*
	 * A waker makes it runnable, then traces that: it has found our note, or we find it
	 * runnable.
	 */
	if (!task_state(task))
		wait->since = 0;
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Time that tasks cannot go on for I/O, of two kinds of sleep:
 * - uninterruptible, with in_iowait set: all of it, whoever the I/O is of;
 * - any other, as long as a request is in flight that the task asked for (bpf/block/asked.h). Who
 *   waits for events of a ring has in_iowait set whether there are any to come or not, who waits in
 *   io_getevents(), for an eventfd or in poll() never has: that tells nothing.
 * And time that tasks are stalled for memory, as the kernel's pressure stall information has it
 * (psi_memstall_enter): asleep with in_memstall set (pages that had just been evicted and are read
 * again, swap-in, what holds back a control group above memory.high), and in direct reclaim, which
 * keeps a processor busy.
 *
 * A context switch of any other task costs a look at its flags and at the low bits of its tid.
 */
#include "bpf/abi.h"
#include "bpf/common/array.h"
#include "bpf/common/asked.h"
#include "bpf/common/kernel.h"
#include "bpf/common/op.h"
#include "bpf/common/pid.h"
#include "bpf/common/successor.h"
#include "bpf/common/task.h"

char LICENSE[] SEC("license") = "GPL";

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, struct abi_wait_key);
	__type(value, struct abi_wait);
} waits SEC(".maps");

/* Of the block programs. */
MAPPED_ARRAY(block_asked, 1, struct abi_asked);
__u32 ref_tids[ABI_REF_TIDS] SEC(".data.tids");
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, struct task_key);
	__type(value, __u32);
} block_ref_index SEC(".maps");

/* The programs for direct reclaim are at work since then, ns of CLOCK_MONOTONIC. */
volatile __u64 reclaims_since;

volatile __u64 waits_full;	/* waits of tasks for whom there was no room */

_always_ bool waiting_for_io(const struct task_struct *task)
{
	return BPF_CORE_READ_BITFIELD(task, in_iowait);
}

/* Whether the task may have a task ref: it, or another with the same low bits, did I/O. */
_always_ bool may_have_ref(const struct task_struct *task)
{
	return ref_tids[(__u32)task->pid % ABI_REF_TIDS];
}

/* The index of its task ref; 0: it has none. */
_always_ __u32 ref_index(const struct task_struct *task)
{
	struct task_key key = { .start = task->start_boottime, .tid = task->pid };
	const __u32 *ref = bpf_map_lookup_elem(&block_ref_index, &key);

	return ref ? ABI_REF_INDEX(*ref) : 0;
}

/*
 * Whose requests a task waits for that sleeps, other than uninterruptibly with in_iowait set: its
 * own. What reads ahead may be meant for a ring (iowait). ABI_WAITS_NEVER: none are in flight, and
 * none will be before it wakes up.
 */
_always_ __u32 waits_for(const struct task_struct *task, bool iowait)
{
	__u32 own = task->flags & KERNEL_PF_KTHREAD ? 0 : ref_index(task);
	const struct abi_asked *a = own ? bpf_map_lookup_elem(&block_asked, &own) : NULL;

	if (!a)
		return ABI_WAITS_NEVER;
	return a->others || asked_in_flight(a) > (iowait ? 0 : (__s32)a->ahead) ? own
										: ABI_WAITS_NEVER;
}

_always_ struct abi_wait_key wait_key(const struct task_struct *task)
{
	return (struct abi_wait_key){ .start = task->start_boottime, .tid = (__u32)ids_of(task) };
}

_always_ struct abi_wait *wait_make(const struct abi_wait_key *key, unsigned int flags)
{
	struct abi_wait fresh = {}, *wait;

	/* The entry of a task whose end was told would stay for ever; one outside is not shown. */
	if (flags & KERNEL_PF_EXITING || !key->tid)
		return NULL;
	bpf_map_update_elem(&waits, key, &fresh, BPF_NOEXIST);
	wait = bpf_map_lookup_elem(&waits, key);
	if (!wait)
		__sync_fetch_and_add(&waits_full, 1);
	return wait;
}

/* In direct reclaim. Its end was not seen when the programs were detached before. */
_always_ bool reclaims(const struct abi_wait *wait)
{
	return wait->reclaims && wait->memstall_since >= reclaims_since;
}

_always_ void wait_open(struct task_struct *task, bool iowait)
{
	struct abi_wait_key key = wait_key(task);
	__u32 asked = iowait && task_state(task) & KERNEL_TASK_UNINTERRUPTIBLE
			      ? ABI_WAITS_ALWAYS : waits_for(task, iowait);
	struct abi_wait *wait = bpf_map_lookup_elem(&waits, &key);
	struct abi_asked *a;
	__u64 now;

	/* It ran since: its wake-up was not seen. */
	if (wait) {
		wait->since = 0;
		if (!reclaims(wait))
			wait->memstall_since = 0;
	}
	if (!iowait && asked == ABI_WAITS_NEVER)
		return;
	if (!wait)
		wait = wait_make(&key, task->flags);
	if (!wait)
		return;
	now = bpf_ktime_get_ns();
	a = asked == ABI_WAITS_ALWAYS ? NULL : bpf_map_lookup_elem(&block_asked, &asked);
	if (a) {
		asked_pass(a, now);
		wait->asked_ns = a->ns;
		wait->own = asked;
	}
	wait->asked = asked;
	wait->iowait = iowait;
	wait->since = now;
}

_always_ void memstall_open(struct abi_wait *wait, bool reclaim)
{
	wait->reclaims = reclaim;
	wait->memstall_since = bpf_ktime_get_ns();
}

_always_ void memstall_close(struct abi_wait *wait)
{
	__u64 now = bpf_ktime_get_ns(), since = wait->memstall_since;

	if (since && now > since)
		wait->memstall_ns += now - since;
	wait->memstall_since = 0;
	wait->reclaims = 0;
}

/* A stalled task goes to sleep. In direct reclaim its time is counted already. */
_always_ void memstall_sleep(const struct task_struct *task)
{
	struct abi_wait_key key = wait_key(task);
	struct abi_wait *wait = bpf_map_lookup_elem(&waits, &key);

	if (!wait)
		wait = wait_make(&key, task->flags);
	if (wait && !reclaims(wait))
		memstall_open(wait, false);
}

/* A task that is preempted on its way to sleep comes back by itself. */
SEC("tp_btf/sched_switch")
int wait_begin(__u64 *ctx)
{
	struct task_struct *prev = (struct task_struct *)ctx[1];
	bool iowait = waiting_for_io(prev), stalled = task_in_memstall(prev);

	if (!iowait && !stalled && !may_have_ref(prev))
		return 0;
	if (ctx[0] || !(task_state(prev) & KERNEL_TASK_SLEEPS))
		return 0;
	wait_open(prev, iowait);
	if (stalled)
		memstall_sleep(prev);
	return 0;
}

/* So much after the end of a request, a wake-up is still due to it. */
#define COMPLETING_NS 100000

/* How long the task waited for requests that it asked for, since it went to sleep. */
_always_ __u64 waited_for(const struct abi_wait *wait, const struct abi_asked *a, __u64 now)
{
	__u64 waited = asked_now(a, now) - wait->asked_ns;

	if (waited && asked_in_flight(a) <= 0 && now - a->since < COMPLETING_NS)
		waited += now - a->since;
	return waited > now - wait->since ? 0 : waited;
}

_always_ void wait_close(struct abi_wait *wait)
{
	__u64 now = bpf_ktime_get_ns(), since = wait->since, slept = now - since, waited = slept;
	__u32 asked = wait->asked;
	struct abi_asked *a;

	if (since && now > since) {
		a = asked == ABI_WAITS_ALWAYS ? NULL : bpf_map_lookup_elem(&block_asked, &asked);
		if (a)
			waited = waited_for(wait, a, now);
		wait->wait_ns += waited;
		if (wait->iowait)
			wait->iowait_ns += slept;
		if (wait->throttled)
			wait->throttle_ns += slept;
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

	if (!waiting_for_io(task) && !task_in_memstall(task) && !may_have_ref(task))
		return 0;
	key = wait_key(task);
	wait = bpf_map_lookup_elem(&waits, &key);
	if (wait && wait->since)
		wait_close(wait);
	if (wait && wait->memstall_since && !reclaims(wait))
		memstall_close(wait);
	return 0;
}

/* NULL: it has none, or there is no room for one. */
_always_ struct abi_wait *wait_of_current(const struct task_struct *task, bool make)
{
	struct abi_wait_key key = {};
	struct abi_wait *wait;

	key.start = BPF_CORE_READ(task, start_boottime);
	key.tid = (__u32)current_ids();
	wait = bpf_map_lookup_elem(&waits, &key);
	return wait || !make ? wait : wait_make(&key, 0);
}

/* Runs before the task sleeps, if it has to: pause, in jiffies, is above 0 then. */
_always_ int on_throttle(long pause)
{
	struct abi_wait *wait;

	if (pause <= 0)
		return 0;
	wait = wait_of_current((const struct task_struct *)bpf_get_current_task(), true);
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

/*
 * Direct reclaim. What somebody asked for by memory.reclaim, or by a lower limit, stalls nobody:
 * in_memstall is not set.
 */
_always_ int on_reclaim_begin(void)
{
	const struct task_struct *task = (const struct task_struct *)bpf_get_current_task();
	struct abi_wait *wait;

	if (!bpf_core_field_exists(task->in_memstall) ||
	    !BPF_CORE_READ_BITFIELD_PROBED(task, in_memstall))
		return 0;
	wait = wait_of_current(task, true);
	if (wait)
		memstall_open(wait, true);
	return 0;
}

_always_ int on_reclaim_end(void)
{
	const struct task_struct *task = (const struct task_struct *)bpf_get_current_task();
	struct abi_wait *wait = wait_of_current(task, false);

	if (wait && reclaims(wait))
		memstall_close(wait);
	return 0;
}

SEC("tp_btf/mm_vmscan_direct_reclaim_begin")
int reclaim_begin(__u64 *ctx)
{
	return on_reclaim_begin();
}

SEC("tp_btf/mm_vmscan_direct_reclaim_end")
int reclaim_end(__u64 *ctx)
{
	return on_reclaim_end();
}

/* For the limit of a control group. */
SEC("tp_btf/mm_vmscan_memcg_reclaim_begin")
int reclaim_begin_group(__u64 *ctx)
{
	return on_reclaim_begin();
}

SEC("tp_btf/mm_vmscan_memcg_reclaim_end")
int reclaim_end_group(__u64 *ctx)
{
	return on_reclaim_end();
}

SEC("tp_btf/sched_process_exit")
int wait_exit(__u64 *ctx)
{
	__u64 task = (__u64)bpf_get_current_task(), by = successor((void *)task);
	const struct task_struct *ended = (const struct task_struct *)(by ? by : task);
	struct abi_wait_key key = { .start = BPF_CORE_READ(ended, start_boottime),
				    .tid = (__u32)ids_probe_read(ended) };
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
	bool iowait, stalled;

	if (!task || !(task_state(task) & KERNEL_TASK_SLEEPS))
		return 0;
	iowait = waiting_for_io(task);
	stalled = task_in_memstall(task);
	if (!iowait && !stalled && !may_have_ref(task))
		return 0;
	key = wait_key(task);
	wait = bpf_map_lookup_elem(&waits, &key);
	if (wait && (wait->since || wait->memstall_since))
		return 0;
	wait_open(task, iowait);
	if (stalled)
		memstall_sleep(task);
	/*
	 * A waker makes it runnable, then traces that: it has found our note, or we find it
	 * runnable.
	 */
	wait = bpf_map_lookup_elem(&waits, &key);
	if (wait && !task_state(task))
		wait->since = wait->memstall_since = 0;
	return 0;
}

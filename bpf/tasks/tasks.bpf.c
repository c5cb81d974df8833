/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of all tasks, and those that end in between. */
#include "bpf/abi.h"
#include "bpf/common/array.h"
#include "bpf/common/cast.h"
#include "bpf/common/kernel.h"
#include "bpf/common/pid.h"
#include "bpf/tasks/cgroup.h"
#include "bpf/tasks/frozen.h"

char LICENSE[] SEC("license") = "GPL";

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1);
} exits SEC(".maps");

MAPPED_ARRAY(listed, 1, struct abi_task_page);

const volatile __u32 exits_size = 1;	/* of the ring buffer, bytes */
volatile __u64 exits_lost;
volatile __u32 delays_off;	/* delay accounting is off: one memory access less for each task */

/*
 * When it ran last, ns of the scheduler's clock, which all processors share: when it was given a
 * processor and for how long it had it then, which the kernel brings up to date when the task
 * leaves and at each tick. Real-time classes do not keep the second, their turns are short.
 */
_always_ __u64 task_ran(const struct task_struct *task)
{
	__u64 arrival = BPF_CORE_READ(task, sched_info.last_arrival);

	if (!arrival || BPF_CORE_READ(task, prio) < KERNEL_MAX_RT_PRIO)
		return arrival;
	return arrival + BPF_CORE_READ(task, se.sum_exec_runtime) -
	       BPF_CORE_READ(task, se.prev_sum_exec_runtime);
}

/* For how long it has been asleep, to a tick of whoever asks, who runs now; 0: not known. */
_always_ __u64 task_asleep(const struct task_struct *task)
{
	__u64 now, ran;

	if (!bpf_core_field_exists(task->sched_info.last_arrival))
		return 0;
	now = task_ran((const struct task_struct *)bpf_get_current_task());
	ran = task_ran(task);
	return ran && now > ran ? now - ran : 0;
}

#define LONG_ASLEEP 1000000000	/* ns from which on it is worth looking what a task waits for */

_always_ void task_read(const struct task_struct *task, struct abi_task *out, bool listing)
{
	const struct task_struct *parent = task->real_parent, *leader = task->group_leader;
	const struct cred *cred = task->real_cred;
	const struct io_context *io;
	__u64 ids = ids_of(task);

	out->start = task->start_boottime;
	out->tgid = ids >> 32;
	out->tid = (__u32)ids;
	out->process = task->pid != task->tgid && leader ? leader->start_boottime : out->start;
	out->ppid = parent ? ids_of(parent) >> 32 : 0;
	out->uid = cred ? cred->uid.val : 0;
	out->cgroup = task_cgroup(task, listing);
	out->state = task_letter(task);
	out->asleep_ns = 0;
	if (listing && out->state == 'D' && !(task->flags & KERNEL_PF_FROZEN))
		out->asleep_ns = task_asleep(task);
	out->frozen_dev = 0;
	if (out->asleep_ns >= LONG_ASLEEP)
		out->frozen_dev = frozen_dev(task_address(task), stack_pointer(task));
	out->nice = task->static_prio - 120;
	out->ioprio = 0;
	if (bpf_core_field_exists(task->io_context)) {
		io = task->io_context;
		if (io)
			out->ioprio = io->ioprio;
	}
	out->flags = (task->flags & KERNEL_PF_KTHREAD ? ABI_TASK_KTHREAD : 0) |
		     (task->flags & KERNEL_PF_EXITING ? ABI_TASK_EXITING : 0);
	/* Copied by words: a loop over bytes would be sixteen times as long. */
	bpf_core_read(out->comm, sizeof(out->comm), &task->comm);
}

/*
 * Both depend on how the kernel was built; delays are there only for tasks that started while delay
 * accounting was on.
 */
_always_ void task_read_accounts(const struct task_struct *task, struct abi_task *out)
{
	const struct task_delay_info *delays;

	if (bpf_core_field_exists(task->ioac.read_bytes)) {
		out->read_bytes = task->ioac.read_bytes;
		out->write_bytes = task->ioac.write_bytes;
		out->cancelled_bytes = task->ioac.cancelled_write_bytes;
		out->flags |= ABI_TASK_IO;
	}
	if (bpf_core_field_exists(task->delays) && !delays_off) {
		delays = task->delays;
		if (delays) {
			out->blkio_ns = delays->blkio_delay;
			out->swapin_ns = delays->swapin_delay;
			out->flags |= ABI_TASK_DELAYS;
		}
	}
}

_always_ void list_begin(void)
{
	cgroup_v1_forget();
	queues_forget();
}

SEC("iter/task")
int list(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct abi_task out = {};

	if (!task)
		return 0;
	if (!ctx->meta->seq_num)
		list_begin();
	task = UNTRUSTED(task_struct, task);
	task_read(task, &out, true);
	task_read_accounts(task, &out);
	bpf_seq_write(ctx->meta->seq, &out, sizeof(out));
	return 0;
}

/*
 * The same without an iterator's file, from 6.7: the iterator looks up each number, takes a
 * reference and translates it, which costs more than what is read of the task; this follows the
 * lists of tasks and threads. It is not interrupted by anything that waits for RCU, so how many it
 * may visit is bounded (listed). It sees all tasks, whatever pid namespace is asked from.
 */
struct bpf_iter_task {
	__u64 opaque[3];
} __attribute__((aligned(8)));

#define ITER_ALL_THREADS 1

/*
 * Kernel functions, bound by number when the kernel has them: see struct bpf_hook. In the order of
 * the hook's table.
 */
static int (*iter_task_new)(struct bpf_iter_task *it, struct task_struct *task,
			    unsigned int flags) = (void *)ABI_CALL(0);
static struct task_struct *(*iter_task_next)(struct bpf_iter_task *it) = (void *)ABI_CALL(1);
static void (*iter_task_destroy)(struct bpf_iter_task *it) = (void *)ABI_CALL(2);
static void (*rcu_lock)(void) = (void *)ABI_CALL(3);
static void (*rcu_unlock)(void) = (void *)ABI_CALL(4);

volatile __u32 walked;	/* tasks in `listed` */
volatile __u32 walked_short;	/* there were more */

/* Fixed before a walk: nothing is left as it is. What else others change is seen that way. */
volatile bool walk_whole;
/* When the walker was given its processor for this walk, and for the one before; 0: not known. */
static volatile __u64 walk_at, walk_before;

/* By so much clocks of two processors may differ where they are no good; ns. */
#define CLOCKS_APART 50000000

/*
 * It sleeps, and is not about to go on: it may still be on its processor then, and go on without
 * being given one.
 */
_always_ bool is_asleep(const struct task_struct *task, __u32 letter)
{
	return (letter == 'S' || letter == 'I') && !task->on_rq && !task->on_cpu;
}

/*
 * Whether a place has this task as it is: it slept at the walk before, sleeps now, and was given a
 * processor last before that walk.
 */
_always_ bool is_listed(const struct task_struct *task, const struct abi_task *out)
{
	return out->flags & ABI_TASK_ASLEEP && out->start == task->start_boottime &&
	       out->tid == (__u32)task->pid && !walk_whole &&
	       task->sched_info.last_arrival + CLOCKS_APART < walk_before &&
	       out->nice == task->static_prio - 120 &&
	       is_asleep(task, task_letter(task));
}

_always_ void walk_begin(void)
{
	const struct task_struct *walker = (const struct task_struct *)bpf_get_current_task();

	walked = walked_short = 0;
	walk_before = walk_at;
	walk_at = 0;
	if (bpf_core_field_exists(walker->sched_info.last_arrival))
		walk_at = BPF_CORE_READ(walker, sched_info.last_arrival);
	list_begin();
}

/* Counted in memory: a register would be another state for the verifier each time round. */
_always_ bool walk_add(const struct task_struct *task)
{
	__u32 n = walked, key = n / ABI_TASKS_A_PAGE;
	struct abi_task_page *page = bpf_map_lookup_elem(&listed, &key);
	struct abi_task *out;

	if (!page)
		return false;
	out = &page->task[n % ABI_TASKS_A_PAGE];
	walked = n + 1;
	if (bpf_core_field_exists(task->sched_info.last_arrival) && is_listed(task, out))
		return true;
	out->exit_ns = 0;
	out->read_bytes = out->write_bytes = out->cancelled_bytes = 0;
	out->blkio_ns = out->swapin_ns = 0;
	task_read(task, out, true);
	task_read_accounts(task, out);
	if (is_asleep(task, out->state))
		out->flags |= ABI_TASK_ASLEEP;
	return true;
}

SEC("syscall")
int walk(void *ctx)
{
	const struct task_struct *task;
	struct bpf_iter_task it;

	walk_begin();
	rcu_lock();
	iter_task_new(&it, NULL, ITER_ALL_THREADS);
	while ((task = iter_task_next(&it))) {
		/* The idle task of the first processor begins the list. */
		if (!task->pid || walk_add(UNTRUSTED(task_struct, task)))
			continue;
		walked_short = 1;
		break;
	}
	iter_task_destroy(&it);
	rcu_unlock();
	return 0;
}

/* The reader is woken when the buffer is half full; otherwise it looks when it takes a sample. */
SEC("tp_btf/sched_process_exit")
int task_exit(__u64 *ctx)
{
	const struct task_struct *task = UNTRUSTED(task_struct, ctx[0]);
	__u64 flags = BPF_RB_NO_WAKEUP;
	struct abi_task *out;

	if (!ids_of(task))
		return 0;
	out = bpf_ringbuf_reserve(&exits, sizeof(*out), 0);
	if (!out) {
		__sync_fetch_and_add(&exits_lost, 1);
		return 0;
	}
	out->read_bytes = out->write_bytes = out->cancelled_bytes = 0;
	out->blkio_ns = out->swapin_ns = 0;
	task_read(task, out, false);
	task_read_accounts(task, out);
	out->flags |= ABI_TASK_ENDED;
	/* CLOCK_MONOTONIC: the boot-time clock is not to be had everywhere. */
	out->exit_ns = bpf_ktime_get_ns();
	if (bpf_ringbuf_query(&exits, BPF_RB_AVAIL_DATA) >= exits_size / 2)
		flags = BPF_RB_FORCE_WAKEUP;
	bpf_ringbuf_submit(out, flags);
	return 0;
}

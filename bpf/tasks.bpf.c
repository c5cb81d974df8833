/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of all tasks in one read, and those that end in between. */
#include "bpf/abi.h"
#include "bpf/kernel.h"

char LICENSE[] SEC("license") = "GPL";

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1);
} exits SEC(".maps");

const volatile __u32 exits_size = 1;	/* of the ring buffer, bytes */
volatile __u64 exits_lost;
volatile __u32 delays_off;	/* delay accounting is off: one memory access less for each task */

_always_ void task_read(const struct task_struct *task, struct abi_task *out)
{
	const struct task_struct *parent = task->real_parent;
	const struct cred *cred = task->real_cred;
	const struct io_context *io;

	out->start = task->start_boottime;
	out->tgid = task->tgid;
	out->tid = task->pid;
	out->ppid = parent ? parent->tgid : 0;
	out->uid = cred ? cred->uid.val : 0;
	out->cgroup = task_cgroup(task);
	out->state = task_letter(task);
	out->nice = task->static_prio - 120;
	out->ioprio = 0;
	if (bpf_core_field_exists(task->io_context)) {
		io = task->io_context;
		if (io)
			out->ioprio = io->ioprio;
	}
	out->flags = task->flags & KERNEL_PF_KTHREAD ? ABI_TASK_KTHREAD : 0;
	/* Copied by words: a loop over bytes would be sixteen times as long. */
	bpf_core_read(out->comm, sizeof(out->comm), &task->comm);
}

/* Both depend on how the kernel was built; delays are there only for tasks that started while delay accounting was on. */
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

SEC("iter/task")
int list(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct abi_task out = {};

	if (!task)
		return 0;
	task_read(task, &out);
	task_read_accounts(task, &out);
	bpf_seq_write(ctx->meta->seq, &out, sizeof(out));
	return 0;
}

/* The reader is woken when the buffer is half full; otherwise it looks when it takes a sample. */
SEC("tp_btf/sched_process_exit")
int task_exit(__u64 *ctx)
{
	const struct task_struct *task = (const struct task_struct *)ctx[0];
	struct abi_task *out = bpf_ringbuf_reserve(&exits, sizeof(*out), 0);
	__u64 flags = BPF_RB_NO_WAKEUP;

	if (!out) {
		__sync_fetch_and_add(&exits_lost, 1);
		return 0;
	}
	out->read_bytes = out->write_bytes = out->cancelled_bytes = 0;
	out->blkio_ns = out->swapin_ns = 0;
	task_read(task, out);
	task_read_accounts(task, out);
	out->flags |= ABI_TASK_ENDED;
	/* CLOCK_MONOTONIC: the boot-time clock is not to be had everywhere. */
	out->exit_ns = bpf_ktime_get_ns();
	if (bpf_ringbuf_query(&exits, BPF_RB_AVAIL_DATA) >= exits_size / 2)
		flags = BPF_RB_FORCE_WAKEUP;
	bpf_ringbuf_submit(out, flags);
	return 0;
}

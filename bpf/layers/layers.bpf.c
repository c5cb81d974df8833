/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Time at each layer: system calls on files on storage, VFS, file system, page cache, queue of the
 * disk, device. Attached only while somebody looks.
 */
#include "bpf/layers/aio.h"
#include "bpf/layers/before.h"
#include "bpf/layers/calls.h"
#include "bpf/common/argument.h"
#include "bpf/common/fill.h"
#include "bpf/layers/fsync.h"
#include "bpf/layers/function.h"
#include "bpf/layers/layer.h"
#include "bpf/layers/pagewait.h"
#include "bpf/layers/request.h"
#include "bpf/layers/uring.h"

char LICENSE[] SEC("license") = "GPL";

/* Tracepoints of file systems, as raw tracepoints: these need no BTF of a module. */
#define ARGUMENTS(ctx) (((struct bpf_raw_tracepoint_args *)(ctx))->args)

SEC("raw_tp/ext4_sync_file_enter")
int layer_ext4_sync(void *ctx)
{
	return fsync_begin((__u64)BPF_CORE_READ((const struct file *)ARGUMENTS(ctx)[0], f_inode));
}

SEC("raw_tp/ext4_sync_file_exit")
int layer_ext4_synced(void *ctx)
{
	return fsync_end();
}

SEC("raw_tp/f2fs_sync_file_enter")
int layer_f2fs_sync(void *ctx)
{
	return fsync_begin(ARGUMENTS(ctx)[0]);
}

SEC("raw_tp/f2fs_sync_file_exit")
int layer_f2fs_synced(void *ctx)
{
	return fsync_end();
}

SEC("raw_tp/btrfs_sync_file")
int layer_btrfs_sync(void *ctx)
{
	return fs_begin(ABI_LAYER_FSYNC);
}

SEC("raw_tp/xfs_file_fsync")
int layer_xfs_sync(void *ctx)
{
	return fs_begin(ABI_LAYER_FSYNC);
}

SEC("raw_tp/xfs_dir_fsync")
int layer_xfs_sync_folder(void *ctx)
{
	return fs_begin(ABI_LAYER_FSYNC);
}

SEC("raw_tp/xfs_file_buffered_read")
int layer_xfs_read(void *ctx)
{
	return fs_begin(ABI_LAYER_READ);
}

SEC("raw_tp/xfs_file_direct_read")
int layer_xfs_read_direct(void *ctx)
{
	return fs_begin(ABI_LAYER_READ);
}

SEC("raw_tp/xfs_file_buffered_write")
int layer_xfs_write(void *ctx)
{
	return fs_begin(ABI_LAYER_WRITE);
}

SEC("raw_tp/xfs_file_direct_write")
int layer_xfs_write_direct(void *ctx)
{
	return fs_begin(ABI_LAYER_WRITE);
}

/* Since 6.4; before that the next one. */
SEC("raw_tp/io_uring_submit_req")
int layer_uring_submit(void *ctx)
{
	return uring_begin(ARGUMENTS(ctx)[0]);
}

/* Which argument of it is the request. Fixed before the programs are loaded. */
const volatile __u32 uring_request;

SEC("raw_tp/io_uring_submit_sqe")
int layer_uring_sqe(void *ctx)
{
	return uring_begin(argument(ctx, uring_request));
}

SEC("raw_tp/io_uring_complete")
int layer_uring_complete(void *ctx)
{
	return uring_end(ARGUMENTS(ctx)[1]);
}

SEC("raw_tp/jbd2_start_commit")
int layer_commit(void *ctx)
{
	const struct journal_s *journal = (const struct journal_s *)ARGUMENTS(ctx)[0];

	return commit_begin(journal_dev(journal), (__u64)BPF_CORE_READ(journal, j_private));
}

SEC("raw_tp/jbd2_end_commit")
int layer_committed(void *ctx)
{
	return commit_end(journal_dev((const struct journal_s *)ARGUMENTS(ctx)[0]));
}

/* Where the kernel has no BTF of modules. */
SEC("tracepoint/jbd2/jbd2_start_commit")
int layer_commit_event(const struct commit_event *event)
{
	return commit_begin(event->dev, 0);
}

SEC("tracepoint/jbd2/jbd2_end_commit")
int layer_committed_event(const struct commit_event *event)
{
	return commit_end(event->dev);
}

/*
 * Probes of kernel functions: each begin pushes a frame, each end pops one. One program serves many
 * functions: by kprobe.multi since 5.18, else by a kprobe each.
 */
#define BEGIN(name, PROBE)                                                         \
	SEC("kprobe")                                                              \
	int name(struct pt_regs *ctx)                                              \
	{                                                                          \
		return probe_begin(ABI_PROBE_##PROBE, PT_REGS_PARM1(ctx),          \
				   PT_REGS_SP(ctx), PT_REGS_IP(ctx));              \
	}

BEGIN(layer_vfs_read, VFS_READ)
BEGIN(layer_vfs_write, VFS_WRITE)
BEGIN(layer_vfs_fsync, VFS_FSYNC)
BEGIN(layer_vfs_fsync_fd, VFS_FSYNC_FD)
BEGIN(layer_vfs_open, VFS_OPEN)
BEGIN(layer_fs_read, FS_READ)
BEGIN(layer_fs_write, FS_WRITE)
BEGIN(layer_fs_fsync, FS_FSYNC)
BEGIN(layer_fs_open, FS_OPEN)

SEC("kretprobe")
int layer_vfs_left(struct pt_regs *ctx)
{
	return leave(0);
}

SEC("kretprobe")
int layer_fs_left(struct pt_regs *ctx)
{
	return leave(1);
}

/*
 * The same by fentry and fexit, which cost least. Each pair of programs is for one function, chosen
 * before loading; user space says which kind of function it is.
 */
const volatile __u8 slot_probe[ABI_LAYER_SLOTS];	/* enum abi_probe */

#define SLOT(n)                                                          \
	SEC("?fentry")                                                   \
	int layer_begin_##n(__u64 *ctx)                                  \
	{                                                                \
		return probe_begin(slot_probe[n], argument(ctx, 0), 0, 0); \
	}                                                                \
	SEC("?fexit")                                                    \
	int layer_end_##n(__u64 *ctx)                                    \
	{                                                                \
		return leave(slot_probe[n] >= ABI_PROBE_FS_READ);        \
	}

SLOT(0)
SLOT(1)
SLOT(2)
SLOT(3)
SLOT(4)
SLOT(5)
SLOT(6)
SLOT(7)
SLOT(8)
SLOT(9)
SLOT(10)
SLOT(11)
SLOT(12)
SLOT(13)
SLOT(14)
SLOT(15)

SEC("tp_btf/sched_switch")
int layer_switch(__u64 *ctx)
{
	struct task_struct *prev = (struct task_struct *)ctx[1],
			   *next = (struct task_struct *)ctx[2];
	struct layer_task *t;

	if (!sleeps_seen)
		sleeps_seen = true;
	if (!(task_state(prev) & TASK_UNINTERRUPTIBLE))
		;
	else if (!BPF_CORE_READ_BITFIELD(prev, in_iowait))
		fsync_sleeps(prev);
	else if (layers_enabled & 1u << ABI_LAYER_CACHE)
		page_wait_begin(ctx, prev);
	t = layer_task_of(next, false);
	if (!t)
		return 0;
	if (t->asleep)
		fsync_wakes(t);
	page_wait_end(t, next);
	return 0;
}

SEC("tp_btf/mm_filemap_fault")
int layer_fault(__u64 *ctx)
{
	return fault_remember(argument(ctx, 0));
}

/* Before 6.11: a page that is read for a fault is added to the page cache. */
SEC("tp_btf/mm_filemap_add_to_page_cache")
int layer_page(__u64 *ctx)
{
	struct layer_task *t = layer_task(false);

	/* Mostly it is added for a call; a fault within a call counts as the call. */
	if (t && t->frame[FRAME_CALL].start)
		return 0;
	return fault_remember((__u64)BPF_CORE_READ((const struct page *)argument(ctx, 0), mapping));
}

/* Writes what is going on in each task. */
SEC("iter/task")
int layer_running(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct layer_task *t = task ? layer_task_of(task, false) : NULL;

	if (!t)
		return 0;
	for (int i = 0; i < FRAME_COUNT; i++) {
		struct abi_layer_running out = { .start = t->frame[i].start,
						 .entry = t->frame[i].entry };

		if (i == FRAME_CALL && out.start && !out.entry)
			out.entry = opening_goes_on(t, task);
		if (out.start && out.entry)
			bpf_seq_write(ctx->meta->seq, &out, sizeof(out));
	}
	return 0;
}

/* Read once, when the others are attached. */
SEC("iter/task")
int layer_began_before(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;

	return task ? note_call_before(task) : 0;
}

TWO_FORMS(layer_bio_queue, block_bio_queue, on_bio_queue, 1)
TWO_FORMS(layer_rq_issue, block_rq_issue, on_issue, 1)

SEC("tp_btf/block_rq_complete")
int layer_rq_complete(__u64 *ctx)
{
	volatile __u32 *running = in_completion();

	if (running)
		*running = 1;
	on_rq_complete(argument(ctx, 0), ctx[2]);
	if (running)
		*running = 0;
	return 0;
}

/* The fallback program: completions that interrupt the program above. */
SEC("tp_btf/block_rq_complete")
int layer_rq_fallback(__u64 *ctx)
{
	volatile __u32 *running = in_completion();

	return running && *running ? on_rq_complete(argument(ctx, 0), ctx[2]) : 0;
}

/* Bios of drivers without requests have no queue; those of paths end at their disk, too. */
SEC("tp_btf/block_bio_complete")
int layer_bio_complete(__u64 *ctx)
{
	const struct bio *bio = (const struct bio *)ctx[1];
	__u64 key = argument(ctx, 1), queued;
	struct inflight *n = bpf_map_lookup_elem(&inflight, &key);
	const struct gendisk *disk = bio_gendisk(bio);

	path_learn((__u64)disk, argument(ctx, 0));
	if (!n || !disk || !gendisk_bio_based(disk))
		return 0;
	queued = n->queued;
	n->queued = 0;
	return disk_ended(gendisk_dev(disk),
			  layer_op_of(op_of(BPF_CORE_READ(bio, bi_opf), bio_was_empty(bio))),
			  queued, 0, bpf_ktime_get_ns());
}

FILL_PUSH(layer_free)

/* It is the only queue. */
_always_ __u32 layer_push(__u32 queue, __u32 first, __u32 n)
{
	(void)queue;
	return layer_free_push(first, n);
}

FILL_PROGRAM(layer_fill, layer_push)

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long it takes at each layer: system calls on files that lie on storage, the file system, the queue of the disk, the device.
 * Attached only while somebody looks.
 */
#include "bpf/abi.h"
#include "bpf/file.h"
#include "bpf/fsync.h"
#include "bpf/function.h"
#include "bpf/kernel.h"
#include "bpf/layer.h"
#include "bpf/uring.h"

char LICENSE[] SEC("license") = "GPL";

/* The file behind a number of the current task, by address; 0: none. */
_always_ __u64 file_of(__u64 fd)
{
	const struct task_struct___files *task;
	const struct files_struct *files;
	const struct fdtable *fdt;
	__u64 file = 0, array;

	if (has_task_storage) {
		task = (const void *)bpf_get_current_task_btf();
		files = task->files;
		fdt = files ? files->fdt : NULL;
		if (!fdt || (__u32)fd >= fdt->max_fds)
			return 0;
		array = (__u64)fdt->fd;
	} else {
		task = (const void *)bpf_get_current_task();
		fdt = BPF_CORE_READ(task, files, fdt);
		if (!fdt || (__u32)fd >= BPF_CORE_READ(fdt, max_fds))
			return 0;
		array = (__u64)BPF_CORE_READ(fdt, fd);
	}
	bpf_probe_read_kernel(&file, sizeof(file), (const void *)(array + (__u32)fd * 8ull));
	return file;
}

_always_ __u32 fd_place(struct layer_task *t, __u64 fd, __u32 op)
{
	const struct file *file = (const struct file *)file_of(fd);

	if (!file)
		return 0;
	return inode_place(t, (__u64)BPF_CORE_READ(file, f_inode), LAYER_WHAT(ABI_LAYER_SYSCALL, op, 0));
}

SEC("tp_btf/sys_enter")
int layer_call(__u64 *ctx)
{
	const struct pt_regs___call *regs = (const void *)ctx[0];
	__u64 number = ctx[1], fd;
	struct layer_task *t;
	__u32 op, file, place = 0;

	if (number >= ABI_CALLS || !calls[number].wanted || CALL_FOREIGN(regs) || !task_wanted())
		return 0;
	t = layer_task(true);
	if (!t)
		return 0;
	t->frame[FRAME_CALL].start = 0;
	/* Whatever was missed on the way before. */
	t->depth[0] = t->depth[1] = 0;
	op = calls[number].op;
	file = calls[number].file;
	if (file == ABI_CALL_FD) {
		fd = CALL_ARGUMENT(regs);
		place = fd_place(t, fd, op);
		if (!place)
			return 0;
	} else if (file == ABI_CALL_NO_FILE) {
		place = layer_place(0, LAYER_WHAT(ABI_LAYER_SYSCALL, op, 0), 0);
	}
	t->frame[FRAME_CALL].place = place;
	t->frame[FRAME_CALL].op = op;
	t->frame[FRAME_CALL].start = bpf_ktime_get_ns();
	return 0;
}

/* File systems by their own tracepoints, which need no BTF of a module. */
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

/* From 6.4 on; before that the next. */
SEC("raw_tp/io_uring_submit_req")
int layer_uring_submit(void *ctx)
{
	return uring_begin(ARGUMENTS(ctx)[0]);
}

SEC("raw_tp/io_uring_submit_sqe")
int layer_uring_sqe(void *ctx)
{
	return uring_begin(ARGUMENTS(ctx)[0]);
}

SEC("raw_tp/io_uring_complete")
int layer_uring_complete(void *ctx)
{
	return uring_end(ARGUMENTS(ctx)[1]);
}

SEC("raw_tp/jbd2_start_commit")
int layer_commit(void *ctx)
{
	return commit_begin(ARGUMENTS(ctx)[0]);
}

SEC("raw_tp/jbd2_end_commit")
int layer_committed(void *ctx)
{
	return commit_end(ARGUMENTS(ctx)[0]);
}

/*
 * Where the kernel lets functions be probed: each begin pushes a frame, each end pops one. As kprobes, of which many go to one
 * program where the kernel can do that (5.18).
 */
SEC("kprobe")
int layer_vfs_read(struct pt_regs *ctx)
{
	return enter_file(PT_REGS_PARM1(ctx), LAYER_WHAT(ABI_LAYER_VFS, ABI_LAYER_READ, 0));
}

SEC("kprobe")
int layer_vfs_write(struct pt_regs *ctx)
{
	return enter_file(PT_REGS_PARM1(ctx), LAYER_WHAT(ABI_LAYER_VFS, ABI_LAYER_WRITE, 0));
}

SEC("kprobe")
int layer_vfs_fsync(struct pt_regs *ctx)
{
	return enter_file(PT_REGS_PARM1(ctx), LAYER_WHAT(ABI_LAYER_VFS, ABI_LAYER_FSYNC, 0));
}

SEC("kprobe")
int layer_vfs_open(struct pt_regs *ctx)
{
	const struct path *path = (const struct path *)PT_REGS_PARM1(ctx);

	return enter((__u64)BPF_CORE_READ(path, dentry, d_inode), LAYER_WHAT(ABI_LAYER_VFS, ABI_LAYER_OPEN, 0));
}

SEC("kprobe")
int layer_fs_read(struct pt_regs *ctx)
{
	const struct kiocb *iocb = (const struct kiocb *)PT_REGS_PARM1(ctx);

	return enter_file((__u64)BPF_CORE_READ(iocb, ki_filp), LAYER_WHAT(ABI_LAYER_FS, ABI_LAYER_READ, 0));
}

SEC("kprobe")
int layer_fs_write(struct pt_regs *ctx)
{
	const struct kiocb *iocb = (const struct kiocb *)PT_REGS_PARM1(ctx);

	return enter_file((__u64)BPF_CORE_READ(iocb, ki_filp), LAYER_WHAT(ABI_LAYER_FS, ABI_LAYER_WRITE, 0));
}

SEC("kprobe")
int layer_fs_fsync(struct pt_regs *ctx)
{
	return enter_file(PT_REGS_PARM1(ctx), LAYER_WHAT(ABI_LAYER_FS, ABI_LAYER_FSYNC, 0));
}

SEC("kprobe")
int layer_fs_open(struct pt_regs *ctx)
{
	return enter(PT_REGS_PARM1(ctx), LAYER_WHAT(ABI_LAYER_FS, ABI_LAYER_OPEN, 0));
}

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

SEC("tp_btf/sys_exit")
int layer_return(__u64 *ctx)
{
	struct layer_task *t = layer_task(false);
	struct layer_frame *f;
	__u64 now;

	if (!t || !t->frame[FRAME_CALL].start)
		return 0;
	now = bpf_ktime_get_ns();
	f = &t->frame[FRAME_CALL];
	if (!f->place && (__s64)ctx[1] >= 0)
		f->place = fd_place(t, ctx[1], f->op);
	frame_end(f, now);
	/* A file system that tells only when it begins is done when the call is. */
	frame_end(&t->frame[FRAME_FS], now);
	return 0;
}

/* What of the tasks still runs. */
SEC("iter/task")
int layer_running(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct layer_task_key key = {};
	struct layer_task *t;

	if (!task)
		return 0;
	if (has_task_storage) {
		t = bpf_task_storage_get(&layer_tasks, task, 0, 0);
	} else {
		key.tid = (__u32)task->pid;
		key.start = task->start_boottime;
		t = bpf_map_lookup_elem(&layer_task_hash, &key);
	}
	if (!t)
		return 0;
	for (int i = 0; i < FRAME_COUNT; i++) {
		struct abi_layer_running out = { .start = t->frame[i].start, .place = t->frame[i].place };

		if (out.start && out.place)
			bpf_seq_write(ctx->meta->seq, &out, sizeof(out));
	}
	return 0;
}

/* When a bio was queued, and when the request that carries it went to the device. By the bio's address, or that of the request. */
struct note {
	__u64 queued, issued;	/* 0: not known */
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 32768);
	__type(key, __u64);
	__type(value, struct note);
} notes SEC(".maps");

/* Is the program for ends of requests running on this processor? Since 6.1 it does not run again there: see layer_rq_nested(). */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} inside SEC(".maps");

/* An argument as a number: as a pointer it could not be a key. */
_always_ __u64 argument(void *ctx, int i)
{
	__u64 v = 0;

	bpf_probe_read_kernel(&v, sizeof(v), (__u64 *)ctx + i);
	return v;
}

__noinline int note_queued(__u64 bio)
{
	struct note fresh = { .queued = bpf_ktime_get_ns() }, *n = bpf_map_lookup_elem(&notes, &bio);

	if (n)
		*n = fresh;
	else
		bpf_map_update_elem(&notes, &bio, &fresh, BPF_ANY);
	return 0;
}

_always_ int on_bio_queue(__u64 address)
{
	const struct bio *bio = (const struct bio *)address;

	if (layers_wanted & 1u << ABI_LAYER_FS &&
	    op_of(BPF_CORE_READ(bio, bi_opf), !BPF_CORE_READ(bio, bi_iter.bi_size)) == ABI_FLUSH)
		fsync_flushes();
	return note_queued(address);
}

SEC("tp_btf/block_bio_queue")
int layer_bio_queue(__u64 *ctx)
{
	return on_bio_queue(argument(ctx, 0));
}

/* Before 5.11 the queue came first. */
SEC("tp_btf/block_bio_queue")
int layer_bio_queue_q(__u64 *ctx)
{
	return on_bio_queue(argument(ctx, 1));
}

__noinline int on_issue(__u64 request)
{
	const struct request *rq = (const struct request *)request;
	__u64 key = (__u64)BPF_CORE_READ(rq, bio);
	struct note fresh = {}, *n;

	if (!key)
		key = request;
	n = bpf_map_lookup_elem(&notes, &key);
	if (n) {
		n->issued = bpf_ktime_get_ns();
		return 0;
	}
	fresh.issued = bpf_ktime_get_ns();
	bpf_map_update_elem(&notes, &key, &fresh, BPF_ANY);
	return 0;
}

SEC("tp_btf/block_rq_issue")
int layer_rq_issue(__u64 *ctx)
{
	return on_issue(argument(ctx, 0));
}

SEC("tp_btf/block_rq_issue")
int layer_rq_issue_q(__u64 *ctx)
{
	return on_issue(argument(ctx, 1));
}

_always_ __u32 layer_op_of(__u32 op)
{
	switch (op) {
	case ABI_READ:
		return ABI_LAYER_READ;
	case ABI_WRITE:
		return ABI_LAYER_WRITE;
	case ABI_DISCARD:
		return ABI_LAYER_DISCARD;
	case ABI_FLUSH:
		return ABI_LAYER_FLUSH;
	default:
		return ABI_LAYER_OTHER;
	}
}

_always_ void count_at(__u32 dev, __u32 layer, __u32 op, __u64 from, __u64 to)
{
	if (layers_wanted & 1u << layer)
		layer_count(layer_place(dev, LAYER_WHAT(layer, op, 0), 0), to > from ? to - from : 0);
}

/* A request ended that was queued and issued (0: not known) then. */
__noinline int disk_ended(__u32 dev, __u32 op, __u64 queued, __u64 issued, __u64 now)
{
	if (issued && (!queued || queued > issued))
		queued = issued;
	if (!queued)
		return 0;
	if (issued)
		count_at(dev, ABI_LAYER_QUEUE, op, queued, issued);
	else
		issued = queued;
	count_at(dev, ABI_LAYER_DEVICE, op, issued, now);
	return 0;
}

/*
 * Runs at each partial completion; counted is the last one. In a flush sequence it runs with no bytes for the steps, and once more
 * for the whole at its end; the request that flushes has no bio.
 */
__noinline int on_rq_complete(__u64 request, __u32 bytes)
{
	const struct request *rq = (const struct request *)request;
	__u64 now = bpf_ktime_get_ns(), bio = (__u64)BPF_CORE_READ(rq, bio), key = bio ? bio : request;
	__u64 queued = BPF_CORE_READ(rq, start_time_ns), issued = BPF_CORE_READ(rq, io_start_time_ns);
	const struct gendisk *disk = request_gendisk(rq);
	struct note *n;

	if (!disk || bytes < BPF_CORE_READ(rq, __data_len) || (bio && flags_of_flush_sequence(BPF_CORE_READ(rq, rq_flags))))
		return 0;
	n = bpf_map_lookup_elem(&notes, &key);
	if (n) {
		if (n->queued)
			queued = n->queued;
		if (n->issued)
			issued = n->issued;
		n->queued = n->issued = 0;
	}
	return disk_ended(gendisk_dev(disk), layer_op_of(op_of(BPF_CORE_READ(rq, cmd_flags), false)), queued, issued, now);
}

_always_ volatile __u32 *here(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&inside, &zero);
}

SEC("tp_btf/block_rq_complete")
int layer_rq_complete(__u64 *ctx)
{
	volatile __u32 *running = here();

	if (running)
		*running = 1;
	on_rq_complete(argument(ctx, 0), ctx[2]);
	if (running)
		*running = 0;
	return 0;
}

/* Ends that interrupt the program above, which does not run for them. */
SEC("tp_btf/block_rq_complete")
int layer_rq_nested(__u64 *ctx)
{
	volatile __u32 *running = here();

	return running && *running ? on_rq_complete(argument(ctx, 0), ctx[2]) : 0;
}

/* Bios of drivers without requests have no queue. */
SEC("tp_btf/block_bio_complete")
int layer_bio_complete(__u64 *ctx)
{
	const struct bio *bio = (const struct bio *)ctx[1];
	__u64 key = argument(ctx, 1), queued;
	struct note *n = bpf_map_lookup_elem(&notes, &key);
	const struct gendisk *disk = bio_gendisk(bio);

	if (!n || !disk || !gendisk_bio_based(disk))
		return 0;
	queued = n->queued;
	n->queued = 0;
	/* What is left of a bio that is done tells no more whether it was empty. */
	return disk_ended(gendisk_dev(disk), layer_op_of(op_of(BPF_CORE_READ(bio, bi_opf), false)), queued, 0,
			  bpf_ktime_get_ns());
}

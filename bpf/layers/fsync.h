/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tracepoints of file systems, and the parts of an fsync(): its own data, a commit of the journal,
 * a flush of the disk. When commits run and when the task sends a flush is known, but not whether
 * it needs any of these commits: what it has to write may be no change of metadata, or one that is
 * committed already. Where it needs one, it sleeps until that has ended (jbd2_log_wait_commit()
 * and those that wait for a handle call schedule(), all that wait for the disk io_schedule()). It
 * is the same with xfs, which has no tracepoint for what is a commit there (xlog_wait()).
 */
#ifndef IOTOP_BPF_LAYERS_FSYNC_H
#define IOTOP_BPF_LAYERS_FSYNC_H

#include "bpf/layers/caller.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct journal_s {
	struct block_device *j_fs_dev;
	void *j_private;	/* ext4: the super_block */
};

#pragma clang attribute pop

/* Commits of a journal, by the device of the file system. Times are ns of CLOCK_MONOTONIC. */
struct commit {
	__u64 start;	/* of the one that runs; 0: none */
	__u64 last_start, last_end;	/* of the last one that ended; 0: none did */
};

LRU_MAP(commits, 256, __u32, struct commit);

volatile bool sleeps_seen;	/* the program at sched_switch runs */

/*
 * jbd2_start_commit and jbd2_end_commit as events of tracefs: their record needs no BTF of the
 * module.
 */
struct commit_event {
	__u64 common;
	__u32 dev;
};

_always_ __u32 journal_dev(const struct journal_s *journal)
{
	return BPF_CORE_READ(journal, j_fs_dev, bd_dev);
}

/*
 * The entry for a part of an operation, at the file system or below it, for the same device as the
 * entry of the operation.
 */
__noinline __u32 entry_beside(__u32 entry, __u32 layer, __u32 op)
{
	struct abi_layer_entry *p = bpf_map_lookup_elem(&layer_entries, &entry), *made;
	__u32 found;

	if (!entry || !p)
		return 0;
	found = layer_entry(p->key.dev, LAYER_WHAT(layer, op, p->key.is_block), 0);
	made = bpf_map_lookup_elem(&layer_entries, &found);
	if (found && made && !made->fs[0])
		__builtin_memcpy(made->fs, p->fs, sizeof(made->fs));
	return found;
}

/*
 * The entry for commits. Where the super_block is not known, by the name that fsync() calls on the
 * device have.
 */
_always_ __u32 commit_entry(__u32 dev, __u64 sb)
{
	struct abi_layer_key calls = { .dev = dev,
				       .layer = ABI_LAYER_SYSCALL,
				       .op = ABI_LAYER_FSYNC };
	__u32 *beside = sb ? NULL : bpf_map_lookup_elem(&layer_index, &calls);

	if (beside)
		return entry_beside(*beside, ABI_LAYER_FS, ABI_LAYER_COMMIT);
	return layer_entry(dev, LAYER_WHAT(ABI_LAYER_FS, ABI_LAYER_COMMIT, 0), sb);
}

/*
 * Runs in the thread of the journal. dev: of the file system; sb: address of its super_block, 0:
 * not known.
 */
__noinline int commit_begin(__u32 dev, __u64 sb)
{
	struct commit *c = bpf_map_lookup_elem(&commits, &dev),
		      fresh = { .start = bpf_ktime_get_ns() };
	struct layer_task *t = layer_task(true);

	if (c)
		c->start = fresh.start;
	else
		bpf_map_update_elem(&commits, &dev, &fresh, BPF_ANY);
	if (!t)
		return 0;
	t->frame[FRAME_FS].entry = task_selected() ? commit_entry(dev, sb) : 0;
	t->frame[FRAME_FS].op = ABI_LAYER_COMMIT;
	t->frame[FRAME_FS].ino = 0;
	t->frame[FRAME_FS].start = fresh.start;
	return 0;
}

__noinline int commit_end(__u32 dev)
{
	struct commit *c = bpf_map_lookup_elem(&commits, &dev);
	struct layer_task *t = layer_task(false);
	__u64 now = bpf_ktime_get_ns();

	if (c) {
		c->last_start = c->start;
		c->last_end = now;
		c->start = 0;
	}
	if (t)
		frame_end(&t->frame[FRAME_FS], now);
	return 0;
}

_always_ bool is_fsync(const struct layer_frame *f)
{
	return f->start && f->op == ABI_LAYER_FSYNC;
}

/* An fsync() begins: none of its parts has been seen. */
_always_ void steps_begin(struct layer_task *t)
{
	t->flush = t->asleep = t->commit_ns = 0;
}

/* The file system has begun the operation of the system call. It ends with the call. */
__noinline int fs_begin(__u32 op)
{
	struct layer_task *t = layer_task(false);
	struct layer_frame *f;

	if (!t || !t->frame[FRAME_CALL].start || t->frame[FRAME_FS].start)
		return 0;
	f = &t->frame[FRAME_FS];
	f->entry = entry_beside(t->frame[FRAME_CALL].entry, ABI_LAYER_FS, op);
	f->ino = t->frame[FRAME_CALL].ino;
	f->sdev = t->frame[FRAME_CALL].sdev;
	f->op = op;
	steps_begin(t);
	f->start = f->entry ? bpf_ktime_get_ns() : 0;
	return 0;
}

/* An fsync() whose end has a tracepoint, too. */
__noinline int fsync_begin(__u64 inode)
{
	struct layer_task *t = task_selected() ? layer_task(true) : NULL;
	struct layer_frame *f;

	if (!t)
		return 0;
	f = &t->frame[FRAME_FS];
	f->entry = inode_entry(t, inode, LAYER_WHAT(ABI_LAYER_FS, ABI_LAYER_FSYNC, 0));
	f->op = ABI_LAYER_FSYNC;
	frame_file(f, inode);
	steps_begin(t);
	f->start = f->entry ? bpf_ktime_get_ns() : 0;
	return 0;
}

/* The current task sends a flush to a disk. */
__noinline int fsync_flushes(void)
{
	struct layer_task *t = layer_task(false);

	if (t && is_fsync(&t->frame[FRAME_FS]) && !t->flush)
		t->flush = bpf_ktime_get_ns();
	return 0;
}

/* The frame of the fsync(): inner is that of a file system below another. */
_always_ struct layer_frame *fsync_frame(struct layer_task *t, __u32 inner)
{
	return inner ? &t->frame[FRAME_FS_INNER] : &t->frame[FRAME_FS];
}

/* The frame of the file system that an fsync() is in, the lower one of two. NULL: it is in none. */
_always_ struct layer_frame *fsync_now(struct layer_task *t)
{
	if (is_fsync(&t->frame[FRAME_FS_INNER]))
		return &t->frame[FRAME_FS_INNER];
	return is_fsync(&t->frame[FRAME_FS]) ? &t->frame[FRAME_FS] : NULL;
}

_always_ const struct abi_layer_entry *entry_of(const struct layer_frame *f)
{
	__u32 entry = f->entry;

	return bpf_map_lookup_elem(&layer_entries, &entry);
}

_always_ struct commit *commits_of(const struct abi_layer_entry *p)
{
	__u32 dev = p->key.dev;

	return bpf_map_lookup_elem(&commits, &dev);
}

/* Whether all sleeps of an fsync() that are not for I/O are for commits, of which nothing tells. */
_always_ bool sleeps_for_log(const struct abi_layer_entry *p)
{
	return p->fs[0] == 'x' && p->fs[1] == 'f' && p->fs[2] == 's' && !p->fs[3];
}

/* A task is switched out that sleeps, not for I/O. */
_always_ void fsync_sleeps(struct task_struct *task)
{
	struct layer_task *t = layer_task_of(task, false);

	/* From the flush on all is the flush. */
	if (t && !t->flush && fsync_now(t))
		t->asleep = bpf_ktime_get_ns();
}

/*
 * It is switched in again. What it slept while a commit ran or ended is for that: an fsync() sleeps
 * for little else. Which of two that ended in this time it was matters for its begin only.
 */
_always_ void fsync_wakes(struct layer_task *t)
{
	const struct layer_frame *f = fsync_now(t);
	const struct abi_layer_entry *p = f ? entry_of(f) : NULL;
	const struct commit *c = p ? commits_of(p) : NULL;
	__u64 asleep = t->asleep, now, began;

	t->asleep = 0;
	if (!p || (!c && !sleeps_for_log(p)))
		return;
	now = bpf_ktime_get_ns();
	began = !c ? now : c->last_end > asleep ? c->last_start : c->start;
	if (!began || now <= asleep)
		return;
	t->commit_began = began;
	t->commit_ns += now - asleep;
}

/*
 * Counts one part. A global function with numbers only, as the next: the verifier verifies each
 * once, not all paths through both.
 */
__noinline int fsync_step(__u32 inner, __u32 op, __u64 from, __u64 to)
{
	struct layer_task *t = layer_task(false);
	struct layer_frame *f;
	__u32 entry;

	if (!t || to <= from)
		return 0;
	f = fsync_frame(t, inner);
	entry = entry_beside(f->entry, ABI_LAYER_FS, op);
	layer_count(entry, to - from);
	if (callers_enabled)
		caller_count(current_address(), f, entry, to - from, 0);
	return 0;
}

/*
 * Splits an fsync() of the current task, which began at start and has just ended, into its parts.
 */
__noinline int fsync_steps(__u32 inner, __u64 start, __u64 now)
{
	struct layer_task *t = layer_task(false);
	const struct abi_layer_entry *p = t ? entry_of(fsync_frame(t, inner)) : NULL;
	__u64 flush, waited, until;

	if (!t || !p)
		return 0;
	flush = t->flush;
	until = flush ? flush : now;
	/* Where no commit is known, or no sleep, only the flush can be told. */
	if (sleeps_seen && (commits_of(p) || sleeps_for_log(p))) {
		waited = t->commit_ns;
		fsync_step(inner, t->commit_began > start ? ABI_LAYER_JOURNAL : ABI_LAYER_JOINED,
			   until - waited, until);
		fsync_step(inner, ABI_LAYER_DATA, start, until - waited);
	}
	if (flush)
		fsync_step(inner, ABI_LAYER_FLUSH, flush, now);
	return 0;
}

/* Ends what the current task does in a file system, the one below another if inner is 1. */
__noinline int fs_end(__u32 inner, __u64 now)
{
	struct layer_task *t = layer_task(false);
	struct layer_frame *f;
	__u64 start;

	if (!t)
		return 0;
	f = fsync_frame(t, inner);
	start = f->start;
	if (!start)
		return 0;
	frame_end(f, now);
	return f->op == ABI_LAYER_FSYNC ? fsync_steps(inner, start, now) : 0;
}

__noinline int fsync_end(void)
{
	struct layer_task *t = layer_task(false);

	return t && is_fsync(&t->frame[FRAME_FS]) ? fs_end(0, bpf_ktime_get_ns()) : 0;
}

#endif

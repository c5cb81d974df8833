// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a wait was for, in one phrase: from the functions it was in and the request that ended it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "base/macro.h"
#include "base/units.h"
#include "data/model.h"
#include "data/stack/offcpu.h"
#include "data/stack/stack.h"
#include "data/task/task.h"

static const char idle_reason[] = N_("idle worker");
/* A page that was evicted a short time ago and is read back. */
static const char refault_reason[] = N_("refault");
/* The request passed late. */
static const char limit_reason[] = N_("limit");
static const char fuse_reason[] = N_("fuse server");

/*
 * By the beginning of a function's name. What a lower rank says goes before what a higher one says,
 * wherever it is in the stack: a wait for a page inside of a commit is one for the commit. Of equal
 * rank the innermost function counts. Where it is known that a lock was waited for, only rank 0
 * says more.
 */
#define RANKS 3
static const struct {
	unsigned rank;
	const char *function, *reason;
} reasons[] = {
	{ 0, "balance_dirty_pages", N_("dirty throttling") },
	{ 0, "jbd2_log_wait_commit", N_("journal commit") },
	{ 0, "jbd2_complete_transaction", N_("journal commit") },
	{ 0, "wait_transaction_locked", N_("journal commit") },
	{ 0, "wait_transaction_switching", N_("journal commit") },
	{ 0, "add_transaction_credits", N_("room in the journal") },
	{ 0, "jbd2_log_wait_for_space", N_("room in the journal") },
	{ 0, "__jbd2_log_wait_for_space", N_("room in the journal") },
	{ 0, "jbd2_journal_commit_transaction", N_("writing the journal") },
	{ 0, "xlog_wait_on_iclog", N_("log of xfs") },
	{ 0, "xfs_log_force", N_("log of xfs") },
	{ 0, "xlog_grant_head", N_("room in the log of xfs") },
	{ 0, "btrfs_wait_for_commit", N_("commit of btrfs") },
	{ 0, "btrfs_commit_transaction", N_("commit of btrfs") },
	{ 0, "wait_current_trans", N_("commit of btrfs") },
	{ 0, "folio_wait_writeback", N_("writeback of a page") },
	{ 0, "wait_on_page_writeback", N_("writeback of a page") },
	{ 0, "__filemap_fdatawait_range", N_("writeback of a page") },
	{ 0, "folio_wait_stable", N_("writeback of a page") },
	{ 0, "wb_wait_for_completion", N_("writeback") },
	{ 0, "sync_inodes_sb", N_("writeback") },
	{ 0, "ioc_rqos_throttle", limit_reason },
	{ 0, "blkcg_iolatency_throttle", limit_reason },
	{ 0, "blkcg_maybe_throttle_", limit_reason },
	{ 1, "wbt_wait", N_("throttling of writeback") },
	{ 1, "rq_qos_wait", N_("throttling of the disk") },
	{ 1, "rq_qos_throttle", N_("throttling of the disk") },
	{ 1, "blk_mq_get_tag", N_("a free request") },
	{ 0, "mnt_want_write", N_("frozen file system") },
	{ 0, "__sb_start_write", N_("frozen file system") },
	{ 0, "blkdev_issue_flush", N_("flush of the disk") },
	{ 0, "swap_readpage", N_("swap-in") },
	{ 0, "swap_read_folio", N_("swap-in") },
	{ 0, "do_swap_page", N_("swap-in") },
	{ 0, "mem_cgroup_handle_over_high", N_("memory.high") },
	{ 0, "__mem_cgroup_handle_over_high", N_("memory.high") },
	{ 0, "reclaim_throttle", N_("memory reclaim") },
	{ 0, "throttle_direct_reclaim", N_("memory reclaim") },
	{ 0, "rpc_wait_bit_killable", N_("nfs server") },
	{ 0, "nfs_wait", N_("nfs server") },
	{ 0, "nfs4_wait", N_("nfs server") },
	{ 0, "nfs4_delay", N_("nfs server") },
	{ 0, "request_wait_answer", fuse_reason },
	{ 0, "fuse_get_req", fuse_reason },
	{ 0, "fuse_wait_", fuse_reason },
	{ 0, "p9_client_rpc", N_("9p server") },
	{ 0, "p9_client_zc_rpc", N_("9p server") },
	{ 0, "p9_virtio_", N_("9p server") },
	{ 0, "wait_for_response", N_("smb server") },
	{ 0, "cifs_send_recv", N_("smb server") },
	{ 0, "compound_send_recv", N_("smb server") },
	{ 0, "ceph_mdsc_wait_request", N_("ceph server") },
	{ 0, "ceph_osdc_wait_request", N_("ceph server") },
	{ 1, "shrink_", N_("memory reclaim") },
	{ 1, "try_to_free_pages", N_("memory reclaim") },
	{ 1, "try_to_free_mem_cgroup_pages", N_("memory reclaim") },
	{ 1, "filemap_fault", N_("page of a file") },
	{ 1, "filemap_update_page", N_("page of a file") },
	{ 1, "filemap_get_pages", N_("page of a file") },
	{ 2, "netfs_", N_("page") },
	{ 2, "__lock_buffer", N_("buffer of the file system") },
	{ 2, "__wait_on_buffer", N_("buffer of the file system") },
	/* Compilers put it into its callers, and functions of the scheduler are no frames. */
	{ 2, "__sync_dirty_buffer", N_("buffer of the file system") },
	{ 2, "write_dirty_buffer", N_("buffer of the file system") },
	{ 2, "__bread_gfp", N_("buffer of the file system") },
	{ 2, "__bh_read", N_("buffer of the file system") },
	{ 2, "ext4_read_bh", N_("buffer of the file system") },
	{ 1, "iomap_dio_rw", N_("direct I/O") },
	{ 1, "__iomap_dio_rw", N_("direct I/O") },
	{ 1, "blkdev_direct_IO", N_("direct I/O") },
	{ 1, "__blkdev_direct_IO", N_("direct I/O") },
	{ 1, "read_events", N_("asynchronous I/O") },
	{ 1, "io_cqring_wait", N_("asynchronous I/O") },
	{ 1, "flock_lock_inode_wait", N_("file lock") },
	{ 1, "locks_lock_inode_wait", N_("file lock") },
	{ 1, "fcntl_setlk", N_("file lock") },
	{ 1, "posix_lock_inode_wait", N_("file lock") },
	{ 1, "cgroup_", N_("lock") },
	{ 1, "rwsem_down_", N_("lock") },
	{ 1, "__mutex_lock", N_("lock") },
	{ 1, "mutex_lock", N_("lock") },
	{ 1, "__rt_mutex", N_("lock") },
	{ 2, "percpu_rwsem_wait", N_("lock, or frozen file system") },
	{ 2, "__folio_lock", N_("lock of a page") },
	{ 2, "folio_wait_bit", N_("page") },
	{ 0, "__inode_wait_for_writeback", N_("writeback") },
	{ 1, "__flush_work", N_("work of a kernel thread") },
	{ 1, "do_futex", N_("futex") },
	{ 1, "futex_wait", N_("futex") },
	{ 1, "hrtimer_nanosleep", N_("sleep") },
	{ 1, "common_nsleep", N_("sleep") },
	{ 1, "ep_poll", N_("poll") },
	{ 1, "do_epoll_wait", N_("poll") },
	{ 1, "do_sys_poll", N_("poll") },
	{ 1, "do_select", N_("poll") },
	{ 1, "pipe_read", N_("data in a pipe") },
	{ 1, "anon_pipe_read", N_("data in a pipe") },
	{ 1, "pipe_write", N_("room in a pipe") },
	{ 1, "anon_pipe_write", N_("room in a pipe") },
	{ 1, "do_wait", N_("end of a child") },
	{ 1, "unix_stream_read", N_("socket") },
	{ 1, "sk_wait_data", N_("socket") },
	{ 1, "inet_csk_accept", N_("socket") },
	{ 1, "__skb_wait_for_more_packets", N_("socket") },
	{ 1, "n_tty_read", N_("terminal") },
	{ 1, "sigtimedwait", N_("signal") },
	{ 1, "do_sigtimedwait", N_("signal") },
	{ 1, "sigsuspend", N_("signal") },
	{ 1, "synchronize_rcu", N_("RCU grace period") },
	{ 1, "__wait_rcu_gp", N_("RCU grace period") },
	{ 1, "kernel_clone", N_("exec of a child") },
	{ 2, "worker_thread", idle_reason },
	{ 2, "smpboot_thread_fn", idle_reason },
	{ 2, "kthread", idle_reason },
};

/* How functions of file systems begin. */
static const char *const filesystems[] = {
	"ext4_", "ext2_", "xfs_", "btrfs_", "f2fs_", "bch2_", "ovl_", "fuse_", "nfs_", "nfs4_",
		"v9fs_", "ceph_", "cifs_", "smb", "zpl_",
	"gfs2_", "ocfs2_", "jfs_", "fat_", "exfat_", "ntfs", "udf_", "isofs_", "squashfs_",
		"erofs_", "blkdev_fsync", "blkdev_read_iter",
	"blkdev_write_iter",
};

static const char *reason_of(const char *function, unsigned rank)
{
	for (size_t k = 0; k < ARRAY_SIZE(reasons); k++)
		if (reasons[k].rank == rank &&
		    !strncmp(function, reasons[k].function, strlen(reasons[k].function)))
			return reasons[k].reason;
	return NULL;
}

/* The outermost one: what was called of it. */
static const char *filesystem_function(const struct frames *kernel)
{
	for (size_t i = kernel->n; i--; )
		for (size_t k = 0; k < ARRAY_SIZE(filesystems); k++)
			if (!strncmp(kernel->items[i], filesystems[k], strlen(filesystems[k])))
				return kernel->items[i];
	return NULL;
}

/* Who answers for the files of a file system, by how its functions begin. */
static const struct {
	const char *function, *reason;
} servers[] = {
	{ "nfs", N_("nfs server") },   { "fuse_", fuse_reason },
	{ "v9fs_", N_("9p server") },  { "cifs_", N_("smb server") },
	{ "smb", N_("smb server") },   { "ceph_", N_("ceph server") },
};

static bool is_page_wait(const char *reason)
{
	static const char *const pages[] = { "page of a file", "page", "lock of a page",
					     "writeback of a page" };

	for (size_t i = 0; i < ARRAY_SIZE(pages); i++)
		if (!strcmp(reason, pages[i]))
			return true;
	return false;
}

/* Pages that a server sends or takes are waited for as those of a disk are. */
static const char *page_server(const struct frames *kernel)
{
	const char *function = filesystem_function(kernel);

	for (size_t i = 0; function && i < ARRAY_SIZE(servers); i++)
		if (!strncmp(function, servers[i].function, strlen(servers[i].function)))
			return servers[i].reason;
	return NULL;
}

static const char *innermost_reason(const struct frames *kernel, enum wait_lock lock)
{
	for (unsigned rank = 0; kernel && rank < RANKS; rank++) {
		if (rank && (lock == WAIT_MUTEX || lock == WAIT_RWSEM))
			return offcpu_lock_name(lock, kernel);
		for (size_t i = 0; i < kernel->n; i++) {
			const char *reason = reason_of(kernel->items[i], rank);

			if (reason)
				return reason;
		}
	}
	return NULL;
}

const char *offcpu_reason(const struct frames *kernel, enum wait_lock lock)
{
	const char *reason = innermost_reason(kernel, lock);
	const char *server = reason && is_page_wait(reason) ? page_server(kernel) : NULL;

	return server ? server : reason;
}

static bool is_timer(const struct frames *f)
{
	static const char *const names[] = { "hrtimer_wakeup", "call_timer_fn", "process_timeout",
					     "alarm_handle_timer" };

	for (size_t i = 0; f && i < f->n; i++)
		for (size_t k = 0; k < ARRAY_SIZE(names); k++)
			if (!strncmp(f->items[i], names[k], strlen(names[k])))
				return true;
	return false;
}

static void wait_learn(struct offcpu_wait *w, const struct offcpu_row *r)
{
	const struct frames *f = r->stacks[OFFCPU_KERNEL], *waker = r->stacks[OFFCPU_WAKER_KERNEL];
	const char *function = filesystem_function(f);

	/* The waker's stack may get its names later. */
	w->known = waker || !r->stack_ids[OFFCPU_WAKER_KERNEL];
	if (r->lock == WAIT_NO_LOCK && r->waker_kind == WAKER_TASK)
		w->unlocked = offcpu_unlocked(f, waker);
	w->reason = offcpu_reason(f, w->unlocked ? w->unlocked : r->lock);
	free(w->function);
	w->function = function ? mem_strdup(function) : NULL;
}

static void explain_kernel(struct offcpu_row *r, struct model *m)
{
	const struct frames *f = r->stacks[OFFCPU_KERNEL];
	struct offcpu_wait *w = r->wait;
	const char *brief;

	if (!w->known)
		wait_learn(w, r);
	r->reason = w->reason;
	/* Who unlocks, or ends a commit, was the last to hold it. */
	if (w->unlocked) {
		r->lock = w->unlocked;
		r->holder_id = r->waker_id;
		r->holder_tid = r->waker_id.tid;
		r->holder_comm = r->waker_comm;
	}
	if (r->memstall && w->reason && is_page_wait(w->reason))
		r->reason = refault_reason;
	/*
	 * Work was given by whom a request had woken before: that request is not what was waited
	 * for.
	 */
	if (r->via && r->reason == idle_reason)
		r->disk = NULL;
	brief = frames_brief(engine_frames(m->engine), f);
	if (w->function && !strstr(brief, w->function))
		r->path = arena_printf(&m->arena, "%s: %s", w->function, brief);
	else
		r->path = arena_strdup(&m->arena, brief);
}

/* The mount whose server a task called last. */
static const char *fuse_mount(struct model *m, const struct task_id *id)
{
	const struct task_row *t;

	row_each(t, &m->rows[ENTITY_TASK])
		if (t->facts && t->facts->server_dev && !memcmp(&t->id, id, sizeof(*id)))
			return task_server_mount(m, t->facts->server_dev);
	return NULL;
}

/* A request whose end woke the task, where its stack does not say more. */
static const char request_reason[] = N_("request");

void offcpu_explain(struct offcpu_row *r, struct model *m)
{
	struct frames_table *t = engine_frames(m->engine);

	for (unsigned i = 0; i < OFFCPU_STACKS; i++)
		r->stacks[i] = frames_get(t, r->stack_ids[i]);
	if (r->stacks[OFFCPU_KERNEL])
		explain_kernel(r, m);
	else if (r->stacks[OFFCPU_USER])
		r->path = arena_strdup(&m->arena, frames_brief(t, r->stacks[OFFCPU_USER]));
	if (!r->reason && r->disk)
		r->reason = request_reason;
	if (r->limited)
		r->reason = limit_reason;
	if (r->reason == fuse_reason)
		r->server = fuse_mount(m, &r->id);
	if ((r->waker_kind == WAKER_IRQ || r->waker_kind == WAKER_SOFTIRQ) && !r->disk &&
	    is_timer(r->stacks[OFFCPU_WAKER_KERNEL]))
		r->woken = value_phrase(r->waker_kind == WAKER_IRQ ? N_("irq (timer)")
								   : N_("softirq (timer)"));
}

void offcpu_cause(char *text, size_t size, const struct offcpu_row *r,
		  const struct offcpu_counters *counters)
{
	const struct unit_style style = { 0 };
	const char *gap = "";
	char latency[32] = "";
	size_t n = 0;

	text[0] = '\0';
	if (r->reason) {
		n += (size_t)snprintf(text, size, "%s", _(r->reason));
		gap = ", ";
	}
	if (r->server && n < size)
		snprintf(text + n, size - n, "%s%s", gap, r->server);
	if (r->disk && n < size) {
		if (counters->io_ns && counters->count)
			unit_format(latency, sizeof(latency), UNIT_NS,
				    (double)(counters->io_ns / counters->count), &style);
		snprintf(text + n, size - n, "%s%s %s%s%s", gap, io_op_name(r->op_id), r->disk,
			 *latency ? " " : "", latency);
	}
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* What a wait was for, in one phrase: from the functions it was in and the request that ended it. */
#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "base/macro.h"
#include "base/units.h"
#include "data/offcpu.h"
#include "data/stack.h"

/* By the beginning of a function's name; the first entry that fits a frame counts, the innermost frame first. */
static const struct {
	const char *function, *reason;
} reasons[] = {
	{ "balance_dirty_pages", N_("dirty throttling") },
	{ "jbd2_log_wait_commit", N_("journal commit") },
	{ "jbd2_complete_transaction", N_("journal commit") },
	{ "wait_transaction_locked", N_("journal commit") },
	{ "wait_transaction_switching", N_("journal commit") },
	{ "add_transaction_credits", N_("room in the journal") },
	{ "jbd2_log_wait_for_space", N_("room in the journal") },
	{ "__jbd2_log_wait_for_space", N_("room in the journal") },
	{ "jbd2_journal_commit_transaction", N_("writing the journal") },
	{ "xlog_wait_on_iclog", N_("log of xfs") },
	{ "xfs_log_force", N_("log of xfs") },
	{ "xlog_grant_head", N_("room in the log of xfs") },
	{ "btrfs_wait_for_commit", N_("commit of btrfs") },
	{ "btrfs_commit_transaction", N_("commit of btrfs") },
	{ "wait_current_trans", N_("commit of btrfs") },
	{ "folio_wait_writeback", N_("writeback of a page") },
	{ "wait_on_page_writeback", N_("writeback of a page") },
	{ "__filemap_fdatawait_range", N_("writeback of a page") },
	{ "folio_wait_stable", N_("writeback of a page") },
	{ "wb_wait_for_completion", N_("writeback") },
	{ "sync_inodes_sb", N_("writeback") },
	{ "wbt_wait", N_("throttling of writeback") },
	{ "rq_qos_wait", N_("throttling of the disk") },
	{ "rq_qos_throttle", N_("throttling of the disk") },
	{ "blk_mq_get_tag", N_("a free request") },
	{ "blkdev_issue_flush", N_("flush of the disk") },
	{ "swap_readpage", N_("swap-in") },
	{ "swap_read_folio", N_("swap-in") },
	{ "do_swap_page", N_("swap-in") },
	{ "shrink_", N_("memory reclaim") },
	{ "try_to_free_pages", N_("memory reclaim") },
	{ "filemap_fault", N_("page of a file") },
	{ "filemap_update_page", N_("page of a file") },
	{ "filemap_get_pages", N_("page of a file") },
	{ "__lock_buffer", N_("buffer of the file system") },
	{ "__wait_on_buffer", N_("buffer of the file system") },
	{ "iomap_dio_rw", N_("direct I/O") },
	{ "__iomap_dio_rw", N_("direct I/O") },
	{ "blkdev_direct_IO", N_("direct I/O") },
	{ "__blkdev_direct_IO", N_("direct I/O") },
	{ "read_events", N_("asynchronous I/O") },
	{ "io_cqring_wait", N_("asynchronous I/O") },
	{ "flock_lock_inode_wait", N_("file lock") },
	{ "locks_lock_inode_wait", N_("file lock") },
	{ "fcntl_setlk", N_("file lock") },
	{ "posix_lock_inode_wait", N_("file lock") },
	{ "rwsem_down_", N_("lock") },
	{ "__mutex_lock", N_("lock") },
	{ "mutex_lock", N_("lock") },
	{ "__rt_mutex", N_("lock") },
	{ "__folio_lock", N_("lock of a page") },
	{ "folio_wait_bit", N_("page") },
	{ "__inode_wait_for_writeback", N_("writeback") },
	{ "do_futex", N_("futex") },
	{ "futex_wait", N_("futex") },
	{ "hrtimer_nanosleep", N_("sleep") },
	{ "common_nsleep", N_("sleep") },
	{ "ep_poll", N_("poll") },
	{ "do_epoll_wait", N_("poll") },
	{ "do_sys_poll", N_("poll") },
	{ "do_select", N_("poll") },
	{ "pipe_read", N_("data in a pipe") },
	{ "anon_pipe_read", N_("data in a pipe") },
	{ "pipe_write", N_("room in a pipe") },
	{ "anon_pipe_write", N_("room in a pipe") },
	{ "do_wait", N_("end of a child") },
	{ "unix_stream_read", N_("socket") },
	{ "sk_wait_data", N_("socket") },
	{ "inet_csk_accept", N_("socket") },
	{ "__skb_wait_for_more_packets", N_("socket") },
	{ "n_tty_read", N_("terminal") },
	{ "sigtimedwait", N_("signal") },
	{ "do_sigtimedwait", N_("signal") },
	{ "sigsuspend", N_("signal") },
	{ "synchronize_rcu", N_("RCU grace period") },
	{ "__wait_rcu_gp", N_("RCU grace period") },
	{ "kernel_clone", N_("exec of a child") },
	{ "worker_thread", N_("work") },
	{ "smpboot_thread_fn", N_("work") },
	{ "kthread", N_("work") },
};

const char *offcpu_reason(const struct frames *kernel)
{
	for (size_t i = 0; kernel && i < kernel->n; i++)
		for (size_t k = 0; k < ARRAY_SIZE(reasons); k++)
			if (!strncmp(kernel->items[i], reasons[k].function, strlen(reasons[k].function)))
				return reasons[k].reason;
	return NULL;
}

void offcpu_cause(char *text, size_t size, const struct offcpu_row *r, const struct offcpu_counters *counters)
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
	if (r->reason && r->via && r->waker_comm && n < size)
		n += (size_t)snprintf(text + n, size - n, _(" by %s"), r->waker_comm);
	if (r->disk && n < size) {
		if (counters->io_ns && counters->count)
			unit_format(latency, sizeof(latency), UNIT_NS, (double)(counters->io_ns / counters->count), &style);
		snprintf(text + n, size - n, "%s%s %s%s%s", gap, op_names[r->op_id], r->disk, *latency ? " " : "", latency);
	}
}

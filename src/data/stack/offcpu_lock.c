// SPDX-License-Identifier: GPL-2.0-or-later
/* What kind of lock a wait was for, and who held it: from the stacks of both tasks. */
#include <string.h>

#include "base/i18n.h"
#include "base/macro.h"
#include "data/stack/offcpu.h"

/*
 * What is locked, by the beginning of the name of the function that locks it. Functions of locks
 * and of the scheduler are in no stack of a task that sleeps, or they are its innermost ones.
 */
static const struct {
	const char *function, *name;
} locks[] = {
#define MMAP_LOCK N_("mmap_lock")
	{ "mmap_read_lock", MMAP_LOCK },
	{ "mmap_write_lock", MMAP_LOCK },
	{ "lock_mm_and_find_vma", MMAP_LOCK },
	{ "do_user_addr_fault", MMAP_LOCK },
	{ "do_page_fault", MMAP_LOCK },
	{ "vm_mmap_pgoff", MMAP_LOCK },
	{ "__vm_munmap", MMAP_LOCK },
	{ "do_mprotect_pkey", MMAP_LOCK },
	{ "do_madvise", MMAP_LOCK },
	{ "madvise_lock", MMAP_LOCK },
	{ "__access_remote_vm", MMAP_LOCK },
	{ "m_start", MMAP_LOCK },
	{ "exit_mm", MMAP_LOCK },
	{ "dup_mm", MMAP_LOCK },
	{ "__get_user_pages", MMAP_LOCK },
	{ "process_vm_rw", MMAP_LOCK },
	{ "__mm_populate", MMAP_LOCK },
	{ "do_mlock", MMAP_LOCK },
	{ "__do_sys_brk", MMAP_LOCK },
	{ "__x64_sys_brk", MMAP_LOCK },
	{ "__arm64_sys_brk", MMAP_LOCK },
	{ "__x64_sys_mremap", MMAP_LOCK },
#define SUPERBLOCK N_("superblock lock")
	{ "super_lock", SUPERBLOCK },
	{ "__super_lock", SUPERBLOCK },
	{ "grab_super", SUPERBLOCK },
	{ "get_super", SUPERBLOCK },
	{ "user_get_super", SUPERBLOCK },
	{ "iterate_supers", SUPERBLOCK },
	{ "__iterate_supers", SUPERBLOCK },
	{ "deactivate_super", SUPERBLOCK },
	{ "freeze_super", SUPERBLOCK },
	{ "thaw_super", SUPERBLOCK },
	{ "bdev_super_lock", SUPERBLOCK },
	{ "do_umount", SUPERBLOCK },
	{ "__x64_sys_syncfs", SUPERBLOCK },
	{ "__arm64_sys_syncfs", SUPERBLOCK },
	{ "__do_sys_syncfs", SUPERBLOCK },
	{ "path_umount", SUPERBLOCK },
	{ "path_mount", SUPERBLOCK },
	{ "do_remount", SUPERBLOCK },
	{ "sget", SUPERBLOCK },
#define INODE N_("inode lock")
	{ "inode_lock", INODE },
	{ "ext4_buffered_write_iter", INODE },
	{ "ext4_file_write_iter", INODE },
	{ "ext4_file_read_iter", INODE },
	{ "ext4_dio_", INODE },
	{ "ext4_fallocate", INODE },
	{ "ext4_llseek", INODE },
	{ "xfs_ilock", INODE },
	{ "btrfs_inode_lock", INODE },
	{ "f2fs_file_", INODE },
	{ "fuse_file_write_iter", INODE },
	{ "fuse_cache_write_iter", INODE },
	{ "fuse_direct_write_iter", INODE },
	{ "fuse_dio_lock", INODE },
	{ "nfs_start_io_", INODE },
	{ "generic_file_write_iter", INODE },
	{ "generic_file_llseek_size", INODE },
	{ "do_truncate", INODE },
	{ "do_unlinkat", INODE },
	{ "do_rmdir", INODE },
	{ "vfs_", INODE },
	{ "filename_create", INODE },
	{ "start_dirop", INODE },
	{ "__start_dirop", INODE },
	{ "start_creating", INODE },
	{ "start_removing", INODE },
	{ "lookup_slow", INODE },
	{ "lookup_one", INODE },
	{ "walk_component", INODE },
	{ "open_last_lookups", INODE },
	{ "path_openat", INODE },
	{ "lock_rename", INODE },
	{ "lock_two_", INODE },
	{ "do_renameat2", INODE },
	{ "iterate_dir", INODE },
	{ "chmod_common", INODE },
	{ "chown_common", INODE },
	{ "lock_mount", INODE },
	{ "do_lock_mount", INODE },
};

/* Functions that locks and the scheduler are made of. */
static const char *const own[] = {
	"schedule", "__schedule", "preempt_schedule", "mutex_lock", "__mutex_lock", "ww_mutex_lock",
	"__ww_mutex_lock", "rwsem_", "down_read", "down_write", "__down_read", "__down_write",
};

/* Those who wait are woken from these. */
static const struct {
	const char *function;
	enum wait_lock lock;
} unlocks[] = {
	{ "mutex_unlock", WAIT_MUTEX },
	{ "__mutex_unlock", WAIT_MUTEX },
	{ "ww_mutex_unlock", WAIT_MUTEX },
	{ "up_write", WAIT_RWSEM },
	{ "up_read", WAIT_RWSEM },
	{ "downgrade_write", WAIT_RWSEM },
	{ "rwsem_wake", WAIT_RWSEM },
	{ "jbd2_journal_commit_transaction", WAIT_JOURNAL },
};

static const char *const commits[] = {
	"jbd2_log_wait_commit", "jbd2_complete_transaction", "wait_transaction_locked",
	"wait_transaction_switching",
};

static bool begins_with_one(const char *function, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strncmp(function, names[i], strlen(names[i])))
			return true;
	return false;
}

/*
 * Functions that sleep for something else and take no lock where they do. Who gives a lock free
 * wakes those who waited for it a little later: one may have got it by then without sleep, gone on,
 * and sleep for something else.
 */
static const char *const sleepers[] = {
	"jbd2_log_wait_commit", "jbd2_complete_transaction", "wait_transaction_",
	"add_transaction_credits", "xlog_wait_on_iclog", "btrfs_wait_for_commit",
	"wait_current_trans", "folio_wait_", "__folio_lock", "wait_on_page_",
	"__filemap_fdatawait_range", "wb_wait_for_completion", "__inode_wait_for_writeback",
	"balance_dirty_pages", "__wait_on_buffer", "__lock_buffer", "request_wait_answer",
	"rpc_wait_bit_killable", "ioc_rqos_throttle", "blkcg_", "rq_qos_", "wbt_wait",
	"blk_mq_get_tag", "submit_bio_wait", "blkdev_issue_flush", "iomap_dio_rw", "__iomap_dio_rw",
	"blkdev_direct_IO", "__blkdev_direct_IO", "read_events", "io_cqring_wait",
	"reclaim_throttle", "throttle_direct_reclaim", "futex_", "hrtimer_nanosleep",
	"common_nsleep", "do_wait", "sigtimedwait", "do_sigtimedwait", "__wait_rcu_gp",
};

static bool waits_for_commit(const struct frames *kernel)
{
	for (size_t i = 0; i < kernel->n; i++)
		if (begins_with_one(kernel->items[i], commits, ARRAY_SIZE(commits)))
			return true;
	return false;
}

/* The innermost function that is not of a lock or of the scheduler; NULL: there is none. */
static const char *innermost(const struct frames *kernel)
{
	size_t i = 0;

	while (i < kernel->n && begins_with_one(kernel->items[i], own, ARRAY_SIZE(own)))
		i++;
	return i < kernel->n ? kernel->items[i] : NULL;
}

/* Whether who sleeps in this stack may do so for a mutex or an rwsem. */
static bool may_sleep_for_lock(const struct frames *kernel)
{
	const char *function = innermost(kernel);

	return !function || !begins_with_one(function, sleepers, ARRAY_SIZE(sleepers));
}

enum wait_lock offcpu_unlocked(const struct frames *kernel, const struct frames *waker)
{
	for (size_t i = 0; waker && i < waker->n; i++)
		for (size_t k = 0; k < ARRAY_SIZE(unlocks); k++) {
			const char *function = unlocks[k].function;

			if (strncmp(waker->items[i], function, strlen(function)) != 0)
				continue;
			/* A commit wakes others, too: who writes its blocks. */
			if (unlocks[k].lock == WAIT_JOURNAL ? !waits_for_commit(kernel)
							    : !may_sleep_for_lock(kernel))
				return WAIT_NO_LOCK;
			return unlocks[k].lock;
		}
	return WAIT_NO_LOCK;
}

const char *offcpu_lock_name(enum wait_lock lock, const struct frames *kernel)
{
	const char *function = innermost(kernel);

	if (lock == WAIT_MUTEX)
		return N_("mutex");
	for (size_t k = 0; function && k < ARRAY_SIZE(locks); k++)
		if (!strncmp(function, locks[k].function, strlen(locks[k].function)))
			return locks[k].name;
	return N_("lock");
}

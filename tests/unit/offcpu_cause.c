// SPDX-License-Identifier: GPL-2.0-or-later
/* Why a task was blocked: the reason by its stack, and the phrase with the request. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "data/stack/offcpu.h"

#define MS 1000000ULL

static const struct {
	const char *kernel, *reason;
} reasons[] = {
	{ "schedule\nio_schedule\nfolio_wait_bit_common\nfilemap_update_page\nfilemap_read",
	  "page of a file" },
	{ "schedule\nbit_wait_io\n__wait_on_buffer\njbd2_journal_commit_transaction "
	  "[jbd2]\nkjournald2", "writing the journal" },
	{ "__sync_dirty_buffer\next4_write_inode\n__writeback_single_inode\next4_sync_file\n"
	  "do_fsync", "buffer of the file system" },
	{ "schedule\nio_schedule_timeout\nbalance_dirty_pages_ratelimited_flags\n"
	  "generic_perform_write", "dirty throttling" },
	{ "schedule\nfolio_wait_writeback\n__filemap_fdatawait_range\next4_sync_file [ext4]",
	  "writeback of a page" },
	{ "schedule\nhrtimer_nanosleep", "sleep" },
	{ "schedule\nrpc_wait_bit_killable [sunrpc]\n__wait_on_bit\nrpc_execute [sunrpc]\n"
	  "nfs4_proc_getattr [nfsv4]", "nfs server" },
	{ "schedule\nrequest_wait_answer [fuse]\nfuse_simple_request [fuse]\nfuse_lookup [fuse]",
	  "fuse server" },
	{ "schedule\np9_client_rpc [9pnet]\np9_client_walk [9pnet]\nv9fs_vfs_lookup [9p]",
	  "9p server" },
	/* Pages: whoever answers for them, and never a lock. */
	{ "schedule\nio_schedule\nfolio_wait_bit_common\nfilemap_update_page\nfilemap_read\n"
	  "nfs_file_read [nfs]", "nfs server" },
	{ "schedule\nio_schedule\nfolio_wait_bit_common\nfolio_wait_writeback\n"
	  "fuse_fsync [fuse]", "fuse server" },
	{ "schedule\nbit_wait\nnetfs_wait_for_read [netfs]\nv9fs_file_read_iter [9p]",
	  "9p server" },
	{ "schedule\n__mutex_lock\nnfs_create [nfs]", "lock" },
	{ "schedule\nio_schedule\nswap_read_folio\ndo_swap_page\nhandle_mm_fault", "swap-in" },
	{ "schedule\nschedule_timeout_killable\n__mem_cgroup_handle_over_high\n"
	  "exit_to_user_mode_loop", "memory.high" },
	{ "schedule\nschedule_timeout\nreclaim_throttle\nshrink_node\n"
	  "try_to_free_mem_cgroup_pages\ntry_charge_memcg", "memory reclaim" },
	{ "schedule\nsomething_else", NULL },
};

START_TEST(reason_by_stack)
{
	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++) {
		const char *items[8];
		struct frames f = { .items = items };
		char copy[256], *rest = copy, *line;

		snprintf(copy, sizeof(copy), "%s", reasons[i].kernel);
		while ((line = strsep(&rest, "\n")))
			items[f.n++] = line;
		ck_assert_pstr_eq(offcpu_reason(&f, WAIT_NO_LOCK), reasons[i].reason);
	}
	ck_assert_ptr_null(offcpu_reason(NULL, WAIT_NO_LOCK));
}
END_TEST

/* A lock by who waits for it, whether or not its own functions are in the stack. */
static const struct {
	enum wait_lock lock;
	const char *kernel, *reason;
} locked[] = {
	{ WAIT_RWSEM, "ext4_buffered_write_iter\nvfs_write", "inode lock" },
	{ WAIT_RWSEM, "schedule\nrwsem_down_write_slowpath\ndown_write\ndo_unlinkat",
	  "inode lock" },
	{ WAIT_RWSEM, "super_lock\niterate_supers\nksys_sync", "superblock lock" },
	{ WAIT_RWSEM, "lock_mm_and_find_vma\nexc_page_fault", "mmap_lock" },
	/* The fault only led there. */
	{ WAIT_RWSEM, "some_file_lock\nfilemap_fault\ndo_user_addr_fault", "lock" },
	{ WAIT_MUTEX, "fdget_pos\nksys_lseek", "mutex" },
	{ WAIT_MUTEX, "mutex_lock_io\n__jbd2_log_wait_for_space", "room in the journal" },
	{ WAIT_JOURNAL, "jbd2_log_wait_commit\next4_sync_file", "journal commit" },
	{ WAIT_NO_LOCK, "ext4_buffered_write_iter\nvfs_write", NULL },
};

START_TEST(reason_of_locks)
{
	for (size_t i = 0; i < ARRAY_SIZE(locked); i++) {
		const char *items[8];
		struct frames f = { .items = items };
		char copy[256], *rest = copy, *line;

		snprintf(copy, sizeof(copy), "%s", locked[i].kernel);
		while ((line = strsep(&rest, "\n")))
			items[f.n++] = line;
		ck_assert_pstr_eq(offcpu_reason(&f, locked[i].lock), locked[i].reason);
	}
}
END_TEST

START_TEST(cause_phrase)
{
	struct offcpu_counters c = { .count = 2, .io_ns = 4 * MS };
	struct offcpu_row r = { .reason = "journal commit", .disk = "sda", .op_id = OP_FLUSH };
	char text[64], tiny[8];

	offcpu_cause(text, sizeof(text), &r, &c);
	ck_assert_str_eq(text, "journal commit, flush sda 2.00ms");
	offcpu_cause(tiny, sizeof(tiny), &r, &c);
	ck_assert_str_eq(tiny, "journal");
	r.reason = NULL;
	c.io_ns = 0;
	offcpu_cause(text, sizeof(text), &r, &c);
	ck_assert_str_eq(text, "flush sda");
	r.disk = NULL;
	offcpu_cause(text, sizeof(text), &r, &c);
	ck_assert_str_eq(text, "");
}
END_TEST

UNIT_MAIN("offcpu_cause", reason_by_stack, reason_of_locks, cause_phrase)

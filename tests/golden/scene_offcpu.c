/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The blocked tasks of the scene: a commit that waits for the journal, a tar that hangs in a read,
 * who waits for the lock that it holds, a sleeper, a hostile name.
 */
#include "base/macro.h"
#include "scene.h"

#define MS 1000000ULL
#define NVME (259u << 20)
#define SDA (8u << 20)

static const struct {
	uint64_t id;
	uint32_t flags;
	const char *text;
} stacks[] = {
	{ 101, 0, "__schedule\nschedule\njbd2_log_wait_commit [jbd2]\next4_sync_file "
		  "[ext4]\ndo_fsync\n__x64_sys_fsync\n"
		  "do_syscall_64\nentry_SYSCALL_64_after_hwframe" },
	{ 102, FRAMES_USER, "fsync\nissue_xlog_fsync\nXLogWrite\nXLogFlush\nCommitTransaction\n"
			    "PostgresMain\nmain\n_start" },
	{ 103, 0, "try_to_wake_up\nautoremove_wake_function\n__wake_up_common\n__wake_up\n"
		  "jbd2_journal_commit_transaction [jbd2]\n"
		  "kjournald2 [jbd2]\nkthread\nret_from_fork" },
	{ 104, 0, "__schedule\nschedule\nio_schedule\nfolio_wait_bit_common\nfilemap_update_page\n"
		  "filemap_get_pages\nfilemap_read\n"
		  "vfs_read\nksys_read\ndo_syscall_64\nentry_SYSCALL_64_after_hwframe" },
	{ 105, FRAMES_USER | FRAMES_BROKEN, "read\n[unknown] tar+0x2f1c4" },
	{ 106, 0, "__schedule\nschedule\nbit_wait_io\n__wait_on_bit\n__wait_on_buffer\n"
		  "jbd2_journal_commit_transaction [jbd2]\n"
		  "kjournald2 [jbd2]\nkthread\nret_from_fork" },
	{ 107, 0, "try_to_wake_up\nwake_bit_function\n__wake_up_common\nend_buffer_write_sync\n"
		  "bio_endio\nblk_update_request\n"
		  "nvme_irq [nvme]\ncommon_interrupt\nasm_common_interrupt" },
	{ 108, 0, "__schedule\nschedule\ndo_nanosleep\nhrtimer_nanosleep\n"
		  "__x64_sys_clock_nanosleep\ndo_syscall_64" },
	{ 109, 0, "try_to_wake_up\nhrtimer_wakeup\n__hrtimer_run_queues\nhrtimer_interrupt\n"
		  "asm_sysvec_apic_timer_interrupt" },
	{ 110, 0, "iterate_dir\n__x64_sys_getdents64\ndo_syscall_64\n"
		  "entry_SYSCALL_64_after_hwframe" },
};

static const struct {
	uint32_t tgid;
	const char *comm;
	uint32_t state, iowait;
	uint64_t kstack, ustack;
	uint32_t waker_kind, waker;
	const char *waker_comm;
	uint64_t waker_kstack;
	uint32_t dev, op, via;
	uint64_t blocked, count, io, longest;	/* a tick; ns; latency of one request */
	uint32_t lock, holder;
	const char *holder_comm;
} blocks[] = {
	{ 2211, "postgres", 'D', 1, 101, 102, WAKER_TASK, 611, "jbd2/nvme0n1p2-8", 103, NVME,
	  OP_FLUSH, 1, 712 * MS, 118, 41 * MS, 45 * MS },
	{ 9001, "tar", 'D', 1, 104, 105, WAKER_NONE, 0, NULL, 0, 0, 0, 0, 1000 * MS, 1, 0,
	  290 * MS },
	{ 611, "jbd2/nvme0n1p2-8", 'D', 1, 106, 0, WAKER_IRQ, 0, NULL, 107, NVME, OP_FLUSH, 0,
	  640 * MS, 118, 5 * MS, 44 * MS },
	{ 611, "jbd2/nvme0n1p2-8", 'S', 0, 106, 0, WAKER_TASK, 2211, "postgres", 0, 0, 0, 0,
	  90 * MS, 118, 0, 2 * MS },
	{ 1200, "cron", 'S', 0, 108, 0, WAKER_IRQ, 0, NULL, 109, 0, 0, 0, 999 * MS, 4, 0,
	  250 * MS },
	{ 9002, "\x1b[2Jsh\n;", 'D', 1, 104, 0, WAKER_SOFTIRQ, 0, NULL, 107, SDA, OP_READ, 0,
	  30 * MS, 7, 4100000, 9 * MS },
	{ 9003, "ls", 'D', 0, 110, 0, WAKER_NONE, 0, NULL, 0, 0, 0, 0, 998 * MS, 1, 0, 280 * MS,
	  WAIT_RWSEM, 9001, "tar" },
};

void scene_offcpu(const struct scene *scene, struct sample *s, unsigned tick)
{
	if (scene->off & SRC_OFFCPU) {
		sample_source(s, SRC_OFFCPU, SOURCE_OFF, "no CAP_BPF: run as root");
		return;
	}
	sample_source(s, SRC_OFFCPU, SOURCE_ON, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(blocks); i++) {
		uint32_t waker = blocks[i].waker, holder = blocks[i].holder;

		*sample_add_row(s, OFFCPU, struct sample_offcpu) = (struct sample_offcpu){
			.id = { blocks[i].tgid, blocks[i].tgid, 7 },
			.waker = { waker, waker, waker ? 7 : 0 },
			.holder = { holder, holder, holder ? 7 : 0 },
			.lock = blocks[i].lock, .holder_comm = blocks[i].holder_comm,
			.kstack = blocks[i].kstack, .ustack = blocks[i].ustack,
			.waker_kstack = blocks[i].waker_kstack,
			.dev = blocks[i].dev, .op = blocks[i].op, .state = blocks[i].state,
			.iowait = blocks[i].iowait,
			.via = blocks[i].via, .waker_kind = blocks[i].waker_kind,
			.blocked_ns = blocks[i].blocked * tick,
			.count = blocks[i].count * tick,
			.io_ns = blocks[i].io * blocks[i].count * tick,
			.uid = blocks[i].tgid == 2211 ? 26 : 0,
			.cgroup = blocks[i].tgid == 2211 ? 27 : 1,
			/* What goes on gets longer. */
			.max_ns = blocks[i].longest + (blocks[i].waker_kind == WAKER_NONE ?
				1000 * MS * tick : 0),
			.comm = blocks[i].comm, .waker_comm = blocks[i].waker_comm,
		};
	}
	for (size_t i = 0; tick == 1 && i < ARRAY_SIZE(stacks); i++)
		*sample_add_row(s, FRAMES, struct sample_frames) =
			(struct sample_frames){ stacks[i].id, stacks[i].flags, stacks[i].text };
}

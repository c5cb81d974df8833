/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stacks of the scene: postgres reads through its own functions, rsync reads ahead, dd's pages
 * are written back.
 */
#include "base/macro.h"
#include "scene.h"

#define MB (1ULL << 20)
#define KB (1ULL << 10)
#define NVME (259u << 20)
#define SDA (8u << 20)

static const struct {
	uint64_t id;
	uint32_t flags;
	const char *text;
} stacks[] = {
	{ 1, 0, "submit_bio_noacct_nocheck\nmpage_readahead\nread_pages\npage_cache_ra_unbounded\n"
		"filemap_get_pages\nfilemap_read\n"
		"ext4_file_read_iter "
		"[ext4]\nvfs_read\nksys_pread64\ndo_syscall_64\nentry_SYSCALL_64_after_hwframe" },
	{ 2, FRAMES_USER, "pread64\t\tlibc.so.6\nFileReadV\tfd.c:2158\tpostgres\nmdreadv\n"
			  "smgrreadv\nReadBuffer_common\nReadBuffer\n"
			  "heap_page_prune_opt\nExecScan\n"
			  "PostgresMain\nmain\n__libc_start_call_main\t\tlibc.so.6\n_start" },
	{ 3, FRAMES_USER, "pread64\t\tlibc.so.6\nFileReadV\tfd.c:2158\tpostgres\nmdreadv\n"
			  "smgrreadv\nReadBuffer_common\nReadBuffer\n"
			  "_bt_getbuf\n_bt_search\n"
			  "PostgresMain\nmain\n__libc_start_call_main\t\tlibc.so.6\n_start" },
	{ 4, FRAMES_USER | FRAMES_BROKEN,
	  "read\t\tlibc.so.6\n[unknown] rsync+0x2f1c4\tstripped: the file has no symbol here\t"
	  "rsync" },
	{ 5, 0, "submit_bio_noacct_nocheck\next4_io_submit [ext4]\next4_do_writepages "
		"[ext4]\ndo_writepages\n"
		"__writeback_single_inode\nwb_writeback\nwb_workfn\nprocess_one_work\n"
		"worker_thread\nkthread\nret_from_fork" },
	{ 6, 0, "submit_bio_noacct_nocheck\ndm_submit_bio_remap "
		"[dm_mod]\nkcryptd_crypt_write_io_submit [dm_crypt]\nkcryptd_crypt [dm_crypt]\n"
		"process_one_work\nworker_thread\nkthread\nret_from_fork" },
	{ 7, FRAMES_USER, "read\t\tlibc.so.6\n\x1b[31mred\xff\t\t[run time]\n"
			  "std::vector<int, std::allocator<int> "
			  ">::push_back\nmain\n_start" },
};

static const struct {
	uint32_t tgid;
	const char *comm;
	uint32_t dev, op;
	uint64_t kstack, ustack, bytes, size, latency;	/* a tick; of one I/O; ns */
} paths[] = {
	{ 2211, "postgres", NVME, OP_READ, 1, 2, 110 * MB, 8 * KB, 180000 },
	{ 2211, "postgres", NVME, OP_READ, 1, 3, 60 * MB, 8 * KB, 170000 },
	{ 8120, "rsync", SDA, OP_READ, 1, 4, 31 * MB, 256 * KB, 4100000 },
	{ 77, "kworker/u8:1", NVME, OP_WRITE, 5, 0, 12 * MB, 1 * MB, 310000 },
	{ 78, "kworker/u8:2", NVME, OP_WRITE, 6, 0, 12 * MB, 128 * KB, 290000 },
	{ 9001, "sh", SDA, OP_READ, 1, 7, 4 * KB, 4 * KB, 96000000 },
};

/* For how many ticks' worth a path was taken by then. */
static uint64_t ticks_of(const struct scene *scene, size_t path, unsigned tick)
{
	if (!scene->turn || tick <= scene->turn)
		return tick;
	return path == 0 ? 2ull * tick - scene->turn : path == 2 ? scene->turn : tick;
}

void scene_stacks(const struct scene *scene, struct sample *s, unsigned tick)
{
	if (scene->off & SRC_STACKS) {
		sample_source(s, SRC_STACKS, SOURCE_OFF, "no CAP_BPF: run as root");
		return;
	}
	sample_source(s, SRC_STACKS, scene->hidden ? SOURCE_PART : SOURCE_ON,
		      scene->hidden ? "the kernel hides its symbols" : NULL);
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		struct sample_stackio *io = sample_add_row(s, STACKIO, struct sample_stackio);
		uint64_t ticks = ticks_of(scene, i, tick),
			 ios = paths[i].bytes / paths[i].size * ticks;

		*io = (struct sample_stackio){
			.submitter = { paths[i].tgid, paths[i].tgid, 7 }, .dev = paths[i].dev,
			.op = paths[i].op,
			.kstack = paths[i].kstack, .ustack = paths[i].ustack, .ios = ios,
			.bytes = paths[i].bytes * ticks,
			.done = ios, .lat_ns = ios * paths[i].latency, .comm = paths[i].comm,
		};
	}
	for (size_t i = 0; tick == 1 && i < ARRAY_SIZE(stacks); i++)
		*sample_add_row(s, FRAMES, struct sample_frames) =
			(struct sample_frames){ stacks[i].id, stacks[i].flags, stacks[i].text };
}

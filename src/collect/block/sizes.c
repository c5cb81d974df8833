// SPDX-License-Identifier: GPL-2.0-or-later
/* How large the maps of the block programs are, and what else they are told of this machine. */
#include <unistd.h>

#include "base/macro.h"
#include "bpf/abi.h"
#include "bpf/block/block.skel.h"
#include "collect/block/block.h"
#include "collect/bpf/calls.h"
#include "collect/bpf/kernel.h"
#include "collect/set.h"

/*
 * Default sizes, by the memory of the machine: a large one has more tasks and more dirty pages. A
 * task keeps its ref until what it dirtied is written, a file its dirtiers until all of it is.
 */
struct size {
	uint32_t each;	/* one for so many bytes of memory */
	uint32_t least, most;
};

static const struct size refs_size = { 128 << 10, 32768, 196608 };
static const struct size counters_size = { 192 << 10, 65536, 131072 };
static const struct size files_size = { 8 << 10, 256 << 10, 2048 << 10 };

#define TASKS_INDEXED 32768	/* tasks with I/O that live */
#define NOTES 32768		/* files with all who dirtied them; more of them are put aside */
#define DIRTIERS_PART 32	/* for one in so many files: who dirtied ABI_BLOCK_PAGES of it */
#define DIRTIERS_LEAST 16384
#define THROTTLED_PART 16	/* for one counter in so many: what a limit held back of it */
#define INFLIGHT_SETS 4096	/* ABI_WAYS bios in flight each */
#define INFLIGHT_SETS_A_CPU 64
#define PARTS_A_CPU 512	/* of bios of several owners: struct abi_part */
#define PARTS_LEAST 4096

static uint32_t limited(uint32_t v, uint32_t dflt, uint32_t least, uint32_t most)
{
	return MIN(MAX(v ? v : dflt, least), most);
}

/* As many as were asked for, as far as possible; 0: the default. */
static uint32_t size_of(const struct size *size, uint32_t asked, uint32_t most)
{
	uint64_t memory = (uint64_t)MAX(sysconf(_SC_PHYS_PAGES), 1) * sysconf(_SC_PAGESIZE);

	return limited(asked, MIN(MAX(memory / size->each, size->least), size->most), 64, most);
}

uint32_t block_files_max(const struct collect_options *opt)
{
	return size_of(&files_size, opt->max_files, 1u << 24);
}

static void set_file_sizes(struct block *b)
{
	uint32_t files = block_files_max(b->opt), sets,
		 blocks = MIN(MAX(files / DIRTIERS_PART, DIRTIERS_LEAST), files);
	struct block_bpf *skel = b->skel;

	for (sets = 16; sets * ABI_WAYS < MIN(files, NOTES); )
		sets *= 2;
	skel->rodata->inode_sets = sets;
	skel->rodata->evicted_sets = DIV_ROUND_UP(files, ABI_EVICTED_WAYS);
	skel->rodata->dirtiers_sets = DIV_ROUND_UP(blocks, ABI_DIRTIERS_WAYS);
	bpf_map__set_max_entries(skel->maps.inodes, sets);
	bpf_map__set_max_entries(skel->maps.dirtiers, skel->rodata->dirtiers_sets);
	bpf_map__set_max_entries(skel->maps.evicted, skel->rodata->evicted_sets);
}

/* A power of two: each CPU may have a queue of its own in flight. */
static uint32_t inflight_sets(uint32_t cpus)
{
	uint32_t sets = INFLIGHT_SETS;

	while (sets < cpus * INFLIGHT_SETS_A_CPU)
		sets *= 2;
	return sets;
}

void block_sizes_set(struct block *b)
{
	const struct collect_options *opt = b->opt;
	uint32_t refs =
		size_of(&refs_size, opt->max_tasks, (1u << ABI_REF_BITS) - ABI_REF_FIRST) +
		ABI_REF_FIRST;
	uint32_t indexed = size_of(&counters_size, opt->max_counters,
				   (1u << ABI_COUNTER_BITS) - ABI_COUNTER_FIRST),
		 counters = indexed + ABI_COUNTER_FIRST;
	uint32_t cpus = bpf_host_cpus();
	struct block_bpf *skel = b->skel;

	b->stripes = bpf_stripes();
	/* Histograms are too large to have one for every possible disk. */
	b->hist_disks = bpf_disks();
	bpf_map__set_max_entries(skel->maps.task_refs, refs);
	bpf_map__set_max_entries(skel->maps.task_refs_free, refs);
	bpf_map__set_max_entries(skel->maps.asked, refs);
	bpf_map__set_max_entries(skel->maps.counters, counters);
	bpf_map__set_max_entries(skel->maps.counters_free, counters);
	/* A few more than a power of two would double the memory of a hash. */
	bpf_map__set_max_entries(skel->maps.counter_index, indexed);
	bpf_map__set_max_entries(skel->maps.throttled_ios, indexed / THROTTLED_PART);
	bpf_map__set_max_entries(skel->maps.diskstats, ABI_DISKS * b->stripes);
	bpf_map__set_max_entries(skel->maps.hists, b->hist_disks * ABI_OPS * b->stripes);
	bpf_map__set_max_entries(skel->maps.inflight, inflight_sets(cpus));
	bpf_map__set_max_entries(skel->maps.cpu_states, cpus);
	bpf_map__set_max_entries(skel->maps.ended, cpus);
	bpf_map__set_max_entries(skel->maps.parts, MAX(cpus * PARTS_A_CPU, PARTS_LEAST));
	set_file_sizes(b);
	skel->rodata->page_shift = __builtin_ctzl(sysconf(_SC_PAGESIZE));
	skel->rodata->stripes = b->stripes;
	skel->rodata->inflight_sets = inflight_sets(cpus);
	skel->rodata->pid_namespace = kernel_pid_namespace();
	skel->rodata->has_cast = bpf_calls_cast() > 0;
	skel->rodata->has_task_storage =
		bpf_task_state(skel->maps.task_storage, skel->maps.task_hash, refs);
	skel->bss->refs_by_others = !skel->rodata->has_task_storage;
	bpf_map__set_max_entries(skel->maps.task_ref_index, MIN(refs, TASKS_INDEXED));
	/* Renamed in 6.6. */
	skel->rodata->throttled_flag = kernel_bio_flag("BIO_BPS_THROTTLED");
	if (!skel->rodata->throttled_flag)
		skel->rodata->throttled_flag = kernel_bio_flag("BIO_THROTTLED");
	skel->rodata->throttled_flag_tells = bpf_host_function("__blk_throtl_bio") >= 0;
	skel->rodata->cloned_flag = kernel_bio_flag("BIO_CLONED");
	block_events_set(b);
}

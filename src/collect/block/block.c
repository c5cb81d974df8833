// SPDX-License-Identifier: GPL-2.0-or-later
/* The block programs: opened, sized, loaded, attached. */
#include "collect/block/block.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/arena.h"
#include "base/i18n.h"
#include "base/macro.h"
#include "bpf/block/block.skel.h"
#include "collect/bpf/kernel.h"
#include "collect/collector.h"
#include "collect/set.h"

/*
 * Defaults, by the machine's memory: a large one has more tasks and more dirty pages. Until what a
 * task left behind is written it has a number; until all of a file is, it has an owner.
 */
struct size {
	uint32_t each;	/* one for so many bytes of memory */
	uint32_t least, most;
};

static const struct size owners_size = { 128 << 10, 32768, 196608 };
static const struct size counters_size = { 192 << 10, 65536, 131072 };
static const struct size files_size = { 8 << 10, 256 << 10, 2048 << 10 };

#define TASKS_INDEXED 32768	/* tasks with I/O that live */
#define NOTES 16384		/* files with all who dirtied them; more of them are put aside */
#define FLIGHT_SETS 4096
#define STRIPES_MAX 8
#define HIST_DISKS_LEAST 64

#define ISSUES (1u << 31)	/* among the sources: the time of issue is wanted of disks whose
				 * requests do not carry it */

static const char *const nested_calls[] = { "bpf_preempt_disable", "bpf_preempt_enable", NULL };

static const struct bpf_hook hooks[] = {
	{ .program = "bio_queue", .point = "block_bio_queue", .args = 1 },
	{ .program = "queue_nested", .point = "block_bio_queue", .args = 1, .calls = nested_calls,
	  .optional = true },
	{ .program = "bio_queue_q", .point = "block_bio_queue", .args = 2,
	  .first = "request_queue" },
	{ .program = "rq_complete", .point = "block_rq_complete", .args = 3 },
	{ .program = "rq_nested", .point = "block_rq_complete", .args = 3 },
	{ .program = "bio_complete", .point = "block_bio_complete", .args = 2 },
	{ .program = "bio_nested", .point = "block_bio_complete", .args = 2 },
	{ .program = "owner_exit", .point = "sched_process_exit" },
	{ .program = "dirty_folio", .point = "writeback_dirty_folio", .args = 2, .optional = true },
	{ .program = "dirty_page", .point = "writeback_dirty_page", .was = "writeback_dirty_folio",
	  .args = 2, .optional = true },
	{ .program = "rq_issue", .point = "block_rq_issue", .args = 1, .needs = ISSUES,
	  .optional = true },
	{ .program = "rq_issue_q", .point = "block_rq_issue", .args = 2, .first = "request_queue",
	  .needs = ISSUES, .optional = true },
	{ .program = "rq_requeue", .point = "block_rq_requeue", .args = 1, .needs = SRC_HIST,
	  .optional = true },
	{ .program = "rq_requeue_q", .point = "block_rq_requeue", .args = 2,
	  .first = "request_queue", .needs = SRC_HIST, .optional = true },
	{ .program = "rq_merge", .point = "block_rq_merge", .args = 1, .needs = SRC_HIST,
	  .optional = true },
	{ .program = "rq_merge_q", .point = "block_rq_merge", .args = 2, .first = "request_queue",
	  .needs = SRC_HIST, .optional = true },
	{ .program = "bio_backmerge", .point = "block_bio_backmerge", .args = 1, .needs = SRC_HIST,
	  .optional = true },
	{ .program = "bio_backmerge_q", .point = "block_bio_backmerge", .args = 3,
	  .first = "request_queue", .needs = SRC_HIST, .optional = true },
	{ .program = "bio_frontmerge", .point = "block_bio_frontmerge", .args = 1,
	  .needs = SRC_HIST, .optional = true },
	{ .program = "bio_frontmerge_q", .point = "block_bio_frontmerge", .args = 3,
	  .first = "request_queue", .needs = SRC_HIST, .optional = true },
};
_Static_assert(ARRAY_SIZE(hooks) <= BPF_HOOKS_MAX, "room for every hook");

static uint32_t limited(uint32_t v, uint32_t dflt, uint32_t least, uint32_t most)
{
	return MIN(MAX(v ? v : dflt, least), most);
}

/* As many as were asked for, within what there can be; 0: the default. */
static uint32_t size_of(const struct size *size, uint32_t asked, uint32_t most)
{
	uint64_t memory = (uint64_t)MAX(sysconf(_SC_PHYS_PAGES), 1) * sysconf(_SC_PAGESIZE);

	return limited(asked, MIN(MAX(memory / size->each, size->least), size->most), 64, most);
}

/* Disks there are, and as many to come: histograms are too large to have one for each number. */
static uint32_t count_disks(void)
{
	DIR *dir = opendir("/sys/block");
	uint32_t n = 0;

	while (dir && readdir(dir))
		n++;
	if (dir)
		closedir(dir);
	return limited(2 * n, HIST_DISKS_LEAST, HIST_DISKS_LEAST, ABI_DISKS);
}

uint32_t block_files_max(const struct collect_options *opt)
{
	return size_of(&files_size, opt->max_files, 1u << 24);
}

static void set_file_sizes(struct block *b)
{
	uint32_t files = block_files_max(b->opt), sets;
	struct block_bpf *skel = b->skel;

	for (sets = 16; sets * ABI_WAYS < MIN(files, NOTES); )
		sets *= 2;
	skel->rodata->inode_sets = sets;
	skel->rodata->aside_sets = DIV_ROUND_UP(files, ABI_ASIDE_WAYS);
	bpf_map__set_max_entries(skel->maps.inodes, sets);
	bpf_map__set_max_entries(skel->maps.asides, skel->rodata->aside_sets);
}

static void set_sizes(struct block *b)
{
	const struct collect_options *opt = b->opt;
	uint32_t owners =
		size_of(&owners_size, opt->max_tasks, (1u << ABI_OWNER_BITS) - ABI_OWNER_FIRST) +
		ABI_OWNER_FIRST;
	uint32_t counters =
		size_of(&counters_size, opt->max_counters, 1u << 20) + ABI_COUNTER_FIRST;
	uint32_t cpus = bpf_host_cpus();
	struct block_bpf *skel = b->skel;

	for (b->stripes = 1; b->stripes < cpus && b->stripes < STRIPES_MAX; )
		b->stripes *= 2;
	b->hist_disks = count_disks();
	bpf_map__set_max_entries(skel->maps.owners, owners);
	bpf_map__set_max_entries(skel->maps.owners_free, owners);
	bpf_map__set_max_entries(skel->maps.counters, counters);
	bpf_map__set_max_entries(skel->maps.counters_free, counters);
	bpf_map__set_max_entries(skel->maps.counter_index, counters);
	bpf_map__set_max_entries(skel->maps.diskstats, ABI_DISKS * b->stripes);
	bpf_map__set_max_entries(skel->maps.hists, b->hist_disks * ABI_OPS * b->stripes);
	bpf_map__set_max_entries(skel->maps.flights, FLIGHT_SETS);
	bpf_map__set_max_entries(skel->maps.processors, cpus);
	set_file_sizes(b);
	skel->rodata->page_shift = __builtin_ctzl(sysconf(_SC_PAGESIZE));
	skel->rodata->stripes = b->stripes;
	skel->rodata->flight_sets = FLIGHT_SETS;
	skel->rodata->has_task_storage = kernel_has_task_storage();
	bpf_map__set_autocreate(skel->maps.task_storage, skel->rodata->has_task_storage);
	bpf_map__set_autocreate(skel->maps.task_hash, !skel->rodata->has_task_storage);
	bpf_map__set_max_entries(skel->maps.task_hash, owners);
	bpf_map__set_max_entries(skel->maps.owner_index, MIN(owners, TASKS_INDEXED));
	skel->rodata->limited_flag = kernel_bio_limited_flag();
}

/*
 * The second programs of events, for when the first one does not run: only where the kernel needs
 * them.
 */
static void choose_nested(struct block *b)
{
	bool skips = kernel_skips_programs(), preempts = kernel_preempts_programs();

	b->skel->rodata->may_be_preempted = preempts;
	for (unsigned i = 0; i < ARRAY_SIZE(hooks); i++) {
		const char *name = hooks[i].program;
		bool queue = !strcmp(name, "queue_nested"),
		     completion = !strcmp(name, "rq_nested") || !strcmp(name, "bio_nested");

		if ((queue && !preempts) || (completion && !skips))
			bpf_hooks_refuse(&b->hooks, i, "the other program runs there as well");
	}
}

static int load(struct block *b, struct err *err)
{
	int r;

	do {
		block_bpf__destroy(b->skel);
		b->skel = block_bpf__open_opts(bpf_host_open_opts());
		if (!b->skel)
			return err_set(err, errno, "the block programs cannot be read: %s",
				       strerror(errno));
		set_sizes(b);
		choose_nested(b);
		r = bpf_hooks_choose(&b->hooks, b->skel->obj, err);
		if (r < 0)
			return r;
		r = block_bpf__load(b->skel);
	} while (r < 0 && bpf_hooks_retry(&b->hooks, r, err));
	return r;
}

static int map_all(struct block *b, struct err *err)
{
	int r = bpf_window_open(&b->owner_window, b->skel->maps.owners, sizeof(*b->owners));

	if (r >= 0)
		r = bpf_window_open(&b->counter_window, b->skel->maps.counters,
				    sizeof(*b->counters));
	if (r >= 0)
		r = bpf_window_open(&b->disk_window, b->skel->maps.disks, sizeof(*b->disks));
	if (r >= 0)
		r = bpf_window_open(&b->stat_window, b->skel->maps.diskstats,
				    sizeof(*b->diskstats));
	if (r >= 0)
		r = bpf_window_open(&b->hist_window, b->skel->maps.hists, sizeof(*b->hists));
	if (r >= 0)
		r = bpf_window_open(&b->flight_window, b->skel->maps.flights,
				    sizeof(struct abi_flight_set));
	if (r < 0)
		return err_set(err, -r, "the BPF maps cannot be mapped: %s", strerror(-r));
	b->owners = b->owner_window.memory;
	b->counters = b->counter_window.memory;
	b->disks = b->disk_window.memory;
	b->diskstats = b->stat_window.memory;
	b->hists = b->hist_window.memory;
	bpf_window_reach(&b->disk_window, b->disk_window.size);
	block_reach_disks(b, 1);
	return 0;
}

static void block_close(void *state)
{
	struct block *b = state;

	bpf_hooks_detach(&b->hooks);
	bpf_window_close(&b->owner_window);
	bpf_window_close(&b->counter_window);
	bpf_window_close(&b->disk_window);
	bpf_window_close(&b->stat_window);
	bpf_window_close(&b->hist_window);
	bpf_window_close(&b->flight_window);
	block_pools_release(b);
	block_bpf__destroy(b->skel);
	free(b);
}

/* Of disks that are not known yet it is wanted. */
static bool issues_wanted(const struct block *b)
{
	bool known = false;

	for (uint32_t i = 1; i < ABI_DISKS; i++) {
		const struct abi_disk *d = &b->disks[i];

		if (!d->finished || (d->flags & ABI_DISK_BIO))
			continue;
		if (!(d->flags & ABI_DISK_SPLIT))
			return true;
		known = true;
	}
	return !known;
}

static int attach(struct block *b, struct err *err)
{
	bool issues = (b->wanted & SRC_HIST) && issues_wanted(b);

	return bpf_hooks_attach(&b->hooks, b->skel->obj, b->wanted | (issues ? ISSUES : 0), err);
}

static int block_want(void *state, unsigned wanted, struct err *err)
{
	struct block *b = state;

	b->wanted = wanted;
	b->skel->bss->want_hist = wanted & SRC_HIST;
	return attach(b, err);
}

static int block_open(struct collect_set *set, unsigned wanted, void **ret_state, struct err *err)
{
	struct block *b;
	int r = bpf_host_check(err);

	if (r < 0)
		return r;
	b = mem_alloc(sizeof(*b));
	*b = (struct block){ .opt = collect_set_options(set), .wanted = wanted };
	bpf_hooks_init(&b->hooks, hooks, ARRAY_SIZE(hooks));
	r = load(b, err);
	if (!r)
		r = map_all(b, err);
	if (!r)
		r = block_pools_init(b, err);
	if (!r)
		r = block_want(b, wanted, err);
	if (r < 0) {
		block_close(b);
		return r;
	}
	*ret_state = b;
	return 0;
}

static int block_collect(void *state, struct sample *s, struct err *err)
{
	struct block *b = state;
	uint32_t interval = b->skel->bss->epoch;
	char text[160];
	const char *missing = bpf_hooks_missing(&b->hooks, b->wanted | ISSUES, text, sizeof(text));
	int r = attach(b, err);

	if (r < 0)
		return r;

	b->skel->bss->epoch = interval + 1;
	/* Places that come back are read with that, the others after it. */
	block_pools_return(b, s, interval);
	block_read(b, s, interval);
	b->ticks++;
	block_pools_fill(b);
	block_stack_tend(b);
	sample_source(s, SRC_BLOCK, SOURCE_ON, NULL);
	if (b->wanted & SRC_HIST)
		sample_source(s, SRC_HIST, missing ? SOURCE_PART : SOURCE_ON, missing);
	return 0;
}

bool block_causes(const struct collect_set *set, struct block_causes *ret)
{
	const struct block *b = set_state(set, &collector_block);

	if (!b)
		return false;
	*ret = (struct block_causes){
		.flights = b->skel->maps.flights,
		.counters = b->skel->maps.counters,
		.owners = b->skel->maps.owners,
		.flight_sets = b->skel->rodata->flight_sets,
		.anchor = &b->skel->bss->anchor_address,
		.variables = b->skel->maps.bss,
		.anchor_at = (char *)&b->skel->bss->anchor - (char *)b->skel->bss,
	};
	return true;
}

int block_causes_share(const struct block_causes *c, const struct bpf_object *obj)
{
	const struct {
		const char *name;
		const struct bpf_map *map;
	} maps[] = {
		{ "block_flights", c->flights },
		{ "block_counters", c->counters },
		{ "block_owners", c->owners },
		{ "block_variables", c->variables },
	};

	for (size_t i = 0; i < ARRAY_SIZE(maps); i++) {
		struct bpf_map *own = bpf_object__find_map_by_name(obj, maps[i].name);
		int r = own ? bpf_map__reuse_fd(own, bpf_map__fd(maps[i].map)) : 0;

		if (r < 0)
			return r;
	}
	return 0;
}

static uint64_t in_flight(const struct block *b)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < ABI_DISKS; i++) {
		uint64_t started = b->disks[i].started, finished = b->disks[i].finished;

		n += started > finished ? started - finished : 0;
	}
	return n;
}

/* The places of arrays; hashes are told of by themselves. */
static void probe_places(const struct block *b, struct probe_list *list)
{
	const struct block_bpf__bss *bss = b->skel->bss;
	const struct {
		const char *what;
		uint64_t n, of;
	} fills[] = {
		{ "tasks known", block_pool_taken(&b->owner_pool, bss->owners_taken),
		  b->owner_pool.max - b->owner_pool.first },
		{ "counters", block_pool_taken(&b->counter_pool, bss->counters_taken),
		  b->counter_pool.max - b->counter_pool.first },
		{ "disks known", bss->disks_taken, ABI_DISKS - 1 },
		{ "disks with histograms", MIN(bss->disks_taken, b->hist_disks - 1),
		  b->hist_disks - 1 },
		{ "I/Os in flight", in_flight(b), FLIGHT_SETS * ABI_WAYS },
		{ "files, by all who write them", bss->inodes_taken,
		  (uint64_t)b->skel->rodata->inode_sets * ABI_WAYS },
		{ "files, by one who writes them", bss->asides_taken,
		  (uint64_t)b->skel->rodata->aside_sets * ABI_ASIDE_WAYS },
	};

	for (size_t i = 0; i < ARRAY_SIZE(fills); i++)
		probe_add(list, fills[i].what, true, _("%llu of %llu"),
			  (unsigned long long)fills[i].n, (unsigned long long)fills[i].of);
}

static void block_probe(void *state, struct probe_list *list)
{
	struct block *b = state;

	bpf_hooks_probe(&b->hooks, list);
	probe_add(list, "task numbers", true, "%s",
		  b->skel->rodata->has_task_storage ? "in task storage"
						    : "in a hash (before Linux 5.11)");
	probe_places(b, list);
	bpf_maps_probe(b->skel->obj, list);
}

const struct collector collector_block = {
	.name = "block",
	.provides = SRC_BLOCK | SRC_HIST,
	.privileges = PRIV_BPF | PRIV_SYMBOLS | PRIV_FILES,
	.open = block_open,
	.want = block_want,
	.collect = block_collect,
	.probe = block_probe,
	.close = block_close,
};

// SPDX-License-Identifier: GPL-2.0-or-later
/* The block programs: opened, sized, loaded, attached. */
#include "collect/block/block.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "base/macro.h"
#include "bpf/abi.h"
#include "bpf/block/block.skel.h"
#include "collect/bpf/kernel.h"
#include "collect/collector.h"
#include "collect/probe_list.h"
#include "collect/set.h"

#define ISSUES (1u << 31)	/* among the sources: the time of issue is wanted of disks whose
				 * requests do not carry it */

static const char *const fallback_calls[] = { "bpf_preempt_disable", "bpf_preempt_enable", NULL };

#define REWRITE(fs, at) \
	{ .program = "rewrite_" #fs, .point = #at, .raw = true, .optional = true }

static const struct bpf_hook hooks[] = {
	BPF_RUN(block_fill),
	{ .program = "bio_queue", .point = "block_bio_queue", .args = 1 },
	{ .program = "queue_fallback", .point = "block_bio_queue", .args = 1,
	  .calls = fallback_calls, .optional = true },
	{ .program = "bio_queue_q", .point = "block_bio_queue", .args = 2,
	  .first = "request_queue" },
	{ .program = "rq_complete", .point = "block_rq_complete", .args = 3 },
	{ .program = "rq_fallback", .point = "block_rq_complete", .args = 3 },
	{ .program = "bio_complete", .point = "block_bio_complete", .args = 2 },
	{ .program = "bio_fallback", .point = "block_bio_complete", .args = 2 },
	{ .program = "ref_exit", .point = "sched_process_exit" },
	{ .program = "ref_exec", .point = "sched_process_exec" },
	{ .program = "dirty_folio", .point = "writeback_dirty_folio", .args = 2, .optional = true },
	{ .program = "dirty_page", .point = "writeback_dirty_page", .was = "writeback_dirty_folio",
	  .args = 2, .optional = true },
	REWRITE(ext4, ext4_da_write_end),
	REWRITE(ext4, ext4_write_end),
	REWRITE(ext4, ext4_journalled_write_end),
	REWRITE(xfs, xfs_file_buffered_write),
	BPF_TWO_FORMS(rq_issue, block_rq_issue, 1, 2, .needs = ISSUES, .optional = true),
	BPF_TWO_FORMS(rq_requeue, block_rq_requeue, 1, 2, .optional = true),
	{ .program = "tag_wait", .point = "block_rq_tag_wait", .args = 4,
	  .first = "request_queue", .optional = true, .newer = true },
	{ .program = "scsi_timeout", .point = "scsi_dispatch_cmd_timeout", .raw = true,
	  .optional = true },
	BPF_TWO_FORMS(rq_merge, block_rq_merge, 1, 2, .needs = SRC_HIST, .optional = true),
	BPF_TWO_FORMS(bio_backmerge, block_bio_backmerge, 1, 3, .needs = SRC_HIST,
		      .optional = true),
	BPF_TWO_FORMS(bio_frontmerge, block_bio_frontmerge, 1, 3, .needs = SRC_HIST,
		      .optional = true),
};

/* Fallback programs are loaded only where the kernel skips the first ones. */
static void choose_fallback(struct block *b)
{
	bool skips = kernel_skips_programs(), preempts = kernel_preempts_programs();

	b->skel->rodata->may_be_preempted = preempts;
	for (unsigned i = 0; i < ARRAY_SIZE(hooks); i++) {
		const char *name = hooks[i].program;
		bool queue = !strcmp(name, "queue_fallback"),
		     completion = !strcmp(name, "rq_fallback") || !strcmp(name, "bio_fallback");

		if ((queue && !preempts) || (completion && !skips))
			bpf_hooks_refuse(&b->programs.hooks, i,
					 "the other program runs there as well");
	}
}

static int set_up(void *state, void *skel, _unused_ struct err *err)
{
	struct block *b = state;

	b->skel = skel;
	block_sizes_set(b);
	choose_fallback(b);
	return 0;
}

BPF_PROGRAMS(block, .what = "the block programs", .set_up = set_up);

static int map_all(struct block *b, struct err *err)
{
	int r = bpf_window_open(&b->ref_window, b->skel->maps.task_refs, sizeof(*b->refs));

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
		r = bpf_window_open(&b->inflight_window, b->skel->maps.inflight,
				    sizeof(struct abi_inflight_set));
	if (r >= 0)
		r = bpf_window_open(&b->asked_window, b->skel->maps.asked, sizeof(*b->asked));
	if (r < 0)
		return err_set(err, -r, "the BPF maps cannot be mapped: %m");
	b->refs = b->ref_window.memory;
	b->counters = b->counter_window.memory;
	b->disks = b->disk_window.memory;
	b->diskstats = b->stat_window.memory;
	b->hists = b->hist_window.memory;
	b->asked = b->asked_window.memory;
	bpf_window_map_up_to(&b->disk_window, b->disk_window.size);
	block_map_disks(b, 1);
	return 0;
}

static void block_close(void *state)
{
	struct block *b = state;

	bpf_window_close(&b->ref_window);
	bpf_window_close(&b->counter_window);
	bpf_window_close(&b->disk_window);
	bpf_window_close(&b->stat_window);
	bpf_window_close(&b->hist_window);
	bpf_window_close(&b->inflight_window);
	bpf_window_close(&b->asked_window);
	block_pools_release(b);
	block_hold_close(b);
	block_throttled_free(b);
	block_events_enable(b, false);
	block_pattern_enable(b, false);
	bpf_programs_close(&b->programs);
	free(b);
}

/* Whether the issue time must be taken by a program. Of disks that are not known yet it must. */
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
	bool issues = (b->sources & (SRC_HIST | SRC_EVENTS)) && issues_wanted(b);
	int r = bpf_programs_attach(&b->programs, b->sources | (issues ? ISSUES : 0), err);

	if (!r && !b->skel->bss->watched_ns)
		b->skel->bss->watched_ns = clock_mono();
	return r;
}

static int block_enable(void *state, unsigned sources, struct err *err)
{
	struct block *b = state;

	b->sources = sources;
	b->skel->bss->want_hist = sources & SRC_HIST;
	block_events_enable(b, sources & SRC_EVENTS);
	block_pattern_enable(b, sources & SRC_PATTERN);
	return attach(b, err);
}

static int block_open(struct collect_set *set, unsigned sources, void **ret_state, struct err *err)
{
	struct block *b = *ret_state = mem_alloc(sizeof(*b));
	int r;

	*b = (struct block){ .opt = collect_set_options(set), .sources = sources };
	bpf_programs_init(&b->programs, &block_programs);
	r = bpf_programs_load(&b->programs, b, err);
	if (!r)
		r = map_all(b, err);
	if (!r)
		r = block_pools_init(b, err);
	if (!r)
		block_hold_open(b);
	return r < 0 ? r : block_enable(b, sources, err);
}

static int block_collect(void *state, struct sample *s, struct err *err)
{
	struct block *b = state;
	uint32_t interval = b->skel->bss->epoch;
	char text[160];
	const char *missing = bpf_hooks_missing(&b->programs.hooks, b->sources | ISSUES, text,
						sizeof(text));
	const char *untimed;
	int r = attach(b, err);

	if (r < 0)
		return r;

	b->tells_dirtied = bpf_hooks_attached(&b->programs.hooks, "dirty_folio") ||
			   bpf_hooks_attached(&b->programs.hooks, "dirty_page");
	b->skel->bss->epoch = interval + 1;
	block_throttled_read(b);
	block_events_read(b, s);
	s->counted = clock_mono();
	/* Entries are read as they are taken back, all others afterwards. */
	block_pools_return(b, s, interval);
	s->counted = clock_mono();
	block_read(b, s, interval);
	b->ticks++;
	block_pools_fill(b);
	block_refresh_lower(b);
	block_hold_refresh(b);
	untimed = block_hold_missing(b);
	sample_source(s, SRC_BLOCK, untimed ? SOURCE_PART : SOURCE_ON, untimed);
	block_pattern_tell(b, s);
	if (b->sources & SRC_HIST)
		sample_source(s, SRC_HIST, missing ? SOURCE_PART : SOURCE_ON, missing);
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

/* How full the arrays are; hash maps are in bpf_maps_probe(). */
static void probe_places(const struct block *b, struct probe_list *list)
{
	const struct block_bpf__bss *bss = b->skel->bss;
	const struct {
		const char *what;
		uint64_t n, of;
	} fills[] = {
		{ "tasks known", block_pool_used(&b->ref_pool),
		  b->ref_pool.max - b->ref_pool.first },
		{ "counters", block_pool_used(&b->counter_pool),
		  b->counter_pool.max - b->counter_pool.first },
		{ "disks known", bss->disk_places.taken - bss->disk_places.back, ABI_DISKS - 1 },
		{ "disks with histograms", MIN(bss->disk_places.taken, b->hist_disks - 1),
		  b->hist_disks - 1 },
		{ "I/Os in flight", in_flight(b),
		  (uint64_t)b->skel->rodata->inflight_sets * ABI_WAYS },
		{ "files, by all who write them", bss->inodes_taken,
		  (uint64_t)b->skel->rodata->inode_sets * ABI_WAYS },
		{ "pages, of files that several write", bss->dirtiers_taken * ABI_BLOCK_PAGES,
		  (uint64_t)b->skel->rodata->dirtiers_sets * ABI_DIRTIERS_WAYS * ABI_BLOCK_PAGES },
		{ "files, by one who writes them", bss->evicted_taken,
		  (uint64_t)b->skel->rodata->evicted_sets * ABI_EVICTED_WAYS },
	};

	for (size_t i = 0; i < ARRAY_SIZE(fills); i++)
		probe_add(list, fills[i].what, true, _("%llu of %llu"),
			  (unsigned long long)fills[i].n, (unsigned long long)fills[i].of);
}

static void block_probe(void *state, struct probe_list *list)
{
	struct block *b = state;

	bpf_hooks_probe(&b->programs.hooks, list);
	block_hold_probe(b, list);
	bpf_task_state_probe(b->skel->rodata->has_task_storage, "task numbers", list);
	probe_places(b, list);
	bpf_maps_probe(b->skel->obj, list);
}

const struct collector collector_block = {
	.name = "block",
	.bpf = true,
	.provides = SRC_BLOCK | SRC_HIST | SRC_EVENTS | SRC_PATTERN,
	.privileges = PRIV_PROGRAMS,
	.open = block_open,
	.enable = block_enable,
	.collect = block_collect,
	.fd = block_events_fd,
	.drain = block_events_drain,
	.probe = block_probe,
	.close = block_close,
};

// SPDX-License-Identifier: GPL-2.0-or-later
/* The programs of the layers: chosen, loaded, attached while somebody looks. */
#include "collect/layers/layers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/arena.h"
#include "base/fd.h"
#include "base/i18n.h"
#include "base/macro.h"
#include "bpf/abi.h"
#include "bpf/layers/layers.skel.h"
#include "collect/block/attribution.h"
#include "collect/bpf/calls.h"
#include "collect/bpf/iterator.h"
#include "collect/bpf/kernel.h"
#include "collect/collector.h"
#include "collect/probe_list.h"
#include "collect/set.h"

#define ATTACH_AGAIN 10		/* samples */
#define TASKS_MAX 65536		/* at the same time in a system call on a file, where there is no
				 * task storage */

/* What hooks are needed for here: layers. */
#define CALLS (1u << LAYER_SYSCALL)
#define CACHE (1u << LAYER_CACHE)
#define FILES (1u << LAYER_FS)
#define TRACED (1u << LAYER_COUNT)	/* file systems, where functions cannot be probed */
#define CHOSEN (1u << (LAYER_COUNT + 1))	/* whose requests: of a journal, of who waits for
						 * it */
#define DISKS LAYERS_OF_DISKS

/* A tracepoint of a module. */
#define RAW(name, at, sources, ...)                                                      \
	{ .program = #name, .point = #at, .needs = (sources), .optional = true, .raw = true, \
	  __VA_ARGS__ }
/* Iterators. */
enum {
	RUNNING,
	BEFORE,
};

static const struct bpf_hook hooks[] = {
	[RUNNING] = { .program = "layer_running", .optional = true },
	[BEFORE] = { .program = "layer_began_before", .optional = true },
	BPF_RUN(layer_fill),
	{ .program = "layer_call", .point = "sys_enter", .args = 2,
	  .needs = CALLS | FILES | CACHE | CHOSEN, .optional = true },
	{ .program = "layer_return", .point = "sys_exit", .args = 2,
	  .needs = CALLS | FILES | CACHE | CHOSEN, .optional = true },
	{ .program = "layer_switch", .point = "sched_switch", .needs = CACHE | FILES,
	  .optional = true },
	{ .program = "layer_fault", .point = "mm_filemap_fault",
	  .was = "mm_filemap_add_to_page_cache", .args = 2, .needs = CACHE, .optional = true },
	{ .program = "layer_page", .point = "mm_filemap_add_to_page_cache", .args = 1,
	  .needs = CACHE, .optional = true },
	BPF_TWO_FORMS(layer_bio_queue, block_bio_queue, 1, 2, .needs = DISKS | FILES,
		      .optional = true),
	BPF_TWO_FORMS(layer_rq_issue, block_rq_issue, 1, 2, .needs = DISKS, .optional = true),
	{ .program = "layer_rq_complete", .point = "block_rq_complete", .args = 3, .needs = DISKS,
	  .optional = true,
	  .covered = true },
	{ .program = "layer_rq_fallback", .point = "block_rq_complete", .args = 3, .needs = DISKS,
	  .optional = true },
	{ .program = "layer_bio_complete", .point = "block_bio_complete", .args = 2, .needs = DISKS,
	  .optional = true },
	RAW(layer_ext4_sync, ext4_sync_file_enter, TRACED),
	RAW(layer_ext4_synced, ext4_sync_file_exit, TRACED),
	RAW(layer_f2fs_sync, f2fs_sync_file_enter, TRACED),
	RAW(layer_f2fs_synced, f2fs_sync_file_exit, TRACED),
	RAW(layer_btrfs_sync, btrfs_sync_file, TRACED),
	RAW(layer_xfs_sync, xfs_file_fsync, TRACED),
	RAW(layer_xfs_sync_folder, xfs_dir_fsync, TRACED),
	RAW(layer_xfs_read, xfs_file_buffered_read, TRACED),
	RAW(layer_xfs_read_direct, xfs_file_direct_read, TRACED),
	RAW(layer_xfs_write, xfs_file_buffered_write, TRACED),
	RAW(layer_xfs_write_direct, xfs_file_direct_write, TRACED),
	RAW(layer_uring_submit, io_uring_submit_req, CALLS),
	RAW(layer_uring_sqe, io_uring_submit_sqe, CALLS),
	RAW(layer_uring_complete, io_uring_complete, CALLS),
	RAW(layer_commit, jbd2_start_commit, FILES),
	RAW(layer_committed, jbd2_end_commit, FILES),
	RAW(layer_commit_event, jbd2_start_commit, FILES, .instead = "layer_commit"),
	RAW(layer_committed_event, jbd2_end_commit, FILES, .instead = "layer_committed"),
};

/*
 * A disk below a file system has four: reads and writes, in the queue and at the device. One that
 * programs read and write themselves has two more in each layer above. Room is for twice the disks.
 */
#define ENTRIES_A_DISK 8

static int set_up(void *state, void *programs, struct err *err)
{
	struct layers *l = state;
	struct layers_bpf *skel = l->skel = programs;
	int r;

	l->stripes = bpf_stripes();
	l->room = bpf_disks() * ENTRIES_A_DISK;
	bpf_map__set_max_entries(skel->maps.layer_index, l->room);
	bpf_map__set_max_entries(skel->maps.layer_free, l->room);
	bpf_map__set_max_entries(skel->maps.layer_entries, l->room);
	bpf_map__set_max_entries(skel->maps.layer_stats, l->room * l->stripes);
	skel->rodata->stripes = l->stripes;
	layers_calls(skel->rodata->calls);
	addresses_set(l->proc, skel->rodata->addresses);
	skel->rodata->pid_namespace = kernel_pid_namespace();
	skel->rodata->uring_request = kernel_uring_request();
	skel->rodata->has_task_storage =
		bpf_task_state(skel->maps.layer_tasks, skel->maps.layer_task_hash, TASKS_MAX);
	skel->rodata->has_cast = skel->rodata->has_task_storage && bpf_calls_cast() > 0;
	r = layers_filter_set(l, collect_set_options(l->set), err);
	if (!r)
		layers_probe_choose(l);
	return r;
}

static bool fewer(void *state)
{
	return layers_probe_retry(state);
}

BPF_PROGRAMS(layers, .what = "the programs of the layers", .set_up = set_up, .fewer = fewer);

/* The programs hand out the entries. */
static int fill(struct layers *l, const struct collect_options *opt, struct err *err)
{
	int r;

	if (bpf_fill(l->skel->obj, "layer_fill", 0, l->skel->maps.layer_free, 1,
		     l->room - 1) < l->room - 1)
		return err_set(err, errno, "the BPF maps cannot be filled: %m");
	layers_filter_fill(l, opt);
	r = bpf_window_open(&l->entry_window, l->skel->maps.layer_entries, sizeof(*l->entries));
	if (!r)
		r = bpf_window_open(&l->stat_window, l->skel->maps.layer_stats, sizeof(*l->stats));
	if (r < 0)
		return err_set(err, -r, "the BPF maps cannot be mapped: %m");
	l->entries = l->entry_window.memory;
	l->stats = l->stat_window.memory;
	return 0;
}

static void layers_close(void *state)
{
	struct layers *l = state;

	layers_probe_detach(l);
	layers_callers_close(l);
	bpf_window_close(&l->entry_window);
	bpf_window_close(&l->stat_window);
	bpf_programs_close(&l->programs);
	fd_close(l->cgroup);
	free(l);
}

/* Where the kernel tells of faults, what is read need not be looked at. */
static void choose_faults(struct layers *l)
{
	for (unsigned i = 0; i < ARRAY_SIZE(hooks) && kernel_tells_faults(); i++)
		if (!strcmp(hooks[i].program, "layer_page"))
			bpf_hooks_refuse(&l->programs.hooks, i, "mm_filemap_fault tells of faults");
}

/*
 * Programs that would be refused for the types they lack: each refusal costs another attempt at
 * loading them all.
 */
static void choose_commits(struct layers *l)
{
	for (unsigned i = 0; i < ARRAY_SIZE(hooks) && !kernel_tells_journal(); i++)
		if (!strcmp(hooks[i].program, "layer_commit") ||
		    !strcmp(hooks[i].program, "layer_committed"))
			bpf_hooks_refuse(&l->programs.hooks, i, BPF_HOOK_NO_TYPES);
}

/*
 * Who makes which calls is told by the programs at the calls alone; the others are attached when
 * somebody looks at the layers, and stay then. Times are counted from there on: that is since when
 * the source is watched.
 */
static int attach(struct layers *l, unsigned sources, struct err *err)
{
	int r;

	if (!(sources & SRC_LAYERS))
		return l->whole ? 0
				: bpf_programs_attach(&l->programs, l->layers & CALLS, err);
	if (l->whole)
		return 0;
	l->whole = true;
	r = bpf_programs_attach(&l->programs, l->layers, err);
	if (r < 0)
		return r;
	layers_probe_attach(l);
	layers_probe_settle(l);
	if (l->probing != PROBING_NONE || !(l->layers & FILES))
		return 0;
	l->layers |= TRACED;
	return bpf_programs_attach(&l->programs, l->layers, err);
}

/* Whether single calls are sent, among the events of the block programs. */
static void send_calls(struct layers *l, bool on)
{
	const struct collect_options *opt = collect_set_options(l->set);
	struct layers_bpf__bss *bss = l->skel->bss;

	bss->event_min_ns = opt->event_latency;
	bss->event_errors = opt->errors;
	bss->event_ops = opt->call_ops;
	bss->event_most = opt->max_rate;
	bss->event_ring_size = ABI_EVENT_RING;
	bss->want_calls = on;
}

static void tell_calls(const struct layers *l, struct sample *s)
{
	const struct layers_bpf__bss *bss = l->skel->bss;
	bool sent = l->events && block_attribution_valid(l->set, l->events);

	if (!bss->want_calls)
		return;
	sample_source(s, SRC_CALLS, sent ? SOURCE_ON : SOURCE_OFF,
		      sent ? NULL
			   : N_("the block programs, whose reader takes them, are not there"));
	sample_lose(s, "events.over", bss->events_over);
	sample_lose(s, "events.full", bss->events_full);
	sample_each(s, EVENTLOG, struct sample_eventlog, log) {
		log->sent += bss->events_sent;
		log->dropped += bss->events_over + bss->events_full;
	}
}

static int layers_open(struct collect_set *set, unsigned sources, void **ret_state, struct err *err)
{
	const struct collect_options *opt = collect_set_options(set);
	struct layers *l = *ret_state = mem_zalloc(sizeof(*l));
	struct bpf_link *before;
	int r;

	l->layers = opt->layers ? opt->layers : (1u << LAYER_COUNT) - 1;
	if (collect_chosen(opt) && l->layers & DISKS)
		l->layers |= CHOSEN;
	l->set = set;
	l->cgroup = -1;
	l->proc = opt->proc;
	l->helper = opt->helper;
	layers_probing(l, opt->proc, opt->sys);
	l->uring_unnamed = !kernel_names_uring();
	l->min_ns = opt->min_latency;
	bpf_programs_init(&l->programs, &layers_programs);
	choose_faults(l);
	choose_commits(l);
	r = bpf_programs_load(&l->programs, l, err);
	if (!r)
		r = fill(l, opt, err);
	if (!r)
		r = attach(l, sources, err);
	if (!r) {
		layers_callers_enable(l, sources & SRC_CALLERS);
		send_calls(l, sources & SRC_CALLS);
	}
	before = l->programs.hooks.state[BEFORE].link;
	if (!r && before && l->layers & CALLS)
		bpf_iterator_run(before, NULL, 0, 0, NULL, NULL);
	if (!r)
		l->skel->bss->layers_counted = l->whole;
	return r;
}

static int layers_enable(void *state, unsigned sources, struct err *err)
{
	struct layers *l = state;
	int r;

	layers_callers_enable(l, sources & SRC_CALLERS);
	send_calls(l, sources & SRC_CALLS);
	r = attach(l, sources, err);
	l->skel->bss->layers_counted = l->whole;
	return r;
}

static int layers_collect(void *state, struct sample *s, _unused_ struct err *failure)
{
	struct layers *l = state;
	uint32_t interval = l->skel->bss->epoch;
	struct err err = { "" }, gone = { "" };
	char text[240];
	const char *missing = bpf_hooks_missing(&l->programs.hooks, l->layers, text, sizeof(text));

	l->skel->bss->epoch = interval + 1;
	if (layers_filter_refresh(l, &gone) < 0)
		missing = gone.text;
	/* A module may have come: a file system that was mounted. */
	if (interval % ATTACH_AGAIN == ATTACH_AGAIN - 1) {
		bpf_programs_attach(&l->programs, l->whole ? l->layers : l->layers & CALLS, &err);
		if (l->whole)
			layers_probe_attach(l);
	}
	if (!missing)
		missing = layers_probe_reason(l, text, sizeof(text));
	if (!missing)
		missing = layers_filter_reason(l, collect_set_options(l->set));
	if (!missing && l->uring_unnamed && l->layers & CALLS)
		missing = N_(
			"requests of io_uring are not seen: this kernel does not tell them apart");
	if (l->whole)
		layers_read(l, s, interval, l->programs.hooks.state[RUNNING].link);
	layers_callers_read(l, s, interval);
	sample_lose(s, "layers.places-full", l->skel->bss->entries_full);
	sample_lose(s, "layers.aio", l->skel->bss->aio_missed);
	tell_calls(l, s);
	sample_lose(s, "layers.missed",
		    bpf_hooks_misses(&l->programs.hooks, l->skel->obj) + layers_probe_misses(l));
	if (l->whole)
		sample_source(s, SRC_LAYERS, missing ? SOURCE_PART : SOURCE_ON, missing);
	return 0;
}

static void layers_reads_counted(void *state, uint64_t since)
{
	struct layers *l = state;

	l->skel->bss->reads_compared = since;
}

static void layers_probe(void *state, struct probe_list *list)
{
	static const char *const ways[] = {
		[PROBING_NONE] = N_("this kernel lets no functions be probed (no kprobes)"),
		[PROBING_KPROBE] = N_("kprobe (this kernel has no kprobe.multi)"),
		[PROBING_MULTI] = "kprobe.multi",
	};
	struct layers *l = state;

	bpf_hooks_probe(&l->programs.hooks, list);
	layers_probe_list(l, _(ways[l->probing]), list);
	if (l->uring_unnamed)
		probe_add(list, "requests of io_uring", false, "%s",
			  _("not seen: this kernel does not tell them apart (before Linux 5.17)"));
	bpf_task_state_probe(l->skel->rodata->has_task_storage, "notes of calls", list);
	bpf_maps_probe(l->skel->obj, list);
}

const struct collector collector_layers = {
	.name = "layers",
	.bpf = true,
	.places = true,
	.provides = SRC_LAYERS | SRC_CALLERS | SRC_CALLS,
	.privileges = PRIV_PROGRAMS | PRIV_TASKS,
	.open = layers_open,
	.enable = layers_enable,
	.collect = layers_collect,
	.reads_counted = layers_reads_counted,
	.probe = layers_probe,
	.close = layers_close,
};

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Waits for I/O, taken at the scheduler, for the rows that another collector has put into the
 * sample: this one runs after those that list tasks. Only tasks that ever waited have an entry; for
 * all others it is known that they did not.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/i18n.h"
#include "base/macro.h"
#include "bpf/abi.h"
#include "bpf/offcpu/waits.skel.h"
#include "collect/block/attribution.h"
#include "collect/bpf/iterator.h"
#include "collect/bpf/kernel.h"
#include "collect/bpf/programs.h"
#include "collect/collector.h"

#define BATCH 4096	/* a bucket must fit */
#define FILTER_BITS 4096
/* Other sources tell the start of a task by its age, or in clock ticks. */
#define TOLERANCE NSEC_PER_SEC

enum {
	SWITCH, WAKEUP, EXIT, BEFORE, THROTTLE, THROTTLE_12,
	RECLAIM, RECLAIM_END, RECLAIM_GROUP, RECLAIM_GROUP_END,
};

static const struct bpf_hook hooks[] = {
	[SWITCH] = { .program = "wait_begin", .point = "sched_switch" },
	[WAKEUP] = { .program = "wait_end", .point = "sched_wakeup" },
	[EXIT] = { .program = "wait_exit", .point = "sched_process_exit" },
	[BEFORE] = { .program = "wait_began_before" },
	[THROTTLE] = { .program = "throttle", .point = "balance_dirty_pages", .args = 8,
		       .needs = SRC_THROTTLE, .optional = true },
	[THROTTLE_12] = { .program = "throttle_12", .point = "balance_dirty_pages", .args = 12,
			  .needs = SRC_THROTTLE, .optional = true },
	[RECLAIM] = { .program = "reclaim_begin", .point = "mm_vmscan_direct_reclaim_begin",
		      .needs = SRC_MEMSTALL, .optional = true },
	[RECLAIM_END] = { .program = "reclaim_end", .point = "mm_vmscan_direct_reclaim_end",
			  .needs = SRC_MEMSTALL, .optional = true },
	/* Of kernels with control groups of memory. */
	[RECLAIM_GROUP] = { .program = "reclaim_begin_group",
			    .point = "mm_vmscan_memcg_reclaim_begin", .needs = SRC_MEMSTALL,
			    .optional = true },
	[RECLAIM_GROUP_END] = { .program = "reclaim_end_group",
				.point = "mm_vmscan_memcg_reclaim_end", .needs = SRC_MEMSTALL,
				.optional = true },
};

struct entry {
	struct abi_wait_key key;
	struct abi_wait wait;
	bool settled;	/* the row of its end has it */
};

struct waits {
	const struct collect_set *set;
	struct waits_bpf *skel;
	bool knows_requests;	/* those of the block programs */
	bool knows_memstall;	/* the kernel accounts memory stalls */
	struct bpf_programs programs;
	unsigned sources;
	unsigned attached;	/* of these, those that the programs are attached for */
	struct abi_wait_key *keys;	/* of a batch */
	struct abi_wait *values;
	struct entry *entries;		/* of this sample, by tid */
	size_t n, cap;
	uint64_t filter[FILTER_BITS / 64];	/* tids of entries, by their low bits */
};

static int set_up(void *state, void *skel, struct err *err)
{
	struct block_attribution block;
	struct waits *w = state;

	w->skel = skel;
	w->skel->rodata->pid_namespace = kernel_pid_namespace();
	w->knows_requests = block_attribution(w->set, &block);
	if (!w->knows_requests)
		return 0;
	return block_attribution_share(&block, w->skel->obj, err);
}

BPF_PROGRAMS(waits, .what = "the wait programs", .set_up = set_up);

static void waits_close(void *state)
{
	struct waits *w = state;

	block_attribution_ask(w->set, false);
	bpf_programs_close(&w->programs);
	free(w->keys);
	free(w->values);
	free(w->entries);
	free(w);
}

static int waits_enable(void *state, unsigned sources, struct err *err)
{
	struct waits *w = state;

	if (sources & ~w->attached & SRC_MEMSTALL)
		w->skel->bss->reclaims_since = clock_mono();
	w->sources = w->attached = sources;
	block_attribution_ask(w->set, w->knows_requests && sources & SRC_WAITS);
	return bpf_programs_attach(&w->programs, sources, err);
}

/* Tasks that wait already: the program notes them. */
static int find_waiting(struct waits *w, struct err *err)
{
	int r = bpf_iterator_run(w->programs.hooks.state[BEFORE].link, NULL, 0, 0, NULL, NULL);

	return r < 0 ? err_set(err, -r, "the list of tasks cannot be read: %m") : 0;
}

static int waits_open(struct collect_set *set, unsigned sources, void **ret_state,
		      struct err *err)
{
	struct waits *w = *ret_state = mem_alloc(sizeof(*w));
	int r;

	/* The kernel has the file where it sets in_memstall: built with PSI, and not psi=0. */
	*w = (struct waits){ .set = set, .sources = sources,
			     .knows_memstall = !access("/proc/pressure/memory", F_OK) };
	bpf_programs_init(&w->programs, &waits_programs);
	w->keys = mem_alloc(BATCH * sizeof(*w->keys));
	w->values = mem_alloc(BATCH * sizeof(*w->values));
	r = bpf_programs_load(&w->programs, w, err);
	if (!r)
		r = waits_enable(w, sources, err);
	return r < 0 ? r : find_waiting(w, err);
}

static int entry_order(const void *a, const void *b)
{
	uint32_t x = ((const struct entry *)a)->key.tid, y = ((const struct entry *)b)->key.tid;

	return ORDER(x, y);
}

static int read_entries(struct waits *w, struct err *err)
{
	int fd = bpf_map__fd(w->skel->maps.waits), r;
	uint64_t position[2];	/* the kernel keeps a number there */
	uint32_t n;

	w->n = 0;
	memset(w->filter, 0, sizeof(w->filter));
	do {
		n = BATCH;
		r = bpf_map_lookup_batch(fd, w->n ? position : NULL, position, w->keys, w->values,
					 &n, NULL);
		if (r < 0 && r != -ENOENT)
			return err_set(err, -r, "the waits cannot be read: %m");
		if (w->cap < w->n + n) {
			w->cap = w->n + n + 256;
			w->entries = mem_realloc(w->entries, w->cap * sizeof(*w->entries));
		}
		for (uint32_t i = 0; i < n; i++) {
			w->entries[w->n++] =
				(struct entry){ .key = w->keys[i], .wait = w->values[i] };
			w->filter[w->keys[i].tid % FILTER_BITS / 64] |= 1ULL << w->keys[i].tid % 64;
		}
	} while (!r && n);
	if (w->n > 1)
		qsort(w->entries, w->n, sizeof(*w->entries), entry_order);
	return 0;
}

static struct entry *find(struct waits *w, const struct task_id *id)
{
	uint64_t best = TOLERANCE + 1;
	struct entry *found = NULL;
	size_t lo = 0, hi = w->n;

	if (!(w->filter[id->tid % FILTER_BITS / 64] & 1ULL << id->tid % 64))
		return NULL;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (w->entries[mid].key.tid < id->tid)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < w->n && w->entries[lo].key.tid == id->tid; lo++) {
		uint64_t start = w->entries[lo].key.start,
			 distance = start > id->start ? start - id->start : id->start - start;

		if (distance < best) {
			best = distance;
			found = &w->entries[lo];
		}
	}
	return found;
}

/* How long something goes on that began then; 0: nothing goes on. */
static uint64_t since(uint64_t begin, uint64_t now)
{
	return begin && now > begin ? now - begin : 0;
}

/* A direct reclaim of which the end was not seen does not go on. */
static uint64_t memstall(const struct waits *w, const struct abi_wait *wait, uint64_t now)
{
	bool over = wait->reclaims && wait->memstall_since < w->skel->bss->reclaims_since;

	return wait->memstall_ns + (over ? 0 : since(wait->memstall_since, now));
}

/* How much of the sleep that is going on was for I/O, up to a time. */
static uint64_t waited(const struct waits *w, const struct abi_wait *wait, uint64_t slept,
		       uint64_t now)
{
	struct abi_asked a;
	uint64_t ns;

	if (wait->asked == ABI_WAITS_ALWAYS)
		return slept;
	if (bpf_map_lookup_elem(bpf_map__fd(w->skel->maps.block_asked), &wait->asked, &a) < 0)
		return 0;
	ns = a.ns - wait->asked_ns;
	if ((int32_t)(a.started - a.finished) > 0 && now > a.since)
		ns += now - a.since;
	return MIN(ns, slept);
}

/* Whether a request of its own may have ended without being seen, in the last interval. */
static bool is_doubtful(const struct waits *w, const struct abi_wait *wait, uint64_t now)
{
	struct abi_asked a;

	return wait->own && !bpf_map_lookup_elem(bpf_map__fd(w->skel->maps.block_asked), &wait->own,
						 &a) && a.doubtful == ABI_DOUBT(now);
}

static void fill(struct waits *w, struct sample_task *t, const struct sample *s, unsigned serves)
{
	struct entry *e = find(w, &t->id);
	uint64_t more;

	t->have |= serves;
	if (!e)
		return;
	/* What has ended counts up to when it was read: what goes on does, too. */
	more = since(e->wait.since, s->counted);
	t->wait_ns = e->wait.wait_ns;
	if (is_doubtful(w, &e->wait, s->mono))
		t->flags |= TASK_DOUBT;
	if (more)
		t->wait_ns += waited(w, &e->wait, more, s->counted);
	t->iowait_ns = e->wait.iowait_ns + (e->wait.iowait ? more : 0);
	if (serves & SRC_MEMSTALL)
		t->memstall_ns = memstall(w, &e->wait, s->counted);
	if (serves & SRC_THROTTLE)
		t->throttle_ns = e->wait.throttle_ns + (e->wait.throttled ? more : 0);
	if (t->flags & TASK_ENDED)
		e->settled = true;
}

/*
 * An end may be seen here before another collector tells it: its entry stays for one sample more.
 */
static void drop_ended(struct waits *w)
{
	int fd = bpf_map__fd(w->skel->maps.waits);

	for (size_t i = 0; i < w->n; i++) {
		struct entry *e = &w->entries[i];

		if (e->settled || e->wait.ended > 1) {
			bpf_map_delete_elem(fd, &e->key);
		} else if (e->wait.ended) {
			e->wait.ended = 2;
			bpf_map_update_elem(fd, &e->key, &e->wait, BPF_EXIST);
		}
	}
}

static void tell_sources(const struct waits *w, struct sample *s, unsigned serves)
{
	if (serves & SRC_WAITS)
		sample_source(s, SRC_WAITS, w->knows_requests ? SOURCE_ON : SOURCE_PART,
			      w->knows_requests ? NULL :
			      N_("without the block programs: who sleeps interruptibly until a "
				 "request ends is not seen"));
	if (serves & SRC_THROTTLE)
		sample_source(s, SRC_THROTTLE, SOURCE_ON, NULL);
	else if (w->sources & SRC_THROTTLE)
		sample_source(s, SRC_THROTTLE, SOURCE_OFF,
			      N_("this kernel does not tell when it holds writers back"));
	if (serves & SRC_MEMSTALL)
		sample_source(s, SRC_MEMSTALL, SOURCE_ON, NULL);
	else if (w->sources & SRC_MEMSTALL)
		sample_source(s, SRC_MEMSTALL, SOURCE_OFF,
			      w->knows_memstall
				      ? N_("this kernel lets no program see direct reclaim")
				      : N_("this kernel has no PSI or booted with psi=0"));
}

static int waits_collect(void *state, struct sample *s, struct err *err)
{
	struct waits *w = state;
	unsigned serves = w->sources;
	bool throttle = w->programs.hooks.state[THROTTLE].link ||
			w->programs.hooks.state[THROTTLE_12].link;
	int r;

	s->counted = clock_mono();
	r = read_entries(w, err);
	if (r < 0)
		return r;
	if (!throttle)
		serves &= ~(unsigned)SRC_THROTTLE;
	/* Without reclaim a part of the stalls would be missing. */
	if (!w->knows_memstall || w->programs.hooks.state[RECLAIM].refused ||
	    w->programs.hooks.state[RECLAIM_END].refused)
		serves &= ~(unsigned)SRC_MEMSTALL;
	sample_each(s, TASK, struct sample_task, t)
		fill(w, t, s, serves);
	drop_ended(w);
	sample_lose(s, "waits.tasks-full", w->skel->bss->waits_full);
	tell_sources(w, s, serves);
	return 0;
}

static void waits_probe(void *state, struct probe_list *list)
{
	struct waits *w = state;

	bpf_hooks_probe(&w->programs.hooks, list);
	bpf_maps_probe(w->skel->obj, list);
}

const struct collector collector_waits = {
	.name = "waits",
	.bpf = true,
	.provides = SRC_WAITS | SRC_THROTTLE | SRC_MEMSTALL,
	.privileges = PRIV_PROGRAMS,
	.open = waits_open,
	.enable = waits_enable,
	.collect = waits_collect,
	.probe = waits_probe,
	.close = waits_close,
};

// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/collect.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "collect/actions.h"
#include "collect/ahead.h"
#include "collect/bpf/bpf.h"
#include "collect/delayacct.h"
#include "collect/helper/helper.h"
#include "collect/merge.h"
#include "collect/proc/cmdline.h"
#include "collect/proc/owner_names.h"
#include "collect/proc/proc.h"
#include "collect/set.h"

/* In order of preference: the first that opens serves a source. */
static const struct collector *const collectors[] = {
	/* First: programs of others look into its maps, and run after its own. */
	&collector_block,
	/* At the same moment: what both have of the disks is shown side by side. */
	&collector_disks,
	&collector_offcpu,
	&collector_tasks,
	/* Before the files: what a call had from a disk is counted when the call is. */
	&collector_layers,
	&collector_files,
	&collector_stacks,
	&collector_taskstats,
	&collector_procfs,
	/* Fills the rows of those before it; of these, control groups are read off. */
	&collector_waits,
	&collector_memory,
	&collector_far_mounts,
	&collector_system,
};

_Static_assert(ARRAY_SIZE(collectors) <= SLOTS_MAX, "room for every collector");

/* Several may serve these: each knows of tasks the others miss. */
#define SHARED SRC_EXITS

/* ns for names of users and command lines, where somebody waits for keys and in a report. */
#define PATIENCE_KEYS (20 * 1000000ULL)
#define PATIENCE_REPORT NSEC_PER_SEC
void collect_on_yield(struct collect_set *set, void (*yield)(void *arg), void *arg)
{
	set->yield = yield;
	set->yield_arg = arg;
}

static void slot_close(struct slot *slot)
{
	uint64_t before = privilege_raise(slot->c->privileges);

	if (slot->state)
		slot->c->close(slot->state);
	privilege_restore(before);
	slot->open = false;
	slot->state = NULL;
	slot->serves = 0;
}

struct opening {
	struct collect_set *set;
	struct slot *slot;
	unsigned need;	/* 0: it is closed */
	int r;
	struct err err;
};

static int slot_open(struct opening *o)
{
	struct slot *slot = o->slot;
	const char *places = slot->c->places ? o->set->opt->proc : NULL;
	int r = slot->c->bpf ? bpf_host_check(places, &o->err) : 0;

	return r < 0 ? r : slot->c->open(o->set, o->need, &slot->state, &o->err);
}

static void slot_change(void *arg)
{
	struct opening *o = arg;
	struct slot *slot = o->slot;
	uint64_t before = privilege_raise(slot->c->privileges);

	if (!slot->open)
		o->r = slot_open(o);
	else if (o->need && slot->c->enable)
		o->r = slot->c->enable(slot->state, o->need, &o->err);
	if (!o->need || o->r < 0)
		slot_close(slot);
	privilege_restore(before);
}

/* What is off always says why: the number alone where a collector says no more. */
static void explain(struct err *err, int r)
{
	if (!err->text[0])
		err_set(err, -r, "%m");
}

/* Brings a slot to serve need, or closes it. Returns the bits it serves. */
static unsigned slot_apply(struct collect_set *set, struct slot *slot, unsigned need)
{
	struct opening o = { .set = set, .slot = slot, .need = need & ~slot->failed };

	need = o.need;
	if (slot->open ? need == slot->serves : !need)
		return need;
	collect_offload(set, slot_change, &o);
	if (!need)
		return 0;
	if (o.r < 0) {
		explain(&o.err, o.r);
		slot->failed |= need;
		slot->why = o.err;
		return 0;
	}
	set_since(set, slot, need & ~slot->serves);
	slot->open = true;
	slot->serves = need;
	return need;
}

/*
 * Whether a BPF collector may yet serve this; those that fill the rows of others come after them.
 */
static bool bpf_may_serve(const struct collect_set *set, unsigned bit)
{
	for (size_t i = 0; i < set->n; i++) {
		const struct slot *slot = &set->slots[i];
		unsigned allowed;

		slot_refusal(set, slot, &allowed);
		if (slot->c->bpf && (allowed & ~slot->failed & bit))
			return true;
	}
	return false;
}

/* Returns the bits that are served. */
static unsigned assign(struct collect_set *set)
{
	unsigned served = 0;

	for (size_t i = 0; i < set->n; i++) {
		struct slot *slot = &set->slots[i];
		unsigned need, allowed;

		slot_refusal(set, slot, &allowed);
		need = set->sources & allowed & (~served | SHARED);
		if (served & SRC_TASKS)
			need &= ~SRC_OF_LISTER;
		if (!slot->c->bpf && (!(need & SRC_TASKS) || bpf_may_serve(set, SRC_WAITS)))
			need &= ~SRC_WAITS;
		served |= slot_apply(set, slot, need);
	}
	return served;
}

void collect_enable(struct collect_set *set, unsigned sources)
{
	if (sources & SRC_OF_LISTER)
		sources |= SRC_TASKS;
	/* The programs at the layers send calls to the reader of requests. */
	if (sources & SRC_CALLS)
		sources |= SRC_BLOCK | SRC_EVENTS;
	/* Whose a request is, and which are in flight, is known to the block programs. */
	if (sources & SRC_LAYERS && collect_chosen(set->opt))
		sources |= SRC_BLOCK | (set->opt->cgroup ? SRC_NAMES : 0);
	if (sources & (SRC_WAITS | SRC_THROTTLE | SRC_MEMSTALL) && bpf_may_serve(set, SRC_WAITS))
		sources |= SRC_BLOCK;
	set->sources = sources;
	for (unsigned i = 0; i < SRC_COUNT; i++)
		if (!(sources >> i & 1))
			set->since[i] = 0;
	/* What failed in the first round may have a fallback that came before it. */
	if (sources & ~assign(set))
		assign(set);
	ahead_release(set);
}

static void yield(void *arg)
{
	collect_yield(arg);
}

/*
 * Until when names are waited for that others must tell (CLOCK_MONOTONIC ns): most come in less
 * than a millisecond.
 */
static uint64_t patience(const struct collect_set *set)
{
	return clock_mono() + (set->yield ? PATIENCE_KEYS : PATIENCE_REPORT);
}

static const char *pid_limit(void)
{
	int proc = proc_dir("/proc");
	const char *limit = proc < 0 ? NULL : proc_namespace_limit(proc);

	fd_close(proc);
	return limit;
}

struct collect_set *collect_open(const struct collect_options *opt)
{
	struct collect_set *set = mem_alloc(sizeof(*set));

	*set = (struct collect_set){ .opt = opt, .stop_fd = -1 };
	for (size_t i = 0; i < ARRAY_SIZE(collectors); i++)
		set->slots[set->n++] = (struct slot){ .c = collectors[i] };
	set->helper = opt->helper;
	helper_on_wait(set->helper, yield, set, -1);
	helper_begin(set->helper);
	set->merge = merge_new();
	set->names = owner_names_new(opt, set->helper);
	set->cmdlines = cmdlines_new(set->helper);
	set->delayacct = delayacct_new(opt);
	set->pid_limit = pid_limit();
	if (opt->secure)
		actions_refuse();
	return set;
}

void collect_close(struct collect_set *set)
{
	if (!set)
		return;
	/* First: unloading programs may take longer than we are given. */
	delayacct_put_back(set->delayacct);
	for (size_t i = 0; i < set->n; i++)
		slot_close(&set->slots[i]);
	merge_free(set->merge);
	owner_names_free(set->names);
	cmdlines_free(set->cmdlines);
	delayacct_free(set->delayacct);
	helper_on_wait(set->helper, NULL, NULL, -1);
	free(set);
}

void collect_on_stop(struct collect_set *set, int fd)
{
	set->stop_fd = fd;
	helper_on_wait(set->helper, yield, set, fd);
}

/* Returns 0, or what the collector that lists tasks failed with. */
static int run_collectors(struct collect_set *set, struct sample *s, struct err *err)
{
	uint64_t before = privilege_raise(0);
	int result = 0;

	for (size_t i = 0; i < set->n; i++) {
		struct slot *slot = &set->slots[i];
		struct err why = { "" };
		uint64_t begin = clock_mono();
		int r;

		if (!slot->open)
			continue;
		s->counted = 0;
		privilege_change(before, slot->c->privileges);
		r = slot->c->collect(slot->state, s, &why);
		/* What ends the interval itself counted up to the time of the sample. */
		if (!slot->c->end_interval)
			set_read_late(set, slot, s, begin, clock_mono());
		if (r >= 0)
			continue;
		explain(&why, r);
		for (unsigned bit = 1; bit < 1u << SRC_COUNT; bit <<= 1) {
			if (slot->serves & bit)
				sample_source(s, bit, SOURCE_OFF, why.text);
		}
		if (slot->serves & SRC_TASKS)
			result = err_set(err, -r, "%s", why.text);
	}
	privilege_restore(before);
	return result;
}

/* The iterator lists the tasks of the reader's pid namespace only. */
static void limit_tasks(const struct collect_set *set, struct sample *s)
{
	sample_each(s, SOURCE, struct sample_source, row) {
		if (set->pid_limit && row->source == SRC_TASKS && row->state == SOURCE_ON) {
			row->state = SOURCE_PART;
			row->reason = set->pid_limit;
		}
	}
}

static void end_interval(struct collect_set *set, uint64_t now)
{
	uint64_t before = privilege_raise(0);

	for (size_t i = 0; i < set->n; i++) {
		const struct slot *slot = &set->slots[i];

		if (!slot->open || !slot->c->end_interval)
			continue;
		privilege_change(before, slot->c->privileges);
		slot->c->end_interval(slot->state, now);
	}
	privilege_restore(before);
}

int collect_sample(struct collect_set *set, struct sample *s, struct err *err)
{
	const struct slot *lister = set_lister(set);
	int r;

	s->mono = clock_mono();
	end_interval(set, s->mono);
	s->boot = clock_boot();
	s->real = clock_real();
	if ((set->sources & SRC_TASKS) && !lister)
		return err_set(err, ENOENT, "no list of tasks: %s", set_why_off(set, SRC_TASKS));
	delayacct_read(set->delayacct, s->boot);
	r = run_collectors(set, s, err);
	if (r < 0)
		return r;
	merge_tasks(set->merge, s, lister && !lister->c->bpf);
	delayacct_fill(set->delayacct, s);
	if (lister && lister->c->bpf)
		limit_tasks(set, s);
	if (set->sources & SRC_NAMES)
		owner_names_fill(set->names, s, patience(set));
	set_fill_sources(set, s);
	ahead_look(set);
	ahead_release(set);
	return 0;
}

void collect_cmdlines(struct collect_set *set, struct sample *late, const struct task_id *ids,
		      size_t n)
{
	cmdlines_fill(set->cmdlines, late, ids, n, patience(set));
}

int collect_delayacct_set(struct collect_set *set, bool on, struct err *err)
{
	if (set->opt->secure)
		return err_set(err, EPERM, "kernel.task_delayacct is not changed with --secure");
	return delayacct_set(set->delayacct, on, err);
}

bool collect_delayacct_repaired(const struct collect_set *set)
{
	return delayacct_repaired(set->delayacct);
}

void collect_every_block(struct collect_set *set, bool on)
{
	set->every_block = on;
}

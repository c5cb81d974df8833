// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/set.h"

#include <poll.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "base/macro.h"
#include "base/offload.h"

/* Served by the set itself. */
#define OWN (SRC_CMDLINE | SRC_NAMES)

/* A key must be answered within 50 ms. */
#define YIELD_MS 10
#define NSEC_PER_MSEC 1000000ULL
#define YIELD_NS (YIELD_MS * NSEC_PER_MSEC)

const struct collect_options *collect_set_options(const struct collect_set *set)
{
	return set->opt;
}

const char *slot_refusal(const struct collect_set *set, const struct slot *slot,
			 unsigned *ret_allowed)
{
	const struct collect_options *opt = set->opt;
	const struct collector *c = slot->c;

	*ret_allowed = c->bpf && opt->no_bpf ? 0 : c->provides;
	if (!*ret_allowed)
		return N_("switched off by --no-bpf");
	if (!c->accounting || !opt->accounting || c->accounting == opt->accounting)
		return NULL;
	*ret_allowed &= ~(unsigned)SRC_OF_LISTER;
	return opt->accounting == ACCOUNTING_NETLINK ? N_("not used with --accounting=netlink")
						     : N_("lists no tasks with --accounting=bpf");
}

const struct slot *set_lister(const struct collect_set *set)
{
	for (size_t i = 0; i < set->n; i++)
		if (set->slots[i].open && (set->slots[i].serves & SRC_TASKS))
			return &set->slots[i];
	return NULL;
}

void *set_state(const struct collect_set *set, const struct collector *c)
{
	for (size_t i = 0; i < set->n; i++)
		if (set->slots[i].c == c && set->slots[i].open)
			return set->slots[i].state;
	return NULL;
}

void set_reads_counted(const struct collect_set *set, uint64_t since)
{
	for (size_t i = 0; i < set->n; i++)
		if (set->slots[i].open && set->slots[i].c->reads_counted)
			set->slots[i].c->reads_counted(set->slots[i].state, since);
}

bool set_told_by_bpf(const struct collect_set *set, unsigned sources)
{
	for (size_t i = 0; i < set->n; i++) {
		const struct slot *slot = &set->slots[i];

		if (slot->open && slot->c->bpf && (slot->serves & sources))
			return true;
	}
	return false;
}

bool collect_is_interactive(const struct collect_set *set)
{
	return set->yield;
}

void collect_yield(struct collect_set *set)
{
	uint64_t before;

	if (!set->yield || clock_mono() - set->yielded < YIELD_NS)
		return;
	before = privilege_lower();
	set->yield(set->yield_arg);
	privilege_restore(before);
	set->yielded = clock_mono();
}

void collect_offload(struct collect_set *set, void (*work)(void *arg), void *arg)
{
	void (*yield)(void *arg) = set->yield;
	struct offload o;
	struct pollfd wait = { .events = POLLIN };
	uint64_t before;

	if (!yield || !offload_begin(&o, work, arg)) {
		work(arg);
		return;
	}
	/* The thread must not yield itself, and has what it was begun with. */
	set->yield = NULL;
	wait.fd = o.done;
	before = privilege_lower();
	while (poll(&wait, 1, YIELD_MS) <= 0)
		yield(set->yield_arg);
	offload_end(&o);
	privilege_restore(before);
	set->yield = yield;
}

const char *set_why_off(const struct collect_set *set, unsigned bit)
{
	const char *failure = NULL, *refused = NULL;

	for (size_t i = 0; i < set->n; i++) {
		const struct slot *slot = &set->slots[i];
		unsigned allowed;
		const char *refusal = slot_refusal(set, slot, &allowed);

		if (!(slot->c->provides & bit))
			continue;
		if (slot->failed & bit)
			failure = slot->why.text;
		else if (!(allowed & bit) && !refused)
			refused = refusal;
	}
	if (failure)
		return failure;
	return refused ? refused : N_("not available");
}

void set_since(struct collect_set *set, const struct slot *slot, unsigned sources)
{
	uint64_t now = slot->c->bpf ? clock_mono() : 0;

	for (unsigned i = 0; i < SRC_COUNT; i++)
		if (sources >> i & 1)
			set->since[i] = SRC_OF_LISTER >> i & 1 ? 0 : now;
}

void set_read_late(struct collect_set *set, const struct slot *slot, const struct sample *s,
		   uint64_t begin, uint64_t end)
{
	uint64_t late = (s->counted ? s->counted : begin / 2 + end / 2) - s->mono;

	/* Mostly none: then the row of a recording stays as it was. */
	late = (late + NSEC_PER_MSEC / 2) / NSEC_PER_MSEC * NSEC_PER_MSEC;
	for (unsigned i = 0; i < SRC_COUNT; i++)
		if (slot->serves >> i & 1)
			set->late[i] = late;
}

void set_fill_sources(struct collect_set *set, struct sample *s)
{
	unsigned there = 0;

	sample_each(s, SOURCE, struct sample_source, row)
		there |= row->source;
	for (unsigned i = 0; i < SRC_COUNT; i++) {
		enum source bit = 1u << i;

		if (set->sources & ~there & OWN & bit)
			sample_source(s, bit, SOURCE_ON, NULL);
		else if (set->sources & ~there & bit)
			sample_source(s, bit, SOURCE_OFF, set_why_off(set, bit));
	}
	sample_each(s, SOURCE, struct sample_source, row) {
		uint64_t *since = &set->since[__builtin_ctz(row->source)];

		if (row->state == SOURCE_OFF)
			continue;
		if (!*since)
			*since = s->mono;
		row->since = *since;
		row->late = set->late[__builtin_ctz(row->source)];
	}
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The block maps' part of the task state: who caused and who submitted how much at which disk. */
#include <stdlib.h>
#include <string.h>

#include "data/task/task_state.h"

static const char *residual_name(uint32_t residual)
{
	switch (residual) {
	case RESIDUAL_JOURNAL:
		return "[journal]";
	case RESIDUAL_METADATA:
		return "[metadata]";
	case RESIDUAL_SWAP:
		return "[swap]";
	default:
		return "[unattributed]";
	}
}

static struct task_entry *link_end(struct task_state *st, const struct task_id *id)
{
	struct task_entry *e = task_state_entry(st, id);

	if (!id->start)
		task_entry_set_comm(e, residual_name(id->tid));
	return e;
}

static struct link_entry *link_get(struct task_state *st, const struct sample_io *io,
				   struct names *names)
{
	struct link_entry probe = {
		.key = { io->cause, io->submitter, io->dev, io->op, io->how, 0 },
	};
	struct link_entry *l = hash_get(&st->links, &probe.key);

	if (l)
		return l;
	l = mem_zalloc(sizeof(*l));
	l->key = probe.key;
	l->cause = link_end(st, &io->cause);
	l->submitter = link_end(st, &io->submitter);
	l->next_caused = l->cause->caused;
	if (l->next_caused)
		l->next_caused->before_caused = l;
	l->cause->caused = l;
	l->next_submitted = l->submitter->submitted;
	if (l->next_submitted)
		l->next_submitted->before_submitted = l;
	l->submitter->submitted = l;
	l->link = (struct task_link){
		.cause = io->cause,
		.submitter = io->submitter,
		.dev = io->dev,
		.op = io->op,
		.how = io->how,
		.disk = names_disk(names, io->dev)->name,
	};
	if (!st->prev_boot) {
		l->ios = io->ios;
		l->bytes = io->bytes;
		l->done = io->done;
		l->lat_ns = io->lat_ns;
	}
	hash_put(&st->links, l);
	return l;
}

static void io_counters_add(struct io_counters *to, const struct io_counters *from)
{
	to->read += from->read;
	to->write += from->write;
	to->rios += from->rios;
	to->wios += from->wios;
	to->ios += from->ios;
	to->bytes += from->bytes;
	to->done += from->done;
	to->lat_ns += from->lat_ns;
	to->max_ns = MAX(to->max_ns, from->max_ns);
}

static void link_count(struct link_entry *l, const struct sample_io *io)
{
	struct io_counters now = {
		.ios = counter_delta(io->ios, l->ios),
		.bytes = counter_delta(io->bytes, l->bytes),
		.done = counter_delta(io->done, l->done),
		.lat_ns = counter_delta(io->lat_ns, l->lat_ns),
	};

	if (now.done)
		now.max_ns = io->max_ns;
	if (io->op == OP_READ) {
		now.read = now.bytes;
		now.rios = now.ios;
	} else if (io->op == OP_WRITE) {
		now.write = now.bytes;
		now.wios = now.ios;
	}
	l->ios = io->ios;
	l->bytes = io->bytes;
	l->done = io->done;
	l->lat_ns = io->lat_ns;
	l->link.now = now;
	io_counters_add(&l->link.sum, &now);
}

/* The row a link's I/O is booked to. */
static struct task_entry *link_owner(const struct task_state *st, const struct link_entry *l)
{
	return st->opt.by_submitter ? l->submitter : l->cause;
}

static void entry_book(struct task_entry *e, const struct io_counters *now)
{
	task_count(e, read, now->read);
	task_count(e, write, now->write);
	task_count(e, rios, now->rios);
	task_count(e, wios, now->wios);
	task_count(e, ios, now->ios);
	task_count(e, done, now->done);
	task_count(e, lat_ns, now->lat_ns);
	if (now->max_ns && e->now) {
		e->now->max_ns = MAX(e->now->max_ns, now->max_ns);
		e->sum->max_ns = MAX(e->sum->max_ns, now->max_ns);
	}
}

/* Of a task that is remembered no more. */
static void gone_book(struct task_counters *gone, const struct io_counters *now)
{
	task_counters_add(gone, &(struct task_counters){
		.read = now->read, .write = now->write, .rios = now->rios, .wios = now->wios,
		.ios = now->ios,
		.done = now->done, .lat_ns = now->lat_ns, .max_ns = now->max_ns,
	});
}

/*
 * What it left to be written is written after it was forgotten: no listing or exit record will tell
 * that it ended.
 */
static void owner_end(struct task_state *st, struct task_entry *e, uint64_t boot)
{
	unsigned ended = st->ended;

	task_entry_end(st, e, boot);
	if (e->id.start < st->prev_boot)
		st->ended = ended;	/* not in this interval */
}

static void owners_update(struct task_state *st, const struct sample *s)
{
	sample_each(s, OWNER, const struct sample_owner, o) {
		struct task_entry *e;

		if (!o->id.start)
			continue;
		e = hash_get(&st->tasks, &o->id);
		if (!e || e->seen)	/* a listing or an exit record knows better */
			continue;
		e->facts.uid = o->uid;
		e->flags |= o->flags & TASK_KTHREAD;
		/* A listing knew what it was later, and those of version 1. */
		if (!e->facts.cgroup)
			e->facts.cgroup = o->cgroup;
		task_entry_set_comm(e, o->comm);
		if (o->flags & TASK_ENDED)
			owner_end(st, e, s->boot);
	}
}

static bool link_keep(void *value, void *arg)
{
	const struct link_entry *l = value;
	const struct task_state *st = arg;

	return l->cause || l->submitter || l->seen == st->tick;
}

static void link_drop(void *value, _unused_ void *arg)
{
	free(value);
}

static void entry_clear(struct task_entry *e)
{
	struct task_counters *c = e->sum;

	if (c)
		c->read = c->write = c->rios = c->wios = c->ios = c->done = c->lat_ns = c->max_ns =
			0;
}

/*
 * The sums were booked to the causes and are wanted by submitter, or the other way round: they are
 * made anew from the links.
 */
void task_links_rebook(struct task_state *st)
{
	struct task_entry *e, *owner;
	struct link_entry *l;
	size_t i = 0;

	if (st->booked_to_submitter == st->opt.by_submitter)
		return;
	st->booked_to_submitter = st->opt.by_submitter;
	if (!(st->prev_on & SRC_BLOCK))
		return;
	task_state_each(st, e)
		entry_clear(e);
	while ((l = hash_next(&st->links, &i))) {
		owner = link_owner(st, l);
		if (!l->lowest || !owner)
			continue;
		entry_book(owner, &l->link.sum);
		if (owner->now)
			memset(owner->now, 0, sizeof(*owner->now));
	}
}

void task_links_update(struct task_state *st, const struct sample *s, unsigned on,
		       struct names *names)
{
	bool restarted = (on & SRC_BLOCK) && !(st->prev_on & SRC_BLOCK);
	struct link_entry *l;
	size_t i = 0;

	while ((l = hash_next(&st->links, &i))) {
		l->link.now = (struct io_counters){ 0 };
		if (restarted)	/* the maps are new: they count from zero again */
			l->ios = l->bytes = l->done = l->lat_ns = 0;
	}
	sample_each(s, IO, const struct sample_io, io) {
		l = link_get(st, io, names);
		l->seen = st->tick;
		link_count(l, io);
		/* A byte is counted once: at the lowest device, or at the one looked at. */
		l->lowest = names_disk(names, io->dev)->counted;
		if (l->lowest && link_owner(st, l))
			entry_book(link_owner(st, l), &l->link.now);
		else if (l->lowest)
			gone_book(&st->gone, &l->link.now);
	}
	owners_update(st, s);
	hash_filter(&st->links, link_keep, link_drop, st);
}

static void unlink_caused(struct link_entry *l)
{
	*(l->before_caused ? &l->before_caused->next_caused : &l->cause->caused) = l->next_caused;
	if (l->next_caused)
		l->next_caused->before_caused = l->before_caused;
}

static void unlink_submitted(struct link_entry *l)
{
	*(l->before_submitted ? &l->before_submitted->next_submitted : &l->submitter->submitted) =
		l->next_submitted;
	if (l->next_submitted)
		l->next_submitted->before_submitted = l->before_submitted;
}

/*
 * The entry goes; a link stays as long as the kernel still reports it, so that its numbers are not
 * taken for new ones.
 */
void task_links_release(struct task_state *st, struct task_entry *e)
{
	struct link_entry *l, *next;

	(void)st;
	for (l = e->caused; l; l = next) {
		next = l->next_caused;
		l->cause = NULL;
		if (l->submitter)
			unlink_submitted(l);
		l->submitter = NULL;
	}
	for (l = e->submitted; l; l = next) {
		next = l->next_submitted;
		l->submitter = NULL;
		if (l->cause)
			unlink_caused(l);
		l->cause = NULL;
	}
	e->caused = e->submitted = NULL;
}

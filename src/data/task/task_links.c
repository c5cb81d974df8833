/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/task/task_links.h"

#include <string.h>

#include "data/names.h"

static struct task_entry *link_end(struct task_state *st, const struct task_id *id)
{
	struct task_entry *e = task_entry_get(st, id, 0);

	if (!id->start)
		task_entry_set_comm(e, residual_name(id->tid));
	return e;
}

static void link_begin(struct task_state *st, struct link_entry *l, struct names *names)
{
	const struct link_key *key = &l->key;

	l->cause = link_end(st, &key->cause);
	l->submitter = link_end(st, &key->submitter);
	l->next_caused = l->cause->caused;
	if (l->next_caused)
		l->next_caused->before_caused = l;
	l->cause->caused = l;
	l->next_submitted = l->submitter->submitted;
	if (l->next_submitted)
		l->next_submitted->before_submitted = l;
	l->submitter->submitted = l;
	l->link = (struct task_link){
		.cause = key->cause,
		.submitter = key->submitter,
		.dev = key->dev,
		.op = key->op,
		.how = key->how,
		.disk = names_disk(names, key->dev),
		.now = (const struct io_counters *)l->c.now,
		.sum = (const struct io_counters *)l->c.sum,
	};
}

static struct link_entry *link_count(struct task_state *st, const struct sample_io *io,
				     struct names *names)
{
	struct link_key key = { io->cause, io->submitter, io->dev, io->op, io->how, 0 };
	struct io_counters cur = {
		.ios = io->ios, .bytes = io->bytes, .done = io->done, .lat_ns = io->lat_ns,
		.throttled_ns = io->throttled_ns, .held_ns = io->held_ns,
		.held_unseen = io->held_unseen, .max_ns = io->max_ns,
		.pattern.sequential = io->sequential,
	};
	bool fresh;
	struct link_entry *l = counter_table_get(st->links, &key, &fresh);

	if (fresh)
		link_begin(st, l, names);
	if (io->op == OP_READ) {
		cur.read = io->bytes;
		cur.rios = io->ios;
		cur.pattern.reads = io->pattern_ios;
		cur.pattern.ahead = io->flagged;
	} else if (io->op == OP_WRITE) {
		cur.write = io->bytes;
		cur.wios = io->ios;
		cur.pattern.writes = io->pattern_ios;
		cur.pattern.sync = io->flagged;
	}
	counters_count(st->links, &l->c, &cur, NULL);
	return l;
}

/* The row a link's I/O is charged to. */
static struct task_entry *link_owner(const struct task_state *st, const struct link_entry *l)
{
	return st->opt.attribute == ATTRIBUTE_SUBMITTER ? l->submitter : l->cause;
}

static struct task_counters task_counters_of(const struct io_counters *io)
{
	return (struct task_counters){
		.read = io->read, .write = io->write, .rios = io->rios, .wios = io->wios,
		.ios = io->ios, .done = io->done, .lat_ns = io->lat_ns,
		.throttled_ns = io->throttled_ns, .held_unseen = io->held_unseen,
		.pattern = io->pattern, .max_ns = io->max_ns,
	};
}

/* Whether its task has anything of a link: of most stacked devices it has nothing. */
static bool link_counts(const struct link_entry *l)
{
	return l->lowest || (l->above && (l->link.sum->held_ns || l->link.sum->throttled_ns ||
					  l->link.sum->held_unseen));
}

/*
 * What a task has of a link. A byte is counted once: at the lowest device, or at the one looked at.
 * What limits held back above belongs to the same I/O.
 */
static struct task_counters link_share(const struct link_entry *l, const struct io_counters *io)
{
	if (l->lowest)
		return task_counters_of(io);
	return (struct task_counters){
		.lat_ns = io->held_ns, .throttled_ns = io->throttled_ns,
		.held_unseen = io->held_unseen, .max_ns = io->held_ns ? io->max_ns : 0,
	};
}

static void entry_charge(struct task_state *st, struct task_entry *e, const struct link_entry *l,
			 const struct io_counters *io)
{
	struct task_counters c = link_share(l, io);

	counters_bump_all(st->tasks, &e->c, &c);
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
		e = counter_table_find(st->tasks, &o->id);
		if (!e || e->c.seen)	/* a listing or an exit record knows better */
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

static bool link_keep(const struct counter_table *t, const void *entry)
{
	const struct link_entry *l = entry;

	return l->cause || l->submitter || l->c.seen == t->tick;
}

static const struct counter_kind link_kind = {
	COUNTER_ENTRY(struct link_entry, key),
	.nsum = IO_COUNTERS_SUM,
	.nmax = IO_COUNTERS_MAX,
	.source = SRC_BLOCK,
	.keep = link_keep,
};

void task_links_init(struct task_state *st)
{
	st->links = counter_table_new(&link_kind);
}

static void entry_clear(struct task_entry *e)
{
	struct task_counters *c = task_sum(e);

	if (!c)
		return;
	c->pattern = (struct io_pattern){ 0 };
	c->read = c->write = c->rios = c->wios = c->ios = c->done = c->lat_ns = c->throttled_ns =
		c->held_unseen = c->max_ns = 0;
}

/*
 * The sums were charged to the causes and are wanted by submitter, or the other way round: they
 * are made anew from the links.
 */
void task_links_charge(struct task_state *st)
{
	struct task_entry *e, *owner;
	struct link_entry *l;

	if (st->attribute == st->opt.attribute)
		return;
	st->attribute = st->opt.attribute;
	if (!(st->prev_on & SRC_BLOCK))
		return;
	counter_table_each(st->tasks, e)
		entry_clear(e);
	counter_table_each(st->links, l) {
		owner = link_owner(st, l);
		if (!link_counts(l) || !owner)
			continue;
		entry_charge(st, owner, l, l->link.sum);
		if (task_now(st, owner))
			memset(owner->c.now, 0, sizeof(struct task_counters));
	}
}

void task_links_update(struct task_state *st, const struct model *m)
{
	struct names *names = engine_name_table(m->engine);

	counter_table_begin(st->links, m);
	st->gone_now = (struct task_counters){ 0 };
	sample_each(m->cur, IO, const struct sample_io, io) {
		struct link_entry *l = link_count(st, io, names);
		const struct names_disk *disk = l->link.disk;
		struct task_counters c;

		l->lowest = disk->counted;
		l->above = !disk->counted && disk->shown;
		if (!link_counts(l))
			continue;
		if (link_owner(st, l)) {
			entry_charge(st, link_owner(st, l), l, l->link.now);
		} else {	/* of a task that is remembered no more */
			c = link_share(l, l->link.now);
			task_counters_add(&st->gone, &c);
			task_counters_add(&st->gone_now, &c);
		}
	}
	owners_update(st, m->cur);
	counter_table_end(st->links);
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
void task_links_release(struct task_entry *e)
{
	struct link_entry *l, *next;

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

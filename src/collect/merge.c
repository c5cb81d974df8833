// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Several sources tell of the same task: the listing, the accounting's exit messages, the block
 * maps. Afterwards a sample has one row a task, and all tables name it by the same id.
 */
#include "collect/merge.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "collect/proc/proc.h"

/* An exit message gives the start only by a duration and the moment it was read. */
#define TOLERANCE NSEC_PER_SEC
#define CORPSE_NS (5 * NSEC_PER_SEC)
#define FILTER_BITS 4096

/* A row of a task that ended. */
struct ended {
	struct sample_task *row;
	uint64_t distance;	/* ns between its start and that of the task it was found to be;
				 * UINT64_MAX: none found */
	struct task_id as;	/* that task */
	const struct live *live;	/* … as the listing before had it */
	struct sample_task *listed;	/* … and its row, when this sample lists it */
};

/* A task of the last listing, with what an exit message does not tell. */
struct live {
	struct task_id id;
	uint64_t cgroup;
	uint32_t ioprio;
};

/* A task whose end was told: another source may tell it again later, or list it as a zombie. */
struct corpse {
	uint32_t tid;		/* key */
	struct task_id id;
	uint64_t exit;		/* when it ended, CLOCK_BOOTTIME ns */
	uint64_t boot;		/* of the sample that had it last */
};

struct merge {
	struct live *live;
	size_t nlive, caplive;
	struct ended *ended;	/* of this sample, by tid and start */
	size_t nended, capended;
	uint64_t filter[FILTER_BITS / 64];	/* tids that ended, by their low bits */
	struct hash corpses;
	uint64_t boot;		/* of this sample */
	uint64_t before;	/* … and of the one before */
	uint64_t slept;		/* ns the machine was suspended since it booted */
	uint64_t slept_now;	/* … of these, since the sample before */
};

struct merge *merge_new(void)
{
	struct merge *m = mem_zalloc(sizeof(*m));

	hash_init(&m->corpses, offsetof(struct corpse, tid), sizeof(uint32_t));
	return m;
}

static bool corpse_keep(void *value, void *arg)
{
	const struct corpse *c = value;
	const struct merge *m = arg;

	return m->boot - c->boot < CORPSE_NS;
}

void merge_free(struct merge *m)
{
	if (!m)
		return;
	hash_clear(&m->corpses, hash_free_value, NULL);
	free(m->live);
	free(m->ended);
	free(m);
}

static uint64_t cut_start(uint64_t start)
{
	return start - start % proc_tick_ns();
}

static void cut(struct task_id *id)
{
	id->start = cut_start(id->start);
}

static void cut_starts(struct sample *s)
{
	sample_each(s, TASK, struct sample_task, t) {
		cut(&t->id);
		t->process = cut_start(t->process);
	}
	sample_each(s, IO, struct sample_io, io) {
		cut(&io->cause);
		cut(&io->submitter);
	}
	sample_each(s, OWNER, struct sample_owner, o)
		cut(&o->id);
	sample_each(s, FILE, struct sample_file, f)
		cut(&f->cause);
	sample_each(s, CALLER, struct sample_caller, c)
		cut(&c->id);
	sample_each(s, STACKIO, struct sample_stackio, io) {
		cut(&io->cause);
		cut(&io->submitter);
	}
	sample_each(s, EVENT, struct sample_event, e)
		cut(&e->id);
	sample_each(s, OFFCPU, struct sample_offcpu, b) {
		cut(&b->id);
		cut(&b->waker);
		cut(&b->holder);
	}
}

static int ended_order(const void *a, const void *b)
{
	const struct sample_task *x = ((const struct ended *)a)->row,
				 *y = ((const struct ended *)b)->row;

	if (x->id.tid != y->id.tid)
		return x->id.tid < y->id.tid ? -1 : 1;
	if (x->id.start != y->id.start)
		return x->id.start < y->id.start ? -1 : 1;
	return ORDER(x, y);
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

static void gather_ended(struct merge *m, struct sample *s)
{
	m->nended = 0;
	memset(m->filter, 0, sizeof(m->filter));
	sample_each(s, TASK, struct sample_task, t) {
		if (!(t->flags & TASK_ENDED))
			continue;
		m->ended = mem_grow(m->ended, m->nended, &m->capended, sizeof(*m->ended));
		m->ended[m->nended++] = (struct ended){ .row = t, .distance = UINT64_MAX };
		m->filter[t->id.tid % FILTER_BITS / 64] |= 1ULL << t->id.tid % 64;
	}
	if (m->nended > 1)
		qsort(m->ended, m->nended, sizeof(*m->ended), ended_order);
}

/*
 * Whether the task of this ended row may be that one, which lived until then at least. An exit
 * message has no start but an age, which leaves out the time that the machine was suspended: the
 * task seems to have started later than it did.
 */
static bool may_be(const struct merge *m, const struct sample_task *row, const struct task_id *id,
		   uint64_t until)
{
	bool exact = row->have & SRC_TASKS;
	uint64_t start = row->id.start;

	if (row->id.tgid && row->id.tgid != id->tgid)
		return false;
	if (start <= id->start)
		return id->start - start <= TOLERANCE;
	if (start - id->start <= TOLERANCE)
		return true;
	/* One that started after the other was seen is another, unless the machine slept since. */
	return !exact && start - id->start <= TOLERANCE + m->slept && start <= until + m->slept_now;
}

/* Here is a task of that name: the ended row that is nearest to it takes its identity. */
static void match(struct merge *m, const struct task_id *id, struct sample_task *listed,
		  const struct live *live)
{
	uint64_t until = live ? m->before : m->boot;
	size_t lo = 0, hi = m->nended;

	if (!id->start || !(m->filter[id->tid % FILTER_BITS / 64] & 1ULL << id->tid % 64))
		return;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (m->ended[mid].row->id.tid < id->tid)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < m->nended && m->ended[lo].row->id.tid == id->tid; lo++) {
		struct ended *e = &m->ended[lo];
		uint64_t d = distance(e->row->id.start, id->start);

		if (!may_be(m, e->row, id, until) || d > e->distance)
			continue;
		e->distance = d;
		e->as = *id;
		if (listed)
			e->listed = listed;
		if (live)
			e->live = live;
	}
}

static void match_all(struct merge *m, struct sample *s)
{
	sample_each(s, TASK, struct sample_task, t) {
		if (!(t->flags & TASK_ENDED))
			match(m, &t->id, t, NULL);
	}
	for (size_t i = 0; i < m->nlive; i++)
		match(m, &m->live[i].id, NULL, &m->live[i]);
	sample_each(s, OWNER, struct sample_owner, o)
		match(m, &o->id, NULL, NULL);
	sample_each(s, IO, struct sample_io, io) {
		match(m, &io->cause, NULL, NULL);
		match(m, &io->submitter, NULL, NULL);
	}
	sample_each(s, CALLER, struct sample_caller, c)
		match(m, &c->id, NULL, NULL);
}

static void take_max(uint64_t *to, uint64_t from)
{
	*to = MAX(*to, from);
}

/* What from knows in addition; counters only grow, so the larger is the later. */
static void absorb(struct sample_task *to, const struct sample_task *from)
{
	to->flags |= from->flags & (TASK_ENDED | TASK_KTHREAD);
	to->have |= from->have;
	if (!to->exit)
		to->exit = from->exit;
	if (!to->process)
		to->process = from->process;
	if (!to->ppid)
		to->ppid = from->ppid;
	if (!to->cgroup)
		to->cgroup = from->cgroup;
	if (!to->ioprio)
		to->ioprio = from->ioprio;
	if (!to->comm || !to->comm[0])
		to->comm = from->comm;
	if (!to->frozen_dev)
		to->frozen_dev = from->frozen_dev;
	take_max(&to->asleep_ns, from->asleep_ns);
	take_max(&to->read_bytes, from->read_bytes);
	take_max(&to->write_bytes, from->write_bytes);
	take_max(&to->cancelled_bytes, from->cancelled_bytes);
	take_max(&to->blkio_ns, from->blkio_ns);
	take_max(&to->swapin_ns, from->swapin_ns);
	take_max(&to->wait_ns, from->wait_ns);
	take_max(&to->iowait_ns, from->iowait_ns);
	take_max(&to->throttle_ns, from->throttle_ns);
	take_max(&to->memstall_ns, from->memstall_ns);
}

static void remember(struct merge *m, const struct sample_task *row)
{
	struct corpse *c = hash_get(&m->corpses, &row->id.tid);

	if (!c) {
		c = mem_alloc(sizeof(*c));
		c->tid = row->id.tid;
		hash_put(&m->corpses, c);
	}
	c->id = row->id;
	c->exit = row->exit ? row->exit : m->boot;
	c->boot = m->boot;
}

/* Whether an earlier sample told the end of this task. */
static bool told(struct merge *m, const struct sample_task *row)
{
	struct corpse *c = hash_get(&m->corpses, &row->id.tid);

	if (!c || c->boot == m->boot || !may_be(m, row, &c->id, c->exit))
		return false;
	c->boot = m->boot;
	return true;
}

/* Marks a row to be taken out by compact(). */
static void discard(struct sample_task *t)
{
	memset(&t->id, 0, sizeof(t->id));
}

static void settle(struct merge *m)
{
	struct sample_task *last = NULL;

	for (size_t i = 0; i < m->nended; i++) {
		struct ended *e = &m->ended[i];
		struct sample_task *row = e->row;

		if (e->distance != UINT64_MAX)
			row->id = e->as;
		else if (!row->id.tgid)
			row->id.tgid = row->id.tid;
		if (e->live && !row->cgroup)
			row->cgroup = e->live->cgroup;
		if (e->live && !row->ioprio)
			row->ioprio = e->live->ioprio;
		if (told(m, row)) {
			discard(row);
			continue;
		}
		remember(m, row);
		if (e->listed && e->listed->id.tid) {
			absorb(e->listed, row);
			discard(row);
		} else if (last && last->id.tid == row->id.tid &&
			   distance(last->id.start, row->id.start) <= TOLERANCE) {
			/* The earlier row of the table comes from the more exact source. */
			struct sample_task *keep = MIN(last, row), *drop = MAX(last, row);

			absorb(keep, drop);
			discard(drop);
			last = keep;
		} else {
			last = row;
		}
	}
}

/*
 * Zombies whose end was told already; rows that were discarded; the ids of the rest for the next
 * time.
 */
static void compact(struct merge *m, struct sample *s)
{
	struct sample_rows *t = &s->tables[TABLE_TASK];
	struct sample_task *rows = t->rows;
	bool listing = false;
	size_t n = 0;

	for (size_t i = 0; i < t->n && !listing; i++)
		listing = rows[i].flags & TASK_LISTED;
	if (listing)
		m->nlive = 0;
	if (m->caplive < t->n) {
		m->caplive = t->n + t->n / 4;
		m->live = mem_realloc(m->live, m->caplive * sizeof(*m->live));
	}
	for (size_t i = 0; i < t->n; i++) {
		struct sample_task *row = &rows[i];

		if (!row->id.tid)
			continue;
		if ((row->state == 'Z' || row->state == 'X') && !(row->flags & TASK_ENDED) &&
		    told(m, row))
			continue;
		if (listing && (row->flags & TASK_LISTED) && !(row->flags & TASK_ENDED))
			m->live[m->nlive++] = (struct live){ .id = row->id,
							     .cgroup = row->cgroup,
							     .ioprio = row->ioprio };
		if (n != i)
			rows[n] = *row;
		n++;
	}
	t->n = n;
}

void merge_tasks(struct merge *m, struct sample *s, bool ticks)
{
	uint64_t slept = s->boot > s->mono ? s->boot - s->mono : 0;

	m->before = m->boot;
	m->boot = s->boot;
	m->slept_now = slept > m->slept ? slept - m->slept : 0;
	m->slept = slept;
	if (ticks)
		cut_starts(s);
	gather_ended(m, s);
	if (m->nended) {
		match_all(m, s);
		settle(m);
	}
	compact(m, s);
	hash_filter(&m->corpses, corpse_keep, hash_free_value, m);
}

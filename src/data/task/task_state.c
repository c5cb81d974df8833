/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/task/task_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/utf8.h"

#define START_SLACK (20 * NSEC_PER_SEC / 1000)

struct task_state *task_state_new(void)
{
	struct task_state *st = mem_zalloc(sizeof(*st));

	hash_init(&st->tasks, offsetof(struct task_entry, id), sizeof(struct task_id));
	hash_init(&st->processes, offsetof(struct task_process, tgid), sizeof(uint32_t));
	hash_init(&st->links, offsetof(struct link_entry, key),
		  sizeof(((struct link_entry *)0)->key));
	task_files_init(st);
	st->ended_ticks = HISTORY_TICKS;
	return st;
}

const char *task_entry_comm(const struct task_entry *e)
{
	return e->comm_text ? e->comm_text : e->comm;
}

void task_entry_set_comm(struct task_entry *e, const char *comm)
{
	struct arena a;
	const char *clean;
	size_t len = comm ? strnlen(comm, sizeof(e->comm) - 1) : 0;

	if (!len || (!strncmp(e->comm, comm, len) && !e->comm[len]))
		return;
	if (e->comm[0] && e->id.tid == e->id.tgid) {
		free(e->process->command);	/* it was another program's */
		e->process->command = NULL;
	}
	memset(e->comm, 0, sizeof(e->comm));
	memcpy(e->comm, comm, len);
	free(e->comm_text);
	arena_init(&a);
	clean = utf8_clean(&a, e->comm, len);
	e->comm_text = strcmp(clean, e->comm) ? mem_strdup(clean) : NULL;
	/*
	 * Kernel threads have no command line; the brackets tell them from programs of that name.
	 */
	if (e->flags & TASK_KTHREAD) {
		free(e->process->command);
		e->process->command = mem_strdup(arena_printf(&a, "[%s]", clean));
	}
	arena_release(&a);
}

void task_counters_add(struct task_counters *to, const struct task_counters *from)
{
	uint64_t *t = (uint64_t *)to;
	const uint64_t *f = (const uint64_t *)from;

	for (size_t i = 0; i < TASK_COUNTERS_SUM; i++)
		t[i] += f[i];
	to->max_ns = MAX(to->max_ns, from->max_ns);
}

void task_entry_add(struct task_entry *e, size_t member, uint64_t delta)
{
	if (!delta)
		return;
	if (!e->now)
		e->now = mem_zalloc(sizeof(*e->now));
	if (!e->sum)
		e->sum = mem_zalloc(sizeof(*e->sum));
	((uint64_t *)e->now)[member] += delta;
	((uint64_t *)e->sum)[member] += delta;
}

/*
 * The process a task belongs to: a thread that started after the newest process of that tgid had
 * ended is of a new one.
 */
static struct task_process *process_of(struct task_state *st, const struct task_id *id)
{
	bool leader = id->tid == id->tgid;
	struct task_process *p = hash_get(&st->processes, &id->tgid);

	if (p && ((!p->living && p->ended_at && id->start > p->ended_at) ||
		  (leader && p->leader_start && p->leader_start != id->start))) {
		hash_del(&st->processes, &id->tgid);
		p = NULL;
	}
	if (!p) {
		p = mem_zalloc(sizeof(*p));
		p->tgid = id->tgid;
		p->serial = ++st->serials;
		hash_put(&st->processes, p);
	}
	if (leader)
		p->leader_start = id->start;
	return p;
}

struct task_entry *task_state_entry(struct task_state *st, const struct task_id *id)
{
	struct task_entry *e = hash_get(&st->tasks, id);

	if (e)
		return e;
	e = mem_zalloc(sizeof(*e));
	e->id = *id;
	e->key = hash_bytes(id, sizeof(*id));
	e->process = process_of(st, id);
	e->process->threads++;
	e->process->living++;
	if (id->tid == id->tgid)
		e->process->leader = e;
	hash_put(&st->tasks, e);
	if (st->nall == st->capall) {
		st->capall = st->capall ? 2 * st->capall : 256;
		st->all = mem_realloc(st->all, st->capall * sizeof(struct task_entry *));
	}
	st->all[st->nall++] = e;
	return e;
}

static void process_unref(struct task_state *st, struct task_entry *e)
{
	struct task_process *p = e->process;

	if (p->leader == e)
		p->leader = NULL;
	if (--p->threads)
		return;
	if (hash_get(&st->processes, &p->tgid) == p)
		hash_del(&st->processes, &p->tgid);
	task_counters_add(&st->gone, &p->gone);
	free(p->command);
	free(p);
}

void task_entry_free(struct task_state *st, struct task_entry *e)
{
	task_links_release(st, e);
	task_files_release(e);
	if (e->sum)
		task_counters_add(&e->process->gone, e->sum);
	process_unref(st, e);
	free(e->comm_text);
	free(e->now);
	free(e->sum);
	free(e->history);
	free(e);
}

void task_state_free(struct task_state *st)
{
	struct link_entry *l;
	struct task_entry *e;
	size_t i = 0;

	if (!st)
		return;
	task_state_each(st, e) {
		e->caused = e->submitted = NULL;
		task_entry_free(st, e);
	}
	free(st->all);
	while ((l = hash_next(&st->links, &i)))
		free(l);
	task_files_free(st);
	hash_release(&st->tasks);
	hash_release(&st->processes);
	hash_release(&st->links);
	free(st);
}

/*
 * Where a counter that a task brings for the first time starts: at 0 when it started in this
 * interval, else where it is now. Without BPF starts are cut to clock ticks, or estimated when the
 * task has ended: one just before the last sample counts, too.
 */
static uint64_t first_base(const struct task_state *st, const struct task_entry *e, uint64_t cur)
{
	return st->prev_boot && e->id.start + START_SLACK >= st->prev_boot ? 0 : cur;
}

#define advance(st, e, t, source, field, cur, member)                              \
	do {                                                                       \
		if ((t)->have & (source)) {                                        \
			if (!((e)->have & (source)))                               \
				(e)->field = first_base((st), (e), (cur));         \
			task_count((e), member, counter_delta((cur), (e)->field)); \
			(e)->field = MAX((e)->field, (cur));                       \
		}                                                                  \
	} while (0)

/*
 * Pages dirtied less pages cancelled can fall when a file is deleted before it was written; what
 * was already shown stays shown, and the next pages make up for it: a high-water mark, so the sum
 * never goes backwards and ends where the kernel's does.
 */
static uint64_t dirty_net(const struct sample_task *t)
{
	return counter_delta(t->write_bytes, t->cancelled_bytes);
}

/*
 * The scheduler's waits go before delay accounting, which since 6.12 misses short ones and
 * beginnings; not so those of /proc, which are of delay accounting, too. An entry whose source
 * changes goes on from where the new one is.
 */
static void entry_waits(struct task_state *st, struct task_entry *e, const struct sample_task *t)
{
	unsigned from = t->have & SRC_WAITS && (st->waits_seen || !(t->have & SRC_DELAYS))
				? SRC_WAITS
				: SRC_DELAYS;
	uint64_t wait = from == SRC_WAITS ? t->iowait_ns : t->blkio_ns;

	if (!(t->have & from))
		return;
	if (e->waits && e->waits != from) {
		e->wait_ns = wait;
		e->have |= from;
	}
	e->waits = from;
	advance(st, e, t, from, wait_ns, wait, wait_ns);
}

static void entry_counters(struct task_state *st, struct task_entry *e, const struct sample_task *t,
			   unsigned on)
{
	advance(st, e, t, SRC_TASKIO, dirty_high, dirty_net(t), dirty);
	if (!(on & SRC_BLOCK)) {
		uint64_t dirtied = e->now ? e->now->dirty : 0;

		advance(st, e, t, SRC_TASKIO, read_bytes, t->read_bytes, read);
		task_count(e, write, dirtied);
	} else if (t->have & SRC_TASKIO) {
		e->read_bytes = t->read_bytes;
	}
	entry_waits(st, e, t);
	advance(st, e, t, SRC_DELAYS, swap_ns, t->swapin_ns, swap_ns);
	advance(st, e, t, SRC_THROTTLE, throttle_ns, t->throttle_ns, throttle_ns);
}

/*
 * A listing has the same order every time: the follower of the entry before saves the look-up. Only
 * from one tick to the next: an entry is dropped a tick after it ended at the earliest, and by then
 * whoever it followed has been listed without it.
 */
static struct task_entry *listed_entry(struct task_state *st, const struct task_id *id)
{
	struct task_entry *before = st->listed, *e = NULL;

	if (before && st->list_tick == st->tick - 1)
		e = before->follower;
	if (!e || memcmp(&e->id, id, sizeof(*id)))
		e = task_state_entry(st, id);
	if (before)
		before->follower = e;
	st->listed = e;
	return e;
}

static void entry_update(struct task_state *st, const struct sample_task *t, uint64_t boot,
			 unsigned on)
{
	struct task_entry *e;

	if (t->flags & TASK_GROUP)
		return;
	e = t->flags & TASK_LISTED ? listed_entry(st, &t->id) : task_state_entry(st, &t->id);
	if (e->ended_at && e->seen)
		return;
	e->seen = st->tick;
	e->listed |= !!(t->flags & TASK_LISTED);
	e->ppid = t->ppid;
	e->uid = t->uid;
	e->state = t->state;
	e->ioprio = t->ioprio;
	e->nice = t->nice;
	e->cgroup = t->cgroup;
	e->flags = t->flags;
	task_entry_set_comm(e, t->comm);
	entry_counters(st, e, t, on);
	e->have = t->have;
	if (t->flags & TASK_ENDED)
		task_entry_end(st, e, t->exit ? t->exit : boot);
}

void task_state_commands(struct task_state *st, const struct sample *s)
{
	sample_each(s, CMDLINE, const struct sample_cmdline, c) {
		struct task_entry *e = hash_get(&st->tasks, &c->id);
		struct arena a;

		if (!e || !c->args || e->flags & TASK_KTHREAD)
			continue;
		arena_init(&a);
		free(e->process->command);
		e->process->command = mem_strdup(utf8_clean(&a, c->args, strlen(c->args)));
		arena_release(&a);
	}
}

void task_state_update(struct task_state *st, const struct sample *s, unsigned on,
		       struct names *names)
{
	struct task_entry *e;
	bool listing = false;

	st->tick++;
	st->active = st->ended = 0;
	st->listed = NULL;
	st->waits_seen = false;
	sample_each(s, SOURCE, const struct sample_source, src)
		st->waits_seen |= src->source == SRC_WAITS && src->state == SOURCE_ON;
	task_state_each(st, e)
		if (e->now)
			memset(e->now, 0, sizeof(*e->now));
	task_links_rebook(st);
	/* Exits first: the listing of the same moment may still show the task. */
	sample_each(s, TASK, const struct sample_task, t) {
		listing |= !!(t->flags & TASK_LISTED);
		entry_update(st, t, s->boot, on);
	}
	if (st->listed) {
		st->listed->follower = NULL;
		st->list_tick = st->tick;
	}
	task_links_update(st, s, on, names);
	task_files_update(st, s, names);
	task_entries_close(st, s, listing);
	st->prev_boot = s->boot;
	st->prev_on = on;
}

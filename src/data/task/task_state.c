/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/task/task_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "data/task/task_dirtied.h"
#include "data/task/task_ended.h"
#include "data/task/task_files.h"
#include "data/task/task_links.h"
#include "data/task/task_memory.h"
#include "data/task/task_meta.h"
#include "data/task/task_reads.h"

void *task_state_new(void)
{
	struct task_state *st = mem_zalloc(sizeof(*st));

	task_table_init(st);
	task_links_init(st);
	task_files_init(st);
	task_meta_init(st);
	task_dirtied_init(st);
	task_reads_init(st);
	st->memory = task_memory_new();
	st->ended_ticks = HISTORY_TICKS;
	return st;
}

void task_state_free(void *state)
{
	struct task_state *st = state;

	if (!st)
		return;
	task_files_free(st);
	task_meta_free(st);
	task_dirtied_free(st);
	task_reads_free(st);
	task_memory_free(st->memory);
	counter_table_free(st->links);
	task_table_release(st);
	free(st);
}

/*
 * Where a counter of a task starts whose source it did not have in the sample before: at 0 when the
 * source or the task itself began in this interval, else where it is now, and how much it moved is
 * unknown.
 */
static uint64_t first_base(const struct task_state *st, struct task_entry *e, unsigned source,
			   uint64_t cur)
{
	const struct watch *w = &st->model->sources[__builtin_ctz(source)].watch;

	if ((w->restarted && !w->baseline) ||
	    (st->prev_boot && !st->model->gap && e->id.start + TASK_START_SLACK >= st->prev_boot))
		return 0;
	e->unknown |= source;
	return cur;
}

/* Is the value of the sample before still what it goes on from? */
static bool goes_on(const struct task_state *st, const struct task_entry *e, unsigned source)
{
	return e->have & source &&
	       !st->model->sources[__builtin_ctz(source)].watch.restarted;
}

/* What falls adds nothing until it is above its highest value. */
#define advance(st, e, t, source, field, cur, member)                                    \
	do {                                                                             \
		if ((t)->have & (source)) {                                              \
			if (!goes_on((st), (e), (source)))                               \
				(e)->field = first_base((st), (e), (source), (cur));     \
			task_count((st), (e), member, counter_delta((cur), (e)->field)); \
			(e)->field = MAX((e)->field, (cur));                             \
		}                                                                        \
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
 * What the kernel says a task dirtied holds direct writes, too. Where the block programs tell, what
 * they say counts (task_dirtied.c), and of the kernel's numbers only what was cancelled.
 */
static void entry_dirtied(struct task_state *st, struct task_entry *e, const struct sample_task *t)
{
	uint64_t cancelled = t->cancelled_bytes, last = e->cancelled_bytes;

	if (!st->dirtied_told) {
		advance(st, e, t, SRC_TASKIO, dirty_high, dirty_net(t), dirty);
	} else if (t->have & SRC_TASKIO) {
		if (!goes_on(st, e, SRC_TASKIO))
			last = first_base(st, e, SRC_TASKIO, cancelled);
		e->cancelled_sum += counter_delta(cancelled, last);
		e->dirty_high = MAX(e->dirty_high, dirty_net(t));
	}
	if (t->have & SRC_TASKIO)
		e->cancelled_bytes = cancelled;
}

/*
 * The scheduler's waits go before delay accounting, which since 6.12 misses short ones and
 * beginnings; not so those of /proc, which are of delay accounting, too. An entry whose source
 * changes goes on from where the new one is. Where a request may have ended unseen, a task has
 * waited no longer than the kernel says of it; who is never in iowait (libaio), unknown.
 */
static void entry_waits(struct task_state *st, struct task_entry *e, const struct sample_task *t)
{
	bool by_waits = t->have & SRC_WAITS && (st->waits_seen || !(t->have & SRC_DELAYS));
	unsigned from = by_waits ? SRC_WAITS : SRC_DELAYS;
	uint64_t wait = by_waits ? t->wait_ns : t->blkio_ns,
		 iowait = by_waits ? t->iowait_ns : t->blkio_ns;

	if (!(t->have & from))
		return;
	if (e->waits && e->waits != from) {
		e->wait_ns = wait;
		e->iowait_ns = iowait;
		e->have |= from;
	}
	e->waits = from;
	if (t->flags & TASK_DOUBT && goes_on(st, e, from)) {
		uint64_t most = counter_delta(iowait, e->iowait_ns),
			 waited = counter_delta(wait, e->wait_ns);

		if (waited && !most)
			e->unknown |= from;
		e->wait_ns += waited > most ? waited - most : 0;
	}
	advance(st, e, t, from, wait_ns, wait, wait_ns);
	advance(st, e, t, from, iowait_ns, iowait, iowait_ns);
}

/*
 * Who waits for a server sleeps interruptibly, or otherwise not for I/O: no other source has that
 * time. It is counted since there is such a mount.
 */
static void entry_server(struct task_state *st, struct task_entry *e, const struct sample_task *t)
{
	if (!(st->model->have & SRC_MOUNTS))
		return;
	if (st->prev_boot && !st->model->gap && st->prev_on & SRC_MOUNTS) {
		uint64_t waited = counter_delta(t->server_ns, e->server_ns);

		task_count(st, e, wait_ns, waited);
		task_count(st, e, server_ns, waited);
	}
	e->server_ns = t->server_ns;
}

static void entry_counters(struct task_state *st, struct task_entry *e, const struct sample_task *t,
			   unsigned on)
{
	entry_dirtied(st, e, t);
	if (!(on & SRC_BLOCK)) {
		const struct task_counters *now = task_now(st, e);

		advance(st, e, t, SRC_TASKIO, read_bytes, t->read_bytes, read);
		task_count(st, e, write, now ? now->dirty : 0);
	} else if (t->have & SRC_TASKIO) {
		e->read_bytes = t->read_bytes;
	}
	entry_waits(st, e, t);
	entry_server(st, e, t);
	advance(st, e, t, SRC_DELAYS, swap_ns, t->swapin_ns, swap_ns);
	advance(st, e, t, SRC_THROTTLE, throttle_ns, t->throttle_ns, throttle_ns);
	advance(st, e, t, SRC_MEMSTALL, memstall_ns, t->memstall_ns, memstall_ns);
}

/* A listing has the same order every time: the follower of the entry before saves the look-up. */
static struct task_entry *listed_entry(struct task_state *st, const struct sample_task *t)
{
	struct task_entry *before = st->listed, *e = before ? before->follower : NULL;

	if (!e || memcmp(&e->id, &t->id, sizeof(t->id)))
		e = task_entry_get(st, &t->id, t->process);
	if (before)
		before->follower = e;
	st->listed = e;
	return e;
}

/*
 * Whether it lives although its end was told: a thread took over its numbers (execve()). A listing
 * of the moment in which it ended may still have it.
 */
static bool has_successor(const struct task_state *st, const struct task_entry *e,
			  const struct sample_task *t)
{
	return t->flags & TASK_LISTED && !(t->flags & (TASK_ENDED | TASK_EXITING)) &&
	       t->state != 'Z' && t->state != 'X' && e->ended_tick != st->tick;
}

static void entry_update(struct task_state *st, const struct sample_task *t, uint64_t boot,
			 unsigned on)
{
	struct task_entry *e;

	if (t->flags & TASK_GROUP)
		return;
	e = t->flags & TASK_LISTED ? listed_entry(st, t) : task_entry_get(st, &t->id, t->process);
	if (e->ended_at && e->c.seen) {
		if (!has_successor(st, e, t))
			return;
		task_entry_revive(e);
	}
	e->c.seen = st->tick;
	e->unknown = 0;
	e->listed |= !!(t->flags & TASK_LISTED);
	e->facts = (struct task_facts){
		.ppid = t->ppid, .uid = t->uid, .state = t->state, .ioprio = t->ioprio,
		.nice = t->nice, .cgroup = t->cgroup, .sampled = true,
		.asleep_ns = t->asleep_ns, .server_dev = t->server_dev,
		.frozen_dev = t->frozen_dev,
	};
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
		struct task_entry *e = counter_table_find(st->tasks, &c->id);

		if (!e || !c->args || e->flags & TASK_KTHREAD)
			continue;
		free(e->process->command);
		e->process->command = utf8_clean_dup(c->args);
	}
}

void task_state_update(struct task_state *st, struct model *m)
{
	const struct sample *s = m->cur;
	bool listing = false;

	st->model = m;
	counter_table_begin(st->tasks, m);
	st->tick = st->tasks->tick;
	st->active = st->ended = 0;
	st->idle_ns = 0;
	st->listed = NULL;
	st->waits_seen = watch_source(m, SRC_WAITS) == SOURCE_ON;
	task_links_charge(st);
	task_dirtied_read(st, m);
	/* Exits first: the listing of the same moment may still show the task. */
	sample_each(s, TASK, const struct sample_task, t) {
		listing |= !!(t->flags & TASK_LISTED);
		entry_update(st, t, s->boot, m->have);
	}
	task_dirtied_count(st);
	task_links_update(st, m);
	task_files_update(st, m);
	task_meta_update(st, m);
	task_reads_update(st, m);
	task_ended_update(st, s, listing);
	st->prev_boot = s->boot;
	st->prev_on = m->have;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/task/task_ended.h"

#include <stdlib.h>

#include "data/task/task_files.h"
#include "data/task/task_links.h"

/*
 * So many tasks that ended are remembered with their rows, with -a (as long as we run) so many: a
 * storm must not fill the memory.
 */
#define ENDED_MAX 50000
#define ENDED_MAX_KEPT 250000

/* Of one whose I/O was at devices that are not the lowest there are links, and no counters. */
static bool did_io(const struct task_entry *e)
{
	return e->c.sum || e->caused || e->submitted;
}

/*
 * Those that ended within so many ticks stay, and a main thread as long as others of its process:
 * these have its name, age and user.
 */
static bool entry_is_old(const struct task_state *st, const struct task_entry *e)
{
	if (!e->ended_at || (e->process->leader == e && e->process->threads > 1))
		return false;
	/* Without any I/O there is nothing to remember: a fork storm must not grow the table. */
	return st->tick - e->ended_tick > (did_io(e) ? st->ended_ticks : 0);
}

/* With -a only so many go, those first that came first. */
static void entries_drop_old(struct task_state *st, size_t excess)
{
	struct task_entry *e;

	counter_table_each(st->tasks, e) {
		e->c.drop = entry_is_old(st, e) && (!did_io(e) || !st->opt.accumulated || excess);
		if (!e->c.drop)
			continue;
		if (did_io(e)) {
			excess -= st->opt.accumulated;
			st->forgotten += st->opt.accumulated ||
					 st->tick - e->ended_tick <= HISTORY_TICKS;
		}
		task_links_release(e);
		task_files_release(e);
	}
	counter_table_each(st->tasks, e)
		if (e->follower && e->follower->c.drop)
			e->follower = NULL;
	counter_table_sweep(st->tasks);
}

/*
 * For how many ticks all are kept that ended: what the history shows, fewer when there are very
 * many.
 */
static unsigned ended_ticks(const uint32_t ended[HISTORY_TICKS + 1], uint32_t most)
{
	uint32_t n = ended[0];
	unsigned ticks = 0;

	while (ticks < HISTORY_TICKS && n + ended[ticks + 1] <= most)
		n += ended[++ticks];
	return ticks;
}

/* Of one that ended long ago there is no history to be shown. */
static void entry_shrink(const struct task_state *st, struct task_entry *e)
{
	if (e->c.active == st->tick)
		return;
	free(e->history);
	free(e->c.now);
	e->history = NULL;
	e->c.now = NULL;
}

static void history_update(struct task_state *st, struct task_entry *e, double seconds)
{
	const struct task_counters *now = task_now(st, e);
	uint64_t read = now ? now->read : 0, write = now ? now->write : 0;
	bool active = read || write;

	if (active && !e->history)
		e->history = mem_zalloc(sizeof(*e->history));
	if (e->history && st->model->interval > 0)
		history_push(e->history, read, write, seconds);
	st->active += active;
	if (now && now->iowait_ns > now->wait_ns)
		st->idle_ns = MAX(st->idle_ns, now->iowait_ns - now->wait_ns);
}

void task_ended_update(struct task_state *st, const struct sample *s, bool listing)
{
	uint32_t ended[HISTORY_TICKS + 1] = { 0 };
	double seconds = task_watched(st->model);
	struct task_entry *e;
	uint32_t most = st->opt.accumulated ? ENDED_MAX_KEPT : ENDED_MAX, n = 0;
	bool old = false;

	counter_table_each(st->tasks, e) {
		bool gone = listing && e->c.seen != st->tick && e->listed && !e->ended_at;

		if (!gone && !e->ended_at && !e->history && !task_now(st, e))
			continue;
		if (gone)
			task_entry_end(st, e, s->boot);
		history_update(st, e, seconds);
		if (!e->ended_at)
			continue;
		if (did_io(e)) {
			ended[MIN(st->tick - e->ended_tick, HISTORY_TICKS)]++;
			n++;
		}
		if (st->tick - e->ended_tick > HISTORY_TICKS)
			entry_shrink(st, e);
		old |= entry_is_old(st, e) && !(did_io(e) && st->opt.accumulated);
	}
	st->ended_ticks = ended_ticks(ended, most);
	if (old || n > most)
		entries_drop_old(st, n > most ? n - most : 0);
}

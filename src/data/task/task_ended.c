/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks that ended: for how long they are remembered, and how many. */
#include "data/task/task_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

/*
 * So many tasks that ended are remembered with their rows, with -a (as long as we run) so many: a
 * storm must not fill the memory.
 */
#define ENDED_MAX 50000
#define ENDED_MAX_KEPT 250000

void task_entry_end(struct task_state *st, struct task_entry *e, uint64_t at)
{
	if (e->ended_at)
		return;
	e->ended_at = at;
	e->ended_tick = st->tick;
	st->ended++;
	if (!--e->process->living)
		e->process->ended_at = at;
}

/* Of one whose I/O was at devices that are not the lowest there are links, and no counters. */
static bool did_io(const struct task_entry *e)
{
	return e->sum || e->caused || e->submitted;
}

/* Those that ended within so many ticks stay. */
static bool entry_is_old(const struct task_state *st, const struct task_entry *e)
{
	if (!e->ended_at)
		return false;
	/* Without any I/O there is nothing to remember: a fork storm must not grow the table. */
	return st->tick - e->ended_tick > (did_io(e) ? st->ended_ticks : 0);
}

static bool entry_keep(void *value, void *arg)
{
	return !((const struct task_entry *)value)->dropped;
}

/* With -a only so many go, those first that came first. */
static void entries_drop_old(struct task_state *st, size_t excess)
{
	struct task_entry *e;
	size_t kept = 0;

	task_state_each(st, e) {
		e->dropped = entry_is_old(st, e) && (!did_io(e) || !st->opt.accumulated || excess);
		if (!e->dropped || !did_io(e))
			continue;
		excess -= st->opt.accumulated;
		st->forgotten += st->opt.accumulated || st->tick - e->ended_tick <= HISTORY_TICKS;
	}
	hash_filter(&st->tasks, entry_keep, NULL, NULL);
	for (size_t i = 0; i < st->nall; i++) {
		if (st->all[i]->dropped)
			task_entry_free(st, st->all[i]);
		else
			st->all[kept++] = st->all[i];
	}
	st->nall = kept;
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
static void entry_shrink(struct task_entry *e)
{
	static const struct task_counters none;

	if (e->now && memcmp(e->now, &none, sizeof(none)))
		return;
	free(e->history);
	free(e->now);
	e->history = NULL;
	e->now = NULL;
}

void task_entries_close(struct task_state *st, const struct sample *s, bool listing)
{
	uint32_t ended[HISTORY_TICKS + 1] = { 0 };
	double seconds = st->prev_boot ? (s->boot - st->prev_boot) / (double)NSEC_PER_SEC : 0;
	struct task_entry *e;
	uint32_t most = st->opt.accumulated ? ENDED_MAX_KEPT : ENDED_MAX, n = 0;
	bool old = false;

	task_state_each(st, e) {
		if (listing && e->listed && e->seen != st->tick && !e->ended_at)
			task_entry_end(st, e, s->boot);
		if (e->now && (e->now->read || e->now->write) && !e->history)
			e->history = mem_zalloc(sizeof(*e->history));
		if (e->history && seconds > 0)
			history_push(e->history, e->now->read / seconds, e->now->write / seconds);
		st->active += e->now && (e->now->read || e->now->write);
		if (e->ended_at && did_io(e)) {
			ended[MIN(st->tick - e->ended_tick, HISTORY_TICKS)]++;
			n++;
		}
		if (e->ended_at && st->tick - e->ended_tick > HISTORY_TICKS)
			entry_shrink(e);
		old |= entry_is_old(st, e) && !(did_io(e) && st->opt.accumulated);
	}
	st->ended_ticks = ended_ticks(ended, most);
	if (old || n > most)
		entries_drop_old(st, n > most ? n - most : 0);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks that ended: for how long they are remembered. */
#include "data/task_state.h"

#include <stdlib.h>

#include "base/clock.h"

/* So many tasks that ended are remembered with their rows, with -a more: a storm of them must not fill the memory. */
#define ENDED_MAX 50000

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

static bool entry_is_old(const struct task_state *st, const struct task_entry *e)
{
	if (!e->ended_at)
		return false;
	/* Without any I/O there is nothing to remember: a fork storm must not grow the table. */
	if (!e->sum)
		return st->tick > e->ended_tick;
	return !st->opt.keep_ended && st->tick - e->ended_tick > st->ended_ticks;
}

static bool entry_keep(void *value, void *arg)
{
	return !entry_is_old(arg, value);
}

static void entries_drop_old(struct task_state *st)
{
	size_t kept = 0;

	hash_filter(&st->tasks, entry_keep, NULL, st);
	for (size_t i = 0; i < st->nall; i++) {
		if (entry_is_old(st, st->all[i]))
			task_entry_free(st, st->all[i]);
		else
			st->all[kept++] = st->all[i];
	}
	st->nall = kept;
}

/* For how many ticks those are kept that ended: all that the history shows, fewer when there are very many. */
static unsigned ended_ticks(const uint32_t ended[HISTORY_TICKS + 1])
{
	uint32_t n = ended[0];
	unsigned ticks = 0;

	while (ticks < HISTORY_TICKS && n + ended[ticks + 1] <= ENDED_MAX)
		n += ended[++ticks];
	return ticks;
}

void task_entries_close(struct task_state *st, const struct sample *s, bool listing)
{
	uint32_t ended[HISTORY_TICKS + 1] = { 0 };
	double seconds = st->prev_boot ? (s->boot - st->prev_boot) / (double)NSEC_PER_SEC : 0;
	struct task_entry *e;
	bool old = false;

	task_state_each(st, e) {
		if (listing && e->listed && e->seen != st->tick && !e->ended_at)
			task_entry_end(st, e, s->boot);
		if (e->now && (e->now->read || e->now->write) && !e->history)
			e->history = mem_zalloc(sizeof(*e->history));
		if (e->history && seconds > 0)
			history_push(e->history, e->now->read / seconds, e->now->write / seconds);
		st->active += e->now && (e->now->read || e->now->write);
		if (e->ended_at && e->sum)
			ended[MIN(st->tick - e->ended_tick, HISTORY_TICKS)]++;
		old |= entry_is_old(st, e);
	}
	st->ended_ticks = ended_ticks(ended);
	if (old)
		entries_drop_old(st);
}

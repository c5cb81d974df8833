// SPDX-License-Identifier: GPL-2.0-or-later
#include "data/task/task_entry.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

const char *task_entry_comm(const struct task_entry *e)
{
	return e->comm_text ? e->comm_text : e->comm;
}

void task_entry_set_comm(struct task_entry *e, const char *comm)
{
	struct arena a;
	const char *clean;
	size_t len;

	if (!comm || !*comm || !strcmp(e->comm, comm))
		return;
	len = strnlen(comm, sizeof(e->comm) - 1);
	if (!strncmp(e->comm, comm, len) && !e->comm[len])
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
	counters_fold(to, from, TASK_COUNTERS_SUM, TASK_COUNTERS_MAX);
}

/*
 * Whether a task is of a later process of the same tgid. Where it is not known when its process
 * started, it is of a later one when it started after all of p had ended. The main thread is
 * remembered as long as p is.
 */
static bool is_later(const struct task_process *p, const struct task_id *id, uint64_t start)
{
	if (start)
		return p->start && p->start != start;
	return p->leader && !p->living && id->start > p->ended_at;
}

/* The process a task belongs to. start: its process's, 0: not known. */
static struct task_process *process_of(struct task_state *st, const struct task_id *id,
				       uint64_t start)
{
	struct task_process *p = hash_get(&st->processes, &id->tgid);

	if (id->tid == id->tgid)
		start = id->start;
	if (p && is_later(p, id, start)) {
		hash_del(&st->processes, &id->tgid);
		p = NULL;
	}
	if (!p) {
		p = mem_zalloc(sizeof(*p));
		p->tgid = id->tgid;
		p->serial = ++st->serials;
		hash_put(&st->processes, p);
	}
	if (start)
		p->start = start;
	return p;
}

struct task_entry *task_entry_get(struct task_state *st, const struct task_id *id, uint64_t process)
{
	bool fresh;
	struct task_entry *e = counter_table_get(st->tasks, id, &fresh);

	if (!fresh)
		return e;
	e->process = process_of(st, id, process);
	e->process->threads++;
	e->process->living++;
	if (id->tid == id->tgid)
		e->process->leader = e;
	return e;
}

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

void task_entry_revive(struct task_entry *e)
{
	e->ended_at = 0;
	if (!e->process->living++)
		e->process->ended_at = 0;
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

/* What it did stays with its process. */
static void entry_forget(void *entry, void *arg)
{
	struct task_entry *e = entry;

	if (e->c.sum)
		task_counters_add(&e->process->gone, task_sum(e));
	process_unref(arg, e);
	free(e->comm_text);
	free(e->history);
}

static const struct counter_kind task_kind = {
	COUNTER_ENTRY(struct task_entry, id),
	.nsum = TASK_COUNTERS_SUM,
	.nmax = TASK_COUNTERS_MAX,
	.lazy = true,
	.forget = entry_forget,
};

void task_table_init(struct task_state *st)
{
	st->tasks = counter_table_new(&task_kind);
	st->tasks->arg = st;
	hash_init(&st->processes, offsetof(struct task_process, tgid), sizeof(uint32_t));
}

void task_table_release(struct task_state *st)
{
	counter_table_free(st->tasks);
	hash_release(&st->processes);
}

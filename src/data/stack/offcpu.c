// SPDX-License-Identifier: GPL-2.0-or-later
#include "data/stack/offcpu.h"

#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "base/utf8.h"
#include "data/counters.h"
#include "data/model.h"
#include "data/names.h"
#include "data/selection.h"
#include "data/task/task.h"

#define WAITS_MAX 8192	/* kept, unless the kernel counts more */

const char *const waker_names[WAKER_UNKNOWN + 1] = {
	[WAKER_TASK] = "task",
	[WAKER_IRQ] = "irq",
	[WAKER_SOFTIRQ] = "softirq",
	[WAKER_IDLE] = "idle",
	[WAKER_UNKNOWN] = "unknown",
};

/* What is kept of one counter of the kernel from tick to tick. */
struct entry {
	struct counters c;	/* struct offcpu_counters */
	struct {
		struct task_id id, waker, holder;
		uint64_t stacks[OFFCPU_STACKS];
		uint32_t dev, op, state, iowait, via, lock, waker_kind, memstall;
		uint32_t limited, none;
	} key;
	char *comm, *waker_comm, *holder_comm;	/* clean; the others NULL: no task */
	struct selection_owner owner;	/* cgroup 0: not known */
	struct offcpu_wait wait;
	char state[2];
};

static void entry_forget(void *entry, _unused_ void *arg)
{
	struct entry *e = entry;

	free(e->comm);
	free(e->waker_comm);
	free(e->holder_comm);
	free(e->wait.function);
}

/* By state. */
static struct counters *entry_rest(struct counter_table *t, const void *entry)
{
	const struct entry *e = entry;
	struct entry like = { .key = { .state = e->key.state,
				       .iowait = e->key.iowait,
				       .waker_kind = WAKER_UNKNOWN } },
		     *rest;
	bool fresh;

	rest = counter_table_get(t, &like.key, &fresh);
	if (fresh) {
		rest->comm = mem_strdup("[not kept]");
		rest->state[0] = e->state[0];
	}
	return &rest->c;
}

static const struct counter_kind offcpu_kind = {
	COUNTER_ENTRY(struct entry, key),
	.nsum = OFFCPU_COUNTERS_SUM,
	.nmax = OFFCPU_COUNTERS_MAX,
	.source = SRC_OFFCPU,
	.drops = true,
	.most = WAITS_MAX,
	.weight = offsetof(struct offcpu_counters, blocked_ns) / sizeof(uint64_t),
	.keep = counters_recent,
	.forget = entry_forget,
	.rest = entry_rest,
};

static void *state_new(void)
{
	return counter_table_new(&offcpu_kind);
}

static void entry_update(struct counter_table *t, const struct sample_offcpu *b)
{
	struct offcpu_counters counters = { b->blocked_ns, b->count, b->io_ns, b->max_ns };
	struct entry like = { .key = {
		.id = b->id, .waker = b->waker, .holder = b->holder,
		.stacks = { b->kstack, b->ustack, b->waker_kstack, b->waker_ustack },
		.dev = b->dev, .op = b->op, .state = b->state, .iowait = b->iowait, .via = b->via,
		.lock = b->lock, .memstall = b->memstall, .waker_kind = b->waker_kind,
		.limited = b->limited,
	} }, *e;
	bool fresh;

	e = counter_table_get(t, &like.key, &fresh);
	if (fresh) {
		e->comm = utf8_clean_dup(b->comm);
		e->waker_comm = utf8_clean_dup(b->waker_comm);
		e->holder_comm = utf8_clean_dup(b->holder_comm);
		e->owner = (struct selection_owner){ b->uid, b->cgroup };
		e->state[0] = b->state > ' ' && b->state < 127 ? (char)b->state : '?';
	}
	counters_count(t, &e->c, &counters, NULL);
}

static void row_woken(struct offcpu_row *r, struct model *m)
{
	const char *text = r->waker_comm ? r->waker_comm : waker_names[r->waker_kind];

	if (r->waker_kind == WAKER_NONE && r->holder_comm) {
		r->woken = value_str(arena_printf(&m->arena, "(%s %llu)", r->holder_comm,
						  (unsigned long long)r->holder_id.tgid));
		return;
	}
	if (r->waker_kind == WAKER_NONE) {
		r->woken = value_phrase(N_("still waiting"));
		return;
	}
	if (r->waker_comm && r->waker_pid)
		text = arena_printf(&m->arena, "%s %llu", text, (unsigned long long)r->waker_pid);
	else if (!r->waker_comm && r->disk)
		text = arena_printf(&m->arena, "%s (%s)", text, r->disk);
	r->woken = value_str(text);
}

static void row_fill(struct offcpu_row *r, struct entry *e, struct model *m,
		     const struct engine_options *opt)
{
	r->row.flags = ROW_QUIET;
	if (m->selection &&
	    !selection_has(m->selection, engine_name_table(m->engine), &e->key.id,
			   e->owner.cgroup ? &e->owner : NULL))
		r->row.flags |= ROW_UNSELECTED;
	r->row.have = SRC_OFFCPU | (m->have & (SRC_TASKS | SRC_CMDLINE));
	r->id = e->key.id;
	r->pid = e->key.id.tgid;
	r->tid = e->key.id.tid;
	r->waker_id = e->key.waker;
	r->waker_pid = e->key.waker.tgid;
	r->waker_kind = e->key.waker_kind;
	r->wait = &e->wait;
	r->lock = e->key.lock;
	r->holder_id = e->key.holder;
	r->holder_tid = e->key.holder.tid;
	r->holder_comm = e->holder_comm;
	r->comm = e->comm;
	r->waker_comm = e->waker_comm;
	r->state = e->state;
	r->iowait = e->key.iowait;
	r->via = e->key.via;
	r->memstall = e->key.memstall;
	r->limited = e->key.limited;
	r->dev = e->key.dev;
	r->op_id = e->key.op;
	if (r->dev) {
		const struct names_disk *disk = names_disk(engine_name_table(m->engine), r->dev);

		/*
		 * A loop device is called by its number: the path of its file is too long for a
		 * phrase.
		 */
		r->disk = disk->label && !strchr(disk->label, '/') ? disk->label : disk->name;
	}
	r->row.name = arena_printf(&m->arena, "%s %llu", r->comm, (unsigned long long)r->tid);
	for (unsigned i = 0; i < OFFCPU_STACKS; i++) {
		bool user = i == OFFCPU_USER || i == OFFCPU_WAKER_USER;

		r->stack_ids[i] = opt->stacks == (user ? STACKS_KERNEL : STACKS_USER)
					  ? 0 : e->key.stacks[i];
	}
	r->command = task_command_line(m, &r->id);
	row_woken(r, m);
	if (e->c.active)
		offcpu_explain(r, m);
}

/* With --disk only what a request of it has ended. */
static bool shown(struct model *m, const struct entry *e, const struct engine_options *opt)
{
	if (!e->key.dev)
		return !opt->disk;
	return names_disk(engine_name_table(m->engine), e->key.dev)->shown;
}

static void build(void *state, struct model *m, const struct sample *cur)
{
	const struct engine_options *opt = engine_get_options(m->engine);
	struct counter_table *t = state;
	struct entry *e;

	t->keep_all = opt->accumulated;
	counter_table_begin(t, m);
	sample_each(cur, OFFCPU, const struct sample_offcpu, b)
		entry_update(t, b);
	counter_table_end(t);
	counter_table_each(t, e)
		if (shown(m, e, opt))
			row_fill(model_add_counted(m, ENTITY_OFFCPU, &e->c), e, m, opt);
}

/* Whether a stack of the row got its names after the row was made. */
static bool has_come(struct frames_table *t, const struct offcpu_row *r)
{
	for (unsigned k = 0; k < OFFCPU_STACKS; k++)
		if (!r->stacks[k] && frames_get(t, r->stack_ids[k]))
			return true;
	return false;
}

static void late(void *state, struct model *m, const struct sample *names)
{
	const struct row_list *list = &m->rows[ENTITY_OFFCPU];
	struct frames_table *t = engine_frames(m->engine);

	for (size_t i = 0; names->tables[TABLE_FRAMES].n && i < list->n; i++)
		if (has_come(t, (const struct offcpu_row *)list->rows[i]))
			offcpu_explain(model_replace_row(m, ENTITY_OFFCPU, i), m);
}

/* The same names are the same path, wherever in the functions the calls are. */
static uint64_t shape(const struct offcpu_row *r, enum offcpu_stack i)
{
	return r->stacks[i] ? r->stacks[i]->shape : r->stack_ids[i];
}

static const char *group_key(const struct row *row, enum group_by by, struct arena *a)
{
	const struct offcpu_row *r = (const struct offcpu_row *)row;
	const uint64_t key[] = {
		shape(r, OFFCPU_KERNEL),
		shape(r, OFFCPU_USER),
		shape(r, OFFCPU_WAKER_KERNEL),
		shape(r, OFFCPU_WAKER_USER),
		(uint64_t)r->dev << 32 | r->op_id,
		(uint64_t)(unsigned char)r->state[0] << 32 | (uint64_t)r->limited << 25 |
			(uint64_t)r->memstall << 24 |
			(uint64_t)r->iowait << 16 |
			(uint64_t)r->via << 8 | (uint64_t)r->waker_kind,
		by == GROUP_PROCESS ? (uint64_t)r->id.tgid << 32 | r->waker_id.tgid : 0,
		by == GROUP_PROCESS ? r->holder_id.tgid : 0,
	};

	if (by == GROUP_PROCESS)
		return arena_key(a, key, ARRAY_SIZE(key), r->comm);
	if (by == GROUP_COMM)
		return arena_key(
			a, key, ARRAY_SIZE(key),
			arena_concat(a, r->comm, " ", r->waker_comm ? r->waker_comm : "", " ",
				     r->holder_comm ? r->holder_comm : "", NULL));
	return NULL;
}

/* Tasks of several processes with the same name woke them, or hold it: the name is left. */
static void group(struct row *group, _unused_ enum group_by by, _unused_ uint64_t *sum,
		  struct arena *a)
{
	struct offcpu_row *g = (struct offcpu_row *)group;
	bool wakers = false, holders = false;

	for (uint32_t i = 1; i < group->members; i++) {
		const struct offcpu_row *r = (const struct offcpu_row *)group->parts[i];

		wakers |= r->waker_pid != g->waker_pid;
		holders |= r->holder_id.tgid != g->holder_id.tgid;
	}
	if (g->waker_comm && wakers)
		g->woken = value_str(g->waker_comm);
	else if (g->waker_kind == WAKER_NONE && g->holder_comm && holders)
		g->woken = value_str(arena_concat(a, "(", g->holder_comm, ")", NULL));
}

_Static_assert(OFFCPU_STACKS <= ROW_STACKS, "room for the stacks of a row");

static bool wants_command(const struct row *row, struct task_id *ret)
{
	const struct offcpu_row *r = (const struct offcpu_row *)row;

	if (!r->command || *r->command)
		return false;
	*ret = r->id;
	return true;
}

static size_t wants_stacks(const struct row *row, uint64_t *ids)
{
	const struct offcpu_row *r = (const struct offcpu_row *)row;
	const struct offcpu_counters *now = row->now;
	size_t n = 0;

	for (unsigned k = 0; now->blocked_ns && k < OFFCPU_STACKS; k++)
		if (r->stack_ids[k] && !r->stacks[k])
			ids[n++] = r->stack_ids[k];
	return n;
}

/*
 * Target, its code down to where it waits; then the waker's code from where it wakes up to who it
 * is.
 */
static size_t steps(const struct row *row, unsigned flags, struct arena *a, const struct step **ret)
{
	const struct offcpu_row *r = (const struct offcpu_row *)row;
	size_t n = 0, max = 5;
	struct step *v;

	for (unsigned i = 0; i < OFFCPU_STACKS; i++)
		max += r->stacks[i] ? r->stacks[i]->n + 1 : 0;
	v = arena_new(a, struct step, max);
	v[n++] = (struct step){ r->comm, STEP_TASK };
	n += frames_steps(v + n, r->stacks[OFFCPU_USER], false);
	if (flags & STEPS_DELIMITED && r->stacks[OFFCPU_USER] && r->stacks[OFFCPU_KERNEL])
		v[n++] = (struct step){ "-", STEP_MARK };
	n += frames_steps(v + n, r->stacks[OFFCPU_KERNEL], false);
	v[n++] = (struct step){ "--", STEP_MARK };
	n += frames_steps(v + n, r->stacks[OFFCPU_WAKER_KERNEL], true);
	if (flags & STEPS_DELIMITED && r->stacks[OFFCPU_WAKER_USER] &&
	    r->stacks[OFFCPU_WAKER_KERNEL])
		v[n++] = (struct step){ "-", STEP_MARK };
	n += frames_steps(v + n, r->stacks[OFFCPU_WAKER_USER], true);
	v[n++] = (struct step){ r->waker_comm ? r->waker_comm : r->woken.str, STEP_TASK };
	*ret = v;
	return n;
}

/* Microseconds, whatever else is asked for. */
static uint64_t weight(const void *counters, _unused_ enum weight by)
{
	const struct offcpu_counters *c = counters;

	return c->blocked_ns / 1000;
}

const struct entity entity_offcpu = {
	.name = "offcpu",
	.row_size = sizeof(struct offcpu_row),
	.nsum = OFFCPU_COUNTERS_SUM,
	.nmax = OFFCPU_COUNTERS_MAX,
	.columns = offcpu_columns,
	.needs = SRC_OFFCPU,
	.groups = 1u << GROUP_PROCESS | 1u << GROUP_COMM,
	.state_new = state_new,
	.state_free = counter_table_free,
	.build = build,
	.late = late,
	.wants_command = wants_command,
	.wants_stacks = wants_stacks,
	.group_key = group_key,
	.group = group,
	.steps = steps,
	.weight = weight,
	.weights = 1u << WEIGHT_LATENCY,
};

// SPDX-License-Identifier: GPL-2.0-or-later
#include "data/stack/offcpu.h"

#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "base/utf8.h"
#include "data/model.h"
#include "data/names.h"
#include "data/tally.h"

const char *const waker_names[WAKER_UNKNOWN + 1] = {
	[WAKER_TASK] = "task",
	[WAKER_IRQ] = "irq",
	[WAKER_SOFTIRQ] = "softirq",
	[WAKER_IDLE] = "idle",
	[WAKER_UNKNOWN] = "unknown",
};

/* What is kept of one counter of the kernel from tick to tick. */
struct entry {
	struct tally_entry tally;	/* struct offcpu_counters */
	struct {
		struct task_id id, waker;
		uint64_t stacks[OFFCPU_STACKS];
		uint32_t dev, op, state, iowait, via, waker_kind;
	} key;
	char *comm, *waker_comm;	/* clean; waker_comm NULL: no task */
	struct offcpu_wait wait;
	char state[2];
};

static void entry_forget(void *entry)
{
	struct entry *e = entry;

	free(e->comm);
	free(e->waker_comm);
	free(e->wait.function);
}

/* By state. */
static struct tally_entry *entry_rest(struct tally *t, const void *entry)
{
	const struct entry *e = entry;
	struct entry like = { .key = { .state = e->key.state,
				       .iowait = e->key.iowait,
				       .waker_kind = WAKER_UNKNOWN } },
		     *rest;
	bool fresh;

	rest = tally_get(t, &like.key, &fresh);
	if (fresh) {
		rest->comm = mem_strdup("[not kept]");
		rest->state[0] = e->state[0];
	}
	return &rest->tally;
}

static const struct tally_kind blocked = {
	.size = sizeof(struct entry),
	.key_off = offsetof(struct entry, key),
	.key_len = sizeof(((struct entry *)0)->key),
	.nsum = OFFCPU_COUNTERS_SUM,
	.has_max = true,
	.forget = entry_forget,
	.rest = entry_rest,
};

static void *state_new(void)
{
	return tally_new(&blocked);
}

static void entry_update(struct tally *t, const struct sample_offcpu *b)
{
	struct offcpu_counters counters = { b->blocked_ns, b->count, b->io_ns, b->max_ns };
	struct entry like = { .key = {
		.id = b->id, .waker = b->waker, .stacks = { b->kstack, b->ustack, b->waker_kstack,
			b->waker_ustack },
		.dev = b->dev, .op = b->op, .state = b->state, .iowait = b->iowait, .via = b->via,
		.waker_kind = b->waker_kind,
	} }, *e;
	bool fresh;

	e = tally_get(t, &like.key, &fresh);
	if (fresh) {
		e->comm = utf8_clean_dup(b->comm);
		e->waker_comm = utf8_clean_dup(b->waker_comm);
		e->state[0] = b->state > ' ' && b->state < 127 ? (char)b->state : '?';
	}
	tally_count(t, &e->tally, (const uint64_t *)&counters);
}

static void row_woken(struct offcpu_row *r, struct model *m)
{
	if (r->waker_kind == WAKER_NONE)
		r->woken = N_("still waiting");
	else if (r->waker_comm && r->waker_pid)
		r->woken = arena_printf(&m->arena, "%s %llu", r->waker_comm,
					(unsigned long long)r->waker_pid);
	else if (r->waker_comm)
		r->woken = r->waker_comm;
	else if (r->disk)
		r->woken = arena_printf(&m->arena, "%s (%s)", waker_names[r->waker_kind], r->disk);
	else
		r->woken = waker_names[r->waker_kind];
}

static void row_fill(struct offcpu_row *r, struct entry *e, struct model *m,
		     const struct engine_options *opt)
{
	r->row.key = e->tally.hash;
	r->row.flags = ROW_QUIET;
	r->row.have = SRC_OFFCPU;
	r->row.now = e->tally.now;
	r->row.sum = e->tally.sum;
	r->row.members = 1;
	r->id = e->key.id;
	r->pid = e->key.id.tgid;
	r->tid = e->key.id.tid;
	r->waker_id = e->key.waker;
	r->waker_pid = e->key.waker.tgid;
	r->waker_kind = e->key.waker_kind;
	r->wait = &e->wait;
	r->comm = e->comm;
	r->waker_comm = e->waker_comm;
	r->state = e->state;
	r->iowait = e->key.iowait;
	r->via = e->key.via;
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

		r->stack_ids[i] =
			(user ? opt->no_user_stacks : opt->no_kernel_stacks) ? 0 : e->key.stacks[i];
	}
	row_woken(r, m);
	if (e->tally.active)
		offcpu_explain(r, m);
}

/* With --disk only what a request of it has ended. */
static bool shown(struct model *m, const struct entry *e, const struct engine_options *opt)
{
	if (!e->key.dev)
		return !opt->disk;
	return names_disk(engine_name_table(m->engine), e->key.dev)->shown;
}

static void build(void *state, struct model *m, _unused_ const struct sample *prev,
		  const struct sample *cur)
{
	const struct engine_options *opt = engine_get_options(m->engine);
	struct tally *t = state;
	struct entry *e;
	size_t i = 0;

	t->keep = opt->keep_ended;
	tally_begin(t, cur->mono, m->interval);
	sample_each(cur, OFFCPU, const struct sample_offcpu, b)
		entry_update(t, b);
	tally_end(t);
	while ((e = hash_next(&t->entries, &i)))
		if (shown(m, e, opt))
			row_fill(model_add_row(m, ENTITY_OFFCPU), e, m, opt);
}

static void names_late(void *state, struct model *m, const struct sample *cur)
{
	if (!cur->tables[TABLE_FRAMES].n)
		return;
	for (size_t i = 0; i < m->rows[ENTITY_OFFCPU].n; i++)
		offcpu_explain((struct offcpu_row *)(uintptr_t)m->rows[ENTITY_OFFCPU].rows[i], m);
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
		(uint64_t)(unsigned char)r->state[0] << 24 | (uint64_t)r->iowait << 16 |
			(uint64_t)r->via << 8 | (uint64_t)r->waker_kind,
		by == GROUP_PROCESS ? (uint64_t)r->id.tgid << 32 | r->waker_id.tgid : 0,
	};

	if (by == GROUP_PROCESS)
		return arena_key(a, key, ARRAY_SIZE(key), r->comm);
	if (by == GROUP_COMM)
		return arena_key(
			a, key, ARRAY_SIZE(key),
			arena_concat(a, r->comm, " ", r->waker_comm ? r->waker_comm : "", NULL));
	return NULL;
}

static void group_add(struct row *group, const struct row *member, _unused_ enum group_by by,
		      _unused_ struct arena *a)
{
	struct offcpu_row *g = (struct offcpu_row *)group;
	const struct offcpu_row *r = (const struct offcpu_row *)member;

	if (g->tid != r->tid)
		g->tid = 0;
	if (g->pid != r->pid)
		g->pid = 0;
	if (g->waker_pid != r->waker_pid) {
		g->waker_pid = 0;
		if (g->waker_comm)
			g->woken = g->waker_comm;
	}
}

size_t offcpu_unresolved(const struct model *m, bool active, uint64_t *ids, size_t max)
{
	const struct row_list *list = &m->rows[ENTITY_OFFCPU];
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++) {
		const struct offcpu_row *r = (const struct offcpu_row *)list->rows[i];

		if (active && !r->row.now[0])
			continue;
		for (unsigned k = 0; k < OFFCPU_STACKS && n < max; k++)
			if (r->stack_ids[k] && !r->stacks[k])
				ids[n++] = r->stack_ids[k];
	}
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
	n += frames_steps(v + n, r->stacks[OFFCPU_USER], STEP_USER, false);
	if (flags & STEPS_DELIMITED && r->stacks[OFFCPU_USER] && r->stacks[OFFCPU_KERNEL])
		v[n++] = (struct step){ "-", STEP_MARK };
	n += frames_steps(v + n, r->stacks[OFFCPU_KERNEL], STEP_KERNEL, false);
	v[n++] = (struct step){ "--", STEP_MARK };
	n += frames_steps(v + n, r->stacks[OFFCPU_WAKER_KERNEL], STEP_KERNEL, true);
	if (flags & STEPS_DELIMITED && r->stacks[OFFCPU_WAKER_USER] &&
	    r->stacks[OFFCPU_WAKER_KERNEL])
		v[n++] = (struct step){ "-", STEP_MARK };
	n += frames_steps(v + n, r->stacks[OFFCPU_WAKER_USER], STEP_USER, true);
	v[n++] = (struct step){ r->waker_comm ? r->waker_comm : r->woken, STEP_TASK };
	*ret = v;
	return n;
}

/* Microseconds, whatever else is asked for. */
static uint64_t weight(const uint64_t *counters, _unused_ enum weight by)
{
	return ((const struct offcpu_counters *)counters)->blocked_ns / 1000;
}

const struct entity entity_offcpu = {
	.name = "offcpu",
	.row_size = sizeof(struct offcpu_row),
	.nsum = OFFCPU_COUNTERS_SUM,
	.nmax = OFFCPU_COUNTERS_MAX,
	.columns = offcpu_columns,
	.ncolumns = OFFCPU_COLUMNS,
	.needs = SRC_OFFCPU,
	.groups = 1u << GROUP_PROCESS | 1u << GROUP_COMM,
	.state_new = state_new,
	.state_free = tally_free,
	.build = build,
	.names = names_late,
	.group_key = group_key,
	.group_add = group_add,
	.steps = steps,
	.weight = weight,
	.weights = 1u << WEIGHT_LATENCY,
};

// SPDX-License-Identifier: GPL-2.0-or-later
#include "data/stack/stack.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "data/model.h"
#include "data/names.h"
#include "data/tally.h"

const char *const op_names[OP_COUNT] = {
	[OP_READ] = "read",
	[OP_WRITE] = "write",
	[OP_DISCARD] = "discard",
	[OP_FLUSH] = "flush",
	[OP_OTHER] = "other",
};

#define QUIET_TICKS 10	/* a path without I/O for longer is hidden */

/* What is kept of one counter of the kernel from tick to tick. */
struct entry {
	struct tally_entry tally;	/* struct stack_counters */
	struct {
		struct task_id cause, submitter;
		uint32_t dev, op;
		uint64_t kstack, ustack;
	} key;
	char *comm, *cause_comm;	/* clean; cause_comm NULL: the submitter's */
};

static void entry_forget(void *entry)
{
	struct entry *e = entry;

	free(e->comm);
	free(e->cause_comm);
}

/* By disk and operation. */
static struct tally_entry *entry_rest(struct tally *t, const void *entry)
{
	const struct entry *e = entry;
	struct entry like = { .key = { .dev = e->key.dev, .op = e->key.op } }, *rest;
	bool fresh;

	rest = tally_get(t, &like.key, &fresh);
	if (fresh)
		rest->comm = mem_strdup("[not kept]");
	return &rest->tally;
}

static const struct tally_kind paths = {
	.size = sizeof(struct entry),
	.key_off = offsetof(struct entry, key),
	.key_len = sizeof(((struct entry *)0)->key),
	.nsum = STACK_COUNTERS,
	.forget = entry_forget,
	.rest = entry_rest,
};

static void *state_new(void)
{
	return tally_new(&paths);
}

static void entry_update(struct tally *t, const struct sample_stackio *io)
{
	struct stack_counters counters = { io->ios, io->bytes, io->done, io->lat_ns };
	struct entry like = { .key = { io->cause, io->submitter, io->dev, io->op, io->kstack,
				       io->ustack } },
		     *e;
	bool fresh;

	e = tally_get(t, &like.key, &fresh);
	if (fresh) {
		e->comm = utf8_clean_dup(io->comm);
		e->cause_comm = utf8_clean_dup(io->cause_comm);
	}
	tally_count(t, &e->tally, (const uint64_t *)&counters);
}

static void row_path(struct stack_row *r, struct model *m)
{
	struct frames_table *t = engine_frames(m->engine);
	const char *user, *kernel;

	r->ustack = frames_get(t, r->ustack_id);
	r->kstack = frames_get(t, r->kstack_id);
	user = r->ustack ? frames_brief(t, r->ustack) : "";
	kernel = r->kstack ? frames_brief(t, r->kstack) : "";
	if (r->ustack || r->kstack)
		r->path =
			arena_concat(&m->arena, user, *user && *kernel ? " › " : "", kernel, NULL);
}

static void row_fill(struct stack_row *r, const struct entry *e, unsigned tick, struct model *m,
		     const struct engine_options *opt)
{
	bool cause = !opt->by_submitter && (e->key.cause.tgid || e->key.cause.tid);

	r->row.key = e->tally.hash;
	r->row.flags = tick - e->tally.active > QUIET_TICKS ? ROW_QUIET : 0;
	r->row.have = SRC_STACKS;
	r->row.now = e->tally.now;
	r->row.sum = e->tally.sum;
	r->row.members = 1;
	r->id = cause ? e->key.cause : e->key.submitter;
	r->pid = r->id.tgid;
	r->dev = e->key.dev;
	r->disk = names_disk_people(engine_name_table(m->engine), e->key.dev);
	r->comm = cause && e->cause_comm ? e->cause_comm : e->comm;
	r->op_id = e->key.op;
	r->op = op_names[e->key.op];
	r->row.name = arena_concat(&m->arena, r->disk, " ", r->comm, " ", r->op, NULL);
	r->kstack_id = opt->no_kernel_stacks ? 0 : e->key.kstack;
	r->ustack_id = opt->no_user_stacks ? 0 : e->key.ustack;
	if (e->tally.active)
		row_path(r, m);
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
	sample_each(cur, STACKIO, const struct sample_stackio, io)
		entry_update(t, io);
	tally_end(t);
	while ((e = hash_next(&t->entries, &i)))
		if (names_disk(engine_name_table(m->engine), e->key.dev)->shown)
			row_fill(model_add_row(m, ENTITY_STACK), e, t->tick, m, opt);
}

static void names_late(void *state, struct model *m, const struct sample *cur)
{
	if (!cur->tables[TABLE_FRAMES].n)
		return;
	for (size_t i = 0; i < m->rows[ENTITY_STACK].n; i++) {
		struct stack_row *r = (struct stack_row *)(uintptr_t)m->rows[ENTITY_STACK].rows[i];

		if ((r->kstack_id && !r->kstack) || (r->ustack_id && !r->ustack))
			row_path(r, m);
	}
}

/* The same names are the same path, wherever in the functions the calls are. */
static uint64_t shape(const struct frames *f, uint64_t id)
{
	return f ? f->shape : id;
}

static const char *group_key(const struct row *row, enum group_by by, struct arena *a)
{
	const struct stack_row *r = (const struct stack_row *)row;
	const uint64_t key[] = {
		shape(r->kstack, r->kstack_id),
		shape(r->ustack, r->ustack_id),
		(uint64_t)r->dev << 32 | r->op_id,
		by == GROUP_PROCESS ? r->id.tgid : 0,
	};

	if (by == GROUP_PROCESS || by == GROUP_COMM)
		return arena_key(a, key, ARRAY_SIZE(key), r->comm);
	return NULL;
}

static void group_add(struct row *group, const struct row *member, _unused_ enum group_by by,
		      _unused_ struct arena *a)
{
	struct stack_row *g = (struct stack_row *)group;
	const struct stack_row *r = (const struct stack_row *)member;

	if (g->id.tgid != r->id.tgid || g->id.start != r->id.start)
		g->pid = 0;
}

struct stack_totals stack_totals(const struct model *m)
{
	const struct row_list *list = &m->rows[ENTITY_STACK];
	struct stack_totals t = { 0 };

	for (size_t i = 0; i < list->n; i++) {
		const struct stack_row *r = (const struct stack_row *)list->rows[i];

		if (!((const struct stack_counters *)r->row.now)->ios)
			continue;
		t.active++;
		t.unresolved += (r->kstack_id && !r->kstack) || (r->ustack_id && !r->ustack);
	}
	return t;
}

size_t stack_unresolved(const struct model *m, bool active, uint64_t *ids, size_t max)
{
	const struct row_list *list = &m->rows[ENTITY_STACK];
	size_t n = 0;

	for (size_t i = 0; i < list->n && n + 2 <= max; i++) {
		const struct stack_row *r = (const struct stack_row *)list->rows[i];

		if (active && !r->row.now[0])
			continue;
		if (r->kstack_id && !r->kstack)
			ids[n++] = r->kstack_id;
		if (r->ustack_id && !r->ustack)
			ids[n++] = r->ustack_id;
	}
	return n;
}

static void reverse(struct step *v, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		struct step other = v[i];

		v[i] = v[n - 1 - i];
		v[n - 1 - i] = other;
	}
}

/*
 * disk task user kernel; reversed: disk kernel user task; with the task first: task user kernel
 * disk.
 */
static size_t steps(const struct row *row, unsigned flags, struct arena *a, const struct step **ret)
{
	const struct stack_row *r = (const struct stack_row *)row;
	size_t n = 0, max = 5 + (r->ustack ? r->ustack->n : 0) + (r->kstack ? r->kstack->n : 0);
	struct step *v = arena_new(a, struct step, max), task = { r->comm, STEP_TASK };
	bool disk_last = flags & STEPS_TASK_FIRST;

	if (flags & STEPS_PROCESSES && r->pid)
		task.text = arena_printf(a, "%s-%llu", r->comm, (unsigned long long)r->pid);
	if (!disk_last)
		v[n++] = (struct step){ r->disk, STEP_DISK };
	v[n++] = task;
	n += frames_steps(v + n, r->ustack, STEP_USER, false);
	if (flags & STEPS_DELIMITED && r->ustack && r->kstack)
		v[n++] = (struct step){ "--", STEP_MARK };
	n += frames_steps(v + n, r->kstack, STEP_KERNEL, false);
	if (disk_last)
		v[n++] = (struct step){ r->disk, STEP_DISK };
	if (flags & STEPS_REVERSED)
		reverse(v + !disk_last, n - !disk_last);
	*ret = v;
	return n;
}

static uint64_t weight(const uint64_t *counters, enum weight by)
{
	const struct stack_counters *c = (const struct stack_counters *)counters;

	return by == WEIGHT_BYTES ? c->bytes : by == WEIGHT_IOS ? c->ios : c->lat_ns / 1000;
}

const struct entity entity_stack = {
	.name = "stack",
	.row_size = sizeof(struct stack_row),
	.nsum = STACK_COUNTERS,
	.columns = stack_columns,
	.ncolumns = STACK_COLUMNS,
	.needs = SRC_STACKS,
	.groups = 1u << GROUP_PROCESS | 1u << GROUP_COMM,
	.state_new = state_new,
	.state_free = tally_free,
	.build = build,
	.names = names_late,
	.group_key = group_key,
	.group_add = group_add,
	.steps = steps,
	.weight = weight,
	.weights = 1u << WEIGHT_BYTES | 1u << WEIGHT_IOS | 1u << WEIGHT_LATENCY,
};

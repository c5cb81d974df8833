// SPDX-License-Identifier: GPL-2.0-or-later
#include "data/stack/stack.h"

#include <stdlib.h>

#include "base/utf8.h"
#include "data/counters.h"
#include "data/model.h"
#include "data/names.h"
#include "data/selection.h"
#include "data/task/task.h"

#define STACKS_MAX 8192	/* kept, unless the kernel counts more */
#define QUIET_TICKS 10	/* a path without I/O for longer is hidden */

/* What is kept of one counter of the kernel from tick to tick. */
struct entry {
	struct counters c;	/* struct stack_counters */
	struct {
		struct task_id cause, submitter;
		uint32_t dev, op;
		uint64_t kstack, ustack;
	} key;
	char *comm, *cause_comm;	/* clean; cause_comm NULL: the submitter's */
};

static void entry_forget(void *entry, _unused_ void *arg)
{
	struct entry *e = entry;

	free(e->comm);
	free(e->cause_comm);
}

/* By disk and operation. */
static struct counters *entry_rest(struct counter_table *t, const void *entry)
{
	const struct entry *e = entry;
	struct entry like = { .key = { .dev = e->key.dev, .op = e->key.op } }, *rest;
	bool fresh;

	rest = counter_table_get(t, &like.key, &fresh);
	if (fresh)
		rest->comm = mem_strdup("[not kept]");
	return &rest->c;
}

static const struct counter_kind stack_kind = {
	COUNTER_ENTRY(struct entry, key),
	.nsum = STACK_COUNTERS,
	.source = SRC_STACKS,
	.drops = true,
	.most = STACKS_MAX,
	.weight = offsetof(struct stack_counters, bytes) / sizeof(uint64_t),
	.keep = counters_recent,
	.forget = entry_forget,
	.rest = entry_rest,
};

static void *state_new(void)
{
	return counter_table_new(&stack_kind);
}

static void entry_update(struct counter_table *t, const struct sample_stackio *io)
{
	struct stack_counters counters = { io->ios, io->bytes, io->done, io->lat_ns,
					     io->untimed };
	struct entry like = { .key = { io->cause, io->submitter, io->dev, io->op, io->kstack,
				       io->ustack } },
		     *e;
	bool fresh;

	e = counter_table_get(t, &like.key, &fresh);
	if (fresh) {
		e->comm = utf8_clean_dup(io->comm);
		e->cause_comm = utf8_clean_dup(io->cause_comm);
	}
	counters_count(t, &e->c, &counters, NULL);
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

/* Whether it was seen before its process was known: later the same I/O has a whole stack. */
static bool was_early(const struct frames *f)
{
	uint32_t end = f && f->flags & FRAMES_BROKEN ? FRAMES_ENDED(f->flags) : FRAMES_END_FIRST;

	return end == FRAMES_END_NO_TABLE || end == FRAMES_END_EARLY || end == FRAMES_END_UNMAPPED;
}

static void row_fill(struct stack_row *r, const struct entry *e, unsigned tick, struct model *m,
		     const struct engine_options *opt)
{
	bool cause = opt->attribute == ATTRIBUTE_CAUSE &&
		     (e->key.cause.tgid || e->key.cause.tid);

	r->row.flags = tick - e->c.active > QUIET_TICKS ? ROW_QUIET : 0;
	r->row.have = SRC_STACKS | (m->have & (SRC_TASKS | SRC_CMDLINE));
	r->id = cause ? e->key.cause : e->key.submitter;
	r->pid = r->id.tgid;
	r->command = task_command_line(m, &r->id);
	r->dev = e->key.dev;
	r->disk = names_disk_people(engine_name_table(m->engine), e->key.dev);
	r->comm = cause && e->cause_comm ? e->cause_comm : e->comm;
	r->op_id = e->key.op;
	r->op = io_op_name(e->key.op);
	r->row.name = arena_concat(&m->arena, r->disk, " ", r->comm, " ", r->op, NULL);
	r->kstack_id = opt->stacks == STACKS_USER ? 0 : e->key.kstack;
	r->ustack_id = opt->stacks == STACKS_KERNEL ? 0 : e->key.ustack;
	if (e->c.active)
		row_path(r, m);
	if (e->c.active != tick && was_early(r->ustack))
		r->row.flags |= ROW_QUIET;
}

/* The rows of processes that are not selected. */
static void mark_unselected(struct model *m)
{
	struct row_index tasks = selection_tasks(m);

	for (size_t i = 0; i < m->rows[ENTITY_STACK].n; i++) {
		struct stack_row *r = (struct stack_row *)(uintptr_t)m->rows[ENTITY_STACK].rows[i];

		if (!selection_has_process(m->selection, engine_name_table(m->engine), &tasks,
					   &r->id))
			r->row.flags |= ROW_UNSELECTED;
	}
}

static void build(void *state, struct model *m, const struct sample *cur)
{
	const struct engine_options *opt = engine_get_options(m->engine);
	struct counter_table *t = state;
	struct entry *e;

	t->keep_all = opt->accumulated;
	counter_table_begin(t, m);
	sample_each(cur, STACKIO, const struct sample_stackio, io)
		entry_update(t, io);
	counter_table_end(t);
	counter_table_each(t, e)
		if (names_disk(engine_name_table(m->engine), e->key.dev)->shown)
			row_fill(model_add_counted(m, ENTITY_STACK, &e->c), e, t->tick, m, opt);
	if (m->selection)
		mark_unselected(m);
}

static bool has_come(struct frames_table *t, const struct frames *known, uint64_t id)
{
	return !known && frames_get(t, id);
}

static void late(void *state, struct model *m, const struct sample *names)
{
	struct frames_table *t = engine_frames(m->engine);

	for (size_t i = 0; names->tables[TABLE_FRAMES].n && i < m->rows[ENTITY_STACK].n; i++) {
		const struct stack_row *r = (const struct stack_row *)m->rows[ENTITY_STACK].rows[i];

		if (has_come(t, r->kstack, r->kstack_id) || has_come(t, r->ustack, r->ustack_id))
			row_path(model_replace_row(m, ENTITY_STACK, i), m);
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

struct stack_totals stack_totals(const struct model *m)
{
	struct stack_totals t = { 0 };
	const struct stack_row *r;

	row_each(r, &m->rows[ENTITY_STACK]) {
		const struct stack_counters *now = r->row.now;

		if (!now->ios || r->row.flags & ROW_UNSELECTED)
			continue;
		t.active++;
		t.unresolved += (r->kstack_id && !r->kstack) || (r->ustack_id && !r->ustack);
	}
	return t;
}

static bool wants_command(const struct row *row, struct task_id *ret)
{
	const struct stack_row *r = (const struct stack_row *)row;

	if (!r->command || *r->command)
		return false;
	*ret = r->id;
	return true;
}

static size_t wants_stacks(const struct row *row, uint64_t *ids)
{
	const struct stack_row *r = (const struct stack_row *)row;
	const struct stack_counters *now = row->now;
	size_t n = 0;

	if (!now->ios)
		return 0;
	if (r->kstack_id && !r->kstack)
		ids[n++] = r->kstack_id;
	if (r->ustack_id && !r->ustack)
		ids[n++] = r->ustack_id;
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
	n += frames_steps(v + n, r->ustack, false);
	if (flags & STEPS_DELIMITED && r->ustack && r->kstack)
		v[n++] = (struct step){ "--", STEP_MARK };
	n += frames_steps(v + n, r->kstack, false);
	if (disk_last)
		v[n++] = (struct step){ r->disk, STEP_DISK };
	if (flags & STEPS_REVERSED)
		reverse(v + !disk_last, n - !disk_last);
	*ret = v;
	return n;
}

static uint64_t weight(const void *counters, enum weight by)
{
	const struct stack_counters *c = counters;

	return by == WEIGHT_BYTES ? c->bytes : by == WEIGHT_IOS ? c->ios : c->lat_ns / 1000;
}

const struct entity entity_stack = {
	.name = "stack",
	.row_size = sizeof(struct stack_row),
	.nsum = STACK_COUNTERS,
	.columns = stack_columns,
	.needs = SRC_STACKS,
	.groups = 1u << GROUP_PROCESS | 1u << GROUP_COMM,
	.state_new = state_new,
	.state_free = counter_table_free,
	.build = build,
	.late = late,
	.wants_command = wants_command,
	.wants_stacks = wants_stacks,
	.group_key = group_key,
	.steps = steps,
	.weight = weight,
	.weights = 1u << WEIGHT_BYTES | 1u << WEIGHT_IOS | 1u << WEIGHT_LATENCY,
};

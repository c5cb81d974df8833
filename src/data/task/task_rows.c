/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the task state to the model's rows. */

#include "data/names.h"
#include "data/selection.h"
#include "data/task/task_disks.h"
#include "data/task/task_files.h"
#include "data/task/task_group.h"
#include "data/task/task_links.h"
#include "data/task/task_memory.h"
#include "data/task/task_state.h"
#include "data/totals.h"

static const struct task_counters no_counters;

const char *task_prio_text(uint32_t ioprio, int64_t nice)
{
	static const char *const names[4][8] = {
		[1] = { "rt/0", "rt/1", "rt/2", "rt/3", "rt/4", "rt/5", "rt/6", "rt/7" },
		[2] = { "be/0", "be/1", "be/2", "be/3", "be/4", "be/5", "be/6", "be/7" },
		[3] = { "idle", "idle", "idle", "idle", "idle", "idle", "idle", "idle" },
	};
	unsigned class = ioprio >> 13 & 3, level = ioprio & 7;

	if (!class) {	/* ioprio_get(2): without a class of its own the nice value decides */
		class = 2;
		level = (unsigned)((nice + 20) / 5) & 7;
	}
	return names[class][level];
}

const char *task_command(const struct task_row *row)
{
	const char *command = row->command ? *row->command : NULL;

	return command && *command ? command : row->comm;
}

char *const *task_command_line(const struct model *m, const struct task_id *id)
{
	const struct task_state *st = engine_state(m->engine, ENTITY_TASK);
	const struct task_process *p = st ? hash_get(&st->processes, &id->tgid) : NULL;

	/* The number may have been given to another one. */
	return p && p->start && p->start <= id->start ? &p->command : NULL;
}

static bool wants_command(const struct row *row, struct task_id *ret)
{
	const struct task_row *t = (const struct task_row *)row;

	if ((t->command && *t->command) || !t->id.start ||
	    (row->flags & (ROW_ENDED | ROW_KTHREAD | ROW_RESIDUAL)))
		return false;
	*ret = t->id;
	return true;
}

static const struct task_link *links_finish(struct link_entry *head, bool caused)
{
	for (struct link_entry *l = head; l; l = caused ? l->next_caused : l->next_submitted) {
		l->link.cause_comm = task_entry_comm(l->cause);
		l->link.submitter_comm = task_entry_comm(l->submitter);
		l->link.next_caused = l->next_caused ? &l->next_caused->link : NULL;
		l->link.next_submitted = l->next_submitted ? &l->next_submitted->link : NULL;
	}
	return head ? &head->link : NULL;
}

static const char *const state_names[] = { "R", "S", "D", "T", "t", "Z", "X", "I", "W", "K", "P" };

static const char *state_name(uint32_t letter)
{
	for (size_t i = 0; i < ARRAY_SIZE(state_names); i++)
		if ((uint32_t)state_names[i][0] == letter)
			return state_names[i];
	return NULL;
}

static unsigned row_flags(const struct task_state *st, const struct task_entry *e)
{
	unsigned flags = 0;

	if (e->ended_at)
		flags |= ROW_ENDED;
	if (e->flags & TASK_KTHREAD)
		flags |= ROW_KTHREAD;
	if (!e->id.start)
		flags |= ROW_RESIDUAL;
	else if (st->prev_boot && e->id.start >= st->prev_boot)
		flags |= ROW_NEW;
	if (!task_now(st, e) && !e->dirty_now && e->facts.asleep_ns < TASK_ASLEEP_NS)
		flags |= ROW_STILL;
	return flags;
}

static bool is_selected(const struct selection *s, const struct task_entry *e, struct names *names)
{
	const struct selection_owner owner = { e->facts.uid, e->facts.cgroup };

	return selection_has(s, names, &e->id, &owner);
}

/* Neighbours are mostly of one user in one control group: what is said of these is the same. */
static void row_owner(struct task_row *r, const struct task_row *before,
		      const struct task_state *st, struct names *names)
{
	const struct task_facts *f = r->facts, *same = before ? before->facts : NULL;

	if (same && same->uid == f->uid && same->cgroup == f->cgroup) {
		r->user = before->user;
		r->cgroup = before->cgroup;
		r->cgroup_path = before->cgroup_path;
		r->container = before->container;
		r->limit = before->limit;
		r->memory = before->memory;
		return;
	}
	r->user = names_user(names, f->uid);
	r->cgroup = names_cgroup_short(names, f->cgroup);
	r->cgroup_path = names_cgroup_path(names, f->cgroup);
	r->container = names_cgroup_container(names, f->cgroup);
	r->limit = names_cgroup_limit(names, f->cgroup);
	r->memory = task_memory_of(st->memory, f->cgroup);
}

/*
 * CLOCK_BOOTTIME ns; 0: it is there. A main thread that ended stays as a zombie until the last
 * thread of its process ends.
 */
static uint64_t gone_at(const struct task_entry *e)
{
	if (!e->ended_at || e->process->leader != e)
		return e->ended_at;
	return e->process->living ? 0 : MAX(e->process->ended_at, e->ended_at);
}

/* before: the row that was made before it; NULL: none. */
static void row_fill(struct task_row *r, struct task_entry *e, const struct task_row *before,
		     const struct task_state *st, struct model *m, struct names *names)
{
	uint64_t gone = gone_at(e);

	r->row.key = e->c.hash;
	r->row.flags = row_flags(st, e);
	r->row.have = (e->have & m->have & ~e->unknown) | SRC_TASKS |
		      (m->have & (SRC_BLOCK | SRC_NAMES | SRC_FILES | SRC_CALLERS | SRC_MEMORY |
				  SRC_MOUNTS | SRC_PATTERN));
	/* Nobody asked for names in this sample: those known are true nevertheless. */
	if (!m->sources[__builtin_ctz(SRC_NAMES)].reason)
		r->row.have |= SRC_NAMES;
	/*
	 * The accounting does not say at which disk; who did nothing at the one looked at waits for
	 * another.
	 */
	if (st->opt.disk && !(m->have & SRC_BLOCK))
		r->row.have &= ~(unsigned)SRC_TASKIO;
	else if (st->opt.disk && (!e->c.sum || !task_sum(e)->ios))
		r->row.have &= ~(unsigned)(SRC_DELAYS | SRC_WAITS | SRC_THROTTLE);
	r->row.now = task_now(st, e) ? task_now(st, e) : &no_counters;
	r->row.sum = task_sum(e) ? task_sum(e) : &no_counters;
	r->row.history = e->history;
	r->dirty_now = e->dirty_now;
	r->id = e->id;
	r->pid = e->id.tgid;
	r->tid = e->id.start ? e->id.tid : 0;
	r->comm = task_entry_comm(e);
	r->row.name = r->comm;
	r->command = &e->process->command;
	r->process = e->process->serial;
	if (e->process->gone.ios || e->process->gone.dirty || e->process->gone.read)
		r->process_gone = &e->process->gone;
	if (m->selection && !is_selected(m->selection, e, names))
		r->row.flags |= ROW_UNSELECTED;
	if (!e->id.start)
		return;
	r->age_ns = counter_delta(gone ? gone : m->cur->boot, e->id.start);
	r->facts = &e->facts;
	row_owner(r, before, st, names);
	r->prio = task_prio_text(e->facts.ioprio, e->facts.nice);
	r->state = gone ? NULL : state_name(e->ended_at ? 'Z' : e->facts.state);
}

/* The least sure of its links says how sure the row is. */
static uint64_t row_how(const struct task_entry *e, enum attribute attribute)
{
	uint64_t how = attribute == ATTRIBUTE_SUBMITTER || e->caused ? HOW_EXACT + 1 : 0;

	for (const struct link_entry *l = e->caused; l && attribute == ATTRIBUTE_CAUSE;
	     l = l->next_caused)
		if (l->lowest && l->link.how <= HOW_LOST)
			how = MAX(how, l->link.how + 1);
	return how;
}

static void row_links(struct task_row *r, struct task_entry *e, const struct task_state *st,
		      struct arena *a)
{
	size_t n;

	r->how = row_how(e, st->opt.attribute);
	if (e->files) {
		r->files = task_files_hottest(e, a, &n);
		r->nfiles = n;
		r->file_texts = task_files_texts(r->files, n, a);
	}
	r->caused = links_finish(e->caused, true);
	r->submitted = links_finish(e->submitted, false);
	task_disks_set(r, e, st->opt.attribute, a);
}

/* A thread hangs below its leader, a leader below the leader of its parent process. */
static const struct task_entry *entry_parent(const struct task_state *st,
					     const struct task_entry *e)
{
	const struct task_process *p = e->process;
	const struct task_entry *up = p->leader;

	if (!e->id.start)
		return NULL;
	if (up == e) {
		p = e->facts.ppid ? hash_get(&st->processes, &e->facts.ppid) : NULL;
		up = p ? p->leader : NULL;
	}
	return up != e ? up : NULL;
}

/* false: the row of its parent is still to be made. */
static bool parent_set(const struct task_state *st, struct task_entry *e)
{
	const struct task_entry *up = entry_parent(st, e);

	if (up && up->row_tick != st->tick)
		return false;
	e->row->row.parent = up ? &up->row->row : NULL;
	return true;
}

static void totals_set(const struct task_state *st, struct model *m, uint64_t read, uint64_t write)
{
	struct model_flows *rates = &m->totals.flows;
	double seconds;

	m->totals.active = st->active;
	m->totals.ended = st->ended;
	/* What the first sample has was before it. */
	m->ended += m->interval > 0 ? st->ended : 0;
	/* At least half of the pressure. */
	m->totals.psi_idle =
		m->interval > 0 && st->idle_ns / m->interval / 1e7 > m->totals.psi_some / 2;
	if (m->have & SRC_FILES && m->have & SRC_CALLERS) {
		seconds = model_watched(m, SRC_CALLERS | SRC_FILES, false);
		totals_flow(&m->sums.hits, &rates->hits, st->hits, seconds);
		totals_flow(&m->sums.misses, &rates->misses, st->misses, seconds);
	}
	seconds = task_watched(m);
	if (m->have & (st->opt.disk ? SRC_BLOCK : SRC_BLOCK | SRC_TASKIO)) {
		totals_flow(&m->sums.read, &rates->read, read, seconds);
		totals_flow(&m->sums.write, &rates->write, write, seconds);
	}
}

static void gone_row(const struct task_state *st, struct model *m)
{
	struct task_row *r;

	if (!st->gone.ios && !st->gone.read && !st->gone.write)
		return;
	r = model_add_row(m, ENTITY_TASK);
	r->row.key = 1;
	r->row.flags = ROW_RESIDUAL | ROW_ENDED | (m->selection ? ROW_UNSELECTED : 0);
	r->row.have = m->have;
	r->row.now = &st->gone_now;
	r->row.sum = &st->gone;
	r->comm = r->row.name = "[ended earlier]";
}

/* Where it has no I/O: what it waits for; NULL: not known. */
static const char *waits_at(struct model *m, struct names *names, const struct task_row *r)
{
	const struct sample_disk *d;

	if (r->facts && r->facts->frozen_dev) {
		d = task_frozen_disk(m, r->facts->frozen_dev);
		return names_disk(names, d ? d->dev : r->facts->frozen_dev)->name;
	}
	return r->server;
}

bool task_waits_for_server(const struct row *row, enum span span)
{
	const struct task_counters *n =
		(const struct task_counters *)(span == SPAN_TICK ? row->now : row->sum);

	return n->server_ns > n->wait_ns / 2;
}

static void build(void *state, struct model *m, const struct sample *cur)
{
	struct task_state *st = state;
	struct names *names = engine_name_table(m->engine);
	uint64_t read = 0, write = 0, forgotten = st->forgotten;
	const struct task_row *before = NULL;
	struct task_entry *e;
	bool parents = true;

	st->opt = *engine_get_options(m->engine);
	task_state_update(st, m);
	task_memory_update(st->memory, m);
	/*
	 * One walk, and parents are mostly older than their children: with ten thousand tasks it is
	 * memory that costs.
	 */
	counter_table_each(st->tasks, e) {
		const struct task_counters *now = task_now(st, e);

		if (st->opt.passing && e->ended_at && !now)
			continue;
		e->row = model_add_row(m, ENTITY_TASK);
		e->row_tick = st->tick;
		row_fill(e->row, e, before, st, m, names);
		before = e->row;
		parents &= parent_set(st, e);
		if (e->caused || e->submitted)
			row_links(e->row, e, st, &m->arena);
		if (e->facts.server_dev)
			e->row->server = task_server_mount(m, e->facts.server_dev);
		if (!e->row->disk)
			e->row->disk = waits_at(m, names, e->row);
		if (now) {
			if (!(e->row->row.flags & ROW_UNSELECTED))
				m->totals.server_ns += now->server_ns;
			read += now->read;
			write += now->write;
		}
	}
	if (!parents) {
		counter_table_each(st->tasks, e)
			if (e->row_tick == st->tick)
				parent_set(st, e);
	}
	gone_row(st, m);
	if (st->forgotten)
		model_add_loss(m, "tasks.forgotten", st->forgotten - forgotten, st->forgotten);
	totals_set(st, m, read, write);
}

static bool is_stuck(const struct task_row *t)
{
	return t->id.start && t->facts && t->facts->asleep_ns >= TASK_ASLEEP_NS &&
	       !(t->row.flags & (ROW_KTHREAD | ROW_ENDED));
}

#define MUCH_DIRTIED (1 << 20)	/* bytes; each task dirties a few */

/* Who does not go on at all, then who waits longest, then who dirties most, written only later. */
static uint64_t urgency(const struct row *row, enum span span)
{
	const struct task_counters *n =
		(const struct task_counters *)(span == SPAN_TICK ? row->now : row->sum);
	bool stuck = !row->parts && is_stuck((const struct task_row *)row);

	for (uint32_t i = 0; row->parts && i < row->members && !stuck; i++)
		stuck = is_stuck((const struct task_row *)row->parts[i]);
	if (stuck)
		return UINT64_MAX;
	if (!(row->have & (SRC_DELAYS | SRC_WAITS)) || !n->wait_ns)
		return n->dirty >= MUCH_DIRTIED ? MIN(n->dirty, UINT32_MAX) : 0;
	return UINT32_MAX + n->wait_ns;
}

static void late(void *state, _unused_ struct model *m, const struct sample *commands)
{
	task_state_commands(state, commands);
}

const struct entity entity_task = {
	.name = "task",
	.row_size = sizeof(struct task_row),
	.nsum = TASK_COUNTERS_SUM,
	.nmax = TASK_COUNTERS_MAX,
	.columns = task_columns,
	.needs = SRC_TASKS | SRC_NAMES,
	.hangs = true,
	.tree_adds = true,
	.groups = 1u << GROUP_NONE | 1u << GROUP_PROCESS | 1u << GROUP_COMM | 1u << GROUP_USER |
		  1u << GROUP_CGROUP,
	.state_new = task_state_new,
	.state_free = task_state_free,
	.build = build,
	.late = late,
	.wants_command = wants_command,
	.group_key = task_group_key,
	.group = task_group,
	.urgency = urgency,
};

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How short of memory control groups are whose tasks do I/O, and what the kernel says of their I/O.
 * Reading a group's memory.stat makes the kernel sum up all processors: only a few are read, the
 * busiest.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/hash.h"
#include "base/i18n.h"
#include "base/macro.h"
#include "collect/collector.h"
#include "collect/proc/group_io.h"
#include "collect/proc/memory_group.h"
#include "collect/proc/proc.h"
#include "collect/set.h"

#define GROUPS_MAX 32	/* that are read of a sample */
#define GROUP_ROUNDS 10	/* for so many samples after its last I/O a group is read */
#define LIMITS_FRESH (5 * NSEC_PER_SEC)		/* what limits a group is read again after this */

/* A control group as the list of tasks has it. */
struct group {
	uint64_t id;		/* hash key */
	uint64_t bytes, before;	/* accounted to its tasks, now and in the sample before */
	uint64_t moved;
	uint64_t most;		/* of one process */
	uint32_t tgid;		/* that process */
	unsigned seen, active;	/* rounds; active 0: never */
	/* Of the controllers; NULL: not looked up. */
	char *path, *io_path, *unified_path;
	char *limits;		/* group_io_limits() */
	uint64_t limits_at;	/* CLOCK_MONOTONIC ns when they were read; 0: never */
};

struct memory {
	int proc;
	struct memory_root root, io, unified;
	unsigned round;
	struct hash groups;
	struct buf buf;
	uint64_t lost;		/* groups with I/O that were not read */
};

static void group_drop(void *value, _unused_ void *arg)
{
	struct group *g = value;

	free(g->path);
	free(g->io_path);
	free(g->unified_path);
	free(g->limits);
	free(g);
}

static bool group_keep(void *value, void *arg)
{
	return ((struct group *)value)->seen == ((struct memory *)arg)->round;
}

static void memory_close(void *state)
{
	struct memory *m = state;

	hash_clear(&m->groups, group_drop, NULL);
	memory_root_close(&m->root);
	memory_root_close(&m->io);
	memory_root_close(&m->unified);
	buf_release(&m->buf);
	fd_close(m->proc);
	free(m);
}

static int memory_open(struct collect_set *set, unsigned sources, void **ret_state,
		       struct err *err)
{
	const char *path = collect_set_options(set)->proc;
	struct memory *m = *ret_state = mem_zalloc(sizeof(*m));

	hash_init(&m->groups, offsetof(struct group, id), sizeof(uint64_t));
	m->root.fd = m->io.fd = m->unified.fd = -1;
	m->proc = proc_dir(path);
	if (m->proc < 0)
		return err_set(err, -m->proc, "%s: %m", path);
	memory_root_open(&m->root, "memory", m->proc, &m->buf);
	memory_root_open(&m->io, "blkio", m->proc, &m->buf);
	memory_root_open(&m->unified, "", m->proc, &m->buf);
	if (m->root.fd < 0)
		return err_set(err, ENOENT, N_("no control groups of memory are mounted"));
	return 0;
}

static struct group *group_get(struct memory *m, uint64_t id)
{
	struct group *g = hash_get(&m->groups, &id);

	if (!g) {
		g = mem_zalloc(sizeof(*g));
		g->id = id;
		g->before = UINT64_MAX;
		hash_put(&m->groups, g);
	}
	if (g->seen != m->round) {
		if (g->seen)
			g->before = g->bytes;
		g->seen = m->round;
		g->bytes = g->most = 0;
	}
	return g;
}

static void add_tasks(struct memory *m, const struct sample *s)
{
	sample_each(s, TASK, const struct sample_task, t) {
		uint64_t bytes = t->read_bytes + t->write_bytes;
		struct group *g;

		if (!t->cgroup || !(t->have & SRC_TASKIO) || t->flags & TASK_ENDED)
			continue;
		g = group_get(m, t->cgroup);
		g->bytes += bytes;
		if (bytes >= g->most) {
			g->most = bytes;
			g->tgid = t->id.tgid;
		}
	}
	hash_filter(&m->groups, group_keep, group_drop, m);
}

/* The later active first, of these the busier. */
static int group_order(const void *a, const void *b)
{
	const struct group *x = *(struct group *const *)a, *y = *(struct group *const *)b;

	if (x->active != y->active)
		return x->active > y->active ? -1 : 1;
	return x->moved > y->moved ? -1 : x->moved < y->moved;
}

/* Those that are read, the first `most' of all that did I/O lately. */
static struct group **choose(struct memory *m, size_t *ret_n)
{
	struct group **all = mem_alloc((m->groups.n + 1) * sizeof(struct group *)), *g;
	size_t i = 0, n = 0;

	while ((g = hash_next(&m->groups, &i))) {
		/* A task that ended takes what it did with it. */
		g->moved = g->before == UINT64_MAX ? (m->round > 1 ? g->bytes : 0)
			   : g->bytes > g->before ? g->bytes - g->before : 0;
		if (g->moved)
			g->active = m->round;
		if (g->active && m->round - g->active <= GROUP_ROUNDS)
			all[n++] = g;
	}
	if (n > 1)
		qsort(all, n, sizeof(struct group *), group_order);
	for (i = GROUPS_MAX; i < n; i++)
		m->lost += all[i]->active == m->round;
	*ret_n = MIN(n, (size_t)GROUPS_MAX);
	return all;
}

static void read_limits(struct memory *m, struct group *g, const struct group_io *io, uint64_t now)
{
	if (g->limits_at && now - g->limits_at < LIMITS_FRESH)
		return;
	free(g->limits);
	g->limits = group_io_limits(io, &m->buf);
	g->limits_at = now;
}

static void group_read(struct memory *m, struct group *g, struct sample *s)
{
	struct sample_memory row = { .cgroup = g->id };
	struct group_io io;

	if (!g->path)
		g->path = memory_group_of(&m->root, m->proc, &m->buf, g->tgid);
	if (!g->io_path)
		g->io_path = memory_group_of(&m->io, m->proc, &m->buf, g->tgid);
	if (!g->unified_path)
		g->unified_path = memory_group_of(&m->unified, m->proc, &m->buf, g->tgid);
	if (g->path)
		memory_group_read(&m->root, &m->buf, g->path, &row);
	io = (struct group_io){ &m->root, &m->io, &m->unified, g->path, g->io_path,
				g->unified_path };
	group_io_pressure(&io, &m->buf, &row);
	read_limits(m, g, &io, s->mono);
	row.limits = g->limits ? arena_strdup(&s->arena, g->limits) : NULL;
	if (row.have || row.limits)
		*sample_add_row(s, MEMORY, struct sample_memory) = row;
	group_io_disks(&io, &m->buf, s, g->id);
}

static int memory_collect(void *state, struct sample *s, struct err *err)
{
	struct memory *m = state;
	struct group **groups;
	size_t n;

	m->round++;
	add_tasks(m, s);
	groups = choose(m, &n);
	for (size_t i = 0; i < n; i++)
		group_read(m, groups[i], s);
	free(groups);
	sample_lose(s, "memory.groups", m->lost);
	sample_source(s, SRC_MEMORY, SOURCE_ON, NULL);
	return 0;
}

const struct collector collector_memory = {
	.name = "memory",
	.provides = SRC_MEMORY,
	.privileges = PRIV_TASKS,
	.open = memory_open,
	.collect = memory_collect,
	.close = memory_close,
};

// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hash.h"
#include "collect/proc.h"
#include "collect/set.h"

#define ARGS_MAX (16u << 10)		/* bytes kept of a command line */
#define FRESH (10 * NSEC_PER_SEC)	/* read again after this long: a process may exec() or rename itself */
#define YOUNG (2 * NSEC_PER_SEC)	/* … and every time while it is younger than this */
#define IDLE_ROUNDS 128			/* not asked for: forgotten */

struct entry {
	struct task_id id;
	char *args;		/* NULL: none, as a kernel thread */
	uint64_t boot;		/* CLOCK_BOOTTIME ns when it was read */
	unsigned round;		/* when it was asked for last */
	uint64_t given;		/* mono of the last sample that has it */
};

struct cmdlines {
	int proc;
	unsigned round;
	struct hash entries;	/* struct entry by id */
	struct buf buf;
};

struct cmdlines *cmdlines_new(const struct collect_options *opt)
{
	struct cmdlines *c = mem_alloc(sizeof(*c));

	*c = (struct cmdlines){ .proc = proc_dir(opt->proc) };
	hash_init(&c->entries, offsetof(struct entry, id), sizeof(struct task_id));
	return c;
}

static bool entry_used(void *value, void *arg)
{
	const struct entry *e = value;
	const struct cmdlines *c = arg;

	return c->round - e->round < IDLE_ROUNDS;
}

static void entry_drop(void *value, void *arg)
{
	struct entry *e = value;

	free(e->args);
	free(e);
}

void cmdlines_free(struct cmdlines *c)
{
	if (!c)
		return;
	hash_filter(&c->entries, NULL, entry_drop, c);
	hash_release(&c->entries);
	buf_release(&c->buf);
	if (c->proc >= 0)
		close(c->proc);
	free(c);
}

/* Whether the task is still there. The thread's own file: that of a process adds up all its threads. */
static bool same_process(struct cmdlines *c, const struct task_id *id)
{
	char path[64];
	struct proc_stat st;

	if (!id->start)
		return true;
	snprintf(path, sizeof(path), "%u/task/%u/stat", id->tgid, id->tid);
	if (buf_read_file(&c->buf, c->proc, path, 4096) < 0 || !c->buf.len || proc_stat_parse(c->buf.data, &st) < 0)
		return false;
	return st.start == id->start / proc_tick_ns();
}

static void entry_read(struct cmdlines *c, struct entry *e)
{
	char path[32];
	size_t len;

	snprintf(path, sizeof(path), "%u/cmdline", e->id.tgid);
	if (!same_process(c, &e->id) || buf_read_file(&c->buf, c->proc, path, ARGS_MAX) < 0)
		return;
	len = c->buf.len;
	while (len && !c->buf.data[len - 1])
		len--;
	/* A zombie has none any more: it keeps what it was started with. */
	if (!len)
		return;
	for (size_t i = 0; i < len; i++) {
		if (!c->buf.data[i])
			c->buf.data[i] = ' ';
	}
	c->buf.data[len] = '\0';
	free(e->args);
	e->args = mem_strdup(c->buf.data);
}

static struct entry *entry_get(struct cmdlines *c, const struct task_id *id, uint64_t boot)
{
	struct entry *e = hash_get(&c->entries, id);

	if (e && boot - e->boot < FRESH && e->boot - id->start >= YOUNG)
		return e;
	if (!e) {
		e = mem_alloc(sizeof(*e));
		*e = (struct entry){ .id = *id };
		hash_put(&c->entries, e);
	}
	e->boot = boot;
	entry_read(c, e);
	return e;
}

void cmdlines_fill(struct cmdlines *c, struct sample *s, const struct task_id *ids, size_t n)
{
	uint64_t boot = clock_boot();

	c->round++;
	for (size_t i = 0; i < n; i++) {
		struct entry *e = entry_get(c, &ids[i], boot);
		struct sample_cmdline *row;

		e->round = c->round;
		if (!e->args || e->given == s->mono)
			continue;
		e->given = s->mono;
		row = sample_add_row(s, CMDLINE, struct sample_cmdline);
		row->id = e->id;
		row->args = arena_strdup(&s->arena, e->args);
	}
	if (c->round % IDLE_ROUNDS == 0)
		hash_filter(&c->entries, entry_used, entry_drop, c);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "data/mount/mount.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "data/counters.h"
#include "data/model.h"

/* What is kept from tick to tick. */
struct entry {
	struct counters c;		/* struct mount_counters */
	uint32_t dev;
	uint32_t have;
	char *mount, *fs, *source, *server;	/* clean */
	uint64_t waiting, answers;
	uint64_t answered_ns;		/* CLOCK_MONOTONIC of the last sample that had an answer
					 * since the one before, or the first in which one waits */
};

static void names_free(struct entry *e)
{
	free(e->mount);
	free(e->fs);
	free(e->source);
	free(e->server);
}

static void entry_forget(void *entry, _unused_ void *arg)
{
	names_free(entry);
}

/* One that is not mounted any more goes at once: its number may be another's next. */
static const struct counter_kind mount_kind = {
	COUNTER_ENTRY(struct entry, dev),
	.nsum = MOUNT_COUNTERS_SUM,
	.begins_visible = true,
	.keep = counters_seen,
	.forget = entry_forget,
};

static void *state_new(void)
{
	return counter_table_new(&mount_kind);
}

/* "sshfs 4711" */
static char *server_name(const struct sample_mount *s)
{
	char text[64];

	if (!s->server || !s->server_comm)
		return NULL;
	snprintf(text, sizeof(text), "%s %u", s->server_comm, s->server);
	return utf8_clean_dup(text);
}

static void entry_update(struct counter_table *t, const struct sample_mount *s, uint64_t now)
{
	const struct mount_counters cur = { s->read,  s->write, s->calls, s->errors, s->retrans,
					    s->ns,    s->rtt_ns };
	struct entry *e;
	bool fresh;

	e = counter_table_get(t, &s->dev, &fresh);
	names_free(e);
	e->mount = utf8_clean_dup(s->point);
	e->fs = utf8_clean_dup(s->kind);
	e->source = utf8_clean_dup(s->source);
	e->server = server_name(s);
	if (fresh || !e->waiting || s->answers != e->answers)
		e->answered_ns = now;
	e->have = s->have;
	e->waiting = s->waiting;
	e->answers = s->answers;
	counters_count(t, &e->c, &cur, NULL);
	if (e->waiting)
		e->c.active = t->tick;
}

static void row_fill(struct mount_row *r, const struct entry *e, uint64_t now)
{
	r->dev = e->dev;
	r->have = e->have;
	r->mount = e->mount;
	r->fs = e->fs;
	r->source = e->source;
	r->server = e->server;
	r->waiting = e->waiting;
	r->silent_ns = e->have & MOUNT_WAITING && e->have & MOUNT_CALLS
			       ? (e->waiting ? counter_delta(now, e->answered_ns) : 0) : UINT64_MAX;
	r->row.key = e->dev;
	r->row.name = e->mount;
	r->row.have = SRC_MOUNTS;
}

static void build(void *state, struct model *m, const struct sample *cur)
{
	struct counter_table *t = state;
	struct entry *e;

	counter_table_begin(t, m);
	sample_each(cur, MOUNT, const struct sample_mount, s)
		entry_update(t, s, cur->mono);
	counter_table_end(t);
	counter_table_each(t, e)
		row_fill(model_add_counted(m, ENTITY_MOUNT, &e->c), e, cur->mono);
}

const struct entity entity_mount = {
	.name = "mount",
	.row_size = sizeof(struct mount_row),
	.nsum = MOUNT_COUNTERS_SUM,
	.columns = mount_columns,
	.needs = SRC_MOUNTS,
	.groups = 1u << GROUP_NONE,
	.state_new = state_new,
	.state_free = counter_table_free,
	.build = build,
};

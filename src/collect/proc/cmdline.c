// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Command lines of processes: asked of a helper, because reading one waits for the memory of its
 * process.
 */
#include "collect/proc/cmdline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "collect/helper/process.h"

#define FRESH (10 * NSEC_PER_SEC)	/* read again after this long: a process may exec() or
					 * rename itself */
#define YOUNG (2 * NSEC_PER_SEC)	/* … and every time while it is younger than this */
#define IDLE_ROUNDS 128			/* not asked for: forgotten */

struct entry {
	struct task_id id;
	char *args;		/* NULL: none, as a kernel thread */
	uint64_t boot;		/* CLOCK_BOOTTIME ns when it was asked for */
	unsigned round;		/* when it was wanted last */
	uint64_t given;		/* mono of the late rows it was added to last */
	bool asked;		/* its answer is still to come */
	bool bad;		/* a helper hung on it: not asked again */
};

struct cmdlines {
	struct helper *helper;
	unsigned round;
	struct hash entries;	/* struct entry by id */
	struct buf request;
};

/* A request for the command lines of n tasks. */
struct asking {
	struct cmdlines *cmdlines;
	uint32_t n;
	struct task_id ids[HELPER_COMMANDS_MAX];
};

struct cmdlines *cmdlines_new(struct helper *helper)
{
	struct cmdlines *c = mem_alloc(sizeof(*c));

	*c = (struct cmdlines){ .helper = helper };
	hash_init(&c->entries, offsetof(struct entry, id), sizeof(struct task_id));
	return c;
}

static bool entry_used(void *value, void *arg)
{
	const struct entry *e = value;
	const struct cmdlines *c = arg;

	return e->asked || c->round - e->round < IDLE_ROUNDS;
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
	helper_cancel(c->helper, c);
	hash_clear(&c->entries, entry_drop, c);
	buf_release(&c->request);
	free(c);
}

/*
 * Arguments are ended by NUL each; a zombie has none any more: it keeps what it was started with.
 */
static void entry_set(struct entry *e, const char *text, size_t len)
{
	while (len && !text[len - 1])
		len--;
	if (!len)
		return;
	free(e->args);
	e->args = mem_alloc(len + 1);
	for (size_t i = 0; i < len; i++)
		e->args[i] = text[i] ? text[i] : ' ';
	e->args[len] = '\0';
}

static void ask(struct cmdlines *c, const struct task_id *ids, uint32_t n);

/*
 * The helper hung on one of them: each is asked for by itself, and that one is not asked for again.
 */
static void failed(struct asking *a)
{
	struct entry *e = a->n == 1 ? hash_get(&a->cmdlines->entries, &a->ids[0]) : NULL;

	if (e) {
		e->asked = false;
		e->bad = true;
	}
	for (uint32_t i = 0; a->n > 1 && i < a->n; i++)
		ask(a->cmdlines, &a->ids[i], 1);
}

static void answered(void *arg, const void *data, size_t len)
{
	struct wire_reader r = wire_reader(data, len);
	struct asking *a = arg;

	if (!data)
		failed(a);
	for (uint32_t i = 0; data && i < a->n; i++) {
		struct entry *e = hash_get(&a->cmdlines->entries, &a->ids[i]);
		bool there = wire_u32(&r) == 1;
		size_t n;
		const char *text = wire_text(&r, HELPER_ARGS_MAX, &n);

		if (!e)
			continue;
		e->asked = false;
		if (there && !r.short_)
			entry_set(e, text, n);
	}
	free(a);
}

static void ask(struct cmdlines *c, const struct task_id *ids, uint32_t n)
{
	struct asking *a = mem_zalloc(sizeof(*a));

	a->cmdlines = c;
	a->n = n;
	memcpy(a->ids, ids, n * sizeof(*ids));
	buf_reset(&c->request);
	wire_put_u32(&c->request, n);
	for (uint32_t i = 0; i < n; i++) {
		wire_put_u32(&c->request, ids[i].tgid);
		wire_put_u32(&c->request, ids[i].tid);
		wire_put_u64(&c->request, ids[i].start);
	}
	helper_ask(c->helper, HELPER_NAMES, MESSAGE_COMMANDS, c->request.data, c->request.len,
		   answered, a, c);
}

static struct entry *entry_get(struct cmdlines *c, const struct task_id *id)
{
	struct entry *e = hash_get(&c->entries, id);

	if (!e) {
		e = mem_alloc(sizeof(*e));
		*e = (struct entry){ .id = *id };
		hash_put(&c->entries, e);
	}
	e->round = c->round;
	return e;
}

static bool is_due(const struct entry *e, uint64_t boot)
{
	return !e->asked && !e->bad &&
	       !(e->boot && boot - e->boot < FRESH && e->boot - e->id.start >= YOUNG);
}

static void ask_all(struct cmdlines *c, const struct task_id *ids, size_t n)
{
	struct task_id due[HELPER_COMMANDS_MAX];
	uint64_t boot = clock_boot();
	uint32_t count = 0;

	for (size_t i = 0; i < n; i++) {
		struct entry *e = entry_get(c, &ids[i]);

		if (!is_due(e, boot))
			continue;
		e->boot = boot;
		e->asked = true;
		due[count++] = e->id;
		if (count < HELPER_COMMANDS_MAX)
			continue;
		ask(c, due, count);
		count = 0;
	}
	if (count)
		ask(c, due, count);
}

struct wanted {
	struct cmdlines *cmdlines;
	const struct task_id *ids;
	size_t n;	/* those behind are answered */
};

static bool all_there(void *arg)
{
	struct wanted *w = arg;

	for (; w->n; w->n--) {
		const struct entry *e = hash_get(&w->cmdlines->entries, &w->ids[w->n - 1]);

		if (e && e->asked)
			return false;
	}
	return true;
}

void cmdlines_fill(struct cmdlines *c, struct sample *late, const struct task_id *ids, size_t n,
		   uint64_t until)
{
	struct wanted wanted = { c, ids, n };

	c->round++;
	ask_all(c, ids, n);
	helper_wait(c->helper, HELPER_NAMES, until, all_there, &wanted);
	for (size_t i = 0; i < n; i++) {
		struct entry *e = hash_get(&c->entries, &ids[i]);
		struct sample_cmdline *row;

		if (!e || !e->args || e->given == late->mono)
			continue;
		e->given = late->mono;
		row = sample_add_row(late, CMDLINE, struct sample_cmdline);
		row->id = e->id;
		row->args = arena_strdup(&late->arena, e->args);
	}
	if (c->round % IDLE_ROUNDS == 0)
		hash_filter(&c->entries, entry_used, entry_drop, c);
}

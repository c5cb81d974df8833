// SPDX-License-Identifier: GPL-2.0-or-later
#include "data/frames.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/utf8.h"

#define STACKS_MAX 16384	/* from which on old ones are forgotten */
#define IDLE_ROUNDS 120
#define FRAMES_MAX 512		/* of one stack; a recording could hold anything */
#define BRIEF_USER 2		/* frames in the short form */
#define BRIEF_KERNEL 4

struct entry {
	struct frames frames;	/* .id is the key; .items and the texts follow in the same piece of memory */
	unsigned round;		/* used last */
	size_t version;		/* of the table when brief was made */
	char *brief;
};

/* In how many stacks a frame is. */
struct seen {
	uint64_t hash;
	size_t n;
};

struct frames_table {
	struct hash stacks, seen;
	unsigned round;
	size_t nuser, nkernel;
};

struct frames_table *frames_new(void)
{
	struct frames_table *t = mem_zalloc(sizeof(*t));

	hash_init(&t->stacks, offsetof(struct entry, frames.id), sizeof(uint64_t));
	hash_init(&t->seen, offsetof(struct seen, hash), sizeof(uint64_t));
	return t;
}

static uint64_t frame_hash(const struct frames *f, size_t i)
{
	return hash_bytes(f->items[i], strlen(f->items[i])) ^ (f->flags & FRAMES_USER);
}

/* Counts the frames of a stack in (by 1) or out (by -1); a frame that is twice in it counts once. */
static void count(struct frames_table *t, const struct frames *f, long by)
{
	*(f->flags & FRAMES_USER ? &t->nuser : &t->nkernel) += (size_t)by;
	for (size_t i = 0; i < f->n; i++) {
		uint64_t hash = frame_hash(f, i);
		struct seen *s;
		bool again = false;

		for (size_t k = 0; k < i && !again; k++)
			again = !strcmp(f->items[k], f->items[i]);
		if (again)
			continue;
		s = hash_get(&t->seen, &hash);
		if (!s) {
			s = mem_zalloc(sizeof(*s));
			s->hash = hash;
			hash_put(&t->seen, s);
		}
		s->n += (size_t)by;
		if (!s->n) {
			hash_del(&t->seen, &hash);
			free(s);
		}
	}
}

static void entry_free(struct entry *e)
{
	free(e->brief);
	free(e);
}

static unsigned age(const void *value, const void *arg)
{
	return ((const struct frames_table *)arg)->round - ((const struct entry *)value)->round;
}

static void drop(void *value, void *arg)
{
	struct entry *e = value;

	count(arg, &e->frames, -1);
	entry_free(e);
}

void frames_round(struct frames_table *t)
{
	t->round++;
	hash_age(&t->stacks, STACKS_MAX, IDLE_ROUNDS, age, drop, t);
}

void frames_free(struct frames_table *t)
{
	struct entry *e;
	struct seen *s;
	size_t i = 0;

	if (!t)
		return;
	while ((e = hash_next(&t->stacks, &i)))
		entry_free(e);
	i = 0;
	while ((s = hash_next(&t->seen, &i)))
		free(s);
	hash_release(&t->stacks);
	hash_release(&t->seen);
	free(t);
}

static uint64_t shape_of(const char *const *items, size_t n, uint32_t flags)
{
	uint64_t parts[2] = { n, flags };

	for (size_t i = 0; i < n; i++) {
		size_t len = strlen(items[i]);

		if (!strncmp(items[i], "[unknown]", 9))
			len = strcspn(items[i], "+");
		parts[0] = hash_bytes(parts, sizeof(parts));
		parts[1] = hash_bytes(items[i], len);
	}
	return hash_bytes(parts, sizeof(parts));
}

/* The lines of a text, clean, in one piece of memory with the entry. */
static struct entry *entry_new(const struct sample_frames *from)
{
	struct arena a;
	const char *lines[FRAMES_MAX], **items;
	size_t n = 0, bytes = 0;
	struct entry *e;
	char *to;

	arena_init(&a);
	for (const char *p = from->text; p && *p && n < FRAMES_MAX;) {
		const char *end = strchr(p, '\n');

		lines[n] = utf8_clean(&a, p, end ? (size_t)(end - p) : strlen(p));
		bytes += strlen(lines[n++]) + 1;
		p = end ? end + 1 : NULL;
	}
	e = mem_zalloc(sizeof(*e) + n * sizeof(*items) + bytes);
	items = (const char **)(e + 1);
	to = (char *)(items + n);
	for (size_t i = 0; i < n; i++) {
		size_t len = strlen(lines[i]) + 1;

		items[i] = memcpy(to, lines[i], len);
		to += len;
	}
	arena_release(&a);
	e->frames = (struct frames){ .id = from->id, .flags = from->flags, .n = n, .items = items,
				     .shape = shape_of(items, n, from->flags) };
	return e;
}

void frames_update(struct frames_table *t, const struct sample *s)
{
	sample_each(s, FRAMES, const struct sample_frames, from) {
		struct entry *e;

		if (!from->id || hash_get(&t->stacks, &from->id))
			continue;
		e = entry_new(from);
		e->round = t->round;
		hash_put(&t->stacks, e);
		count(t, &e->frames, 1);
	}
}

const struct frames *frames_get(struct frames_table *t, uint64_t id)
{
	struct entry *e = id ? hash_get(&t->stacks, &id) : NULL;

	if (!e)
		return NULL;
	e->round = t->round;
	return &e->frames;
}

/* In nearly every stack there is, whatever else is known. */
static bool is_plumbing(const char *name)
{
	static const char *const starts[] = {
		"entry_SYSCALL", "do_syscall_", "x64_sys_call", "__x64_sys_", "__arm64_sys_", "el0", "invoke_syscall",
		"ret_from_fork", "kthread", "worker_thread", "process_one_work", "process_scheduled_works", "submit_bio",
		"__submit_bio", "__libc_", "_start", "clone", "start_thread", "__clone", "[unknown]",
	};

	for (size_t i = 0; i < ARRAY_SIZE(starts); i++)
		if (!strncmp(name, starts[i], strlen(starts[i])))
			return true;
	return false;
}

static size_t times_seen(const struct frames_table *t, const struct frames *f, size_t i)
{
	uint64_t hash = frame_hash(f, i);
	const struct seen *s = hash_get(&t->seen, &hash);

	return s ? s->n : 0;
}

/* Into n ascending numbers. */
static void insert(size_t *v, size_t n, size_t number)
{
	while (n && v[n - 1] > number) {
		v[n] = v[n - 1];
		n--;
	}
	v[n] = number;
}

/* Puts into pick the rarest frames that not most stacks have (all: any), as indices, innermost first; of equal ones the innermost. */
static size_t pick_rarest(const struct frames_table *t, const struct frames *f, bool all, size_t max, size_t *pick)
{
	size_t known = f->flags & FRAMES_USER ? t->nuser : t->nkernel, rarity[FRAMES_MAX], n = 0;

	for (size_t i = 0; i < f->n && i < FRAMES_MAX; i++) {
		rarity[i] = is_plumbing(f->items[i]) ? SIZE_MAX : times_seen(t, f, i);
		if (!all && known > 2 && rarity[i] > known / 2)
			rarity[i] = SIZE_MAX;
	}
	while (n < max) {
		size_t best = SIZE_MAX, at = 0;

		for (size_t i = 0; i < f->n && i < FRAMES_MAX; i++)
			if (rarity[i] < best) {
				best = rarity[i];
				at = i;
			}
		if (best == SIZE_MAX)
			break;
		rarity[at] = SIZE_MAX;
		insert(pick, n++, at);
	}
	return n;
}

static size_t pick_frames(const struct frames_table *t, const struct frames *f, size_t max, size_t *pick)
{
	size_t n = pick_rarest(t, f, false, max, pick);

	if (!n)
		n = pick_rarest(t, f, true, max, pick);
	if (!n && f->n)
		pick[n++] = 0;
	return n;
}

const char *frames_brief(struct frames_table *t, const struct frames *f)
{
	struct entry *e = (struct entry *)(uintptr_t)f;	/* its first member */
	size_t all = f->flags & FRAMES_USER ? t->nuser : t->nkernel, version = 1, pick[BRIEF_KERNEL], n;
	struct buf text = { 0 };

	/* What is common changes slowly: looked at again whenever the number of stacks has doubled. */
	while (all >>= 1)
		version++;
	if (e->brief && e->version == version)
		return e->brief;
	n = pick_frames(t, f, f->flags & FRAMES_USER ? BRIEF_USER : BRIEF_KERNEL, pick);
	if (f->flags & (FRAMES_CUT | FRAMES_BROKEN))
		buf_puts(&text, "… › ");
	while (n--) {
		buf_puts(&text, f->items[pick[n]]);
		if (n)
			buf_puts(&text, " › ");
	}
	buf_puts(&text, "");
	free(e->brief);
	e->brief = text.data;
	e->version = version;
	return e->brief;
}

size_t frames_steps(struct step *to, const struct frames *f, enum step_kind kind, bool innermost_first)
{
	static const struct step mark = { "[incomplete]", STEP_MARK };
	bool cut = f && f->flags & (FRAMES_CUT | FRAMES_BROKEN);
	size_t n = 0;

	if (cut && !innermost_first)
		to[n++] = mark;
	for (size_t i = 0; f && i < f->n; i++)
		to[n++] = (struct step){ f->items[innermost_first ? i : f->n - 1 - i], kind };
	if (cut && innermost_first)
		to[n++] = mark;
	return n;
}

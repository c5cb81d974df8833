// SPDX-License-Identifier: GPL-2.0-or-later
#include "data/stack/frames.h"

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
	struct frames frames;	/* .id is the key; .items follow in the same piece of memory,
				 * their texts are those of names, and .places */
	unsigned round;		/* used last */
	size_t version;		/* of the table when brief was made */
	char *brief;
	char *texts;		/* what places points to */
};

/* A frame: one for all the stacks it is in. */
struct name {
	uint64_t key;		/* a hash of the three below; the next number where another name
				 * has it */
	const char *raw, *raw_file;	/* as the sample had it; behind the text */
	const char *file;	/* clean; behind these */
	uint32_t user;		/* FRAMES_USER or 0 */
	bool plumbing;
	size_t uses, stacks;	/* frames that are it; stacks that have one of them */
	uint64_t shape;
	char text[];		/* clean */
};

struct frames_table {
	struct hash stacks, names;
	unsigned round;
	size_t nuser, nkernel;
};

struct frames_table *frames_new(void)
{
	struct frames_table *t = mem_zalloc(sizeof(*t));

	hash_init(&t->stacks, offsetof(struct entry, frames.id), sizeof(uint64_t));
	hash_init(&t->names, offsetof(struct name, key), sizeof(uint64_t));
	return t;
}

/* In nearly every stack there is, whatever else is known. */
static bool is_plumbing(const char *name)
{
	static const char *const starts[] = {
		"entry_SYSCALL", "do_syscall_", "x64_sys_call", "__x64_sys_",
		"__arm64_sys_", "el0", "invoke_syscall", "ret_from_fork",
		"kthread", "worker_thread", "process_one_work", "process_scheduled_works",
		"submit_bio", "__submit_bio", "__libc_", "_start",
		"clone", "start_thread", "__clone", "[unknown]",
	};

	for (size_t i = 0; i < ARRAY_SIZE(starts); i++)
		if (!strncmp(name, starts[i], strlen(starts[i])))
			return true;
	return false;
}

/* What a line tells of a frame beside its place; not terminated. */
struct raw_name {
	const char *text, *file;
	size_t len, file_len;
};

static struct name *name_new(uint64_t key, const struct raw_name *raw, uint32_t user)
{
	struct arena a;
	struct name *name;
	const char *clean, *file;
	size_t room;
	char *to;

	arena_init(&a);
	clean = utf8_clean(&a, raw->text, raw->len);
	file = utf8_clean(&a, raw->file, raw->file_len);
	room = strlen(clean) + 1;
	name = mem_zalloc(sizeof(*name) + room + raw->len + 1 + raw->file_len + 1 + strlen(file) +
			  1);
	memcpy(name->text, clean, room);
	name->raw = to = memcpy(name->text + room, raw->text, raw->len);
	to += raw->len + 1;
	name->raw_file = memcpy(to, raw->file, raw->file_len);
	to += raw->file_len + 1;
	name->file = strcpy(to, file);
	arena_release(&a);
	name->key = key;
	name->user = user;
	name->plumbing = is_plumbing(name->text);
	/* Unknown ones count by their file only. */
	name->shape = hash_bytes(name->text, strncmp(name->text, "[unknown]", 9)
						     ? room - 1
						     : strcspn(name->text, "+"));
	return name;
}

static bool is_text(const char *text, const char *raw, size_t len)
{
	return strlen(text) == len && !memcmp(text, raw, len);
}

static struct name *name_get(struct frames_table *t, const struct raw_name *raw, uint32_t user)
{
	uint64_t key = hash_bytes(raw->text, raw->len) ^ hash_bytes(raw->file, raw->file_len) ^
		       user;
	struct name *name;

	while ((name = hash_get(&t->names, &key)) &&
	       (name->user != user || !is_text(name->raw, raw->text, raw->len) ||
		!is_text(name->raw_file, raw->file, raw->file_len)))
		key++;
	if (!name) {
		name = name_new(key, raw, user);
		hash_put(&t->names, name);
	}
	name->uses++;
	return name;
}

static struct name *name_of(const struct frames *f, size_t i)
{
	return (struct name *)(uintptr_t)(f->items[i] - offsetof(struct name, text));
}

const char *frames_file(const struct frames *f, size_t i)
{
	return name_of(f, i)->file;
}

/*
 * Counts a stack in (by 1) or out (by -1) where its frames are; a frame that is twice in it counts
 * once.
 */
static void count(struct frames_table *t, const struct frames *f, size_t by)
{
	*(f->flags & FRAMES_USER ? &t->nuser : &t->nkernel) += by;
	for (size_t i = 0; i < f->n; i++) {
		bool again = false;

		for (size_t k = 0; k < i && !again; k++)
			again = f->items[k] == f->items[i];
		if (!again)
			name_of(f, i)->stacks += by;
	}
}

static void entry_free(struct frames_table *t, struct entry *e)
{
	for (size_t i = 0; i < e->frames.n; i++) {
		struct name *name = name_of(&e->frames, i);

		if (--name->uses)
			continue;
		hash_del(&t->names, &name->key);
		free(name);
	}
	free(e->brief);
	free(e->texts);
	free(e);
}

static void drop(void *value, void *arg)
{
	struct entry *e = value;

	count(arg, &e->frames, (size_t)-1);
	entry_free(arg, e);
}

void frames_round(struct frames_table *t)
{
	t->round++;
	hash_age_rounds(&t->stacks, STACKS_MAX, IDLE_ROUNDS, offsetof(struct entry, round),
			t->round, drop, t);
}

void frames_free(struct frames_table *t)
{
	if (!t)
		return;
	hash_filter(&t->stacks, NULL, drop, t);
	hash_release(&t->stacks);
	hash_release(&t->names);
	free(t);
}

static uint64_t shape_of(const struct frames *f)
{
	uint64_t parts[2] = { f->n, f->flags };

	for (size_t i = 0; i < f->n; i++) {
		parts[0] = hash_bytes(parts, sizeof(parts));
		parts[1] = name_of(f, i)->shape;
	}
	return hash_bytes(parts, sizeof(parts));
}

/* Where its clean text begins in all texts. */
static size_t put_place(struct buf *texts, const char *raw, size_t len)
{
	struct arena a;
	size_t at;

	if (!texts->len)
		buf_putc(texts, '\0');
	at = texts->len;
	arena_init(&a);
	buf_puts(texts, utf8_clean(&a, raw, len));
	buf_putc(texts, '\0');
	arena_release(&a);
	return at;
}

/* The parts of a line have tabs between them; those at its end may be missing. */
static const char *part_end(const char *part, const char *end)
{
	const char *tab = memchr(part, '\t', (size_t)(end - part));

	return tab ? tab : end;
}

static const char *part_after(const char *tab, const char *end)
{
	return tab < end ? tab + 1 : end;
}

static struct entry *entry_new(struct frames_table *t, const struct sample_frames *from)
{
	size_t places[FRAMES_MAX], n = 0;
	const char *items[FRAMES_MAX];
	struct buf texts = { 0 };
	struct entry *e;

	for (const char *p = from->text; p && *p && n < FRAMES_MAX;) {
		const char *end = strchrnul(p, '\n'), *name_end = part_end(p, end),
			   *place = part_after(name_end, end), *place_end = part_end(place, end),
			   *file = part_after(place_end, end);
		struct raw_name raw = { p, file, (size_t)(name_end - p), (size_t)(end - file) };

		items[n] = name_get(t, &raw, from->flags & FRAMES_USER)->text;
		places[n++] = place_end > place
				      ? put_place(&texts, place, (size_t)(place_end - place)) : 0;
		p = *end ? end + 1 : NULL;
	}
	e = mem_zalloc(sizeof(*e) + 2 * n * sizeof(*items));
	memcpy(e + 1, items, n * sizeof(*items));
	e->texts = texts.data;
	e->frames = (struct frames){
		.id = from->id, .flags = from->flags, .n = n,
		.items = (const char *const *)(e + 1), .places = (const char *const *)(e + 1) + n,
	};
	for (size_t i = 0; i < n; i++)
		((const char **)(e + 1))[n + i] = places[i] ? texts.data + places[i] : NULL;
	e->frames.shape = shape_of(&e->frames);
	return e;
}

void frames_update(struct frames_table *t, const struct sample *s)
{
	sample_each(s, FRAMES, const struct sample_frames, from) {
		struct entry *e;

		if (!from->id || hash_get(&t->stacks, &from->id))
			continue;
		e = entry_new(t, from);
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

/* Into n ascending numbers. */
static void insert(size_t *v, size_t n, size_t number)
{
	while (n && v[n - 1] > number) {
		v[n] = v[n - 1];
		n--;
	}
	v[n] = number;
}

/* How many frames of the stack are the i-th. */
static size_t repeats(const struct frames *f, size_t i)
{
	size_t n = 0;

	for (size_t k = 0; k < f->n; k++)
		n += f->items[k] == f->items[i];
	return n;
}

/*
 * Puts into pick the rarest frames that not most stacks have (all: any), as indices, innermost
 * first; of equal ones the innermost, of a function that calls itself that one only.
 */
static size_t pick_rarest(const struct frames_table *t, const struct frames *f, bool all,
			  size_t max, size_t *pick)
{
	size_t known = f->flags & FRAMES_USER ? t->nuser : t->nkernel, rarity[FRAMES_MAX], n = 0;

	for (size_t i = 0; i < f->n && i < FRAMES_MAX; i++) {
		const struct name *name = name_of(f, i);

		rarity[i] = name->plumbing ? SIZE_MAX : name->stacks;
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
		for (size_t i = at; i < f->n && i < FRAMES_MAX; i++)
			if (f->items[i] == f->items[at])
				rarity[i] = SIZE_MAX;
		insert(pick, n++, at);
	}
	return n;
}

static size_t pick_frames(const struct frames_table *t, const struct frames *f, size_t max,
			  size_t *pick)
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
	struct entry *e = hash_get(&t->stacks, &f->id);
	size_t all = f->flags & FRAMES_USER ? t->nuser : t->nkernel, version = 1,
	       pick[BRIEF_KERNEL], n;
	struct buf text = { 0 };

	/*
	 * What is common changes slowly: looked at again whenever the number of stacks has doubled.
	 */
	while (all >>= 1)
		version++;
	if (e->brief && e->version == version)
		return e->brief;
	n = pick_frames(t, f, f->flags & FRAMES_USER ? BRIEF_USER : BRIEF_KERNEL, pick);
	if (f->flags & (FRAMES_CUT | FRAMES_BROKEN))
		buf_puts(&text, "… › ");
	while (n--) {
		size_t times = repeats(f, pick[n]);

		frames_put_short(&text, f->items[pick[n]]);
		if (times > 1)
			buf_printf(&text, " ×%zu", times);
		if (n)
			buf_puts(&text, " › ");
	}
	buf_puts(&text, "");
	free(e->brief);
	e->brief = text.data;
	e->version = version;
	return e->brief;
}

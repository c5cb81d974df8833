// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/stacks/unwind.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/i18n.h"
#include "base/macro.h"
#include "collect/helper/process.h"
#include "collect/probe_list.h"
#include "collect/stacks/unwind_files.h"

#define SPACE_AGAIN NSEC_PER_SEC	/* the mappings of one are not read more often ... */
#define SPACE_AGAIN_NEW (NSEC_PER_SEC / 50)	/* ... but for so many times: it loads libraries */
#define SPACE_NEW 50
#define SPACE_IDLE (60 * NSEC_PER_SEC)	/* not unwound for so long: it may go ... */
#define SPACE_IDLE_LEAST (5 * NSEC_PER_SEC)	/* ... or so long, where there is no room */
#define FULL(room) ((room).used > (room).n / 4 * 3)

/* Code of a process; without a file there is no table. */
struct mapping {
	uint64_t start, end, offset;
	struct unwind_file *file;
};

struct space {
	struct space_key key;
	uint64_t asked;			/* CLOCK_MONOTONIC ns of the last time */
	unsigned times;			/* that it was asked for again */
	bool asking;
	struct mapping *now, *next;	/* what programs know; what waits for its tables */
	uint32_t n, nnext;
	struct abi_unwind_space *slot;	/* NULL: programs do not know it */
	uint32_t first;			/* of its mappings in the programs' memory */
};

struct unwind {
	struct helper *helper;
	struct unwind_maps maps;
	struct unwind_files files;
	struct hash spaces;
	uint64_t numbers;	/* of sets of mappings, given so far */
	uint64_t no_room;	/* spaces for which there was none */
	bool ending, looking;
};

static void unuse(struct mapping **v, uint32_t *n)
{
	for (uint32_t i = 0; i < *n; i++)
		if ((*v)[i].file)
			(*v)[i].file->users--;
	free(*v);
	*v = NULL;
	*n = 0;
}

/* Programs do not know it any more. */
static void hide(struct unwind *u, struct space *s)
{
	if (!s->slot)
		return;
	__atomic_store_n(&s->slot->mm, 0, __ATOMIC_SEQ_CST);
	s->slot = NULL;
	unwind_leave(&u->maps, &u->maps.mapping_room, s->first, s->n);
}

static void space_drop(void *value, void *arg)
{
	struct space *s = value;

	hide(arg, s);
	unuse(&s->now, &s->n);
	unuse(&s->next, &s->nnext);
	free(s);
}

static struct space *space_of(struct unwind *u, const struct abi_unwind_space *slot)
{
	const struct space_key key = { slot->start, slot->mm, slot->tgid, 0 };

	return hash_get(&u->spaces, &key);
}

/* A place for it; who was not unwound for longest makes room. */
static struct abi_unwind_space *slot_for(struct unwind *u, const struct space_key *key)
{
	struct abi_unwind_set *set =
		&u->maps.sets[ABI_UNWIND_SET(key->mm, key->start) & (ABI_UNWIND_SETS - 1)];
	struct abi_unwind_space *found = &set->way[0];
	struct space *old;

	for (int i = 0; i < ABI_UNWIND_WAYS; i++) {
		if (!set->way[i].mm)
			return &set->way[i];
		if (set->way[i].used < found->used)
			found = &set->way[i];
	}
	old = space_of(u, found);
	if (old) {
		hash_del(&u->spaces, &old->key);
		space_drop(old, u);
	}
	return found;
}

static struct abi_unwind_mapping entry_of(const struct mapping *m)
{
	struct abi_unwind_mapping e = { .start = m->start, .size = m->end - m->start };
	const struct unwind_table *t = m->file ? m->file->table : NULL;
	uint64_t address;

	e.page = !m->file ? ABI_UNWIND_PAGE_CODE
		 : m->file->why == ENODATA || m->file->why == ENOEXEC ? ABI_UNWIND_PAGE_NONE
								       : ABI_UNWIND_PAGE_AWAY;
	if (t && elf_loads_address(&m->file->loads, m->offset, &address)) {
		e.pc = address - t->base;
		e.page = t->page;
		e.npages = t->npages;
	}
	return e;
}

static bool same_mappings(const struct space *s)
{
	if (!s->slot || s->n != s->nnext)
		return false;
	for (uint32_t i = 0; i < s->n; i++)
		if (s->now[i].start != s->next[i].start || s->now[i].end != s->next[i].end ||
		    s->now[i].offset != s->next[i].offset || s->now[i].file != s->next[i].file)
			return false;
	return true;
}

/* All its tables are there: programs get to know it, or what it has mapped now. */
static void publish(struct unwind *u, struct space *s)
{
	uint32_t first, before = s->first, nbefore = s->slot ? s->n : 0;

	if (same_mappings(s) || unwind_mappings_take(&u->maps, s->nnext, &first) < 0) {
		u->no_room += !same_mappings(s);
		unuse(&s->next, &s->nnext);
		return;
	}
	for (uint32_t i = 0; i < s->nnext; i++)
		u->maps.mappings[first + i] = entry_of(&s->next[i]);
	if (!s->slot)
		s->slot = slot_for(u, &s->key);
	__atomic_store_n(&s->slot->mm, 0, __ATOMIC_SEQ_CST);
	s->slot->start = s->key.start;
	s->slot->tgid = s->key.tgid;
	s->slot->mapping = s->first = first;
	s->slot->n = s->nnext;
	s->slot->used = clock_mono();
	s->slot->number = ++u->numbers;
	__atomic_store_n(&s->slot->mm, s->key.mm, __ATOMIC_SEQ_CST);
	unwind_leave(&u->maps, &u->maps.mapping_room, before, nbefore);
	unuse(&s->now, &s->n);
	s->now = s->next;
	s->n = s->nnext;
	s->next = NULL;
	s->nnext = 0;
}

static bool all_settled(const struct space *s)
{
	for (uint32_t i = 0; i < s->nnext; i++)
		if (s->next[i].file && !s->next[i].file->settled)
			return false;
	return true;
}

/* Some file has settled: which spaces have waited for it? Publishing one may end another. */
static void look_at_spaces(void *arg)
{
	struct unwind *u = arg;
	struct space *s, *ready;
	size_t i;

	if (u->ending || u->looking)
		return;
	do {
		ready = NULL;
		i = 0;
		while (!ready && (s = hash_next(&u->spaces, &i)))
			if (s->nnext && all_settled(s))
				ready = s;
		if (ready)
			publish(u, ready);
	} while (ready);
}

struct asking {
	struct unwind *unwind;
	struct space_key key;
};

static void take_mappings(struct unwind *u, struct space *s, struct wire_reader *r)
{
	uint32_t n;

	wire_u32(r);
	n = wire_u32(r);
	if (r->short_ || !n || n > HELPER_MAPPINGS_MAX)
		return;
	unuse(&s->next, &s->nnext);
	s->next = mem_zalloc(n * sizeof(*s->next));
	/* Files may settle at once: not before all of them are known. */
	u->looking = true;
	for (uint32_t i = 0; i < n && !r->short_; i++) {
		struct helper_file f = wire_file(r);
		struct mapping *m = &s->next[i];

		if (r->short_ || f.end <= f.start)
			break;
		*m = (struct mapping){ f.start, f.end, f.offset, NULL };
		s->nnext = i + 1;
		if (!f.path_len)
			continue;
		m->file = unwind_file_get(&u->files, &f);
		m->file->users++;
	}
	u->looking = false;
	look_at_spaces(u);
}

static void told(void *arg, const void *data, size_t len)
{
	struct wire_reader r = wire_reader(data, len);
	struct asking a = *(struct asking *)arg;
	struct space *s = hash_get(&a.unwind->spaces, &a.key);

	free(arg);
	if (!s)
		return;
	s->asking = false;
	if (data)
		take_mappings(a.unwind, s, &r);
}

static void ask(struct unwind *u, struct space *s, bool again)
{
	struct asking *a = mem_alloc(sizeof(*a));
	struct buf request = { 0 };

	*a = (struct asking){ u, s->key };
	s->asked = clock_mono();
	s->asking = true;
	wire_put_space(&request, &s->key);
	wire_put_u32(&request, again);
	helper_ask(u->helper, HELPER_NAMES, MESSAGE_MAPPINGS, request.data, request.len, told, a,
		   u);
	buf_release(&request);
}

void unwind_see(struct unwind *u, const struct space_key *key, bool changed)
{
	struct space *s = hash_get(&u->spaces, key);

	if (!s) {
		s = mem_zalloc(sizeof(*s));
		s->key = *key;
		hash_put(&u->spaces, s);
		ask(u, s, false);
	} else if (changed && !s->asking &&
		   clock_mono() - s->asked >
			   (s->times < SPACE_NEW ? SPACE_AGAIN_NEW : SPACE_AGAIN)) {
		s->times++;
		ask(u, s, true);
	}
}

struct ageing {
	struct unwind *unwind;
	uint64_t now, idle;
};

static bool keep(void *value, void *arg)
{
	const struct space *s = value;
	const struct ageing *a = arg;

	if (s->asking || s->nnext)
		return true;
	return a->now - (s->slot ? MAX(s->slot->used, s->asked) : s->asked) < a->idle;
}

static void drop(void *value, void *arg)
{
	space_drop(value, ((struct ageing *)arg)->unwind);
}

void unwind_round(struct unwind *u)
{
	struct ageing a = { u, clock_mono(), SPACE_IDLE };

	unwind_maps_round(&u->maps);
	if (!FULL(u->maps.page_room) && !FULL(u->maps.mapping_room) &&
	    u->spaces.n < ABI_UNWIND_SETS * ABI_UNWIND_WAYS)
		return;
	hash_filter(&u->spaces, keep, drop, &a);
	unwind_files_drop(&u->files, SPACE_IDLE);
	if (!FULL(u->maps.page_room) && !FULL(u->maps.mapping_room))
		return;
	a.idle = SPACE_IDLE_LEAST;
	hash_filter(&u->spaces, keep, drop, &a);
	unwind_files_drop(&u->files, SPACE_IDLE_LEAST);
}

const struct unwind_maps *unwind_memory(const struct unwind *u)
{
	return &u->maps;
}

int unwind_share(struct unwind *u, const struct bpf_object *obj)
{
	return unwind_maps_share(&u->maps, obj);
}

struct unwind *unwind_new(struct helper *helper, uint64_t bytes, struct err *err)
{
	struct unwind *u = mem_zalloc(sizeof(*u));

	u->helper = helper;
	hash_init(&u->spaces, offsetof(struct space, key), sizeof(struct space_key));
	unwind_files_init(&u->files, helper, &u->maps, look_at_spaces, u);
	if (!unwind_maps_open(&u->maps, bytes, err))
		return u;
	unwind_free(u);
	return NULL;
}

void unwind_free(struct unwind *u)
{
	if (!u)
		return;
	u->ending = true;
	helper_cancel(u->helper, &u->files);
	helper_cancel(u->helper, u);
	hash_clear(&u->spaces, space_drop, u);
	unwind_files_release(&u->files);
	unwind_maps_close(&u->maps);
	free(u);
}

void unwind_probe(const struct unwind *u, bool refused, const char *why, struct probe_list *list)
{
	const struct unwind_file *f;
	size_t files = 0, i = 0;

	if (!u || refused) {
		probe_add(list, "unwind tables", false, "%s",
			  refused  ? _("refused by the kernel's verifier: frame pointers only")
			  : why[0] ? why
				   : _("switched off: frame pointers only"));
		return;
	}
	while ((f = hash_next(&u->files.by_key, &i)))
		files += !!f->table;
	probe_add(list, "unwind tables", !u->no_room,
		  _("%.1f of %.1f MiB, of %zu files, for %zu processes"),
		  u->maps.page_room.used * sizeof(struct abi_unwind_page) / 1048576.0,
		  u->maps.page_room.n * sizeof(struct abi_unwind_page) / 1048576.0, files,
		  u->spaces.n);
}

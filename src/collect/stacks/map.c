// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/stacks/map.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/macro.h"
#include "bpf/abi.h"
#include "collect/helper/file.h"
#include "collect/probe_list.h"
#include "collect/set.h"
#include "collect/stacks/shared.h"
#include "collect/stacks/unwind.h"

#define STACKS_DEFAULT 16384

#define IDLE_ROUNDS 30	/* not taken: it goes out of a map that gets full ... */
#define IDLE_LEAST 3	/* ... or, where new ones come faster than that, for so many */

#define DRAIN_NS 5000000	/* a key waits no longer, and maybe as long again */

static void space_told(const struct stackmap *m, const struct abi_space *space)
{
	const struct space_key key = { space->start, space->mm, space->tgid, 0 };

	if (!space->changed)
		stackstore_register(m->store, space);
	if (m->set->unwind && !m->refused)
		unwind_see(m->set->unwind, &key, space->changed);
}

static int space_seen(void *arg, void *data, size_t size)
{
	const struct stackmap *m = arg;

	if (size >= sizeof(struct abi_space))
		space_told(m, data);
	if (!m->until)
		collect_yield(m->set);
	return m->until && clock_mono() > m->until ? -EAGAIN : 0;
}

uint32_t stackmap_set_size(const struct bpf_object *obj, const struct collect_options *opt,
			   const volatile __u64 *ret_users)
{
	static const char *const maps[] = { "stacks", "stack_index", "stacks_free" };
	uint32_t max = opt->stack_storage ? MIN(MAX(opt->stack_storage, 16), 1u << 22)
					  : STACKS_DEFAULT;

	for (size_t i = 0; i < ARRAY_SIZE(maps); i++)
		bpf_map__set_max_entries(bpf_object__find_map_by_name(obj, maps[i]), max);
	*(__u64 *)(uintptr_t)ret_users = max - max / 8;
	return max;
}

void stackmap_init(struct stackmap *m, struct collect_set *set)
{
	*m = (struct stackmap){ .set = set, .store = set_stacks_get(set) };
}

void stackmap_unwind(struct stackmap *m, const struct bpf_object *obj,
		     const volatile bool *ret_want)
{
	bool want = m->set->unwind && !m->refused && !unwind_share(m->set->unwind, obj);

	*(bool *)(uintptr_t)ret_want = want;
}

bool stackmap_unwind_refused(struct stackmap *m, struct bpf_programs *p)
{
	if (!m->set->unwind || m->refused)
		return false;
	m->refused = true;
	/* What was refused may be taken now. */
	bpf_hooks_init(&p->hooks, p->type->hooks, p->type->nhooks);
	return true;
}

int stackmap_open(struct stackmap *m, const struct stackmap_object *object, struct err *err)
{
	uint32_t max;

	m->object = *object;
	counters_init(&m->counters, object->counters);
	counters_init(&m->rest, object->rest);
	m->stacks = bpf_object__find_map_by_name(object->obj, "stacks");
	m->index = bpf_object__find_map_by_name(object->obj, "stack_index");
	m->unused = bpf_object__find_map_by_name(object->obj, "stacks_free");
	m->spaces = ring_buffer__new(bpf_object__find_map_fd_by_name(object->obj, "spaces"),
				     space_seen, m, NULL);
	if (!m->spaces)
		return err_set(err, errno, "the ring buffer of the stack programs: %m");
	max = bpf_map__max_entries(m->stacks);
	if (bpf_fill(object->obj, "stack_fill", 0, m->unused, 0, max) < max)
		return err_set(err, errno, "a BPF queue takes no entries: %m");
	/* Taken back by stackmap_close(), also when this was not reached. */
	m->max = max;
	stackstore_room(m->store, m->max);
	/* Read while keys are answered, and with the names of our own programs. */
	stackstore_kernel_reason(m->store);
	return 0;
}

void stackmap_close(struct stackmap *m)
{
	stackstore_room(m->store, -(long)m->max);
	ring_buffer__free(m->spaces);
	counters_release(&m->counters);
	counters_release(&m->rest);
	set_stacks_put(m->set);
}

int stackmap_fd(const struct stackmap *m)
{
	return m->spaces ? ring_buffer__epoll_fd(m->spaces) : -1;
}

void stackmap_drain(struct stackmap *m)
{
	m->until = clock_mono() + DRAIN_NS;
	ring_buffer__consume(m->spaces);
}

static bool look_up(const struct stackmap *m, uint64_t hash, struct abi_stack *ret)
{
	uint32_t place;

	return !bpf_map_lookup_elem(bpf_map__fd(m->index), &hash, &place) &&
	       !bpf_map_lookup_elem(bpf_map__fd(m->stacks), &place, ret);
}

/* Its place is free for another one, once nobody finds it. */
static bool delete(const struct stackmap *m, uint64_t hash)
{
	uint32_t place;

	return !bpf_map_lookup_elem(bpf_map__fd(m->index), &hash, &place) &&
	       !bpf_map_delete_elem(bpf_map__fd(m->index), &hash) &&
	       !bpf_map_update_elem(bpf_map__fd(m->unused), NULL, &place, BPF_ANY);
}

/* A stack of this hash is in the sample: what is not known of it yet is asked for. */
static void ask(struct stackmap *m, uint64_t hash)
{
	struct abi_stack stack;

	if (hash && !stackstore_known(m->store, hash, false) && !stackstore_asked(m->store, hash) &&
	    look_up(m, hash, &stack))
		stackstore_ask(m->store, hash, &stack);
}

/* The id of a stack in the sample, from its hash in the kernel; 0: it is lost. */
static uint64_t stack_id(struct stackmap *m, uint64_t hash, bool taken)
{
	uint64_t id = hash ? stackstore_known(m->store, hash, taken) : 0;
	struct abi_stack stack;

	if (id || !hash)
		return id;
	if (stackstore_asked(m->store, hash))
		return stackstore_add(m->store, hash, NULL);
	return look_up(m, hash, &stack) ? stackstore_add(m->store, hash, &stack) : 0;
}

/* All hashes in the map; returns how many. */
static size_t read_keys(const struct stackmap *m, uint64_t *keys)
{
	int fd = bpf_map__fd(m->index);
	size_t n = 0;

	while (n < m->max && !bpf_map_get_next_key(fd, n ? &keys[n - 1] : NULL, &keys[n])) {
		n++;
		collect_yield(m->set);
	}
	return n;
}

/*
 * Takes out what was not taken in so many rounds; returns how many are left. User space knows them:
 * nothing is lost by it.
 */
static size_t take_out(struct stackmap *m, uint64_t *keys, size_t n, unsigned idle)
{
	size_t left = 0;

	for (size_t i = 0; i < n; i++) {
		if (!stackstore_idle(m->store, keys[i], idle))
			keys[left++] = keys[i];
		else if (delete(m, keys[i]))
			m->deleted++;
		collect_yield(m->set);
	}
	return left;
}

/* Takes out what was not taken for longest when the map gets full. */
static void age(struct stackmap *m)
{
	uint64_t *keys;
	size_t n;

	if (*m->object.stored - m->deleted < m->max - m->max / 4)
		return;
	keys = mem_alloc(m->max * sizeof(*keys));
	n = read_keys(m, keys);
	for (unsigned idle = IDLE_ROUNDS; idle >= IDLE_LEAST && n > m->max / 2; idle /= 2)
		n = take_out(m, keys, n, idle);
	*m->object.taken_out = m->deleted;
	free(keys);
}

static void lose(const struct stackmap *m, struct sample *s, const char *what, uint64_t count)
{
	char name[64];

	snprintf(name, sizeof(name), "%s.%s", m->object.losses, what);
	sample_lose(s, name, count);
}

static void lose_all(const struct stackmap *m, struct sample *s)
{
	static const char *const names[ABI_STACK_LOST_COUNT] = {
		[ABI_STACK_FAILED] = "failed",
		[ABI_STACK_FULL] = "full",
		[ABI_STACK_TOO_DEEP] = "cut",
		[ABI_STACK_SPACES] = "processes",
	};

	for (size_t i = 0; i < ABI_STACK_LOST_COUNT; i++)
		lose(m, s, names[i], m->object.lost[i]);
	lose(m, s, "ended", stackstore_missed(m->store));
	lose(m, s, "files", stackstore_forgotten(m->store));
}

struct reading {
	struct stackmap *map;
	const struct stackmap_rows *rows;
	void *arg;
	const struct counters *from;
	struct buf taken;	/* a byte for each row: its stacks were taken since the last
				 * sample */
};

static uint64_t *stacks_of(const struct reading *r, void *row)
{
	return (uint64_t *)(void *)((char *)row + r->rows->stacks);
}

static void add_row(void *arg, const void *key, const void *value)
{
	struct reading *r = arg;
	uint64_t *stacks = stacks_of(r, r->rows->add(r->arg, key, value));

	for (size_t i = 0; i < r->rows->nstacks; i++)
		ask(r->map, stacks[i]);
	buf_putc(&r->taken, !r->from->idle);
	collect_yield(r->map->set);
}

/* Hashes become ids when all stacks were asked for: waiting for one of them is waiting for all. */
static void set_ids(struct reading *r, struct sample *s)
{
	struct sample_rows *t = &s->tables[r->rows->table];
	size_t size = sample_tables[r->rows->table].size;

	for (size_t i = 0; i < MIN(t->n, r->taken.len); i++) {
		uint64_t *stacks = stacks_of(r, (char *)t->rows + i * size);

		for (size_t k = 0; k < r->rows->nstacks; k++)
			stacks[k] = stack_id(r->map, stacks[k], r->taken.data[i]);
		collect_yield(r->map->set);
	}
}

/* Address spaces of one process (before and after execve) can come to the same path. */
static void merge_rows(const struct stackmap_rows *rows, struct sample *s)
{
	struct sample_rows *t = &s->tables[rows->table];
	size_t size = sample_tables[rows->table].size, n = 0;
	char *all = t->rows;

	if (t->n < 2)
		return;
	qsort(all, t->n, size, rows->order);
	for (size_t i = 1; i < t->n; i++) {
		char *row = all + i * size, *last = all + n * size;

		if (!rows->order(last, row))
			rows->merge(last, row);
		else if (++n != i)
			memcpy(last + size, row, size);
	}
	t->n = n + 1;
}

void stackmap_read(struct stackmap *m, struct sample *s, const struct stackmap_rows *rows,
		   unsigned idle_rounds, void *arg)
{
	struct reading r = { .map = m, .rows = rows, .arg = arg, .from = &m->counters };

	stackstore_round(m->store, collect_is_interactive(m->set));
	if (m->set->unwind)
		unwind_round(m->set->unwind);
	m->until = 0;
	ring_buffer__consume(m->spaces);
	counters_read(&m->counters, idle_rounds, add_row, &r);
	s->counted = m->counters.read_ns;
	r.from = &m->rest;
	counters_read(&m->rest, idle_rounds, add_row, &r);
	set_ids(&r, s);
	buf_release(&r.taken);
	merge_rows(rows, s);
	age(m);
	lose_all(m, s);
}

void stackmap_probe(struct stackmap *m, struct probe_list *list)
{
	const char *reason = stackstore_kernel_reason(m->store);

	probe_add(list, "kernel symbols", !reason, "%s", reason ? reason : "/proc/kallsyms");
	unwind_probe(m->set->unwind, m->refused, m->set->no_unwind.text, list);
}

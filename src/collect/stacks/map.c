// SPDX-License-Identifier: GPL-2.0-or-later
/* The maps of a BPF object that takes stacks. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/arena.h"
#include "base/clock.h"
#include "collect/set.h"
#include "collect/stacks/store_inside.h"

#define IDLE_ROUNDS 30	/* not taken: it goes out of a map that gets full ... */
#define IDLE_LEAST 3	/* ... or, where new ones come faster than that, for so many */

#define DRAIN_NS 5000000	/* a key waits no longer, and maybe as long again */

static int space_seen(void *arg, void *data, size_t size)
{
	const struct stackmap *m = arg;

	if (size >= sizeof(struct abi_space))
		stackstore_meet(m->store, data);
	if (!m->until)
		collect_pause(m->set);
	return m->until && clock_mono() > m->until ? -EAGAIN : 0;
}

int stackmap_open(struct stackmap *m, struct collect_set *set, const struct bpf_map *stacks,
		  const struct bpf_map *spaces, struct err *err)
{
	*m = (struct stackmap){
		.set = set, .store = set->stacks, .map = stacks, .max = bpf_map__max_entries(stacks)
	};
	m->spaces = ring_buffer__new(bpf_map__fd(spaces), space_seen, m, NULL);
	if (!m->spaces)
		return err_set(err, errno, "the ring buffer of the stack programs: %s",
			       strerror(errno));
	stackstore_room(m->store, m->max);
	return 0;
}

void stackmap_close(struct stackmap *m)
{
	if (m->spaces)
		stackstore_room(m->store, -(long)m->max);
	ring_buffer__free(m->spaces);
	m->spaces = NULL;
}

int stackmap_fd(const struct stackmap *m)
{
	return m->spaces ? ring_buffer__epoll_fd(m->spaces) : -1;
}

void stackmap_drain(struct stackmap *m, bool all)
{
	m->until = all ? 0 : clock_mono() + DRAIN_NS;
	if (m->spaces)
		ring_buffer__consume(m->spaces);
}

void stackmap_want(struct stackmap *m, uint64_t hash)
{
	struct abi_stack stack;

	if (!hash || stackstore_known(m->store, hash, false) || stackstore_wanted(m->store, hash))
		return;
	if (!bpf_map_lookup_elem(bpf_map__fd(m->map), &hash, &stack))
		stackstore_want(m->store, hash, &stack);
}

uint64_t stackmap_id(struct stackmap *m, uint64_t hash, bool taken)
{
	uint64_t id = hash ? stackstore_known(m->store, hash, taken) : 0;
	struct abi_stack stack;

	if (id || !hash)
		return id;
	if (stackstore_wanted(m->store, hash))
		return stackstore_add(m->store, hash, NULL);
	if (bpf_map_lookup_elem(bpf_map__fd(m->map), &hash, &stack))
		return 0;
	return stackstore_add(m->store, hash, &stack);
}

/* All hashes in the map; returns how many. */
static size_t read_keys(const struct stackmap *m, uint64_t *keys)
{
	int fd = bpf_map__fd(m->map);
	size_t n = 0;

	while (n < m->max && !bpf_map_get_next_key(fd, n ? &keys[n - 1] : NULL, &keys[n])) {
		n++;
		collect_pause(m->set);
	}
	return n;
}

/*
 * Takes out what was not taken in so many rounds; returns how many are left. User space knows them:
 * nothing is lost by it.
 */
static size_t take_out(struct stackmap *m, uint64_t *keys, size_t n, unsigned idle)
{
	int fd = bpf_map__fd(m->map);
	size_t left = 0;

	for (size_t i = 0; i < n; i++) {
		if (!stackstore_idle(m->store, keys[i], idle))
			keys[left++] = keys[i];
		else if (!bpf_map_delete_elem(fd, &keys[i]))
			m->deleted++;
		collect_pause(m->set);
	}
	return left;
}

uint32_t stackmap_for_users(uint32_t max)
{
	return max - max / 8;
}

void stackmap_age(struct stackmap *m, uint64_t stored, volatile __u64 *taken_out)
{
	uint64_t *keys;
	size_t n;

	if (stored - m->deleted < m->max - m->max / 4)
		return;
	keys = mem_alloc(m->max * sizeof(*keys));
	n = read_keys(m, keys);
	for (unsigned idle = IDLE_ROUNDS; idle >= IDLE_LEAST && n > m->max / 2; idle /= 2)
		n = take_out(m, keys, n, idle);
	*taken_out = m->deleted;
	free(keys);
}

void stackmap_losses(const struct stackmap *m, struct sample *sample, const char *prefix,
		     const volatile uint64_t *lost)
{
	static const char *const names[ABI_STACK_LOST_COUNT] = {
		[ABI_STACK_FAILED] = "failed",
		[ABI_STACK_FULL] = "full",
		[ABI_STACK_COLLIDED] = "collided",
		[ABI_STACK_TOO_DEEP] = "cut",
		[ABI_STACK_SPACES] = "processes",
	};
	char name[64];

	for (size_t i = 0; i < ABI_STACK_LOST_COUNT; i++) {
		snprintf(name, sizeof(name), "%s.%s", prefix, names[i]);
		sample_lose(sample, name, lost[i]);
	}
	snprintf(name, sizeof(name), "%s.ended", prefix);
	sample_lose(sample, name, stackstore_missed(m->store));
	snprintf(name, sizeof(name), "%s.files", prefix);
	sample_lose(sample, name, stackstore_forgotten(m->store));
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* The maps of a BPF object that takes stacks. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/arena.h"
#include "collect/stackset.h"

#define IDLE_ROUNDS 30	/* not asked for: taken out of a map that gets full */

static int space_seen(void *store, void *data, size_t size)
{
	if (size >= sizeof(struct abi_space))
		stackstore_meet(store, data);
	return 0;
}

int stackmap_open(struct stackmap *m, struct stackstore *store, const struct bpf_map *stacks, const struct bpf_map *spaces,
		  struct err *err)
{
	*m = (struct stackmap){ .store = store, .map = stacks, .max = bpf_map__max_entries(stacks) };
	m->spaces = ring_buffer__new(bpf_map__fd(spaces), space_seen, store, NULL);
	return m->spaces ? 0 : err_set(err, errno, "the ring buffer of the stack programs: %s", strerror(errno));
}

void stackmap_close(struct stackmap *m)
{
	ring_buffer__free(m->spaces);
	m->spaces = NULL;
}

int stackmap_fd(const struct stackmap *m)
{
	return m->spaces ? ring_buffer__epoll_fd(m->spaces) : -1;
}

void stackmap_drain(struct stackmap *m)
{
	if (m->spaces)
		ring_buffer__consume(m->spaces);
}

uint64_t stackmap_id(struct stackmap *m, uint64_t hash)
{
	uint64_t id = hash ? stackstore_known(m->store, hash) : 0;
	struct abi_stack stack;

	if (id || !hash)
		return id;
	if (bpf_map_lookup_elem(bpf_map__fd(m->map), &hash, &stack))
		return 0;
	return stackstore_add(m->store, hash, &stack);
}

void stackmap_age(struct stackmap *m, uint64_t stored)
{
	uint64_t key = 0, next, *old = NULL;
	int fd = bpf_map__fd(m->map);
	size_t n = 0;
	bool first = true;

	if (stored - m->deleted < m->max - m->max / 4)
		return;
	old = mem_alloc(m->max * sizeof(*old));
	while (n < m->max && !bpf_map_get_next_key(fd, first ? NULL : &key, &next)) {
		key = next;
		first = false;
		if (stackstore_idle(m->store, key, IDLE_ROUNDS))
			old[n++] = key;
	}
	for (size_t i = 0; i < n; i++)
		if (!bpf_map_delete_elem(fd, &old[i]))
			m->deleted++;
	free(old);
}

void stackmap_losses(const struct stackmap *m, struct sample *sample, const char *prefix, const volatile uint64_t *lost)
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
}

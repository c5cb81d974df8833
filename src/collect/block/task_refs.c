// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/block/task_refs.h"

#include <stdio.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/arena.h"
#include "bpf/abi.h"

#define IDLE_ROUNDS 64

void causes_init(struct causes *c, const struct bpf_map *owners)
{
	*c = (struct causes){ .owners = owners };
	hash_init(&c->known, offsetof(struct cause, owner), sizeof(uint32_t));
}

static bool keep_used(void *value, void *arg)
{
	return *(const unsigned *)arg - ((const struct cause *)value)->round < IDLE_ROUNDS;
}

static void drop(void *value, void *arg)
{
	free(value);
}

void causes_release(struct causes *c)
{
	hash_filter(&c->known, NULL, drop, NULL);
	hash_release(&c->known);
}

void causes_round(struct causes *c)
{
	c->round++;
	if (c->round % 32 == 0)
		hash_filter(&c->known, keep_used, drop, &c->round);
}

static const char *residual(uint32_t place)
{
	static const char *const names[ABI_OWNER_FIRST] = {
		[ABI_UNATTRIBUTED] = "[unattributed]",
		[ABI_JOURNAL] = "[journal]",
		[ABI_METADATA] = "[metadata]",
		[ABI_SWAP] = "[swap]",
	};

	return place < ABI_OWNER_FIRST ? names[place] : NULL;
}

static bool look_up(const struct causes *c, uint32_t owner, struct cause *ret)
{
	uint32_t place = ABI_OWNER_PLACE(owner), gen = ABI_OWNER_GEN(owner);
	const char *name = residual(place);
	struct abi_owner o;

	if (name) {
		ret->id = ret->task = (struct task_id){ .tid = place };
		snprintf(ret->comm, sizeof(ret->comm), "%s", name);
		return true;
	}
	if (bpf_map_lookup_elem(bpf_map__fd(c->owners), &place, &o) || !o.start ||
	    (o.gen & ((1u << (32 - ABI_OWNER_BITS)) - 1)) != gen)
		return false;
	ret->id = (struct task_id){ o.tgid, o.tgid, o.start };
	ret->task = (struct task_id){ o.tgid, o.tid, o.start };
	memcpy(ret->comm, o.comm, sizeof(ret->comm));
	return true;
}

const struct cause *causes_get(struct causes *c, uint32_t owner)
{
	struct cause *known, fresh = { .owner = owner };

	if (!owner || !c->owners)
		return NULL;
	known = hash_get(&c->known, &owner);
	if (!known) {
		if (!look_up(c, owner, &fresh))
			return NULL;
		known = mem_alloc(sizeof(*known));
		*known = fresh;
		hash_put(&c->known, known);
	}
	known->round = c->round;
	return known;
}

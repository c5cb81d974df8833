// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/block/task_refs.h"

#include <stdio.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/arena.h"
#include "bpf/abi.h"

#define IDLE_ROUNDS 64

void task_refs_init(struct task_refs *refs, const struct bpf_map *map)
{
	*refs = (struct task_refs){ .map = map };
	hash_init(&refs->known, offsetof(struct task_ref, ref), sizeof(uint32_t));
}

static bool keep_used(void *value, void *arg)
{
	return *(const unsigned *)arg - ((const struct task_ref *)value)->round < IDLE_ROUNDS;
}

void task_refs_release(struct task_refs *refs)
{
	hash_clear(&refs->known, hash_free_value, NULL);
}

void task_refs_round(struct task_refs *refs)
{
	refs->round++;
	if (refs->round % 32 == 0)
		hash_filter(&refs->known, keep_used, hash_free_value, &refs->round);
}

static const char *residual(uint32_t index)
{
	static const char *const names[ABI_REF_FIRST] = {
		[ABI_UNATTRIBUTED] = "[unattributed]",
		[ABI_JOURNAL] = "[journal]",
		[ABI_METADATA] = "[metadata]",
		[ABI_SWAP] = "[swap]",
		[ABI_OUTSIDE] = "[outside]",
	};

	return index < ABI_REF_FIRST ? names[index] : NULL;
}

static bool look_up(const struct task_refs *refs, uint32_t ref, struct task_ref *ret)
{
	uint32_t index = ABI_REF_INDEX(ref), gen = ABI_REF_GEN(ref);
	const char *name = residual(index);
	struct abi_task_ref o;

	if (name) {
		ret->process = ret->task = (struct task_id){ .tid = index };
		snprintf(ret->comm, sizeof(ret->comm), "%s", name);
		return true;
	}
	if (bpf_map_lookup_elem(bpf_map__fd(refs->map), &index, &o) || !o.start ||
	    (o.gen & ((1u << (32 - ABI_REF_BITS)) - 1)) != gen)
		return false;
	ret->process = (struct task_id){ o.tgid, o.tgid, o.start };
	ret->task = (struct task_id){ o.tgid, o.tid, o.start };
	memcpy(ret->comm, o.comm, sizeof(ret->comm));
	return true;
}

const struct task_ref *task_refs_get(struct task_refs *refs, uint32_t ref)
{
	struct task_ref *known, fresh = { .ref = ref };

	if (!ref || !refs->map)
		return NULL;
	known = hash_get(&refs->known, &ref);
	if (!known) {
		if (!look_up(refs, ref, &fresh))
			return NULL;
		known = mem_alloc(sizeof(*known));
		*known = fresh;
		hash_put(&refs->known, known);
	}
	known->round = refs->round;
	return known;
}

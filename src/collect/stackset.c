// SPDX-License-Identifier: GPL-2.0-or-later
/* The store of stacks in a set of collectors. */
#include "collect/stackset.h"

#include "collect/set.h"

struct stackstore *set_stacks_get(struct collect_set *set)
{
	if (!set->stack_users++)
		set->stacks = stackstore_new(set->opt);
	return set->stacks;
}

void set_stacks_put(struct collect_set *set)
{
	if (--set->stack_users)
		return;
	stackstore_free(set->stacks);
	set->stacks = NULL;
}

size_t collect_stacks(struct collect_set *set, struct sample *s, const uint64_t *ids, size_t n, uint64_t until)
{
	return set->stacks ? stackstore_resolve(set->stacks, s, ids, n, until) : 0;
}

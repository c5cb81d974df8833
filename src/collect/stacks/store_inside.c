// SPDX-License-Identifier: GPL-2.0-or-later
/* The store of stacks in a set of collectors. */
#include "collect/stacks/store_inside.h"

#include "collect/set.h"

struct stackstore *set_stacks_get(struct collect_set *set)
{
	if (!set->stack_users++)
		set->stacks = stackstore_new(set->opt->proc, set->helper);
	return set->stacks;
}

void set_stacks_put(struct collect_set *set)
{
	if (--set->stack_users)
		return;
	stackstore_free(set->stacks);
	set->stacks = NULL;
}

struct wanted {
	struct stackstore *store;
	struct sample *late;
	const uint64_t *ids;
	size_t n, left;
	uint64_t until;
};

static void resolve(void *arg)
{
	struct wanted *w = arg;

	w->left = stackstore_resolve(w->store, w->late, w->ids, w->n, w->until);
}

/* A single large file can take longer to read than a key should wait. */
size_t collect_stacks(struct collect_set *set, struct sample *late, const uint64_t *ids,
		      size_t n, uint64_t until)
{
	struct wanted w = {
		.store = set->stacks, .late = late, .ids = ids, .n = n, .until = until,
	};

	if (w.store)
		collect_aside(set, resolve, &w);
	return w.left;
}

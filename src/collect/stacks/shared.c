// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/stacks/shared.h"

#include <errno.h>

#include "collect/collect.h"
#include "collect/set.h"
#include "collect/stacks/unwind.h"

#ifdef __x86_64__
#define UNWIND_POSSIBLE true
#else
#define UNWIND_POSSIBLE false
#endif

/* Memory for tables, unless it is not wanted; what is not had is no reason to have no stacks. */
static void set_unwind(struct collect_set *set)
{
	const struct collect_options *opt = set->opt;

	set->no_unwind.text[0] = '\0';
	if (!opt->unwind_tables || opt->stacks == STACKS_KERNEL)
		return;
	if (!UNWIND_POSSIBLE)
		err_set(&set->no_unwind, ENOTSUP, "not for this machine's processor yet");
	else
		set->unwind = unwind_new(set->helper, opt->unwind_tables, &set->no_unwind);
}

struct stackstore *set_stacks_get(struct collect_set *set)
{
	if (!set->stack_users++) {
		set->stacks = stackstore_new(set->opt->proc, set->helper);
		if (set->opt->stacks != STACKS_USER)
			stackstore_begin(set->stacks);
		set_unwind(set);
	}
	return set->stacks;
}

void set_stacks_put(struct collect_set *set)
{
	if (--set->stack_users)
		return;
	unwind_free(set->unwind);
	set->unwind = NULL;
	stackstore_free(set->stacks);
	set->stacks = NULL;
}

struct request {
	struct stackstore *store;
	struct sample *late;
	const uint64_t *ids;
	size_t n, left;
	uint64_t until;
};

static void resolve(void *arg)
{
	struct request *r = arg;

	r->left = stackstore_resolve(r->store, r->late, r->ids, r->n, r->until);
}

/* A single large file can take longer to read than a key should wait. */
size_t collect_stacks(struct collect_set *set, struct sample *late, const uint64_t *ids,
		      size_t n, uint64_t until)
{
	struct request r = {
		.store = set->stacks, .late = late, .ids = ids, .n = n, .until = until,
	};

	if (r.store)
		collect_offload(set, resolve, &r);
	return r.left;
}

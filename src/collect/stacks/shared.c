// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/stacks/shared.h"

#include <errno.h>

#include "collect/bpf/bpf.h"
#include "collect/collect.h"
#include "collect/set.h"
#include "collect/stacks/unwind.h"
#include "collect/symbols/cfi_state.h"

/* Memory for tables, unless it is not wanted; what is not had is no reason to have no stacks. */
static void set_unwind(struct collect_set *set)
{
	const struct collect_options *opt = set->opt;

	set->no_unwind.text[0] = '\0';
	if (!opt->unwind_tables || opt->stacks == STACKS_KERNEL)
		return;
	if (!cfi_machine(CFI_MACHINE_HERE))
		err_set(&set->no_unwind, ENOTSUP, "not for this machine's processor yet");
	/* On x86 the programs know where the kernel keeps them (bpf/common/user_code_x86.h). */
	else if (CFI_MACHINE_HERE != EM_X86_64 && bpf_host_function("bpf_task_pt_regs") < 0)
		err_set(&set->no_unwind, ENOTSUP,
			"this kernel does not tell the registers of programs, as 5.15 does");
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The control group of a task: in the hierarchy of version 2, or where that says nothing, in
 * systemd's, blkio's or memory's of version 1.
 */
#ifndef IOTOP_BPF_TASKS_CGROUP_H
#define IOTOP_BPF_TASKS_CGROUP_H

#include "bpf/abi.h"
#include "bpf/common/kernel.h"

#define HIERARCHIES 24	/* that are looked at; there are fewer controllers */

#define HAS_CGROUP_SETS                                \
	(bpf_core_type_exists(struct cgrp_cset_link) && \
	 bpf_core_enum_value_exists(enum cgroup_subsys_id, io_cgrp_id))

const volatile __u64 cgroup_v1_marks;	/* ABI_CGROUP_* of those whose groups can be named */

/*
 * Neighbours in the list mostly are of one set. Only while all tasks are looked at: sets come and
 * go.
 */
static volatile __u64 cgroup_set_last, cgroup_id_last;

_always_ void cgroup_v1_forget(void)
{
	cgroup_set_last = 0;
}

/*
 * The mark of a hierarchy; 0: none that matters. Systemd's has a place for all it knows, blkio's
 * for what has limits of I/O, memory's for what has limits of memory.
 */
_always_ __u64 cgroup_v1_mark(const struct cgroup_root *root)
{
	char name[8] __attribute__((aligned(8))) = {};
	__u64 subsys;

	if (!BPF_CORE_READ(root, hierarchy_id))
		return 0;
	bpf_core_read(name, sizeof(name), &root->name);
	if (!__builtin_memcmp(name, "systemd", sizeof(name)))
		return ABI_CGROUP_SYSTEMD;
	subsys = BPF_CORE_READ(root, subsys_mask);
	if (subsys & 1u << bpf_core_enum_value(enum cgroup_subsys_id, io_cgrp_id))
		return ABI_CGROUP_BLKIO;
	if (bpf_core_enum_value_exists(enum cgroup_subsys_id, memory_cgrp_id) &&
	    subsys & 1u << bpf_core_enum_value(enum cgroup_subsys_id, memory_cgrp_id))
		return ABI_CGROUP_MEMORY;
	return 0;
}

/* The group at a link of a set, with its mark; 0: a hierarchy's root, or none that matters. */
__noinline __u64 cgroup_v1_at(__u64 link)
{
	const struct cgrp_cset_link *at;
	const struct cgroup *cgroup;
	__u64 mark;

	if (!HAS_CGROUP_SETS)
		return 0;
	at = (const void *)(link - bpf_core_field_offset(struct cgrp_cset_link, cgrp_link));
	cgroup = BPF_CORE_READ(at, cgrp);
	if (!BPF_CORE_READ(cgroup, level))
		return 0;
	mark = cgroup_v1_mark(BPF_CORE_READ(cgroup, root)) & cgroup_v1_marks;
	return mark ? BPF_CORE_READ(cgroup, kn, id) | mark : 0;
}

/*
 * The group of a set at an address that names it; 0: it is in the root of all of them. Two
 * global functions: the verifier reads neither of them again where they are called.
 */
__noinline __u64 cgroup_v1(__u64 set)
{
	__u64 head = set + bpf_core_field_offset(struct css_set, cgrp_links), at = head, found = 0;

	if (!HAS_CGROUP_SETS)
		return 0;
	for (int i = 0; i < HIERARCHIES; i++) {
		__u64 one;

		at = (__u64)BPF_CORE_READ((const struct list_head *)at, next);
		if (!at || at == head)
			break;
		one = cgroup_v1_at(at);
		if (one & ABI_CGROUP_SYSTEMD)
			return one;
		found = found && !(one & ABI_CGROUP_BLKIO) ? found : one;
	}
	return found;
}

_always_ __u64 task_cgroup(const struct task_struct *task, bool listing)
{
	const struct css_set *set = task->cgroups;
	const struct cgroup *cgroup = set ? set->dfl_cgrp : NULL;
	const struct kernfs_node *kn = cgroup ? cgroup->kn : NULL;
	__u64 id = kn ? kn->id : 0, address = 0, v1;

	if (!cgroup_v1_marks || !cgroup || cgroup->level)
		return id;
	if (listing && cgroup_set_last == (__u64)set)
		return cgroup_id_last;
	/* What is read as memory is a number for the verifier; a pointer may not be handed over. */
	bpf_core_read(&address, sizeof(address), &task->cgroups);
	v1 = cgroup_v1(address);
	id = v1 ? v1 : id;
	if (listing) {
		cgroup_id_last = id;
		cgroup_set_last = (__u64)set;
	}
	return id;
}

#endif

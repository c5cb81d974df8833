/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose memory an anonymous page is. Another task may submit its I/O: a kernel thread that swaps
 * out, or a worker that continues direct I/O of the process.
 */
#ifndef IOTOP_BPF_BLOCK_ANON_H
#define IOTOP_BPF_BLOCK_ANON_H

#include "bpf/common/array.h"
#include "bpf/common/kernel.h"
#include "bpf/block/maps.h"
#include "bpf/block/task_ref.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct rb_node {
	struct rb_node *rb_right, *rb_left;
};

struct rb_root {
	struct rb_node *rb_node;
};

struct rb_root_cached {
	struct rb_root rb_root;
};

struct anon_vma {
	struct rb_root_cached rb_root;
};

struct mm_struct {
	struct task_struct *owner;	/* CONFIG_MEMCG */
};

struct vm_area_struct {
	unsigned long vm_start, vm_end, vm_pgoff;
	struct mm_struct *vm_mm;
	struct anon_vma *anon_vma;
};

struct anon_vma_chain {
	struct vm_area_struct *vma;
	struct rb_node rb;
	unsigned long rb_subtree_last;
};

#pragma clang attribute pop

#define ANON_DEPTH 32
#define ANON_VISITS 128
#define ANON_STEP 16

/*
 * A search in the interval tree of memory areas that may map pages of an anon_vma. Its state is in
 * a map, so that the verifier need not follow it.
 */
struct anon_walk {
	__u64 found, n_found;	/* an area that has the page, and how many were seen */
	__u64 n;
	__u64 node[ANON_DEPTH];	/* still to be looked at */
};

CPU_ARRAY(anon_walks, 1, struct anon_walk);

_always_ const struct anon_vma_chain *anon_chain(__u64 node)
{
	return (const struct anon_vma_chain *)(node -
					       bpf_core_field_offset(struct anon_vma_chain, rb));
}

/* Pushes a subtree, if it can have the page. */
_always_ void anon_push(struct anon_walk *walk, const struct rb_node *node, __u64 index)
{
	__u64 n = walk->n;

	if (!node || n >= ANON_DEPTH ||
	    BPF_CORE_READ(anon_chain((__u64)node), rb_subtree_last) < index)
		return;
	barrier_var(n);
	walk->node[n % ANON_DEPTH] = (__u64)node;
	walk->n = n + 1;
}

/* Visits the top node. False: it was the last, or the area that made the page. */
__noinline int anon_step(__u64 anon_vma, __u64 index)
{
	__u32 zero = 0;
	struct anon_walk *walk = bpf_map_lookup_elem(&anon_walks, &zero);
	const struct vm_area_struct *vma;
	__u64 n, node, first, pages;

	if (!walk || !walk->n)
		return false;
	n = walk->n - 1;
	walk->n = n;
	barrier_var(n);
	node = walk->node[n % ANON_DEPTH];
	vma = BPF_CORE_READ(anon_chain(node), vma);
	first = BPF_CORE_READ(vma, vm_pgoff);
	pages = (BPF_CORE_READ(vma, vm_end) - BPF_CORE_READ(vma, vm_start)) >> page_shift;
	/* The tree is ordered by first page; each node knows the last page of its subtree. */
	if (first <= index)
		anon_push(walk, BPF_CORE_READ((const struct rb_node *)node, rb_right), index);
	anon_push(walk, BPF_CORE_READ((const struct rb_node *)node, rb_left), index);
	if (index < first || index - first >= pages)
		return true;
	walk->found = (__u64)vma;
	walk->n_found++;
	if ((__u64)BPF_CORE_READ(vma, anon_vma) != anon_vma)
		return true;
	walk->n_found = 1;
	walk->n = 0;
	return false;
}

/* The same of some nodes (ANON_STEP). */
__noinline int anon_steps(__u64 anon_vma, __u64 index)
{
	for (int i = 0; i < ANON_STEP; i++)
		if (!anon_step(anon_vma, index))
			return false;
	return true;
}

/*
 * The area that made a page: the one whose own anon_vma this is, as forks map the page through
 * areas with an anon_vma of their own. When it is gone, the only area that is left. Else 0.
 */
__noinline __u64 anon_area(__u64 anon_vma, __u64 index)
{
	__u32 zero = 0;
	struct anon_walk *walk = bpf_map_lookup_elem(&anon_walks, &zero);

	if (!walk)
		return 0;
	walk->n = walk->n_found = 0;
	anon_push(walk, BPF_CORE_READ((const struct anon_vma *)anon_vma, rb_root.rb_root.rb_node),
		  index);
	for (int i = 0; i < ANON_VISITS / ANON_STEP; i++)
		if (!anon_steps(anon_vma, index))
			break;
	return walk->n_found == 1 && !walk->n ? walk->found : 0;
}

/*
 * The task (group leader) whose memory a page is; 0: nobody's, or shared by several since a fork.
 */
__noinline __u64 anon_task(__u64 page)
{
	__u64 head = page ? page_head(page) : 0, mapping = 0, index, vma;
	const struct task_struct *task;

	if (!head || !bpf_core_field_exists(((struct mm_struct *)0)->owner))
		return 0;
	bpf_core_read(&mapping, sizeof(mapping), &((const struct page *)head)->mapping);
	/* Bit 0: anonymous memory. Both bits: a KSM page, merged of several processes. */
	if ((mapping & 3) != 1)
		return 0;
	mapping--;
	index = page_index(head);
	vma = anon_area(mapping, index);
	if (!vma)
		return 0;
	task = BPF_CORE_READ((const struct vm_area_struct *)vma, vm_mm, owner);
	return task ? (__u64)BPF_CORE_READ(task, group_leader) : 0;
}

_always_ __u32 ref_of_other(__u64 task)
{
	__u32 ref;

	if (!task)
		return 0;
	if (!refs_by_others)
		refs_by_others = true;
	ref = ref_of(task);
	if (ref == ABI_UNATTRIBUTED)
		lose(ABI_LOST_TASK_REFS);
	return ref;
}

/* The task ref of the process whose memory a bio writes or fills; 0: nobody's, or not known. */
__noinline __u32 memory_owner(__u64 bio)
{
	__u64 vec = (__u64)BPF_CORE_READ((const struct bio *)bio, bi_io_vec);

	return ref_of_other(
		vec ? anon_task((__u64)BPF_CORE_READ((const struct bio_vec *)vec, bv_page)) : 0);
}

/*
 * The same of the process whose address space the current kernel thread has taken: workers of
 * io_uring did so before 5.12.
 */
__noinline __u32 space_owner(void)
{
	const struct task_struct *me = (const struct task_struct *)bpf_get_current_task();

	if (!bpf_core_field_exists(((struct mm_struct *)0)->owner))
		return 0;
	return ref_of_other((__u64)BPF_CORE_READ(me, mm, owner, group_leader));
}

#endif

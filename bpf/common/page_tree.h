/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tree of a file's pages in memory: nodes with 64 entries each, or fewer on small machines. */
#ifndef IOTOP_BPF_COMMON_PAGE_TREE_H
#define IOTOP_BPF_COMMON_PAGE_TREE_H

#include "bpf/common/kernel.h"

/*
 * The tags of a node (its address) of the tree of a file's pages: dirty, in writeback, to be
 * written.
 */
_always_ void xa_node_marks(__u64 node, unsigned long marks[3])
{
	if (bpf_core_field_exists(((struct xa_node *)0)->marks))
		bpf_core_read(marks, 3 * sizeof(*marks), &((const struct xa_node *)node)->marks);
	else
		bpf_core_read(marks, 3 * sizeof(*marks),
			      &((const struct xa_node___flat *)node)->marks);
}

/* An entry that leads to a node has these bits; those of small values are of another kind. */
#define TREE_IS_NODE(entry) (((entry) & 3) == 2 && (entry) > 4096)
#define TREE_NODE(entry) ((entry) - 2)
#define TREE_LEVELS 8	/* of nodes: enough for 2^48 pages */
#define TREE_ENTRIES (bpf_core_field_size(((struct xa_node___entries *)0)->slots) / 8)

/* An entry of a node. A large folio is in the first of its entries: the others hold its number. */
_always_ __u64 tree_entry(__u64 node, __u64 index, __u32 shift)
{
	__u64 slots = node + bpf_core_field_offset(((struct xa_node___entries *)0)->slots),
	      entry = 0, at = index >> shift & (TREE_ENTRIES - 1);

	bpf_probe_read_kernel(&entry, sizeof(entry), (const void *)(slots + 8 * at));
	if ((entry & 3) == 2 && entry <= 4096) {
		at = entry >> 2 & (TREE_ENTRIES - 1);
		bpf_probe_read_kernel(&entry, sizeof(entry), (const void *)(slots + 8 * at));
	}
	return entry;
}

/* The tags of the only entry of a tree, which is in no node: bits above this in its flags. */
#define TREE_TAGS_ABOVE 20

/*
 * Whether a page of a mapping (its folio, by its address, and its index) that is about to be tagged
 * dirty is so already. The tag goes when the page is marked as in writeback, not before.
 */
__noinline int page_tagged(__u64 mapping, __u64 folio, __u64 index)
{
	const struct address_space *of = (const struct address_space *)mapping;
	__u64 entry = (__u64)BPF_CORE_READ(of, i_pages.xa_head), node = 0;
	unsigned long marks[3] = {};
	__u32 shift = 0;

	for (int i = 0; i < TREE_LEVELS && TREE_IS_NODE(entry); i++) {
		node = TREE_NODE(entry);
		shift = BPF_CORE_READ((const struct xa_node___entries *)node, shift);
		if (!i && index >> shift >= TREE_ENTRIES)
			return false;
		entry = tree_entry(node, index, shift);
	}
	if (!node)
		return BPF_CORE_READ(of, i_pages.xa_flags) >> TREE_TAGS_ABOVE &&
		       !page_in_writeback(folio);
	xa_node_marks(node, marks);
	return marks[0] >> (index >> shift & (TREE_ENTRIES - 1)) & 1;
}

/* The folio (address) of a mapping (address) with the page of an index; 0: none is in memory. */
__noinline __u64 folio_at(__u64 mapping, __u64 index)
{
	__u64 entry = (__u64)BPF_CORE_READ((const struct address_space *)mapping, i_pages.xa_head);
	__u32 shift = 0;

	if (!TREE_IS_NODE(entry))
		return index || entry & 3 ? 0 : entry;
	for (int i = 0; i < TREE_LEVELS && TREE_IS_NODE(entry); i++) {
		__u64 node = TREE_NODE(entry);

		shift = BPF_CORE_READ((const struct xa_node___entries *)node, shift);
		if (!i && index >> shift >= TREE_ENTRIES)
			return 0;
		entry = tree_entry(node, index, shift);
	}
	return entry & 3 ? 0 : entry;
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes to parts of folios. The kernel tells of a large folio once, as a whole, when its first
 * page becomes dirty, and of a page whose data a journal has once until its checkpoint; of those
 * who write to it meanwhile it tells nothing, and what they write would be the first one's. So the
 * write calls of ext4 and xfs are looked at: there such a page is whose who wrote to it last. Those
 * that are written to through memory maps are of who dirtied the folio.
 */
#ifndef IOTOP_BPF_BLOCK_REWRITE_H
#define IOTOP_BPF_BLOCK_REWRITE_H

#include "bpf/abi.h"
#include "bpf/block/dirty.h"
#include "bpf/block/dirtiers.h"
#include "bpf/block/inode.h"
#include "bpf/block/maps.h"
#include "bpf/block/passing.h"
#include "bpf/block/task_ref.h"
#include "bpf/common/bio_inode.h"
#include "bpf/common/file.h"
#include "bpf/common/kernel.h"
#include "bpf/common/page_tree.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct iov_iter {
	__u64 count;
};

#pragma clang attribute pop

/* The number of an entry, and who writes to its file. */
struct writer {
	__u32 nr, ref;
};

/*
 * Makes an entry for a file to which a task (ref) writes pages that a journal has the data of. ext4
 * dirties these since 6.4 (d84c9ebdac1e, "ext4: Mark pages with journalled data dirty"); before,
 * they are dirty from the commit on, by the journal's thread. Returns the number of the entry.
 */
__noinline __u32 journaled_make(__u64 at, __u32 ref)
{
	const struct address_space *mapping = (const struct address_space *)at;
	const struct inode *host = BPF_CORE_READ(mapping, host);
	__u64 head = (__u64)BPF_CORE_READ(mapping, i_pages.xa_head);
	__u32 nr = inode_find(at);
	unsigned long marks[3] = {};
	struct abi_inode *inode;

	if (!nr)
		nr = inode_make(at);
	inode_is(nr, BPF_CORE_READ(host, i_ino), BPF_CORE_READ(host, i_generation),
		 BPF_CORE_READ(host, i_sb, s_dev));
	inode_recall(nr);
	inode = inode_at(nr);
	if (!inode)
		return 0;
	if (TREE_IS_NODE(head))
		xa_node_marks(TREE_NODE(head), marks);
	inode_dirtied(nr, ref, 1, BPF_CORE_READ(mapping, nrpages),
		      inode->pages || marks[0] | marks[1] | marks[2] ? 0 : INODE_CLEAN);
	return nr;
}

/* Who writes to bytes of a file, if it has an entry; remembered for the next call. */
_always_ bool writer_find(struct writer *w, __u64 at, __u64 pos, __u64 bytes)
{
	const struct inode *host = BPF_CORE_READ((const struct address_space *)at, host);
	struct task_slot *slot;
	__u64 journal = 0;
	__u32 loop;

	w->nr = inode_of_host(at, (__u64)host);
	if (!w->nr)
		journal = folio_at(at, pos >> page_shift);
	if (!w->nr && (!journal || !page_in_journal(journal)))
		return false;
	slot = task_slot(true);
	w->ref = slot ? slot->ref : 0;
	if (!w->ref)
		w->ref = ref_current();
	if (!w->nr)
		w->nr = journaled_make(at, w->ref);
	if (!w->nr)
		return false;
	if (!slot || !(slot->flags & SLOT_KTHREAD)) {
		dirty_remember(at, w->nr, w->ref);
		return true;
	}
	loop = backing_of(BPF_CORE_READ(host, i_ino), BPF_CORE_READ(host, i_sb, s_dev));
	if (loop)
		w->ref = passing_loop_writer(loop, pos, bytes);
	return true;
}

/*
 * Notes who writes to pages of a file from an index on, as far as these are of one folio of which
 * the kernel does not tell again, or as a whole. Returns how many pages are left.
 */
__noinline __u32 rewrite_folio(__u64 mapping, __u64 index, __u32 pages, __u32 nr, __u32 ref)
{
	__u64 folio = folio_at(mapping, index), left;
	__u32 of = folio ? folio_pages_probe_read((const struct folio *)folio) : 1, n = pages;
	bool journal = folio && page_in_journal(folio);

	if (!folio || (of <= 1 && !journal))
		return pages - 1;
	left = page_index(folio) + of - index;
	if (left < n)
		n = left;
	if (!journal && !page_dirty(folio)) {
		dirtiers_begin(nr, page_index(folio), of);
		dirtied_written(folio);
	}
	dirtiers_note(nr, index, n, ref, noted_how(folio, 0));
	return pages - n;
}

/* So many folios of one call are looked at: the square. */
#define REWRITTEN_STEP 128

/* The same of some folios (REWRITTEN_STEP). */
__noinline __u32 rewrite_some(__u64 mapping, __u64 index, __u32 pages, __u32 nr, __u32 ref)
{
	__u64 end = index + pages;

	for (int i = 0; i < REWRITTEN_STEP && pages; i++)
		pages = rewrite_folio(mapping, end - pages, pages, nr, ref);
	return pages;
}

/* The same of all folios. */
__noinline __u32 rewrite_all(__u64 mapping, __u64 index, __u32 pages, __u32 nr, __u32 ref)
{
	__u64 end = index + pages;

	for (int i = 0; i < REWRITTEN_STEP && pages; i++)
		pages = rewrite_some(mapping, end - pages, pages, nr, ref);
	return pages;
}

/* The current task writes to bytes of a file (the address of its mapping). */
_always_ int on_rewrite(__u64 at, __u64 pos, __u64 bytes)
{
	struct abi_inode *inode = NULL;
	const struct dirtied *last = dirtied_last(at, &inode);
	struct writer w = {};
	__u64 first = pos >> page_shift;
	__u32 pages;

	if (last) {
		w.nr = last->nr;
		w.ref = last->ref;
	} else {
		inode = writer_find(&w, at, pos, bytes) ? inode_at(w.nr) : NULL;
	}
	if (!inode || !bytes ||
	    (inode->owner == w.ref && !(inode->flags & (ABI_INODE_SHARED | ABI_INODE_PARTLY))))
		return 0;
	pages = ((pos + bytes - 1) >> page_shift) - first + 1;
	if (rewrite_all(at, first, pages, w.nr, w.ref)) {
		inode->flags |= ABI_INODE_SHARED | ABI_INODE_PARTLY;
		lose(ABI_LOST_INODES);
	}
	return 0;
}

/*
 * Of each folio that ext4 wrote to: with delayed allocation, and at other tracepoints with the same
 * arguments without it and with data=journal.
 */
SEC("raw_tp/ext4_da_write_end")
int rewrite_ext4(struct bpf_raw_tracepoint_args *ctx)
{
	const struct inode *inode = (const struct inode *)ctx->args[0];

	return on_rewrite((__u64)BPF_CORE_READ(inode, i_mapping), ctx->args[1],
			  (__u32)ctx->args[3]);
}

/* Of each call, before it writes. */
SEC("raw_tp/xfs_file_buffered_write")
int rewrite_xfs(struct bpf_raw_tracepoint_args *ctx)
{
	const struct kiocb *call = (const struct kiocb *)ctx->args[0];
	const struct iov_iter *from = (const struct iov_iter *)ctx->args[1];

	return on_rewrite((__u64)BPF_CORE_READ(call, ki_filp, f_inode, i_mapping),
			  BPF_CORE_READ((const struct kiocb___pos *)call, ki_pos),
			  BPF_CORE_READ(from, count));
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pages that become dirty: whose they are from then on. */
#ifndef IOTOP_BPF_BLOCK_DIRTY_H
#define IOTOP_BPF_BLOCK_DIRTY_H

#include "bpf/abi.h"
#include "bpf/block/count.h"
#include "bpf/block/dirtiers.h"
#include "bpf/block/inode.h"
#include "bpf/block/lower.h"
#include "bpf/block/maps.h"
#include "bpf/block/passing.h"
#include "bpf/block/task_ref.h"
#include "bpf/common/bio_file.h"
#include "bpf/common/kernel.h"
#include "bpf/common/page_tree.h"

/*
 * What the task dirtied last on this CPU, when that was this file (ret: its entry); else NULL. No
 * lookup by mapping or task.
 */
_always_ const struct dirtied *dirtied_last(__u64 at, struct abi_inode **ret)
{
	__u32 cpu = bpf_get_smp_processor_id();
	struct cpu_state *state = bpf_map_lookup_elem(&cpu_states, &cpu);
	const struct dirtied *last = state ? &state->dirtied : NULL;

	if (!last || last->mapping != at || last->task != bpf_get_current_pid_tgid())
		return NULL;
	*ret = inode_at(last->nr);
	return *ret && (*ret)->mapping == at && (*ret)->life == last->life ? last : NULL;
}

/* A write call has noted which pages of a folio it writes to that is not dirty yet (rewrite.h). */
_always_ void dirtied_written(__u64 folio)
{
	__u32 cpu = bpf_get_smp_processor_id();
	struct cpu_state *state = bpf_map_lookup_elem(&cpu_states, &cpu);

	if (state)
		state->dirtied.written = FOLIO_MARK(folio);
}

/* Notes whose the pages of a folio are that becomes dirty: all, but when some are noted already. */
__noinline int dirty_note(__u32 nr, __u64 folio, __u32 pages, __u32 ref)
{
	__u32 cpu = bpf_get_smp_processor_id();
	struct cpu_state *state = bpf_map_lookup_elem(&cpu_states, &cpu);

	if (pages > 1 && state && state->dirtied.written == FOLIO_MARK(folio)) {
		state->dirtied.written = 0;
		return 0;
	}
	return dirtiers_note(nr, page_index(folio), pages, ref, noted_how(folio, NOTED_ANEW));
}

/* Counts pages that became dirty by the current task, whose ref this is. */
_always_ void dirtied_count(__u32 ref, __u32 pages)
{
	__u32 place = ABI_REF_INDEX(ref);
	struct abi_task_ref *is = bpf_map_lookup_elem(&task_refs, &place);

	if (is)
		is->dirtied += pages;
}

/*
 * The fast path: the task dirties more pages of the file that it dirtied last. False: the general
 * path must look, also at the first page of the file.
 */
_always_ bool dirty_again(__u64 at, __u64 nrpages, __u64 folio, __u32 pages)
{
	struct abi_inode *inode = NULL;
	const struct dirtied *last = dirtied_last(at, &inode);

	if (!last || !inode->pages)
		return false;
	if (nrpages <= pages || inode->pages > nrpages - pages)
		return false;
	inode->stamp = epoch;
	if (inode->folio)
		inode->folio = 0;
	add(inode->pages, pages);
	dirtied_count(last->ref, pages);
	if (inode->owner != last->ref || inode->flags & ABI_INODE_SHARED)
		dirty_note(last->nr, folio, pages, last->ref);
	return true;
}

_always_ void dirty_remember(__u64 at, __u32 nr, __u32 ref)
{
	__u32 cpu = bpf_get_smp_processor_id();
	struct cpu_state *state = bpf_map_lookup_elem(&cpu_states, &cpu);
	struct dirtied *last = state ? &state->dirtied : NULL;
	const struct abi_inode *inode = inode_at(nr);

	if (!last || !inode)
		return;
	last->mapping = 0;
	last->task = bpf_get_current_pid_tgid();
	last->nr = nr;
	last->ref = ref;
	last->life = inode->life;
	last->written = 0;
	last->mapping = at;
}

/*
 * Whether no page of a file was dirty or being written before the one that is now being dirtied,
 * whose tag is not set yet. The file's pages are locked: the tags of the topmost node are those of
 * all pages. Without a node there is but this page.
 */
_always_ bool mapping_was_clean(const struct address_space *mapping)
{
	__u64 head = (__u64)mapping->i_pages.xa_head;
	unsigned long marks[3] = {};

	if ((head & 3) != 2)
		return true;
	xa_node_marks(head - 2, marks);
	return !(marks[0] | marks[1] | marks[2]);
}

/*
 * Whether a page is dirty again for whom it was before: for a kernel thread what a journal has, and
 * for all what was to be written and was put off, as by the journal of ext4 a page of which blocks
 * are not allocated yet.
 */
__noinline int dirty_as_before(__u64 mapping, __u64 folio, int kthread)
{
	bool journal = page_in_journal(folio);

	if (kthread && journal)
		return true;
	/* A page that a journal has may be tagged as long as that has it. */
	return !journal && page_tagged(mapping, folio, page_index(folio));
}

_always_ int on_dirty_anew(const struct address_space *mapping, __u64 at, __u64 nrpages,
			   __u64 folio, __u32 pages)
{
	struct task_slot *slot = task_slot(true);
	const struct inode *host = mapping->host;
	__u32 ref = slot ? slot->ref : 0, nr, sdev, loop = 0;
	__u64 ino;

	if (!host)
		return 0;
	if (!ref)
		ref = ref_current();
	if (dirty_as_before(at, folio, slot && slot->flags & SLOT_KTHREAD))
		return 0;
	dirtied_count(ref, pages);
	ino = host->i_ino;
	sdev = BPF_CORE_READ(host, i_sb, s_dev);
	nr = inode_find(at);
	if (!nr)
		nr = inode_make(at);
	if (slot && slot->flags & SLOT_KTHREAD)
		loop = backing_of(ino, sdev);
	if (loop)
		ref = passing_loop_owner(loop, ABI_WRITE, folio, pages << page_shift);
	if (!inode_is(nr, ino, host->i_generation, sdev))
		inode_recall(nr);
	if (inode_dirtied(nr, ref, pages, nrpages > pages ? nrpages - pages : 0,
			  (mapping_was_clean(mapping) ? INODE_CLEAN : 0) |
				  (loop ? INODE_BACKING : 0)))
		dirty_note(nr, folio, pages, ref);
	/* The thread of a loop device works for changing owners. */
	if (!loop)
		dirty_remember(at, nr, ref);
	return 0;
}

/* Runs in the task that dirties the folio (at its address). */
_always_ int on_dirty(const struct address_space *mapping, __u64 folio, __u32 pages)
{
	__u64 at = mapping ? kernel_address(address(mapping)) : 0,
	      nrpages = mapping ? mapping->nrpages : 0;

	return at && !dirty_again(at, nrpages, folio, pages)
		       ? on_dirty_anew(mapping, at, nrpages, folio, pages)
		       : 0;
}

#endif

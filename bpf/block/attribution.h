/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Attribution: whose an I/O is that another task submits. Pages are dirtied by one task and written
 * back by another. Dirtiers are kept by the file's mapping (inode.h), which is found through the
 * first page of a bio. I/O whose owner cannot be known is charged to a named residual, never to a
 * guess.
 */
#ifndef IOTOP_BPF_BLOCK_ATTRIBUTION_H
#define IOTOP_BPF_BLOCK_ATTRIBUTION_H

#include "bpf/abi.h"
#include "bpf/block/anon.h"
#include "bpf/block/lower.h"
#include "bpf/block/charge.h"
#include "bpf/block/count.h"
#include "bpf/block/inode.h"
#include "bpf/common/kernel.h"
#include "bpf/block/maps.h"
#include "bpf/block/passing.h"
#include "bpf/block/task_ref.h"

/*
 * The fast path: the task dirties more pages of the file that it dirtied last on this CPU. No
 * lookup by mapping or task. False: the general path must look, also at the first page of the file.
 */
_always_ bool dirty_again(__u64 at, __u64 nrpages, __u32 pages)
{
	__u32 cpu = bpf_get_smp_processor_id();
	struct cpu_state *state = bpf_map_lookup_elem(&cpu_states, &cpu);
	const struct dirtied *last = state ? &state->dirtied : NULL;
	struct abi_inode *inode;
	__u64 way;

	if (!last || last->mapping != at || last->task != bpf_get_current_pid_tgid())
		return false;
	inode = inode_at(last->nr);
	way = last->share;
	barrier_var(way);
	if (way >= ABI_SHARES)
		return false;
	if (!inode || inode->mapping != at || inode->who[way].ref != last->ref ||
	    !inode->who[way].pages)
		return false;
	if (nrpages <= pages || inode_dirty(inode) > nrpages - pages)
		return false;
	if (inode->last != last->ref)
		inode->last = last->ref;
	inode->stamp = epoch;
	if (inode->folio)
		inode->folio = 0;
	add(inode->who[way].pages, pages);
	return true;
}

_always_ void dirty_remember(__u64 at, __u32 nr, __u32 ref, __u32 way)
{
	__u32 cpu = bpf_get_smp_processor_id();
	struct cpu_state *state = bpf_map_lookup_elem(&cpu_states, &cpu);
	struct dirtied *last = state ? &state->dirtied : NULL;

	if (!last)
		return;
	last->mapping = 0;
	last->task = bpf_get_current_pid_tgid();
	last->nr = nr;
	last->ref = ref;
	last->share = way;
	last->mapping = at;
}

_always_ int on_dirty_anew(const struct address_space *mapping, __u64 page, __u64 at,
			   __u64 nrpages, __u32 pages)
{
	struct task_slot *slot = task_slot(true);
	const struct inode *host = mapping->host;
	__u32 ref = slot ? slot->ref : 0, nr, sdev, loop = 0, way;
	__u64 ino;

	if (!host)
		return 0;
	if (!ref)
		ref = ref_current();
	ino = host->i_ino;
	sdev = BPF_CORE_READ(host, i_sb, s_dev);
	nr = inode_find(at);
	if (!nr)
		nr = inode_make(at);
	if (slot && slot->flags & SLOT_KTHREAD)
		loop = backing_of(ino, sdev);
	if (loop)
		ref = passing_loop_owner(loop, ABI_WRITE, page, pages << page_shift);
	if (!inode_is(nr, ino, host->i_generation, sdev))
		inode_recall(nr);
	inode_shrink(nr, nrpages > pages ? nrpages - pages : 0);
	way = inode_dirtied(nr, ref, pages, loop);
	/* The thread of a loop device works for changing owners. */
	if (!loop)
		dirty_remember(at, nr, ref, way);
	return 0;
}

/* Runs in the task that dirties the page. */
_always_ int on_dirty(const struct address_space *mapping, const void *page, __u32 pages)
{
	__u64 at = mapping ? kernel_address(address(mapping)) : 0,
	      nrpages = mapping ? mapping->nrpages : 0;

	return at && !dirty_again(at, nrpages, pages)
		       ? on_dirty_anew(mapping, kernel_address(address(page)), at, nrpages, pages)
		       : 0;
}

/* The mapping of the first page of a bio, as an address; 0: no page of a file. */
_always_ __u64 bio_mapping(const struct bio *bio)
{
	const struct bio_vec *vec = bio->bi_io_vec;
	const struct page *page = vec ? vec->bv_page : NULL;
	__u64 head, mapping = 0;

	if (!page)
		return 0;
	head = page_head(kernel_address(address(page)));
	bpf_core_read(&mapping, sizeof(mapping), &((const struct page *)head)->mapping);
	/* Low bits mark anonymous and movable pages. */
	return mapping & 3 ? 0 : mapping;
}

/* The task ref of the process whose memory a bio writes or fills; 0: nobody's, or not known. */
__noinline __u32 memory_owner(__u64 bio)
{
	__u64 vec = (__u64)BPF_CORE_READ((const struct bio *)bio, bi_io_vec), task;

	task = vec ? anon_task((__u64)BPF_CORE_READ((const struct bio_vec *)vec, bv_page)) : 0;
	if (!task)
		return 0;
	if (!refs_by_others)
		refs_by_others = true;
	return ref_of(task);
}

/*
 * blk-throttle holds a bio back before block_bio_queue, and a kernel worker queues it later. The
 * last task of the cgroup that queued its own bio within the limit is remembered as owner for
 * these.
 */
_always_ bool bio_throttled(__u16 flags)
{
	return throttled_flag && flags & throttled_flag;
}

_always_ __u64 bio_cgroup(__u64 bio)
{
	if (!bpf_core_field_exists(((struct bio *)0)->bi_blkg))
		return 0;
	return (__u64)BPF_CORE_READ((const struct bio *)bio, bi_blkg, blkcg);
}

__noinline int throttled_note(__u64 bio, __u32 ref)
{
	__u64 cgroup = bio_cgroup(bio);
	__u32 *last = bpf_map_lookup_elem(&throttled, &cgroup);

	if (last && *last == ref)
		return 0;
	add(throttled_changes, 1);
	if (!last)
		bpf_map_update_elem(&throttled, &cgroup, &ref, BPF_ANY);
	else
		*last = ref;
	return 0;
}

/* The owner of a throttled bio that a worker queues; 0: it is the worker's own. */
__noinline __u32 throttled_find(__u64 bio)
{
	struct task_slot *slot = task_slot(false);
	const struct abi_task_ref *ref;
	__u32 *last, place;
	__u64 cgroup;

	if (!slot || !(slot->flags & SLOT_WORKER) ||
	    !bio_throttled(BPF_CORE_READ((const struct bio *)bio, bi_flags)))
		return 0;
	cgroup = bio_cgroup(bio);
	last = bpf_map_lookup_elem(&throttled, &cgroup);
	if (!last)
		return ABI_UNATTRIBUTED;
	place = ABI_REF_INDEX(*last);
	ref = bpf_map_lookup_elem(&task_refs, &place);
	return ref && !ref->ended ? *last : ABI_UNATTRIBUTED;
}

/*
 * Charges one dirtier bytes × pages / dirty, and takes the written pages off its share. Arguments
 * are packed u32 pairs, as five registers pass them: index of the share and entry number; dirty
 * pages of all and pages written; bytes of the write and bytes left to charge. Returns the bytes
 * charged.
 */
__noinline __u32 charge_dirtier(__u64 bio, __u64 nr_which, __u32 what, __u64 dirty_pages,
			    __u64 bytes_rest)
{
	__u32 which = nr_which >> 32, dirty = dirty_pages >> 32, pages = (__u32)dirty_pages,
	      bytes = bytes_rest >> 32, of;
	struct abi_inode *inode = inode_at((__u32)nr_which);
	__u64 share;

	if (!inode || which >= ABI_SHARES || !inode->who[which].pages || !dirty || !bytes)
		return 0;
	of = inode->who[which].pages;
	/* Others dirty and write at the same time. */
	share = (__u64)bytes * (of < dirty ? of : dirty) / dirty;
	if (share > (__u32)bytes_rest)
		share = (__u32)bytes_rest;
	charge_to(bio, inode->who[which].ref, what, share, 0);
	inode_written((__u32)nr_which, which, (pages * share + bytes / 2) / bytes);
	return share;
}

/*
 * Charges a write to the dirtiers of the file by their shares. The largest share also has the I/O
 * itself, and what rounding left.
 */
__noinline __u32 charge_dirtiers(__u64 bio, __u32 nr, __u32 op, __u32 bytes, __u32 me)
{
	__u32 largest = inode_largest(nr), n = largest >> 8, rest = bytes, how, ref, dev,
	      pages = 0, dirty, left;
	struct abi_inode *inode = inode_at(nr);

	largest &= 0xff;
	if (!inode || largest >= ABI_SHARES)
		return 0;
	ref = n ? inode->who[largest].ref : inode->last ? inode->last : me;
	how = inode->flags & ABI_INODE_BACKING ? ABI_DEVICE : n == 1 ? ABI_EXACT : ABI_INODE;
	dirty = inode_dirty_noinline(nr);
	/*
	 * A stacked device writes the same pages again: they become clean at the device of the file
	 * system.
	 */
	dev = bio_dev_probe_read((const struct bio *)bio);
	if (inode->sdev == dev || !(inode->sdev >> 20) || !bio_knows_partition())
		pages = inode_cleaned(
			nr, (__u64)BPF_CORE_READ((const struct bio *)bio, bi_io_vec, bv_page),
			bytes);
#pragma clang loop unroll(disable)
	for (__u64 i = 0; n > 1 && i < ABI_SHARES; i++) {
		if (i != largest)
			rest -= charge_dirtier(
				bio, i << 32 | nr,
				WHAT(op, inode->flags & ABI_INODE_BACKING ? ABI_DEVICE : ABI_INODE),
				(__u64)dirty << 32 | pages, (__u64)bytes << 32 | rest);
	}
	/* Pages that rounding the parts left over. */
	left = inode_dirty_noinline(nr) + pages;
	if (left > dirty)
		inode_written(nr, largest, left - dirty);
	return charge_to(bio, ref, WHAT(op, how), rest, 1);
}

/*
 * Charges a write of a file without an inode entry: it was evicted, or the file was dirtied before
 * we came.
 */
__noinline __u32 charge_evicted(__u64 bio, __u64 mapping, __u32 op, __u32 bytes, __u32 me)
{
	const struct inode *host = BPF_CORE_READ((const struct address_space *)mapping, host);
	__u32 sdev = BPF_CORE_READ(host, i_sb, s_dev), pages = 0,
	      dev = bio_dev_probe_read((const struct bio *)bio);
	struct task_slot *slot = task_slot(false);
	__u64 is;

	if (sdev == dev || !(sdev >> 20) || !bio_knows_partition())
		pages = (bytes + (1u << page_shift) - 1) >> page_shift;
	is = evicted_written(evicted_id(mapping, BPF_CORE_READ(host, i_ino),
				    BPF_CORE_READ(host, i_generation), sdev),
			   pages);
	if (is)
		return charge_to(bio, EVICTED_REF(is),
			       WHAT(op, is & EVICTED_SHARED ? ABI_INODE : ABI_EXACT), bytes, 1);
	if (slot && slot->flags & SLOT_KTHREAD)
		me = ABI_UNATTRIBUTED;
	return charge_to(bio, me, WHAT(op, ABI_INODE), bytes, 1);
}

/* Charges I/O on pages of a file or of a block device. */
__noinline __u32 charge_file(__u64 bio, __u64 mapping, __u32 op, __u32 bytes, __u32 me)
{
	const struct inode *host = BPF_CORE_READ((const struct address_space *)mapping, host);
	__u32 sdev = BPF_CORE_READ(host, i_sb, s_dev), nr, loop, owner,
	      flags = BPF_CORE_READ((const struct bio *)bio, bi_opf);
	struct task_slot *slot = task_slot(false);
	__u64 ino = BPF_CORE_READ(host, i_ino);

	if (op == ABI_READ) {
		/* Reads come here for kernel threads only. */
		loop = backing_of(ino, sdev);
		owner = loop ? passing_loop_owner(
				       loop, op, passing_page(bio, passing_vec(bio)), bytes)
			     : throttled_find(bio);
		if (!owner)
			return charge_to(bio, me, WHAT(op, ABI_EXACT), bytes, 1);
		return charge_to(bio, owner, WHAT(op, loop ? ABI_DEVICE : ABI_CGROUP), bytes, 1);
	}
	if (flags & KERNEL_REQ_META ||
	    ((BPF_CORE_READ(host, i_mode) & KERNEL_S_IFMT) == KERNEL_S_IFBLK &&
	     bdev_inode_mounted(host)))
		return charge_to(bio,
				 slot && slot->flags & SLOT_JOURNAL ? ABI_JOURNAL : ABI_METADATA,
				 WHAT(op, ABI_EXACT), bytes, 1);
	nr = inode_find(mapping);
	if (nr && inode_is(nr, ino, BPF_CORE_READ(host, i_generation), sdev))
		return charge_dirtiers(bio, nr, op, bytes, me);
	return charge_evicted(bio, mapping, op, bytes, me);
}

/* Charges a bio of a kernel thread that has no pages of a file. */
__noinline __u32 charge_kthread(__u64 bio, __u32 op, __u32 bytes, __u32 me)
{
	__u32 place = disk_find((__u64)bio_gendisk((const struct bio *)bio)), owner,
	      key;
	struct abi_disk *disk = bpf_map_lookup_elem(&disks, &place);
	struct task_slot *slot = task_slot(false);
	bool meta = BPF_CORE_READ((const struct bio *)bio, bi_opf) & KERNEL_REQ_META;

	if (slot && slot->flags & SLOT_JOURNAL)
		return charge_to(bio, ABI_JOURNAL, WHAT(op, ABI_EXACT), bytes, 1);
	owner = memory_owner(bio);
	if (owner)
		return charge_to(bio, owner, WHAT(op, ABI_EXACT), bytes, 1);
	key = PASSING(disk ? disk->above : 0, op, meta);
	if (PASSING_QUEUE(key))
		owner = PASSED_OWNER(
			passing_done(passing_next_in_turn(key, 0, 0, 0), key, bytes, false));
	if (owner)
		return charge_to(bio, owner, WHAT(op, ABI_DEVICE), bytes, 1);
	if (meta && op != ABI_READ)
		return charge_to(bio, ABI_METADATA, WHAT(op, ABI_EXACT), bytes, 1);
	owner = throttled_find(bio);
	if (owner)
		return charge_to(bio, owner, WHAT(op, ABI_CGROUP), bytes, 1);
	/* A thread with a name of its own is the driver's; a worker could be anybody's. */
	if (disk && disk->above && slot && slot->flags & SLOT_WORKER)
		me = ABI_UNATTRIBUTED;
	return charge_to(bio, me, WHAT(op, ABI_EXACT), bytes, 1);
}

/*
 * Charges a bio that leads to one at a stacked disk; PASSING_NONE: it does not, or several dirtied
 * the pages of its file, and it is divided anew.
 */
__noinline __u32 charge_passing(__u64 bio, __u64 mapping, __u32 op, __u32 bytes)
{
	__u64 is = passing_done(passing_lead(bio), PASSING(0, op, 0), bytes, true);

	if (!is || (PASSED_HOW(is) == ABI_INODE && mapping &&
		    inode_largest(inode_find(mapping)) >> 8 > 1))
		return PASSING_NONE;
	return charge_to(bio, PASSED_OWNER(is), WHAT(op, PASSED_HOW(is)), bytes, 1);
}

/* Charges a swap-out to the process whose memory it is. */
__noinline __u32 charge_swap(__u64 bio, __u32 op, __u32 bytes)
{
	__u32 owner = memory_owner(bio);

	return charge_to(bio, owner ? owner : ABI_SWAP, WHAT(op, ABI_EXACT), bytes, 1);
}

/* Charges a bio that the current task queues to its owner; returns what charge() does. */
_always_ __u32 charge_bio(struct task_slot *slot, const struct bio *bio, __u32 op, __u32 bytes)
{
	__u32 me = slot ? slot->ref : 0, flags = bio->bi_opf;
	bool kthread;
	__u64 mapping;

	if (!me)
		me = ref_current();
	kthread = slot && slot->flags & SLOT_KTHREAD;
	if (!kthread && bio_throttled(bio->bi_flags))
		throttled_note(kernel_address(address(bio)), me);
	if (bytes && (op == ABI_WRITE || kthread)) {
		__u64 at = kernel_address(address(bio));

		mapping = op == ABI_DISCARD ? 0 : bio_mapping(bio);
		if (kthread && passing_any()) {
			__u32 packed = charge_passing(at, mapping, op, bytes);

			if (packed != PASSING_NONE)
				return packed;
		}
		if (op == ABI_WRITE && flags & KERNEL_REQ_SWAP)
			return charge_swap(at, op, bytes);
		if (mapping)
			return charge_file(at, mapping, op, bytes, me);
		if (kthread)
			return charge_kthread(at, op, bytes, me);
	}
	return charge_to(kernel_address(address(bio)), me, WHAT(op, ABI_EXACT), bytes, 1);
}

#endif

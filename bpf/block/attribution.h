/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Attribution: whose an I/O is that another task submits. Pages are dirtied by one task and written
 * back by another. Dirtiers are kept by the file's mapping (inode.h, dirtiers.h), which is found
 * through the first page of a bio. I/O whose owner cannot be known is charged to a named residual,
 * never to a guess.
 */
#ifndef IOTOP_BPF_BLOCK_ATTRIBUTION_H
#define IOTOP_BPF_BLOCK_ATTRIBUTION_H

#include "bpf/abi.h"
#include "bpf/block/anon.h"
#include "bpf/block/lower.h"
#include "bpf/block/charge.h"
#include "bpf/block/count.h"
#include "bpf/block/dirtiers.h"
#include "bpf/block/inode.h"
#include "bpf/block/parts.h"
#include "bpf/common/kernel.h"
#include "bpf/block/maps.h"
#include "bpf/block/task_ref.h"

/*
 * The owner of the last read or write at a disk: what a thread of its driver does next at a disk
 * below is charged to it.
 */
_always_ __u32 disk_last(__u32 disk, bool write)
{
	struct abi_disk *at = bpf_map_lookup_elem(&disks, &disk);

	return at ? at->last[write] : 0;
}

/* The owner of the last I/O: a driver reads for writers, too (parity). */
_always_ __u32 disk_recent(__u32 disk)
{
	struct abi_disk *at = bpf_map_lookup_elem(&disks, &disk);

	return at ? at->last[at->recent & 1] : 0;
}

/*
 * The fast path: the task dirties more pages of the file that it dirtied last on this CPU. No
 * lookup by mapping or task. False: the general path must look, also at the first page of the file.
 */
_always_ bool dirty_again(__u64 at, __u64 nrpages, __u64 folio, __u32 pages)
{
	__u32 cpu = bpf_get_smp_processor_id();
	struct cpu_state *state = bpf_map_lookup_elem(&cpu_states, &cpu);
	const struct dirtied *last = state ? &state->dirtied : NULL;
	struct abi_inode *inode;

	if (!last || last->mapping != at || last->task != bpf_get_current_pid_tgid())
		return false;
	inode = inode_at(last->nr);
	if (!inode || inode->mapping != at || inode->life != last->life || !inode->pages)
		return false;
	if (nrpages <= pages || inode->pages > nrpages - pages)
		return false;
	inode->stamp = epoch;
	if (inode->folio)
		inode->folio = 0;
	add(inode->pages, pages);
	if (inode->owner != last->ref || inode->flags & ABI_INODE_SHARED)
		dirtiers_note(last->nr, folio, last->ref);
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
	head -= 2;
	if (bpf_core_field_exists(((struct xa_node *)0)->marks))
		bpf_core_read(marks, sizeof(marks), &((const struct xa_node *)head)->marks);
	else
		bpf_core_read(marks, sizeof(marks), &((const struct xa_node___flat *)head)->marks);
	return !(marks[0] | marks[1] | marks[2]);
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
	ino = host->i_ino;
	sdev = BPF_CORE_READ(host, i_sb, s_dev);
	nr = inode_find(at);
	if (!nr)
		nr = inode_make(at);
	if (slot && slot->flags & SLOT_KTHREAD)
		loop = backing_of(ino, sdev);
	if (loop) {
		ref = disk_last(loop, true);
		if (!ref)
			ref = ABI_UNATTRIBUTED;
	}
	if (!inode_is(nr, ino, host->i_generation, sdev))
		inode_recall(nr);
	if (inode_dirtied(nr, ref, pages, nrpages > pages ? nrpages - pages : 0,
			  (mapping_was_clean(mapping) ? INODE_CLEAN : 0) |
				  (loop ? INODE_BACKING : 0)))
		dirtiers_note(nr, folio, ref);
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
 * A stacked device writes the same pages again: they become clean at the device of the file system.
 */
_always_ bool bio_is_top(__u64 bio, __u32 sdev)
{
	return sdev == bio_dev_probe_read((const struct bio *)bio) || !(sdev >> 20) ||
	       !bio_knows_partition();
}

/* Charges a write to those who dirtied the file. */
__noinline __u32 charge_dirtiers(__u64 bio, __u32 nr, __u32 op, __u32 bytes)
{
	struct abi_inode *inode = inode_at(nr);
	__u64 head;
	bool top;
	__u32 how;

	if (!inode)
		return 0;
	top = bio_is_top(bio, inode->sdev);
	how = inode->flags & ABI_INODE_BACKING ? ABI_DEVICE
	      : inode->flags & ABI_INODE_SHARED ? ABI_INODE : ABI_EXACT;
	if (inode->flags & ABI_INODE_SHARED)
		return parts_charge(bio, (__u64)nr << 32 | bytes, WHAT(op, how), top);
	if (top) {
		head = page_head((__u64)BPF_CORE_READ((const struct bio *)bio, bi_io_vec, bv_page));
		inode_written(nr, head, folio_pages_probe_read((const struct folio *)head), bytes);
	}
	return charge_to(bio, inode->owner, WHAT(op, how), bytes, 1);
}

/*
 * Charges a write of a file without an inode entry: it was evicted, or the file was dirtied before
 * we came. What is not under writeback is memory of direct I/O, which may be that of another file.
 */
__noinline __u32 charge_evicted(__u64 bio, __u64 mapping, __u32 op, __u32 bytes, __u32 me)
{
	const struct inode *host = BPF_CORE_READ((const struct address_space *)mapping, host);
	__u32 sdev = BPF_CORE_READ(host, i_sb, s_dev),
	      pages = bio_is_top(bio, sdev) ? (bytes + (1u << page_shift) - 1) >> page_shift : 0;
	struct task_slot *slot = task_slot(false);
	__u64 is;

	is = evicted_written(evicted_id(mapping, BPF_CORE_READ(host, i_ino),
				    BPF_CORE_READ(host, i_generation), sdev),
			   pages);
	if (is)
		me = EVICTED_REF(is);
	else if ((slot && slot->flags & SLOT_KTHREAD) ||
		 page_in_writeback((__u64)BPF_CORE_READ((const struct bio *)bio, bi_io_vec,
							bv_page)))
		me = ABI_UNATTRIBUTED;
	return charge_to(bio, me, WHAT(op, ABI_EXACT), bytes, 1);
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
		owner = loop ? disk_last(loop, false) : throttled_find(bio);
		if (!owner && !loop)
			return charge_to(bio, me, WHAT(op, ABI_EXACT), bytes, 1);
		return charge_to(bio, owner ? owner : ABI_UNATTRIBUTED,
			       WHAT(op, loop ? ABI_DEVICE : ABI_CGROUP), bytes, 1);
	}
	if (flags & KERNEL_REQ_META ||
	    ((BPF_CORE_READ(host, i_mode) & KERNEL_S_IFMT) == KERNEL_S_IFBLK &&
	     bdev_inode_mounted(host)))
		return charge_to(bio,
				 slot && slot->flags & SLOT_JOURNAL ? ABI_JOURNAL : ABI_METADATA,
				 WHAT(op, ABI_EXACT), bytes, 1);
	nr = inode_find(mapping);
	if (nr && inode_is(nr, ino, BPF_CORE_READ(host, i_generation), sdev))
		return charge_dirtiers(bio, nr, op, bytes);
	return charge_evicted(bio, mapping, op, bytes, me);
}

/* Charges a bio of a kernel thread that has no pages of a file. */
__noinline __u32 charge_kthread(__u64 bio, __u32 op, __u32 bytes, __u32 me)
{
	__u32 place = disk_find((__u64)bio_gendisk((const struct bio *)bio)), owner;
	struct abi_disk *disk = bpf_map_lookup_elem(&disks, &place);
	struct task_slot *slot = task_slot(false);

	if (slot && slot->flags & SLOT_JOURNAL)
		return charge_to(bio, ABI_JOURNAL, WHAT(op, ABI_EXACT), bytes, 1);
	owner = memory_owner(bio);
	if (owner)
		return charge_to(bio, owner, WHAT(op, ABI_EXACT), bytes, 1);
	if (disk && disk->upper)
		owner = op == ABI_READ ? disk_recent(disk->upper) : disk_last(disk->upper, true);
	if (owner)
		return charge_to(bio, owner, WHAT(op, ABI_DEVICE), bytes, 1);
	if (BPF_CORE_READ((const struct bio *)bio, bi_opf) & KERNEL_REQ_META && op != ABI_READ)
		return charge_to(bio, ABI_METADATA, WHAT(op, ABI_EXACT), bytes, 1);
	owner = throttled_find(bio);
	return owner ? charge_to(bio, owner, WHAT(op, ABI_CGROUP), bytes, 1)
		     : charge_to(bio, me, WHAT(op, ABI_EXACT), bytes, 1);
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

		if (op == ABI_WRITE && flags & KERNEL_REQ_SWAP)
			return charge_swap(at, op, bytes);
		mapping = op == ABI_DISCARD ? 0 : bio_mapping(bio);
		if (mapping)
			return charge_file(at, mapping, op, bytes, me);
		if (kthread)
			return charge_kthread(at, op, bytes, me);
	}
	return charge_to(kernel_address(address(bio)), me, WHAT(op, ABI_EXACT), bytes, 1);
}

#endif

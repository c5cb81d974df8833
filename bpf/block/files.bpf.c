/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files behind the I/O, by whom it was caused for: told from the pages of a bio where it is
 * queued. What is of no file is counted as well, so that sums are whole. The name of a file is
 * taken down when it is seen first, and once in an interval from then on: it may be renamed.
 */
#include <linux/errno.h>

#include "bpf/abi.h"
#include "bpf/block/file_dirty.h"
#include "bpf/block/file_flight.h"
#include "bpf/common/address.h"
#include "bpf/common/bio_inode.h"
#include "bpf/common/block_anchor.h"
#include "bpf/common/argument.h"
#include "bpf/common/array.h"
#include "bpf/common/file.h"
#include "bpf/common/kernel.h"
#include "bpf/common/file_name.h"
#include "bpf/common/hist.h"
#include "bpf/common/inode_number.h"
#include "bpf/common/longest.h"
#include "bpf/common/op.h"

char LICENSE[] SEC("license") = "GPL";

HASH_MAP(fileios, 1, struct abi_file_key, struct abi_file);	/* set by user space */

/* Of the block programs, as they have it. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(map_flags, BPF_F_NO_COMMON_LRU);
	__uint(max_entries, 1);
	__type(key, struct abi_part_key);
	__type(value, struct abi_part);
} block_parts SEC(".maps");

HASH_MAP(files_rest, ABI_DISKS, __u32, struct abi_file_rest);

/* A new entry is too large for the stack. Its counters stay 0. */
CPU_ARRAY(fresh, 1, struct abi_file);

volatile __u32 epoch;		/* number of the interval; user space writes it */
volatile __u64 files_full;	/* I/Os of files for which there was no room */

/*
 * Takes down the names of the file (its inode) whose entry this is, unless it has none any more.
 * other: the number of the inode went to another file, the names that are there are not its own.
 */
_always_ void names_refresh(struct abi_file *file, struct abi_file *scratch, __u64 address,
			    bool other)
{
	const struct inode *inode = (const struct inode *)address;

	names_read(&scratch->at, inode);
	if (inode_deleted(inode))
		scratch->at.flags |= ABI_FILE_DELETED;
	scratch->at.epoch = file->at.epoch = epoch;
	if (!other && !scratch->at.count) {
		file->at.flags |= scratch->at.flags & ABI_FILE_DELETED;
		return;
	}
	/* As a whole: user space may be reading what is mostly the same as before. */
	bpf_probe_read_kernel(&file->at, sizeof(file->at), &scratch->at);
}

/* inode: its address, or what there is in place of a file (ABI_NO_FILE and so on). */
_always_ struct abi_file *file_get(const struct abi_file_key *key, __u64 inode)
{
	struct abi_file *file = bpf_map_lookup_elem(&fileios, key), *scratch;
	__u32 gen = 0, zero = 0;
	bool deleted;

	if (file && inode < ABI_NO_FILES)
		return file;
	if (inode >= ABI_NO_FILES)
		gen = BPF_CORE_READ((const struct inode *)inode, i_generation);
	deleted = inode >= ABI_NO_FILES && inode_deleted((const struct inode *)inode);
	/* What had no name at first may have one by now, as what an overlay copies up. */
	if (file && file->at.gen == gen && file->at.epoch == epoch &&
	    (deleted || !(file->at.flags & ABI_FILE_DELETED))) {
		/* Of what is deleted between two of its I/Os the second one tells. */
		if (deleted)
			file->at.flags |= ABI_FILE_DELETED;
		return file;
	}
	scratch = bpf_map_lookup_elem(&fresh, &zero);
	if (!scratch)
		return NULL;
	scratch->at.gen = gen;
	if (file) {
		names_refresh(file, scratch, inode, file->at.gen != gen);
		return file;
	}
	if (inode >= ABI_NO_FILES) {
		names_refresh(scratch, scratch, inode, false);
	} else {
		scratch->at.count = scratch->at.flags = 0;
	}
	/* Memory that was not ready is there at the second try (bpf_map_grow()). */
	if (bpf_map_update_elem(&fileios, key, scratch, BPF_NOEXIST) == -ENOMEM)
		bpf_map_update_elem(&fileios, key, scratch, BPF_NOEXIST);
	return bpf_map_lookup_elem(&fileios, key);
}

/* For files there was no room: their I/O by disk, so that sums are whole. */
_always_ void rest_count(__u32 dev, bool reads, __u32 bytes)
{
	struct abi_file_rest *rest = bpf_map_lookup_elem(&files_rest, &dev);
	struct abi_file_rest none = {};

	add(files_full, 1);
	if (!rest) {
		bpf_map_update_elem(&files_rest, &dev, &none, BPF_NOEXIST);
		rest = bpf_map_lookup_elem(&files_rest, &dev);
	}
	if (!rest)
		return;
	if (reads) {
		add(rest->read, bytes);
		add(rest->rios, 1);
	} else {
		add(rest->write, bytes);
		add(rest->wios, 1);
	}
}

/*
 * Counts bytes of a bio for one of its owners. inode: as for file_get(). op_bytes: the operation
 * above the bytes. bio: its address, if this is where its latency goes; else 0.
 */
__noinline int file_count(__u64 inode, __u32 dev, __u32 owner, __u64 op_bytes, __u64 bio)
{
	struct abi_file_key key = { .ino = inode, .dev = dev, .owner = owner };
	bool reads = op_bytes >> 32 == ABI_READ;
	__u32 bytes = op_bytes;
	struct abi_file *file;

	if (inode >= ABI_NO_FILES) {
		key.ino = inode_number(inode);
		key.sdev = BPF_CORE_READ((const struct inode *)inode, i_sb, s_dev);
	}
	file = file_get(&key, inode);
	if (!file) {
		rest_count(dev, reads, bytes);
		return 0;
	}
	if (reads) {
		add(file->read, bytes);
		add(file->rios, 1);
	} else {
		add(file->write, bytes);
		add(file->wios, 1);
	}
	if (bio)
		flight_begin(bio, &key);
	return 0;
}

/*
 * The same for one of several owners, who is the first where nobody was counted before (owner 0
 * leads to him). Returns the next one.
 */
__noinline __u32 file_count_part(__u64 inode, __u32 dev, __u64 bio, __u32 owner, bool first)
{
	struct abi_part_key key = { .bio = bio, .owner = owner };
	const struct abi_part *part = bpf_map_lookup_elem(&block_parts, &key);

	if (!part)
		return 0;
	if (owner)
		file_count(inode, dev, owner, (__u64)ABI_WRITE << 32 | part->bytes,
			   first ? bio : 0);
	return part->next;
}

_always_ bool is_device(const struct inode *inode)
{
	return (BPF_CORE_READ(inode, i_mode) & KERNEL_S_IFMT) == KERNEL_S_IFBLK;
}

/* The buffers of a file system are pages of its disk, which nobody locks to read them. */
_always_ bool is_metadata(const struct bio *bio)
{
	const struct bio_vec *vec = BPF_CORE_READ(bio, bi_io_vec);
	const struct inode *host;
	__u64 mapping;

	if (BPF_CORE_READ(bio, bi_opf) & KERNEL_REQ_META)
		return true;
	mapping = vec ? page_mapping(page_head((__u64)BPF_CORE_READ(vec, bv_page))) : 0;
	if (!mapping || mapping & 3)
		return false;
	host = BPF_CORE_READ((const struct address_space *)mapping, host);
	return is_device(host) && bdev_inode_mounted(host);
}

/* The file, or what there is in place of one; how: of the counter (enum abi_how). */
_always_ __u64 file_or_none(const struct bio *bio, __u64 address, __u32 how)
{
	const struct inode *inode =
		(const struct inode *)bio_inode(address, AT(iomap_dio_bio_end_io));

	if (inode && !is_device(inode))
		return (__u64)inode;
	if (how == ABI_DEVICE)
		return ABI_FILE_BELOW;
	if (!inode)
		return is_metadata(bio) ? ABI_FILE_METADATA : ABI_NO_FILE;
	return bdev_inode_mounted(inode) ? ABI_FILE_METADATA : ABI_FILE_DEVICE;
}

_always_ int on_bio_queue(__u64 *ctx, int of)
{
	__u64 address = argument(ctx, of), file;
	const struct bio *bio = (const struct bio *)address;
	__u32 bytes = BPF_CORE_READ(bio, bi_iter.bi_size),
	      op = op_of(BPF_CORE_READ(bio, bi_opf), !bytes), charged, owner, dev, place;
	const struct gendisk *disk = bio_gendisk(bio);
	const struct abi_counter *counter;

	if (!bytes || !disk || (op != ABI_READ && op != ABI_WRITE))
		return 0;
	dev = gendisk_dev(disk);
	charged = charged_as(address - anchor());
	place = ABI_COUNTER_PLACE(charged);
	counter = place ? bpf_map_lookup_elem(&block_counters, &place) : NULL;
	file = file_or_none(bio, address, counter ? counter->key.how : ABI_LOST);
	if (charged & ABI_SEVERAL) {
		owner = file_count_part(file, dev, address, 0, false);
		for (int i = 0; i < ABI_PARTS && owner; i++)
			owner = file_count_part(file, dev, address, owner, !i);
		return 0;
	}
	/* Counters of what is nobody's have no key. */
	owner = counter && counter->key.owner ? counter->key.owner : ABI_UNATTRIBUTED;
	file_count(file, dev, owner, (__u64)op << 32 | bytes, address);
	return 0;
}

TWO_FORMS(file_bio_queue, block_bio_queue, on_bio_queue, 1)

/* begun: when its request did. */
_always_ void flight_end(struct file_flight *f, __u64 begun, __u64 now)
{
	__u64 ns = bio_latency(f->start, begun, now);
	__u32 bucket = abi_hist_bucket(ns);
	struct abi_file_key key = f->key;
	struct abi_file *file;
	bool timed = f->start;

	f->bio = 0;
	file = bpf_map_lookup_elem(&fileios, &key);
	if (!file)
		return;
	if (!timed) {
		add(file->untimed, 1);
		return;
	}
	add(file->done, 1);
	add(file->lat_ns, ns);
	longest_add(file->max, epoch, ns);
	bucket = bucket ? 1 + ((bucket - 1) >> 3) : 0;
	if (bucket < ABI_FILE_BUCKETS)
		add(file->hist[bucket], 1);
}

/*
 * Ends the part of a bio, or of the bio it was split from, that is among so many completed bytes
 * (0: it ends as a whole). Returns how many are left for the bios that follow.
 */
__noinline __u32 flight_done(__u64 bio, __u32 bytes, __u64 begun, __u64 now)
{
	__u32 size = BPF_CORE_READ((const struct bio *)bio, bi_iter.bi_size);
	struct file_flight *f = flight_find(bio);
	__u64 parent;

	if (!f) {
		parent = (__u64)BPF_CORE_READ((const struct bio *)bio, bi_private);
		f = parent ? flight_find(parent) : NULL;
	}
	if (size > bytes)
		size = bytes;
	if (f && bytes && size < f->left)
		f->left -= size;
	else if (f)
		flight_end(f, begun, now);
	return bytes - size;
}

#define WALK 512	/* most bios of one request that are looked at */

/* As rq_complete() of the block programs, which says what the events are. */
__noinline int flights_done(__u64 request, __u32 bytes)
{
	const struct request *rq = (const struct request *)request;
	__u64 bio = (__u64)BPF_CORE_READ(rq, bio), begun = BPF_CORE_READ(rq, start_time_ns),
	      now = ended_at(request);

	if (!bio || flags_of_flush_sequence(BPF_CORE_READ(rq, rq_flags)))
		return 0;
	bytes = flight_done(bio, bytes, begun, now);
	for (int i = 0; i < WALK && bytes; i++) {
		bio = (__u64)BPF_CORE_READ((const struct bio *)bio, bi_next);
		if (!bio)
			break;
		bytes = flight_done(bio, bytes, begun, now);
	}
	return 0;
}

SEC("tp_btf/block_rq_complete")
int file_rq_complete(__u64 *ctx)
{
	return flights_done(argument(ctx, 0), argument(ctx, 2));
}

/* Of drivers without requests; and of a bio that failed before it had one, and is queued again. */
SEC("tp_btf/block_bio_complete")
int file_bio_complete(__u64 *ctx)
{
	__u64 bio = argument(ctx, 1);
	struct file_flight *f = flight_find(bio);
	__u64 now;

	if (!f)
		return 0;
	now = ended_at(bio);
	if (BPF_CORE_READ((const struct bio *)bio, bi_status) &&
	    !gendisk_bio_based(bio_gendisk((const struct bio *)bio)))
		f->bio = 0;
	else
		flight_end(f, now, now);
	return 0;
}

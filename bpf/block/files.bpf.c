/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files behind the I/O, by whom it was caused for: told from the pages of a bio where it is
 * queued. The name of a file is taken down when it is seen for the first time.
 */
#include "bpf/abi.h"
#include "bpf/common/address.h"
#include "bpf/common/bio_file.h"
#include "bpf/common/block_anchor.h"
#include "bpf/common/argument.h"
#include "bpf/common/array.h"
#include "bpf/common/file.h"
#include "bpf/common/kernel.h"
#include "bpf/common/file_name.h"
#include "bpf/common/op.h"

char LICENSE[] SEC("license") = "GPL";

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct iomap_dio {
	struct kiocb *iocb;
};

struct bio___end {
	void *bi_end_io;
};

#pragma clang attribute pop

HASH_MAP(fileios, 1, struct abi_file_key, struct abi_file);	/* set by user space */

/* Of the block programs, as they have it. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(map_flags, BPF_F_NO_COMMON_LRU);
	__uint(max_entries, 1);
	__type(key, struct abi_part_key);
	__type(value, struct abi_part);
} block_parts SEC(".maps");

/* A new entry is too large for the stack. */
CPU_ARRAY(fresh, 1, struct abi_file);

volatile __u64 files_full;	/* I/Os of files for which there was no room */

/*
 * The file of a bio, or of the direct I/O it is part of: what ends one of iomap's tells that its
 * private data leads to the file. NULL: none.
 */
_always_ const struct inode *bio_inode(const struct bio *bio, __u64 address)
{
	__u64 end = (__u64)BPF_CORE_READ((const struct bio___end *)bio, bi_end_io), mapping, file;
	const struct iomap_dio *dio = BPF_CORE_READ(bio, bi_private);

	if (bpf_core_field_exists(dio->iocb) && end && end == AT(iomap_dio_bio_end_io))
		return BPF_CORE_READ(dio, iocb, ki_filp, f_inode);
	mapping = btrfs_mapping(address);
	if (!mapping) {
		file = bio_file(address, BPF_CORE_READ(bio, bi_opf), 0);
		mapping = file ? file_mapping(file) : 0;
	}
	return mapping ? BPF_CORE_READ((const struct address_space *)mapping, host) : NULL;
}

/* Numbers of inodes are used again: then the names are of another file. */
_always_ struct abi_file *file_get(const struct abi_file_key *key, const struct inode *inode)
{
	struct abi_file *file = bpf_map_lookup_elem(&fileios, key);
	__u32 gen = BPF_CORE_READ(inode, i_generation), zero = 0;

	if (file && file->at.gen == gen)
		return file;
	if (!file)
		file = bpf_map_lookup_elem(&fresh, &zero);
	if (!file)
		return NULL;
	file->at.gen = gen;
	names_read(&file->at, inode);
	bpf_map_update_elem(&fileios, key, file, BPF_NOEXIST);
	return bpf_map_lookup_elem(&fileios, key);
}

/* Counts bytes of a bio for one of its owners. op_bytes: the operation above the bytes. */
__noinline int file_count(__u64 inode_address, __u32 dev, __u32 owner, __u64 op_bytes)
{
	const struct inode *inode = (const struct inode *)inode_address;
	struct abi_file_key key = {
		.ino = BPF_CORE_READ(inode, i_ino),
		.sdev = BPF_CORE_READ(inode, i_sb, s_dev),
		.dev = dev,
		.owner = owner,
	};
	struct abi_file *file = file_get(&key, inode);
	__u32 bytes = op_bytes;

	if (!file) {
		add(files_full, 1);
		return 0;
	}
	if (op_bytes >> 32 == ABI_READ)
		add(file->read, bytes);
	else
		add(file->write, bytes);
	return 0;
}

/* The same for one of several owners. Returns the next one. */
__noinline __u32 file_count_part(__u64 inode, __u32 dev, __u64 bio, __u32 owner)
{
	struct abi_part_key key = { .bio = bio, .owner = owner };
	const struct abi_part *part = bpf_map_lookup_elem(&block_parts, &key);

	if (!part)
		return 0;
	if (owner)
		file_count(inode, dev, owner, (__u64)ABI_WRITE << 32 | part->bytes);
	return part->next;
}

_always_ int on_bio_queue(__u64 *ctx, int of)
{
	__u64 address = argument(ctx, of);
	const struct bio *bio = (const struct bio *)address;
	__u32 bytes = BPF_CORE_READ(bio, bi_iter.bi_size),
	      op = op_of(BPF_CORE_READ(bio, bi_opf), !bytes), owner, dev;
	const struct gendisk *disk = bio_gendisk(bio);
	const struct abi_counter *counter;
	const struct inode *inode;

	if (!bytes || !disk || (op != ABI_READ && op != ABI_WRITE))
		return 0;
	inode = bio_inode(bio, address);
	if (!inode || (BPF_CORE_READ(inode, i_mode) & KERNEL_S_IFMT) == KERNEL_S_IFBLK)
		return 0;
	dev = gendisk_dev(disk);
	owner = charged_as(address - anchor());
	if (owner & ABI_SEVERAL) {
		owner = file_count_part((__u64)inode, dev, address, 0);
		for (int i = 0; i < ABI_PARTS && owner; i++)
			owner = file_count_part((__u64)inode, dev, address, owner);
		return 0;
	}
	counter = charged_bio(address);
	if (counter)
		/* Counters of what is nobody's have no key. */
		file_count((__u64)inode, dev,
			   counter->key.owner ? counter->key.owner : ABI_UNATTRIBUTED,
			   (__u64)op << 32 | bytes);
	return 0;
}

TWO_FORMS(file_bio_queue, block_bio_queue, on_bio_queue, 1)

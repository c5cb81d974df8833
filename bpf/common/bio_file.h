/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file that a bio is I/O of: whose pages it writes back or reads in. The pages of direct I/O
 * are memory, which may itself be a file's (mapped, or shared): that file is not written.
 */
#ifndef IOTOP_BPF_COMMON_BIO_FILE_H
#define IOTOP_BPF_COMMON_BIO_FILE_H

#include "bpf/common/kernel.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct page___private {
	unsigned long private;
};

struct inode___mapping {
	struct address_space *i_mapping;
};

struct bio_set {
	unsigned int front_pad;	/* bytes of a larger struct before each bio */
};

struct bio___pool {
	struct bio_set *bi_pool;
};

/* btrfs: known in BTF when it is built in, or its module was loaded before us (5.11). */
struct btrfs_key {
	__u64 objectid;
};

struct btrfs_root {
	struct btrfs_key root_key;
};

struct btrfs_inode {
	struct btrfs_root *root;
	struct inode vfs_inode;
};

struct btrfs_bio {
	struct btrfs_inode *inode;	/* 6.3 */
	void *private;
	struct bio bio;
};

struct compressed_bio {
	__u64 start;		/* where in the file it begins, bytes */
	unsigned int len;	/* bytes of the file */
	unsigned int compressed_len;	/* on disk; not in 7.2: it is one bio */
	struct btrfs_bio bbio;			/* 6.3; before, `private' of one leads here */
};

struct btrfs_dio_private {
	struct btrfs_bio bbio;	/* 6.3 */
};

struct compressed_bio___inode {
	struct inode *inode;	/* before 6.3 */
};

struct btrfs_io_context {
	struct bio *orig_bio;
};

struct btrfs_io_stripe {
	struct btrfs_io_context *bioc;
};

#pragma clang attribute pop

#define KERNEL_BTRFS_MAGIC 0x9123683e
/* Most bytes of a file that btrfs compresses at a time. */
#define KERNEL_BTRFS_COMPRESSED (128u << 10)

/* wbt_should_throttle() of the kernel tells direct writes by this, too. Journals add META. */
_always_ bool direct_write(__u32 opf)
{
	return (opf & (KERNEL_REQ_IDLE | KERNEL_REQ_META)) == KERNEL_REQ_IDLE;
}

/* The mapping of a page, or of the page that a page belongs to; 0: none. */
_always_ __u64 page_mapping(__u64 head)
{
	__u64 mapping = 0;

	bpf_core_read(&mapping, sizeof(mapping), &((const struct page *)head)->mapping);
	return mapping;
}

/* Bios that are part of something else lie elsewhere in that: compressed ones, direct I/O. */
_always_ bool in_btrfs_bio(__u64 bio)
{
	__u32 pad = BPF_CORE_READ((const struct bio___pool *)bio, bi_pool, front_pad),
	      at = bpf_core_field_offset(struct btrfs_bio, bio);

	if (bpf_core_field_exists(((struct compressed_bio *)0)->bbio) &&
	    pad == at + bpf_core_field_offset(struct compressed_bio, bbio))
		return true;
	if (bpf_core_field_exists(((struct btrfs_dio_private *)0)->bbio) &&
	    pad == at + bpf_core_field_offset(struct btrfs_dio_private, bbio))
		return true;
	return pad == at;
}

/*
 * The struct btrfs_bio of a bio of btrfs, or of the bio it is a copy of, for one disk more. 0: it
 * is not btrfs's.
 */
__noinline __u64 btrfs_bio_of(__u64 bio)
{
	if (!bpf_core_field_exists(((struct btrfs_bio *)0)->bio))
		return 0;
	if (!in_btrfs_bio(bio)) {
		const struct btrfs_io_stripe *stripe =
			BPF_CORE_READ((const struct bio *)bio, bi_private);

		bio = (__u64)BPF_CORE_READ(stripe, bioc, orig_bio);
		if (!bio || !in_btrfs_bio(bio))
			return 0;
	}
	return bio - bpf_core_field_offset(struct btrfs_bio, bio);
}

/* The mapping of the file of a bio of btrfs, whatever its pages are. 0: not known. */
__noinline __u64 btrfs_mapping(__u64 bio)
{
	const struct btrfs_bio *of = (const struct btrfs_bio *)btrfs_bio_of(bio);
	const struct compressed_bio___inode *compressed;
	__u64 inode = 0;

	if (!of)
		return 0;
	if (bpf_core_field_exists(of->inode)) {
		inode = (__u64)BPF_CORE_READ(of, inode) +
			bpf_core_field_offset(struct btrfs_inode, vfs_inode);
	} else if (bpf_core_field_exists(((struct compressed_bio___inode *)0)->inode)) {
		compressed = BPF_CORE_READ(of, private);
		inode = (__u64)BPF_CORE_READ(compressed, inode);
	}
	if (BPF_CORE_READ((const struct inode *)inode, i_sb, s_magic) != KERNEL_BTRFS_MAGIC)
		return 0;
	return (__u64)BPF_CORE_READ((const struct inode___mapping *)inode, i_mapping);
}

/* The struct compressed_bio of a bio of btrfs, 0: it has none. */
_always_ __u64 compressed_of(__u64 bio)
{
	__u64 of = btrfs_bio_of(bio);

	if (!of || !bpf_core_field_exists(((struct compressed_bio *)0)->len))
		return 0;
	if (bpf_core_field_exists(((struct compressed_bio *)0)->bbio))
		return of - bpf_core_field_offset(struct compressed_bio, bbio);
	return (__u64)BPF_CORE_READ((const struct btrfs_bio *)of, private);
}

/* Where in its file what a bio of btrfs has compressed begins, bytes. */
__noinline __u64 btrfs_begin(__u64 bio)
{
	__u64 of = compressed_of(bio);

	return of && bpf_core_field_exists(((struct compressed_bio *)0)->start)
		       ? BPF_CORE_READ((const struct compressed_bio *)of, start) : 0;
}

/* How many bytes of its file a bio of btrfs stands for, which has so many. */
__noinline __u32 btrfs_expanded(__u64 bio, __u32 bytes)
{
	__u64 of = compressed_of(bio), len, on_disk;

	if (!of)
		return bytes;
	len = BPF_CORE_READ((const struct compressed_bio *)of, len);
	on_disk = bytes;
	if (bpf_core_field_exists(((struct compressed_bio *)0)->compressed_len))
		on_disk = BPF_CORE_READ((const struct compressed_bio *)of, compressed_len);
	if (on_disk < bytes || len < on_disk || len > KERNEL_BTRFS_COMPRESSED)
		return bytes;
	return len * bytes / on_disk;
}

/* The page of a file that fscrypt writes by this page, which has its encrypted bytes. 0: none. */
_always_ __u64 encrypted_page(__u64 page)
{
	__u64 of = page_head(BPF_CORE_READ((const struct page___private *)page, private)),
	      mapping = page_mapping(of);
	const struct inode *host;

	if (!mapping || mapping & 3 || !(page_flags(of) & PAGE_FLAG(writeback)))
		return 0;
	host = BPF_CORE_READ((const struct address_space *)mapping, host);
	return (__u64)BPF_CORE_READ((const struct inode___mapping *)host, i_mapping) == mapping
		       ? of : 0;
}

/* The page of a file that is written by this page; 0: there is no single one. */
__noinline __u64 file_page(__u64 page)
{
	__u64 head = page_head(page);

	return page_mapping(head) ? page : encrypted_page(head);
}

/* Whether a file is on the disk of a bio itself, not on a disk stacked above it. */
__noinline int file_lies_on(__u64 inode, __u64 bio)
{
	const struct inode *host = (const struct inode *)inode;
	const struct block_device *bdev;

	bdev = (BPF_CORE_READ(host, i_mode) & KERNEL_S_IFMT) == KERNEL_S_IFBLK
		       ? bdev_of_inode(host) : BPF_CORE_READ(host, i_sb, s_bdev);
	return bdev && BPF_CORE_READ(bdev, bd_disk) == bio_gendisk((const struct bio *)bio);
}

#define BY_KTHREAD 1
#define BY_JOURNAL 2

/*
 * A file as bio_file() finds it: the page of it, or the head of the folio, that a bio begins with;
 * with this bit the mapping, where no page of a bio is one of its file. 0: none.
 */
#define FILE_NO_PAGE 1

_always_ __u64 file_mapping(__u64 file)
{
	return file & FILE_NO_PAGE ? file - FILE_NO_PAGE : page_mapping(file);
}

/*
 * The file of a bio with these flags that a task of this kind (BY_*) queues; 0: it is of none, or
 * direct I/O. Pages that are written back are marked so, those read in are locked, at all the disks
 * they come by. A journal and what follows it write buffers without such marks, and so does f2fs
 * with compressed pages. What a kernel thread writes direct may be what the disk above writes back.
 */
__noinline __u64 bio_file(__u64 bio, __u32 opf, __u32 by)
{
	bool writes = opf & 1, direct = writes && direct_write(opf);
	__u64 vec = (__u64)BPF_CORE_READ((const struct bio *)bio, bi_io_vec), head, mapping, host;
	unsigned long flags;

	if (!vec)
		return 0;
	head = page_head((__u64)BPF_CORE_READ((const struct bio_vec *)vec, bv_page));
	mapping = page_mapping(head);
	if (!mapping && writes) {
		__u64 of = encrypted_page(head);

		if (of) {
			head = of;
			mapping = page_mapping(of);
		}
	}
	/* Low bits mark anonymous and movable pages. */
	if (!mapping || mapping & 3) {
		mapping = direct ? 0 : btrfs_mapping(bio);
		return mapping ? mapping | FILE_NO_PAGE : 0;
	}
	flags = page_flags(head);
	if (!writes)
		return flags & PAGE_FLAG(locked) ? head : 0;
	if (flags & PAGE_FLAG(writeback) && !direct)
		return head;
	host = (__u64)BPF_CORE_READ((const struct address_space *)mapping, host);
	if (flags & PAGE_FLAG(writeback))
		return by & BY_KTHREAD && !file_lies_on(host, bio) ? head : 0;
	if (direct)
		return 0;
	return by & BY_JOURNAL || file_lies_on(host, bio) ||
	       (BPF_CORE_READ((const struct inode *)host, i_mode) & KERNEL_S_IFMT) ==
		       KERNEL_S_IFBLK ? head : 0;
}

/* Whether the page of a file is written back: not a journal's copy, nor in place of such. */
_always_ bool file_writes_back(__u64 file)
{
	return !(file & FILE_NO_PAGE) && page_flags(file) & PAGE_FLAG(writeback);
}

/*
 * Whether a write of a file or block device (its inode) is metadata; meta: it is marked so. A
 * journal's copies of data, and what is written in their place, are marked as well.
 */
_always_ bool file_is_metadata(__u64 file, const struct inode *inode, bool meta)
{
	__u32 type = BPF_CORE_READ(inode, i_mode) & KERNEL_S_IFMT;

	if (type == KERNEL_S_IFBLK && bdev_inode_mounted(inode))
		return true;
	return meta && (type != KERNEL_S_IFREG || file_writes_back(file));
}

/* Whether a journal has the first buffer of a page of a file. */
__noinline int page_in_journal(__u64 page)
{
	const struct buffer_head *first =
		(const void *)BPF_CORE_READ((const struct page___private *)page, private);

	/* It may as well be something else. */
	return (__u64)BPF_CORE_READ(first, b_page) == page &&
	       BPF_CORE_READ(first, b_state) &
		       1ul << bpf_core_enum_value(enum bh_state_bits, BH_PrivateStart);
}

#endif

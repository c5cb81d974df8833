/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file of a bio, also of direct I/O, as an inode. */
#ifndef IOTOP_BPF_COMMON_BIO_INODE_H
#define IOTOP_BPF_COMMON_BIO_INODE_H

#include "bpf/common/bio_file.h"
#include "bpf/common/file.h"
#include "bpf/common/kernel.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct kiocb___pos {
	__s64 ki_pos;
};

/* All of one call; its size grows until the last of its bios is submitted. */
struct iomap_dio {
	struct kiocb *iocb;
	__u64 size;
};

struct bio___end {
	void *bi_end_io;
};

#pragma clang attribute pop

/*
 * Whether a bio is part of iomap's direct I/O, whose bios end in the function at this address (0:
 * not known): then its private data leads to the file.
 */
_always_ bool bio_is_direct(__u64 bio, __u64 dio_end)
{
	__u64 end = (__u64)BPF_CORE_READ((const struct bio___end *)bio, bi_end_io);

	return bpf_core_field_exists(((struct iomap_dio *)0)->iocb) && end && end == dio_end;
}

/* The inode (address) of the file of a bio, or of the direct I/O it is part of. 0: none. */
_always_ __u64 bio_inode(__u64 bio, __u64 dio_end)
{
	const struct iomap_dio *dio;
	__u64 mapping, file;

	if (bio_is_direct(bio, dio_end)) {
		dio = BPF_CORE_READ((const struct bio *)bio, bi_private);
		return (__u64)BPF_CORE_READ(dio, iocb, ki_filp, f_inode);
	}
	mapping = btrfs_mapping(bio);
	if (!mapping) {
		file = bio_file(bio, BPF_CORE_READ((const struct bio *)bio, bi_opf), 0);
		mapping = file ? file_mapping(file) : 0;
	}
	return mapping ? (__u64)BPF_CORE_READ((const struct address_space *)mapping, host) : 0;
}

#endif

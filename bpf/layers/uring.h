/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests of io_uring, from submission to completion: no task waits in a call for them. */
#ifndef IOTOP_BPF_LAYERS_URING_H
#define IOTOP_BPF_LAYERS_URING_H

#include <linux/io_uring.h>

#include "bpf/layers/aio.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct io_cqe {
	__s32 res;
};

struct io_kiocb {
	struct file *file;
	__u8 opcode;
	struct io_cqe cqe;	/* 5.19 */
};

struct io_kiocb___result {
	__s32 result;	/* before */
};

#pragma clang attribute pop

/* By the address of the request. */
LRU_MAP(uring_pending, 16384, __u64, struct pending);

_always_ __u32 uring_op(__u32 opcode)
{
	switch (opcode) {
	case IORING_OP_READV:
	case IORING_OP_READ_FIXED:
	case IORING_OP_READ:
		return ABI_LAYER_READ;
	case IORING_OP_WRITEV:
	case IORING_OP_WRITE_FIXED:
	case IORING_OP_WRITE:
		return ABI_LAYER_WRITE;
	case IORING_OP_FSYNC:
		return ABI_LAYER_FSYNC;
	case IORING_OP_SYNC_FILE_RANGE:
		return ABI_LAYER_RANGE;
	default:
		return ABI_LAYER_OPS;
	}
}

/* Bytes, or a negative errno. */
_always_ __s32 uring_result(const struct io_kiocb *req)
{
	const struct io_kiocb___result *old = (const struct io_kiocb___result *)req;

	if (bpf_core_field_exists(req->cqe))
		return BPF_CORE_READ(req, cqe.res);
	return bpf_core_field_exists(old->result) ? BPF_CORE_READ(old, result) : 0;
}

__noinline int uring_begin(__u64 request)
{
	struct pending p = {};

	if (!task_selected())
		return 0;
	pending_begin(&p);
	bpf_map_update_elem(&uring_pending, &request, &p, BPF_ANY);
	return 0;
}

/*
 * The file is known here, not always at submission. Before 5.17 the argument is no request but the
 * user_data of the process.
 */
__noinline int uring_end(__u64 request)
{
	const struct io_kiocb *req = (const struct io_kiocb *)request;
	struct pending *p = bpf_map_lookup_elem(&uring_pending, &request);
	struct abi_caller_key who;
	__u64 inode;
	__u32 op;

	if (!p)
		return 0;
	op = uring_op(BPF_CORE_READ(req, opcode));
	inode = op < ABI_LAYER_OPS ? (__u64)BPF_CORE_READ(req, file, f_inode) : 0;
	if (inode) {
		who = p->who;
		if (callers_enabled && p->comm[0])
			caller_file(&who, inode);
		pending_end(p, &who, inode_find(inode, LAYER_WHAT(ABI_LAYER_SYSCALL, op, 0)),
			    bpf_ktime_get_ns(), uring_result(req));
	}
	bpf_map_delete_elem(&uring_pending, &request);
	return 0;
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests of io_submit(), until the io_getevents() that reports their end. No tracepoint tells the
 * end itself: a request counts until it is asked for, and one that is taken from the shared ring
 * without a system call is not seen.
 */
#ifndef IOTOP_BPF_LAYERS_AIO_H
#define IOTOP_BPF_LAYERS_AIO_H

#include <linux/aio_abi.h>

#include "bpf/layers/caller.h"

#define AIO_MOST 256	/* requests of one call */

/* The address of a request in the process. */
struct aio_key {
	__u64 iocb;
	__u32 tgid, spare;
};

/* An operation that ends in another call or another task. */
struct pending {
	__u64 since;			/* ns of CLOCK_MONOTONIC */
	struct abi_caller_key who;
	char comm[ABI_COMM];		/* empty: nobody asked */
};

LRU_MAP(aio_pending, 16384, struct aio_key, struct pending);

volatile __u64 aio_missed;	/* requests that could not be read, or that were too many at once */

_always_ void pending_begin(struct pending *p)
{
	struct layer_frame none = {};

	p->since = bpf_ktime_get_ns();
	if (callers_enabled)
		caller_is(&p->who, p->comm, current_address(), &none);
}

/* who: a copy of p->who, to be completed. result: bytes, or a negative errno. */
_always_ void pending_end(const struct pending *p, struct abi_caller_key *who, __u32 entry,
			  __u64 now, __s64 result)
{
	if (now <= p->since)
		return;
	layer_count(entry, now - p->since);
	who->entry = entry;
	if (callers_enabled && p->comm[0] && entry && now - p->since >= min_ns)
		caller_charge(who, p->comm, p->since, now - p->since, result > 0 ? result : 0);
}

/* Fills in the file of a caller. */
_always_ void caller_file(struct abi_caller_key *who, __u64 inode_address)
{
	__u64 file = overlay_real(inode_address);

	who->ino = inode_number(file);
	who->sdev = BPF_CORE_READ((const struct inode *)file, i_sb, s_dev);
	file_is_known(file, inode_address);
}

_always_ __u32 aio_op(__u32 opcode)
{
	switch (opcode) {
	case IOCB_CMD_PREAD:
	case IOCB_CMD_PREADV:
		return ABI_LAYER_READ;
	case IOCB_CMD_PWRITE:
	case IOCB_CMD_PWRITEV:
		return ABI_LAYER_WRITE;
	case IOCB_CMD_FSYNC:
	case IOCB_CMD_FDSYNC:
		return ABI_LAYER_FSYNC;
	default:
		return ABI_LAYER_OPS;
	}
}

/* at: user address of the pointer to a request. */
__noinline int aio_begin(__u64 at)
{
	struct aio_key key = { .tgid = bpf_get_current_pid_tgid() >> 32 };
	struct pending p = {};
	struct iocb iocb;
	__u64 inode;
	__u32 op;

	if (bpf_probe_read_user(&key.iocb, sizeof(key.iocb), (const void *)at) ||
	    bpf_probe_read_user(&iocb, sizeof(iocb), (const void *)key.iocb)) {
		add(aio_missed, 1);
		return 0;
	}
	op = aio_op(iocb.aio_lio_opcode);
	inode = op < ABI_LAYER_OPS ? inode_of(iocb.aio_fildes) : 0;
	if (!inode)
		return 0;
	pending_begin(&p);
	p.who.entry = inode_find(inode, LAYER_WHAT(ABI_LAYER_SYSCALL, op, 0));
	if (!p.who.entry)
		return 0;
	if (callers_enabled)
		caller_file(&p.who, inode);
	bpf_map_update_elem(&aio_pending, &key, &p, BPF_ANY);
	return 0;
}

/* at: user address of a struct io_event. */
__noinline int aio_end(__u64 at)
{
	struct aio_key key = { .tgid = bpf_get_current_pid_tgid() >> 32 };
	struct abi_caller_key who;
	struct io_event event;
	struct pending *p;

	if (bpf_probe_read_user(&event, sizeof(event), (const void *)at)) {
		add(aio_missed, 1);
		return 0;
	}
	key.iocb = event.obj;
	p = bpf_map_lookup_elem(&aio_pending, &key);
	if (!p)
		return 0;
	who = p->who;
	pending_end(p, &who, who.entry, bpf_ktime_get_ns(), event.res);
	bpf_map_delete_elem(&aio_pending, &key);
	return 0;
}

/* list, n: arguments of io_submit(). */
__noinline int aio_submits(__u64 list, __u64 n)
{
	for (__u32 i = 0; i < AIO_MOST; i++) {
		if (i >= n)
			return 0;
		aio_begin(list + i * sizeof(__u64));
	}
	if (n > AIO_MOST)
		add(aio_missed, n - AIO_MOST);
	return 0;
}

/* events: filled by io_getevents() with n of them. */
__noinline int aio_reaps(__u64 events, __u64 n)
{
	for (__u32 i = 0; i < AIO_MOST; i++) {
		if (i >= n)
			return 0;
		aio_end(events + i * sizeof(struct io_event));
	}
	if (n > AIO_MOST)
		add(aio_missed, n - AIO_MOST);
	return 0;
}

#endif

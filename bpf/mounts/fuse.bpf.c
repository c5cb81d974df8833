/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The calls to processes that answer for file systems (FUSE): how many ended, how long they took,
 * and what they brought. The tracepoints are there since 6.11, in a module of many kernels.
 */
#include "bpf/abi_fuse.h"
#include "bpf/common/array.h"
#include "bpf/common/kernel.h"
#include "bpf/common/op.h"

char LICENSE[] SEC("license") = "GPL";

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct fuse_in_header {
	__u32 len, opcode;
};

struct fuse_out_header {
	__u32 len;
	int error;
};

struct fuse_conn {
	__u32 dev;	/* the device number of the file system */
};

struct fuse_mount {
	struct fuse_conn *fc;
};

struct fuse_req {
	struct {
		struct fuse_in_header h;
	} in;
	struct {
		struct fuse_out_header h;
	} out;
	struct fuse_mount *fm;
};

/* From 7.2 on: the connection by way of its channel. */
struct fuse_chan {
	struct fuse_conn *conn;
};

struct fuse_req___chan {
	struct fuse_chan *chan;
};

#pragma clang attribute pop

/* When a call was sent, ns, by the address of its request. */
LRU_MAP(sent, ABI_FUSE_CALLS, __u64, __u64);

HASH_MAP(mounts, ABI_FUSE_MOUNTS, __u32, struct abi_fuse);

/* <linux/fuse.h> */
#define CALL_READ 15
#define CALL_WRITE 16
#define IN_HEADER 40
#define OUT_HEADER 16
#define WRITE_HEADER 40

_always_ struct abi_fuse *mount_of(const struct fuse_req *req)
{
	const struct fuse_req___chan *by_chan = (const void *)req;
	__u32 dev = bpf_core_field_exists(by_chan->chan) ? BPF_CORE_READ(by_chan, chan, conn, dev)
							 : BPF_CORE_READ(req, fm, fc, dev);
	struct abi_fuse *m = bpf_map_lookup_elem(&mounts, &dev);

	if (!m) {
		struct abi_fuse fresh = {};

		bpf_map_update_elem(&mounts, &dev, &fresh, BPF_NOEXIST);
		m = bpf_map_lookup_elem(&mounts, &dev);
	}
	return m;
}

_always_ void count_bytes(struct abi_fuse *m, const struct fuse_req *req)
{
	__u32 op = BPF_CORE_READ(req, in.h.opcode), in = BPF_CORE_READ(req, in.h.len),
	      out = BPF_CORE_READ(req, out.h.len);

	if (op == CALL_READ && out > OUT_HEADER)
		add(m->read, out - OUT_HEADER);
	else if (op == CALL_WRITE && in > IN_HEADER + WRITE_HEADER)
		add(m->write, in - IN_HEADER - WRITE_HEADER);
}

SEC("raw_tp/fuse_request_send")
int fuse_send(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 req = ctx->args[0], now = bpf_ktime_get_ns();

	bpf_map_update_elem(&sent, &req, &now, BPF_ANY);
	return 0;
}

SEC("raw_tp/fuse_request_end")
int fuse_end(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 key = ctx->args[0], now = bpf_ktime_get_ns();
	const struct fuse_req *req = (const struct fuse_req *)key;
	const __u64 *since = bpf_map_lookup_elem(&sent, &key);
	struct abi_fuse *m = mount_of(req);

	if (!m)
		return 0;
	add(m->answers, 1);
	if (!since)
		return 0;
	add(m->calls, 1);
	add(m->ns, now - *since);
	bpf_map_delete_elem(&sent, &key);
	if (BPF_CORE_READ(req, out.h.error))
		add(m->errors, 1);
	else
		count_bytes(m, req);
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The calls to processes that answer for file systems (FUSE): how many ended, how long they took,
 * and what they brought. The tracepoints are there since 6.11, in a module of many kernels.
 */
#include "bpf/abi_fuse.h"
#include "bpf/common/array.h"
#include "bpf/common/kernel.h"
#include "bpf/common/op.h"
#include "bpf/common/pid.h"

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
	unsigned long flags;
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

/* The calls that were sent, by the address of the request. */
LRU_MAP(sent, ABI_FUSE_CALLS, __u64, struct abi_fuse_call);

LRU_MAP(callers, ABI_FUSE_CALLERS, struct abi_fuse_task, struct abi_fuse_wait);

HASH_MAP(mounts, ABI_FUSE_MOUNTS, __u32, struct abi_fuse);

/* <linux/fuse.h> */
#define REQUEST_BACKGROUND (1ul << 2)	/* FR_BACKGROUND of enum fuse_req_flag, since 4.2 */
#define CALL_READ 15
#define CALL_WRITE 16
#define IN_HEADER 40
#define OUT_HEADER 16
#define WRITE_HEADER 40

_always_ __u32 dev_of(const struct fuse_req *req)
{
	const struct fuse_req___chan *by_chan = (const void *)req;

	return bpf_core_field_exists(by_chan->chan) ? BPF_CORE_READ(by_chan, chan, conn, dev)
						    : BPF_CORE_READ(req, fm, fc, dev);
}

_always_ struct abi_fuse *mount_of(__u32 dev)
{
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

/* Runs in the task that calls, and then sleeps interruptibly; a call in the background in any. */
SEC("raw_tp/fuse_request_send")
int fuse_send(struct bpf_raw_tracepoint_args *ctx)
{
	const struct task_struct *task = (const struct task_struct *)bpf_get_current_task();
	const struct fuse_req *req = (const struct fuse_req *)ctx->args[0];
	struct abi_fuse_call call = { .since = bpf_ktime_get_ns(), .dev = dev_of(req) };
	__u64 key = ctx->args[0], ids;

	if (!(BPF_CORE_READ(req, flags) & REQUEST_BACKGROUND)) {
		ids = current_ids();
		call.task.tgid = ids >> 32;
		call.task.tid = (__u32)ids;
		call.task.start = BPF_CORE_READ(task, start_boottime);
	}
	bpf_map_update_elem(&sent, &key, &call, BPF_ANY);
	return 0;
}

_always_ void caller_count(const struct abi_fuse_call *call, __u64 ns)
{
	struct abi_fuse_task task = call->task;
	struct abi_fuse_wait fresh = { .ns = ns, .dev = call->dev }, *w;

	if (!task.tid)
		return;
	w = bpf_map_lookup_elem(&callers, &task);
	if (!w) {
		bpf_map_update_elem(&callers, &task, &fresh, BPF_ANY);
		return;
	}
	add(w->ns, ns);
	w->dev = call->dev;
}

#define ECONNABORTED 103

/*
 * Answers are written by a process of the server. A call also ends where its caller gives up, and
 * where the connection is cut, which anybody may do.
 */
_always_ void server_note(struct abi_fuse *m, const struct abi_fuse_call *call, int error)
{
	const struct task_struct *task = (const struct task_struct *)bpf_get_current_task();
	__u32 tgid = current_ids() >> 32;

	if (error == -ECONNABORTED || tgid == call->task.tgid ||
	    BPF_CORE_READ(task, flags) & KERNEL_PF_KTHREAD)
		return;
	m->server = tgid;
	BPF_CORE_READ_STR_INTO(&m->comm, task, group_leader, comm);
}

SEC("raw_tp/fuse_request_end")
int fuse_end(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 key = ctx->args[0], now = bpf_ktime_get_ns();
	const struct fuse_req *req = (const struct fuse_req *)key;
	const struct abi_fuse_call *call = bpf_map_lookup_elem(&sent, &key);
	struct abi_fuse *m = mount_of(dev_of(req));
	int error = BPF_CORE_READ(req, out.h.error);

	if (!m)
		return 0;
	add(m->answers, 1);
	if (!call)
		return 0;
	add(m->calls, 1);
	add(m->ns, now - call->since);
	caller_count(call, now - call->since);
	server_note(m, call, error);
	bpf_map_delete_elem(&sent, &key);
	if (error)
		add(m->errors, 1);
	else
		count_bytes(m, req);
	return 0;
}

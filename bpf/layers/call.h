/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Single system calls that took long, sent to the reader of events as they end. */
#ifndef IOTOP_BPF_LAYERS_CALL_H
#define IOTOP_BPF_LAYERS_CALL_H

#include "bpf/common/event_ring.h"
#include "bpf/common/pid.h"
#include "bpf/layers/caller.h"
#include "bpf/layers/layer.h"

/* Of the block programs, whose reader takes these as well. */
EVENT_RINGS(block_event_rings);

#define CALL_NAMES_SECONDS 10	/* then they are sent again: a file may be renamed */

/* Sends the names of a file, unless that was done lately. Returns its generation. */
__noinline __u32 call_name(__u64 ino, __u32 sdev, __u64 now)
{
	struct abi_names_key key = { .ino = ino, .sdev = sdev };
	struct abi_names *names = bpf_map_lookup_elem(&caller_files, &key);
	__u32 zero = 0, second = now / 1000000000 + 1;
	void *ring = bpf_map_lookup_elem(&block_event_rings, &zero);
	struct abi_event_file *to;

	if (!names || !ring)
		return 0;
	if (names->epoch && second - names->epoch < CALL_NAMES_SECONDS)
		return names->gen;
	to = event_ring_half_full(ring) ? NULL : bpf_ringbuf_reserve(ring, sizeof(*to), 0);
	if (!to)
		return names->gen;
	to->kind = ABI_EVENT_FILE;
	to->file.ino = ino;
	to->file.sdev = sdev;
	to->file.gen = names->gen;
	bpf_probe_read_kernel(&to->at, sizeof(to->at), names);
	names->epoch = second;
	bpf_ringbuf_submit(to, BPF_RB_NO_WAKEUP);
	return names->gen;
}

/* The current task, as an event has it. */
_always_ void call_task(struct abi_event_call *e)
{
	const struct task_struct *task = (const struct task_struct *)bpf_get_current_task();
	__u64 ids = current_ids();

	e->start = BPF_CORE_READ(task, start_boottime);
	e->cgroup = bpf_get_current_cgroup_id();
	e->tgid = ids >> 32;
	e->tid = (__u32)ids;
	e->uid = BPF_CORE_READ(task, real_cred, uid.val);
	bpf_get_current_comm(e->comm, sizeof(e->comm));
}

/* Sends the call that the current task is in, which ends now. */
__noinline int call_send(__s64 result, __u64 now)
{
	struct layer_task *t = layer_task(false);
	struct layer_frame *f = t ? &t->frame[FRAME_CALL] : NULL;
	__u32 zero = 0, entry = f ? f->entry : 0, gen;
	const struct abi_layer_entry *p = bpf_map_lookup_elem(&layer_entries, &entry);
	void *ring = bpf_map_lookup_elem(&block_event_rings, &zero);
	struct abi_event_call *e;

	if (!f || !p || !ring || !(event_ops >> (f->op & 31) & 1) ||
	    (event_errors && result >= 0) || !event_in_budget(now))
		return 0;
	gen = f->ino ? call_name(f->ino, f->sdev, now) : 0;
	e = bpf_ringbuf_reserve(ring, sizeof(*e), 0);
	if (!e) {
		add(events_full, 1);
		return 0;
	}
	e->kind = ABI_EVENT_CALL;
	e->op = f->op;
	e->ns = now;
	e->total_ns = now - f->start;
	e->result = result;
	e->file.ino = f->ino;
	e->file.sdev = f->sdev;
	e->file.gen = gen;
	e->dev = p->key.dev;
	call_task(e);
	add(events_sent, 1);
	bpf_ringbuf_submit(e, event_wakeup(ring));
	return 0;
}

/* Whether a call is asked for that began then and ends now. */
_always_ bool call_may_be(const struct layer_frame *f, __u64 now)
{
	return want_calls && f->entry && !f->before && now - f->start >= event_min_ns;
}

#endif

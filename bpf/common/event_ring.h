/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ring buffer of events, and how many may be sent. It is the reader's, in a map of maps that is
 * empty while nobody reads: there is no memory for it then.
 */
#ifndef IOTOP_BPF_COMMON_EVENT_RING_H
#define IOTOP_BPF_COMMON_EVENT_RING_H

#include "bpf/abi.h"
#include "bpf/common/kernel.h"
#include "bpf/common/op.h"

struct event_ring {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 65536);	/* a page of any machine: only the type counts */
};

#define EVENT_RINGS(NAME)                                 \
	struct {                                          \
		__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS); \
		__uint(max_entries, 1);                   \
		__type(key, __u32);                       \
		__array(values, struct event_ring);       \
	} NAME SEC(".maps")

/* Written by user space while the programs run. */
volatile __u64 event_min_ns;	/* shorter ones are not sent */
volatile bool event_errors;	/* only what failed */
volatile __u32 event_ops;	/* 1 << operation */
volatile __u64 event_most;	/* in a second; 0: no limit */
volatile __u64 event_ring_size;	/* bytes */

/* Read by user space. */
volatile __u64 events_sent, events_over, events_full;	/* over: beyond event_most; full: the ring
							 * buffer */
volatile __u64 event_second, event_count;	/* CLOCK_MONOTONIC, and how many in it */

/* Whether one more may be sent in this second; the CPUs together may exceed the budget by a few. */
_always_ bool event_in_budget(__u64 now)
{
	__u64 second = now / 1000000000;

	if (!event_most)
		return true;
	if (event_second != second) {
		event_second = second;
		event_count = 0;
	}
	if (event_count >= event_most) {
		add(events_over, 1);
		return false;
	}
	add(event_count, 1);
	return true;
}

/* Names are sent while they take no room of events. */
_always_ bool event_ring_half_full(void *ring)
{
	return bpf_ringbuf_query(ring, BPF_RB_AVAIL_DATA) > event_ring_size / 2;
}

/* The ring buffer wakes its reader when it is half full: else it is read at each sample. */
_always_ __u64 event_wakeup(void *ring)
{
	return event_ring_half_full(ring) ? BPF_RB_FORCE_WAKEUP : BPF_RB_NO_WAKEUP;
}

#endif

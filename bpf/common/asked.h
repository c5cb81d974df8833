/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The clock of a struct abi_asked, which goes while a request is in flight. Two CPUs that write it
 * at once write nearly the same.
 */
#ifndef IOTOP_BPF_COMMON_ASKED_H
#define IOTOP_BPF_COMMON_ASKED_H

#include "bpf/abi.h"
#include "bpf/common/kernel.h"

_always_ __s32 asked_in_flight(const struct abi_asked *a)
{
	return a->started - a->finished;
}

_always_ __u64 asked_now(const struct abi_asked *a, __u64 now)
{
	__u64 ns = a->ns, since = a->since;

	return asked_in_flight(a) > 0 && now > since ? ns + now - since : ns;
}

/* Brings it up to a time. */
_always_ void asked_pass(struct abi_asked *a, __u64 now)
{
	if (now <= a->since)
		return;
	a->ns = asked_now(a, now);
	a->since = now;
}

#endif

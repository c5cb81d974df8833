/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Programs that do nothing at the hooks by which system calls are counted: what any tool that looks
 * at each call has to pay for being called.
 */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

SEC("tp_btf/sys_enter")
int floor_enter(void *ctx)
{
	return 0;
}

SEC("tp_btf/sys_exit")
int floor_exit(void *ctx)
{
	return 0;
}

char LICENSE[] SEC("license") = "GPL";

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Programs that do nothing on the hooks of bpf/block/block.bpf.c: what any tool has to pay for
 * being called.
 */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

SEC("tp_btf/block_bio_queue")
int floor_queue(void *ctx)
{
	return 0;
}

SEC("tp_btf/block_rq_issue")
int floor_issue(void *ctx)
{
	return 0;
}

SEC("tp_btf/block_rq_complete")
int floor_complete(void *ctx)
{
	return 0;
}

SEC("tp_btf/block_bio_complete")
int floor_bio(void *ctx)
{
	return 0;
}

char LICENSE[] SEC("license") = "GPL";

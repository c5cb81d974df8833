/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Notes each bio that blk-throttle begins to hold back: when, and who submitted it. There is no
 * tracepoint. Loaded only where something was held back lately (src/collect/block/hold.c).
 */
#include "bpf/abi.h"
#include "bpf/common/address.h"
#include "bpf/common/array.h"
#include "bpf/common/kernel.h"
#include "bpf/common/op.h"

#include <linux/bpf_perf_event.h>

char LICENSE[] SEC("license") = "GPL";

/* Of the block programs. */
LRU_MAP(block_held, ABI_HELD, __u64, struct abi_held);

_always_ int hold(__u64 bio)
{
	const struct task_struct *task = (const struct task_struct *)bpf_get_current_task();
	struct abi_held fresh = { .since = bpf_ktime_get_ns(), .task = (__u64)task };

	fresh.start = BPF_CORE_READ(task, start_boottime);
	fresh.tid = BPF_CORE_READ(task, pid);
	fresh.flags = BPF_CORE_READ(task, flags);
	fresh.dev = gendisk_dev(bio_gendisk((const struct bio *)bio));
	fresh.op = op_of(BPF_CORE_READ((const struct bio *)bio, bi_opf),
			 !BPF_CORE_READ((const struct bio *)bio, bi_iter.bi_size));
	bpf_map_update_elem(&block_held, &bio, &fresh, BPF_ANY);
	return 0;
}

/* bool __blk_throtl_bio(struct bio *); before 5.18 blk_throtl_bio(), for all bios. */
SEC("?fexit")
int hold_exit(__u64 *ctx)
{
	__u64 bio = 0, held = 0;

	bpf_probe_read_kernel(&bio, sizeof(bio), ctx);
	bpf_probe_read_kernel(&held, sizeof(held), ctx + 1);
	return (__u8)held ? hold(bio) : 0;
}

/* Its own address, once hold_try() has run, which writes to it: user space watches that. */
volatile __u64 tried;

SEC("?raw_tp")
int hold_try(void *ctx)
{
	tried = (__u64)&tried;
	return 0;
}

#ifdef __TARGET_ARCH_x86
/* Whether this is the address of a bio for the disk that is counted at `counts'. */
__noinline bool is_bio_of(__u64 bio, __u64 counts)
{
	__u64 td;

	if (!(bio >> 63))
		return false;
	td = (__u64)BPF_CORE_READ(bio_gendisk((const struct bio *)bio), queue, td);
	return td && td + bpf_core_field_offset(struct throtl_data, nr_queued) == counts;
}

/* The function in which this instruction is: of those that change the count. */
_always_ bool in_throtl_bio(__u64 ip)
{
	__u64 from = ip - AT(__blk_throtl_bio);

	return from < ip - AT(tg_dispatch_one_bio) &&
	       from < ip - AT(throtl_pending_timer_fn) &&
	       from < ip - AT(blk_throtl_dispatch_work_fn) &&
	       from < ip - AT(blk_throtl_cancel_bios);
}

/*
 * Where no program can be attached to a function: a debug register that watches the count of what
 * a disk holds back (its address is the cookie). Runs after the instruction that changed it; the
 * bio is still in a register, since it is put into the queue next.
 */
SEC("?perf_event")
int hold_watch(struct bpf_perf_event_data *ctx)
{
	__u64 counts = bpf_get_attach_cookie(ctx);

	if (!in_throtl_bio(ctx->regs.rip))
		return 0;
#define TRY(reg)                                 \
	if (is_bio_of(ctx->regs.reg, counts))    \
		return hold(ctx->regs.reg);
	TRY(rdi) TRY(rbx) TRY(rbp) TRY(r12) TRY(r13) TRY(r14) TRY(r15) TRY(rsi)
	TRY(rax) TRY(rcx) TRY(rdx) TRY(r8) TRY(r9) TRY(r10) TRY(r11)
	return 0;
}
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who wakes: the current task, or an interrupt that happens to have stopped it. Told by the
 * functions on the stack: the counter that knows it is out of reach on some kernels.
 */
#ifndef IOTOP_BPF_OFFCPU_WAKEUP_H
#define IOTOP_BPF_OFFCPU_WAKEUP_H

#include "bpf/abi.h"
#include "bpf/common/address.h"
#include "bpf/common/kernel.h"
#include "bpf/common/stack.h"

_always_ bool is_interrupt_entry(__u64 ip)
{
#ifdef __TARGET_ARCH_x86
	return IN_FUNCTION(ip, asm_common_interrupt, 0x40) |
	       IN_FUNCTION(ip, asm_sysvec_apic_timer_interrupt, 0x40) |
	       IN_FUNCTION(ip, asm_sysvec_call_function_single, 0x40) |
	       IN_FUNCTION(ip, asm_sysvec_call_function, 0x40) |
	       IN_FUNCTION(ip, asm_sysvec_reschedule_ipi, 0x40) |
	       IN_FUNCTION(ip, asm_sysvec_irq_work, 0x40) |
	       IN_FUNCTION(ip, asm_sysvec_hyperv_callback, 0x40) |
	       IN_FUNCTION(ip, asm_sysvec_xen_hvm_callback, 0x40);
#else
	return IN_FUNCTION(ip, el1h_64_irq, 0x200) | IN_FUNCTION(ip, el0t_64_irq, 0x200) |
	       IN_FUNCTION(ip, el1_irq, 0x200) | IN_FUNCTION(ip, el0_irq, 0x200);
#endif
}

_always_ bool is_request_end(__u64 ip)
{
	return IN_FUNCTION(ip, blk_update_request, 0x500) |
	       IN_FUNCTION(ip, __blk_mq_end_request, 0x180) |
	       IN_FUNCTION(ip, blk_mq_end_request, 0x180) |
	       IN_FUNCTION(ip, blk_mq_end_request_batch, 0x600);
}

#define WAKER_DEPTH 48	/* an interrupt is not as deep */
#define WAKER_SOME 8
#define WAKER_REQUEST 0x100	/* a request ends here */
#define WAKER_FOUND 0x200	/* not further to be looked for */

/* waker_kind() in some frames (see VERIFIED_STEP), from one on; with WAKER_FOUND. */
__noinline __u32 waker_some(__u64 at)
{
	__u64 from = AT(__entry_text_start), to = AT(__entry_text_end);
	__u32 zero = 0, is = (__u32)bpf_get_current_pid_tgid() ? ABI_WAKER_TASK : ABI_WAKER_IDLE;
	struct abi_stack *s = bpf_map_lookup_elem(&stack_scratch, &zero);

	for (__u32 i = 0; s && i < WAKER_SOME; i++, at++) {
		__u64 ip;
		bool soft, entered;

		barrier_var(at);
		if (at >= ABI_STACK_DEPTH || at >= s->n)
			return is | WAKER_FOUND;
		ip = s->ip[at];
		soft = IN_FUNCTION(ip, handle_softirqs, 0x500) |
		       IN_FUNCTION(ip, __do_softirq, 0x500);
		entered = ip - from < to - from;
		is |= is_request_end(ip) ? WAKER_REQUEST : 0;
		if (soft || (entered && is_interrupt_entry(ip))) {
			s->n = at + 1;
			s->flags &= ~ABI_STACK_CUT;
			return (is & WAKER_REQUEST) | WAKER_FOUND |
			       (soft ? ABI_WAKER_SOFTIRQ : ABI_WAKER_IRQ);
		}
		/* A system call, or a fault: what is called from there is the task's own. */
		if (entered)
			return is | WAKER_FOUND;
	}
	return is;
}

/*
 * enum abi_waker and WAKER_REQUEST, from the kernel stack in the first scratch; what was
 * interrupted is cut off it.
 */
__noinline __u32 waker_kind(void)
{
	__u32 is = 0;

	for (__u32 i = 0; i < WAKER_DEPTH && !(is & WAKER_FOUND); i += WAKER_SOME)
		is = (is & WAKER_REQUEST) | waker_some(i);
	return is & ~WAKER_FOUND;
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Places in the kernel's code that programs compare addresses with, by the names that
 * /proc/kallsyms has for them. User space looks them up (src/collect/bpf/addresses.c), all with one
 * reading: libbpf, which could do it, reads the list anew for each object.
 */
#ifndef IOTOP_BPF_ABI_ADDRESSES_H
#define IOTOP_BPF_ABI_ADDRESSES_H

#define ABI_ADDRESSES(X)                                                                       \
	/* Code, and the table of how its functions keep their return addresses. */            \
	X(_stext) X(_etext) X(__start_orc_unwind_ip) X(__stop_orc_unwind_ip) X(__start_orc_unwind) \
	/* Frames of these the kernel leaves out of the stack of a task that sleeps. */        \
	X(__sched_text_start) X(__sched_text_end) X(__lock_text_start) X(__lock_text_end)      \
	/* What a tracer leaves in place of a return address it keeps: 5.16, 5.18. */ \
	X(return_to_handler) X(__kretprobe_trampoline) X(arch_rethook_trampoline)              \
	X(kretprobe_trampoline)                                                                \
	/* Interrupts; the first of softirqs is of 6.10. */                                    \
	X(__entry_text_start) X(__entry_text_end) X(handle_softirqs) X(__do_softirq)           \
	X(asm_common_interrupt) X(asm_sysvec_apic_timer_interrupt)                             \
	X(asm_sysvec_call_function_single) X(asm_sysvec_call_function) \
	X(asm_sysvec_reschedule_ipi) \
	X(asm_sysvec_irq_work) X(asm_sysvec_hyperv_callback) X(asm_sysvec_xen_hvm_callback)    \
	X(el1h_64_irq) X(el0t_64_irq) X(el1_irq) X(el0_irq)                                    \
	/* The end of a request; what it wakes is called from one of these. */ \
	X(blk_update_request) X(__blk_mq_end_request) X(blk_mq_end_request)                    \
	X(blk_mq_end_request_batch)                                                            \
	/* Waiting for a page; the first, of 5.16, may be part of the others. */               \
	X(folio_wait_bit_common) X(folio_wait_bit) X(__folio_lock) X(__folio_lock_killable)    \
	X(wait_on_page_bit_common) X(wait_on_page_bit) X(wait_on_page_bit_killable)            \
	X(put_and_wait_on_page_locked) X(__lock_page) X(__lock_page_killable) X(filemap_fault) \
	/* Waiting for a lock, or for a journal. */                                            \
	X(rwsem_down_read_slowpath) X(rwsem_down_write_slowpath)                               \
	X(jbd2_log_wait_commit) X(wait_transaction_locked)                                     \
	/* What ends a bio of direct I/O. */                                                    \
	X(iomap_dio_bio_end_io)                                                                \
	/* Where a bio is held back, and the other functions that count those. */              \
	X(__blk_throtl_bio) X(tg_dispatch_one_bio) X(throtl_pending_timer_fn)                  \
	X(blk_throtl_dispatch_work_fn) X(blk_throtl_cancel_bios)

#define ABI_ADDRESS_NUMBER(name) ABI_AT_##name,

enum abi_address {
	ABI_ADDRESSES(ABI_ADDRESS_NUMBER)
	ABI_ADDRESS_COUNT
};

#endif

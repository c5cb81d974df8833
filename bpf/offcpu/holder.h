/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who holds what a task waits for that sleeps still: a mutex or an rwsem has its owner, the commit
 * of a journal (jbd2) is the journal's thread's. Whoever sleeps for one of these is in its list of
 * waiters and has its address on the stack, where the code goes on with it. So the lock is found
 * however long ago the wait began, without a program where waits begin.
 */
#ifndef IOTOP_BPF_OFFCPU_HOLDER_H
#define IOTOP_BPF_OFFCPU_HOLDER_H

#include "bpf/abi.h"
#include "bpf/common/address.h"
#include "bpf/common/kernel.h"
#include "bpf/common/pid.h"
#include "bpf/common/sleeper.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

/* With PREEMPT_RT neither kind of lock has an owner here. */
struct mutex {
	struct {
		long counter;
	} owner;
	struct list_head wait_list;
};

struct mutex___first {
	void *first_waiter;	/* 7.2: the list has no head any more */
};

struct mutex_waiter {
	struct list_head list;
	struct task_struct *task;
};

struct rw_semaphore {
	struct {
		long counter;
	} owner;
	struct list_head wait_list;
};

struct rw_semaphore___first {
	void *first_waiter;
};

struct rwsem_waiter {
	struct list_head list;
	struct task_struct *task;
};

struct journal_s {
	struct wait_queue_head j_wait_transaction_locked, j_wait_done_commit;
	struct task_struct *j_task;
};

#pragma clang attribute pop

/* What a task waits for. */
struct lock {
	__u64 address;
	__u64 start;	/* ns of CLOCK_MONOTONIC: of the block for which it was looked for */
	__u32 kind;	/* enum abi_lock */
	__u32 none;
};

/* A task; start 0: none. */
struct holder {
	__u64 start;	/* ns of CLOCK_BOOTTIME */
	__u32 tgid, tid;
	char comm[ABI_COMM];
};

#define OWNER_FLAGS 7ull	/* both kinds keep flags below the address of the owner */
#define OWNER_READS 1ull	/* an rwsem is read: the address is of who began last, and it may
				 * be gone */

#define LOCK_WAITERS 1024	/* those behind are not found: their holder is not known */

_always_ bool on_stack_of(__u64 task, __u64 address)
{
	return address - (__u64)BPF_CORE_READ((const struct task_struct *)task, stack) <
	       STACK_BYTES;
}

#define FIRST_WAITER(type)                                                    \
	(bpf_core_field_exists(((struct type *)0)->wait_list)                 \
		 ? bpf_core_field_offset(struct type, wait_list)              \
		 : bpf_core_field_offset(struct type##___first, first_waiter))
#define HAS_WAITERS(type)                                        \
	(bpf_core_field_exists(((struct type *)0)->owner) &&     \
	 (bpf_core_field_exists(((struct type *)0)->wait_list) || \
	  bpf_core_field_exists(((struct type##___first *)0)->first_waiter)))

/* The types of a module are known since 5.11. */
#define KNOWN_JOURNALS bpf_core_field_exists(((struct journal_s *)0)->j_wait_done_commit)

#define FOUND 1ull	/* no address of the kernel */

/*
 * Looks for a task among some waiters (VERIFIED_STEP), from one on. Returns FOUND, 0 at the end of
 * the list, or the waiter to go on with.
 */
__noinline __u64 waiters_search(__u64 waiter, __u64 first, __u64 list, __u64 task, __u32 task_at)
{
	for (__u32 i = 0; i < VERIFIED_STEP; i++) {
		if (word_at(waiter + task_at) == task)
			return FOUND;
		waiter = word_at(waiter);
		if (!waiter || waiter == first || waiter == list)
			return 0;
	}
	return waiter;
}

/*
 * Whether a task waits for a lock, if there is one at this address. The list is first in a waiter.
 */
__noinline __u32 lock_awaited(__u64 address, __u64 task, __u32 is_mutex)
{
	__u64 list = address, task_at, first, waiter;
	bool headed;

	if (is_mutex && HAS_WAITERS(mutex)) {
		headed = bpf_core_field_exists(((struct mutex *)0)->wait_list);
		list += FIRST_WAITER(mutex);
		task_at = bpf_core_field_offset(struct mutex_waiter, task);
	} else if (!is_mutex && HAS_WAITERS(rw_semaphore)) {
		headed = bpf_core_field_exists(((struct rw_semaphore *)0)->wait_list);
		list += FIRST_WAITER(rw_semaphore);
		task_at = bpf_core_field_offset(struct rwsem_waiter, task);
	} else {
		return 0;
	}
	first = waiter = word_at(list);
	/* The head of a list is before its first entry. Waiters are on stacks: else no lock. */
	if ((headed && word_at(first + sizeof(first)) != list) ||
	    !on_stack_of(word_at(first + task_at), first))
		return 0;
	for (__u32 i = 0; i < LOCK_WAITERS / VERIFIED_STEP && waiter > FOUND; i++)
		waiter = waiters_search(waiter, first, list, task, task_at);
	return waiter == FOUND;
}

/* The same as waiters_search() in a queue, behind an entry. */
__noinline __u64 queue_search(__u64 at, __u64 head, __u64 task)
{
	for (__u32 i = 0; i < VERIFIED_STEP; i++) {
		at = word_at(at);
		if (!at || at == head)
			return 0;
		if (word_at(at - bpf_core_field_offset(struct wait_queue_entry, entry) +
			    bpf_core_field_offset(struct wait_queue_entry, private)) == task)
			return FOUND;
	}
	return at;
}

/*
 * Whether a task is in the queue at this address. It changes meanwhile: entries may lead anywhere.
 */
__noinline __u32 queue_has(__u64 queue, __u64 task)
{
	__u64 head = queue + bpf_core_field_offset(struct wait_queue_head, head), at = head;

	for (__u32 i = 0; i < LOCK_WAITERS / VERIFIED_STEP && at > FOUND; i++)
		at = queue_search(at, head, task);
	return at == FOUND;
}

/* Whether a task waits for the thread of a journal, if there is one at this address. */
__noinline __u32 journal_awaited(__u64 address, __u64 task)
{
	const struct journal_s *journal = (const struct journal_s *)address;
	char comm[4] = {};

	if (!KNOWN_JOURNALS)
		return 0;
	BPF_CORE_READ_INTO(&comm, journal, j_task, comm);
	if (comm[0] != 'j' || comm[1] != 'b' || comm[2] != 'd' || comm[3] != '2')
		return 0;
	return queue_has(address + bpf_core_field_offset(struct journal_s, j_wait_done_commit),
			 task) ||
	       queue_has(address + bpf_core_field_offset(struct journal_s,
							 j_wait_transaction_locked),
			 task);
}

#define KIND_BIT(kind) (1u << (kind))

/* The kind of lock (a bit) that a task may sleep for that has this return address on its stack. */
__noinline __u32 sleeps_for(__u64 ip)
{
	__u32 rwsem = IN_FUNCTION(ip, rwsem_down_read_slowpath, 0x600) |
		      IN_FUNCTION(ip, rwsem_down_write_slowpath, 0x800),
	      journal = IN_FUNCTION(ip, jbd2_log_wait_commit, 0x180) |
			IN_FUNCTION(ip, wait_transaction_locked, 0x100);

	return rwsem * KIND_BIT(ABI_LOCK_RWSEM) | journal * KIND_BIT(ABI_LOCK_JOURNAL);
}

/*
 * The kinds of lock (bits) that a task may sleep for, by the words of its stack. Some are left of
 * calls that have returned: a kind is one to look for, no more.
 */
__noinline __u32 lock_kinds(void)
{
	__u32 zero = 0, kinds = 0;
	const struct stack_words *words = bpf_map_lookup_elem(&stack_words, &zero);

	for (__u32 i = 0; words && i < STACK_WORDS; i++)
		kinds |= sleeps_for(words->at[i]);
	/* Without symbols an rwsem may be taken for a mutex. */
	if (AT(rwsem_down_read_slowpath))
		kinds |= KIND_BIT(ABI_LOCK_MUTEX);
	return kinds;
}

/* Whether a word of a task's stack is the address of a lock of this kind that it waits for. */
__noinline __u32 lock_is_at(__u64 address, __u64 sp, __u64 task, __u32 kind)
{
	if (!leads_off_stack(address, sp))
		return false;
	if (kind == ABI_LOCK_JOURNAL)
		return journal_awaited(address, task);
	return lock_awaited(address, task, kind == ABI_LOCK_MUTEX);
}

/* Looks for a lock of this kind among the words of a stack; found, it is made the first of them. */
__noinline __u32 lock_search_kind(__u64 task, __u64 sp, __u32 kind)
{
	__u32 zero = 0;
	struct stack_words *words = bpf_map_lookup_elem(&stack_words, &zero);

	for (__u32 i = 0; words && i < STACK_WORDS; i++) {
		if (!lock_is_at(words->at[i], sp, task, kind))
			continue;
		words->at[0] = words->at[i];
		return true;
	}
	return false;
}

/*
 * The lock that a sleeping task waits for, at the address of a task; the kind is returned. A mutex
 * is looked for last: nothing on the stack says that it is one.
 */
__noinline __u32 lock_search(__u64 task, __u64 sp)
{
	__u32 kinds = stack_read(sp) ? lock_kinds() : 0;

	for (__u32 kind = ABI_LOCK_JOURNAL; kind != ABI_LOCK_NONE; kind--)
		if (kinds & KIND_BIT(kind) && lock_search_kind(task, sp, kind))
			return kind;
	return ABI_LOCK_NONE;
}

/* Address of the task that holds a lock, 0: nobody, readers, or not known. */
_always_ __u64 lock_owner(const struct lock *lock)
{
	__u64 address = lock->address, owner;
	const struct journal_s *journal = (const struct journal_s *)address;
	const struct rw_semaphore *sem = (const struct rw_semaphore *)address;
	const struct mutex *mutex = (const struct mutex *)address;

	/* What does not exist is asked for by no path that the verifier can see. */
	if (lock->kind == ABI_LOCK_JOURNAL)
		return KNOWN_JOURNALS ? (__u64)BPF_CORE_READ(journal, j_task) : 0;
	if (lock->kind == ABI_LOCK_MUTEX)
		return HAS_WAITERS(mutex) ? BPF_CORE_READ(mutex, owner.counter) & ~OWNER_FLAGS : 0;
	owner = HAS_WAITERS(rw_semaphore) ? BPF_CORE_READ(sem, owner.counter) : 0;
	return owner & OWNER_READS ? 0 : owner & ~OWNER_FLAGS;
}

/*
 * A task by its address. Who holds a lock has not ended, and what ends now is freed only when this
 * program is through (RCU).
 */
_always_ void holder_of(struct holder *h, __u64 address)
{
	const struct task_struct *task = (const struct task_struct *)address;
	__u64 ids = address ? ids_probe_read(task) : 0;

	if (!ids)
		return;
	h->tgid = ids >> 32;
	h->tid = (__u32)ids;
	bpf_core_read(h->comm, sizeof(h->comm), &task->comm);
	h->start = BPF_CORE_READ(task, start_boottime);
}

#endif

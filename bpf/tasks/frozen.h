/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file system that a task waits for to be thawed (fsfreeze, snapshots). Writers take one of the
 * three semaphores of its super block for reading, which the freezer has taken, and sleep in the
 * queue of that one. It is found by the entry of the queue, which is on the sleeper's stack.
 */
#ifndef IOTOP_BPF_TASKS_FROZEN_H
#define IOTOP_BPF_TASKS_FROZEN_H

#include "bpf/common/file.h"
#include "bpf/common/kernel.h"
#include "bpf/common/sleeper.h"

#define FREEZE_LEVELS 3		/* SB_FREEZE_LEVELS: of writes, of page faults, of the rest */
#define FREEZE_COMPLETE 4	/* SB_FREEZE_COMPLETE; less while those before still write */

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct percpu_rw_semaphore {
	struct wait_queue_head waiters;	/* 5.7 */
};

struct sb_writers {
	int frozen;	/* 6.6: a short */
	struct percpu_rw_semaphore rw_sem[FREEZE_LEVELS];
};

struct super_block___writers {
	struct dentry *s_root;
	struct sb_writers s_writers;
};

#pragma clang attribute pop

#define OFFSET(type, member) bpf_core_field_offset(struct type, member)

/*
 * What a reader of a semaphore of that kind waits with: WQ_FLAG_EXCLUSIVE | WQ_FLAG_CUSTOM. The
 * second was 8, and is 4 since 6.7.
 */
#define READER_FLAGS (1 | 4)
#define READER_FLAGS_BEFORE (1 | 8)

/* So many steps through queues are gone at most for one task, and (about) for all of a list. */
#define QUEUE_STEPS 1024
#define LIST_STEPS 65536

volatile __u32 queue_steps;	/* for the list so far */
/* The entry of the task before in such a queue, and what that waits for. */
volatile __u64 known_link;
volatile __u32 known_dev;
volatile __u64 walk_back, walk_on;	/* how far a walk has come */

_always_ void queues_forget(void)
{
	known_link = queue_steps = 0;
}

_always_ bool waits_as_reader(__u64 word)
{
	__u32 flags = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? word >> 32 : word;

	return flags == READER_FLAGS || flags == READER_FLAGS_BEFORE;
}

/* The link of the entry that a sleeping task waits with as such a reader; 0: it does not. */
__noinline __u64 reader_link(__u64 task, __u64 sp)
{
	const struct stack_words *words = stack_read(sp);

	if (!words || OFFSET(wait_queue_entry, flags) != 0 ||
	    OFFSET(wait_queue_entry, private) != 8)
		return 0;
	for (__u32 i = 0; i < STACK_WORDS - 1; i++)
		if (words->at[i + 1] == task && waits_as_reader(words->at[i]))
			return sp + i * sizeof(__u64) + OFFSET(wait_queue_entry, entry);
	return 0;
}

_always_ __u64 entry_func(__u64 link)
{
	return word_at(link - OFFSET(wait_queue_entry, entry) + OFFSET(wait_queue_entry, func));
}

/* The head of a queue whose tasks this function wakes, or an entry that is known to be in it. */
_always_ bool ends_walk(__u64 link, __u64 func)
{
	return link == known_link || entry_func(link) != func;
}

/*
 * Goes on in a queue, to both sides: tasks that are listed one after the other began to wait at
 * about the same time. Returns the end of the walk; 0: it is not there yet.
 */
__noinline __u64 queue_walk(__u64 func)
{
	for (__u32 i = 0; i < VERIFIED_STEP / 2; i++) {
		queue_steps += 2;
		walk_back = word_at(walk_back + OFFSET(list_head, prev));
		if (ends_walk(walk_back, func))
			return walk_back;
		walk_on = word_at(walk_on + OFFSET(list_head, next));
		if (ends_walk(walk_on, func))
			return walk_on;
	}
	return 0;
}

/* The head of the queue that an entry is in, or known_link; 0: it was not found. */
__noinline __u64 queue_head(__u64 link)
{
	__u64 func = entry_func(link), end = 0;

	walk_back = walk_on = link;
	for (__u32 i = 0; i < QUEUE_STEPS / VERIFIED_STEP && !end; i++) {
		if (queue_steps >= LIST_STEPS)
			break;
		end = queue_walk(func);
	}
	return end;
}

/* Whether a super block lies at an address that is frozen, or about to be. */
__noinline __u32 is_frozen(__u64 sb)
{
	const struct super_block___writers *writers = (const struct super_block___writers *)sb;
	__u32 level = BPF_CORE_READ_BITFIELD_PROBED(writers, s_writers.frozen);

	return level && level <= FREEZE_COMPLETE &&
	       (__u64)BPF_CORE_READ(writers, s_root, d_sb) == sb;
}

/* The device of the file system that has this queue at one of its semaphores; 0: none has. */
__noinline __u32 frozen_of_queue(__u64 head)
{
	__u64 sb = head - OFFSET(super_block___writers, s_writers.rw_sem[0].waiters.head);

	for (__u32 i = 0; i < FREEZE_LEVELS; i++) {
		if (is_frozen(sb))
			return sb_dev((const struct super_block *)sb);
		sb -= bpf_core_type_size(struct percpu_rw_semaphore);
	}
	return 0;
}

/*
 * The device of the frozen file system that a sleeping task waits for, at the address of a task; 0:
 * none, or not known.
 */
__noinline __u32 frozen_dev(__u64 task, __u64 sp)
{
	__u64 link = reader_link(task, sp), head = link ? queue_head(link) : 0;

	if (!head)
		return 0;
	known_dev = head == known_link ? known_dev : frozen_of_queue(head);
	known_link = link;
	return known_dev;
}

#endif

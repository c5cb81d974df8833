/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * User stacks that were found before, and which words of memory led to each: while these are the
 * same, and the registers that it began with, so is the stack. Whoever does I/O again and again
 * most often does so from the same place.
 */
#ifndef IOTOP_BPF_COMMON_USER_PATH_H
#define IOTOP_BPF_COMMON_USER_PATH_H

#include "bpf/common/array.h"
#include "bpf/common/kernel.h"
#include "bpf/common/stack.h"

#define PATHS 128
#define PATH_WORDS 128		/* that lead to a stack: fewer */
#define PATH_SIZE (65536 * 8)	/* bytes from the stack pointer on, among which they are */

struct user_path {
	__u64 number;	/* of the address space: with other tables it has another one */
	__u64 ip, sp, bp;
	__u64 stack;	/* its id */
	__u64 hash;	/* of the words */
	__u64 bits;	/* of the distances of all from sp, bytes */
	__u32 by_bp;	/* 1: rbp led to it, too */
	__u32 n;	/* PATH_WORDS and more: it cannot be kept */
	__u16 word[PATH_WORDS];	/* which, from sp on */
};

/* Per CPU: nobody else reads them. */
CPU_ARRAY(user_paths, PATHS, struct user_path);

/* Words that lie beside each other are read at once. */
#define PATH_PIECE 32

struct path_piece {
	__u64 word[PATH_PIECE];
};

CPU_ARRAY(path_piece, 1, struct path_piece);

_always_ void path_begin(struct user_path *p, __u64 number, __u64 ip, __u64 sp, __u64 bp)
{
	p->number = number;
	p->ip = ip;
	p->sp = sp;
	p->bp = bp;
	p->hash = p->bits = p->by_bp = p->n = 0;
}

/* A word at an address leads further. */
_always_ void path_note(struct user_path *p, __u64 address, __u64 value)
{
	__u64 at = address - p->sp;

	p->word[p->n & (PATH_WORDS - 1)] = at / 8;
	p->n++;
	p->bits |= at;
	p->hash = stack_mix(p->hash, value);
}

/* It leads to something else another time. */
_always_ void path_leave(struct user_path *p)
{
	p->n = PATH_WORDS;
}

_always_ struct user_path *path_place(__u64 number, __u64 ip, __u64 sp)
{
	__u32 at = (__u32)(stack_mix(number, sp) ^ ip) & (PATHS - 1);

	return bpf_map_lookup_elem(&user_paths, &at);
}

/* The id of the stack of the current task that begins with these, where it is known; else 0. */
__noinline __u64 path_known(__u64 number, __u64 ip, __u64 sp, __u64 bp)
{
	const struct user_path *known = path_place(number, ip, sp);
	__u32 zero = 0, piece = ~0U, n, at;
	struct path_piece *p = bpf_map_lookup_elem(&path_piece, &zero);
	__u64 hash = 0;

	if (!known || !p || known->number != number || known->ip != ip || known->sp != sp ||
	    (known->by_bp && known->bp != bp))
		return 0;
	n = known->n;
	for (__u32 i = 0; i < PATH_WORDS; i++) {
		if (i >= n)
			break;
		at = known->word[i];
		if (piece != at / PATH_PIECE) {
			piece = at / PATH_PIECE;
			if (bpf_probe_read_user(p, sizeof(*p),
						(const void *)(sp + sizeof(*p) * piece)))
				return 0;
		}
		hash = stack_mix(hash, p->word[at % PATH_PIECE]);
	}
	return hash == known->hash ? known->stack : 0;
}

/* It led to the stack with this id. */
_always_ void path_keep(struct user_path *p, __u64 id)
{
	struct user_path *place;

	if (!p->n || p->n >= PATH_WORDS || p->bits & 7 || p->bits >= PATH_SIZE)
		return;
	p->stack = id;
	place = path_place(p->number, p->ip, p->sp);
	if (place)
		*place = *p;
}

#endif

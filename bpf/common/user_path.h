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
#define PATH_WAYS 2		/* places for paths that begin alike: two callers, by turns */
#define PATH_WORDS 128		/* that lead to a stack: fewer */
#define PATH_SIZE (65536 * 8)	/* bytes from the stack pointer on, among which they are */

struct user_path {
	__u64 number;	/* of the address space: with other tables it has another one */
	__u64 ip, sp, bp, lr;
	__u64 stack;	/* its id */
	__u64 hash;	/* of the words */
	__u64 bits;	/* of the distances of all from sp, bytes */
	__u16 by_bp, by_lr;	/* 1: these led to it, too */
	__u32 n;	/* PATH_WORDS and more: it cannot be kept */
	__u16 word[PATH_WORDS];	/* which, from sp on */
};

/* Per CPU: nobody else reads them. */
CPU_ARRAY(user_paths, PATHS, struct user_path);

/*
 * Words that lie near each other are read at once: a read of one word takes most of the time that
 * one of 1 KiB takes.
 */
#define PATH_PIECE 128
#define PATH_PAGE 4096	/* bytes: no page is smaller */

struct path_piece {
	__u64 word[PATH_PIECE];
};

/* How far the words of a path have been looked at. */
struct path_walk {
	struct path_piece piece;
	__u64 hash;
	__u32 from;	/* the piece's first word, from sp on; below sp it is negative */
	__u32 next;	/* of the words of the path */
	__u64 kept;	/* how many paths were: they take turns with their places */
};

CPU_ARRAY(path_walks, 1, struct path_walk);

_always_ void path_begin(struct user_path *p, __u64 number, __u64 ip, __u64 sp, __u64 bp)
{
	p->number = number;
	p->ip = ip;
	p->sp = sp;
	p->bp = bp;
	p->hash = p->bits = p->by_bp = p->by_lr = p->n = 0;
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

_always_ __u32 path_place(__u64 number, __u64 ip, __u64 sp, __u32 way)
{
	return ((__u32)(stack_mix(number, sp) ^ ip) ^ way) & (PATHS - 1);
}

/*
 * How many words before that at an address a piece begins that has it: it ends where the page does
 * at the latest, as the next one may not be there.
 */
_always_ __u32 path_back(__u64 address)
{
	__u32 left = (PATH_PAGE - address % PATH_PAGE) / 8;

	return left < PATH_PIECE ? PATH_PIECE - left : 0;
}

#define PATH_SOME 16

/* Looks at some words more (see VERIFIED_STEP). False: one is not to be read. */
__noinline int path_some(__u32 place)
{
	const struct user_path *known = bpf_map_lookup_elem(&user_paths, &place);
	__u32 zero = 0, at;
	struct path_walk *walk = bpf_map_lookup_elem(&path_walks, &zero);
	__u64 from;

	if (!known || !walk)
		return false;
	for (__u32 i = 0; i < PATH_SOME && walk->next < known->n; i++) {
		at = known->word[walk->next++ & (PATH_WORDS - 1)];
		if (at - walk->from >= PATH_PIECE) {
			walk->from = at - path_back(known->sp + at * 8);
			from = known->sp + (__s32)walk->from * 8LL;
			if (bpf_probe_read_user(&walk->piece, sizeof(walk->piece),
						(const void *)from))
				return false;
		}
		at = (at - walk->from) % PATH_PIECE;
		walk->hash = stack_mix(walk->hash, walk->piece.word[at]);
	}
	return true;
}

/* Whether the words of memory are those that led to the path at a place. */
__noinline int path_same(__u32 place)
{
	const struct user_path *known = bpf_map_lookup_elem(&user_paths, &place);
	__u32 zero = 0;
	struct path_walk *walk = bpf_map_lookup_elem(&path_walks, &zero);

	if (!known || !walk)
		return false;
	walk->hash = walk->next = 0;
	walk->from = 1U << 31; /* no word is near */
	for (__u32 i = 0; i < PATH_WORDS / PATH_SOME && walk->next < known->n; i++)
		if (!path_some(place))
			return false;
	return walk->hash == known->hash;
}

/* The id of the stack of the current task that begins with these, where it is known; else 0. */
__noinline __u64 path_known(__u64 number, __u64 ip, __u64 sp, __u64 bp, __u64 lr)
{
	for (__u32 way = 0; way < PATH_WAYS; way++) {
		__u32 place = path_place(number, ip, sp, way);
		const struct user_path *known = bpf_map_lookup_elem(&user_paths, &place);

		if (!known || known->number != number || known->ip != ip || known->sp != sp ||
		    (known->by_bp && known->bp != bp) || (known->by_lr && known->lr != lr))
			continue;
		if (path_same(place))
			return known->stack;
	}
	return 0;
}

/* It led to the stack with this id. */
_always_ void path_keep(struct user_path *p, __u64 id)
{
	__u32 zero = 0, at;
	struct path_walk *walk = bpf_map_lookup_elem(&path_walks, &zero);
	struct user_path *place;

	if (!walk || !p->n || p->n >= PATH_WORDS || p->bits & 7 || p->bits >= PATH_SIZE)
		return;
	at = path_place(p->number, p->ip, p->sp, walk->kept++ % PATH_WAYS);
	place = bpf_map_lookup_elem(&user_paths, &at);
	p->stack = id;
	if (place)
		*place = *p;
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small language helpers that every folder uses. */
#ifndef IOTOP_BASE_MACRO_H
#define IOTOP_BASE_MACRO_H

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define DIV_ROUND_UP(n, d) (((n) + (d) - 1) / (d))
/*
 * The smaller, the larger of two numbers, each of which is computed once. No constants. cppcheck
 * gives up a file that has a statement expression in an initialiser: it brings its own of these.
 */
#ifndef __CPPCHECK__
#define MIN(a, b) LESSER_(a, <, b, __COUNTER__)
#define MAX(a, b) LESSER_(a, >, b, __COUNTER__)
#endif
#define LESSER_(a, is, b, n) LESSER__(a, is, b, n)
#define LESSER__(a, is, b, n)                                                                      \
	__extension__({                                                                            \
		const __typeof__((a) is (b) ? (a) : (b)) a_##n = (a), b_##n = (b);                 \
		a_##n is b_##n ? a_##n : b_##n;                                                    \
	})

/* For qsort(): the smaller first; <0, 0, >0. Each is computed once, too. */
#define ORDER(a, b) ORDER_(a, b, __COUNTER__)
#define ORDER_(a, b, n) ORDER__(a, b, n)
#define ORDER__(a, b, n)                                                                           \
	__extension__({                                                                            \
		const __typeof__(a) a_##n = (a);                                                   \
		const __typeof__(b) b_##n = (b);                                                   \
		(a_##n > b_##n) - (a_##n < b_##n);                                                 \
	})
#define _printf_(fmt, args) __attribute__((format(printf, fmt, args)))
#define _format_arg_(arg) __attribute__((format_arg(arg)))
#define _cleanup_(fn) __attribute__((cleanup(fn)))
#define _packed_ __attribute__((packed))	/* of an enum: of one byte */
#define _unused_ __attribute__((unused))

/*
 * Marks a string for translation without translating it: tables use it, whoever prints calls _().
 */
#define N_(s) s
/* The same with a context that tells equal words apart; printed by way of context_text(). */
#define NC_(c, s) c "\004" s

#endif

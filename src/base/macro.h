/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small language helpers that every folder uses. */
#ifndef IOTOP_BASE_MACRO_H
#define IOTOP_BASE_MACRO_H

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define DIV_ROUND_UP(n, d) (((n) + (d) - 1) / (d))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

/* For qsort(): the smaller first; <0, 0, >0. */
#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))
#define _printf_(fmt, args) __attribute__((format(printf, fmt, args)))
#define _cleanup_(fn) __attribute__((cleanup(fn)))
#define _unused_ __attribute__((unused))

/*
 * Marks a string for translation without translating it: tables use it, whoever prints calls _().
 */
#define N_(s) s
/* The same with a context that tells equal words apart; printed by way of context_text(). */
#define NC_(c, s) c "\004" s

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Strict readers for numbers and lists; nothing after the number is accepted. All return 0 or a
 * negative errno.
 */
#ifndef IOTOP_BASE_PARSE_H
#define IOTOP_BASE_PARSE_H

#include <locale.h>
#include <stdbool.h>
#include <stdint.h>

int parse_u64(const char *s, uint64_t *ret);
int parse_u32(const char *s, uint32_t *ret);
/* Finite decimal fractions in the C locale, whatever the locale is: no hex, no inf, no nan. */
int parse_f64(const char *s, double *ret);
/*
 * "10us", "1.5 ms", "2s", "3m", "1h", "7d"; a bare number is in unit_ns nanoseconds. Where
 * that is 0 no number but 0 may be bare.
 */
int parse_duration(const char *s, uint64_t unit_ns, uint64_t *ret_ns);
/* "12", "4k", "1.5M", "2GiB": k = 1000 when si, else 1024; an i in the suffix always means 1024. */
int parse_size(const char *s, int si, uint64_t *ret);

/*
 * Skips blanks, reads an unsigned decimal at *p and moves *p behind it; 0 when there is none (then
 * *p stays). For /proc.
 */
uint64_t scan_u64(const char **p);
/* Moves *p behind the next newline, or to the terminating NUL. */
void scan_line(const char **p);

/* Is the word one of a list? "" is in none. */
bool list_has(const char *list, const char *word, char separator);

/* The C locale, for uselocale() and the _l functions; not to be freed. */
locale_t locale_c(void);

#endif

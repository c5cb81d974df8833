/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text from the kernel and from other users is hostile: here it becomes harmless, and its width on
 * a terminal known.
 */
#ifndef IOTOP_BASE_UTF8_H
#define IOTOP_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct buf;

/*
 * A copy of s (at most n bytes, NUL ends it) that is valid UTF-8, has no control character (C0,
 * DEL, C1, bidi overrides, line separators: shown as \n, \e or \x9b and the like) and no invalid
 * sequence (each bad byte becomes U+FFFD).
 */
char *utf8_clean(struct arena *a, const char *s, size_t n);
/* The same on the heap; NULL for NULL. */
char *utf8_clean_dup(const char *s);
/* The same in place of a text of before; NULL: that one stays. */
void utf8_clean_set(char **to, const char *s);
/*
 * One code point at s; returns its length in bytes (1..4) and the point, or 1 and U+FFFD when it is
 * invalid. s must not be at NUL.
 */
int utf8_next(const char *s, uint32_t *ret_point);
int utf8_put(char out[static 5], uint32_t point);
/*
 * What stands for a point where there is only ASCII: something that looks like it, or '?'. For each
 * of its columns once.
 */
char utf8_ascii(uint32_t point);
/* Terminal columns of a code point: 0 (combining), 1 or 2. Independent of the locale. */
int utf8_width_point(uint32_t point);
/* Terminal columns of a clean string. */
int utf8_width(const char *s);
/*
 * Bytes of the longest prefix of s that fits in columns; ret_width (may be NULL) gets its real
 * width.
 */
size_t utf8_fit(const char *s, int columns, int *ret_width);
/* Takes away what a cut left of a character at the end of a text that is valid but for that. */
void utf8_trim(char *s);
/*
 * In double quotes, as JSON has it, or a label of a metric. What is no UTF-8, and in a label what
 * is a control character, becomes U+FFFD.
 */
void utf8_quote(struct buf *b, bool json, const char *s);

#endif

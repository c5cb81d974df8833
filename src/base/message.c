// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/message.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/utf8.h"

#define ELLIPSIS "\342\200\246"	/* … */
#define MESSAGE_BYTES 1024	/* characters that take no column are bytes all the same */
#define AROUND 60		/* columns on each side of a marked place */

/* Bytes of the longest begin of a clean text within so many columns and bytes. */
static size_t head_of(const char *s, int columns, size_t bytes)
{
	size_t n = 0;

	while (s[n]) {
		uint32_t point;
		int len = utf8_next(s + n, &point);

		columns -= utf8_width_point(point);
		if (columns < 0 || n + (size_t)len > bytes)
			break;
		n += (size_t)len;
	}
	return n;
}

/* Where the longest end of a clean text within so many columns and bytes begins. */
static size_t tail_of(const char *s, int columns, size_t bytes)
{
	size_t end = strlen(s), at = end;

	while (at) {
		uint32_t point;
		size_t before = at - 1;

		while (before && ((unsigned char)s[before] & 0xc0) == 0x80)
			before--;
		utf8_next(s + before, &point);
		columns -= utf8_width_point(point);
		if (columns < 0 || end - before > bytes)
			break;
		at = before;
	}
	return at;
}

static bool fits(const char *s, int columns, size_t bytes)
{
	return !s[head_of(s, columns, bytes)];
}

void message_line(char *out, size_t size, const char *text)
{
	/* Three fifths for the begin. */
	int columns = MESSAGE_COLUMNS / 5 * 3;
	size_t bytes, n;
	struct arena a;
	char *clean;

	arena_init(&a);
	clean = utf8_clean(&a, text, SIZE_MAX);
	size--;
	if (fits(clean, MESSAGE_COLUMNS, size)) {
		memcpy(out, clean, strlen(clean) + 1);
	} else {
		bytes = (size - strlen(ELLIPSIS)) / 5 * 3;
		n = head_of(clean, columns, bytes);
		memcpy(out, clean, n);
		memcpy(out + n, ELLIPSIS, strlen(ELLIPSIS));
		n += strlen(ELLIPSIS);
		clean += tail_of(clean, MESSAGE_COLUMNS - columns - 1,
				 size - strlen(ELLIPSIS) - bytes);
		memcpy(out + n, clean, strlen(clean) + 1);
	}
	arena_release(&a);
}

void message_tidy(struct buf *b, size_t from)
{
	char line[MESSAGE_BYTES];

	if (b->len <= from)
		return;
	message_line(line, sizeof(line), b->data + from);
	b->len = from;
	buf_puts(b, line);
}

void message_mark(struct buf *b, const char *text, size_t place)
{
	const char *before, *after;
	struct arena a;
	size_t from, n;

	arena_init(&a);
	before = utf8_clean(&a, text, place);
	after = utf8_clean(&a, text + strnlen(text, place), SIZE_MAX);
	from = tail_of(before, AROUND, MESSAGE_BYTES);
	n = head_of(after, AROUND, MESSAGE_BYTES);
	buf_printf(b, "\n  %s%s%.*s%s", from ? ELLIPSIS : "", before + from, (int)n, after,
		   after[n] ? ELLIPSIS : "");
	buf_printf(b, "\n  %*s^", utf8_width(before + from) + !!from, "");
	arena_release(&a);
}

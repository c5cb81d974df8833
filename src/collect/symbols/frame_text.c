// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/symbols/frame_text.h"

#include <stdbool.h>
#include <string.h>

#define TEXT_MAX 512	/* bytes of a frame; templates give names of many kilobytes */

const char *frame_text_file(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/*
 * Line breaks separate frames, a tab what is said of one, and no frame may be longer than a screen
 * can show. Only the first `tabs` are let through. Returns how many of these there were.
 */
static unsigned put_cut(struct buf *out, const char *text, size_t n, unsigned tabs)
{
	size_t from = out->len;
	unsigned count = 0;

	buf_putn(out, text, MIN(n, (size_t)TEXT_MAX));
	for (char *c = out->data + from; *c; c++) {
		if (*c == '\t' && count < tabs)
			count++;
		else if (*c == '\n' || *c == '\t')
			*c = '?';
	}
	if (n > TEXT_MAX)
		buf_puts(out, "…");
	return count;
}

void frame_text_put(struct buf *out, const char *text)
{
	put_cut(out, text, strnlen(text, TEXT_MAX + 1), 0);
}

void frame_text_put_all(struct buf *out, const char *text, const char *file)
{
	for (const char *end; *text; text = *end ? end + 1 : end) {
		end = strchrnul(text, '\n');
		buf_puts(out, put_cut(out, text, (size_t)(end - text), 1) ? "\t" : "\t\t");
		frame_text_put(out, file);
		if (end[0] && end[1])
			buf_putc(out, '\n');
	}
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/clipboard.h"

#include <stdint.h>
#include <string.h>

#define CHUNK 256	/* bytes of a string that screen takes at a time */

static void put_base64(struct buf *out, const char *text, size_t n)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < n; i += 3) {
		uint32_t bits = (uint32_t)(unsigned char)text[i] << 16;

		if (i + 1 < n)
			bits |= (uint32_t)(unsigned char)text[i + 1] << 8;
		if (i + 2 < n)
			bits |= (unsigned char)text[i + 2];
		buf_putc(out, digits[bits >> 18]);
		buf_putc(out, digits[bits >> 12 & 63]);
		buf_putc(out, i + 1 < n ? digits[bits >> 6 & 63] : '=');
		buf_putc(out, i + 2 < n ? digits[bits & 63] : '=');
	}
}

void clipboard_sequence(struct buf *out, const char *text, enum multiplexer in)
{
	struct buf plain = { 0 };

	buf_puts(&plain, "\033]52;c;");
	put_base64(&plain, text, strlen(text));
	buf_putc(&plain, '\a');
	/* tmux takes it itself where set-clipboard is on, and hands it on where it lets through. */
	if (in != IN_SCREEN)
		buf_putn(out, plain.data, plain.len);
	if (in == IN_TMUX)
		buf_printf(out, "\033Ptmux;\033%s\033\\", plain.data);
	for (size_t at = 0; in == IN_SCREEN && at < plain.len; at += CHUNK)
		buf_printf(out, "\033P%.*s\033\\", CHUNK, plain.data + at);
	buf_release(&plain);
}

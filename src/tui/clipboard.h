/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sequence that puts a text into the terminal's clipboard (OSC 52). */
#ifndef IOTOP_TUI_CLIPBOARD_H
#define IOTOP_TUI_CLIPBOARD_H

#include "base/buf.h"

/* What the terminal is inside of. */
enum multiplexer {
	IN_NONE,
	IN_TMUX,
	IN_SCREEN,
};

void clipboard_sequence(struct buf *out, const char *text, enum multiplexer in);

#endif

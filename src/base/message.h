/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What went wrong, as one line that any terminal can be given: it may quote a command line, a file,
 * a name of the kernel's.
 */
#ifndef IOTOP_BASE_MESSAGE_H
#define IOTOP_BASE_MESSAGE_H

#include <stddef.h>

#include "base/buf.h"

#define MESSAGE_COLUMNS 193	/* of a terminal; with "iotop: " before it 200 */

/*
 * Writes text as one clean line (see utf8_clean()) of at most MESSAGE_COLUMNS columns and size
 * bytes with the NUL. Of a longer one the begin and the end stay, which say what it is about and
 * what to do; "…" stands for the rest.
 */
void message_line(char *out, size_t size, const char *text);
/* The same with what is in b from that byte on. */
void message_tidy(struct buf *b, size_t from);
/*
 * A text with a mark below the byte at place, as two lines of which each begins with a line feed.
 * Of a long one, what is around it.
 */
void message_mark(struct buf *b, const char *text, size_t place);

#endif

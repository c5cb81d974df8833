/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is pasted comes faster than anybody types: it is read in pieces. A reader with a buffer of
 * its own (curses) has read before it is asked: see paste_note().
 */
#ifndef IOTOP_TUI_PASTE_H
#define IOTOP_TUI_PASTE_H

#include <stdbool.h>
#include <stddef.h>
#include <wchar.h>

#define PASTE_PIECE 4096	/* bytes */
#define PASTE_PLAIN 256		/* characters in a row, more than the other reader keeps */

/* All zeroes to begin with. */
struct paste {
	char bytes[PASTE_PIECE];
	size_t at, n;
	size_t last;		/* bytes of the character that was read last */
	unsigned plain;		/* characters in a row that the other reader read */
};

/* The next character of a paste. False: there is none, the other reader is to be asked. */
bool paste_next(struct paste *p, int fd, wint_t *ret);
/* What the other reader read: plain: a character, and no beginning of a sequence. */
void paste_note(struct paste *p, bool plain);
/* Gives the last character back. False: it was not read here. */
bool paste_back(struct paste *p, unsigned code);
/* Something was read that nobody asked for yet: waiting for fd would be in vain. */
bool paste_waits(const struct paste *p);

#endif

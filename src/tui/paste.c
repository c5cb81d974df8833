// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/paste.h"

#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/macro.h"

#define PATIENCE 20	/* ms, for the rest of a character */

/* Appends what there is, if it is so much at least. */
static bool refill(struct paste *p, int fd, int least)
{
	int waiting = 0;
	ssize_t n;

	if (ioctl(fd, FIONREAD, &waiting) || waiting < least)
		return false;
	memmove(p->bytes, p->bytes + p->at, p->n - p->at);
	p->n -= p->at;
	p->at = 0;
	n = read(fd, p->bytes + p->n, MIN((size_t)waiting, sizeof(p->bytes) - p->n));
	p->n += n > 0 ? (size_t)n : 0;
	return n > 0;
}

static bool wait_for_more(struct paste *p, int fd)
{
	struct pollfd wait = { .fd = fd, .events = POLLIN };

	return poll(&wait, 1, PATIENCE) > 0 && refill(p, fd, 1);
}

bool paste_next(struct paste *p, int fd, wint_t *ret)
{
	while (p->at < p->n || (p->plain >= PASTE_PLAIN && refill(p, fd, PASTE_PLAIN))) {
		mbstate_t state = { 0 };
		wchar_t point;
		size_t len = mbrtowc(&point, p->bytes + p->at, p->n - p->at, &state);

		if (len == (size_t)-2 && wait_for_more(p, fd))
			continue;
		/* No character of this locale, or its end never came. */
		if (len == (size_t)-2 || len == (size_t)-1) {
			p->at++;
			continue;
		}
		p->last = MAX(len, 1);
		p->at += p->last;
		*ret = (wint_t)point;
		return true;
	}
	if (p->plain >= PASTE_PLAIN)
		p->plain = 0;
	p->last = 0;
	return false;
}

void paste_note(struct paste *p, bool plain)
{
	p->plain = plain ? p->plain + 1 : 0;
}

bool paste_back(struct paste *p, _unused_ unsigned code)
{
	if (!p->last)
		return false;
	p->at -= p->last;
	p->last = 0;
	return true;
}

bool paste_waits(const struct paste *p)
{
	return p->at < p->n;
}

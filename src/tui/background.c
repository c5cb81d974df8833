// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/background.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/macro.h"

#define ANSWER_MOST 4096
#define WAIT_NS (100 * 1000000ULL)

/* The background, and what it is: that the second is answered says that the first was not. */
static const char questions[] = "\033]11;?\033\\\033[c";

static void take_out(struct buf *b, size_t from, size_t to)
{
	memmove(b->data + from, b->data + to, b->len - to + 1);
	b->len -= to - from;
}

/* The first two of four digits, of one as many as there are: 0 to 255. */
static unsigned part(const char *hex, size_t n)
{
	char digits[3] = { hex[0], n > 1 ? hex[1] : hex[0], '\0' };

	return (unsigned)strtoul(digits, NULL, 16);
}

/* "rgb:1e1e/1e1e/1e1e" by how light it is to the eye (ITU-R BT.601). */
static enum background background_of(const char *text, size_t n)
{
	unsigned parts[3], at = 0;
	const char *p = memmem(text, n, "rgb", 3), *end = text + n;

	p = p ? memchr(p, ':', (size_t)(end - p)) : NULL;
	for (; p && at < 3; at++) {
		size_t digits = strspn(++p, "0123456789abcdefABCDEF");

		if (!digits || p + digits > end)
			return BACKGROUND_UNKNOWN;
		parts[at] = part(p, digits);
		p += digits;
	}
	if (at < 3)
		return BACKGROUND_UNKNOWN;
	return 299 * parts[0] + 587 * parts[1] + 114 * parts[2] > 1000 * 128 ? BACKGROUND_LIGHT
									     : BACKGROUND_DARK;
}

enum background background_answer(struct buf *read, bool *ret_done)
{
	enum background found = BACKGROUND_UNKNOWN;
	char *begin, *end;

	*ret_done = false;
	while (read->len && (begin = strstr(read->data, "\033]11;"))) {
		size_t from = (size_t)(begin - read->data);

		end = begin + strcspn(begin, "\a");
		if (!*end)
			end = strstr(begin, "\033\\");
		if (!end)
			break;
		found = background_of(begin, (size_t)(end - begin));
		take_out(read, from, (size_t)(end - read->data) + (*end == '\a' ? 1 : 2));
	}
	begin = read->len ? strstr(read->data, "\033[?") : NULL;
	end = begin ? begin + 3 + strspn(begin + 3, "0123456789;") : NULL;
	if (end && *end == 'c') {
		take_out(read, (size_t)(begin - read->data), (size_t)(end - read->data) + 1);
		*ret_done = true;
	}
	return found;
}

/* Those that are known to answer, or at least to swallow it. */
static bool takes_questions(void)
{
	static const char *const names[] = { "xterm", "tmux", "screen", "rxvt", "foot", "alacritty",
					     "st-",   "konsole", "gnome", "contour", "wezterm",
					     "ghostty", "mlterm", "putty" };
	const char *term = getenv("TERM");

	for (size_t i = 0; term && i < ARRAY_SIZE(names); i++)
		if (!strncmp(term, names[i], strlen(names[i])))
			return true;
	return false;
}

/* rxvt and konsole say it in the environment: "15;0" is light on dark. */
static enum background of_environment(void)
{
	const char *colors = getenv("COLORFGBG"), *last = colors ? strrchr(colors, ';') : NULL;

	if (!last || !last[1])
		return BACKGROUND_UNKNOWN;
	return atoi(last + 1) == 7 || atoi(last + 1) > 8 ? BACKGROUND_LIGHT : BACKGROUND_DARK;
}

void background_ask(struct background_question *q)
{
	q->found = BACKGROUND_UNKNOWN;
	q->until = 0;
	if (takes_questions() && write(STDOUT_FILENO, questions, sizeof(questions) - 1) > 0)
		q->until = clock_mono() + WAIT_NS;
}

/* Reads once, after timeout ms at most. False: there is nothing, or no end of it. */
static bool read_some(struct background_question *q, int timeout, bool *ret_done)
{
	struct pollfd fd = { .fd = STDIN_FILENO, .events = POLLIN };
	char bytes[256];
	enum background now;
	ssize_t n;

	if (q->read.len >= ANSWER_MOST || poll(&fd, 1, timeout) <= 0)
		return false;
	n = read(STDIN_FILENO, bytes, sizeof(bytes));
	if (n <= 0 || memchr(bytes, '\0', (size_t)n))
		return false;
	buf_putn(&q->read, bytes, (size_t)n);
	now = background_answer(&q->read, ret_done);
	q->found = now ? now : q->found;
	return true;
}

bool background_listen(struct background_question *q, bool wait)
{
	uint64_t now = clock_mono();
	bool done = !q->until;	/* it was not asked */

	/* What came in time is read, even if nobody listened until now. */
	while (!done && read_some(q, wait && now < q->until ? (q->until - now) / 1000000 + 1 : 0,
				  &done))
		now = clock_mono();
	/* What cannot be read any further is not waited for. */
	if (!done && !wait && clock_mono() < q->until)
		return false;
	q->until = 0;
	q->found = q->found ? q->found : of_environment();
	return true;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* A part of a recording. */
#include <errno.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "base/when.h"
#include "record/replay.h"

static int parse(const struct replay *r, const char *text, uint64_t *ret, struct err *err)
{
	if (!when_parse(text, r->moments[r->n - 1].real, ret))
		return 0;
	return err_set(err, EINVAL, _("\"%s\" is no time such as 03:12, -15m or yesterday 14:00"),
		       text);
}

/*
 * How many samples are not after a moment. The clock may have been set back: the first that is
 * later ends them.
 */
static size_t count_until(const struct replay *r, uint64_t real)
{
	size_t n = 0;

	while (n < r->n && r->moments[n].real <= real)
		n++;
	return n;
}

int replay_limit(struct replay *r, const char *begin, const char *end, struct err *err)
{
	uint64_t from = r->moments[0].real, to = r->moments[r->n - 1].real;
	char first[40], last[40];
	size_t next;
	int result = 0;

	clock_iso(first, sizeof(first), from);
	clock_iso(last, sizeof(last), to);
	if (begin)
		result = parse(r, begin, &from, err);
	if (!result && end)
		result = parse(r, end, &to, err);
	if (result < 0)
		return result;
	next = count_until(r, from);
	next -= next > 0;
	r->ends = end;
	if (end)
		r->n = count_until(r, to);
	if (r->n < next + 2)
		return err_set(err, EINVAL,
			       _("%s has nothing between these times: it is from %s to %s"),
			       r->whole_path, first, last);
	r->next = next;
	return 0;
}

uint64_t replay_interval(const struct replay *r)
{
	uint64_t least = 0;

	for (size_t i = r->next + 1; i < r->n; i++) {
		uint64_t before = r->moments[i - 1].real, at = r->moments[i].real;

		/* The clock may have been set back. */
		if (at > before && (!least || at - before < least))
			least = at - before;
	}
	return least;
}

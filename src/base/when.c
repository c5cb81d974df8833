// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/when.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/macro.h"
#include "base/parse.h"

#define DAY 86400

/* "-1h30m": numbers with units, all taken off. */
static int parse_ago(const char *text, uint64_t now, uint64_t *ret)
{
	uint64_t ago = 0;

	while (*text) {
		size_t digits = strspn(text, "0123456789."), unit = strspn(text + digits, "dhmins");
		char part[32];
		uint64_t ns;

		if (!digits || !unit || digits + unit >= sizeof(part))
			return -EINVAL;
		memcpy(part, text, digits + unit);
		part[digits + unit] = 0;
		if (parse_duration(part, NSEC_PER_SEC, &ns) || ns > now - ago)
			return -EINVAL;
		ago += ns;
		text += digits + unit;
	}
	*ret = now - ago;
	return 0;
}

/* "14:00" or "14:00:30" and no more; the seconds of the day, -1: it is neither. */
static int parse_clock(const char *text)
{
	int part[3] = { 0 };
	unsigned n = 0;

	for (;; text++) {
		size_t digits = strspn(text, "0123456789");

		if (n == ARRAY_SIZE(part) || !digits || digits > 2)
			return -1;
		while (digits--)
			part[n] = part[n] * 10 + *text++ - '0';
		n++;
		if (*text != ':')
			break;
	}
	if (*text || n < 2 || part[0] > 23 || part[1] > 59 || part[2] > 59)
		return -1;
	return part[0] * 3600 + part[1] * 60 + part[2];
}

/* At a time of a day that is so many days from the day of now. */
static uint64_t on_day(uint64_t now, int days, int seconds)
{
	time_t t = (time_t)(now / NSEC_PER_SEC);
	struct tm tm;

	localtime_r(&t, &tm);
	tm.tm_mday += days;
	tm.tm_hour = seconds / 3600;
	tm.tm_min = seconds / 60 % 60;
	tm.tm_sec = seconds % 60;
	tm.tm_isdst = -1;
	t = mktime(&tm);
	return t < 0 ? 0 : (uint64_t)t * NSEC_PER_SEC;
}

/* "Z" or "+02:00": seconds east of Greenwich. */
static int parse_zone(const char *text, long *ret_east)
{
	int clock;

	if (!strcmp(text, "Z")) {
		*ret_east = 0;
		return 0;
	}
	clock = *text == '+' || *text == '-' ? parse_clock(text + 1) : -1;
	if (clock < 0)
		return -EINVAL;
	*ret_east = *text == '-' ? -clock : clock;
	return 0;
}

static int parse_date(const char *text, uint64_t *ret)
{
	static const char *const forms[] = { "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M:%S",
					     "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M", "%Y-%m-%d" };

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		struct tm tm = { .tm_isdst = -1 };
		const char *rest = strptime(text, forms[i], &tm);
		long east;
		time_t t;

		if (!rest)
			continue;
		/* Milliseconds, as reports have them, are below what is asked for. */
		if (*rest == '.')
			rest += 1 + strspn(rest + 1, "0123456789");
		if (!*rest)
			t = mktime(&tm);
		else if (!parse_zone(rest, &east))
			t = timegm(&tm) - east;
		else
			continue;
		if (t < 0)
			return -EINVAL;
		*ret = (uint64_t)t * NSEC_PER_SEC;
		return 0;
	}
	return -EINVAL;
}

int when_parse(const char *text, uint64_t now, uint64_t *ret)
{
	static const struct {
		const char *word;
		int days;
	} words[] = { { "today ", 0 }, { "yesterday ", -1 } };
	int clock = parse_clock(text);

	if (!strcmp(text, "now")) {
		*ret = now;
		return 0;
	}
	if (*text == '-' && text[1])
		return parse_ago(text + 1, now, ret);
	if (clock >= 0) {
		*ret = on_day(now, 0, clock);
		if (*ret > now)
			*ret = on_day(now, -1, clock);
		return 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		size_t n = strlen(words[i].word);

		if (strncmp(text, words[i].word, n))
			continue;
		clock = parse_clock(text + n);
		if (clock < 0)
			return -EINVAL;
		*ret = on_day(now, words[i].days, clock);
		return 0;
	}
	return parse_date(text, ret);
}

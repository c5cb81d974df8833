// SPDX-License-Identifier: GPL-2.0-or-later
#include "serve/accept.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#define WHOLE 1000	/* q=1 */

/* Thousandths of "0.75"; what is no such number is 0. */
static unsigned quality(const char *s, size_t n)
{
	unsigned ret = 0, digit = WHOLE;
	bool point = false;

	for (size_t i = 0; i < n && digit; i++) {
		if (s[i] == '.' && !point) {
			point = true;
			digit = WHOLE / 10;
		} else if (isdigit((unsigned char)s[i])) {
			ret += (unsigned)(s[i] - '0') * digit;
			digit = point ? digit / 10 : digit;
		} else {
			break;
		}
	}
	return ret > WHOLE ? WHOLE : ret;
}

/* Of one media range with its parameters, n bytes: how much it is wanted. */
static unsigned range_quality(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (s[i] != ';')
			continue;
		i += 1 + strspn(s + i + 1, " \t");
		if (i + 1 < n && (s[i] == 'q' || s[i] == 'Q') && s[i + 1] == '=')
			return quality(s + i + 2, n - i - 2);
		i--;
	}
	return WHOLE;
}

static bool is_type(const char *s, size_t n, const char *type)
{
	size_t len = strlen(type);

	return n >= len && !strncasecmp(s, type, len) &&
	       (n == len || strchr("; \t", s[len]));
}

bool accept_openmetrics(const char *accept)
{
	unsigned open = 0, text = 0;

	for (const char *p = accept; p && *p;) {
		size_t n;

		p += strspn(p, ", \t");
		n = strcspn(p, ",");
		if (is_type(p, n, "application/openmetrics-text") && range_quality(p, n) > open)
			open = range_quality(p, n);
		else if (is_type(p, n, "text/plain") && range_quality(p, n) > text)
			text = range_quality(p, n);
		p += n;
	}
	return open && open >= text;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* What stands behind an operator of a filter: numbers in the unit of their column, and regular expressions. */
#include <string.h>

#include "base/i18n.h"
#include "base/parse.h"
#include "view/filter_node.h"

#define PATTERN_MAX 512		/* bytes of a regular expression */
#define PATTERN_NODES 5000	/* of what the C library makes of it */
#define PATTERN_DEPTH 64	/* nested groups */

/* How often a repetition at *p copies what is before it; moves *p to its last character. */
static uint64_t copies(const char **p)
{
	const char *s = *p + 1;
	uint64_t low, high;

	if (**p == '+')
		return 2;
	low = high = scan_u64(&s);
	if (*s == ',') {
		s++;
		high = scan_u64(&s);
	}
	if (*s == '}')
		*p = s;
	return MIN(MAX(MAX(low + 1, high), 1), PATTERN_NODES);
}

/*
 * The C library copies what is repeated: a++++++++++++++++++++ or (a{1,255}){1,255} would take gigabytes. Counts what it would
 * make. Back-references take exponential time and are refused as well.
 */
bool filter_pattern_modest(const char *s)
{
	uint64_t sum[PATTERN_DEPTH + 1] = { 0 }, last = 0;	/* nodes by nesting; of the last atom */
	unsigned depth = 0;

	if (strlen(s) > PATTERN_MAX)
		return false;
	for (; *s; s++) {
		uint64_t more = 1;

		if (*s == '(') {
			if (++depth > PATTERN_DEPTH)
				return false;
			sum[depth] = 0;
		} else if (*s == ')' && depth) {
			last = more = sum[depth--];
		} else if (*s == '+' || *s == '{') {
			uint64_t n = copies(&s);

			more = last * (n - 1);
			last *= n;
		} else {
			if (*s == '\\' && s[1] && s++ && *s >= '1' && *s <= '9')
				return false;
			last = 1;
		}
		sum[depth] += more;
		if (sum[depth] > PATTERN_NODES)
			return false;
	}
	return true;
}

/* Drops what people write behind a value: "71%", "10MB/s". */
static void strip_suffix(char *word, const char *suffix)
{
	size_t n = strlen(word), m = strlen(suffix);

	if (n > m && !strcmp(word + n - m, suffix))
		word[n - m] = '\0';
}

static bool parse_plain(const char *word, struct value *ret)
{
	uint64_t u;
	double f;

	if (!parse_u64(word, &u)) {
		*ret = value_u64(u);
		return true;
	}
	if (parse_f64(word, &f))
		return false;
	*ret = value_f64(f);
	return true;
}

/* The value of a test in the unit of its column. */
bool filter_value(const struct column *col, char *word, struct value *ret)
{
	uint64_t u;

	if (parse_plain(word, ret))
		return true;
	switch (col->unit) {
	case UNIT_BYTES:
		strip_suffix(word, "/s");
		if (parse_size(word, 0, &u))
			return false;
		break;
	case UNIT_COUNT:
		strip_suffix(word, "/s");
		if (parse_size(word, 1, &u))
			return false;
		break;
	case UNIT_NS:
		if (parse_duration(word, 1, &u))
			return false;
		break;
	case UNIT_PERCENT:
		strip_suffix(word, "%");
		return parse_plain(word, ret);
	default:
		return false;
	}
	*ret = value_u64(u);
	return true;
}

const char *filter_value_hint(enum unit unit)
{
	switch (unit) {
	case UNIT_BYTES:
		return _("a size such as 10M is expected here");
	case UNIT_NS:
		return _("a time such as 10ms is expected here");
	default:
		return _("a number is expected here");
	}
}

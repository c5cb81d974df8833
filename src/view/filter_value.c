// SPDX-License-Identifier: GPL-2.0-or-later
/* The values that filters compare with: numbers with units, by the unit of the column. */
#include <string.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "base/parse.h"
#include "base/when.h"
#include "view/filter_node.h"

/* Strips an optional suffix: "71%", "10MB/s". */
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
	uint64_t u = 0;

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
	case UNIT_CLOCK:
		if (when_parse(word, clock_real(), &u))
			return false;
		break;
	case UNIT_NONE:
	case UNIT_RATIO:
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
	case UNIT_CLOCK:
		return _("a time such as 14:02:10 or -15m is expected here");
	case UNIT_NONE:
	case UNIT_COUNT:
	case UNIT_PERCENT:
	case UNIT_RATIO:
		break;
	}
	return _("a number is expected here");
}

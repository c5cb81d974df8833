// SPDX-License-Identifier: GPL-2.0-or-later
/* Moments as people write them. */
#include "base/when.h"

#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "unit.h"

#define SEC NSEC_PER_SEC
#define NOON 1769860800ULL	/* 2026-01-31T12:00:00Z */

START_TEST(moments)
{
	static const struct {
		const char *text;
		int64_t want;	/* seconds from NOON + 30 min, 0 with wrong: refused */
		bool wrong;
	} cases[] = {
		{ "now", 0, false },
		{ "-15m", -900, false },
		{ "-1h30m", -5400, false },
		{ "-90s", -90, false },
		{ "-2d", -172800, false },
		{ "12:00", -1800, false },
		{ "12:29:59", -1, false },
		{ "12:31", 60 - 86400, false },
		{ "0:00", -45000, false },
		{ "today 12:31", 60, false },
		{ "yesterday 14:00", 5400 - 86400, false },
		{ "2026-01-31", -45000, false },
		{ "2026-01-31 12:00", -1800, false },
		{ "2026-01-31T12:00:05", -1795, false },
		{ "2026-01-31T12:00:05Z", -1795, false },
		{ "2026-01-31T14:00:05+02:00", -1795, false },
		{ "2026-01-31T12:00:05.250+00:00", -1795, false },
		{ "", 0, true },
		{ "-", 0, true },
		{ "-15", 0, true },
		{ "-15x", 0, true },
		{ "-999999999d", 0, true },
		{ "24:00", 0, true },
		{ "12:60", 0, true },
		{ "12", 0, true },
		{ "12:", 0, true },
		{ "123:00", 0, true },
		{ "12:00:00:00", 0, true },
		{ "yesterday", 0, true },
		{ "yesterday noon", 0, true },
		{ "2026-13-31", 0, true },
		{ "2026-01-31T12:00x", 0, true },
	};
	const uint64_t now = (NOON + 1800) * SEC;

	setenv("TZ", "UTC0", 1);
	tzset();
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		uint64_t got = 0;

		ck_assert_msg((when_parse(cases[i].text, now, &got) < 0) == cases[i].wrong, "%s",
			      cases[i].text);
		if (!cases[i].wrong)
			ck_assert_msg((int64_t)(got - now) == cases[i].want * (int64_t)SEC,
				      "%s: %lld", cases[i].text,
				      (long long)(got - now) / (long long)SEC);
	}
}
END_TEST

UNIT_MAIN("when", moments)

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any bytes as what a terminal sends. Each sequence is one key that is known, or none; it ends, and
 * takes no more than a sequence can be long.
 */
#include <string.h>

#include "fuzz.h"
#include "tui/binding.h"
#include "tui/escape.h"

#define LONGEST 4100 /* of a text that a terminal sends (escape.c), and what begins and ends it */

static const uint8_t *at, *end;
static unsigned taken;

static unsigned next(void)
{
	if (at == end)
		return 0;
	taken++;
	/* 0 is that nothing is there. */
	return *at ? *at++ : (at++, 1);
}

static void back(unsigned code)
{
	FUZZ_CHECK(taken && (at[-1] == code || (!at[-1] && code == 1)));
	taken--;
	at--;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	at = data;
	end = data + size;
	while (at < end) {
		const uint8_t *from = at;
		int key;

		if (*at++ != 0x1b)
			continue;
		taken = 0;
		key = escape_key(next, back);
		FUZZ_CHECK(taken <= LONGEST && at >= from + 1);
		FUZZ_CHECK(key == 0x1b || key >= KEY_UP_ || key == KEY_NONE_);
		/* What belongs to the next key is not eaten: Esc Esc, Esc q. */
		FUZZ_CHECK(key != 0x1b || at == from + 1);
	}
	return 0;
}

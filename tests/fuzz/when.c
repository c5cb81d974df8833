// SPDX-License-Identifier: GPL-2.0-or-later
/* Any text as the condition of --when: refused with a place inside of it, or true or false. */
#include <string.h>

#include "fuzz.h"
#include "view/condition.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	struct condition *c = NULL;
	size_t place = SIZE_MAX;
	struct err err = { "" };

	memcpy(text, data, size);
	text[size] = '\0';
	if (condition_parse(text, &c, &place, &err) < 0) {
		FUZZ_CHECK(!c && place <= strlen(text) && *err.text && !strchr(err.text, '\n'));
	} else {
		const char *clean = condition_text(c);

		for (size_t i = 0; clean[i]; i++)
			FUZZ_CHECK((unsigned char)clean[i] >= ' ' && clean[i] != 0x7f);
		condition_needs(c);
		condition_lasts(c);
		condition_free(c);
	}
	free(text);
	return 0;
}

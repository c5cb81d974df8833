// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any text as a configuration file: refused in one line, or taken; then what is saved reads back as
 * the same.
 */
#include <string.h>

#include "fuzz.h"
#include "options/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf why = { 0 }, saved = { 0 }, again = { 0 };
	char *text = malloc(size + 1);
	struct options o, p;

	memcpy(text, data, size);
	text[size] = '\0';
	options_init(&o);
	options_init(&p);
	if (options_read_config(&o, text, "file", &why) < 0) {
		FUZZ_CHECK(why.len > 6 && !strchr(why.data, '\n'));
	} else {
		options_write_config(&o, &saved);
		FUZZ_CHECK(!options_read_config(&p, saved.data ? saved.data : "", "saved", &why));
		options_write_config(&p, &again);
		FUZZ_CHECK(saved.len == again.len &&
			   !memcmp(saved.data ? saved.data : "", again.data ? again.data : "",
				   saved.len));
	}
	options_release(&o);
	options_release(&p);
	buf_release(&why);
	buf_release(&saved);
	buf_release(&again);
	free(text);
	return 0;
}

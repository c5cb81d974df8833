// SPDX-License-Identifier: GPL-2.0-or-later
/* Any bytes as the file in which an engine keeps names of containers, in each of its forms. */
#include <string.h>

#include "base/buf.h"
#include "collect/helper/engines.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf name = { 0 };
	char *text;

	/* It does not end with a zero. */
	text = malloc(size ? size : 1);
	memcpy(text, data, size);
	for (int form = 0; form < ENGINE_FORMS; form++) {
		buf_reset(&name);
		if (!engine_name(text, size, (enum engine_form)form, "0123456789ab", &name))
			continue;
		FUZZ_CHECK(name.len && name.len < 1024);
		for (size_t i = 0; i < name.len; i++)
			FUZZ_CHECK(name.data[i] > ' ' && name.data[i] < 0x7f);
	}
	buf_release(&name);
	free(text);
	return 0;
}

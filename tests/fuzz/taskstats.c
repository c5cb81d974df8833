// SPDX-License-Identifier: GPL-2.0-or-later
/* Any bytes as a message of taskstats, and as its struct. */
#include <string.h>

#include "collect/proc/acct.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct acct_message m;
	struct acct a;

	if (acct_message_parse(data, size, &m) == 0) {
		FUZZ_CHECK(m.has_task || m.has_group);
		FUZZ_CHECK(memchr(m.task.comm, '\0', sizeof(m.task.comm)));
	}
	if (acct_parse(data, size, &a) == 0)
		FUZZ_CHECK(memchr(a.comm, '\0', sizeof(a.comm)));
	return 0;
}

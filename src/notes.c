// SPDX-License-Identifier: GPL-2.0-or-later
#include "notes.h"

#include <stdio.h>
#include <string.h>

#include "base/message.h"

void notes_print(const struct buf *lines)
{
	for (const char *p = lines->data; p && *p; p += strcspn(p, "\n") + 1) {
		struct buf line = { 0 };

		buf_putn(&line, p, strcspn(p, "\n"));
		message_tidy(&line, 0);
		fprintf(stderr, "iotop: %s\n", line.data ? line.data : "");
		buf_release(&line);
	}
}

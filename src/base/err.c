// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/message.h"

int err_set(struct err *e, int code, const char *fmt, ...)
{
	va_list args;
	char *text;
	int n;

	if (e) {
		errno = code;
		va_start(args, fmt);
		n = vasprintf(&text, fmt, args);
		va_end(args);
		message_line(e->text, sizeof(e->text), n < 0 ? "" : text);
		if (n >= 0)
			free(text);
	}
	return -code;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>

int err_set(struct err *e, int code, const char *fmt, ...)
{
	va_list args;

	if (e) {
		va_start(args, fmt);
		vsnprintf(e->text, sizeof(e->text), fmt, args);
		va_end(args);
	}
	return -code;
}

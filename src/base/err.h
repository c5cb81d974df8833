/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A failure is a negative errno and one sentence for people: what, and what to do. */
#ifndef IOTOP_BASE_ERR_H
#define IOTOP_BASE_ERR_H

#include "base/macro.h"

struct err {
	char text[256];
};

/*
 * Fills e (may be NULL) with one clean line (base/message.h), whatever the arguments are, and
 * returns -code, so that one can write: return err_set(e, EACCES, "…"). %m is what code means.
 */
int err_set(struct err *e, int code, const char *fmt, ...) _printf_(3, 4);

#endif

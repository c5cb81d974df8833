/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file that somebody else reads at any time: each is whole. */
#ifndef IOTOP_SERVE_TEXTFILE_H
#define IOTOP_SERVE_TEXTFILE_H

#include <stddef.h>

#include "base/err.h"

struct textfile;

/* Opens the folder, once: whoever changes the path later changes nothing. */
int textfile_open(const char *path, struct textfile **ret, struct err *err);
/* Replaces the file by one with this content, readable for all. */
int textfile_write(struct textfile *t, const char *data, size_t len, struct err *err);
void textfile_close(struct textfile *t);

#endif

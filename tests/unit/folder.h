/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A folder for files that a test writes, made anew for each. */
#ifndef IOTOP_TESTS_FOLDER_H
#define IOTOP_TESTS_FOLDER_H

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "unit.h"

static char folder[64];

static inline void folder_setup(void)
{
	unit_mkdtemp(folder, sizeof(folder));
}

static inline void folder_teardown(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", folder);
	ck_assert_int_eq(system(command), 0);
}

static inline const char *path_of(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static inline void write_file(const char *name, const void *data, size_t n)
{
	FILE *f = fopen(path_of(name), "w");

	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(data, 1, n, f), n);
	fclose(f);
}

/* With the folders above it. */
static inline void write_text(const char *name, const char *text)
{
	char path[200];

	snprintf(path, sizeof(path), "%s", path_of(name));
	for (char *p = path + strlen(folder) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(path, 0700);
		*p = '/';
	}
	write_file(name, text, strlen(text));
}

static inline void read_self(struct buf *b)
{
	ck_assert_int_eq(buf_read_file(b, AT_FDCWD, "/proc/self/exe", 0), 0);
}

#endif

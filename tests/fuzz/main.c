// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A fuzzer without a fuzzer: runs every file of its corpus once, so that what was found stays
 * found. Arguments name other files. tests/fuzz/run makes the real thing of the same source.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "fuzz.h"

static unsigned files;

static void run_file(const char *path)
{
	struct buf b = { 0 };
	uint8_t *copy;

	if (buf_read_file(&b, AT_FDCWD, path, 0) < 0) {
		fprintf(stderr, "cannot read %s\n", path);
		exit(1);
	}
	/* Of exactly its size: a sanitizer sees the first byte too much. */
	copy = malloc(b.len ? b.len : 1);
	memcpy(copy, b.data ? b.data : "", b.len);
	LLVMFuzzerTestOneInput(copy, b.len);
	free(copy);
	buf_release(&b);
	files++;
}

static void run_folder(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;

	if (!dir) {
		fprintf(stderr, "no corpus: %s\n", path);
		exit(1);
	}
	while ((entry = readdir(dir))) {
		struct buf file = { 0 };

		if (entry->d_name[0] == '.')
			continue;
		buf_printf(&file, "%s/%s", path, entry->d_name);
		run_file(file.data);
		buf_release(&file);
	}
	closedir(dir);
}

int main(int argc, char **argv)
{
	const char *name = strrchr(argv[0], '/'), *top = getenv("top_srcdir");
	struct buf path = { 0 };

	for (int i = 1; i < argc; i++)
		run_file(argv[i]);
	if (argc == 1) {
		buf_printf(&path, "%s/tests/fuzz/corpus/%s", top ? top : ".",
			   name ? name + 1 : argv[0]);
		run_folder(path.data);
		buf_release(&path);
	}
	printf("%u inputs\n", files);
	return files ? 0 : 1;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any file as a segment of a store: it is left out and that is said, or every sample keeps what the
 * tables promise.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "collect/collect.h"
#include "fuzz.h"
#include "record/store_folder.h"
#include "rows.h"

static void check_sample(const struct sample *s)
{
	for (unsigned t = 0; t < TABLE_COUNT; t++)
		for (size_t i = 0; i < s->tables[t].n; i++)
			check_row(&sample_tables[t],
				  (const char *)s->tables[t].rows + i * sample_tables[t].size);
}

static void read_all(const char *folder)
{
	struct sample *s = sample_new(), *late = sample_new();
	struct replay *r = NULL;
	struct err err = { "" };
	int result = replay_open(folder, &r, &err);

	for (int i = 0; i < 100 && result >= 0; i++) {
		sample_reset(s);
		sample_reset(late);
		result = replay_next(r, s, late, &err);
		if (result == 0)
			break;
		if (result > 0)
			check_sample(s);
	}
	if (result < 0)
		FUZZ_CHECK(err.text[0] && !strchr(err.text, '\n'));
	replay_close(r);
	sample_free(late);
	sample_free(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const beside[] = { "-wal", "-shm", "-journal", "" };
	char folder[] = "/tmp/iotop-fuzz-XXXXXX", name[STORE_NAME];
	int fd, file;

	FUZZ_CHECK(mkdtemp(folder));
	fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	store_file_name(name, sizeof(name), 1, 3600000000 * NSEC_PER_SEC);
	file = openat(fd, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	FUZZ_CHECK(file >= 0 && write(file, data, size) == (ssize_t)size);
	close(file);
	read_all(folder);
	for (size_t i = 0; i < sizeof(beside) / sizeof(beside[0]); i++) {
		char path[STORE_NAME + 16];

		snprintf(path, sizeof(path), "%s%s", name, beside[i]);
		unlinkat(fd, path, 0);
	}
	unlinkat(fd, "lock", 0);
	close(fd);
	FUZZ_CHECK(!rmdir(folder));
	return 0;
}

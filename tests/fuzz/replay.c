// SPDX-License-Identifier: GPL-2.0-or-later
/* Any file as a recording: refused in one line, or every sample keeps what the tables promise. */
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "collect/collect.h"
#include "fuzz.h"
#include "rows.h"

static void check_sample(struct sample *s)
{
	for (unsigned t = 0; t < TABLE_COUNT; t++) {
		const struct table_info *info = &sample_tables[t];
		char *row = s->tables[t].rows;
		struct hash keys;

		hash_init(&keys, 0, info->key);
		for (size_t i = 0; i < s->tables[t].n; i++, row += info->size) {
			check_row(info, row);
			if (!info->key)
				continue;
			FUZZ_CHECK(!hash_get(&keys, row));
			hash_put(&keys, row);
		}
		hash_release(&keys);
	}
}

static void read_all(const char *path)
{
	struct sample *s = sample_new();
	struct replay *r = NULL;
	struct err err = { "" };
	int result = replay_open(path, &r, &err);

	for (int i = 0; i < 100 && result >= 0; i++) {
		sample_reset(s);
		result = replay_next(r, s, s, &err);
		if (result == 0)
			break;
		if (result > 0)
			check_sample(s);
	}
	if (result < 0)
		FUZZ_CHECK(err.text[0] && !strchr(err.text, '\n'));
	replay_close(r);
	sample_free(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[] = "/tmp/iotop-fuzz-XXXXXX";
	int fd = mkstemp(path);

	FUZZ_CHECK(fd >= 0);
	FUZZ_CHECK(write(fd, data, size) == (ssize_t)size);
	close(fd);
	read_all(path);
	unlink(path);
	return 0;
}

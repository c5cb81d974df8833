// SPDX-License-Identifier: GPL-2.0-or-later
/* A disk's number, and which disk has it: what was counted by the number has the newest name. */
#include "data/names.h"
#include "data/task/task_parts.h"
#include "files.h"

#define LATE_DEV (259u << 20 | 4)

/* A task that did all of its I/O before the second sample. The disk is in the list by this name. */
static const struct task_row *reader_at(double at, const char *name, const struct model **ret_m)
{
	struct sample *s = begin(at);
	struct task_id reader = id(20, 20, -30);
	uint64_t bytes = at > 0 ? 8192 : 4096;

	io(s, reader, reader, LATE_DEV, OP_READ, bytes);
	file(s, reader, 100, "/srv/data", bytes, 0)->dev = LATE_DEV;
	if (name)
		sample_disk(s, LATE_DEV, name)->flags = DISK_LOWEST;
	*ret_m = step(s);
	return row_of(*ret_m, 20, -30);
}

/* Not in the list yet, there, another one by its number, gone, and another one once more. */
START_TEST(follow_the_number)
{
	static const struct {
		const char *listed, *shown;
	} steps[] = {
		{ NULL, "259:4" },
		{ NULL, "259:4" },
		{ "nvme0n1", "nvme0n1" },
		{ "a longer name than any", "a longer name than any" },
		{ NULL, "a longer name than any" },
		{ "zram1", "zram1" },
	};

	for (unsigned i = 0; i < ARRAY_SIZE(steps); i++) {
		const struct model *m;
		const struct task_row *t = reader_at(i, steps[i].listed, &m);
		const struct row *row = &t->row;
		const struct rows rows = { &row, 1 };
		const struct task_file *files;
		struct task_parts parts;
		size_t n;

		ck_assert_str_eq(t->disk, steps[i].shown);
		parts = task_parts(&rows, SPLIT_DISK, &unit_texts);
		ck_assert_uint_eq(parts.n, 1);
		ck_assert_str_eq(parts.items[0].name, steps[i].shown);
		files = task_files_merged(&rows, &unit_texts, &n);
		ck_assert_uint_eq(n, 1);
		ck_assert_str_eq(files[0].disk->name, steps[i].shown);
	}
}
END_TEST

UNIT_FIXTURE_MAIN("disk_names", samples_setup, samples_teardown, follow_the_number)

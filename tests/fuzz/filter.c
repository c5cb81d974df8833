// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any text as a filter: refused with a place inside of it, or taken and then true or false of a
 * row.
 */
#include <string.h>

#include "data/model.h"
#include "data/task/task.h"
#include "fuzz.h"
#include "view/filter.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct task_counters counters = { .read = 1000,
						       .write = 1u << 30,
						       .wait_ns = 1000000000 };
	struct task_row row = {
		.row = {
			.entity = &entity_task, .now = (const uint64_t *)&counters,
			.sum = (const uint64_t *)&counters, .have = ~0u,
			.members = 1,
		},
		.pid = 42, .tid = 42, .comm = "postgres", .user = "root",
	};
	struct model m = { .interval = 1, .elapsed = 2 };
	char *text = malloc(size + 1);
	struct filter *f = NULL;
	size_t place = SIZE_MAX;
	struct filter_budget budget = { .left = 1000000 };
	struct err err = { "" };

	memcpy(text, data, size);
	text[size] = '\0';
	if (filter_parse(text, &entity_task, &f, &place, &err) < 0) {
		FUZZ_CHECK(!f && place <= strlen(text) && *err.text);
	} else {
		FUZZ_CHECK(!strcmp(filter_text(f), text));
		for (int i = 0; i < 2; i++) {
			filter_match(f, &row.row, &m, (enum span)i, &budget);
			row.row.have = 0;
		}
		filter_needs(f);
		filter_free(f);
	}
	free(text);
	return 0;
}

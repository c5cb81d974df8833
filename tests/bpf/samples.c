// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Takes a sample for each line it reads and prints its tables, one row a line: table name, then
 * field=value, separated by tabs. A line with a dot ends a sample. The first argument is the enum
 * source bits to collect, further ones limit how many tasks, counters, files and stacks are known;
 * what is attached goes to stderr.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "collect/collect.h"
#include "collect/helper/helper.h"
#include "data/sample.h"

static void print_text(const char *s)
{
	for (; s && *s; s++) {
		if (*s == '\t' || *s == '\n' || *s == '\\')
			printf("\\x%02x", (unsigned char)*s);
		else
			putchar(*s);
	}
}

static void print_blob(const struct blob *blob)
{
	const uint64_t *v = blob->data;

	for (size_t i = 0; i < blob->len / sizeof(*v); i++)
		printf("%s%llu", i ? "," : "", (unsigned long long)v[i]);
}

static void print_field(const struct field *f, const char *row)
{
	const void *at = row + f->off;

	printf("\t%s=", f->name);
	switch (f->kind) {
	case FIELD_U32:
		printf("%u", *(const uint32_t *)at);
		break;
	case FIELD_U64:
		printf("%llu", (unsigned long long)*(const uint64_t *)at);
		break;
	case FIELD_I64:
		printf("%lld", (long long)*(const int64_t *)at);
		break;
	case FIELD_STR:
		print_text(*(const char *const *)at);
		break;
	case FIELD_BLOB:
		print_blob(at);
		break;
	}
}

static void print_sample(const struct sample *s)
{
	for (unsigned t = 0; t < TABLE_COUNT; t++) {
		const struct table_info *info = &sample_tables[t];

		for (size_t i = 0; i < s->tables[t].n; i++) {
			printf("%s", info->name);
			for (unsigned f = 0; f < info->nfields; f++)
				print_field(&info->fields[f],
					    (const char *)s->tables[t].rows + i * info->size);
			putchar('\n');
		}
	}
	puts(".");
	fflush(stdout);
}

/* The names of all stacks of the sample. */
static void add_frames(struct collect_set *set, struct sample *s)
{
	size_t n = 0;
	uint64_t *ids = arena_new(&s->arena, uint64_t, 2 * s->tables[TABLE_STACKIO].n + 1);

	sample_each(s, STACKIO, const struct sample_stackio, io) {
		ids[n++] = io->kstack;
		ids[n++] = io->ustack;
	}
	collect_stacks(set, s, ids, n, 0);
}

int main(int argc, char **argv)
{
	struct collect_options opt = { .proc = "/proc",
				       .sys = "/sys",
				       .event_ops = UINT32_MAX,
				       .helper = helper_start("/proc", NULL) };
	_cleanup_(buf_release) struct buf probes = { 0 };
	struct collect_set *set;
	struct sample *s;
	struct err err;
	char line[64];

	opt.max_tasks = argc > 2 ? strtoul(argv[2], NULL, 0) : 0;
	opt.max_counters = argc > 3 ? strtoul(argv[3], NULL, 0) : 0;
	opt.max_files = argc > 4 ? strtoul(argv[4], NULL, 0) : 0;
	opt.stack_storage = argc > 5 ? strtoul(argv[5], NULL, 0) : 0;
	set = collect_open(&opt);
	collect_enable(set, argc > 1 ? strtoul(argv[1], NULL, 0) : SRC_BLOCK | SRC_TASKS);
	collect_probes(set, &probes, false);
	fputs(probes.data, stderr);
	s = sample_new();
	while (fgets(line, sizeof(line), stdin)) {
		sample_reset(s);
		if (collect_sample(set, s, &err) < 0) {
			fprintf(stderr, "%s\n", err.text);
			return 1;
		}
		add_frames(set, s);
		print_sample(s);
	}
	sample_free(s);
	collect_close(set);
	helper_stop(opt.helper);
	return 0;
}

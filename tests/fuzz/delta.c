// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any bytes as the difference to a sample, in the layout of today or in one that a file may have:
 * refused, or each row keeps what the tables promise; then its difference makes the same again, and
 * it can be thinned out.
 */
#include <string.h>

#include "fuzz.h"
#include "record/delta.h"
#include "record/thinner.h"
#include "rows.h"

static struct sample *base;
static struct delta_layout layouts[2];

static int take(void *arg, const struct sample *s, unsigned mark, struct err *err)
{
	return 0;
}

static void prepare(void)
{
	base = sample_new();
	base->mono = base->boot = base->real = 1000;
	for (unsigned t = 0; t < TABLE_COUNT; t++)
		for (unsigned i = 0; i < 4; i++) {
			const struct table_info *info = &sample_tables[t];
			char *row = sample_add(base, (enum sample_table)t);

			memset(row, 0, info->size);
			*(uint32_t *)(void *)row = info->fields[0].kind == FIELD_STR ? 0 : i;
			for (unsigned f = 0; f < info->nfields; f++)
				if (info->fields[f].required)
					*(const char **)(void *)(row + info->fields[f].off) = "x";
		}
	delta_layout_init(&layouts[0]);
	delta_layout_init(&layouts[1]);
	/* What another iotop wrote: fields and a table that are not known here, an older format. */
	layouts[1].plain = true;
	layouts[1].tables[TABLE_TASK].fields[5].field = NULL;
	layouts[1].tables[TABLE_CGROUP].info = NULL;
	for (unsigned f = 0; f < layouts[1].tables[TABLE_CGROUP].nfields; f++)
		layouts[1].tables[TABLE_CGROUP].fields[f].field = NULL;
}

static void check_sample(const struct sample *s)
{
	for (unsigned t = 0; t < TABLE_COUNT; t++)
		for (size_t i = 0; i < s->tables[t].n; i++)
			check_row(&sample_tables[t],
				  (const char *)s->tables[t].rows + i * sample_tables[t].size);
}

/* Bytes of a sample that was read make the same bytes. */
static void check_again(const struct sample *s)
{
	struct sample *again = sample_new();
	struct buf one = { 0 }, two = { 0 };

	delta_put(&one, s, base);
	FUZZ_CHECK(delta_get(one.data, one.len, &layouts[0], again, base));
	delta_put(&two, again, base);
	FUZZ_CHECK(one.len == two.len && !memcmp(one.data, two.data, one.len));
	buf_release(&one);
	buf_release(&two);
	sample_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sample *s = sample_new();
	struct thinner *t;
	struct err err = { "" };

	if (!base)
		prepare();
	if (size && delta_get((const char *)data + 1, size - 1, &layouts[data[0] & 1], s,
			      data[0] & 2 ? NULL : base)) {
		check_sample(s);
		check_again(s);
		t = thinner_new(&(struct thinner_options){ 1000000, take, NULL });
		FUZZ_CHECK(!thinner_add(t, base, 0, &err) && !thinner_add(t, s, 0, &err) &&
			   !thinner_add(t, base, 1, &err) && !thinner_end(t, &err));
		thinner_free(t);
	}
	sample_free(s);
	return 0;
}

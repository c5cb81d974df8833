// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any bytes as the difference to a sample, in the layout of today or in one that a file may have:
 * refused, or each row keeps what the tables promise; then its difference makes the same again, it
 * can be thinned out, and put in columns and back. Any bytes as columns: refused, or samples.
 */
#include <string.h>

#include "fuzz.h"
#include "record/columns.h"
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
	layouts[1].plain = layouts[1].apart = true;
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
	FUZZ_CHECK(delta_get(one.data, one.len, &layouts[0], again, base, NULL));
	delta_put(&two, again, base);
	FUZZ_CHECK(one.len == two.len && !memcmp(one.data, two.data, one.len));
	buf_release(&one);
	buf_release(&two);
	sample_free(again);
}

static void check_columns(const char *data, size_t size, unsigned times)
{
	struct buf samples = { 0 }, columns = { 0 }, again = { 0 };

	for (; times; times--) {
		columns_put_length(&samples, size);
		buf_putn(&samples, data, size);
	}
	FUZZ_CHECK(columns_split(&columns, &samples, &layouts[0]));
	FUZZ_CHECK(columns_join(&again, columns.data, columns.len, &layouts[0]));
	FUZZ_CHECK(again.len == samples.len && !memcmp(again.data, samples.data, again.len));
	/* Nothing may be missing, and nothing may be over. */
	buf_reset(&again);
	FUZZ_CHECK(!columns_join(&again, columns.data, columns.len - 1, &layouts[0]));
	buf_reset(&again);
	buf_putc(&columns, 0);
	FUZZ_CHECK(!columns_join(&again, columns.data, columns.len, &layouts[0]));
	buf_release(&samples);
	buf_release(&columns);
	buf_release(&again);
}

/* What is taken for columns has no more bytes than it gives, but for the lengths of samples. */
static void check_hostile(const char *data, size_t size)
{
	struct buf out = { 0 };

	if (columns_join(&out, data, size, &layouts[0]))
		FUZZ_CHECK(out.len <= 5 * size);
	buf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sample *s = sample_new();
	struct thinner *t;
	struct err err = { "" };

	if (!base)
		prepare();
	check_hostile((const char *)data, size);
	if (size && delta_get((const char *)data + 1, size - 1, &layouts[data[0] & 1], s,
			      data[0] & 2 ? NULL : base, NULL)) {
		check_sample(s);
		check_again(s);
		if (!(data[0] & 1))
			check_columns((const char *)data + 1, size - 1, 1 + data[0] % 3);
		t = thinner_new(&(struct thinner_options){ 1000000, take, NULL });
		FUZZ_CHECK(!thinner_add(t, base, 0, &err) && !thinner_add(t, s, 0, &err) &&
			   !thinner_add(t, base, 1, &err) && !thinner_end(t, &err));
		thinner_free(t);
	}
	sample_free(s);
	return 0;
}

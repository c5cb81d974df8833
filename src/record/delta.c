// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * For each table: the fields it lacks, the number of rows, then pieces. A piece is a number of rows
 * that are as the ones that follow in the sample before, and one row that is not: where the row is
 * that it comes from (0: nowhere; else one more than its distance, with a sign, from where it is
 * expected), a bit for each field that differs (and one added; 0: as in the row before), and these
 * fields. The last piece has no such row. What counts along with another field (struct field,
 * like) is the difference to what that one counted. A row that comes from nowhere is told as the
 * difference to the row before it in the same sample. Numbers take 7 bits a byte, the lowest first;
 * differences have their sign in bit 0.
 */
#include "record/delta.h"

#include <string.h>

#include "record/rows_before.h"
#include "record/varint.h"

/* The sign in bit 0. */
static uint64_t sign_last(int64_t v)
{
	return (uint64_t)v << 1 ^ (uint64_t)(v >> 63);
}

static void put_signed(struct buf *out, int64_t v)
{
	varint_put(out, sign_last(v));
}

static uint64_t number_of(const struct field *f, const char *row)
{
	return f->kind == FIELD_U32 ? *(const uint32_t *)(const void *)(row + f->off)
				    : *(const uint64_t *)(const void *)(row + f->off);
}

static const char *text_of(const struct field *f, const char *row)
{
	return *(const char *const *)(const void *)(row + f->off);
}

static const struct blob *blob_of(const struct field *f, const char *row)
{
	return (const struct blob *)(const void *)(row + f->off);
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool same_field(const struct field *f, const char *a, const char *b)
{
	const struct blob *x, *y;

	switch (f->kind) {
	case FIELD_U32:
	case FIELD_U64:
	case FIELD_I64:
		return number_of(f, a) == number_of(f, b);
	case FIELD_STR:
		return same_text(text_of(f, a), text_of(f, b));
	case FIELD_BLOB:
		x = blob_of(f, a);
		y = blob_of(f, b);
		return x->len == y->len && (!x->len || !memcmp(x->data, y->data, x->len));
	}
	return false;
}

/* The texts and histograms of a table by their place in a row: all else of it is numbers. */
struct apart {
	const struct field *fields[DELTA_FIELDS];
	unsigned n;
};

static void apart_init(struct apart *a, const struct table_info *info)
{
	a->n = 0;
	for (unsigned i = 0; i < info->nfields; i++) {
		const struct field *f = &info->fields[i];
		unsigned at = a->n;

		if (f->kind != FIELD_STR && f->kind != FIELD_BLOB)
			continue;
		for (; at && a->fields[at - 1]->off > f->off; at--)
			a->fields[at] = a->fields[at - 1];
		a->fields[at] = f;
		a->n++;
	}
}

/*
 * As most rows are: what lies between the texts is compared at once, with what is padding or not
 * recorded. False: perhaps it differs.
 */
static bool same_row(const struct apart *a, size_t size, const char *row, const char *before)
{
	size_t at = 0;

	for (unsigned i = 0; i < a->n; i++) {
		const struct field *f = a->fields[i];

		if (memcmp(row + at, before + at, f->off - at) || !same_field(f, row, before))
			return false;
		at = f->off + (f->kind == FIELD_STR ? sizeof(char *) : sizeof(struct blob));
	}
	return !memcmp(row + at, before + at, size - at);
}

/* Bit i: field i differs. */
static uint64_t differing(const struct table_info *info, const char *row, const char *before)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < info->nfields; i++)
		bits |= (uint64_t)!same_field(&info->fields[i], row, before) << i;
	return bits;
}

/* Counts of histograms: how many stay, then one that does not, and so on. */
static void put_blob(struct buf *out, const struct blob *b, const struct blob *before)
{
	const uint64_t *now = b->data, *old = before->data;
	size_t n = b->len / sizeof(*now), nold = before->len / sizeof(*old), same = 0;

	varint_put(out, b->data ? n + 1 : 0);
	for (size_t i = 0; i < n; i++) {
		uint64_t was = i < nold ? old[i] : 0;

		if (now[i] == was) {
			same++;
			continue;
		}
		varint_put(out, same);
		put_signed(out, (int64_t)(now[i] - was));
		same = 0;
	}
	if (n)
		varint_put(out, same);
}

static uint64_t difference(const struct field *f, const char *row, const char *before)
{
	return number_of(f, row) - number_of(f, before);
}

static void put_field(struct buf *out, const struct field *f, const char *row, const char *before)
{
	const char *text;

	switch (f->kind) {
	case FIELD_U32:
	case FIELD_U64:
	case FIELD_I64:
		put_signed(out, (int64_t)(difference(f, row, before) -
					  (f->like ? difference(f - f->like, row, before) : 0)));
		break;
	case FIELD_STR:
		text = text_of(f, row);
		varint_put(out, text ? strlen(text) + 1 : 0);
		if (text)
			buf_putn(out, text, strlen(text));
		break;
	case FIELD_BLOB:
		put_blob(out, blob_of(f, row), blob_of(f, before));
		break;
	}
}

/* What the first row differs from, where it comes from nowhere. */
static const _Alignas(uint64_t) char nothing[512];

static void put_table(struct buf *out, const struct sample *s, const struct sample *before,
		      size_t table)
{
	const struct table_info *info = &sample_tables[table];
	const char *row = s->tables[table].rows;
	size_t n = s->tables[table].n;
	struct rows_before b;
	uint64_t same = 0, last = 0;
	struct apart apart;

	rows_before_init(&b, before, table);
	apart_init(&apart, info);
	varint_put(out, s->tables[table].lacks);
	varint_put(out, n);
	for (size_t i = 0; i < n; i++, row += info->size) {
		const char *from = rows_before_find(&b, row);
		size_t at = from ? rows_before_index(&b, from) : 0;
		const char *base = from ? from : i ? row - info->size : nothing;
		uint64_t bits = from && same_row(&apart, info->size, row, from) ? 0
				: differing(info, row, base);

		if (from && at == b.next && !bits) {
			same++;
			b.next++;
			continue;
		}
		varint_put(out, same);
		same = 0;
		varint_put(out, from ? sign_last((int64_t)(at - b.next)) + 1 : 0);
		varint_put(out, bits == last ? 0 : bits + 1);
		last = bits;
		for (unsigned f = 0; f < info->nfields; f++)
			if (bits >> f & 1)
				put_field(out, &info->fields[f], row, base);
		if (from)
			b.next = at + 1;
	}
	varint_put(out, same);
	rows_before_release(&b);
}

void delta_put(struct buf *out, const struct sample *s, const struct sample *before)
{
	varint_put(out, s->mono);
	varint_put(out, s->boot);
	varint_put(out, s->real);
	for (size_t i = 0; i < TABLE_COUNT; i++)
		put_table(out, s, before, i);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads what delta.c wrote. The bytes may come from a file: every number is checked before it is
 * used, and what they can make us allocate is bounded.
 */
#include "record/delta.h"

#include <string.h>

#include "record/varint.h"

#define TEXT_MAX   (1u << 20)	/* bytes of one text */
#define COUNTS_MAX (8u << 10)	/* of one histogram */
#define ROWS_MAX   (1u << 20)	/* of a table */
#define ARENA_MAX  (256u << 20) /* bytes of all texts and histograms */

/* What is still to be read. bad: a number makes no sense, and p is at the end. */
struct input {
	const char *p, *end;
	bool bad;
};

static uint64_t spoil(struct input *in)
{
	in->bad = true;
	in->p = in->end;
	return 0;
}

static uint64_t get_number(struct input *in)
{
	bool bad = false;
	uint64_t v = varint_get(&in->p, in->end, &bad);

	return bad ? spoil(in) : v;
}

static int64_t get_signed(struct input *in)
{
	uint64_t v = get_number(in);

	return (int64_t)(v >> 1) ^ -(int64_t)(v & 1);
}

/* A number that is at most `most`. */
static size_t get_count(struct input *in, size_t most)
{
	uint64_t n = get_number(in);

	return n <= most ? (size_t)n : (size_t)spoil(in);
}

static uint64_t number_at(const struct field *f, const char *row)
{
	const void *p = row + f->off;

	return f->kind == FIELD_U32 ? *(const uint32_t *)p : *(const uint64_t *)p;
}

/* One that differs from the same number of the row before. */
static uint64_t get_changed_number(struct input *in, const struct delta_field *of, const char *row,
				   const char *before)
{
	const struct field *f = of->field;
	uint64_t now = number_at(f, before) + (uint64_t)get_signed(in);

	if (of->like)
		now += number_at(f - f->like, row) - number_at(f - f->like, before);

	if (f->kind == FIELD_U32)
		now = (uint32_t)now;
	return f->max && now > f->max ? spoil(in) : now;
}

/* The counts into `to` (NULL: nowhere). */
static void get_counts(struct input *in, uint64_t *to, size_t n, const struct blob *before)
{
	const uint64_t *old = before->data;
	size_t nold = before->len / sizeof(*old), i = 0;

	while (i < n && !in->bad) {
		size_t same = get_count(in, n - i);

		for (; same; same--, i++)
			if (to)
				to[i] = i < nold ? old[i] : 0;
		if (i == n)
			break;
		if (to)
			to[i] = (i < nold ? old[i] : 0) + (uint64_t)get_signed(in);
		else
			get_signed(in);
		/* After the last count there is still the number of those that stay. */
		if (++i == n)
			get_count(in, 0);
	}
}

static struct blob get_blob(struct input *in, struct arena *a, const struct blob *before)
{
	size_t n = get_count(in, COUNTS_MAX + 1);
	uint64_t *now;

	if (!n--)
		return (struct blob){ 0 };
	now = arena_new(a, uint64_t, n);
	memset(now, 0, n * sizeof(*now));
	get_counts(in, now, n, before);
	return (struct blob){ .data = now, .len = n * sizeof(*now) };
}

static const char *get_text(struct input *in, struct arena *a)
{
	size_t left = (size_t)(in->end - in->p), n = get_count(in, MIN(left, TEXT_MAX));
	const char *ret;

	if (!n--)
		return NULL;
	if (n > (size_t)(in->end - in->p)) {
		spoil(in);
		return NULL;
	}
	ret = a ? arena_strndup(a, in->p, n) : NULL;
	in->p += n;
	return ret;
}

static void get_field(struct input *in, const struct delta_field *of, char *row, const char *before,
		      struct arena *a)
{
	const struct field *f = of->field;
	void *to = row + f->off;

	switch (f->kind) {
	case FIELD_U32:
		*(uint32_t *)to = (uint32_t)get_changed_number(in, of, row, before);
		break;
	case FIELD_U64:
	case FIELD_I64:
		*(uint64_t *)to = get_changed_number(in, of, row, before);
		break;
	case FIELD_STR:
		*(const char **)to = get_text(in, a);
		break;
	case FIELD_BLOB:
		*(struct blob *)to = get_blob(in, a, (const void *)(before + f->off));
		break;
	}
}

/* A field that this program does not know. */
static void skip_field(struct input *in, enum field_kind kind)
{
	static const struct blob none;

	if (kind == FIELD_STR) {
		get_text(in, NULL);
	} else if (kind == FIELD_BLOB) {
		size_t n = get_count(in, COUNTS_MAX + 1);

		if (n)
			get_counts(in, NULL, n - 1, &none);
	} else {
		get_number(in);
	}
}

struct row_copy {
	_Alignas(uint64_t) char bytes[512];
};

/* One table that is being read. */
struct table_input {
	const struct delta_table *layout;
	const char *before;   /* the rows of the sample before */
	size_t nbefore, next; /* the one that is expected next */
	size_t n;	      /* rows that were made */
	uint64_t bits;	      /* of the row before */
	bool plain, apart;
	struct arena *texts; /* NULL: each sample has its own */
};

static size_t row_size(const struct table_input *t)
{
	return t->layout->info ? t->layout->info->size : 0;
}

static char *add_copy(struct sample *s, const struct table_input *t, const char *from)
{
	enum sample_table table = (enum sample_table)(t->layout->info - sample_tables);

	return t->texts ? sample_add_rows(s, table, from, 1) : sample_copy_row(s, table, from);
}

/* Rows that did not change. */
static void get_same(struct input *in, struct table_input *t, struct sample *s, size_t rows)
{
	size_t n = get_count(in, rows - t->n);

	if (t->layout->info && n > t->nbefore - t->next)
		n = (size_t)spoil(in);
	t->n += n;
	if (!t->layout->info || !n)
		return;
	if (t->texts) {
		sample_add_rows(s, (enum sample_table)(t->layout->info - sample_tables),
				t->before + t->next * row_size(t), n);
		t->next += n;
		return;
	}
	for (; n; n--)
		add_copy(s, t, t->before + t->next++ * row_size(t));
}

/* One more than the number of the row that it comes from; 0: from none. */
static size_t get_place(struct input *in, const struct table_input *t)
{
	size_t most = t->layout->info ? t->nbefore : ROWS_MAX;
	uint64_t v;

	if (t->plain)
		return get_count(in, most);
	v = get_number(in);
	if (!v--)
		return 0;
	v = t->next + ((v >> 1) ^ -(v & 1));
	/* Of a table that is not known here nothing is kept. */
	if (!t->layout->info)
		return 1;
	return v < most ? (size_t)v + 1 : (size_t)spoil(in);
}

static uint64_t get_bits(struct input *in, struct table_input *t)
{
	uint64_t bits = get_number(in);

	if (t->plain)
		return bits;
	if (bits)
		t->bits = bits - 1;
	return t->bits;
}

/* What a row is the difference to. A copy: the rows of the sample may move when one is added. */
static const char *get_base(const struct table_input *t, const struct sample *s, size_t at,
			    struct row_copy *copy)
{
	const struct sample_rows *rows;

	if (at && t->layout->info)
		return t->before + (at - 1) * row_size(t);
	if (!t->layout->info || t->apart || !s->tables[t->layout->info - sample_tables].n)
		return memset(copy->bytes, 0, sizeof(copy->bytes));
	rows = &s->tables[t->layout->info - sample_tables];
	return memcpy(copy->bytes, (const char *)rows->rows + (rows->n - 1) * row_size(t),
		      row_size(t));
}

static void get_changed(struct input *in, struct table_input *t, struct sample *s)
{
	struct row_copy copy;
	const struct delta_table *l = t->layout;
	size_t at = get_place(in, t);
	uint64_t bits = get_bits(in, t);
	const char *from = get_base(t, s, at, &copy);
	char *row = NULL;

	if (in->bad || (l->nfields < 64 && bits >> l->nfields)) {
		spoil(in);
		return;
	}
	t->n++;
	if (l->info)
		row = add_copy(s, t, from);
	for (unsigned i = 0; i < l->nfields; i++) {
		if (!(bits >> i & 1))
			continue;
		if (row && l->fields[i].field)
			get_field(in, &l->fields[i], row, from, t->texts ? t->texts : &s->arena);
		else
			skip_field(in, l->fields[i].kind);
	}
	for (unsigned i = 0; row && i < l->info->nfields; i++) {
		const char **text = (const char **)(void *)(row + l->info->fields[i].off);

		if (l->info->fields[i].required && !*text)
			*text = "";
	}
	t->next = at ? at : t->next;
}

/* Until a field is known to be there, each is lacking. */
static void set_all_lacking(struct sample *s)
{
	for (size_t i = 0; i < TABLE_COUNT; i++)
		s->tables[i].lacks = ~0ull >> (64 - sample_tables[i].nfields);
}

static void set_known(struct sample *s, const struct delta_table *layout, const struct field *f)
{
	s->tables[layout->info - sample_tables].lacks &= ~(1ull << (f - layout->info->fields));
}

static void get_table(struct input *in, const struct delta_layout *all, unsigned table,
		      struct sample *s, const struct sample *before, struct arena *texts)
{
	const struct delta_table *layout = &all->tables[table];
	struct table_input t = {
		.layout = layout,
		.plain = all->plain,
		.apart = all->apart,
		.texts = texts,
	};
	uint64_t lacks = get_number(in);
	size_t rows = get_count(in, ROWS_MAX);

	if (layout->nfields < 64 && lacks >> layout->nfields)
		spoil(in);
	if (before && layout->info) {
		const struct sample_rows *of = &before->tables[layout->info - sample_tables];

		t.before = of->rows;
		t.nbefore = of->n;
	}
	for (unsigned i = 0; layout->info && i < layout->nfields; i++)
		if (layout->fields[i].field && !(lacks >> i & 1))
			set_known(s, layout, layout->fields[i].field);
	while (!in->bad) {
		get_same(in, &t, s, rows);
		if (t.n == rows || in->bad)
			break;
		get_changed(in, &t, s);
		if ((texts ? texts : &s->arena)->used > ARENA_MAX)
			spoil(in);
	}
}

void delta_layout_init(struct delta_layout *l)
{
	memset(l, 0, sizeof(*l));
	for (; l->n < TABLE_COUNT; l->n++) {
		const struct table_info *info = &sample_tables[l->n];
		struct delta_table *t = &l->tables[l->n];

		t->info = info;
		for (; t->nfields < info->nfields; t->nfields++)
			t->fields[t->nfields] =
				(struct delta_field){ &info->fields[t->nfields],
						      info->fields[t->nfields].kind,
						      info->fields[t->nfields].like != 0 };
	}
}

bool delta_get(const char *from, size_t len, const struct delta_layout *layout, struct sample *s,
	       const struct sample *before, struct arena *texts)
{
	struct input in = { .p = from, .end = from + len };

	s->mono = get_number(&in);
	s->boot = get_number(&in);
	s->real = get_number(&in);
	set_all_lacking(s);
	for (unsigned i = 0; i < layout->n && !in.bad; i++)
		get_table(&in, layout, i, s, before, texts);
	return !in.bad && in.p == in.end;
}

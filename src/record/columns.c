// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The number of samples, then the streams. Stream 0 has the clocks. Each table has three for where
 * its rows come from, and two for each field: the second has the text, or the counts of a histogram
 * that differ. A stream of text is behind its length. A stream of numbers is behind how many there
 * are: the first byte of each, then the second byte of those that have one, and so on, because a
 * byte is most like those of its place. Both directions are one walk.
 */
#include "record/columns.h"

#include <stdlib.h>

#include "base/mem.h"
#include "record/varint.h"

enum table_stream {
	ROWS,	/* the fields it lacks, how many rows, how many that stay */
	PLACES, /* where a row comes from */
	BITS,	/* the fields that differ */
	FIELDS,
};

/* What is not read yet. */
struct stream {
	const char *bytes[VARINT_BYTES]; /* by their place in a number; text: the first */
	size_t left;			 /* numbers, or bytes of text */
};

struct span {
	const char *p, *end;
};

struct walk {
	const struct delta_layout *layout;
	struct span from;	 /* where they are split */
	struct stream *streams;	 /* where they are joined, else NULL */
	struct buf *to;		 /* split: one for each stream */
	bool bad;		 /* a number makes no sense */
	unsigned stream;	 /* the first one of this table */
};

/* Of each stream, whether it is text; the caller frees them. */
static bool *list_streams(const struct delta_layout *l, unsigned *ret_n)
{
	unsigned n = 1, at = 1;
	bool *text;

	for (unsigned i = 0; i < l->n; i++)
		n += FIELDS + 2 * l->tables[i].nfields;
	text = mem_zalloc(n * sizeof(*text));
	for (unsigned i = 0; i < l->n; i++) {
		at += FIELDS;
		for (unsigned f = 0; f < l->tables[i].nfields; f++, at += 2)
			text[at + 1] = l->tables[i].fields[f].kind == FIELD_STR;
	}
	*ret_n = n;
	return text;
}

static uint64_t spoil(struct walk *w)
{
	w->bad = true;
	return 0;
}

static uint64_t split_number(struct walk *w, struct buf *to)
{
	const char *p = w->from.p;
	uint64_t v = varint_get(&w->from.p, w->from.end, &w->bad);

	buf_putn(to, p, (size_t)(w->from.p - p));
	return v;
}

/* find_planes() has seen that all bytes are there. */
static uint64_t join_number(struct walk *w, struct stream *s)
{
	uint64_t v = 0;
	unsigned char c = 0x80;

	if (!s->left)
		return spoil(w);
	s->left--;
	for (unsigned i = 0; c & 0x80; i++) {
		c = (unsigned char)*s->bytes[i]++;
		v |= (uint64_t)(c & 0x7f) << 7 * i;
		buf_putc(w->to, (char)c);
	}
	return v;
}

static uint64_t pass_number(struct walk *w, unsigned stream)
{
	uint64_t v = w->streams ? join_number(w, &w->streams[stream])
				: split_number(w, &w->to[stream]);

	return w->bad ? 0 : v;
}

static void pass_text(struct walk *w, unsigned stream)
{
	struct stream *s = w->streams ? &w->streams[stream + 1] : NULL;
	uint64_t n = pass_number(w, stream);

	if (n && n - 1 > (s ? s->left : (size_t)(w->from.end - w->from.p)))
		n = spoil(w);
	if (!n--)
		return;
	buf_putn(s ? w->to : &w->to[stream + 1], s ? s->bytes[0] : w->from.p, (size_t)n);
	if (s) {
		s->bytes[0] += n;
		s->left -= n;
	} else {
		w->from.p += n;
	}
}

/* How many counts stay, then one that does not, and so on; after the last there is one more. */
static void pass_counts(struct walk *w, unsigned stream)
{
	uint64_t n = pass_number(w, stream), i = 0;

	if (n <= 1)
		return;
	n--;
	while (!w->bad) {
		uint64_t same = pass_number(w, stream);

		if (same > n - i)
			spoil(w);
		i += same;
		if (i == n)
			break;
		pass_number(w, stream + 1);
		i++;
	}
}

static void pass_field(struct walk *w, enum field_kind kind, unsigned stream)
{
	if (kind == FIELD_STR)
		pass_text(w, stream);
	else if (kind == FIELD_BLOB)
		pass_counts(w, stream);
	else
		pass_number(w, stream);
}

static void pass_table(struct walk *w, const struct delta_table *t)
{
	unsigned first = w->stream, fields = first + FIELDS;
	uint64_t rows, n = 0, bits = 0;

	pass_number(w, first + ROWS);
	rows = pass_number(w, first + ROWS);
	while (!w->bad) {
		uint64_t same = pass_number(w, first + ROWS), changed;

		if (same > rows - n)
			spoil(w);
		n += same;
		if (n == rows || w->bad)
			break;
		pass_number(w, first + PLACES);
		changed = pass_number(w, first + BITS);
		bits = changed ? changed - 1 : bits;
		if (t->nfields < 64 && bits >> t->nfields)
			spoil(w);
		for (unsigned f = 0; f < t->nfields && !w->bad; f++)
			if (bits >> f & 1)
				pass_field(w, t->fields[f].kind, fields + 2 * f);
		n++;
	}
	w->stream = fields + 2 * t->nfields;
}

static void pass_sample(struct walk *w)
{
	for (unsigned i = 0; i < 3; i++)
		pass_number(w, 0);
	w->stream = 1;
	for (unsigned i = 0; i < w->layout->n && !w->bad; i++)
		pass_table(w, &w->layout->tables[i]);
}

static void set_length(char *at, size_t len)
{
	for (unsigned i = 0; i < 4; i++)
		at[i] = (char)(len >> i * 8);
}

void columns_put_length(struct buf *out, size_t len)
{
	char bytes[4];

	set_length(bytes, len);
	buf_putn(out, bytes, sizeof(bytes));
}

/* The bytes of the numbers by their place. */
static void put_planes(struct buf *out, const struct buf *numbers)
{
	struct buf planes[VARINT_BYTES] = { { 0 } };
	unsigned place = 0;

	for (size_t i = 0; i < numbers->len; i++) {
		buf_putc(&planes[place], numbers->data[i]);
		place = numbers->data[i] & 0x80 ? place + 1 : 0;
	}
	varint_put(out, planes[0].len);
	for (unsigned i = 0; i < VARINT_BYTES && planes[i].len; i++) {
		buf_putn(out, planes[i].data, planes[i].len);
		buf_release(&planes[i]);
	}
}

static void put_text(struct buf *out, const struct buf *text)
{
	varint_put(out, text->len);
	if (text->len)
		buf_putn(out, text->data, text->len);
}

bool columns_split(struct buf *out, const struct buf *samples, const struct delta_layout *layout)
{
	unsigned n, count = 0;
	bool *text = list_streams(layout, &n);
	struct buf *streams = mem_zalloc(n * sizeof(*streams));
	struct walk w = { .layout = layout, .to = streams };

	w.from = (struct span){ samples->data, samples->data + samples->len };
	while (!w.bad && w.from.end - w.from.p > 4) {
		w.from.p += 4;
		pass_sample(&w);
		count++;
	}
	w.bad |= w.from.p != w.from.end;
	varint_put(out, count);
	for (unsigned i = 0; i < n; i++) {
		if (text[i])
			put_text(out, &streams[i]);
		else
			put_planes(out, &streams[i]);
		buf_release(&streams[i]);
	}
	free(streams);
	free(text);
	return !w.bad;
}

/* Where each place begins: it has as many bytes as go on behind the place before. */
static bool find_planes(struct stream *s, struct span *in)
{
	size_t n = s->left;

	for (unsigned i = 0; n; i++) {
		size_t more = 0;

		if (i == VARINT_BYTES || n > (size_t)(in->end - in->p))
			return false;
		s->bytes[i] = in->p;
		for (size_t k = 0; k < n; k++)
			more += (unsigned char)in->p[k] >> 7;
		in->p += n;
		n = more;
	}
	return true;
}

static bool find_text(struct stream *s, struct span *in)
{
	if (s->left > (size_t)(in->end - in->p))
		return false;
	s->bytes[0] = in->p;
	in->p += s->left;
	return true;
}

static bool find_streams(struct stream *streams, const bool *text, unsigned n, struct span *in)
{
	bool bad = false;

	for (unsigned i = 0; i < n && !bad; i++) {
		streams[i].left = varint_get(&in->p, in->end, &bad);
		bad |= text[i] ? !find_text(&streams[i], in) : !find_planes(&streams[i], in);
	}
	return !bad && in->p == in->end;
}

bool columns_join(struct buf *out, const char *from, size_t len, const struct delta_layout *layout)
{
	unsigned n;
	bool *text = list_streams(layout, &n);
	struct stream *streams = mem_zalloc(n * sizeof(*streams));
	struct walk w = { .layout = layout, .streams = streams, .to = out };
	struct span in = { from, from + len };
	uint64_t count = varint_get(&in.p, in.end, &w.bad);

	w.bad |= !find_streams(streams, text, n, &in);
	for (uint64_t i = 0; i < count && !w.bad; i++) {
		size_t at = out->len;

		columns_put_length(out, 0);
		pass_sample(&w);
		set_length(out->data + at, out->len - at - 4);
	}
	for (unsigned i = 0; i < n && !w.bad; i++)
		w.bad = streams[i].left;
	free(streams);
	free(text);
	return !w.bad;
}

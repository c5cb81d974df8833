// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A writer of our own: the packaged ones build a tree in memory before they print it, thousands of
 * rows a tick, or are no longer kept; all that is needed here is escaping and commas.
 */
#include <inttypes.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "data/finding/finding.h"
#include "data/total_row.h"
#include "out/formats.h"

/* ,"key": — without the comma after an opening brace. */
static void put_key(struct buf *b, const char *key)
{
	if (b->data[b->len - 1] != '{')
		buf_putc(b, ',');
	utf8_quote(b, true, key);
	buf_putc(b, ':');
}

static void put_value(struct buf *b, const struct value *v)
{
	switch (v->kind) {
	case VAL_NONE:
		buf_puts(b, "null");
		break;
	case VAL_U64:
		buf_u64(b, v->u64);
		break;
	case VAL_I64:
		buf_printf(b, "%" PRId64, v->i64);
		break;
	case VAL_F64:
		out_number(b, v->f64, "null");
		break;
	case VAL_STR:
		utf8_quote(b, true, v->str);
		break;
	case VAL_LIST:
		buf_putc(b, '[');
		for (size_t i = 0; i < v->n; i++) {
			if (i)
				buf_putc(b, ',');
			utf8_quote(b, true, v->list[i]);
		}
		buf_putc(b, ']');
		break;
	case VAL_PAIRS:
		buf_putc(b, '[');
		for (size_t i = 0; i < v->n; i++)
			buf_printf(b, "%s[%" PRIu64 ",%" PRIu64 "]", i ? "," : "",
				   v->pairs[i][0], v->pairs[i][1]);
		buf_putc(b, ']');
		break;
	}
}

/* The sources that anything asked for: those that nobody needs are off without a reason. */
static void put_sources(struct buf *b, const struct model *m)
{
	put_key(b, "sources");
	buf_putc(b, '{');
	for (unsigned i = 0; i < SRC_COUNT; i++) {
		const char *reason = m->sources[i].reason;
		struct buf text = { 0 };

		if (m->sources[i].state == SOURCE_OFF && !reason)
			continue;
		put_key(b, source_name((enum source)(1u << i)));
		buf_puts(&text, m->sources[i].state == SOURCE_OFF  ? "off"
				: m->sources[i].state == SOURCE_ON ? "on"
								   : "part");
		if (reason)
			buf_printf(&text, ": %s", reason);
		utf8_quote(b, true, text.data);
		buf_release(&text);
	}
	buf_putc(b, '}');
}

/* Seconds of the interval. */
static void put_watched(struct buf *b, const struct model *m, bool whole)
{
	put_key(b, "watched");
	buf_putc(b, '{');
	for (unsigned i = 0; i < SRC_COUNT; i++) {
		if (m->sources[i].state == SOURCE_OFF)
			continue;
		put_key(b, source_name((enum source)(1u << i)));
		out_number(b, (double)(whole ? m->sources[i].watch.total_ns
					     : m->sources[i].watch.watched_ns) / NSEC_PER_SEC,
			   "null");
	}
	buf_putc(b, '}');
}

static void put_evidence(struct buf *b, const struct finding_row *f)
{
	put_key(b, "evidence");
	buf_putc(b, '{');
	for (size_t i = 0; i < f->nnumbers; i++) {
		put_key(b, f->numbers[i].key);
		out_number(b, f->numbers[i].value, "null");
	}
	buf_putc(b, '}');
}

static void put_text(struct buf *b, const char *key, const char *text)
{
	put_key(b, key);
	if (text)
		utf8_quote(b, true, text);
	else
		buf_puts(b, "null");
}

static void put_finding(struct buf *b, const struct finding_row *f)
{
	static const struct unit_style style;
	char text[512];

	buf_putc(b, '{');
	put_text(b, "name", f->name);
	put_text(b, "severity", severity_names[f->severity]);
	put_text(b, "who", f->who);
	put_text(b, "victim", f->victim);
	finding_sentence(f, &style, text, sizeof(text));
	put_text(b, "what", text);
	clock_iso(text, sizeof(text), f->since_ns);
	put_text(b, "since", text);
	put_evidence(b, f);
	put_key(b, "see");
	buf_putc(b, '{');
	put_text(b, "screen", f->screen);
	put_text(b, "filter", f->filter);
	buf_puts(b, "}}");
}

static void put_findings(struct buf *b, const struct model *m)
{
	const struct row_list *list = &m->rows[ENTITY_FINDING];

	put_key(b, "findings");
	buf_putc(b, '[');
	for (size_t i = 0; i < list->n; i++) {
		if (i)
			buf_putc(b, ',');
		put_finding(b, (const struct finding_row *)list->rows[i]);
	}
	buf_putc(b, ']');
}

/* The kinds of findings for which nobody could look, and why. */
static void put_unknown(struct buf *b, const struct model *m)
{
	bool any = false;

	put_key(b, "unknown");
	buf_putc(b, '[');
	for (size_t i = 0; i < FINDING_KINDS; i++) {
		struct finding_checked c = finding_check(m, i);

		if (c.state != CHECK_OFF)
			continue;
		buf_puts(b, any ? ",{" : "{");
		put_key(b, "name");
		utf8_quote(b, true, finding_names[i]);
		put_key(b, "source");
		utf8_quote(b, true, source_name(c.source));
		put_key(b, "reason");
		utf8_quote(b, true, c.reason);
		buf_putc(b, '}');
		any = true;
	}
	buf_putc(b, ']');
}

static void put_lost(struct buf *b, const struct model *m)
{
	put_key(b, "lost");
	buf_putc(b, '{');
	for (size_t i = 0; i < m->nlosses; i++) {
		if (!m->losses[i].total)
			continue;
		put_key(b, m->losses[i].name);
		buf_printf(b, "%" PRIu64, m->losses[i].total);
	}
	buf_putc(b, '}');
}

static void put_totals(struct buf *b, const struct model *m, enum span span)
{
	const struct total_row row = total_row(m, span);

	put_key(b, "totals");
	buf_putc(b, '{');
	entity_each_column(&entity_total, col) {
		struct value v = column_value(col, &row.row, m, span, NULL);

		put_key(b, col->key);
		put_value(b, &v);
	}
	buf_putc(b, '}');
}

static void put_rows(struct out *o, const struct view *v)
{
	struct buf *b = &o->buf;
	char moment[40];

	put_key(b, "rows");
	buf_putc(b, '[');
	for (size_t i = 0; i < v->n; i++) {
		buf_puts(b, i ? ",{" : "{");
		for (unsigned j = 0; j < v->spec->ncolumns; j++) {
			const struct column *col = v->spec->columns[j];
			struct value value;

			if (col->flags & COL_GRAPH)
				continue;
			value = view_value(v, i, col, &o->texts);
			put_key(b, col->key);
			if (out_moment(col, &value, moment))
				utf8_quote(b, true, moment);
			else
				put_value(b, &value);
		}
		buf_putc(b, '}');
		out_row_end(o);
	}
	buf_putc(b, ']');
}

static void put_time(struct buf *b, const char *key, uint64_t real_ns)
{
	char time[40];

	clock_iso(time, sizeof(time), real_ns);
	put_text(b, key, time);
}

static void put_event_task(struct buf *b, const struct model *m, const struct row *task)
{
	static const char *const keys[] = { "pid", "tid", "comm" };

	put_key(b, "task");
	if (!task) {
		buf_puts(b, "null");
		return;
	}
	buf_putc(b, '{');
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		struct value v = column_value(entity_column(task->entity, keys[i]), task, m,
					      SPAN_TICK, NULL);

		put_key(b, keys[i]);
		put_value(b, &v);
	}
	buf_putc(b, '}');
}

void out_event(struct buf *b, const struct model *m, const struct out_event *e)
{
	buf_putc(b, '{');
	put_time(b, "time", m->real_ns);
	put_key(b, "interval");
	out_number(b, m->interval, "null");
	put_text(b, "host", m->host ? m->host : "");
	put_text(b, "when", e->when);
	put_text(b, "disk", e->disk ? e->disk->name : NULL);
	put_event_task(b, m, e->task);
	put_key(b, "skipped");
	buf_u64(b, e->skipped);
	put_findings(b, m);
	put_totals(b, m, SPAN_TICK);
	buf_puts(b, "}\n");
}

void out_json(struct out *o, const struct view *v)
{
	const struct model *m = v->model;
	struct buf *b = &o->buf;

	buf_putc(b, '{');
	put_time(b, "time", m->real_ns);
	put_key(b, "interval");
	out_number(b, o->opt.whole ? m->elapsed : m->interval, "null");
	put_key(b, "screen");
	utf8_quote(b, true, o->opt.screen);
	put_key(b, "host");
	utf8_quote(b, true, m->host ? m->host : "");
	put_sources(b, m);
	put_watched(b, m, o->opt.whole);
	put_lost(b, m);
	put_findings(b, m);
	if (v->spec->entity == &entity_finding)
		put_unknown(b, m);
	put_totals(b, m, v->spec->span);
	if (m->before) {
		put_key(b, "before");
		buf_putc(b, '{');
		put_time(b, "time", m->before->real_ns);
		put_key(b, "elapsed");
		out_number(b, m->before->elapsed, "null");
		put_totals(b, m->before, v->spec->span);
		buf_putc(b, '}');
	}
	put_rows(o, v);
	buf_puts(b, "}\n");
}

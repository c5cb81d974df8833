/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page of findings: what people read who ask why. */
#include "base/clock.h"
#include "base/i18n.h"
#include "data/changes.h"
#include "data/compare.h"
#include "data/finding/finding.h"
#include "out/formats.h"

static void line(struct out *o, const struct view *v, const char *indent)
{
	out_time(o, v);
	buf_puts(&o->buf, indent);
}

/* In the order of the sentence, under their keys. */
static void put_evidence(struct out *o, const struct view *v, const struct finding_row *f)
{
	char text[64];

	if (f->nnumbers)
		line(o, v, "   ");
	for (size_t i = 0; i < f->nnumbers; i++) {
		const struct finding_number *n = &f->numbers[i];

		unit_format(text, sizeof(text), n->unit, n->value, &o->opt.units);
		buf_printf(&o->buf, "%s %s%s%s", i ? "," : "", text,
			   n->unit == UNIT_PERCENT ? " %" : "", n->rate ? "/s" : "");
		buf_printf(&o->buf, " %s", n->key);
	}
	if (f->nnumbers)
		buf_putc(&o->buf, '\n');
}

static void put_finding(struct out *o, const struct view *v, const struct finding_row *f)
{
	char text[512];

	finding_began(f, text);
	line(o, v, "");
	if (v->model->before)
		buf_printf(&o->buf, "%s, ", compare_when(&f->row));
	buf_printf(&o->buf, "%s: %s, ", severity_names[f->severity], _(f->kind->title));
	buf_printf(&o->buf, _("since %s"), text);
	buf_putc(&o->buf, '\n');
	finding_sentence(f, &o->opt.units, text, sizeof(text));
	line(o, v, "    ");
	buf_printf(&o->buf, "%s\n", text);
	put_evidence(o, v, f);
	line(o, v, "    ");
	buf_printf(&o->buf, "iotop --screen=%s", f->screen);
	if (*f->filter)
		buf_printf(&o->buf, " --filter='%s'", f->filter);
	buf_putc(&o->buf, '\n');
}

/* Kinds whose sources were not there in this run: nothing is known of them. */
static void put_unseen(struct out *o, const struct view *v)
{
	const struct model *m = v->model;
	bool any = false;

	for (size_t i = 0; i < FINDING_KINDS; i++) {
		struct finding_checked c = finding_check(m, i);

		if (c.state != CHECK_OFF)
			continue;
		if (!any)
			line(o, v, "");
		buf_puts(&o->buf, any ? "; " : _("not looked at: "));
		buf_printf(&o->buf, "%s (%s: %s)", _(finding_kinds[i]->title),
			   source_name(c.source), _(c.reason));
		any = true;
	}
	if (any)
		buf_putc(&o->buf, '\n');
}

/* What was not to be looked for. */
static void put_ignored(struct out *o, const struct view *v)
{
	bool any = false;

	for (size_t i = 0; i < FINDING_KINDS; i++) {
		if (finding_check(v->model, i).state != CHECK_IGNORED)
			continue;
		if (!any)
			line(o, v, "");
		buf_printf(&o->buf, "%s%s", any ? ", " : _("ignored: "), finding_names[i]);
		any = true;
	}
	if (any)
		buf_putc(&o->buf, '\n');
}

static void put_looked(struct out *o, const struct view *v)
{
	char text[256];

	if (!finding_looked(v->model, text, sizeof(text)))
		return;
	line(o, v, "");
	buf_printf(&o->buf, _("looked at: %s"), text);
	buf_putc(&o->buf, '\n');
}

/* Of a comparison. */
static void put_changes(struct out *o, const struct view *v)
{
	struct change changes[CHANGES_MAX];
	size_t n = changes_find(v->model, &o->texts, changes);
	char text[512];

	for (size_t i = 0; i < n; i++) {
		change_text(&changes[i], &o->opt.units, text, sizeof(text));
		line(o, v, "");
		buf_printf(&o->buf, "%s\n", text);
	}
	if (!n) {
		line(o, v, "");
		buf_printf(&o->buf, "%s\n", _("nothing changed much"));
	}
}

void out_page(struct out *o, const struct view *v)
{
	char text[512];

	if (v->model->before)
		put_changes(o, v);
	if (!v->n) {
		line(o, v, "");
		finding_nothing(v->model, &o->opt.units, text, sizeof(text));
		buf_printf(&o->buf, "%s\n", text);
	}
	for (size_t i = 0; i < v->n; i++) {
		put_finding(o, v, (const struct finding_row *)v->rows[i].row);
		out_row_end(o);
	}
	put_looked(o, v);
	put_unseen(o, v);
	put_ignored(o, v);
}

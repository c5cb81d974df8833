// SPDX-License-Identifier: GPL-2.0-or-later
#include "out/status_page.h"

#include <inttypes.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "data/finding/finding.h"
#include "data/loss.h"

static const struct unit_style style;

/* Text is clean; what HTML reads in it is replaced. */
static void put_text(struct buf *out, const char *s)
{
	for (; *s; s++) {
		if (*s == '&')
			buf_puts(out, "&amp;");
		else if (*s == '<')
			buf_puts(out, "&lt;");
		else if (*s == '>')
			buf_puts(out, "&gt;");
		else
			buf_putc(out, *s);
	}
}

static void put_row(struct buf *out, const char *name, const char *value)
{
	buf_puts(out, "<tr><th>");
	put_text(out, name);
	buf_puts(out, "</th><td>");
	put_text(out, value);
	buf_puts(out, "</td></tr>\n");
}

static void begin_table(struct buf *out, const char *title)
{
	buf_puts(out, "<h2>");
	put_text(out, title);
	buf_puts(out, "</h2>\n<table>\n");
}

static void put_findings(struct buf *out, const struct model *m)
{
	const struct row_list *list = &m->rows[ENTITY_FINDING];
	char text[512];
	const struct finding_row *f;

	begin_table(out, _("What is wrong"));
	row_each(f, list) {
		finding_sentence(f, &style, text, sizeof(text));
		put_row(out, f->name, text);
	}
	if (!list->n) {
		finding_nothing(m, &style, text, sizeof(text));
		put_row(out, _("nothing"), text);
	}
	buf_puts(out, "</table>\n");
}

static void put_sources(struct buf *out, const struct model *m)
{
	begin_table(out, _("Sources"));
	for (unsigned i = 0; i < SRC_COUNT; i++) {
		const struct model_source *s = &m->sources[i];

		if (s->state == SOURCE_OFF && !s->reason)
			continue;
		put_row(out, source_name((enum source)(1u << i)),
			s->reason ? s->reason : s->state == SOURCE_ON ? _("on") : _("off"));
	}
	buf_puts(out, "</table>\n");
}

static void put_losses(struct buf *out, const struct model *m)
{
	begin_table(out, _("Lost"));
	for (size_t i = 0; i < m->nlosses; i++) {
		const struct model_loss *l = &m->losses[i];
		struct buf text = { 0 };

		if (!l->total)
			continue;
		buf_printf(&text, "%" PRIu64 " %s", l->total, _(loss_find(l->name)->effect));
		put_row(out, l->name, text.data);
		buf_release(&text);
	}
	buf_puts(out, "</table>\n");
}

static void put_cost(struct buf *out, const struct metrics *x, const struct metrics_process *p,
		     size_t n)
{
	begin_table(out, _("Cost"));
	for (size_t i = 0; i < n; i++) {
		struct buf text = { 0 };
		char cpu[32], memory[32];

		unit_format(cpu, sizeof(cpu), UNIT_NS, (double)p[i].cpu_ns, &style);
		unit_format(memory, sizeof(memory), UNIT_BYTES, (double)p[i].resident, &style);
		buf_printf(&text, _("%s of processor time, %s of memory"), cpu, memory);
		put_row(out, p[i].name, text.data);
		buf_release(&text);
	}
	if (x) {
		struct buf text = { 0 };

		buf_printf(&text, "%zu", metrics_count(x));
		put_row(out, _("series"), text.data);
		buf_release(&text);
	}
	buf_puts(out, "</table>\n");
}

void status_page(struct buf *out, const struct model *m, const struct metrics *x,
		 const struct metrics_process *p, size_t n)
{
	char time[40];

	clock_iso(time, sizeof(time), m->real_ns);
	buf_puts(out, "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>iotop ");
	put_text(out, m->host ? m->host : "");
	buf_puts(out, "</title><style>body{font-family:sans-serif;margin:2em}"
		      "th{text-align:left;padding-right:2em;vertical-align:top}</style></head>\n"
		      "<body><h1>iotop " PACKAGE_VERSION " ");
	put_text(out, m->host ? m->host : "");
	buf_printf(out, "</h1>\n<p>%s - <a href=\"/metrics\">/metrics</a></p>\n", time);
	put_findings(out, m);
	put_sources(out, m);
	put_losses(out, m);
	put_cost(out, x, p, n);
	buf_puts(out, "</body></html>\n");
}

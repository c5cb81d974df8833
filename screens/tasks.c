// SPDX-License-Identifier: GPL-2.0-or-later
/* The first tab: who does I/O. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "base/utf8.h"
#include "data/task.h"
#include "tui/screen.h"

#define NUMBER 9	/* "1.12 MB/s" */
#define NUMBER_KB 14	/* "178257.92 kB/s" */
#define SPARK 8
#define KB_MORE 8		/* that kilobytes are wider than other bytes */
#define LABEL 11		/* of facts in the detail */
#define NAME 15			/* of a disk, of a task */
#define PARTS_MAX 24
#define WIDE 110	/* from so many columns on things are called by their long names */

static void rate_text(char out[static 32], const struct canvas *c, double rate)
{
	int n = unit_format(out, 32, UNIT_BYTES, rate, &c->units);

	if (!isnan(rate))
		snprintf(out + n, 32 - n, "/s");
}

static const char *percent_text(char out[static 16], const struct canvas *c, double percent)
{
	int n = unit_format(out, 16, UNIT_PERCENT, percent, &c->units);

	if (!isnan(percent))
		snprintf(out + n, 16 - n, " %%");
	return out;
}

static int spark_width(const struct canvas *c)
{
	return c->width < WIDE ? SPARK : MIN(SPARK + (c->width - WIDE) / 3, HISTORY_TICKS);
}

/* READ or WRITE: of the rows, its graph, at the disks. Returns where the rest of the line begins. */
static int draw_flow(struct canvas *c, int y, enum style style, const char *name, double rows, double disks,
		     const float *history, unsigned n, float max)
{
	int spark = spark_width(c), number = c->units.kilobytes ? NUMBER_KB : NUMBER, x = 1;

	x += canvas_text(c, x, y, -1, style, name);
	x = MAX(x, 7);
	x += canvas_number(c, x, y, number, rows > 0 ? style : STYLE_DIM, UNIT_BYTES, rows, "/s") + 1;
	plot_line(c, x, y, spark, style, history, n, max);
	x += spark + 2;
	if (x + 6 + number > c->width)
		return x;
	x += canvas_text(c, x, y, -1, STYLE_DIM, c->width < WIDE ? _("disks") : _("at the disks")) + 1;
	return x + canvas_number(c, x, y, number, disks > 0 ? style : STYLE_DIM, UNIT_BYTES, disks, "/s") + 3;
}

/* A text only where it fits whole. Returns the columns used with the space behind it. */
static int draw_whole(struct canvas *c, int x, int y, enum style style, const char *text)
{
	if (x + utf8_width(text) > c->width)
		return 0;
	return canvas_text(c, x, y, -1, style, text) + 3;
}

static void draw_pressure(struct canvas *c, int x, int y, const struct model_totals *t)
{
	char some[16], full[16], in[32], out[32], text[128];
	int used;

	snprintf(text, sizeof(text), _("IO pressure  some %s  full %s"), percent_text(some, c, t->psi_some),
		 percent_text(full, c, t->psi_full));
	used = draw_whole(c, x, y, STYLE_NORMAL, text);
	if (!used) {
		snprintf(text, sizeof(text), _("pressure %s"), some);
		used = draw_whole(c, x, y, STYLE_NORMAL, text);
	}
	rate_text(in, c, t->swap_in);
	rate_text(out, c, t->swap_out);
	snprintf(text, sizeof(text), _("swap in %s  out %s"), in, out);
	draw_whole(c, x + used, y, t->swap_in + t->swap_out > 0 ? STYLE_NORMAL : STYLE_DIM, text);
}

static void draw_counts(struct canvas *c, int x, int y, const struct model_totals *t)
{
	char text[128];

	snprintf(text, sizeof(text), _("%llu tasks active of %llu, %llu ended"), (unsigned long long)t->active,
		 (unsigned long long)t->tasks, (unsigned long long)t->ended);
	if (draw_whole(c, x, y, STYLE_NORMAL, text))
		return;
	snprintf(text, sizeof(text), _("%llu of %llu tasks"), (unsigned long long)t->active, (unsigned long long)t->tasks);
	draw_whole(c, x, y, STYLE_NORMAL, text);
}

static int header(struct canvas *c, int y, const struct model *m)
{
	const struct model_totals *t = &m->totals;
	const struct history *h = &t->disks;
	float max = MAX(plot_max(h->read, h->n), plot_max(h->write, h->n));
	int x;

	x = draw_flow(c, y, STYLE_READ, _("READ"), t->read, t->disk_read, h->read, h->n, max);
	draw_pressure(c, x, y, t);
	x = draw_flow(c, y + 1, STYLE_WRITE, _("WRITE"), t->write, t->disk_write, h->write, h->n, max);
	draw_counts(c, x, y + 1, t);
	return 2;
}

/* A label and a value beside each other; nothing when there is no value. */
static void fact(struct pen *p, const char *label, const char *value)
{
	if (!value || !*value)
		return;
	pen_text(p, 1, LABEL - 1, STYLE_DIM, label);
	pen_wrap(p, 1 + LABEL, STYLE_NORMAL, value);
}

static void draw_identity(struct pen *p, const struct task_row *t)
{
	char text[128], number[32];

	pen_wrap(p, 1, STYLE_BOLD, task_command(t) ? task_command(t) : t->row.name);
	pen_next(p);
	if (t->pid) {
		snprintf(text, sizeof(text), t->tid && t->tid != t->pid ? _("%llu, thread %llu") : "%llu",
			 (unsigned long long)t->pid, (unsigned long long)t->tid);
		fact(p, _("process"), text);
	}
	fact(p, _("user"), t->user);
	fact(p, _("cgroup"), t->cgroup_path);
	fact(p, _("priority"), t->prio);
	fact(p, _("state"), t->state);
	unit_format(number, sizeof(number), UNIT_NS, t->age_ns, &p->c->units);
	if (t->age_ns)
		fact(p, t->row.flags & ROW_ENDED ? _("lived") : _("age"), number);
	if (t->row.members > 1) {
		snprintf(text, sizeof(text), "%u", t->row.members);
		fact(p, _("threads"), text);
	}
	pen_next(p);
}

/* The row's numbers as columns of the table, of the interval and since the start. */
static void draw_numbers(struct pen *p, const struct view *v, const struct row *row)
{
	static const char *const keys[] = { "read", "write", "riops", "wiops", "lat", "max", "io", "swapin", "throttle", "dirty" };
	static const char *const names[] = { [SPAN_TICK] = N_("now"), [SPAN_SUM] = N_("in all"), [SPAN_MEAN] = N_("average") };
	int x = 1 + LABEL;

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		const struct column *col = entity_column(row->entity, keys[i]);
		int width = col ? (int)col->width + (p->c->units.kilobytes && col->unit == UNIT_BYTES ? KB_MORE : 1) : 0;
		struct pen line = *p;

		if (!col || x + width > p->area.width)
			continue;
		pen_right(&line, x, width, STYLE_HEAD, _(col->head));
		for (int span = SPAN_TICK; span <= SPAN_MEAN; span++) {
			struct value value = column_value(col, row, v->model, span);
			enum style style = col->flags & COL_READ ? STYLE_READ : col->flags & COL_WRITE ? STYLE_WRITE : STYLE_NORMAL;
			char text[32];
			double number;

			column_text(text, sizeof(text), col, &value, &p->c->units);
			if (!value_number(&value, &number) || number == 0)
				style = STYLE_DIM;
			pen_next(&line);
			pen_right(&line, x, width, style, text);
		}
		x += width + 1;
	}
	for (int span = SPAN_TICK; span <= SPAN_MEAN; span++) {
		pen_next(p);
		pen_text(p, 1, LABEL - 1, STYLE_DIM, _(names[span]));
	}
	pen_next(p);
	pen_next(p);
}

static void draw_history(struct pen *p, const struct history *h)
{
	int width = MIN(p->area.width - LABEL - 2, HISTORY_TICKS);

	if (!h || !h->n || width <= 0)
		return;
	for (int i = 0; i < 2; i++) {
		pen_text(p, 1, LABEL - 1, i ? STYLE_WRITE : STYLE_READ, i ? _("writes") : _("reads"));
		if (pen_y(p) >= 0)
			plot_history(p->c, p->area.x + 1 + LABEL, pen_y(p), width, h, i ? GRAPH_WRITE : GRAPH_READ);
		pen_next(p);
	}
	pen_next(p);
}

/* Links summed by what is asked: the disk, the submitter, the cause. */
struct part {
	const char *name;
	uint64_t id;
	struct io_counters now, sum;
};

struct parts {
	struct part items[PARTS_MAX];
	unsigned n;
};

static void counters_add(struct io_counters *to, const struct io_counters *from)
{
	to->read += from->read;
	to->write += from->write;
	to->ios += from->ios;
	to->done += from->done;
	to->lat_ns += from->lat_ns;
	to->max_ns = MAX(to->max_ns, from->max_ns);
}

static void parts_add(struct parts *parts, uint64_t id, const char *name, const struct task_link *link)
{
	struct part *part;
	unsigned i = 0;

	while (i < parts->n && parts->items[i].id != id)
		i++;
	/* What has no line of its own any more shares the last. */
	if (i == PARTS_MAX) {
		i--;
		name = _("others");
	}
	part = &parts->items[i];
	if (i == parts->n)
		parts->n++;
	part->id = id;
	part->name = name;
	counters_add(&part->now, &link->now);
	counters_add(&part->sum, &link->sum);
}

static int part_order(const void *pa, const void *pb)
{
	const struct part *a = pa, *b = pb;
	uint64_t x = a->sum.read + a->sum.write, y = b->sum.read + b->sum.write;

	return (x < y) - (x > y);
}

struct part_column {
	const char *head;
	int width;
	enum style style;
	enum unit unit;
	const char *suffix;
	double (*value)(const struct part *part, double seconds);
};

static double part_read(const struct part *part, double seconds)
{
	return part->sum.read;
}

static double part_write(const struct part *part, double seconds)
{
	return part->sum.write;
}

static double part_read_rate(const struct part *part, double seconds)
{
	return seconds > 0 ? part->now.read / seconds : NAN;
}

static double part_write_rate(const struct part *part, double seconds)
{
	return seconds > 0 ? part->now.write / seconds : NAN;
}

static double part_ios(const struct part *part, double seconds)
{
	return part->sum.ios;
}

static double part_lat(const struct part *part, double seconds)
{
	return part->sum.done ? (double)part->sum.lat_ns / part->sum.done : NAN;
}

static double part_max(const struct part *part, double seconds)
{
	return part->sum.done ? (double)part->sum.max_ns : NAN;
}

static const struct part_column part_columns[] = {
	{ N_("READ"), 8, STYLE_READ, UNIT_BYTES, "", part_read },
	{ N_("WRITE"), 8, STYLE_WRITE, UNIT_BYTES, "", part_write },
	{ N_("READ/S"), NUMBER, STYLE_READ, UNIT_BYTES, "/s", part_read_rate },
	{ N_("WRITE/S"), NUMBER, STYLE_WRITE, UNIT_BYTES, "/s", part_write_rate },
	{ N_("IOS"), 5, STYLE_NORMAL, UNIT_COUNT, "", part_ios },
	{ N_("LAT"), 6, STYLE_NORMAL, UNIT_NS, "", part_lat },
	{ N_("MAX"), 6, STYLE_NORMAL, UNIT_NS, "", part_max },
};

/* part NULL: the headings. */
static void draw_part(struct pen *p, const char *name, const struct part *part, double seconds)
{
	int x = 1 + NAME;

	pen_text(p, 1, NAME - 1, part ? STYLE_NORMAL : STYLE_HEAD, name);
	for (size_t i = 0; i < ARRAY_SIZE(part_columns); i++) {
		const struct part_column *col = &part_columns[i];
		double value = part ? col->value(part, seconds) : 0;

		if (x + col->width > p->area.width)
			break;
		if (part)
			pen_number(p, x, col->width, value > 0 ? col->style : STYLE_DIM, col->unit, value, col->suffix);
		else
			pen_right(p, x, col->width, STYLE_HEAD, _(col->head));
		x += col->width + 1;
	}
	pen_next(p);
}

static void draw_parts(struct pen *p, const char *title, struct parts *parts, double seconds)
{
	if (!parts->n)
		return;
	qsort(parts->items, parts->n, sizeof(parts->items[0]), part_order);
	draw_part(p, title, NULL, seconds);
	for (unsigned i = 0; i < parts->n; i++)
		draw_part(p, parts->items[i].name ? parts->items[i].name : "-", &parts->items[i], seconds);
	pen_next(p);
}

struct split {
	struct parts disks, submitters, causes;
};

static bool is_same_task(const struct task_id *a, const struct task_id *b)
{
	return a->tgid == b->tgid && a->start == b->start && a->tid == b->tid;
}

static void split_row(struct split *s, const struct task_row *t)
{
	for (const struct task_link *l = t->caused; l; l = l->next_caused) {
		parts_add(&s->disks, l->dev, l->disk, l);
		if (!is_same_task(&l->cause, &l->submitter))
			parts_add(&s->submitters, hash_bytes(&l->submitter, sizeof(l->submitter)), l->submitter_comm, l);
	}
	for (const struct task_link *l = t->submitted; l; l = l->next_submitted)
		if (!is_same_task(&l->cause, &l->submitter))
			parts_add(&s->causes, hash_bytes(&l->cause, sizeof(l->cause)), l->cause_comm, l);
}

static bool is_same_text(const char *a, const char *b)
{
	return a && b && !strcmp(a, b);
}

/* The tasks that a folded row stands for. */
static bool is_member(const struct task_row *t, const struct task_row *group, enum group_by by)
{
	switch (by) {
	case GROUP_PROCESS:
		return t->process == group->process;
	case GROUP_COMM:
		return is_same_text(t->comm, group->comm);
	case GROUP_USER:
		return is_same_text(t->user, group->user);
	case GROUP_CGROUP:
		return is_same_text(t->cgroup_path, group->cgroup_path);
	default:
		return false;
	}
}

static int detail(struct canvas *c, struct rect area, int top, const struct view *v, const struct row *row)
{
	const struct task_row *t = (const struct task_row *)row;
	const struct row_list *all = &v->model->rows[ENTITY_TASK];
	struct pen p = pen_start(c, area, top);
	struct split s = { 0 };

	if (row->flags & ROW_GROUP) {
		for (size_t i = 0; i < all->n; i++)
			if (is_member((const struct task_row *)all->rows[i], t, v->spec->group))
				split_row(&s, (const struct task_row *)all->rows[i]);
	} else {
		split_row(&s, t);
	}
	draw_identity(&p, t);
	draw_numbers(&p, v, row);
	draw_history(&p, row->history);
	draw_parts(&p, _("AT THE DISKS"), &s.disks, v->model->interval);
	draw_parts(&p, _("SUBMITTED BY"), &s.submitters, v->model->interval);
	draw_parts(&p, _("SUBMITTED FOR"), &s.causes, v->model->interval);
	return pen_lines(&p, top);
}

const struct screen screen_tasks = {
	.name = "tasks",
	.title = N_("Tasks"),
	.help = N_("who does I/O, how much, and how long it waits"),
	.entity = ENTITY_TASK,
	.columns = "tid,prio,user,read,write,riops,wiops,lat,max,swapin,io,disk,history,command",
	.sort = "total",
	.needs = SRC_DISKS | SRC_SYSTEM | SRC_EXITS,
	.header = header,
	.detail = detail,
};

// SPDX-License-Identifier: GPL-2.0-or-later
/* The first tab: who does I/O. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "data/model.h"
#include "screens/layers.h"
#include "screens/tasks.h"
#include "tui/draw/fields.h"
#include "tui/draw/machine.h"
#include "tui/draw/plot.h"
#include "tui/screen.h"
#include "view/view.h"

#define NUMBER 9	/* "1.12 MB/s" */
#define NAME 15			/* of a disk, of a task */
#define PARTS_MAX 24

/* Columns shown of the row itself. */
static const char *const numbers[] = {
	"read", "write", "riops", "wiops", "lat", "max", "io", "swapin", "throttle", "dirty",
};

static void draw_identity(struct text_cursor *tc, const struct task_row *t)
{
	char text[128], number[32];

	text_wrap(tc, 1, STYLE_BOLD, task_command(t) ? task_command(t) : t->row.name);
	text_next(tc);
	if (t->pid) {
		snprintf(text, sizeof(text),
			 t->tid && t->tid != t->pid ? _("%llu, thread %llu") : "%llu",
			 (unsigned long long)t->pid, (unsigned long long)t->tid);
		field_text(tc, _("process"), text);
	}
	field_text(tc, _("user"), t->user);
	field_text(tc, _("cgroup"), t->cgroup_path);
	field_text(tc, _("priority"), t->prio);
	field_text(tc, _("state"), t->state);
	unit_format(number, sizeof(number), UNIT_NS, t->age_ns, &tc->c->units);
	if (t->age_ns)
		field_text(tc, t->row.flags & ROW_ENDED ? _("lived") : _("age"), number);
	if (t->row.members > 1) {
		snprintf(text, sizeof(text), "%u", t->row.members);
		field_text(tc, _("threads"), text);
	}
	text_next(tc);
}

static void draw_history(struct text_cursor *tc, const struct history *h)
{
	int width = MIN(tc->area.width - FIELD_LABEL - 2, HISTORY_TICKS);

	if (!h || !h->n || width <= 0)
		return;
	for (int i = 0; i < 2; i++) {
		text_put(tc, 1, FIELD_LABEL - 1, i ? STYLE_WRITE : STYLE_READ,
			 i ? _("writes") : _("reads"));
		if (text_y(tc) >= 0)
			plot_history(tc->c, tc->area.x + 1 + FIELD_LABEL, text_y(tc), width, h,
				     i ? GRAPH_WRITE : GRAPH_READ);
		text_next(tc);
	}
	text_next(tc);
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

static void parts_add(struct parts *parts, uint64_t id, const char *name,
		      const struct task_link *link)
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
static void draw_part(struct text_cursor *tc, const char *name, const struct part *part,
		      double seconds)
{
	int x = 1 + NAME;

	text_put(tc, 1, NAME - 1, part ? STYLE_NORMAL : STYLE_HEAD, name);
	for (size_t i = 0; i < ARRAY_SIZE(part_columns); i++) {
		const struct part_column *col = &part_columns[i];
		double value = part ? col->value(part, seconds) : 0;

		if (x + col->width > tc->area.width)
			break;
		if (part)
			text_number(tc, x, col->width, value > 0 ? col->style : STYLE_DIM,
				    col->unit, value, col->suffix);
		else
			text_right(tc, x, col->width, STYLE_HEAD, _(col->head));
		x += col->width + 1;
	}
	text_next(tc);
}

static void draw_parts(struct text_cursor *tc, const char *title, struct parts *parts,
		       double seconds)
{
	if (!parts->n)
		return;
	qsort(parts->items, parts->n, sizeof(parts->items[0]), part_order);
	draw_part(tc, title, NULL, seconds);
	for (unsigned i = 0; i < parts->n; i++)
		draw_part(tc, parts->items[i].name ? parts->items[i].name : "-", &parts->items[i],
			  seconds);
	text_next(tc);
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
			parts_add(&s->submitters, hash_bytes(&l->submitter, sizeof(l->submitter)),
				  l->submitter_comm, l);
	}
	for (const struct task_link *l = t->submitted; l; l = l->next_submitted)
		if (!is_same_task(&l->cause, &l->submitter))
			parts_add(&s->causes, hash_bytes(&l->cause, sizeof(l->cause)),
				  l->cause_comm, l);
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

static int detail(struct canvas *c, struct rect area, int top, const struct view *v,
		  const struct row *row)
{
	const struct task_row *t = (const struct task_row *)row;
	const struct row_list *all = &v->model->rows[ENTITY_TASK];
	struct text_cursor tc = text_start(c, area, top);
	const struct task_row **tasks = mem_alloc((all->n + 1) * sizeof(*tasks));
	struct split s = { 0 };
	size_t n = 0;

	if (row->flags & ROW_GROUP) {
		for (size_t i = 0; i < all->n; i++)
			if (is_member((const struct task_row *)all->rows[i], t, v->spec->group))
				tasks[n++] = (const struct task_row *)all->rows[i];
	} else {
		tasks[n++] = t;
	}
	for (size_t i = 0; i < n; i++)
		split_row(&s, tasks[i]);
	draw_identity(&tc, t);
	field_numbers(&tc, v->model, row, numbers, ARRAY_SIZE(numbers), SPAN_MEAN);
	draw_history(&tc, row->history);
	draw_parts(&tc, _("AT THE DISKS"), &s.disks, v->model->interval);
	tasks_draw_files(&tc, tasks, n, v->model->interval);
	draw_parts(&tc, _("SUBMITTED BY"), &s.submitters, v->model->interval);
	draw_parts(&tc, _("SUBMITTED FOR"), &s.causes, v->model->interval);
	layers_draw_tasks(&tc, v, tasks, n);
	free(tasks);
	return text_lines(&tc, top);
}

const struct screen screen_tasks = {
	.name = "tasks",
	.title = N_("Tasks"),
	.help = N_("who does I/O, how much, and how long it waits"),
	.entity = ENTITY_TASK,
	.columns = "tid,prio,user,read,write,riops,wiops,lat,max,swapin,io,disk,history,command",
	.sort = "total",
	.needs = SRC_DISKS | SRC_SYSTEM | SRC_EXITS,
	.detail_needs = SRC_FILES | SRC_LAYERS | SRC_CALLERS,
	.header = machine_header,
	.detail = detail,
};

// SPDX-License-Identifier: GPL-2.0-or-later
/* Tasks: who does I/O, how much, and how long it waits. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "data/finding/finding.h"
#include "data/task/task_parts.h"
#include "screens/layers.h"
#include "screens/tasks.h"
#include "tui/draw/fields.h"
#include "tui/draw/text_cursor.h"
#include "tui/screen.h"
#include "view/view.h"

#define NUMBER 9
#define COMMAND_PART 6		/* of the lines that the command line may have */
#define SIDE 58		/* of the page, at least */
#define NAME 15			/* columns of the name of a disk or task */
#define PARTS_MAX 24		/* lines of a table */

/* The columns of the row that its detail repeats. */
static const char *const numbers[] = {
	"read", "write", "riops", "wiops", "lat", "max", "io", "server", "throttled", "swapin",
	"throttle", "dirty", "rsize", "wsize", "rand", "seq", "ra", "sync",
};

/* Limits, and servers of file systems, where it ever waited for one. */
static bool is_shown(const char *key, const struct task_counters *sum)
{
	if (!strcmp(key, "server"))
		return sum->server_ns;
	return strcmp(key, "throttled") != 0 || sum->throttled_ns;
}

static void draw_numbers(struct text_cursor *tc, const struct model *m, const struct row *row)
{
	const char *keys[ARRAY_SIZE(numbers)];
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		if (is_shown(numbers[i], (const struct task_counters *)row->sum))
			keys[n++] = numbers[i];
	field_numbers(tc, m, row, keys, n, SPAN_MEAN);
}

static void draw_identity(struct text_cursor *tc, const struct view *v, const struct task_row *t)
{
	const char *command = task_command(t);
	char text[128], number[32];
	int x = 1;

	/*
	 * The title has the name already; all of a long command line would leave no room for what
	 * it does.
	 */
	if (command && strcmp(command, t->row.name))
		text_wrap_most(tc, 1, MAX(2, tc->area.height / COMMAND_PART), STYLE_BOLD, command);
	if (t->pid) {
		snprintf(text, sizeof(text),
			 t->tid && t->tid != t->pid ? _("%llu, thread %llu") : "%llu",
			 (unsigned long long)t->pid, (unsigned long long)t->tid);
		field_beside(tc, &x, _("process"), text);
	}
	field_column_beside(tc, &x, _("user"), v, &t->row, "user");
	field_column_beside(tc, &x, _("priority"), v, &t->row, "prio");
	field_column_beside(tc, &x, _("state"), v, &t->row, "state");
	unit_format(number, sizeof(number), UNIT_NS, t->age_ns, &tc->c->units);
	if (t->age_ns)
		field_beside(tc, &x, t->row.flags & ROW_ENDED ? _("exited after") : _("age"),
			     number);
	if (t->row.members > 1) {
		snprintf(text, sizeof(text), "%u", t->row.members);
		field_beside(tc, &x, _("threads"), text);
	}
	field_beside(tc, &x, _("cgroup"), t->cgroup_path);
	text_next(tc);
	text_next(tc);
}

/* What is wrong with it or by it, and since when. */
static void draw_finding(struct text_cursor *tc, const struct model *m, const struct task_row *t)
{
	const struct finding_row *f = finding_of(m, t);
	char text[512];

	if (!f)
		return;
	finding_sentence(f, &tc->c->units, text, sizeof(text));
	text_wrap_most(tc, 1, 2, STYLE_BOLD, text);
	finding_since(f, m, &tc->c->units, text, sizeof(text));
	field_text(tc, _("lasts"), text);
	text_next(tc);
}

struct part_column {
	const char *head;
	int width;
	enum style style;
	enum unit unit;
	const char *suffix;
	double (*value)(const struct task_part *part, double seconds);
	int room;	/* with what is of no use without it; 0: its width */
};

static double part_read(const struct task_part *part, double seconds)
{
	return part->sum.read;
}

static double part_write(const struct task_part *part, double seconds)
{
	return part->sum.write;
}

static double part_read_rate(const struct task_part *part, double seconds)
{
	return seconds > 0 ? part->now.read / seconds : NAN;
}

static double part_write_rate(const struct task_part *part, double seconds)
{
	return seconds > 0 ? part->now.write / seconds : NAN;
}

static double part_ios(const struct task_part *part, double seconds)
{
	return part->sum.ios;
}

/* Not where a limit held some of it back for a time that is not known. */
static bool is_timed(const struct task_part *part)
{
	return part->sum.done && !part->sum.held_unseen;
}

static double part_lat(const struct task_part *part, double seconds)
{
	return is_timed(part) ? (double)part->sum.lat_ns / part->sum.done : NAN;
}

static double part_max(const struct task_part *part, double seconds)
{
	return is_timed(part) ? (double)part->sum.max_ns : NAN;
}

static const struct part_column part_columns[] = {
	{ N_("READ/s"), NUMBER, STYLE_READ, UNIT_BYTES, "", part_read_rate },
	{ N_("WRITE/s"), NUMBER, STYLE_WRITE, UNIT_BYTES, "", part_write_rate },
	{ N_("LAT"), 6, STYLE_NORMAL, UNIT_NS, "", part_lat },
	{ N_("MAX"), 6, STYLE_NORMAL, UNIT_NS, "", part_max },
	{ N_("READ"), 8, STYLE_READ, UNIT_BYTES, "", part_read, .room = 8 + 1 + 8 },
	{ N_("WRITE"), 8, STYLE_WRITE, UNIT_BYTES, "", part_write },
	{ N_("IOS"), 5, STYLE_NORMAL, UNIT_COUNT, "", part_ios },
};

/* A line of a table of parts. part NULL: its headings, below the title `name`. */
static void draw_part(struct text_cursor *tc, const char *name, const struct task_part *part,
		      double seconds)
{
	int x = 1 + NAME;

	text_put(tc, 1, NAME - 1, part ? STYLE_NORMAL : STYLE_HEAD, name);
	for (size_t i = 0; i < ARRAY_SIZE(part_columns); i++) {
		const struct part_column *col = &part_columns[i];
		double value = part ? col->value(part, seconds) : 0;

		if (x + MAX(col->width, col->room) > tc->area.width)
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

static void draw_parts(struct text_cursor *tc, const char *title, struct task_parts parts,
		       double seconds)
{
	size_t n = MIN(parts.n, PARTS_MAX);

	if (!n)
		return;
	text_section(tc);
	draw_part(tc, title, NULL, seconds);
	for (size_t i = 0; i < n; i++)
		draw_part(tc, parts.items[i].name ? parts.items[i].name : "-", &parts.items[i],
			  seconds);
	if (parts.n > n) {
		text_printf(tc, 1, -1, STYLE_DIM, _("and %zu more"), parts.n - n);
		text_next(tc);
	}
	text_next(tc);
}

/* The control group of the tasks, where they have one in common. */
static const struct task_memory *group_of(const struct rows *tasks)
{
	const struct task_memory *g = NULL;
	const struct task_row *t;

	row_each(t, tasks) {
		if (t->memory && g && t->memory != g)
			return NULL;
		g = t->memory ? t->memory : g;
	}
	return g;
}

/* What the kernel says of the control group: pressure, limits, its own count of its I/O. */
static void draw_group(struct text_cursor *tc, const struct view *v, const struct row *row,
		       const struct rows *tasks)
{
	const struct task_memory *g = group_of(tasks);
	double seconds = model_watched(v->model, SRC_MEMORY, false);
	int x = 1 + NAME;

	if (!g)
		return;
	text_section(tc);
	text_put(tc, 1, -1, STYLE_HEAD, _("CONTROL GROUP"));
	text_next(tc);
	field_text(tc, _("limits"), g->limits ? g->limits : C_("limits", "none"));
	field_column(tc, _("IO some"), v, row, "cgsome");
	field_column(tc, _("IO full"), v, row, "cgfull");
	field_column(tc, _("refaults"), v, row, "refaults");
	field_column(tc, _("evicted"), v, row, "evicted");
	field_column(tc, _("at limit"), v, row, "atlimit");
	text_next(tc);
	if (g->ndisks) {
		text_put(tc, 1, NAME - 1, STYLE_HEAD, _("ITS DISKS"));
		text_right(tc, x, 8, STYLE_HEAD, _("READ"));
		text_right(tc, x + 9, 8, STYLE_HEAD, _("WRITE"));
		text_right(tc, x + 18, NUMBER, STYLE_HEAD, _("READ/s"));
		text_right(tc, x + 28, NUMBER, STYLE_HEAD, _("WRITE/s"));
		text_next(tc);
	}
	for (size_t i = 0; i < MIN(g->ndisks, PARTS_MAX); i++) {
		const struct task_group_disk *d = &g->disks[i];

		text_put(tc, 1, NAME - 1, STYLE_NORMAL, d->name);
		text_number(tc, x, 8, STYLE_READ, UNIT_BYTES, (double)d->sum_read, "");
		text_number(tc, x + 9, 8, STYLE_WRITE, UNIT_BYTES, (double)d->sum_write, "");
		if (seconds > 0) {
			text_number(tc, x + 18, NUMBER, STYLE_READ, UNIT_BYTES,
				    (double)d->now_read / seconds, "");
			text_number(tc, x + 28, NUMBER, STYLE_WRITE, UNIT_BYTES,
				    (double)d->now_write / seconds, "");
		}
		text_next(tc);
	}
	text_next(tc);
}

struct page {
	const struct view *v;
	const struct row *row;
	struct rows tasks;
	struct arena *arena;
};

static void draw_sections(struct text_cursor *tc, const void *arg)
{
	const struct page *page = arg;
	const struct model *m = page->v->model;
	const struct rows *tasks = &page->tasks;
	double seconds = task_watched(m);

	text_section(tc);
	field_history(tc, page->row->history);
	draw_parts(tc, _("DISKS"), task_parts(tasks, SPLIT_DISK, page->arena), seconds);
	draw_group(tc, page->v, page->row, tasks);
	tasks_draw_files(tc, m, tasks);
	draw_parts(tc, _("SUBMITTED BY"), task_parts(tasks, SPLIT_SUBMITTER, page->arena), seconds);
	draw_parts(tc, _("FOR OTHERS"), task_parts(tasks, SPLIT_CAUSE, page->arena), seconds);
	text_section(tc);
	layers_draw_tasks(tc, page->v, tasks);
}

static int detail(struct canvas *c, struct rect area, int top, const struct view *v,
		  const struct row *row)
{
	struct text_cursor tc = text_start(c, area, top);
	struct page page = { .v = v, .row = row, .tasks = row_members(&row) };
	struct arena a;

	arena_init(&a);
	page.arena = &a;
	draw_identity(&tc, v, (const struct task_row *)row);
	draw_numbers(&tc, v->model, row);
	draw_finding(&tc, v->model, (const struct task_row *)row);
	field_watched(&tc, v->model, task_source(v->model), true);
	text_columns(&tc, SIDE, draw_sections, &page);
	arena_release(&a);
	return text_lines(&tc, top);
}

const struct screen screen_tasks = {
	.name = "tasks",
	.title = N_("Tasks"),
	.tab = NC_("tab", "Tasks"),
	.help = N_("who does I/O, how much, and how long it waits"),
	.entity = ENTITY_TASK,
	.columns = "tid,prio,user,read,write,total,riops,wiops,lat,max,swapin,io,disk,history,"
		   "command",
	.sort = "total",
	.classic = true,
	.needs = SRC_DISKS | SRC_SYSTEM | SRC_EXITS | SRC_MOUNTS,
	.detail_needs = SRC_FILES | SRC_LAYERS | SRC_CALLERS | SRC_PATTERN |
			SRC_MEMORY | SRC_TASKIO,
	.all_there = true,
	.detail = detail,
};

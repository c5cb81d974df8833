// SPDX-License-Identifier: GPL-2.0-or-later
/* From a row to the same thing on another screen: its disks, files, stacks, waits. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "data/disk/disk.h"
#include "data/event/event.h"
#include "data/file/file.h"
#include "data/layer/layertask.h"
#include "data/stack/offcpu.h"
#include "data/stack/stack.h"
#include "data/task/task.h"
#include "tui/actions.h"

/* What tells a row on another screen, too: the most particular first. */
static const char *const row_keys[] = { "path", "tid", "pid", "mount", "disk", "fs", NULL };

/* … and a row that is a group: the column of what its members have in common. */
static const char *const group_keys[GROUP_COUNT][2] = {
	[GROUP_COMM] = { "comm" },	[GROUP_USER] = { "user" },
	[GROUP_CGROUP] = { "cgroup" },	[GROUP_FOLDER] = { "dir" },
	[GROUP_MOUNT] = { "mount" },	[GROUP_FS] = { "fs" },
	[GROUP_EXTENSION] = { "ext" },
};

/* How the thing is found on another tab. */
struct way {
	unsigned tab;
	enum group_by group;
	char filter[PROMPT_MAX];
};

static bool has_file(const struct entity *e)
{
	return e == &entity_file || e == &entity_event;
}

static bool is_of_disks(const struct entity *e)
{
	return e == &entity_disk || e == &entity_disktask;
}

static bool is_of_tasks(const struct entity *e)
{
	return e == &entity_task || e == &entity_offcpu || e == &entity_stack ||
	       e == &entity_disktask || e == &entity_layertask;
}

/*
 * Whether the column means the same in both: a path is also one of code, and by process it is a
 * name. What a task does at other disks than its first is not found by the name of one, nor the
 * disks of a file by its reader.
 */
static bool key_fits(const char *key, const struct entity *from, enum group_by group,
		     const struct entity *to)
{
	if (!strcmp(key, "path"))
		return has_file(from) && has_file(to) && group != GROUP_PROCESS;
	if (!strcmp(key, "disk"))
		return is_of_disks(to) || is_of_disks(from) || layer_is_entity(from);
	if (!strcmp(key, "tid") || !strcmp(key, "pid"))
		return is_of_tasks(from) || !is_of_disks(to);
	return true;
}

static bool names_who(const char *key)
{
	return !strcmp(key, "pid") || !strcmp(key, "comm") || !strcmp(key, "user") ||
	       !strcmp(key, "cgroup");
}

/* How the rows of the tab are grouped where the key tells them apart. */
static enum group_by group_for(const struct tab *tab, const char *key)
{
	const struct entity *e = entities[tab->home->entity];

	if (!strcmp(key, "tid"))
		return GROUP_NONE;
	/* Rows of a file and a process: a file of several has no process, name or user. */
	if (names_who(key) && tab_can_group(tab, GROUP_NONE) && entity_column(e, "pid") &&
	    !entity_column(e, "tid"))
		return GROUP_NONE;
	return tab_can_group(tab, GROUP_PROCESS) &&
			       (!strcmp(key, "pid") || (names_who(key) && !entity_column(e, key)))
		       ? GROUP_PROCESS : tab->home->group;
}

/* In quotes, as the filter language reads it. */
static void put_quoted(struct buf *out, const char *text)
{
	buf_putc(out, '"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			buf_putc(out, '\\');
		buf_putc(out, *text);
	}
	buf_putc(out, '"');
}

bool row_test(const struct app *app, const struct row *row, const char *key, char *out,
	      size_t size)
{
	const struct column *col = entity_column(row->entity, key);
	struct buf text = { 0 };
	struct arena texts;
	struct value v;
	bool fits;

	if (!col)
		return false;
	arena_init(&texts);
	v = column_value(col, row, app->model, SPAN_TICK, &texts);
	if (v.kind == VAL_U64) {
		buf_printf(&text, "%s = %" PRIu64, key, v.u64);
	} else if (v.kind == VAL_STR && v.str && *v.str) {
		buf_printf(&text, "%s = ", key);
		put_quoted(&text, v.str);
	}
	arena_release(&texts);
	fits = text.len && text.len < size;
	if (fits)
		memcpy(out, text.data, text.len + 1);
	buf_release(&text);
	return fits;
}

const char *group_test_key(enum group_by group)
{
	return group_keys[group][0];
}

/* How the members of a group are listed on its own tab; the same as now: they are already. */
static enum group_by group_apart(const struct tab *tab)
{
	enum group_by now = tab->spec.group;

	if (now != tab->home->group && now != GROUP_NONE)
		return tab->home->group;
	return tab_can_group(tab, GROUP_NONE) ? GROUP_NONE : now;
}

static bool find_way(const struct app *app, const struct row *row, unsigned tab, struct way *ret)
{
	const struct tab *to = &app->tabs[tab];
	enum group_by from = app_tab(app)->spec.group;
	const char *const *keys = group_keys[from];

	if (to->home->apart || (tab == app->current && group_apart(to) == from))
		return false;
	if (!keys[0])
		keys = row_keys;
	for (; *keys; keys++) {
		enum group_by group =
			tab == app->current ? group_apart(to) : group_for(to, *keys);
		const struct entity *e = entities[screen_grouped(to->home, group)->entity];

		ret->tab = tab;
		ret->group = group;
		if (entity_column(e, *keys) && key_fits(*keys, row->entity, from, e) &&
		    row_test(app, row, *keys, ret->filter, sizeof(ret->filter)))
			return true;
	}
	return false;
}

/* Who waits for a server of a file system sleeps like one that waits for a key. */
static bool needs_all_waits(const struct app *app, const struct row *row, const struct tab *to)
{
	return row->entity == &entity_task && entities[to->home->entity] == &entity_offcpu &&
	       task_waits_for_server(row, app_span(app));
}

static void go(struct app *app, const struct way *way, const struct row *row)
{
	struct tab *to = &app->tabs[way->tab];
	bool all_waits = needs_all_waits(app, row, to);
	char title[64] = "";
	struct err err;

	tab_title(app_tab(app), title, sizeof(title), row);

	nav_lead(app, way->tab, title);
	if (to->spec.group != way->group)
		tab_set_group(to, way->group);
	if (tab_set_filter(to, way->filter, NULL, &err) < 0)
		app_message(app, true, "%s", err.text);
	to->detail = to->pinned = to->over = false;
	if (all_waits && !app->every_block)
		act_every_block(app);
	app->stale = true;
}

/* One key answers. */
static void answered(struct app *app, struct prompt *p)
{
	const struct row *row = app_row_shown(app);
	char key = p->text[0];
	struct way way;

	prompt_set_text(p, "");
	if (!row || key < '1' || (unsigned)(key - '1') >= app->ntabs ||
	    !find_way(app, row, (unsigned)(key - '1'), &way)) {
		err_set(&p->error, EINVAL, _("a number of these; Esc: stay here"));
		return;
	}
	p->active = false;
	go(app, &way, row);
}

static bool no_answer(struct app *app, struct prompt *p)
{
	err_set(&p->error, EINVAL, _("a number of these; Esc: stay here"));
	return false;
}

void act_jump(struct app *app)
{
	const struct row *row = app_row_shown(app);
	struct tab *tab = app_tab(app);
	char label[sizeof(app->prompt.label)];
	struct prompt *p;
	struct way way;
	size_t len, n = 0;

	if (!row) {
		app_message(app, true, _("there is nothing under the cursor"));
		return;
	}
	len = (size_t)snprintf(label, sizeof(label), "%s", _("go to:"));
	for (unsigned i = 0; i < app->ntabs && i < 9; i++) {
		if (!find_way(app, row, i, &way))
			continue;
		n++;
		len += (size_t)snprintf(label + MIN(len, sizeof(label)),
					sizeof(label) - MIN(len, sizeof(label)), "  %u %s", i + 1,
					_(app->tabs[i].home->title));
	}
	if (!n) {
		app_message(app, true, _("no other screen has %s"), row->name);
		return;
	}
	/* The order may change until the answer comes: it is about this row. */
	if (app_page(app) != PAGE_DETAIL) {
		tab->cursor = row->key;
		tab->pinned = true;
	}
	p = app_prompt(app, label, "", no_answer);
	p->changed = answered;
	p->at_once = true;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Every column of every entity, walked: what no table may get wrong. */
#include "unit.h"

#include <ctype.h>
#include <string.h>

#include "base/utf8.h"
#include "data/layer/layer.h"
#include "data/task/task.h"
#include "tui/screen.h"
#include "view/view.h"

static void check_column(const struct entity *e, const struct column *col)
{
	unsigned counted = col->flags & (COL_RATE | COL_PERCENT | COL_COUNTER);

	ck_assert_msg(col->key && *col->key && col->head && *col->head && col->help && *col->help,
		      "%s", col->key);
	for (const char *p = col->key; *p; p++)
		ck_assert_msg(islower((unsigned char)*p) || isdigit((unsigned char)*p) || *p == '_',
			      "%s", col->key);
	ck_assert_msg(col->help[strlen(col->help) - 1] != '.', "%s: the help ends with a full stop",
		      col->key);
	ck_assert_msg(col->width > 0 && col->width <= 80, "%s", col->key);
	/* JSON has time and the totals beside the rows, but a row is an object of its own. */
	ck_assert_msg(strcmp(col->key, "time") || col->unit == UNIT_CLOCK,
		      "%s: CSV begins with time", col->key);
	ck_assert_msg(!(counted & (counted - 1)), "%s: more than one way to read a counter",
		      col->key);
	ck_assert_msg(col->flags & COL_GRAPH || col->kind != VAL_NONE, "%s: no kind", col->key);
	ck_assert_msg(!col->needs || !(col->needs >> SRC_COUNT), "%s: unknown source", col->key);
	if (col->get || col->flags & COL_GRAPH)
		return;
	if (counted)
		ck_assert_msg(col->off / sizeof(uint64_t) < e->nsum + e->nmax &&
				      col->off % sizeof(uint64_t) == 0,
			      "%s", col->key);
	else
		ck_assert_msg(col->off >= sizeof(struct row) && col->off + 8 <= e->row_size,
			      "%s: outside of the row", col->key);
	/* A maximum is neither a rate nor added. */
	if (counted && col->off / sizeof(uint64_t) >= e->nsum)
		ck_assert_msg(col->flags & COL_COUNTER && col->fold == FOLD_MAX, "%s", col->key);
}

START_TEST(tables)
{
	for (int i = 0; i < ENTITY_COUNT; i++) {
		const struct entity *e = entities[i];
		unsigned activity = 0, n = 0;

		entity_each_column(e, col) {
			check_column(e, col);
			activity += !!(col->flags & COL_ACTIVITY);
			ck_assert_ptr_eq(entity_column(e, col->key), col);
			n++;
		}
		ck_assert_msg(activity, "%s: -o would hide everything", e->name);
		ck_assert_uint_le(n, VIEW_COLUMNS_MAX);
		ck_assert_msg(!(e->groups & ~(1u << GROUP_NONE)) || e->group_key, "%s", e->name);
	}
}
END_TEST

/* An empty row with everything unknown, and one with everything there: no column stumbles. */
START_TEST(values)
{
	static const uint64_t zeros[128];
	struct model m = { .interval = 0 };

	for (int i = 0; i < ENTITY_COUNT; i++) {
		const struct entity *e = entities[i];
		struct row *row = calloc(1, e->row_size);

		ck_assert_uint_le(e->nsum + e->nmax, ARRAY_SIZE(zeros));
		for (int have = 0; have < 2; have++) {
			*row = (struct row){ .entity = e,
					     .now = zeros,
					     .sum = zeros,
					     .have = have ? ~0u : 0,
					     .members = 1 };
			entity_each_column(e, col)
				for (int span = SPAN_TICK; span <= SPAN_MEAN; span++) {
					struct value v = column_value(
						col, row, &m, (enum span)span, &unit_texts);
					char text[256];

					if (!have && (col->needs || col->either))
						ck_assert_int_eq(v.kind, VAL_NONE);
					column_text(text, sizeof(text), col, &v,
						    &(struct unit_style){ 0 });
					ck_assert(*text);
				}
		}
		free(row);
	}
	arena_release(&m.arena);
}
END_TEST

START_TEST(screen_tables)
{
	for (unsigned i = 0; screens[i]; i++) {
		const struct screen *s = screens[i];
		struct view_spec spec = { .entity = entities[s->entity] };
		struct err err = { "" };

		ck_assert(s->name && s->title && s->help);
		ck_assert_msg(!view_set_columns(&spec, s->columns, &err), "%s: %s", s->name,
			      err.text);
		ck_assert_msg(!view_set_sort(&spec, s->sort, &err), "%s: %s", s->name, err.text);
		ck_assert_msg(s->group == GROUP_NONE || spec.entity->groups & 1u << s->group, "%s",
			      s->name);
		for (unsigned j = 0; j < i; j++)
			ck_assert_str_ne(s->name, screens[j]->name);
	}
}
END_TEST

/*
 * What JSON and CSV print by default, in this order: scripts count fields. A new column goes behind
 * all of these, here and in its table.
 */
static const char *const orders[ENTITY_COUNT] = {
	[ENTITY_TASK] =
		"pid tid prio user uid cgroup read write total riops wiops lat max swapin "
		"io throttle dirty disk state age ios members how files history comm "
		"command nice iowait throttled limit memstall refaults atlimit container "
		"cgroup_path dirtynow rsize wsize rand seq ra sync",
	[ENTITY_DISKTASK] =
		"pid comm op major minor disk ios bytes avg max",
	[ENTITY_DISK] =
		"disk name major minor type parents children size read write riops wiops "
		"discard flush rlat rp50 rp99 rmax wlat wp50 wp99 wmax queue device util "
		"depth inflight merges errors requeues ramp wamp rhist whist history amp "
		"mounts throttled tagwait sched usual slow rsize wsize rand seq ra sync insched "
		"tagwaits timeouts exceeded",
	[ENTITY_STACK] =
		"disk comm pid op ios bytes lat kstack ustack path",
	[ENTITY_LAYER] =
		"layer op fs disk count running total avg p50 p99 max share hist tasks "
		"files bar dist",
	[ENTITY_LAYERTASK] =
		"pid comm layer op fs disk count total avg max share bar",
	[ENTITY_OFFCPU] =
		"comm pid tid state blocked count max kstack ustack waker waker_pid "
		"waker_kind waker_kstack waker_ustack cause request_op request_disk "
		"request_avg path woken reason holder holder_tid",
	[ENTITY_FINDING] =
		"rank severity name title who victim share since lasted history what evidence "
		"screen filter",
	[ENTITY_FILE] =
		"path dir mount fs inode disk who procs read write total riops wiops lat p99 max "
		"state history pid comm cgroup ext files rcalls wcalls rcall_bytes wcall_bytes "
		"opens fsyncs clat hit amp dirtynow",
	[ENTITY_MOUNT] =
		"mount fs read write calls avg rtt waiting silent retrans errors source process",
	[ENTITY_EVENT] =
		"time kind comm pid tid cgroup op flags disk sector bytes queue tag limit device "
		"total path offset error hwqueue ino result",
};

START_TEST(order)
{
	for (int i = 0; i < ENTITY_COUNT; i++) {
		const struct column *col = entities[i]->columns;

		for (const char *p = orders[i]; *p; p += strspn(p, " "), col++) {
			size_t n = strcspn(p, " ");

			ck_assert_msg(col->key && strlen(col->key) == n && !strncmp(col->key, p, n),
				      "%s: %s is where %.*s was", entities[i]->name,
				      col->key ? col->key : "nothing", (int)n, p);
			p += n;
		}
	}
}
END_TEST

/* Of how long a count is stands behind its heading; a timer is never on the dot. */
START_TEST(intervals)
{
	static const struct {
		double seconds;
		const char *text;
	} cases[] = { { 0, "" },	 { 1, "/s" },	 { 1.0004, "/s" }, { 0.998, "/s" },
		      { 5.003, "/5s" },	 { 60, "/60s" }, { 3600, "/3600s" }, { 0.25, "/0.25s" },
		      { 0.1001, "/0.1s" }, { 2.5, "/2.5s" } };
	const struct column *count = entity_column(&entity_layer, "count"),
			    *max = entity_column(&entity_layer, "max"),
			    *read = entity_column(&entity_task, "read");
	char text[COLUMN_INTERVAL];

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		ck_assert_str_eq(column_interval(text, cases[i].seconds), cases[i].text);
	ck_assert(column_counts(count));
	ck_assert(!column_counts(max));
	ck_assert(!column_counts(read));
}
END_TEST

UNIT_MAIN("columns", tables, order, values, screen_tables, intervals)

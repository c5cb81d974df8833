// SPDX-License-Identifier: GPL-2.0-or-later
/* Command lines: what is taken and refused, and the views they make. */
#include "unit.h"

#include <stdlib.h>

#include "command_lines.h"
#include "data/task/task.h"
#include "options/help.h"
#include "out/out.h"

static const struct refusal {
	const char *line, *why;
} refusals[] = {
	{ "-b -d 0", "--delay: \"0\" is not a number of seconds from 0.1 to 86400" },
	{ "-b -d 0.09", "--delay: \"0.09\" is not a number of seconds from 0.1 to 86400" },
	{ "-b -d 86401",
	  "--delay: \"86401\" is not a number of seconds from 0.1 to 86400" },
	{ "-b -d nan", "--delay: \"nan\" is not a number of seconds from 0.1 to 86400" },
	{ "-b -d -1", "--delay: \"-1\" is not a number of seconds from 0.1 to 86400" },
	{ "-b --delay=1,5",
	  "--delay: \"1,5\" is not a number of seconds from 0.1 to 86400" },
	{ "-b -n -1", "--iter: \"-1\" is not a whole number from 1 to 4294967295" },
	{ "-b -n 0", "--iter: \"0\" is not a whole number from 1 to 4294967295" },
	{ "-b -n", "option --iter needs an argument: NUM" },
	{ "-b --iter", "option --iter needs an argument: NUM" },
	{ "-b --format=xml", "--format: there is no \"xml\"; there are: text json csv "
			     "folded svg pprof openmetrics hist" },
	{ "-b --format=jsn", "--format: there is no \"jsn\"; did you mean json?" },
	{ "-b --group=cgrup", "--group: there is no \"cgrup\"; did you mean cgroup?" },
	{ "-b --colums=x", "unknown option --colums; did you mean --columns?" },
	{ "-b --frobnicate", "unknown option --frobnicate; --help lists them" },
	{ "-b -Z", "unknown option -Z; --help lists them" },
	{ "-b --threads=1 --list-keys=x", "option --threads takes no argument" },
	{ "record --retain=30",
	  "--retain: \"30\" has no unit; a time is such as 30s, 10m or 7d" },
	{ "record --fine=1.5",
	  "--fine: \"1.5\" has no unit; a time is such as 30s, 10m or 7d" },
	{ "--history=10",
	  "--history: \"10\" has no unit; a time is such as 30s, 10m or 7d" },
	{ "record --keep=x",
	  "--keep: \"x\" is not a time such as 10ms, 1.5s or 200us" },
	{ "-b -p 0", "--pid: \"0\" is not a process id" },
	{ "-b -p x", "--pid: \"x\" is not a process id" },
	{ "-b -p 1,,2", "--pid: \"\" is not a process id" },
	{ "-b -p 2147483647", "there is no process 2147483647" },
	{ "-b -u no-such-user-here", "there is no user \"no-such-user-here\"" },
	{ "-b --disk=no-such-disk",
	  "there is no disk \"no-such-disk\"; -b --screen=disks lists them" },
	{ "-b --screen=layers --cgroup=/no/such/group",
	  "there is no control group \"/no/such/group\" in a mounted cgroup2" },
	{ "-b --screen=layers --fs=nosuch",
	  "this kernel has no file system \"nosuch\"; /proc/filesystems lists them" },
	{ "-b --disk=..", "there is no disk \"..\"; -b --screen=disks lists them" },
	{ "-b --disk=", "there is no disk \"\"; -b --screen=disks lists them" },
	{ "-b -u root,", "--user: a name is missing" },
	{ "-b 1 2 3", "what is \"3\"? Only an interval and a count can stand alone" },
	{ "-b 0", "--delay: \"0\" is not a number of seconds from 0.1 to 86400" },
	{ "-b --only=maybe", "--only: \"maybe\" is neither yes nor no" },
	{ "-b --rows=1\033[31m",
	  "--rows: \"1\\e[31m\" is not a whole number from 1 to 4294967295" },
	{ "-b --replay=x --begin=x",
	  "\"x\" is no time such as 03:12, -15m or yesterday 14:00" },
	{ "-b --replay=x --end=-5",
	  "\"-5\" is no time such as 03:12, -15m or yesterday 14:00" },
	{ "-b --replay=x --compare=-1h,x",
	  "\"x\" is no time such as 03:12, -15m or yesterday 14:00" },
	{ "-b --replay=x --compare=-1h", "--compare takes two times: 03:00,04:00" },
	{ "--why=3 -n 9", "--why and --iter exclude each other" },
	{ "--probes --format=csv", "--probes: --format is text or json" },
	{ "--probes --replay=x", "--probes and --replay exclude each other" },
	{ "--probes --store", "--probes and --store exclude each other" },
	{ "-b --record=a --replay=b", "--record and --replay exclude each other" },
};

START_TEST(refused)
{
	struct buf why = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(refusals); i++) {
		struct options o;

		ck_assert_msg(parse(&o, refusals[i].line, &why) == -EINVAL, "%s", refusals[i].line);
		ck_assert_str_eq(why.data, refusals[i].why);
		options_release(&o);
	}
	buf_release(&why);
}
END_TEST

START_TEST(taken)
{
	struct buf why = { 0 };
	struct options o;

	ck_assert_int_eq(parse(&o,
		"-b -n 3 -d 0.5 -oPak -qq -t --sort=write:asc --columns +lat --rows 5 -p 1 "
		"--user=root,0", &why), 0);
	ck_assert(o.batch && o.iterations == 3 && o.delay == 0.5 && o.only_active &&
		  o.group == GROUP_PROCESS && o.span == SPAN_SUM);
	ck_assert(o.kilobytes && o.quiet == 2 && o.time && o.rows == 5 && o.pids.n == 1 &&
		  number_set_has(&o.pids, 1));
	ck_assert(o.tgids.n == 1 && number_set_has(&o.tgids, 1));
	ck_assert(number_set_has(&o.uids, 0) && !number_set_has(&o.uids, 1) && !o.users.n);
	ck_assert_str_eq(o.sort, "write:asc");
	ck_assert_str_eq(o.columns, "+lat");
	options_release(&o);

	ck_assert_int_eq(parse(&o, "-b 2 7", &why), 0);
	ck_assert(o.delay == 2 && o.iterations == 7 && o.group == -1 && o.span == SPAN_TICK);
	options_release(&o);

	ck_assert_int_eq(parse(&o,
		"-b -o --only=no -A --accum --format json --accounting netlink "
		"--attribute=submitter", &why), 0);
	ck_assert(!o.only_active && o.span == SPAN_SUM && o.format == OUT_JSON &&
		  o.attribute == ATTRIBUTE_SUBMITTER);
	options_release(&o);

	ck_assert_int_eq(parse(&o, "--list-columns=tasks -d 5", &why), 0);
	ck_assert_int_eq(o.action, ACTION_LIST_COLUMNS);
	ck_assert_str_eq(o.list_screen, "tasks");
	options_release(&o);
	ck_assert_int_eq(parse(&o, "--list-columns", &why), 0);
	ck_assert_ptr_null(o.list_screen);
	options_release(&o);
	/* A recording has processes and users of its own. */
	ck_assert_int_eq(parse(&o, "-b --replay=x -p 2147483647 -u nobody-here", &why), 0);
	options_release(&o);
	ck_assert_int_eq(parse(&o, "-b --screen=layers --replay=x --cgroup=web/one//", &why), 0);
	ck_assert_str_eq(o.cgroup_name, "/web/one");
	options_release(&o);
	ck_assert_int_eq(parse(&o, "-b --screen=layers --replay=x --cgroup=/", &why), 0);
	ck_assert_str_eq(o.cgroup_name, "");
	options_release(&o);
	buf_release(&why);
}
END_TEST

/* Whether --pid and --user let a task through; user 8 is called "wwwrun". */
static bool keeps(const struct options *o, uint32_t tgid, uint32_t tid, uint32_t uid)
{
	static struct names *names;
	const struct task_id id = { tgid, tid, 1 };
	const struct selection_owner owner = { .uid = uid };
	struct selection selection;

	if (!names) {
		struct sample *s = sample_new();

		*sample_add_row(s, USER, struct sample_user) =
			(struct sample_user){ .uid = 8, .name = "wwwrun" };
		names = names_new();
		names_update(names, s);
		sample_free(s);
	}
	options_select(o, &selection);
	return selection_has(&selection, names, &id, &owner);
}

START_TEST(views)
{
	static const struct {
		const char *line, *why;
	} wrong[] = {
		{ "-b --columns=bytes", "no column \"bytes\"; --list-columns lists them" },
		{ "-b --sort=wrte", "no column \"wrte\"; did you mean \"write\"?" },
		{ "-b --sort=write:up", "sort direction \"up\" is neither asc nor desc" },
		{ "-b --filter=write>x",
		  "filter: a size such as 10M is expected here\n  write>x\n        ^" },
		{ "-b --filter=(", "filter: something is missing at the end\n  (\n   ^" },
		{ "-b --filter=\303\244\033\001>1", NULL },
	};
	static const struct screen of_tasks = {
		.name = "own", .entity = ENTITY_TASK, .columns = "pid,dirty", .sort = "dirty"
	};
	struct buf why = { 0 };
	struct options_view v;
	struct options o;

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		const char *got = view_of(&o, &v, wrong[i].line, &why);

		if (wrong[i].why)
			ck_assert_str_eq(got, wrong[i].why);
		else
			ck_assert(!strpbrk(got, "\033\001"));
		options_release(&o);
	}
	ck_assert_str_eq(view_of(&o, &v, "-b", &why), "");
	ck_assert(v.classic && v.spec.ncolumns && v.spec.sort && !v.filter && !v.selection);
	options_view_release(&v);
	options_release(&o);
	ck_assert_str_eq(view_of(&o, &v, "-b -p 1 -u root --filter=x", &why), "");
	ck_assert(keeps(&o, 1, 1, 0) && keeps(&o, 1, 7, 0) && keeps(&o, 7, 1, 0));
	ck_assert(!keeps(&o, 7, 7, 0) && !keeps(&o, 1, 1, 7));
	ck_assert_str_eq(filter_text(v.spec.filter), "x");
	options_view_release(&v);
	options_release(&o);
	/* Another screen of tasks has columns of its own. */
	ck_assert_int_eq(parse(&o, "-b", &why), 0);
	ck_assert_int_eq(options_view(&o, &of_tasks, &v, &why), 0);
	ck_assert(!v.classic && v.spec.ncolumns == 2);
	ck_assert_str_eq(v.spec.columns[1]->key, "dirty");
	options_view_release(&v);
	options_release(&o);
	ck_assert_str_eq(view_of(&o, &v, "-b --columns=pid", &why), "");
	ck_assert(!v.classic && v.spec.ncolumns == 1);
	options_view_release(&v);
	options_release(&o);
	ck_assert_ptr_null(options_screen("task", &why));
	ck_assert_str_eq(why.data, "there is no screen task; did you mean tasks?");
	ck_assert_ptr_eq(options_screen(NULL, &why), screens[0]);
	buf_release(&why);
}
END_TEST

#define PIDS 100000

/* A hundred thousand ids, in no order, and users of a recording by name. */
START_TEST(long_lists)
{
	char *list = malloc(PIDS * 8), *end = list, program[] = "iotop", batch[] = "-b",
	     replay[] = "--replay=x", pid[] = "-p", users[] = "--user=7,wwwrun,nobody";
	char *const argv[] = { program, batch, replay, users, pid, list, NULL };
	struct buf why = { 0 };
	struct options_view v;
	struct options o;

	for (uint64_t i = 0; i < PIDS; i++)
		end += sprintf(end, i ? ",%u" : "%u", (unsigned)(i * 7919 % PIDS + 1) * 2);
	ck_assert_int_eq(options_parse(&o, ARRAY_SIZE(argv) - 1, argv, &why), 0);
	ck_assert_uint_eq(o.pids.n, PIDS);
	ck_assert_int_eq(options_view(&o, screens[0], &v, &why), 0);
	ck_assert(!keeps(&o, 2, 2, 9) && keeps(&o, 2, 2, 7));
	for (uint32_t i = 1; i <= 2 * PIDS + 2; i++)
		ck_assert_msg(keeps(&o, 1, i, 8) == (i % 2 == 0 && i <= 2 * PIDS), "%u", i);
	options_view_release(&v);
	options_release(&o);
	buf_release(&why);
	free(list);
}
END_TEST

START_TEST(machine_columns)
{
	static const char *const wanted[] = { "pid", "tid", "prio", "user", "comm",
					      "command", "read", "write", "riops", "wiops",
					      "lat", "max", "swapin", "io", "disk" };
	struct buf why = { 0 };
	struct options_view v;
	struct options o;

	ck_assert_str_eq(view_of(&o, &v, "-b --format=json", &why), "");
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		unsigned j = 0;

		while (j < v.spec.ncolumns && strcmp(v.spec.columns[j]->key, wanted[i]))
			j++;
		ck_assert_msg(j < v.spec.ncolumns, "%s", wanted[i]);
	}
	for (unsigned j = 0; j < v.spec.ncolumns; j++)
		ck_assert(!(v.spec.columns[j]->flags & COL_GRAPH));
	options_view_release(&v);
	options_release(&o);
	buf_release(&why);
}
END_TEST

START_TEST(help)
{
	struct buf b = { 0 };

	options_help(&b);
	ck_assert_ptr_nonnull(strstr(b.data, "\n  -b, --batch  "));
	ck_assert_ptr_nonnull(strstr(b.data, "\n      --list-columns[=SCREEN]  "));
	ck_assert_ptr_nonnull(strstr(b.data, "\n  -n, --iter=NUM  "));
	for (const char *p = b.data; *p; p = strchr(p, '\n') + 1)
		ck_assert_msg(strcspn(p, "\n") <= 80, "%.90s", p);
	buf_release(&b);
}
END_TEST

UNIT_MAIN("options", refused, taken, views, long_lists, machine_columns, help)

// SPDX-License-Identifier: GPL-2.0-or-later
/* The configuration file: what is taken from it, refused and written. */
#include "unit.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command_lines.h"
#include "options/config.h"
#include "tui/app.h"

static void write_config(const char *text)
{
	FILE *f;

	mkdir("config.tmp", 0700);
	mkdir("config.tmp/iotop", 0700);
	f = fopen("config.tmp/iotop/config", "w");
	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
}

/* A trigger of the screen; reports have none. */
static void check_trigger(void)
{
	struct buf why = { 0 };
	struct options o;

	write_config("when=disk.util > 90 for 5s\nkeep=1m\nexec=true\n");
	ck_assert_int_eq(parse(&o, "", &why), 0);
	ck_assert_str_eq(o.when, "disk.util > 90 for 5s");
	ck_assert_str_eq(o.exec, "true");
	ck_assert_uint_eq(o.keep, 60000000000);
	options_release(&o);
	ck_assert_int_eq(parse(&o, "-b", &why), 0);
	ck_assert(!o.when && !o.exec);
	options_release(&o);
	write_config("when=disk.utl > 90\n");
	ck_assert_int_eq(parse(&o, "", &why), -EINVAL);
	ck_assert_ptr_nonnull(strstr(why.data, "/iotop/config: --when: no column \"utl\"; did "
					       "you mean \"util\"?"));
	ck_assert_ptr_null(strchr(why.data, '^'));
	options_release(&o);
	buf_release(&why);
}

/* Keys that were changed, and what is no key or no action. */
static void check_keys(void)
{
	static const char *const bad[][2] = {
		{ "key.k=frobnicate", "there is no action \"frobnicate\"" },
		{ "key.kk=none", "there is no key \"kk\"" },
		{ "key.=none", "there is no key \"\"" },
		{ "key.k", "needs a value" },
		{ "keys=emacs", "keys" },
	};
	struct buf why = { 0 }, out = { 0 };
	struct options o;

	write_config("keys=vi\nkey.k = none\nkey.F9=freeze\ntheme=safe\n");
	ck_assert_int_eq(parse(&o, "", &why), 0);
	ck_assert(o.key_map.vi && o.key_map.n == 2);
	options_write_config(&o, &out);
	ck_assert_ptr_nonnull(strstr(out.data, "keys=vi\n"));
	ck_assert_ptr_nonnull(strstr(out.data, "theme=safe\n"));
	ck_assert_ptr_nonnull(strstr(out.data, "key.k=none\nkey.F9=freeze\n"));
	options_release(&o);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		buf_reset(&why);
		write_config(bad[i][0]);
		ck_assert_int_eq(parse(&o, "", &why), -EINVAL);
		ck_assert_msg(strstr(why.data, bad[i][1]), "%s: %s", bad[i][0], why.data);
		ck_assert_ptr_nonnull(strstr(why.data, "config:1: "));
		options_release(&o);
	}
	buf_release(&why);
	buf_release(&out);
}

/* --write saves what the next start takes, and keeps what is there. */
static void check_write(void)
{
	static const char *const bad[][2] = {
		{ "-W --columns=nosuch", "no column \"nosuch\"" },
		{ "-W --screen=nosuch", "there is no screen nosuch" },
		{ "-W --filter=write>", "filter: " },
		{ "-W --when=x", "--when: " },
		{ "-W --screen=tasks --group=file", "cannot be grouped by file" },
		{ "-W -n 5", "--write does not save --iter" },
		{ "-W 5 7", "--write does not save --iter" },
		{ "-W -b", "--write does not save --batch" },
		{ "-W -p 1", "--write does not save --pid" },
		{ "record -W", "option --write does nothing with iotop record" },
	};
	struct buf why = { 0 }, out = { 0 };
	struct options o;

	write_config("secure=yes\nhistory=5m\nkey.k=none\nrows=7\ndelay=2\n");
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		ck_assert_msg(parse(&o, bad[i][0], &why) == -EINVAL, "%s", bad[i][0]);
		ck_assert_msg(strstr(why.data, bad[i][1]), "%s: %s", bad[i][0], why.data);
		ck_assert_msg(!strchr(why.data, '\n') && !strstr(why.data, "\\n"), "%s", why.data);
		options_release(&o);
	}
	ck_assert_int_eq(parse(&o, "-W -d 3 --screen=disks", &why), 0);
	options_write_config(&o, &out);
	ck_assert_str_eq(out.data, "delay=3\nscreen=disks\nrows=7\nhistory=300s\nsecure=yes\n"
				   "key.k=none\n");
	options_release(&o);
	buf_release(&why);
	buf_release(&out);
}

/* What the screen does not decide is carried over when it saves its settings. */
START_TEST(carried)
{
	struct buf out = { 0 };

	options_carry_config(&out, "# mine\nrows = 7\n  secure\r\nkey.k=none\nsort=io\nbatch\n"
				   "full-command\nnosuch=1\n\nignore=swap", app_config_decides);
	ck_assert_str_eq(out.data, "rows = 7\nsecure\r\nignore=swap\n");
	buf_release(&out);
}
END_TEST

START_TEST(config)
{
	char here[3000], path[4096];
	struct buf why = { 0 };
	struct options o;

	ck_assert_ptr_nonnull(getcwd(here, sizeof(here)));
	snprintf(path, sizeof(path), "%s/config.tmp", here);
	setenv("XDG_CONFIG_HOME", path, 1);
	write_config("# mine\n\n  only = yes "
		     "\r\nsort=write:asc\ndelay=2.5\nprocesses\nsi=no\nfilter=write > 1M and comm "
		     "= x\n");
	ck_assert_int_eq(parse(&o, "-d 3", &why), 0);
	ck_assert(o.only_active && o.delay == 3 && o.group == GROUP_PROCESS && !o.si);
	ck_assert_str_eq(o.sort, "write:asc");
	ck_assert_str_eq(o.filter, "write > 1M and comm = x");
	options_release(&o);
	/* Scripts get the same whatever somebody saved. */
	ck_assert_int_eq(parse(&o, "-b", &why), 0);
	ck_assert(!o.only_active && o.delay == 1 && !o.filter);
	options_release(&o);

	/* Columns of the tasks are none of the disks. */
	write_config("columns=tid,write\nsort=io\ngroup=comm\nfilter=io > 1\ndelay=3\n");
	ck_assert_int_eq(parse(&o, "--screen=disks", &why), 0);
	ck_assert(!o.columns && !o.sort && !o.filter && o.group == -1 && o.delay == 3);
	options_release(&o);
	ck_assert_int_eq(parse(&o, "--screen=disks --sort=wlat", &why), 0);
	ck_assert(!o.columns && !strcmp(o.sort, "wlat"));
	options_release(&o);
	ck_assert_int_eq(parse(&o, "--screen=tasks", &why), 0);
	ck_assert(!strcmp(o.columns, "tid,write") && !strcmp(o.sort, "io"));
	options_release(&o);
	write_config("columns=tid,wriet\n");
	ck_assert_int_eq(parse(&o, "", &why), -EINVAL);
	ck_assert_ptr_nonnull(
		strstr(why.data, "/iotop/config: no column \"wriet\"; did you mean \"write\"?"));
	options_release(&o);
	write_config("filter=write >\n");
	ck_assert_int_eq(parse(&o, "", &why), -EINVAL);
	ck_assert_ptr_nonnull(
		strstr(why.data, "/iotop/config: filter: something is missing at the end"));
	ck_assert_ptr_null(strchr(why.data, '^'));
	options_release(&o);

	check_keys();
	check_trigger();
	check_write();
	write_config("only=yes\ncolour=no\n");
	ck_assert_int_eq(parse(&o, "", &why), -EINVAL);
	ck_assert_ptr_nonnull(strstr(why.data, "/iotop/config:2: unknown option \"colour\""));
	options_release(&o);
	ck_assert_int_eq(parse(&o, "--help", &why), 0);
	options_release(&o);

	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	ck_assert_int_eq(parse(&o, "", &why), 0);
	options_release(&o);
	buf_release(&why);
	unlink("config.tmp/iotop/config");
	rmdir("config.tmp/iotop");
	rmdir("config.tmp");
}
END_TEST

START_TEST(long_config_home)
{
	char home[9001];
	struct buf why = { 0 };
	struct options o;

	memset(home, 'x', sizeof(home));
	home[0] = '/';
	home[9000] = '\0';
	setenv("XDG_CONFIG_HOME", home, 1);
	/*
	 * The system refuses such a path; what matters is that we survive it and say so in one
	 * line.
	 */
	ck_assert_int_eq(parse(&o, "", &why), -EINVAL);
	ck_assert_ptr_nonnull(strstr(why.data, "/iotop/config: "));
	options_release(&o);
	for (size_t i = 100; i < 9000; i += 100)
		home[i] = '/';
	setenv("XDG_CONFIG_HOME", home, 1);
	ck_assert_int_eq(parse(&o, "", &why), -EINVAL);
	ck_assert_ptr_nonnull(strstr(why.data, "/iotop/config: "));
	options_release(&o);
	buf_release(&why);
}
END_TEST

START_TEST(config_lines)
{
	static const struct {
		const char *text, *why;
	} cases[] = {
		{ "delay=x", "f:1: --delay: \"x\" is not a number of seconds from 0.1 to 86400" },
		{ "\n\nrows", "f:3: rows needs a value: rows=NUM" },
		{ "record=x", "f:1: \"record\" can only be given on the command line" },
		{ "help", "f:1: \"help\" can only be given on the command line" },
		{ "sorts=x", "f:1: unknown option \"sorts\"; did you mean sort?" },
		{ "=x", "f:1: unknown option \"\"" },
		{ "rows=3\nfinding-share=200",
		  "f:2: --finding-share: \"200\" is not a whole number from 5 to 100" },
		{ "ignore=swap,discard",
		  "f:1: --ignore: there is no \"discard\"; did you mean discards?" },
		{ "processes=perhaps", "f:1: --processes: \"perhaps\" is neither yes nor no" },
	};
	struct buf why = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct options o;

		ck_assert_int_eq(parse(&o, "-b", &why), 0);
		ck_assert_int_eq(options_read_config(&o, cases[i].text, "f", &why), -EINVAL);
		ck_assert_str_eq(why.data, cases[i].why);
		options_release(&o);
	}
	buf_release(&why);
}
END_TEST

START_TEST(saved_and_read)
{
	struct buf why = { 0 }, text = { 0 }, again = { 0 };
	struct options o, p;

	ck_assert_int_eq(parse(&o,
		"-b -n 4 -o -a -d 2.25 --group=user --sort=io --rows=7 --no-color "
		"--attribute=submitter --ignore=discards,swap --finding-share=30", &why), 0);
	options_write_config(&o, &text);
	ck_assert_str_eq(
		text.data,
		"delay=2.25\nonly=yes\ngroup=user\nrows=7\nsort=io\naccumulated=yes\n"
		"attribute=submitter\nignore=swap,discards\nfinding-share=30\nno-color=yes\n");
	ck_assert_int_eq(parse(&p, "-b", &why), 0);
	ck_assert_int_eq(options_read_config(&p, text.data, "f", &why), 0);
	options_write_config(&p, &again);
	ck_assert_str_eq(again.data, text.data);
	options_release(&o);
	options_release(&p);
	ck_assert_int_eq(parse(&o, "-b -P", &why), 0);
	buf_reset(&text);
	options_write_config(&o, &text);
	ck_assert_str_eq(text.data, "group=process\n");
	options_release(&o);
	ck_assert_int_eq(parse(&o, "-b --threads", &why), 0);
	buf_reset(&text);
	options_write_config(&o, &text);
	ck_assert_str_eq(text.data, "threads=yes\n");
	options_release(&o);
	buf_release(&text);
	buf_release(&again);
	buf_release(&why);
}
END_TEST

UNIT_MAIN("options_config", config, long_config_home, config_lines, saved_and_read, carried)

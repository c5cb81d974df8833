// SPDX-License-Identifier: GPL-2.0-or-later
/* What is said of wrong options, however long or hostile what it quotes. */
#include "unit.h"

#include "base/utf8.h"
#include "command_lines.h"

/* Whatever is quoted: one line, 200 characters with our name, its begin and its end. */
static void check_message(const struct buf *why, const char *what, bool filter)
{
	const char *p = why->data;
	unsigned lines = 0;

	ck_assert_msg(p && *p, "%s", what);
	for (const char *c = p; *c; c++)
		ck_assert_msg(((unsigned char)*c >= ' ' && *c != 127) || (*c == '\n' && filter),
			      "%s: %s", what, p);
	for (; *p; lines++) {
		size_t n = strcspn(p, "\n");
		char line[2048];

		ck_assert_msg(n < 1024, "%s: %zu bytes", what, n);
		snprintf(line, sizeof(line), "%.*s", (int)n, p);
		ck_assert_msg(utf8_width(line) <= 193, "%s: %d columns", what, utf8_width(line));
		p += p[n] ? n + 1 : n;
	}
	ck_assert_msg(lines == (filter ? 3 : 1), "%s: %u lines", what, lines);
}

START_TEST(messages_are_one_clean_line)
{
	static const char *const patterns[] = {
		"\033[31mred\007\n\t\"", "\314\201", "\344\270\255", "\377\376",
		"\342\200\256abc", "x",
	};
	static const char *const options[] = {
		"--group=", "--format=", "--delay=", "--iter=", "--pid=",
		"--pid=1,", "--disk=", "--fs=", "--cgroup=", "--only=",
		"--rows=", "--min-latency=", "--state=", "--accounting=", "--",
		"--list-keys=", "--attribute=", "--user=",
	};
	static char value[65000], arg[65100];
	struct buf why = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(patterns) * ARRAY_SIZE(options); i++) {
		const char *pattern = patterns[i % ARRAY_SIZE(patterns)],
			   *option = options[i / ARRAY_SIZE(patterns)];
		char *argv[] = { (char *)(uintptr_t)"iotop", (char *)(uintptr_t)"-b", arg, NULL };
		struct options o;
		size_t n = 0;

		while (n + 20 < sizeof(value))
			n += (size_t)sprintf(value + n, "%s", pattern);
		snprintf(arg, sizeof(arg), "%s%s", option, value);
		buf_reset(&why);
		ck_assert_msg(options_parse(&o, 3, argv, &why) == -EINVAL, "%s", option);
		check_message(&why, option, false);
		options_release(&o);
		buf_reset(&why);
		ck_assert_ptr_null(options_screen(value, &why));
		check_message(&why, "screen", false);
	}
	buf_release(&why);
}
END_TEST

/* What is chosen of a screen. */
START_TEST(messages_of_views_are_clean_lines)
{
	static const char *const options[] = { "--columns=", "--columns=+", "--sort=",
					       "--sort=io:", "--filter=a~", "--filter=x ",
					       "--filter=" };
	static const char *const ends[] = { "=1", "=", "(", "\\1(" };
	static char value[60000], arg[60100];
	struct buf why = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(options) * ARRAY_SIZE(ends); i++) {
		const char *option = options[i / ARRAY_SIZE(ends)];
		char *argv[] = { (char *)(uintptr_t)"iotop", (char *)(uintptr_t)"-b", arg, NULL };
		struct options_view v;
		struct options o;
		size_t n = 0;

		while (n + 20 < sizeof(value))
			n += (size_t)sprintf(value + n, "\033]0;\344\270\255\n");
		snprintf(arg, sizeof(arg), "%s\"%s\"%s", option, value, ends[i % ARRAY_SIZE(ends)]);
		buf_reset(&why);
		ck_assert_int_eq(options_parse(&o, 3, argv, &why), 0);
		ck_assert_msg(options_view(&o, options_screen("tasks", &why), &v, &why) == -EINVAL,
			      "%s %s", option, ends[i % ARRAY_SIZE(ends)]);
		check_message(&why, option, o.filter != NULL);
		options_release(&o);
	}
	buf_release(&why);
}
END_TEST

START_TEST(messages_keep_what_helps)
{
	char line[400], mark[600];
	struct buf why = { 0 };
	struct options_view v;
	struct options o;

	memset(line, 'x', sizeof(line));
	snprintf(mark, sizeof(mark), "-b --group=%.300s", line);
	ck_assert_int_eq(parse(&o, mark, &why), -EINVAL);
	ck_assert_msg(!strncmp(why.data, "--group: there is no \"xxx", 24), "%s", why.data);
	ck_assert_msg(strstr(why.data, "x\342\200\246x") && strstr(why.data, "x\"; there are: "),
		      "%s", why.data);
	options_release(&o);
	/* What is around the place. */
	snprintf(mark, sizeof(mark), "-b --filter=%.100s,wrte>1,%.200s", line, line);
	buf_reset(&why);
	ck_assert_str_eq(view_of(&o, &v, mark, &why), why.data);
	snprintf(mark, sizeof(mark),
		 "filter: no column \"wrte\"; did you mean \"write\"?\n  "
		 "\342\200\246%.59s,wrte>1,%.53s\342\200\246\n  %61s^", line, line, "");
	ck_assert_str_eq(why.data, mark);
	options_release(&o);
	buf_release(&why);
}
END_TEST

UNIT_MAIN("options_messages", messages_are_one_clean_line, messages_of_views_are_clean_lines,
	  messages_keep_what_helps)

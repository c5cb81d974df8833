// SPDX-License-Identifier: GPL-2.0-or-later
/* When --when is true, for how long its sources stay on, and what its command gets. */
#include "trigger.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>

#include "../golden/scene.h"
#include "base/clock.h"
#include "data/finding/finding.h"
#include "unit.h"

#define EXPENSIVE (SRC_STACKS | SRC_OFFCPU | SRC_LAYERS | SRC_FILES)

/* A machine, and one in which something is wrong. */
static struct scene scene;
static struct engine *engine;
static struct sample *samples[2];

static void machine(void)
{
	static const struct engine_options options;

	scene = (struct scene){ .off = 0 };
	engine = engine_new(&options);
	samples[0] = sample_new();
	samples[1] = sample_new();
}

static void machine_ends(void)
{
	engine_free(engine);
	sample_free(samples[0]);
	sample_free(samples[1]);
}

static const struct model *tick(unsigned n)
{
	struct sample *s = samples[n % 2];

	sample_reset(s);
	scene_sample(&scene, s, n);
	return engine_advance(engine, s, ~0u);
}

static struct condition *parse(const char *text)
{
	struct condition *c = NULL;
	struct err err = { "" };
	size_t place;

	ck_assert_msg(!condition_parse(text, &c, &place, &err), "%s: %s", text, err.text);
	return c;
}

START_TEST(meaning)
{
	static const struct {
		const char *text;
		bool calm, wrong;
	} cases[] = {
		{ "finding != ''", false, true },
		{ "finding = ''", true, false },
		{ "finding = disk-saturated", false, true },
		{ "finding = swap", false, false },
		{ "finding.severity = wrong", false, true },
		{ "not finding = ''", false, true },
		{ "disk.util > 90", false, true },
		{ "disk.util > 90 and disk = sda", false, true },
		{ "disk.util > 90 and disk = nvme0n1", false, false },
		{ "disk = nvme0n1", true, true },
		{ "disk.disk = none", false, false },
		{ "task.io > 80", true, true },
		{ "task.io > 80 and task = rsync", true, true },
		/* Not of the same task. */
		{ "task.io > 80 and task = dd", false, false },
		{ "task = dd and disk = sda", true, true },
		{ "task = dd and disk = none", false, false },
		{ "task = none or disk = sda", true, true },
		{ "(task = none or disk = sda) and disk = sda", true, true },
		{ "(task = none or disk.util > 90) and disk = sda", false, true },
		{ "total.psi_some > 20", true, true },
		{ "total.psi_some > 90", false, false },
		{ "total.read > 1M and total.write > 1M", true, true },
		{ "total.tasks > 3", true, true },
		{ "total.dirty > 1G", false, false },
	};

	for (int wrong = 0; wrong < 2; wrong++) {
		const struct model *m = NULL;

		machine();
		scene.findings = wrong;
		for (unsigned i = 0; i < 6; i++)
			m = tick(i);
		for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
			struct condition *c = parse(cases[i].text);
			struct condition_match match;
			bool is_true = condition_is_true(c, m, &match);

			ck_assert_msg(is_true == (wrong ? cases[i].wrong : cases[i].calm),
				      "%s, %s: %d", cases[i].text, wrong ? "wrong" : "calm",
				      is_true);
			condition_free(c);
		}
		machine_ends();
	}
}
END_TEST

/* Of whom it was true. */
START_TEST(matches)
{
	struct condition *c = parse("task.io > 80 and disk = sda");
	struct condition_match match;
	const struct model *m = NULL;

	machine();
	for (unsigned i = 0; i < 3; i++)
		m = tick(i);
	ck_assert(condition_is_true(c, m, &match));
	ck_assert_str_eq(match.rows[CONDITION_TASK]->name, "rsync");
	ck_assert_str_eq(match.rows[CONDITION_DISK]->name, "sda");
	ck_assert_ptr_null(match.rows[CONDITION_FINDING]);
	condition_free(c);
	machine_ends();
}
END_TEST

START_TEST(errors)
{
	static const struct {
		const char *text;
		size_t place;
		const char *part;
	} cases[] = {
		{ "", 0, "missing" },
		{ "rsync", 0, "comparison" },
		{ "util > 90", 0, "cannot be looked at" },
		{ "cpu.util > 90", 0, "cannot be looked at" },
		{ "disk.utl > 90", 0, "util" },
		{ "disk.util > much", 12, "number" },
		{ "total.psi > 1", 0, "psi_" },
		{ "disk.util > 90 for", 15, "comparison" },
		{ "disk.util > 90 for ever", 19, "5s" },
		{ "disk.util > 90 for -1s", 19, "5s" },
		{ "(disk.util > 90", 0, "not closed" },
		{ "task.comm ~ (", 12, "regular" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct condition *c = NULL;
		struct err err = { "" };
		size_t place = 99;

		ck_assert_msg(condition_parse(cases[i].text, &c, &place, &err) < 0, "%s",
			      cases[i].text);
		ck_assert_msg(strstr(err.text, cases[i].part) != NULL, "%s: %s", cases[i].text,
			      err.text);
		ck_assert_msg(place == cases[i].place, "%s: %zu", cases[i].text, place);
	}
}
END_TEST

/* What looks like a time in a quoted text is part of the text. */
START_TEST(lasts)
{
	static const struct {
		const char *text;
		uint64_t ns;
	} cases[] = {
		{ "disk.util > 90", 0 },
		{ "disk.util > 90 for 5s", 5 * NSEC_PER_SEC },
		{ "disk.util > 90 for 1.5 m", 90 * NSEC_PER_SEC },
		{ "disk.util > 90 for 5", 5 * NSEC_PER_SEC },
		{ "task.command = 'wait for 5s'", 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct condition *c = parse(cases[i].text);

		ck_assert_msg(condition_lasts(c) == cases[i].ns, "%s", cases[i].text);
		ck_assert_str_eq(condition_text(c), cases[i].text);
		condition_free(c);
	}
}
END_TEST

/* 20 s in which it is true in the seconds `from` to `to`, as 'x' where the sources are on. */
static void run_trigger(const char *text, uint64_t keep, unsigned from, unsigned to, char *on)
{
	struct trigger *t = trigger_new(parse(text), keep * NSEC_PER_SEC, NULL);

	machine();
	for (unsigned i = 0; i < 20; i++) {
		/* Nobody knows who waits, nor in the first interval in which it is known again. */
		scene.off = i >= from && i <= to ? 0 : SRC_WAITS | SRC_DELAYS;
		trigger_look(t, tick(i));
		ck_assert_uint_eq((trigger_needs(t) & EXPENSIVE) == EXPENSIVE,
				  trigger_on(t) != NULL);
		on[i] = trigger_on(t) ? 'x' : '-';
	}
	on[20] = '\0';
	trigger_free(t);
	machine_ends();
}

START_TEST(stays)
{
	char on[21];

	run_trigger("task.io > 80", 0, 5, 9, on);
	ck_assert_str_eq(on, "------xxxx----------");
	run_trigger("task.io > 80", 3, 5, 9, on);
	ck_assert_str_eq(on, "------xxxxxx--------");
	run_trigger("task.io > 80 for 3s", 0, 5, 9, on);
	ck_assert_str_eq(on, "--------xx----------");
	run_trigger("task.io > 80 for 6s", 0, 5, 9, on);
	ck_assert_str_eq(on, "--------------------");
	/* The first sample has nothing before it. */
	run_trigger("task.io > 80", 0, 0, 2, on);
	ck_assert_str_eq(on, "-xx-----------------");
}
END_TEST

/* What the command wrote into a file, once it has ended with this status. */
static void read_result(struct exec *e, const char *path, int want, struct buf *ret)
{
	int status = -1;

	while (!exec_ended(e, &status))
		poll(NULL, 0, 5);
	ck_assert_int_eq(WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), want);
	buf_reset(ret);
	ck_assert_int_ge(buf_read_file(ret, AT_FDCWD, path, 1 << 20), 0);
}

START_TEST(starts_command)
{
	struct buf command = { 0 }, input = { 0 }, result = { 0 };
	char folder[256], path[300];
	struct exec *e;
	struct err err;

	unit_mkdtemp(folder, sizeof(folder));
	snprintf(path, sizeof(path), "%s/result", folder);
	/* All that it has: its input, its descriptors, its capabilities, its session. */
	buf_printf(&command,
		   "{ cat; ls /proc/self/fd | wc -w; grep -E 'Cap(Inh|Prm|Eff|Amb)' "
		   "/proc/self/status | tr -d '0\\t\\n'; ps -o sid= -p $$; "
		   "echo; echo $#; } >%s; exit 7", path);
	ck_assert_int_eq(exec_start(command.data, true, &e, &err), 0);
	buf_puts(&input, "{\"$(reboot)\":1}\n");
	ck_assert_int_eq(exec_run(e, &input), 0);
	ck_assert_int_eq(exec_run(e, &input), -EBUSY);
	read_result(e, path, 7, &result);
	/* 0, 1, 2 and the folder that ls reads. */
	ck_assert_ptr_nonnull(strstr(result.data, "{\"$(reboot)\":1}\n4\n"));
	ck_assert_ptr_nonnull(strstr(result.data, "CapInh:CapPrm:CapEff:CapAmb:"));
	ck_assert_int_ne(getsid(0), atoi(strstr(result.data, "CapAmb:") + strlen("CapAmb:")));
	/* No arguments. */
	ck_assert_str_eq(result.data + result.len - 3, "\n0\n");
	/* Not so soon again. */
	ck_assert_int_eq(exec_run(e, &input), -EBUSY);
	exec_stop(e);
	buf_release(&command);
	buf_release(&input);
	buf_release(&result);
}
END_TEST

/* One that is ended, one that is not there: both are told. */
START_TEST(command_fails)
{
	static const struct {
		const char *command;
		int status;
	} cases[] = { { "kill -9 $$", -9 }, { "/nonexistent/command", 127 }, { "true", 0 } };
	struct buf input = { 0 };
	struct exec *e;
	struct err err;

	buf_puts(&input, "{}");
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		int status;

		ck_assert_int_eq(exec_start(cases[i].command, true, &e, &err), 0);
		ck_assert_int_eq(exec_run(e, &input), 0);
		while (!exec_ended(e, &status))
			poll(NULL, 0, 5);
		ck_assert_int_eq(WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status),
				 cases[i].status);
		exec_stop(e);
	}
	buf_release(&input);
}
END_TEST

/* A trigger's command gets the findings, and its end is told. */
START_TEST(told)
{
	struct buf command = { 0 }, notes = { 0 }, result = { 0 };
	struct trigger *t;
	char folder[256], path[300];
	struct exec *e;
	struct err err;

	unit_mkdtemp(folder, sizeof(folder));
	snprintf(path, sizeof(path), "%s/result", folder);
	buf_printf(&command, "cat >%s; exit 3", path);
	ck_assert_int_eq(exec_start(command.data, true, &e, &err), 0);
	t = trigger_new(parse("finding = disk-saturated and disk = sda"), 0, e);
	machine();
	scene.findings = true;
	for (unsigned i = 0; i < 5 || !strstr(notes.data, "ended"); i++) {
		poll(NULL, 0, i < 5 ? 0 : 5);
		trigger_look(t, tick(i));
		trigger_notes(t, &notes);
	}
	ck_assert_str_eq(notes.data,
			 "triggered by finding = disk-saturated and disk = sda, "
			 "disk-saturated, sda\n"
			 "the command of --exec ended with status 3\n");
	ck_assert_int_ge(buf_read_file(&result, AT_FDCWD, path, 1 << 20), 0);
	ck_assert_ptr_nonnull(strstr(result.data, "\"disk\":\"sda\",\"task\":null,\"skipped\":0"));
	ck_assert_ptr_nonnull(strstr(result.data, "\"findings\":[{\"name\":\""));
	ck_assert_ptr_nonnull(strstr(result.data, "\"totals\":{\"read\":"));
	trigger_free(t);
	machine_ends();
	buf_release(&command);
	buf_release(&notes);
	buf_release(&result);
}
END_TEST

UNIT_MAIN("trigger", meaning, matches, errors, lasts, stays, starts_command, command_fails, told)

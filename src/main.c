/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/i18n.h"
#include "base/macro.h"
#include "base/message.h"
#include "base/utf8.h"
#include "batch.h"
#include "collect/collect.h"
#include "collect/helper/helper.h"
#include "collect/privilege.h"
#include "collect/proc/proc.h"
#include "data/finding/finding.h"
#include "loop.h"
#include "options/command_line.h"
#include "options/config.h"
#include "options/config_file.h"
#include "options/help.h"
#include "options/places.h"
#include "options/view.h"
#include "out/list.h"
#include "out/out.h"
#include "recorder.h"
#include "serve.h"
#include "session_options.h"
#include "stop.h"
#include "tui/keys.h"
#include "tui/screen.h"

enum exit_status {
	EXIT_DONE = 0,
	EXIT_CANNOT = 1,	/* could not run */
	EXIT_USAGE = 2,
	EXIT_FOUND = 3,		/* --why: something is wrong */
};

/* Prints a failure to stderr, a line for each of `why`, escaped; the first after "iotop: ". */
static int fail(enum exit_status status, const char *why)
{
	const char *before = "iotop: ";

	do {
		size_t n = strcspn(why, "\n");
		struct buf line = { 0 };

		buf_putn(&line, why, n);
		message_tidy(&line, 0);
		fprintf(stderr, "%s%s\n", before, line.data ? line.data : "");
		buf_release(&line);
		before = "";
		why += why[n] ? n + 1 : n;
	} while (*why);
	return status;
}

/* Says what is wrong with the options, and releases it. */
static int refuse(struct buf *why)
{
	int status = fail(EXIT_USAGE, why->data);

	buf_release(why);
	return status;
}

/* Writes text to stdout and releases it. A full disk is an error, a closed pipe is not. */
static int print(struct buf *text)
{
	bool failed = text->len && fwrite(text->data, 1, text->len, stdout) != text->len;

	failed |= fflush(stdout) != 0;
	buf_release(text);
	if (failed && errno != EPIPE)
		return fail(EXIT_CANNOT, strerror(errno));
	return EXIT_DONE;
}

/*
 * Forks the helper processes. First of all: they inherit the memory and the descriptors that this
 * process has by now, and threads do not survive fork().
 */
static struct helper *start_helper(const struct options *o)
{
	struct helper *h = o->replay ? NULL : helper_start("/proc", o->fetched);

	helper_start_provider(h, "/sys");
	/* What was kept for them alone. */
	privilege_limit(options_privileges(o) & ~(unsigned)(PRIV_MAPPED | PRIV_LOG_PAGE));
	return h;
}

static int run_session(const struct options *o, const struct screen *screen,
		       struct options_view *view, struct trigger *trigger)
{
	struct helper *helper = start_helper(o);
	struct batch_options batch = { .view = view, .screen = screen, .options = o };
	struct err err = { "" }, closing = { "" };
	struct session_options so;
	struct session s;
	int r = stop_open(&err), closed;
	struct loop_options screen_options;
	bool found = false;

	options_session(&so, o, helper);
	so.trigger = trigger;
	options_loop(&screen_options, o, &so);
	if (r >= 0)
		r = session_open(&s, &so, &err);
	if (r >= 0) {
		r = o->batch ? batch_run(&s, &batch, &err) : loop_run(&s, &screen_options, &err);
		found = s.model && finding_is_wrong(s.model);
		closed = session_close(&s, &closing);
		if (r >= 0 && closed < 0) {
			r = closed;
			err = closing;
		}
	}
	helper_stop(helper);
	/* A reader that closed the pipe has seen enough: no failure. */
	if (r < 0 && r != -EPIPE)
		return fail(EXIT_CANNOT, err.text);
	return o->why > 0 && found ? EXIT_FOUND : EXIT_DONE;
}

static int run_service(const struct options *o)
{
	struct err err = { "" };
	struct buf why = { 0 };
	struct helper *helper;
	struct serve *s;
	int r;

	if (places_check(o, screens[0], &why) < 0)
		return refuse(&why);
	s = serve_new(o, &err);
	if (!s)
		return fail(EXIT_USAGE, err.text);
	helper = start_helper(o);
	r = serve_run(s, helper, &err);
	helper_stop(helper);
	serve_free(s);
	if (r < 0)
		return fail(r == -EINVAL ? EXIT_USAGE : EXIT_CANNOT, err.text);
	return EXIT_DONE;
}

static int run_keep(const struct options *o)
{
	struct trigger *trigger = NULL;
	struct err err = { "" };
	struct buf why = { 0 };
	struct helper *helper;
	int r;

	if (places_check(o, screens[0], &why) < 0 || options_trigger(o, &trigger, &why) < 0)
		return refuse(&why);
	helper = start_helper(o);
	r = recorder_run(o, helper, trigger, &err);
	helper_stop(helper);
	trigger_free(trigger);
	return r < 0 ? fail(EXIT_CANNOT, err.text) : EXIT_DONE;
}

static int run(const struct options *o)
{
	struct options_view view;
	const struct screen *screen;
	struct trigger *trigger = NULL;
	struct buf why = { 0 };
	int status;

	screen = options_screen(o->screen, &why);
	if (!screen || options_view(o, screen, &view, &why) < 0)
		return refuse(&why);
	if (places_check(o, screen, &why) < 0) {
		options_view_release(&view);
		return refuse(&why);
	}
	if (!o->batch && (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)))
		status = fail(EXIT_CANNOT, _("the screen needs a terminal; use -b for reports"));
	else if (options_trigger(o, &trigger, &why) < 0)
		status = refuse(&why);
	else
		status = run_session(o, screen, &view, trigger);
	trigger_free(trigger);
	options_view_release(&view);
	return status;
}

/* --probes with -n NUM: samples NUM intervals first, so that the fill of the maps is known. */
static int watch(struct collect_set *set, const struct options *o, struct err *err)
{
	struct sample *s = sample_new();
	int r = 0;

	for (uint64_t i = 0; i < o->iterations && r >= 0; i++) {
		uint64_t end = clock_mono() + (uint64_t)(o->delay * NSEC_PER_SEC), now;

		while ((now = clock_mono()) < end) {
			struct pollfd fds[8];
			size_t n = collect_pollfds(set, fds, ARRAY_SIZE(fds));
			uint64_t ms = DIV_ROUND_UP(end - now, NSEC_PER_SEC / 1000);

			if (poll(fds, n, (int)MIN(ms, INT_MAX)) > 0)
				collect_drain(set, fds, n);
		}
		sample_reset(s);
		r = collect_sample(set, s, err);
	}
	sample_free(s);
	return r;
}

static int show_probes(const struct options *o)
{
	struct err err = { "" };
	struct session_options so;
	struct buf text = { 0 };
	struct helper *helper = start_helper(o);
	struct collect_set *set;
	int r;

	options_session(&so, o, helper);
	set = collect_open(&so.collect);
	collect_enable(set, ~0u);
	r = watch(set, o, &err);
	if (r >= 0)
		collect_probes(set, &text, o->format == OUT_JSON);
	collect_close(set);
	helper_stop(helper);
	return r < 0 ? fail(EXIT_CANNOT, err.text) : print(&text);
}

static int write_config(const struct options *o)
{
	struct buf text = { 0 };
	struct err err = { "" };
	char *path = NULL;
	int r;

	options_write_config(o, &text);
	r = config_file_write(text.data ? text.data : "", &path, &err);
	buf_release(&text);
	free(path);
	return r < 0 ? fail(EXIT_CANNOT, err.text) : EXIT_DONE;
}

static void list_screens(struct buf *out)
{
	struct list_item items[16];
	size_t n = 0;

	for (unsigned i = 0; screens[i] && n < ARRAY_SIZE(items); i++)
		items[n++] = (struct list_item){ screens[i]->name, screens[i]->help };
	list_print(out, items, n, 0);
}

static int show_columns(const struct options *o)
{
	const struct screen *one = NULL;
	struct buf text = { 0 };

	if (o->list_screen) {
		one = options_screen(o->list_screen, &text);
		if (!one)
			return refuse(&text);
	}
	for (unsigned i = 0; screens[i]; i++) {
		if (one && one != screens[i])
			continue;
		if (!one)
			buf_printf(&text, "%s%s\n", i ? "\n" : "", screens[i]->name);
		list_columns(&text, entities[screens[i]->entity], one ? 0 : 2);
	}
	return print(&text);
}

static int act(const struct options *o)
{
	struct buf text = { 0 };

	privilege_limit(options_privileges(o));
	switch ((enum action)o->action) {
	case ACTION_HELP:
		options_help(&text);
		return print(&text);
	case ACTION_VERSION:
		buf_printf(&text, "%s\n", PACKAGE_STRING);
		return print(&text);
	case ACTION_LIST_SCREENS:
		list_screens(&text);
		return print(&text);
	case ACTION_LIST_COLUMNS:
		return show_columns(o);
	case ACTION_LIST_OPTIONS:
		places_list(&text);
		return print(&text);
	case ACTION_LIST_KEYS:
		keys_list(&text);
		return print(&text);
	case ACTION_PROBES:
		return show_probes(o);
	case ACTION_WRITE_CONFIG:
		return write_config(o);
	case ACTION_RUN:
		break;
	}
	/*
	 * Without a file there is nothing to read again: then it ends, as with its terminal. Before
	 * the file is read for the first time: whoever changes it then is heard, too.
	 */
	if (o->settings)
		stop_spare_hangup();
	switch ((enum command)o->command) {
	case COMMAND_SERVE:
		return run_service(o);
	case COMMAND_RECORD:
		return run_keep(o);
	case COMMAND_LIVE:
	case COMMAND_COUNT:
		break;
	}
	return run(o);
}

/*
 * malloc() maps larger blocks one by one, and unmaps them when they are freed: blocks that are
 * needed once (the kernel's BTF, 10,000 rows) do not stay with the process. All threads share one
 * arena.
 */
#define MMAP_THRESHOLD (256 << 10)

/* Whether only ASCII is drawn: asked for, or all that a screen can show. */
static bool is_ascii(const struct options *o)
{
	return o->ascii || (!o->batch && term_glyphs() == GLYPHS_ASCII);
}

/* Whether a text of the reader's language can be read without what ASCII does not have. */
static bool language_is_latin(void)
{
	const char *text = _("nothing to show yet");
	uint32_t point;

	while (*text) {
		text += utf8_next(text, &point);
		if (point >= 0x80 && utf8_ascii(point) == '?')
			return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	struct buf why = { 0 };
	struct options o;
	int status;

	fd_fill_standard();
	/* write() returns EPIPE and EFBIG instead. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	privilege_begin();
#ifdef M_ARENA_MAX	/* of the C library of GNU; others have one arena */
	mallopt(M_MMAP_THRESHOLD, MMAP_THRESHOLD);
	mallopt(M_ARENA_MAX, 1);
#endif
	setlocale(LC_ALL, "");
	bindtextdomain(PACKAGE, LOCALEDIR);
	textdomain(PACKAGE);
	proc_read_clocks();
	if (options_parse(&o, argc, argv, &why) < 0) {
		status = fail(EXIT_USAGE, why.data);
	} else {
		/* What programs read, also of errors, is the same in every locale. */
		if (o.format != OUT_TEXT && o.format != OUT_SVG)
			setlocale(LC_MESSAGES, "C");
		else if (is_ascii(&o) && !language_is_latin())
			setlocale(LC_MESSAGES, "C");
		i18n_begin();
		status = act(&o);
	}
	options_release(&o);
	buf_release(&why);
	return status;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "options/command_line.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "base/message.h"
#include "base/nearest.h"
#include "options/check.h"
#include "options/config.h"
#include "options/places.h"
#include "options/table.h"
#include "options/value.h"
#include "options/view.h"
#include "tui/screen.h"

#define SERVE_DELAY 5	/* seconds between samples of a service */
#define LONG_BASE 256	/* getopt's value of the long option with index 0 */

static int complain_unknown(struct buf *why, const char *word)
{
	size_t n = strcspn(word, "=");
	char name[64];
	struct nearest near = { .word = name };

	snprintf(name, sizeof(name), "%.*s", (int)n, word);
	for (unsigned i = 0; i < option_count; i++)
		if (option_available(&option_table[i]))
			nearest_offer(&near, option_table[i].name);
	if (near.best)
		buf_printf(why, _("unknown option --%s; did you mean --%s?"), name, near.best);
	else
		buf_printf(why, _("unknown option --%s; --help lists them"), name);
	return -EINVAL;
}

/* The message for what getopt_long() refused: found is what it returned. */
static int complain(struct buf *why, int found, const char *word)
{
	const struct option_info *info =
		optopt >= LONG_BASE ? &option_table[optopt - LONG_BASE] : NULL;

	for (unsigned i = 0; !info && optopt && i < option_count; i++)
		if (option_table[i].letter == optopt)
			info = &option_table[i];
	if (found == ':' && info)
		buf_printf(why, _("option --%s needs an argument: %s"), info->name, info->arg);
	else if (info)
		buf_printf(why, _("option --%s takes no argument"), info->name);
	else if (optopt)
		buf_printf(why, _("unknown option -%c; --help lists them"),
			   optopt > ' ' && optopt < 127 ? optopt : '?');
	else
		return complain_unknown(why, word + strspn(word, "-"));
	return -EINVAL;
}

static void getopt_tables(struct option *longs, char *shorts)
{
	*shorts++ = ':';
	for (unsigned i = 0; i < option_count; i++) {
		const struct option_info *info = &option_table[i];
		bool optional = info->kind == OPT_FLAG || (info->arg && info->arg[0] == '[');

		longs[i] = (struct option){
			.name = info->name,
			.has_arg = optional    ? optional_argument
				   : info->arg ? required_argument
					       : no_argument,
			.val = LONG_BASE + (int)i,
		};
		if (!info->letter)
			continue;
		*shorts++ = info->letter;
		if (info->arg)
			*shorts++ = ':';
	}
	*shorts = '\0';
}

static const struct option_info *info_of(int found)
{
	if (found >= LONG_BASE)
		return &option_table[found - LONG_BASE];
	for (unsigned i = 0; i < option_count; i++)
		if (option_table[i].letter == found)
			return &option_table[i];
	return NULL;
}

static void note_given(struct options *o, const struct option_info *info)
{
	size_t i = (size_t)(info - option_table);

	o->given[i / 64] |= 1ULL << i % 64;
}

/* "iotop [SECONDS [REPORTS]]", as biotop and vmstat take them. */
static int parse_positional(struct options *o, int argc, char *const argv[], struct buf *why)
{
	static const char *const names[] = { "delay", "iter" };

	for (int i = 0; i < argc; i++) {
		const struct option_info *info;

		if (i >= (int)ARRAY_SIZE(names)) {
			buf_printf(
				why,
				_("what is \"%s\"? Only an interval and a count can stand alone"),
				argv[i]);
			return -EINVAL;
		}
		info = option_find(names[i]);
		if (option_apply(o, info, argv[i], why) < 0)
			return -EINVAL;
		note_given(o, info);
	}
	return 0;
}

static int parse_arguments(struct options *o, int argc, char *const argv[], struct buf *why)
{
	struct option longs[128] = { { 0 } };
	char shorts[2 * 128 + 2];
	int found;

	getopt_tables(longs, shorts);
	opterr = 0;
	optind = 0;	/* glibc: forget an earlier run */
	while ((found = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		const struct option_info *info =
			found == '?' || found == ':' ? NULL : info_of(found);

		if (!info)
			return complain(why, found, argv[optind - 1]);
		if (!option_available(info)) {
			buf_printf(why, _("option --%s: there is no screen \"%s\""), info->name,
				   info->screens);
			return -EINVAL;
		}
		if (option_apply(o, info, optarg, why) < 0)
			return -EINVAL;
		note_given(o, info);
		o->batch |= info->reports;
	}
	return parse_positional(o, argc - optind, argv + optind, why);
}

/*
 * Columns, sort, filter and group of the configuration file belong to the screen it names. When the
 * command line chooses another screen they are dropped, unless the command line gave them too (then
 * the pointer differs).
 */
static void drop_other_screen(struct options *o, const struct options *file)
{
	struct buf why = { 0 };
	const struct screen *of_file = options_screen(file->screen, &why);

	if (o->screen && of_file && strcmp(o->screen, of_file->name)) {
		if (o->columns == file->columns)
			o->columns = NULL;
		if (o->sort == file->sort)
			o->sort = NULL;
		if (o->filter == file->filter)
			o->filter = NULL;
		if (o->group == file->group)
			o->group = -1;
	}
	buf_release(&why);
}

/* "iotop serve", "iotop record": the first argument, else what it says is an interval. */
static int parse_command(int argc, char *const argv[])
{
	for (int i = COMMAND_LIVE + 1; argc > 1 && i < COMMAND_COUNT; i++)
		if (!strcmp(argv[1], command_names[i]))
			return i;
	return COMMAND_LIVE;
}

/* What is saved is what the next start takes. One line of what is wrong, without the caret. */
static int check_saved(const struct options *o, struct buf *why)
{
	_cleanup_(buf_release) struct buf problem = { 0 };
	int r = options_check_config(o, &problem);

	if (r < 0)
		buf_putn(why, problem.data, strcspn(problem.data, "\n"));
	return r;
}

static int parse_all(struct options *o, int argc, char *const argv[], struct buf *why)
{
	int command = parse_command(argc, argv), r;

	if (command) {
		argc--;
		argv++;
		o->command = command;
		if (command == COMMAND_SERVE)
			o->delay = SERVE_DELAY;
	}
	r = parse_arguments(o, argc, argv, why);

	if (r < 0)
		return r;
	if (o->action == ACTION_WRITE_CONFIG && places_check_saved(o, why) < 0)
		return -EINVAL;
	/* Only the full-screen program has a file. The command line is read again, over it. */
	if (!o->batch && !command &&
	    (o->action == ACTION_RUN || o->action == ACTION_WRITE_CONFIG)) {
		struct options file;

		options_release(o);
		r = options_read_config_file(o, why);
		file = *o;
		if (!r)
			r = parse_arguments(o, argc, argv, why);
		if (!r)
			drop_other_screen(o, &file);
	}
	if (!r && o->action == ACTION_WRITE_CONFIG)
		r = check_saved(o, why);
	return r < 0 ? r : options_check(o, why);
}

int options_parse(struct options *o, int argc, char *const argv[], struct buf *why)
{
	size_t from = why->len;
	int r;

	options_init(o);
	r = parse_all(o, argc, argv, why);
	/* The message quotes arguments: escape control characters. */
	if (r < 0)
		message_tidy(why, from);
	return r;
}

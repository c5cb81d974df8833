// SPDX-License-Identifier: GPL-2.0-or-later
#include "options/config.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

#include "base/i18n.h"
#include "base/message.h"
#include "base/nearest.h"
#include "options/config_file.h"
#include "options/table.h"
#include "options/value.h"
#include "options/view.h"
#include "view/condition.h"

/* Whose file it is decides which options it may have. */
static bool of_screen(const struct option_info *info)
{
	return info->saved;
}

static bool of_record(const struct option_info *info)
{
	static const char *const names[] = { "delay", "retain", "max-size", "fine", "coarse" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(info->name, names[i]))
			return true;
	return false;
}

#define KEY_PREFIX "key."

/* "key.k=none" */
static int apply_key(struct options *o, const char *key, const char *action, struct buf *why)
{
	struct err err = { "" };
	int r;

	if (!action) {
		buf_printf(why, _("%s needs a value: %s=%s"), key, key, "ACTION");
		return -EINVAL;
	}
	r = key_map_add(&o->key_map, key, action, &err);
	if (r < 0)
		buf_puts(why, err.text);
	return r;
}

/* One line "name=value" or "name" of the configuration file; blanks around it are stripped. */
static int apply_line(struct options *o, char *line, bool (*allowed)(const struct option_info *),
		      struct buf *why)
{
	char *eq = strchr(line, '='), *value = eq ? eq + 1 : NULL;
	const struct option_info *info;

	if (eq) {
		do {
			*eq-- = '\0';
		} while (eq >= line && (*eq == ' ' || *eq == '\t'));
		value += strspn(value, " \t");
	}
	if (!strncmp(line, KEY_PREFIX, strlen(KEY_PREFIX)) && allowed == of_screen)
		return apply_key(o, line + strlen(KEY_PREFIX), value, why);
	info = option_find(line);
	if (!info || !allowed(info)) {
		struct nearest near = { .word = line };

		for (unsigned i = 0; i < option_count; i++)
			if (allowed(&option_table[i]))
				nearest_offer(&near, option_table[i].name);
		buf_printf(why,
			   info ? _("\"%s\" can only be given on the command line")
				: _("unknown option \"%s\""),
			   line);
		if (!info && near.best)
			buf_printf(why, _("; did you mean %s?"), near.best);
		return -EINVAL;
	}
	if (info->kind != OPT_FLAG && info->kind != OPT_SET && !value) {
		buf_printf(why, _("%s needs a value: %s=%s"), line, line, info->arg);
		return -EINVAL;
	}
	return option_apply(o, info, value, why);
}

/*
 * With privileges of the program's file (capabilities, set-user-ID) we may have read a file that
 * the user cannot read: messages must not quote it.
 */
static bool is_secret(void)
{
	return getauxval(AT_SECURE);
}

/* "name:line: problem", one line. line 0: the file as a whole. */
static void complain(struct buf *why, const char *name, unsigned line, const char *problem)
{
	size_t from = why->len;

	buf_puts(why, name);
	if (line)
		buf_printf(why, ":%u", line);
	buf_printf(why, ": %.*s", (int)MIN(strcspn(problem, "\n"), INT_MAX), problem);
	message_tidy(why, from);
}

static int read_lines(struct options *o, const char *text, const char *name,
		      bool (*allowed)(const struct option_info *), struct buf *why)
{
	unsigned number = 0;

	bool secret = is_secret();

	for (const char *p = text; *p; number++) {
		size_t n = strcspn(p, "\n"), end = n, start = strspn(p, " \t");
		struct buf problem = { 0 };
		int r = 0;

		while (end > start && strchr(" \t\r", p[end - 1]))
			end--;
		if (start < end && p[start] != '#')
			r = apply_line(o, arena_strndup(&o->strings, p + start, end - start),
				       allowed, &problem);
		if (r < 0)
			complain(why, name, number + 1,
				 secret ? _("not understood") : problem.data);
		buf_release(&problem);
		if (r < 0)
			return r;
		p += p[n] ? n + 1 : n;
	}
	return 0;
}

int options_read_config(struct options *o, const char *text, const char *name, struct buf *why)
{
	return read_lines(o, text, name, of_screen, why);
}

static int check_when(const struct options *o, struct buf *why)
{
	struct condition *c = NULL;
	int r = options_when(o, &c, why);

	condition_free(c);
	return r;
}

int options_check_config(const struct options *o, struct buf *why)
{
	const struct screen *screen = options_screen(o->screen, why);
	struct options_view v;
	int r = screen ? options_view(o, screen, &v, why) : -EINVAL;

	if (r >= 0)
		options_view_release(&v);
	if (r >= 0 && o->when && *o->when)
		r = check_when(o, why);
	return r;
}

/*
 * While the file can still be named in the message. Only the first line of the message: the caret
 * below a filter would point into the wrong line.
 */
static int check_view(const struct options *o, const char *path, bool secret, struct buf *why)
{
	struct buf problem = { 0 };
	int r = options_check_config(o, &problem);

	if (r < 0)
		complain(why, path, 0, secret ? _("not understood") : problem.data);
	buf_release(&problem);
	return r;
}

/* 0; -ENOENT: there is no file; -EINVAL: why says what is not understood. */
static int read_file(struct options *o, const char *path,
		     bool (*allowed)(const struct option_info *),
		     struct buf *why)
{
	const char *problem;
	struct buf text = { 0 };
	int r = config_file_read(path, &text, &problem);

	if (r == -EINVAL)
		complain(why, path, 0, problem);
	if (!r)
		r = read_lines(o, text.data ? text.data : "", path, allowed, why);
	buf_release(&text);
	return r;
}

int options_read_config_file(struct options *o, struct buf *why)
{
	_cleanup_(mem_freep) char *path = config_file_path();
	int r = path ? read_file(o, path, of_screen, why) : -ENOENT;

	if (!r)
		r = check_view(o, path, is_secret(), why);
	return r == -ENOENT ? 0 : r;
}

int options_read_settings(struct options *o, const char *path, struct buf *why)
{
	int r = read_file(o, path, of_record, why);

	return r == -ENOENT ? 0 : r;
}

void options_write_config(const struct options *o, struct buf *out)
{
	struct arena a;

	arena_init(&a);
	for (unsigned i = 0; i < option_count; i++) {
		const char *value =
			option_table[i].saved ? option_text(o, &option_table[i], &a) : NULL;

		if (!value)
			continue;
		buf_printf(out, "%s=", option_table[i].name);
		for (; *value; value++)
			buf_putc(out, *value == '\n' ? ' ' : *value);
		buf_putc(out, '\n');
	}
	arena_release(&a);
	key_map_write(&o->key_map, out);
}

/* Whether a line sets an option that may be saved and is not decided elsewhere. */
static bool is_carried(const char *line, size_t len, bool (*decided)(const char *name))
{
	char name[64];
	const struct option_info *info;
	const char *eq = memchr(line, '=', len);
	size_t n = eq ? (size_t)(eq - line) : len;

	while (n && strchr(" \t\r", line[n - 1]))
		n--;
	snprintf(name, sizeof(name), "%.*s", (int)MIN(n, sizeof(name)), line);
	info = option_find(name);
	return info && info->saved && !decided(name);
}

void options_carry_config(struct buf *out, const char *text, bool (*decided)(const char *name))
{
	for (const char *p = text; *p;) {
		const char *line = p + strspn(p, " \t");
		size_t n = strcspn(line, "\n");

		if (is_carried(line, n, decided)) {
			buf_putn(out, line, n);
			buf_putc(out, '\n');
		}
		p = line + n;
		p += *p == '\n';
	}
}

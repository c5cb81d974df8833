// SPDX-License-Identifier: GPL-2.0-or-later
/* The settings as the lines of the configuration file, and the file. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/i18n.h"
#include "base/units.h"
#include "tui/state.h"

static void flag(struct buf *out, const char *name, bool on)
{
	if (on)
		buf_printf(out, "%s\n", name);
}

void app_config(const struct app *app, struct buf *out)
{
	const struct tab *tab = app_tab(app);
	const struct view_spec *spec = &tab->spec;
	char number[32];

	double_format(number, sizeof(number), app->delay);
	buf_printf(out, "screen=%s\ndelay=%s\ncolumns=", tab->screen->name, number);
	for (unsigned i = 0; i < spec->ncolumns; i++)
		buf_printf(out, "%s%s", i ? "," : "", spec->columns[i]->key);
	buf_putc(out, '\n');
	if (spec->sort)
		buf_printf(out, "sort=%s:%s\n", spec->sort->key, spec->descending ? "desc" : "asc");
	buf_printf(out, "group=%s\n", group_names[spec->group]);
	if (tab->filter)
		buf_printf(out, "filter=%s\n", filter_text(tab->filter));
	if (app->attribute == ATTRIBUTE_SUBMITTER)
		buf_puts(out, "attribute=submitter\n");
	flag(out, "only", spec->only_active);
	flag(out, "hide-ended", spec->hide_ended);
	flag(out, "accumulated", spec->span == SPAN_SUM);
	flag(out, "average", spec->span == SPAN_MEAN);
	flag(out, "kilobytes", app->units.kilobytes);
	flag(out, "si", app->units.si);
	flag(out, "ascii", app->best_glyphs != GLYPHS_ASCII && app->glyphs == GLYPHS_ASCII);
}

/* The folder of the file, without a slash at its end; NULL: no home to be found. */
static char *config_folder(void)
{
	const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	struct buf path = { 0 };

	/* Relative paths are to be ignored, says the XDG base directory specification. */
	if (xdg && xdg[0] == '/')
		buf_printf(&path, "%s/%s", xdg, PACKAGE);
	else if (home && home[0] == '/')
		buf_printf(&path, "%s/.config/%s", home, PACKAGE);
	return path.data;
}

static int make_folders(char *path)
{
	for (char *slash = path + 1;; slash++) {
		slash = strchrnul(slash, '/');
		char saved = *slash;
		int r;

		*slash = 0;
		r = mkdir(path, 0700);
		*slash = saved;
		if (r && errno != EEXIST)
			return -errno;
		if (!saved)
			return 0;
	}
}

static int write_all(int fd, const char *text, size_t len)
{
	while (len) {
		ssize_t n = write(fd, text, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -EIO;
		text += n;
		len -= n;
	}
	return fsync(fd) ? -errno : 0;
}

/* Writes a temporary file and renames it: the file is never half written. */
static int replace_file(const char *path, const char *text)
{
	struct buf temporary = { 0 };
	int fd, r;

	buf_printf(&temporary, "%s.XXXXXX", path);
	fd = mkstemp(temporary.data);
	r = fd < 0 ? -errno : write_all(fd, text, strlen(text));
	if (fd >= 0) {
		close(fd);
		if (!r && rename(temporary.data, path))
			r = -errno;
		if (r)
			unlink(temporary.data);
	}
	buf_release(&temporary);
	return r;
}

int config_write(const char *text, char **ret_path, struct err *err)
{
	_cleanup_(mem_freep) char *folder = config_folder();
	struct buf path = { 0 };
	int r;

	if (!folder)
		return err_set(err, ENOENT,
			       _("settings not saved: neither XDG_CONFIG_HOME nor HOME is set"));
	buf_printf(&path, "%s/config", folder);
	r = make_folders(folder);
	if (!r)
		r = replace_file(path.data, text);
	if (r) {
		buf_release(&path);
		return err_set(err, -r, _("settings not saved in %s: %s"), folder, strerror(-r));
	}
	if (ret_path)
		*ret_path = path.data;
	else
		buf_release(&path);
	return 0;
}

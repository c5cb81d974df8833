// SPDX-License-Identifier: GPL-2.0-or-later
#include "shown_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/i18n.h"
#include "base/mem.h"
#include "data/disk/disk.h"
#include "out/out.h"
#include "out/svg.h"
#include "shown_picture.h"
#include "tui/screen.h"

static const struct {
	const char *end;
	enum out_format format;
} kinds[] = {
	{ ".txt", OUT_TEXT },
	{ ".csv", OUT_CSV },
	{ ".json", OUT_JSON },
	{ ".svg", OUT_SVG },
};

static bool format_of(const char *path, enum out_format *ret)
{
	size_t len = strlen(path);

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		size_t end = strlen(kinds[i].end);

		if (len > end && !strcmp(path + len - end, kinds[i].end)) {
			*ret = kinds[i].format;
			return true;
		}
	}
	return false;
}

/* "~/x" below the home, as a shell has it. */
static char *expand(const char *path)
{
	const char *home = getenv("HOME");
	struct buf out = { 0 };

	if (path[0] == '~' && path[1] == '/' && home)
		buf_printf(&out, "%s%s", home, path + 1);
	else
		buf_puts(&out, path);
	return out.data;
}

static void write_picture(struct app *app, struct canvas *c, FILE *f)
{
	app_draw(app, c);
	for (int y = 0; y < c->height; y++) {
		int width = c->width;

		while (width > 0 && !strcmp(canvas_cell(c, width - 1, y)->text, " "))
			width--;
		for (int x = 0; x < width; x++)
			fputs(canvas_cell(c, x, y)->text, f);
		fputc('\n', f);
	}
}

static int write_report(struct app *app, const struct canvas *c, enum out_format format, FILE *f)
{
	const struct view *v = app_view(app);
	struct out_options opt = {
		.format = format,
		.screen = app_screen_name(app),
		.units = c->units,
		.weight = entity_weight(v->spec->entity, WEIGHT_BYTES),
	};
	struct out *out;
	int r;

	if (!v->model)
		return -ENODATA;
	out = out_open(f, &opt);
	r = out_report(out, v);
	out_close(out);
	return r;
}

/* The disk of which a heat map can be drawn; NULL: none. */
static const struct disk_row *heat_of(struct app *app)
{
	const struct row *row = app_row_shown(app);
	const struct disk_row *disk = (const struct disk_row *)row;

	return row && row->entity == &entity_disk && disk->heat && disk->heat->n ? disk : NULL;
}

static void write_heat(struct app *app, const struct canvas *c, FILE *f)
{
	const struct model *m = app_view(app)->model;
	struct buf out = { 0 };

	svg_heat(&out, heat_of(app), app_detail_state(app)->mode, m->host, &c->units);
	fputs(out.data, f);
	buf_release(&out);
}

static void write_screen(struct app *app, struct canvas *c, FILE *f)
{
	struct buf out = { 0 };

	app_draw(app, c);
	shown_picture(&out, c);
	fputs(out.data, f);
	buf_release(&out);
}

int shown_file_write(struct app *app, struct canvas *c, const char *path, struct err *err)
{
	_cleanup_(mem_freep) char *name = expand(path);
	enum out_format format;
	FILE *f;
	int fd, r = 0;

	if (!format_of(name, &format))
		return err_set(err, EINVAL,
			       _("a file: its name ends in .txt, .csv, .json or .svg"));
	fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0644);
	if (fd < 0)
		return err_set(err, errno, "%s: %m", path);
	f = fdopen(fd, "w");
	if (!f) {
		close(fd);
		return err_set(err, ENOMEM, "%s: %m", path);
	}
	if (format == OUT_TEXT)
		write_picture(app, c, f);
	else if (format == OUT_SVG && heat_of(app))
		write_heat(app, c, f);
	else if (format == OUT_SVG && !app_view(app)->spec->entity->steps)
		write_screen(app, c, f);
	else
		r = write_report(app, c, format, f);
	if (!r && (ferror(f) || fflush(f)))
		r = -EIO;
	fclose(f);
	if (!r)
		return 0;
	unlink(name);
	return err_set(err, -r, "%s: %m", path);
}

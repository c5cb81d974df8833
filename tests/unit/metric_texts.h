/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Metrics of hand-written samples, and what a line of their text says. */
#include <stdlib.h>
#include <string.h>

#include "out/metrics/metrics.h"
#include "tasks.h"

#define SOURCES (SRC_TASKS | SRC_BLOCK | SRC_TASKIO | SRC_NAMES | SRC_DISKS | SRC_HIST)

static struct metrics *metrics;

static _unused_ void setup(void)
{
	samples_setup();
	metrics = metrics_new(0, SOURCES);
}

static _unused_ void teardown(void)
{
	metrics_free(metrics);
	samples_teardown();
}

static _unused_ void group(struct sample *s, uint64_t id, const char *path)
{
	*sample_add_row(s, CGROUP, struct sample_cgroup) =
		(struct sample_cgroup){ .id = id, .path = path };
}

/* A task of a control group, and what it wrote since the start. */
static _unused_ struct task_id writer(struct sample *s, uint32_t pid, uint64_t id, uint64_t bytes)
{
	struct sample_task *t = task(s, pid, pid, -50);

	t->cgroup = id;
	if (bytes)
		io(s, t->id, t->id, DISK_DEV, OP_WRITE, bytes);
	return t->id;
}

static _unused_ void step(struct sample *s)
{
	const struct model *m = engine_advance(engine, s, SOURCES);

	engine_late(engine, s);
	metrics_update(metrics, m);
}

static _unused_ char *text(enum metrics_format format)
{
	struct buf b = { 0 };

	metrics_write(metrics, format, &b);
	return b.data;
}

/* Of the only line that begins so; -1: there is none. */
static _unused_ double value(const char *series)
{
	char *all = text(METRICS_PROMETHEUS), *at = all;
	double ret = -1;

	while ((at = strstr(at, series))) {
		if ((at == all || at[-1] == '\n') && at[strlen(series)] == ' ') {
			ck_assert(ret == -1);
			ret = strtod(at + strlen(series), NULL);
		}
		at++;
	}
	free(all);
	return ret;
}

/* Over all lines that begin so. */
static _unused_ double sum_of(const char *family)
{
	char *all = text(METRICS_PROMETHEUS), *at = all;
	double ret = 0;

	while ((at = strstr(at, family))) {
		if (at == all || at[-1] == '\n')
			ret += strtod(strchr(at, ' '), NULL);
		at++;
	}
	free(all);
	return ret;
}

static _unused_ void expect(enum metrics_format format, const char *part)
{
	char *all = text(format);

	if (!strstr(all, part))
		ck_abort_msg("missing:\n%s\nin:\n%s", part, all);
	free(all);
}

static _unused_ void sda(struct sample *s, uint64_t sectors)
{
	struct sample_disk *d = sample_disk(s, DISK_DEV, "sda");

	d->flags = DISK_LOWEST;
	d->wr_sectors = sectors;
	d->wr_ios = sectors / 8;
	d->size = 1 << 20;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kernel.task_delayacct: off by default since 5.14; only tasks that start while it is on have
 * delays. Before, always on.
 */
#include "collect/delayacct.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/kept_file.h"
#include "collect/collect.h"
#include "collect/mark.h"
#include "collect/privilege.h"
#include "collect/proc/proc.h"

#define SWITCH "sys/kernel/task_delayacct"

struct delayacct {
	int proc;		/* O_PATH of /proc, or -errno */
	struct kept_file file;	/* the switch */
	const char *run;	/* where the mark is, NULL: there is none */
	int first;		/* what was there when we came, -errno: nothing to put back */
	bool changed;		/* by us */
	int to;			/* by which it was changed, and is put back, or -errno */
	int mark;		/* what holds the value from before any iotop changed it
				 * (collect/mark.h), or -errno */
	bool repaired;		/* an iotop that was killed had left it changed */
	int last;		/* as of the last sample */
	uint64_t on_since;	/* CLOCK_BOOTTIME ns when it was seen to go on, 0: was on at
				 * first */
};

/* What collect_abandon() puts back; -1: nothing. */
static atomic_int abandoned = -1;
static int abandoned_to = -1, abandoned_mark = -1;
static pid_t abandoned_by;	/* 0: nobody changed it yet */

int delayacct_get(struct delayacct *d)
{
	_cleanup_(buf_release) struct buf b = { 0 };
	int r = kept_file_read(&d->file, &b, d->proc, SWITCH, 16);

	if (r == -ENOENT) {
		r = buf_read_file(&b, d->proc, "cmdline", 0);
		return r == 0 && strstr(b.data, "nodelayacct") ? 0 : 2;
	}
	if (r < 0)
		return r;
	return b.len && b.data[0] == '1';
}

static int get(void *d)
{
	return delayacct_get(d);
}

uint64_t delayacct_since(const struct delayacct *d)
{
	return d->last > 0 ? d->on_since : UINT64_MAX;
}

static int switch_open(int proc)
{
	int fd = openat(proc, SWITCH, O_WRONLY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/*
 * Through a descriptor of switch_open(), or its error. Async-signal-safe, by any thread: the
 * privilege is raised in the one that calls.
 */
static int put(int fd, bool on)
{
	uint64_t before;
	int r = 0;

	if (fd < 0)
		return fd;
	before = privilege_raise(PRIV_SYSCTL);
	if (pwrite(fd, on ? "1\n" : "0\n", 2, 0) < 0)
		r = -errno;
	privilege_restore(before);
	return r;
}

/* Puts back what an iotop left behind that was killed. */
static void repair(struct delayacct *d)
{
	int before, fd = mark_find(d->run, &before), to;
	bool differs;

	if (fd < 0)
		return;
	/* Asked when nobody else can change it any more. */
	differs = before != delayacct_get(d);
	to = differs ? switch_open(d->proc) : -ENOENT;
	d->repaired = differs && !put(to, before);
	fd_close(to);
	mark_release(d->run, fd, !differs || d->repaired);
}

struct delayacct *delayacct_new(const struct collect_options *opt)
{
	struct delayacct *d = mem_alloc(sizeof(*d));

	*d = (struct delayacct){ .proc = proc_dir(opt->proc), .file = KEPT_FILE, .run = opt->run,
				 .to = -ENOENT, .mark = -ENOENT };
	if (d->run && !opt->secure)
		repair(d);
	d->first = d->last = delayacct_get(d);
	return d;
}

/* The last of those who changed it puts back what was there before the first. */
static void give_back(struct delayacct *d)
{
	int before = mark_alone(d->mark);
	bool alone = before >= 0;

	/* Somebody removed the mark: the others cannot know. */
	if (!alone && before != -EWOULDBLOCK)
		before = d->first;
	mark_release(d->run, d->mark,
		     (before == 0 || before == 1) && !put(d->to, before) && alone);
	d->mark = -ENOENT;
}

void delayacct_put_back(struct delayacct *d)
{
	atomic_store(&abandoned, -1);
	if (d->mark >= 0)
		give_back(d);
	else if (d->changed && (d->first == 0 || d->first == 1))
		put(d->to, d->first);
	fd_close(d->to);
	d->to = -ENOENT;
	d->changed = false;
}

/* The mark stays: the next start finds that nothing is to be put back, and removes it. */
void collect_abandon(void)
{
	int first = atomic_exchange(&abandoned, -1),
	    before = abandoned_mark >= 0 ? mark_alone(abandoned_mark) : first;

	if (first >= 0 && before >= 0)
		put(abandoned_to, before);
}

/* Not in a child, which did not change it. */
static void abandon_at_exit(void)
{
	if (getpid() == abandoned_by)
		collect_abandon();
}

bool delayacct_repaired(const struct delayacct *d)
{
	return d->repaired;
}

void delayacct_free(struct delayacct *d)
{
	if (!d)
		return;
	delayacct_put_back(d);
	kept_file_close(&d->file);
	fd_close(d->proc);
	free(d);
}

int delayacct_set(struct delayacct *d, bool on, struct err *err)
{
	int r = delayacct_get(d);

	if (r == 2)
		return err_set(err, ENOTSUP,
			_("this kernel has no switch kernel.task_delayacct: delay accounting is "
			  "always on"));
	if (d->mark < 0 && d->run && r >= 0)
		d->mark = mark_hold(d->run, get, d);
	/* Kept: what puts it back needs no descriptor any more, nor memory. */
	if (d->to < 0)
		d->to = switch_open(d->proc);
	r = put(d->to, on);
	if (r < 0 && d->mark >= 0 && !d->changed) {
		mark_release(d->run, d->mark, mark_alone(d->mark) >= 0);
		d->mark = -ENOENT;
	}
	if (r < 0)
		return err_set(err, -r, _("kernel.task_delayacct cannot be written: %s"),
			       strerror(-r));
	d->changed = true;
	if (!abandoned_by)
		atexit(abandon_at_exit);
	abandoned_by = getpid();
	abandoned_to = d->to;
	abandoned_mark = d->mark;
	atomic_store(&abandoned, d->first == 0 || d->first == 1 ? d->first : -1);
	if (on && d->last == 0)
		d->on_since = clock_boot();
	d->last = on;
	return 0;
}

static struct sample_source *source_row(struct sample *s)
{
	sample_each(s, SOURCE, struct sample_source, row) {
		if (row->source == SRC_DELAYS)
			return row;
	}
	return NULL;
}

/* Takes the delays away from tasks that started before this moment. */
static bool hide_before(struct sample *s, uint64_t boot)
{
	bool hidden = false;

	sample_each(s, TASK, struct sample_task, t) {
		if (t->id.start >= boot || !(t->have & SRC_DELAYS))
			continue;
		t->have &= ~(uint32_t)SRC_DELAYS;
		t->blkio_ns = t->swapin_ns = 0;
		hidden = true;
	}
	return hidden;
}

int delayacct_now(const struct delayacct *d)
{
	return d->last;
}

void delayacct_read(struct delayacct *d, uint64_t boot)
{
	int now = delayacct_get(d);

	if (now == 1 && d->last == 0)
		d->on_since = boot;
	if (now >= 0)
		d->last = now;
}

void delayacct_fill(struct delayacct *d, struct sample *s)
{
	struct sample_source *row = source_row(s);

	if (!row)
		return;
	if (d->last == 0) {
		hide_before(s, UINT64_MAX);
		row->state = SOURCE_OFF;
		row->reason = DELAYACCT_OFF;
	} else if (d->on_since && hide_before(s, d->on_since) && row->state == SOURCE_ON) {
		row->state = SOURCE_PART;
		row->reason = N_("tasks that started before kernel.task_delayacct was switched on "
				 "have no delays");
	}
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "keep.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"
#include "notify.h"
#include "options/config.h"
#include "options/view.h"
#include "record/store.h"
#include "session.h"
#include "session_options.h"
#include "tui/screen.h"

/* For names of stacks, at a time. */
#define STACKS_BUDGET (NSEC_PER_SEC / 5)

struct keep {
	const struct options *o;
	struct store *store;
	struct options_view tasks; /* those whose command lines are kept */
	struct view view;
	const struct session *session;
	bool told; /* that nothing could be written, the last time */
	/* Of the command line and over it of the file of --settings, as it was read last. */
	struct settings {
		double delay;
		struct store_options store;
	} now;
};

#define MERGED_FINE (10 * NSEC_PER_SEC)
#define MERGED_COARSE (60 * NSEC_PER_SEC)

static void show(void *arg, const struct model *m)
{
	struct keep *k = arg;

	view_build(&k->view, m, &k->tasks.spec);
}

static const struct view_spec *spec(void *arg)
{
	return &((struct keep *)arg)->tasks.spec;
}

static const struct row *row(void *arg, size_t i)
{
	const struct keep *k = arg;

	return options_recorded(k->o) & SRC_CMDLINE && i < k->view.n ? k->view.rows[i].row : NULL;
}

/* A full disk is no reason to end: it is said once, until there is room. */
static void keep(void *arg, const struct sample *s, const struct sample *late)
{
	struct keep *k = arg;
	struct err err = { "" };
	bool failed = store_write(k->store, s, late, session_mark(k->session), &err) < 0;

	if (failed && !k->told)
		fprintf(stderr, "iotop: %s\n", err.text);
	if (failed != k->told)
		notify(failed ? "STATUS=nothing is kept: the store cannot be written" : "STATUS=");
	k->told = failed;
}

struct session_viewer keep_viewer(struct keep *k, const struct session *s)
{
	k->session = s;
	return (struct session_viewer){
		.stacks_ns = STACKS_BUDGET,
		.show = show,
		.spec = spec,
		.row = row,
		.keep = keep,
		.arg = k,
	};
}

/* False, and nothing changes: the file has a line that is not understood, which is said. */
static bool read_settings(struct keep *k, struct buf *why)
{
	const struct options *given = k->o;
	struct options o;
	bool good;

	options_init(&o);
	o.delay = given->delay;
	o.retain = given->retain;
	o.max_size = given->max_size;
	o.fine = given->fine;
	o.coarse = given->coarse;
	good = !given->settings || options_read_settings(&o, given->settings, why) >= 0;
	if (good)
		k->now = (struct settings){
			.delay = o.delay,
			.store = {
				.path = given->store ? given->store : STORE_FOLDER,
				.retain_ns = o.retain, .max_bytes = o.max_size,
				.stages = { { o.fine, MERGED_FINE }, { o.coarse, MERGED_COARSE } },
			},
		};
	options_release(&o);
	return good;
}

void keep_reload(struct keep *k)
{
	struct buf why = { 0 };

	notify("RELOADING=1");
	if (read_settings(k, &why))
		store_set_options(k->store, &k->now.store);
	else
		fprintf(stderr, "iotop: %s\n", why.data);
	buf_release(&why);
	notify("READY=1");
}

double keep_delay(const struct keep *k)
{
	return k->now.delay;
}

struct keep *keep_new(const struct options *o, struct err *err)
{
	struct keep *k = mem_zalloc(sizeof(*k));
	struct buf why = { 0 };

	k->o = o;
	/* The usual columns of the first screen are those of tasks. */
	if (!read_settings(k, &why) || options_view(o, screens[0], &k->tasks, &why) < 0) {
		err_set(err, EINVAL, "%s", why.data);
		buf_release(&why);
		free(k);
		return NULL;
	}
	k->tasks.spec.only_active = true;
	view_init(&k->view);
	return k;
}

void keep_free(struct keep *k)
{
	if (!k)
		return;
	if (k->store)
		store_close(k->store);
	view_release(&k->view);
	options_view_release(&k->tasks);
	free(k);
}

int keep_open(struct keep *k, struct err *err)
{
	return store_open(&k->now.store, &k->store, err);
}

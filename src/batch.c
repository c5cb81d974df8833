/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "batch.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "base/message.h"
#include "data/loss.h"
#include "events.h"
#include "notes.h"
#include "out/out.h"
#include "session_options.h"
#include "stop.h"
#include "tui/screen.h"

/* The guard hears so often (ns) that names of stacks are being looked up. */
#define STACKS_BUDGET (NSEC_PER_SEC / 5)

struct batch {
	struct session *session;
	const struct batch_options *opt;
	struct events events;
	struct view view;
	struct view_spec spec;	/* of view */
	struct out *out;
	unsigned wanted;
	bool told;	/* that rows are missing from reports */
	struct buf empty;	/* why the report before was empty; no text: it was not */
};

static int write_failed(int r, struct err *err)
{
	return r == -EPIPE ? r : err_set(err, -r, _("cannot write the report: %s"), strerror(-r));
}

/* The last report may take its time over names, as long as it gets on. */
static void yield(_unused_ void *arg)
{
	stop_progress();
}

static void show(void *arg, const struct model *m)
{
	struct batch *b = arg;

	view_build(&b->view, m, &b->spec);
}

static const struct view_spec *spec(void *arg)
{
	return &((struct batch *)arg)->spec;
}

static const struct row *row(void *arg, size_t i)
{
	const struct batch *b = arg;

	return b->wanted & SRC_CMDLINE && i < b->view.n ? b->view.rows[i].row : NULL;
}

/* Beside the reports, and once: what reads these is not disturbed. */
static void tell_unread(struct batch *b)
{
	size_t n = b->view.budget.unread;

	if (!n || b->told)
		return;
	b->told = true;
	fprintf(stderr, "iotop: ");
	fprintf(stderr,
		ngettext("the filter is too slow: %zu row not looked at",
			 "the filter is too slow: %zu rows not looked at", n), n);
	fputc('\n', stderr);
}

/* Adds why there is no row. */
static void explain_empty(const struct batch *b, struct buf *out)
{
	const struct view_spec *spec = b->view.spec;
	const struct model *m = b->view.model;
	unsigned off = spec->entity->needs & ~m->have;

	for (unsigned i = 0; i < SRC_COUNT; i++)
		if (off & 1u << i) {
			buf_printf(out, _("no rows: %s is off: %s"), source_name(1u << i),
				   m->sources[i].reason ? m->sources[i].reason : "?");
			if (model_unrecorded(m) & 1u << i && b->opt->options->store)
				buf_puts(out, _("; iotop record --record-sources=all keeps it"));
			else if (model_unrecorded(m) & 1u << i)
				buf_printf(out, _("; iotop --record=FILE --screen=%s records it"),
					   b->opt->screen->name);
			return;
		}
	if (b->view.total && spec->filter)
		buf_puts(out, _("no rows: nothing matches the filter"));
	else if (spec->selection || m->selection || b->opt->options->disk || b->opt->options->fs)
		buf_puts(out, _("no rows: nothing that is selected was active"));
	else
		buf_puts(out, _("no rows: nothing was active"));
}

/* Why a report is empty is told once, until there is another reason or a row. */
static void tell_empty(struct batch *b)
{
	struct buf why = { 0 };

	/* The page of findings and histograms say it by themselves. */
	if (b->opt->view->page || b->opt->options->format == OUT_HIST)
		return;
	/* Rows that were not looked at are told of already. */
	if (!b->view.n && !b->view.budget.unread)
		explain_empty(b, &why);
	message_tidy(&why, 0);
	if (why.len && (!b->empty.len || strcmp(why.data, b->empty.data)))
		fprintf(stderr, "iotop: %s\n", why.data);
	buf_release(&b->empty);
	b->empty = why;
}

/* At the end, for whoever reads a report that has no place for it. */
static void tell_losses(const struct batch *b)
{
	const struct model *m = b->session->model;
	bool any = false;

	for (size_t i = 0; m && b->opt->options->format != OUT_JSON && i < m->nlosses; i++) {
		const struct model_loss *l = &m->losses[i];

		if (!l->total)
			continue;
		if (!any)
			fprintf(stderr, "iotop: %s", _("lost: "));
		fprintf(stderr, "%s%" PRIu64 " %s (%s)", any ? ", " : "", l->total,
			_(loss_find(l->name)->effect), l->name);
		any = true;
	}
	if (any)
		fputc('\n', stderr);
}

/* More may have happened than what is there. */
static void tell_cut(const struct batch *b)
{
	if (b->session->replay && replay_is_cut(b->session->replay))
		fprintf(stderr, "iotop: %s\n",
			_("end of the recording, which was not closed: its recorder was killed, or "
			  "still writes"));
}

/* 1: written; 0: a stop request came while nobody read it; -errno. */
static int report(struct batch *b, struct err *err)
{
	int r;

	tell_unread(b);
	tell_empty(b);
	stop_interrupts(true);
	r = out_report(b->out, &b->view);
	stop_interrupts(false);
	if (r == -EINTR && stop_requested()) {
		/* Else exit() writes it, and waits again. */
		__fpurge(stdout);
		return 0;
	}
	return r < 0 ? write_failed(r, err) : 1;
}

/* What of a store was left out, what a trigger did. */
static void tell_notes(struct batch *b)
{
	struct buf notes = { 0 };

	session_notes(b->session, &notes);
	notes_print(&notes);
	buf_release(&notes);
}

/*
 * 1: go on; 0: the recording is at its end, or nobody reads what we write and we are to stop;
 * -errno.
 */
static int tick(struct batch *b, bool shown, struct err *err)
{
	const struct session_viewer viewer = {
		.stacks_ns = STACKS_BUDGET, .all_stacks = true, .show = shown ? show : NULL,
		.spec = spec, .row = row, .yield = yield, .arg = b,
	};
	int r;

	/* The guard waits for the last report as long as it gets on, on a slow machine too. */
	stop_progress();
	r = session_step(b->session, b->wanted, &viewer, err);
	stop_progress();
	tell_notes(b);
	/* The first sample after a gap has nothing that it is compared with. */
	return r > 0 && shown && !b->session->model->gap ? report(b, err) : r;
}

/* Waits for the next tick, or only looks for signals in a replay. False: told to stop. */
static bool wait_tick(struct batch *b)
{
	unsigned events = 0;

	if (b->session->replay)
		return !(events_wait(&b->events, NULL, false, 0) & EVENT_STOP);
	while (!(events & (EVENT_TICK | EVENT_STOP)))
		events = events_wait(&b->events, b->session->set, false, -1);
	return !(events & EVENT_STOP);
}

static int run(struct batch *b, struct err *err)
{
	const struct options *o = b->opt->options;
	/* A picture is one, and so is a profile; a summary is one of as many intervals. */
	bool single = !o->summary && (o->format == OUT_SVG || o->format == OUT_PPROF);
	uint64_t left = single ? 1 : o->iterations;
	bool once = options_told_once(o);
	int r = tick(b, false, err);

	events_timer(&b->events, o->delay, o->delay);
	while (r > 0) {
		if (!wait_tick(b))
			/* The interval that was begun is reported as far as it got. */
			return b->session->replay ? 0 : tick(b, true, err);
		r = tick(b, !once || left == 1, err);
		/* A gap is no report. */
		if (r > 0 && left && !b->session->model->gap && !--left)
			break;
	}
	if (!r && !stop_requested())
		tell_cut(b);
	/* Where a recording ends is known when it is there. */
	if (!r && once && b->session->replay && b->session->model->elapsed > 0) {
		session_compare(b->session);
		show(b, b->session->model);
		r = report(b, err);
	}
	return r;
}

/* Sizes alone: by what latency is by default; flags and tasks alone: by the operation, too. */
static unsigned hist_by(unsigned by)
{
	if (by == 1u << OUT_HIST_SIZE)
		return by | 1u << OUT_HIST_DISK | 1u << OUT_HIST_OP;
	return by & OUT_HIST_OF_EVENTS ? by | 1u << OUT_HIST_OP : by;
}

int batch_run(struct session *s, const struct batch_options *opt, struct err *err)
{
	const struct options *o = opt->options;
	struct out_options out = {
		.format = (enum out_format)o->format, .screen = opt->screen->name,
		.classic = opt->view->classic, .page = opt->view->page, .log = opt->screen->log,
		.time = o->time,
		.quiet = o->quiet,
		.units = { .si = o->si, .kilobytes = o->kilobytes, .ascii = o->ascii,
		.milliseconds = o->milliseconds },
		.weight = entity_weight(opt->view->spec.entity, (enum weight)o->by),
		.delimited = o->delimited,
		.hist_by = hist_by(o->hist_by),
	};
	struct batch b = {
		.session = s, .opt = opt, .spec = opt->view->spec,
		.wanted = view_needs(&opt->view->spec) |
			  screen_grouped(opt->screen, opt->view->spec.group)->needs |
			  /* Its labels say which control group a task is in. */
			  (o->format == OUT_PPROF ? SRC_TASKS | SRC_NAMES : 0u),
	};
	int r = events_open(&b.events, err);

	if (r < 0)
		return r;
	if (o->format == OUT_HIST && o->hist_by & OUT_HIST_OF_EVENTS)
		b.wanted |= SRC_EVENTS;
	/* What one sample of all of it would have said. */
	if (s->group_ns && !s->group_sums)
		b.spec.span = SPAN_MEAN;
	out.whole = options_told_once(o) || (s->group_ns && !s->group_sums);
	view_init(&b.view);
	b.out = out_open(stdout, &out);
	r = run(&b, err);
	out_close(b.out);
	tell_losses(&b);
	buf_release(&b.empty);
	view_release(&b.view);
	events_close(&b.events);
	return r < 0 ? r : 0;
}

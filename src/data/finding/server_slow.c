/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file system's server answers, but takes its time, and somebody waits for it meanwhile. */
#include "base/clock.h"
#include "base/i18n.h"
#include "data/finding/look.h"
#include "data/finding/standing.h"
#include "data/finding/state.h"
#include "data/mount/mount.h"

#define SLOW_NS (NSEC_PER_SEC / 5)	/* of an average call */

/*
 * Of an interval in which no call ended: for how long the server has not answered, where it is slow
 * already, else what those before took: one that does not answer at all is not slow.
 */
static double latency_of(const struct finding_look *l, const struct mount_row *r)
{
	const struct mount_counters *now = (const struct mount_counters *)r->row.now,
				    *sum = (const struct mount_counters *)r->row.sum;

	if (now->calls)
		return (double)now->ns / (double)now->calls;
	if (!r->waiting || !sum->calls || r->silent_ns == UINT64_MAX)
		return 0;
	return standing_shown(&l->state->standings, l->kind, r->dev)
		       ? (double)r->silent_ns
		       : (double)sum->ns / (double)sum->calls;
}

static void look(struct finding_look *l)
{
	double seconds = model_watched(l->m, SRC_MOUNTS, false);
	const struct mount_row *r;

	row_each(r, &l->m->rows[ENTITY_MOUNT]) {
		const struct mount_counters *now = (const struct mount_counters *)r->row.now;
		const struct waiter *w;
		double share = (double)now->ns / seconds / (NSEC_PER_SEC / 100);
		struct finding_row *f;

		/* One that answers nothing is server-silent. */
		if (!(r->have & MOUNT_CALLS) || mount_is_silent(r) ||
		    !look_over(l, r->dev, latency_of(l, r), (double)SLOW_NS) ||
		    (now->calls && !look_over(l, r->dev, share, l->share)))
			continue;
		f = look_found(l, r->dev);
		f->who = r->server ? r->server : r->source;
		f->share = now->calls ? MIN(share, 100) : 100;
		f->filter = look_server_filter(l, r->fs);
		look_text(f, "fs", r->fs);
		look_text(f, "mount", r->mount);
		look_number(f, "latency", UNIT_NS, latency_of(l, r));
		look_rate(f, "calls", UNIT_COUNT, (double)now->calls / seconds);
		w = look_server_victim(l, f, r->dev);
		if (w)
			look_number(f, "wait", UNIT_PERCENT, w->share);
	}
}

const struct finding_kind finding_server_slow = {
	.name = "server-slow",
	.title = N_("a server is slow"),
	.sentence = N_("{who} takes {latency} for a call of {fs} at {mount}: whoever reads or "
		       "writes there waits"),
	.beside = N_("{who} takes {latency} for a call of {fs} at {mount}: {victim} waits {wait} "
		     "of its time"),
	.help = N_("The time goes by in the server of the file system, not at a disk of this "
		   "machine."),
	.severity = SEVERITY_WARNING,
	.needs = SRC_MOUNTS,
	.screen = "offcpu",
	.all_waits = true,
	.look = look,
};

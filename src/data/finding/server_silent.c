/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file system's server does not answer. */
#include "base/clock.h"
#include "base/i18n.h"
#include "data/finding/look.h"
#include "data/mount/mount.h"

static void look(struct finding_look *l)
{
	const struct mount_row *r;

	row_each(r, &l->m->rows[ENTITY_MOUNT]) {
		struct finding_row *f;

		if (!mount_is_silent(r))
			continue;
		f = look_found(l, r->dev);
		f->who = r->server ? r->server : r->source;
		f->age_ns = r->silent_ns;
		/* Calls that waited in the first sample may have waited before it. */
		f->since_before = (double)r->silent_ns / NSEC_PER_SEC >=
				  l->m->elapsed - l->m->interval / 2;
		f->filter = look_server_filter(l, r->fs);
		look_text(f, "fs", r->fs);
		look_text(f, "mount", r->mount);
		look_number(f, "silent", UNIT_NS, (double)r->silent_ns);
		look_number(f, "waiting", UNIT_COUNT, (double)r->waiting);
		look_server_victim(l, f, r->dev);
	}
}

const struct finding_kind finding_server_silent = {
	.name = "server-silent",
	.title = N_("a server does not answer"),
	.sentence = N_("{who} has not answered for {silent} at {mount} ({fs}), calls that wait: "
		       "{waiting}"),
	.beside = N_("{who} has not answered for {silent} at {mount} ({fs}), calls that wait: "
		     "{waiting}, of {victim} longest"),
	.help = N_("Whoever uses the file system waits for a server that does not answer."),
	.severity = SEVERITY_WRONG,
	.needs = SRC_MOUNTS,
	.screen = "offcpu",
	.all_waits = true,
	.look = look,
};

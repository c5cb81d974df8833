/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fsync() waits for the file system's journal, which waits for what others write. */
#include "base/clock.h"
#include "base/i18n.h"
#include "data/finding/look.h"
#include "data/layer/layer.h"

#define TIME 10		/* percent of the interval that is spent in fsync(), at least */
#define JOURNAL 50	/* percent of it in the journal */

static const struct layer_row *find_step(const struct finding_look *l, const struct layer_row *call,
					 uint32_t op)
{
	return layer_find(l->m, call, LAYER_FS, op);
}

static void look_call(struct finding_look *l, const struct layer_row *call)
{
	const struct layer_row *own = find_step(l, call, LAYER_JOURNAL),
			       *joined = find_step(l, call, LAYER_JOINED);
	double ns = (double)call->now->time_ns,
	       journal = (double)((own ? own->now->time_ns : 0) +
				  (joined ? joined->now->time_ns : 0)),
	       seconds = model_watched(l->m, SRC_LAYERS, false),
	       time = ns / seconds / (NSEC_PER_SEC / 100);
	struct disk_user users[LOOK_USERS];
	struct finding_row *f;
	uint64_t subject = call->row.key;
	size_t n;

	if (!look_over(l, subject, time, TIME) ||
	    !look_over(l, subject, 100 * journal / ns, JOURNAL))
		return;
	n = look_users(l, call->whole, users);
	f = look_found(l, subject);
	f->who = n ? users[0].name : NULL;
	f->victim = call->tasks[0].n ? call->tasks[0].items[0].name : NULL;
	f->share = MIN(100 * journal / ns, 100);
	f->filter = look_filter(l, "fs", call->fs);
	look_text(f, "fs", call->fs);
	look_text(f, "disk", call->disk ? call->disk : "?");
	look_number(f, "journal", UNIT_PERCENT, f->share);
	look_rate(f, "fsync", UNIT_NS, ns / seconds);
	look_number(f, "longest", UNIT_NS, (double)call->now->max_ns);
	look_number(f, "load", UNIT_PERCENT, n ? users[0].share : 0);
}

static void look(struct finding_look *l)
{
	const struct row_list *rows = &l->m->rows[ENTITY_LAYER];

	for (size_t i = 0; i < rows->n; i++) {
		const struct layer_row *r = (const struct layer_row *)rows->rows[i];

		if (r->layer_id == LAYER_SYSCALL && r->op_id == LAYER_FSYNC && r->fs)
			look_call(l, r);
	}
}

const struct finding_kind finding_fsync_journal = {
	.name = "fsync-journal",
	.title = N_("fsync waits for the journal"),
	.sentence = N_("fsync of {victim} on {fs} at {disk} waits {journal} for the journal "
		       "(longest {longest}); {load} of the disk's load is {who}"),
	.help = N_("fsync() returns when the journal has written what others changed, too."),
	.severity = SEVERITY_WARNING,
	.needs = SRC_LAYERS | SRC_CALLERS | SRC_DISKS | SRC_BLOCK | SRC_TASKS,
	.screen = "layers",
	.look = look,
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fsync() waits for the file system's journal, which waits for what others write. */
#include <string.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "data/finding/look.h"

#define TIME 10		/* percent of the interval that the victim is in fsync(), at least */
#define JOURNAL 50	/* percent of that in the journal */
#define CULPRIT 60	/* percent of the disk's load, but for the journal's */

static double time_of(const struct layer_row *r, const char *process)
{
	for (size_t i = 0; r && i < r->tasks[0].n; i++)
		if (!strcmp(r->tasks[0].items[i].name, process))
			return (double)r->tasks[0].items[i].counters.time_ns;
	return 0;
}

/* What the journal itself writes is for whoever waits for it. */
static bool find_culprit(struct finding_look *l, uint64_t subject, uint32_t dev,
			 struct look_user *who)
{
	struct look_user *users;
	size_t n = look_users(l, dev, 0, &users), kept = 0;
	double all = 0;

	for (size_t i = 0; i < n; i++)
		if (users[i].count) {
			all += users[i].weight;
			users[kept++] = users[i];
		}
	if (!look_culprit(l, subject, users, kept, who) || !(all > 0))
		return false;
	who->share = 100 * who->weight / all;
	return true;
}

static void look_call(struct finding_look *l, const struct layer_row *call)
{
	const struct layer_row *own = layer_find(l->m, call, LAYER_FS, LAYER_JOURNAL),
			       *joined = layer_find(l->m, call, LAYER_FS, LAYER_JOINED);
	double seconds = model_watched(l->m, SRC_LAYERS, false), ns, journal;
	const struct layer_share *victim;
	uint64_t subject = call->row.key;
	struct finding_row *f;
	struct look_user who;

	if (!find_culprit(l, subject, call->whole, &who) ||
	    !look_over(l, subject, who.share, CULPRIT))
		return;
	victim = look_share(l, subject, call, &who);
	if (!victim)
		return;
	ns = (double)victim->counters.time_ns;
	journal = time_of(own, victim->name) + time_of(joined, victim->name);
	if (!look_over(l, subject, ns / seconds / (NSEC_PER_SEC / 100), TIME) ||
	    !look_over(l, subject, 100 * journal / ns, JOURNAL))
		return;
	f = look_found(l, subject);
	f->who = who.name;
	f->victim = victim->name;
	f->share = MIN(journal / seconds / (NSEC_PER_SEC / 100), 100);
	f->filter = look_fsync_filter(l, call);
	look_text(f, "fs", call->fs);
	look_text(f, "disk", call->disk);
	look_number(f, "load", UNIT_PERCENT, who.share);
	look_number(f, "journal", UNIT_PERCENT, MIN(100 * journal / ns, 100));
	look_rate(f, "fsync", UNIT_NS, ns / seconds);
	look_number(f, "longest", UNIT_NS, (double)victim->counters.max_ns);
}

static void look(struct finding_look *l)
{
	look_each_fsync(l, look_call);
}

const struct finding_kind finding_fsync_journal = {
	.name = "fsync-journal",
	.title = N_("fsync waits for the journal"),
	.sentence = N_("fsync of {victim} waits for the journal behind {who}, {load} of the load "
		       "of {disk}: {journal} of its time (longest {longest}, {fs})"),
	.help = N_("fsync() returns when the journal has written what others changed, too."),
	.severity = SEVERITY_WARNING,
	.needs = SRC_LAYERS | SRC_CALLERS | SRC_DISKS | SRC_BLOCK | SRC_TASKS,
	.screen = "layers",
	.look = look,
};

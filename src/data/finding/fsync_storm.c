/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A process does little else than fsync() a few bytes, again and again. */
#include <string.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "data/finding/look.h"

#define SHARE 70	/* percent of the time of a thread */
#define SIZE (16 << 10)	/* bytes that one takes along, on average */
#define RATE 10		/* a second: an average of fewer says nothing */

static double written_by(struct finding_look *l, uint32_t dev, const char *process)
{
	struct look_user *users;
	size_t n = look_users(l, dev, 1u << OP_WRITE, &users);

	for (size_t i = 0; i < n; i++)
		if (!strcmp(users[i].name, process))
			return (double)users[i].bytes;
	return 0;
}

static void look_call(struct finding_look *l, const struct layer_row *call)
{
	uint64_t subject = call->row.key;
	const struct layer_share *victim = look_share(l, subject, call, NULL);
	double seconds = model_watched(l->m, SRC_LAYERS, false), share, rate, size;
	struct finding_row *f;

	if (!victim || !victim->counters.count)
		return;
	share = (double)victim->counters.time_ns / seconds / (NSEC_PER_SEC / 100);
	rate = (double)victim->counters.count / seconds;
	if (!look_over(l, subject, share, SHARE) || !look_over(l, subject, rate, RATE))
		return;
	size = written_by(l, call->whole, victim->name) / l->m->interval / rate;
	if (size > SIZE)
		return;
	f = look_found(l, subject);
	f->who = f->victim = victim->name;
	f->share = MIN(share, 100);
	f->filter = look_fsync_filter(l, call);
	look_text(f, "fs", call->fs);
	look_text(f, "disk", call->disk);
	look_number(f, "fsync", UNIT_PERCENT, f->share);
	look_rate(f, "calls", UNIT_COUNT, rate);
	look_number(f, "size", UNIT_BYTES, size);
	look_number(f, "average", UNIT_NS,
		    (double)victim->counters.lat_ns / (double)victim->counters.count);
	look_beside(l, f, subject, call->whole);
}

static void look(struct finding_look *l)
{
	look_each_fsync(l, look_call);
}

static const struct finding_kind *const told_by[] = { &finding_fsync_journal,
						      &finding_disk_saturated, NULL };

const struct finding_kind finding_fsync_storm = {
	.name = "fsync-storm",
	.title = N_("many small fsyncs"),
	.sentence = N_("{who} is {fsync} of its time in fsync, {calls} of {size} each: {average} "
		       "each on {disk} ({fs})"),
	.beside = N_("{victim} is {fsync} of its time in fsync beside {who}, who makes {load} of "
		     "the load of {disk}: {calls} of {size} each, {average} each ({fs})"),
	.help = N_("A few KiB and then fsync(), again and again: the disk's latency is the limit, "
		   "not its speed."),
	.severity = SEVERITY_WARNING,
	.needs = SRC_LAYERS | SRC_CALLERS | SRC_DISKS | SRC_BLOCK | SRC_TASKS,
	.screen = "layers",
	.told_by = told_by,
	.look = look,
};

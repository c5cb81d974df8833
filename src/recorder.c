// SPDX-License-Identifier: GPL-2.0-or-later
#include "recorder.h"

#include <errno.h>

#include "keep.h"
#include "notes.h"
#include "service.h"
#include "session.h"
#include "session_options.h"
#include "trigger.h"

struct run {
	const struct options *o;
	struct keep *keep;
	struct trigger *trigger; /* NULL: none */
};

static int tick(void *arg, struct session *session, struct err *err)
{
	const struct run *k = arg;
	const struct session_viewer viewer = keep_viewer(k->keep, session);
	struct buf notes = { 0 };
	int r = session_step(session, options_recorded(k->o), &viewer, err);

	if (k->trigger)
		trigger_notes(k->trigger, &notes);
	notes_print(&notes);
	buf_release(&notes);
	return r;
}

int recorder_run(const struct options *o, struct helper *helper, struct trigger *trigger,
	     struct err *err)
{
	struct run k = { .o = o, .trigger = trigger, .keep = keep_new(o, err) };
	const struct service service = { o, k.keep, trigger, tick, &k };
	int r = k.keep ? keep_open(k.keep, err) : -EINVAL;

	if (r >= 0)
		r = service_run(&service, helper, err);
	keep_free(k.keep);
	return r < 0 ? r : 0;
}

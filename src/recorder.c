// SPDX-License-Identifier: GPL-2.0-or-later
#include "recorder.h"

#include <errno.h>

#include "keep.h"
#include "notes.h"
#include "service.h"
#include "session.h"
#include "session_options.h"

static int tick(void *arg, struct session *session, struct err *err)
{
	const struct service *s = arg;
	const struct session_viewer viewer = keep_viewer(s->keep, session);
	struct buf notes = { 0 };
	int r = session_step(session, options_recorded(s->o), &viewer, err);

	session_notes(session, &notes);
	notes_print(&notes);
	buf_release(&notes);
	return r;
}

int recorder_run(const struct options *o, struct helper *helper, struct trigger *trigger,
		 struct err *err)
{
	struct service service = {
		.o = o, .keep = keep_new(o, err), .trigger = trigger, .tick = tick,
	};
	int r = service.keep ? keep_open(service.keep, err) : -EINVAL;

	service.arg = &service;
	if (r >= 0)
		r = service_run(&service, helper, err);
	keep_free(service.keep);
	return r < 0 ? r : 0;
}

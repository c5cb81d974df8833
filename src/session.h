/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run: where samples come from, the engine, and the recording. Batch and full screen both tick
 * it.
 */
#ifndef IOTOP_SESSION_H
#define IOTOP_SESSION_H

#include "collect/collect.h"
#include "data/model.h"
#include "view/view.h"

struct session_options {
	struct collect_options collect;
	struct engine_options engine;
	const char *record, *replay;	/* files, NULL: none */
	int stop_fd;			/* readable when the program is to end; -1: none */
};

struct session {
	struct collect_set *set;	/* NULL when replaying */
	struct replay *replay;		/* NULL when live */
	struct recorder *recorder;
	struct engine *engine;
	struct sample *samples[2];
	struct sample *late;	/* rows of late tables (data/sample.h), until they are recorded */
	unsigned turn;
	bool looked_at;			/* the model answers keys while the next sample is taken:
					 * it needs its own sample until then */
	const struct model *model;	/* of the newest tick; NULL before the first */
};

int session_open(struct session *s, const struct session_options *opt, struct err *err);
/* Closes everything; a recording that could not be finished is the error. */
int session_close(struct session *s, struct err *err);

/*
 * One tick: a new sample and s->model. Only `wanted` (enum source bits) is collected. 1: done; 0:
 * the replay is at its end; -errno. Call session_record() when the names of the rows have been
 * fetched.
 */
int session_tick(struct session *s, unsigned wanted, struct err *err);
/*
 * Fetches the command lines that the rows of v lack; true when there were any: then the view must
 * be built again.
 */
bool session_names(struct session *s, const struct view *v);
/*
 * Command lines of all tasks when the view selects or sorts by them; before it is built. True:
 * there are some.
 */
bool session_select(struct session *s, const struct view_spec *spec);
bool session_fetch(struct session *s, const struct task_id *ids, size_t n);
/*
 * The names of stacks that rows of the newest tick lack, for at most budget_ns (0: all of them).
 * While recording all are looked up. Returns how many are left; *ret_any (may be NULL): names came,
 * the view must be built again.
 */
size_t session_stacks(struct session *s, uint64_t budget_ns, bool *ret_any);
int session_record(struct session *s, struct err *err);

#endif

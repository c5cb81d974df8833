// SPDX-License-Identifier: GPL-2.0-or-later
#include "trigger.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "data/finding/finding.h"
#include "data/task/task.h"
#include "out/out.h"

struct trigger {
	struct condition *condition;
	struct exec *exec;	/* NULL: no command */
	uint64_t keep_ns;
	uint64_t seen_ns;	/* for so long it has been true without a break */
	uint64_t last;		/* the newest sample in which it was true, CLOCK_MONOTONIC ns */
	uint64_t began;		/* the sample after which the sources are on; 0: they are off */
	unsigned skipped;	/* times that the command was due and not started */
	struct buf notes;
};

struct trigger *trigger_new(struct condition *c, uint64_t keep_ns, struct exec *exec)
{
	struct trigger *t = mem_zalloc(sizeof(*t));

	*t = (struct trigger){ .condition = c, .exec = exec, .keep_ns = keep_ns };
	return t;
}

void trigger_free(struct trigger *t)
{
	if (!t)
		return;
	exec_stop(t->exec);
	condition_free(t->condition);
	buf_release(&t->notes);
	free(t);
}

unsigned trigger_needs(const struct trigger *t)
{
	return condition_needs(t->condition) | SRC_SYSTEM | (t->began ? SRC_DEAR : 0);
}

const char *trigger_on(const struct trigger *t)
{
	return t->began ? condition_text(t->condition) : NULL;
}

static void start_command(struct trigger *t, const struct model *m,
			  const struct condition_match *match)
{
	const struct out_event event = {
		.when = condition_text(t->condition), .skipped = t->skipped,
		.disk = match->rows[CONDITION_DISK], .task = match->rows[CONDITION_TASK],
	};
	struct buf input = { 0 };
	int r;

	out_event(&input, m, &event);
	r = exec_run(t->exec, &input);
	buf_release(&input);
	t->skipped = r == -EBUSY ? t->skipped + 1 : 0;
	if (r == -EBUSY)
		buf_printf(&t->notes, _("the command of --exec is not started: the one before "
					"runs, or began less than %d s ago\n"), EXEC_PAUSE);
	else if (r < 0)
		buf_printf(&t->notes, _("the command of --exec cannot be started: %s\n"),
			   strerror(-r));
}

static void begin(struct trigger *t, const struct model *m, const struct condition_match *match)
{
	const struct finding_row *f = (const struct finding_row *)match->rows[CONDITION_FINDING];
	const struct task_row *task = (const struct task_row *)match->rows[CONDITION_TASK];
	const struct row *disk = match->rows[CONDITION_DISK];

	t->began = m->cur->mono;
	buf_printf(&t->notes, _("triggered by %s"), condition_text(t->condition));
	if (f && *f->name)
		buf_printf(&t->notes, ", %s", f->name);
	if (disk)
		buf_printf(&t->notes, ", %s", disk->name);
	if (task)
		buf_printf(&t->notes, ", %s %u", task->row.name, task->id.tid);
	buf_putc(&t->notes, '\n');
	if (t->exec)
		start_command(t, m, match);
}

static void end(struct trigger *t, const struct model *m)
{
	buf_printf(&t->notes, _("triggered no more, after %.0f s\n"),
		   round((double)(m->cur->mono - t->began) / NSEC_PER_SEC));
	t->began = 0;
}

static void note_ended(struct trigger *t)
{
	int status;

	if (!t->exec || !exec_ended(t->exec, &status))
		return;
	if (status < 0)
		buf_printf(&t->notes, _("the command of --exec cannot be started: %s\n"),
			   strerror(-status));
	else if (WIFSIGNALED(status))
		buf_printf(&t->notes, _("the command of --exec was ended by signal %d\n"),
			   WTERMSIG(status));
	else
		buf_printf(&t->notes, _("the command of --exec ended with status %d\n"),
			   WEXITSTATUS(status));
}

void trigger_look(struct trigger *t, const struct model *m)
{
	uint64_t interval = (uint64_t)(m->interval * NSEC_PER_SEC), now = m->cur->mono;
	struct condition_match match;

	note_ended(t);
	if (condition_is_true(t->condition, m, &match)) {
		t->seen_ns += interval;
		t->last = now;
		/* Intervals are not of the same length to the last digit. */
		if (!t->began && t->seen_ns + interval / 2 > condition_lasts(t->condition))
			begin(t, m, &match);
		return;
	}
	t->seen_ns = 0;
	if (t->began && now - t->last >= t->keep_ns)
		end(t, m);
}

void trigger_notes(struct trigger *t, struct buf *out)
{
	if (t->notes.len)
		buf_puts(out, t->notes.data);
	buf_reset(&t->notes);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A task waits for a lock whose holder waits for I/O itself. */
#include "base/clock.h"
#include "base/i18n.h"
#include "data/finding/look.h"
#include "data/stack/offcpu_wakers.h"

static void look_wait(struct finding_look *l, const struct row_index *by_thread,
		      const struct offcpu_row *r, double share)
{
	const struct offcpu_row *next = offcpu_holder_wait(by_thread, r, false);
	struct finding_row *f;

	/* Journals have a finding of their own; a holder that computes is not ours to tell. */
	if (!next || r->lock == WAIT_JOURNAL || !look_over(l, r->row.key, share, l->share))
		return;
	f = look_found(l, r->row.key);
	f->who = arena_printf(l->a, "%s %llu", r->holder_comm ? r->holder_comm : "?",
			      (unsigned long long)r->holder_tid);
	f->victim = arena_printf(l->a, "%s %llu", r->comm, (unsigned long long)r->pid);
	f->share = MIN(share, 100);
	f->filter = arena_printf(l->a, "holder_tid = %llu", (unsigned long long)r->holder_tid);
	look_text(f, "lock", r->reason ? _(r->reason) : _("lock"));
	look_text(f, "next", next->reason ? _(next->reason) : _("I/O"));
	look_number(f, "blocked", UNIT_PERCENT, f->share);
}

static void look(struct finding_look *l)
{
	const struct row_list *rows = &l->m->rows[ENTITY_OFFCPU];
	double seconds = model_watched(l->m, SRC_OFFCPU, false);
	struct row_index by_thread = { 0 };

	for (size_t i = 0; i < rows->n; i++) {
		const struct offcpu_row *r = (const struct offcpu_row *)rows->rows[i];
		const struct offcpu_counters *now = (const struct offcpu_counters *)r->row.now;

		if (!r->holder_tid || !now->blocked_ns || r->row.flags & ROW_KTHREAD)
			continue;
		if (!by_thread.n)
			by_thread = offcpu_by_thread(l->m, l->a);
		look_wait(l, &by_thread, r,
			  (double)now->blocked_ns / seconds / (NSEC_PER_SEC / 100));
	}
}

const struct finding_kind finding_lock_holder = {
	.name = "lock-holder",
	.title = N_("a lock is held for long"),
	.sentence = N_("{victim} waits {blocked} of its time for the {lock} that {who} holds, who "
		       "waits for {next}"),
	.help = N_("A task cannot go on because another one holds a lock while it waits for I/O."),
	.severity = SEVERITY_WARNING,
	.needs = SRC_OFFCPU,
	.screen = "offcpu",
	.look = look,
};

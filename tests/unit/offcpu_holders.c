// SPDX-License-Identifier: GPL-2.0-or-later
/* Who holds what a blocked task waits for, from hand-written samples. */
#include "data/finding/finding.h"
#include "offcpu_rows.h"

/* A reader that waits still for the lock of an inode that thread 21 of process 20 holds. */
static struct sample_offcpu *held(struct sample *s, uint64_t ms)
{
	struct sample_offcpu *b = block(s, 10, ms, 1, ms);

	b->kstack = 3;
	b->waker_kstack = b->dev = b->io_ns = 0;
	b->waker_kind = WAKER_NONE;
	b->lock = WAIT_RWSEM;
	b->holder = (struct task_id){ 20, 21, 6 };
	b->holder_comm = "tar";
	frames(s, 3, "iterate_dir\n__x64_sys_getdents64");
	return b;
}

/* Who holds a lock, and what that one waits for in turn: the task of the same start, and now. */
START_TEST(holders)
{
	const struct offcpu_row *r = NULL, *wait;
	struct row_index by_thread;
	const struct model *m;
	struct sample *s;
	struct arena a;

	spec.group = GROUP_NONE;
	advance(at(0));
	s = at(1);
	held(s, 900);
	for (uint32_t i = 0; i < 3; i++) {
		struct sample_offcpu *b = block(s, 21, 100 + 800 * (i == 0), 1, 100);

		b->id = (struct task_id){ 20, 21, 6 + (i == 2) };
		b->kstack = 4 + i;
		if (i == 1)
			b->waker_kind = WAKER_NONE;
	}
	m = advance(s);
	for (size_t i = 0; i < view.n; i++)
		if (row(i)->lock == WAIT_RWSEM)
			r = row(i);
	arena_init(&a);
	by_thread = offcpu_by_thread(m, &a);
	wait = offcpu_holder_wait(&by_thread, &r->holder_id, false);
	ck_assert_ptr_nonnull(wait);
	ck_assert_uint_eq(wait->stack_ids[OFFCPU_KERNEL], 5);
	ck_assert_ptr_null(offcpu_holder_wait(&by_thread, &wait->holder_id, false));
	m = advance(at(2));
	by_thread = offcpu_by_thread(m, &a);
	for (size_t i = 0; i < m->rows[ENTITY_OFFCPU].n; i++)
		ck_assert_ptr_null(offcpu_holder_wait(
			&by_thread,
			&((const struct offcpu_row *)m->rows[ENTITY_OFFCPU].rows[i])->holder_id,
			false));
	arena_release(&a);
}
END_TEST

START_TEST(holder_shown)
{
	struct sample *s;

	advance(at(0));
	s = at(1);
	held(s, 900);
	advance(s);
	ck_assert_str_eq(text_of("cause"), "inode lock");
	ck_assert_str_eq(text_of("reason"), "inode_lock");
	ck_assert_str_eq(text_of("holder"), "tar");
	ck_assert_str_eq(text_of("holder_tid"), "21");
	ck_assert_str_eq(text_of("woken"), "(tar 20)");
	/* Readers hold it: who they are is not known. */
	s = at(2);
	held(s, 800)->holder = (struct task_id){ 0, 0, 0 };
	((struct sample_offcpu *)s->tables[TABLE_OFFCPU].rows)->holder_comm = NULL;
	advance(s);
	ck_assert_str_eq(text_of("cause"), "inode lock");
	ck_assert_str_eq(text_of("holder"), "-");
	ck_assert_str_eq(text_of("holder_tid"), "-");
	ck_assert_str_eq(text_of("woken"), "still waiting");
}
END_TEST

/* Who unlocks held it last; who wakes for another reason is no holder. */
START_TEST(holder_unlocks)
{
	static const struct {
		const char *kernel, *waker, *reason, *holder;
	} waits[] = {
		{ "ext4_buffered_write_iter\nvfs_write", "try_to_wake_up\nwake_up_q\nrwsem_wake\n"
		  "up_write\next4_dio_write_iter", "inode_lock", "writer" },
		{ "ext4_llseek", "wake_up_q\n__mutex_unlock_slowpath\nksys_read", "mutex",
		  "writer" },
		{ "jbd2_log_wait_commit\next4_sync_file", "__wake_up\n"
		  "jbd2_journal_commit_transaction\nkjournald2", "journal_commit", "writer" },
		{ "__wait_on_buffer\next4_bread", "wake_up_bit\njbd2_journal_commit_transaction",
		  "buffer_of_the_file_system", "-" },
		/* Late, for a lock that it has got already. */
		{ "jbd2_log_wait_commit\next4_sync_file", "wake_up_q\nrwsem_wake\nup_write\n"
		  "do_mkdirat", "journal_commit", "-" },
		{ "folio_wait_writeback\next4_sync_file", "wake_up_q\n__mutex_unlock_slowpath",
		  "writeback_of_a_page", "-" },
		{ "ext4_buffered_write_iter\nvfs_write", "signal_wake_up_state\ncomplete_signal",
		  "-", "-" },
	};

	for (uint32_t i = 0; i < ARRAY_SIZE(waits); i++) {
		struct sample_offcpu *b;
		struct sample *s;

		advance(at(2 * i));
		s = at(2 * i + 1);
		b = block(s, 10 + i, 100, 1, 100);
		b->kstack = 10 + i;
		b->waker_kstack = 30 + i;
		b->dev = 0;
		b->waker_kind = WAKER_TASK;
		b->waker = (struct task_id){ 20, 21, 5 };
		b->waker_comm = "writer";
		frames(s, 10 + i, waits[i].kernel);
		frames(s, 30 + i, waits[i].waker);
		advance(s);
		ck_assert_str_eq(text_of("reason"), waits[i].reason);
		ck_assert_str_eq(text_of("holder"), waits[i].holder);
		ck_assert_str_eq(text_of("woken"), "writer 20");
	}
}
END_TEST

/* Where a holder is known, the chain goes on with it. */
START_TEST(chain_through_holders)
{
	struct offcpu_wakers wakers;
	struct row_index index;
	struct arena a;
	struct sample *s;

	advance(at(0));
	s = at(1);
	held(s, 900);
	block(s, 11, 100, 1, 100);
	arena_init(&a);
	index = offcpu_by_process(advance(s), &a);
	wakers = offcpu_wakers(&index, 10, false, &a);
	ck_assert_uint_eq(wakers.n, 2);
	ck_assert_uint_eq(wakers.items[0].tgid, 20);
	ck_assert_uint_eq(wakers.items[1].tgid, 0);
	arena_release(&a);
}
END_TEST

/* One that the holder ended, at that place or another. */
static void ended(struct sample *s, uint64_t kstack, uint64_t ms, uint32_t waker)
{
	struct sample_offcpu *b = block(s, 10, ms, 1, ms);

	b->kstack = kstack;
	b->waker_kstack = 30 + waker;
	b->waker_kind = WAKER_TASK;
	b->waker = (struct task_id){ 20, waker, 6 };
	b->waker_comm = "tar";
}

static const struct finding_row *lock_finding(const struct model *m)
{
	const struct finding_row *f = model_verdict(m);

	return f && !strcmp(f->name, "lock-holder") ? f : NULL;
}

/*
 * Its waits for one lock together are a part of its time, though each of them is not; what it waits
 * for at another place is none of them. In one interval none goes on when the sample is taken.
 */
START_TEST(held_for_long)
{
	const unsigned sources = SRC_OFFCPU | SRC_SYSTEM | SRC_DISKS;
	const struct finding_row *f = NULL;
	char text[200];

	engine_advance(engine, sample_at(0, sources), sources);
	for (unsigned i = 1; i <= 5; i++) {
		struct sample *s = sample_at(i, sources);
		struct sample_offcpu *b;

		held(s, 90 * (i - (i >= 3)));
		ended(s, 3, 180 * i, 21);
		ended(s, 3, 170 * i, 22);
		ended(s, 9, 300 * i, 21);
		for (uint32_t holder = 21; holder <= 22; holder++) {
			b = block(s, holder, 500 * i, 1, 100);
			b->id = (struct task_id){ 20, holder, 6 };
		}
		f = lock_finding(engine_advance(engine, s, sources));
		ck_assert_int_eq(f != NULL, i >= 3);
	}
	ck_assert_str_eq(f->who, "tar 21");
	ck_assert_str_eq(f->victim, "reader 10");
	ck_assert_double_eq_tol(f->share, 44, 0.01);
	finding_sentence(f, &(struct unit_style){ 0 }, text, sizeof(text));
	ck_assert_str_eq(text, "reader 10 waits 44.0 % of its time for the lock that tar 21 holds, "
			       "who waits for request");
}
END_TEST

UNIT_FIXTURE_MAIN("offcpu_holders", setup, teardown, holders, holder_shown, holder_unlocks,
		  chain_through_holders, held_for_long)

// SPDX-License-Identifier: GPL-2.0-or-later
/* Stacks from hand-written samples: rows, names that come late, folding. */
#include "stack_samples.h"

/* How many stacks the rows want named. */
static size_t wanted(const struct model *m)
{
	const struct row_list *list = &m->rows[ENTITY_STACK];
	uint64_t ids[ROW_STACKS];
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++)
		n += entity_stack.wants_stacks(list->rows[i], ids);
	return n;
}

START_TEST(rows_and_their_names)
{
	two_ticks();
	ck_assert_uint_eq(view.n, 2);
	ck_assert_uint_eq(bytes_of(0), 49152);
	ck_assert_str_eq(row(0)->comm, "writer");
	ck_assert_int_eq(view_value(&view, 0, entity_column(&entity_stack, "pid"),
				    &unit_texts).kind, VAL_NONE);
	ck_assert_str_eq(row(0)->disk, "sda");
	ck_assert_uint_eq(row(0)->kstack->n, 4);
	ck_assert_str_eq(row(0)->ustack->items[1], "flush;it");
	ck_assert_str_eq(row(1)->disk, "vg-root");
	ck_assert_uint_eq(row(1)->pid, 12);
	ck_assert_ptr_null(row(1)->ustack);
	/* Control characters do not come through. */
	ck_assert_ptr_null(strchr(row(1)->kstack->items[0], '\x1b'));
	spec.group = GROUP_PROCESS;
	view_build(&view, view.model, &spec);
	ck_assert_uint_eq(view.n, 3);
	ck_assert_uint_eq(row(0)->pid, 10);
}
END_TEST

/* Where a limit held some of it back for a time that is not known, that took longest. */
START_TEST(latency_of_what_was_held_back)
{
	const struct column *lat = entity_column(&entity_stack, "lat");

	advance(at(0));
	for (unsigned i = 1; i <= 2; i++) {
		struct sample *s = at(i);

		io(s, 10, "writer", SDA, 1, 2, 40960 * i)->untimed = i == 2;
		advance(s);
		ck_assert_int_eq(view_value(&view, 0, lat, &unit_texts).kind,
				 i == 2 ? VAL_NONE : VAL_U64);
	}
}
END_TEST

START_TEST(idle_paths_are_hidden_and_counted_again)
{
	struct sample *s;

	two_ticks();
	for (int i = 3; i <= 13; i++) {
		s = at(i);
		io(s, 10, "writer", SDA, 1, 2, 81920);
		advance(s);
		ck_assert_uint_eq(view.n, i <= 12 ? 2 : 0);
	}
	/* The counter was dropped by the kernel, and came back from zero. */
	advance(at(14));
	s = at(15);
	io(s, 10, "writer", SDA, 1, 2, 4096);
	advance(s);
	ck_assert_uint_eq(view.n, 1);
	ck_assert_uint_eq(bytes_of(0), 4096);
	ck_assert_uint_eq(((const struct stack_counters *)row(0)->row.sum)->bytes,
			  81920 + 16384 + 4096);
	spec.span = SPAN_SUM;
	view_build(&view, view.model, &spec);
	ck_assert_uint_eq(view.n, 2);
}
END_TEST

/* What was cut because its process was not known yet goes at once; what is never whole stays. */
START_TEST(early_stacks_go)
{
	const uint32_t cut = FRAMES_USER | FRAMES_BROKEN;
	struct sample *s;

	advance(at(0));
	s = at(1);
	io(s, 10, "writer", SDA, 1, 2, 4096);
	io(s, 10, "writer", SDA, 1, 3, 4096);
	frames(s, 2, cut | FRAMES_END(FRAMES_END_NO_TABLE), "write");
	frames(s, 3, cut | FRAMES_END(FRAMES_END_NO_FRAME), "pwrite");
	advance(s);
	ck_assert_uint_eq(view.n, 2);
	s = at(2);
	io(s, 10, "writer", SDA, 1, 4, 4096);
	frames(s, 4, FRAMES_USER | FRAMES_END(FRAMES_END_FIRST), "write\nmain");
	advance(s);
	ck_assert_uint_eq(view.n, 2);
	for (size_t i = 0; i < view.n; i++)
		ck_assert_uint_ne(row(i)->ustack_id, 2);
	spec.span = SPAN_SUM;
	view_build(&view, view.model, &spec);
	ck_assert_uint_eq(view.n, 3);
}
END_TEST

START_TEST(a_source_that_was_closed_starts_anew)
{
	struct sample *s;

	two_ticks();
	for (int i = 3; i < 6; i++)
		engine_advance(engine, at(i), SRC_SYSTEM);
	s = at(6);
	sample_opened(s, SRC_STACKS, 5.5);
	io(s, 10, "writer", SDA, 1, 2, 4096);
	advance(s);
	ck_assert_uint_eq(bytes_of(0), 4096);
}
END_TEST

START_TEST(names_that_come_late)
{
	const struct model *m;
	struct sample *s;

	advance(at(0));
	s = at(1);
	io(s, 10, "writer", SDA, 7, 8, 4096);
	m = advance(s);
	ck_assert_uint_eq(wanted(m), 2);
	ck_assert_ptr_null(row(0)->path);
	frames(s, 7, 0, "submit_bio\nvfs_write");
	frames(s, 8, FRAMES_USER | FRAMES_BROKEN, "write");
	engine_late(engine, s);
	view_build(&view, m, &spec);
	ck_assert_uint_eq(wanted(m), 0);
	/* Its outer frames are not known. */
	ck_assert_str_eq(row(0)->path, "… › write › vfs_write");
}
END_TEST

/* What all stacks have tells none from the others. */
START_TEST(the_same_names_are_one_path)
{
	struct sample *s;

	advance(at(0));
	s = at(1);
	io(s, 10, "writer", SDA, 1, 21, 4096);
	io(s, 11, "writer", SDA, 1, 22, 8192);
	io(s, 12, "writer", SDA, 1, 23, 16384);
	frames(s, 21, FRAMES_USER, "write\n[unknown] liba.so+0x10\tstripped\nmain\tmain.c:1");
	frames(s, 22, FRAMES_USER, "write\n[unknown] liba.so+0x20\nmain");
	frames(s, 23, FRAMES_USER, "write\n[unknown] libb.so+0x10\nmain");
	advance(s);
	ck_assert_uint_eq(view.n, 2);
	ck_assert_uint_eq(bytes_of(0), 16384);
	ck_assert_uint_eq(bytes_of(1), 4096 + 8192);
	ck_assert_str_eq(row(1)->ustack->items[2], "main");
}
END_TEST

/* The line of the source is beside the name, where it was told. */
START_TEST(where_frames_are)
{
	const struct frames *f;
	struct sample *s;

	advance(at(0));
	s = at(1);
	io(s, 10, "writer", SDA, 1, 21, 4096);
	frames(s, 21, FRAMES_USER, "put (inlined)\ta.c:7\nwrite\t\tlibc.so.6\nmain\tm\033.c:1\tdd");
	advance(s);
	f = row(0)->ustack;
	ck_assert_uint_eq(f->n, 3);
	ck_assert_str_eq(f->items[0], "put (inlined)");
	ck_assert_str_eq(frames_place(f, 0), "a.c:7");
	ck_assert_str_eq(frames_place(f, 1), "");
	ck_assert_str_eq(frames_file(f, 0), "");
	ck_assert_str_eq(frames_file(f, 1), "libc.so.6");
	ck_assert_str_eq(frames_file(f, 2), "dd");
	ck_assert_ptr_null(strchr(frames_place(f, 2), 27));
	ck_assert_ptr_nonnull(strstr(frames_place(f, 2), ".c:1"));
}
END_TEST

START_TEST(names_in_lists)
{
	static const char *const names[][2] = {
		{ "main", "main" },
		{ "put (inlined)", "put" },
		{ "std::vector<int, std::vector<b> >::push_back", "std::vector<…>::push_back" },
		{ "a::operator<<", "a::operator<<" },
		{ "a<b>::operator<", "a<b>::operator<" },
		{ "f<(a->b)> (inlined)", "f<…>" },
		{ "<alloc::vec::Vec<T, A> as Drop>::drop", "<alloc::vec::Vec<…> as Drop>::drop" },
		{ "core::ptr::drop_in_place::<a::B>", "core::ptr::drop_in_place::<…>" },
		{ "broken<a<b>", "broken<a<b>" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct buf out = { 0 };

		frames_put_short(&out, names[i][0]);
		ck_assert_str_eq(out.data, names[i][1]);
		buf_release(&out);
	}
}
END_TEST

START_TEST(the_path_is_what_differs)
{
	static const char *const inner[] = { "alpha", "beta", "gamma", "delta" };
	struct sample *s;
	char text[64];

	advance(at(0));
	s = at(1);
	for (uint64_t i = 0; i < 4; i++) {
		io(s, 10, "writer", SDA, 100 + i, 0, 4096 * (4 - i));
		snprintf(text, sizeof(text),
			 "submit_bio\ncommon_inner\n%s\ncommon_outer\ndo_syscall_64", inner[i]);
		frames(s, 100 + i, 0, sample_str(s, text, sizeof(text)));
	}
	advance(s);
	ck_assert_uint_eq(view.n, 4);
	for (size_t i = 0; i < 4; i++)
		ck_assert_str_eq(row(i)->path, inner[i]);
}
END_TEST

/* A function that calls itself takes one place, with how often. */
START_TEST(recursion)
{
	static const char *const programs[] = {
		"pread\nwalk\nwalk\nstep\nwalk\nmain",
		"pread\nwalk\nmain",
		"pread\nalpha\nmain",
		"pread\nbeta\nmain",
		"pread\ngamma\nmain",
	};
	struct sample *s;

	advance(at(0));
	s = at(1);
	frames(s, 100, 0, "vfs_read");
	for (uint64_t i = 0; i < ARRAY_SIZE(programs); i++) {
		io(s, 10, "reader", SDA, 100, 1000 + i, 4096 * (9 - i));
		frames(s, 1000 + i, FRAMES_USER, programs[i]);
	}
	advance(s);
	ck_assert_uint_eq(view.n, ARRAY_SIZE(programs));
	ck_assert_str_eq(row(0)->path, "step › walk ×3 › vfs_read");
	ck_assert_str_eq(row(1)->path, "walk › vfs_read");
	ck_assert_str_eq(row(2)->path, "alpha › vfs_read");
}
END_TEST

/* Bytes since the start, of all rows (NULL) or of those of a name. */
static uint64_t bytes_by(const struct model *m, const char *comm)
{
	const struct row_list *list = &m->rows[ENTITY_STACK];
	uint64_t bytes = 0;

	for (size_t i = 0; i < list->n; i++)
		if (!comm || !strcmp(((const struct stack_row *)list->rows[i])->comm, comm))
			bytes += ((const struct stack_counters *)list->rows[i]->sum)->bytes;
	return bytes;
}

/* Bytes of all rows since the start, and of those for what had to go. */
static uint64_t all_bytes(const struct model *m, uint64_t *ret_not_kept)
{
	*ret_not_kept = bytes_by(m, "[not kept]");
	return bytes_by(m, NULL);
}

/*
 * New paths for hours, and sums of them: rows are bounded, bytes are all there, and what the kernel
 * still counts is not counted anew.
 */
START_TEST(hours_of_new_paths)
{
	const struct model *m = advance(at(0));
	uint64_t kept;

	options.accumulated = true;
	engine_set_options(engine, &options);
	for (unsigned t = 1; t <= 16; t++) {
		struct sample *s = at(t);

		io(s, 1, "stays", SDA, 1, 0, 4096);
		for (uint64_t i = 0; i < 1500; i++)
			io(s, 10, "writer", SDA, 1, 10000 * t + i, 4096);
		m = advance(s);
		ck_assert_uint_eq(all_bytes(m, &kept), 4096 * (1500 * t + 1));
		ck_assert_uint_le(m->rows[ENTITY_STACK].n, 16384);
	}
	ck_assert_uint_gt(kept, 0);
	ck_assert_uint_eq(kept + 4096 * (m->rows[ENTITY_STACK].n - 1), 4096 * (1500 * 16 + 1));
	options.accumulated = false;
	engine_set_options(engine, &options);
	for (unsigned t = 17; t <= 17 + HISTORY_TICKS; t++)
		m = advance(at(t));
	ck_assert_uint_eq(m->rows[ENTITY_STACK].n, 0);
}
END_TEST

/* What had most since the start stays, however long ago, and so does the row of the rest. */
START_TEST(the_largest_sums_stay)
{
	const struct model *m = advance(at(0));
	uint64_t kept;

	options.accumulated = true;
	engine_set_options(engine, &options);
	m = advance(at(1));
	for (unsigned t = 2; t < 2 + 3 * HISTORY_TICKS; t++) {
		struct sample *s = at(t);

		if (t == 2)
			io(s, 1, "early", SDA, 1, 0, 1 << 20);
		/* A storm at first, and another one when the first is long over. */
		if (t < 14 || t > 2 * HISTORY_TICKS)
			for (uint64_t i = 0; i < 1500; i++)
				io(s, 10, "writer", SDA, 1, 10000 * t + i, 4096);
		m = advance(s);
	}
	ck_assert_uint_eq(all_bytes(m, &kept),
			  (1 << 20) + 4096 * 1500ull * (12 + HISTORY_TICKS + 1));
	ck_assert_uint_gt(kept, 0);
	ck_assert_uint_eq(bytes_by(m, "early"), 1 << 20);
	options.accumulated = false;
	engine_set_options(engine, &options);
}
END_TEST

START_TEST(hours_of_new_names)
{
	struct frames_table *t = frames_new();
	struct sample *s = samples[0];
	uint64_t id = 1;
	size_t known = 0;

	for (unsigned round = 0; round < 30; round++) {
		sample_reset(s);
		for (unsigned i = 0; i < 2000; i++)
			frames(s, id++, 0, "submit_bio\nvfs_write");
		frames_round(t);
		frames_update(t, s);
		ck_assert_ptr_nonnull(frames_get(t, 1));
	}
	for (uint64_t i = 1; i < id; i++)
		known += !!frames_get(t, i);
	ck_assert_uint_le(known, 16384 + 2000);
	ck_assert_ptr_nonnull(frames_get(t, id - 1));
	frames_free(t);
}
END_TEST

UNIT_FIXTURE_MAIN("stack_model", stacks_setup, stacks_teardown, rows_and_their_names,
		  latency_of_what_was_held_back,
		  idle_paths_are_hidden_and_counted_again, early_stacks_go,
		  a_source_that_was_closed_starts_anew, names_that_come_late,
		  the_same_names_are_one_path, where_frames_are,
		  names_in_lists, the_path_is_what_differs, recursion, hours_of_new_paths,
		  the_largest_sums_stay, hours_of_new_names)

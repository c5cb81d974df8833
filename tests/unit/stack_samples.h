/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hand-written samples of stacks, and a view of what the model says of them. */
#ifndef IOTOP_TESTS_STACK_SAMPLES_H
#define IOTOP_TESTS_STACK_SAMPLES_H

#include <stdio.h>
#include <string.h>

#include "data/stack/stack.h"
#include "samples.h"
#include "view/view.h"

#define SDA (8u << 20)
#define DM (253u << 20)

static struct view view;
static struct view_spec spec;

static inline void stacks_setup(void)
{
	struct err err;

	samples_setup();
	view_init(&view);
	spec = (struct view_spec){ .entity = &entity_stack,
				   .entity_id = ENTITY_STACK,
				   .group = GROUP_COMM };
	ck_assert_int_eq(view_set_columns(&spec, "disk,comm,op,ios,bytes,path", &err), 0);
	ck_assert_int_eq(view_set_sort(&spec, "bytes", &err), 0);
}

static inline void stacks_teardown(void)
{
	view_release(&view);
	samples_teardown();
}

static inline struct sample *at(double seconds)
{
	struct sample *s = sample_at(seconds, SRC_STACKS);

	sample_disk(s, SDA, "sda");
	sample_disk(s, DM, "dm-0")->label = "vg-root";
	return s;
}

static inline struct sample_stackio *io(struct sample *s, uint32_t pid, const char *comm,
					uint32_t dev, uint64_t kstack, uint64_t ustack,
					uint64_t bytes)
{
	struct sample_stackio *i = sample_add_row(s, STACKIO, struct sample_stackio);

	*i = (struct sample_stackio){
		.submitter = { pid, pid, 5 }, .dev = dev, .op = OP_WRITE, .kstack = kstack,
		.ustack = ustack, .comm = comm,
		.bytes = bytes, .ios = bytes / 4096, .done = bytes / 4096,
		.lat_ns = bytes / 4096 * 2000,
	};
	return i;
}

static inline void frames(struct sample *s, uint64_t id, uint32_t flags, const char *text)
{
	*sample_add_row(s, FRAMES, struct sample_frames) =
		(struct sample_frames){ id, flags, text };
}

static inline const struct model *advance(struct sample *s)
{
	const struct model *m = engine_advance(engine, s, SRC_STACKS);

	engine_late(engine, s);
	view_build(&view, m, &spec);
	return m;
}

static inline const struct stack_row *row(size_t i)
{
	return (const struct stack_row *)view.rows[i].row;
}

static inline uint64_t bytes_of(size_t i)
{
	return ((const struct stack_counters *)row(i)->row.now)->bytes;
}

/* Two processes of one name on the same path, a third on another. */
static inline void two_ticks(void)
{
	advance(at(0));
	for (int i = 1; i <= 2; i++) {
		struct sample *s = at(i);

		io(s, 10, "writer", SDA, 1, 2, 40960 * (uint64_t)i);
		io(s, 11, "writer", SDA, 1, 2, 8192 * (uint64_t)i);
		io(s, 12, "other", DM, 3, 0, 4096 * (uint64_t)i);
		if (i == 1) {
			frames(s, 1, 0,
			       "submit_bio\next4_writepages [ext4]\nvfs_write\ndo_syscall_64");
			frames(s, 2, FRAMES_USER, "write\nflush;it\nmain\n_start");
			frames(s, 3, 0, "dm_submit\x1b[31m_bio\ndo_syscall_64");
		}
		advance(s);
	}
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hand-written samples of the layers. */
#ifndef IOTOP_TESTS_UNIT_LAYERS_H
#define IOTOP_TESTS_UNIT_LAYERS_H

#include "samples.h"

#include "data/layer/layer.h"

#define SDA (8u << 20)
#define MS 1000000ull

/* A sample of that time with the layers on. */
static inline struct sample *at(double seconds)
{
	return sample_at(seconds, SRC_LAYERS);
}

/* Counters of a layer and operation on the disk sda, all of them as long. */
static inline struct sample_layer *add(struct sample *s, uint32_t layer, uint32_t op,
				       uint64_t count, uint64_t ns)
{
	struct sample_layer *l = sample_add_row(s, LAYER, struct sample_layer);
	uint64_t *hist = arena_new(&s->arena, uint64_t, HIST_BUCKETS);

	hist[hist_bucket(count ? ns / count : 0)] = count;
	*l = (struct sample_layer){
		.dev = SDA,
		.layer = layer,
		.op = op,
		.count = count,
		.total_ns = ns,
		.max_ns = count ? ns / count : 0,
		.fs = layer <= LAYER_FS ? "ext4" : NULL,
		.hist = { hist, HIST_BUCKETS * sizeof(*hist) },
	};
	return l;
}

/* Counters of a thread and a file, a millisecond an operation. */
static inline void add_caller_at(struct sample *s, uint32_t layer, uint32_t op, uint32_t tgid,
				 uint32_t tid, uint64_t ino, const char *path, uint64_t count)
{
	*sample_add_row(s, CALLER, struct sample_caller) = (struct sample_caller){
		.id = { tgid, tid, tid }, .ino = ino, .sdev = SDA, .dev = SDA,
		.layer = layer, .op = op,
		.comm = tid == tgid ? "main" : "thread", .path = path, .count = count,
		.total_ns = count * MS, .max_ns = 2 * MS,
	};
}

/* The same of reads, as calls. */
static inline void add_caller(struct sample *s, uint32_t tgid, uint32_t tid, uint64_t ino,
			      const char *path, uint64_t count)
{
	add_caller_at(s, LAYER_SYSCALL, LAYER_READ, tgid, tid, ino, path, count);
}

/* The names are these and no others; second NULL: the first is alone. */
static inline void check_shares(const struct layer_shares *of, const char *first, uint64_t count,
				const char *second, uint64_t other)
{
	ck_assert_uint_eq(of->n, second ? 2 : 1);
	ck_assert_str_eq(of->names[0], first);
	ck_assert_uint_eq(of->items[0].counters.count, count);
	ck_assert_uint_eq(of->items[0].counters.time_ns, count * MS);
	if (!second)
		return;
	ck_assert_str_eq(of->names[1], second);
	ck_assert_uint_eq(of->items[1].counters.count, other);
}

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
/* Metrics of layers, of the parts of fsync() and of blocked tasks: whose series each time is in. */
#include "data/histogram.h"
#include "data/layer/layer.h"
#include "metric_texts.h"

#define ASKED (SRC_LAYERS | SRC_OFFCPU | SRC_DISKS)
#define MS 1000000ull
#define NO_DEVICE 7u	/* of a file system that is on no disk */

static void setup_layers(void)
{
	samples_setup();
	metrics = metrics_new(0, ASKED);
}

static void add(struct sample *s, uint32_t dev, uint32_t layer, uint32_t op, uint64_t count)
{
	struct sample_layer *l = sample_add_row(s, LAYER, struct sample_layer);
	uint64_t *hist = arena_new(&s->arena, uint64_t, HIST_BUCKETS);

	hist[hist_bucket(2 * MS)] = count;
	*l = (struct sample_layer){
		.dev = dev, .layer = layer, .op = op, .count = count, .total_ns = count * 2 * MS,
		.max_ns = 2 * MS, .fs = layer_is_of_disk(layer) ? NULL : "ext4",
		.hist = { hist, HIST_BUCKETS * sizeof(*hist) },
	};
}

static void block(struct sample *s, uint32_t tid, uint64_t ms)
{
	*sample_add_row(s, OFFCPU, struct sample_offcpu) = (struct sample_offcpu){
		.id = { 10, tid, 5 }, .kstack = 1, .state = 'D', .blocked_ns = ms * MS, .count = ms,
		.max_ns = MS, .comm = "reader",
	};
}

static void second(double at, uint64_t n)
{
	struct sample *s = sample_at(at, ASKED);
	const struct model *m;

	sample_disk(s, DISK_DEV, "sda")->size = 1 << 20;
	add(s, DISK_DEV, LAYER_SYSCALL, LAYER_FSYNC, n);
	add(s, DISK_DEV, LAYER_FS, LAYER_JOINED, 2 * n);
	add(s, NO_DEVICE, LAYER_SYSCALL, LAYER_WRITE, 3 * n);
	add(s, DISK_DEV, LAYER_DEVICE, LAYER_READ, 5 * n);
	add(s, NO_DEVICE, LAYER_DEVICE, LAYER_READ, 7 * n);
	block(s, 11, 30 * n);
	block(s, 12, 12 * n);
	m = engine_advance(engine, s, ASKED);
	engine_late(engine, s);
	metrics_update(metrics, m);
}

START_TEST(whose_time)
{
	second(0, 0);
	second(1, 1);
	second(2, 3);
#define SDA ",fstype=\"ext4\",device=\"sda\"}"
#define OF_FSYNC "{layer=\"syscall\",operation=\"fsync\"" SDA
	ck_assert(value("iotop_layer_latency_seconds_count" OF_FSYNC) == 3);
	ck_assert(value("iotop_layer_latency_seconds_sum" OF_FSYNC) == 0.006);
	/* A call of fsync() and its step, each in its own part; a write is no part of it. */
	ck_assert(value("iotop_fsync_seconds_count{part=\"total\"" SDA) == 3);
	ck_assert(value("iotop_fsync_seconds_count{part=\"joined\"" SDA) == 6);
	ck_assert(sum_of("iotop_fsync_seconds_count") == 9);
	/* Without a disk. */
	ck_assert(value("iotop_layer_latency_seconds_count{layer=\"syscall\",operation=\"write\","
			"fstype=\"ext4\"}") == 9);
	/* A layer of the disk is a stage of its latency, and no layer; of no disk it is neither. */
	ck_assert(value("iotop_disk_latency_seconds_count{device=\"sda\",operation=\"read\","
			"stage=\"device\"}") == 15);
	ck_assert(sum_of("iotop_disk_latency_seconds_count") == 15);
	ck_assert(sum_of("iotop_layer_latency_seconds_count") == 3 + 6 + 9);
	ck_assert(value("iotop_blocked_seconds_total{reason=\"unknown\"}") == 0.126);
}
END_TEST

UNIT_FIXTURE_MAIN("metric_layers", setup_layers, teardown, whose_time)

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is wrong in a scene: a writer with a long queue, behind which rsync waits, and errors. */
#include "base/clock.h"
#include "scene.h"

#define MB (1ULL << 20)
#define NVME (259u << 20)
#define SDA (8u << 20)
#define TAR 9200
#define WRITES 640	/* of 64 KiB, a tick */
#define LATENCY 40000000ULL	/* ns */
#define ERRORS 3	/* a tick */

static void add_disk(struct sample *s, uint32_t dev, uint64_t writes, uint64_t errors)
{
	struct sample_diskload *load = sample_add_row(s, DISKLOAD, struct sample_diskload);
	struct sample_diskop *op = sample_add_row(s, DISKOP, struct sample_diskop);

	*load = (struct sample_diskload){ .dev = dev, .depth_ns = writes * LATENCY };
	load->busy_ns = writes / WRITES * (NSEC_PER_SEC / 100 * 99);
	*op = (struct sample_diskop){
		.dev = dev, .op = OP_WRITE, .ios = writes, .bytes = writes << 16,
		.lat_ns = writes * LATENCY, .device_ns = writes * LATENCY, .errors = errors,
	};
}

void scene_findings(_unused_ const struct scene *scene, struct sample *s, unsigned tick)
{
	struct sample_task *t = sample_add_row(s, TASK, struct sample_task);
	struct sample_io *io = sample_add_row(s, IO, struct sample_io);

	*t = (struct sample_task){
		.id = { TAR, TAR, s->boot - (tick + 500) * NSEC_PER_SEC }, .ppid = 1, .uid = 34,
		.state = 'S', .flags = TASK_LISTED, .have = SRC_TASKS | SRC_TASKIO | SRC_DELAYS,
		.comm = "tar",
	};
	*io = (struct sample_io){
		.cause = t->id, .submitter = t->id, .dev = SDA, .op = OP_WRITE,
		.ios = tick * WRITES, .done = tick * WRITES, .bytes = (uint64_t)tick * WRITES << 16,
		.lat_ns = tick * WRITES * LATENCY, .max_ns = 2 * LATENCY,
	};
	add_disk(s, SDA, tick * WRITES, 0);
	add_disk(s, NVME, 0, tick * ERRORS);
}

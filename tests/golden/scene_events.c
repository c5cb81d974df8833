// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Five requests a tick: with a file, of a journal, a flush of nobody, one that failed, one that was
 * held back; and the call that the first one was for.
 */
#include <errno.h>

#include "base/macro.h"
#include "scene.h"

#define MS 1000000ULL
#define NVME (259u << 20)
#define SDA (8u << 20)

static const struct {
	uint64_t before;	/* ns before the tick's end */
	uint32_t tid;		/* of the task; a residual; 0: nobody */
	uint32_t dev, op, flags;
	uint64_t sector, bytes, limit, queue, device, total, offset;
	uint32_t error;
	const char *path;
} events[] = {
	{ 700123456, 2211, NVME, OP_WRITE, EVENT_SYNC | EVENT_FUA, 88120344, 8192, 0, 4000,
	  41200000, 41204000, 24576, 0, "/var/lib/postgresql/pg_wal/000000010000000000000001" },
	{ 650000000, RESIDUAL_JOURNAL, NVME, OP_WRITE, EVENT_SYNC | EVENT_META | EVENT_PRIO,
	  1432440, 4096, 0, 900, 12046100, 12047000, EVENT_UNKNOWN, 0, NULL },
	{ 640000999, 0, NVME, OP_FLUSH, EVENT_PREFLUSH, EVENT_UNKNOWN, 0, 0, 12800, 34000000,
	  34012800, EVENT_UNKNOWN, 0, NULL },
	{ 300000000, 9001, SDA, OP_READ, EVENT_AHEAD, 2048, 131072, 0, EVENT_UNKNOWN,
	  EVENT_UNKNOWN, 30 * 1000 * MS, 1 << 20, EIO, "/srv/backup/data.tar" },
	{ 1000000, 7312, SDA, OP_WRITE, EVENT_BACKGROUND | EVENT_PART, 409600, 1048576,
	  1200 * MS, 800 * MS, 3 * MS, 2003 * MS, EVENT_UNKNOWN, 0, NULL },
};

static void add_call(struct sample *s)
{
	*sample_add_row(s, EVENT, struct sample_event) = (struct sample_event){
		.id = scene_task(2211), .ns = s->mono - 700000000, .kind = EVENT_CALL,
		.op = LAYER_FSYNC, .dev = NVME, .sdev = NVME, .tag = EVENT_NO_NUMBER,
		.hwqueue = EVENT_NO_NUMBER, .sector = EVENT_UNKNOWN, .bytes = EVENT_UNKNOWN,
		.limit_ns = EVENT_UNKNOWN, .queue_ns = EVENT_UNKNOWN, .device_ns = EVENT_UNKNOWN,
		.total_ns = 41500000, .ino = 71, .offset = EVENT_UNKNOWN, .comm = "postgres",
		.path = events[0].path,
	};
}

void scene_events(const struct scene *scene, struct sample *s, unsigned tick)
{
	bool off = scene->off & SRC_EVENTS;
	struct sample_eventlog *log;

	sample_source(s, SRC_EVENTS, off ? SOURCE_OFF : SOURCE_ON, off ? "not there" : NULL);
	if (off)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(events) && tick; i++) {
		struct sample_event *e = sample_add_row(s, EVENT, struct sample_event);
		struct task_id id = scene_task(events[i].tid);

		*e = (struct sample_event){
			.id = id, .ns = s->mono - events[i].before, .kind = EVENT_REQUEST,
			.op = events[i].op, .flags = events[i].flags, .dev = events[i].dev,
			.sdev = events[i].dev, .tag = (uint32_t)(tick * 8 + i), .hwqueue = 1,
			.sector = events[i].sector, .bytes = events[i].bytes,
			.limit_ns = events[i].limit, .queue_ns = events[i].queue,
			.device_ns = events[i].device, .total_ns = events[i].total,
			.ino = events[i].path ? 71 + i : 0, .offset = events[i].offset,
			.error = events[i].error,
		};
		e->path = scene->hostile && events[i].path ? "/srv/e\033[2Jv\nil" : events[i].path;
		if (!id.start)
			continue;
		e->comm = scene->hostile     ? "e\033[2Jv\nil\xff"
			  : id.tgid == 9001 ? "tar"
					    : "postgres";
	}
	if (tick && !(scene->off & SRC_CALLS))
		add_call(s);
	sample_source(s, SRC_CALLS, scene->off & SRC_CALLS ? SOURCE_OFF : SOURCE_ON,
		      scene->off & SRC_CALLS ? "not there" : NULL);
	log = sample_add_row(s, EVENTLOG, struct sample_eventlog);
	log->min_ns = 10 * MS;
	log->sent = (ARRAY_SIZE(events) + 1) * tick;
	log->dropped = tick >= 3 ? scene->lost : 0;
	sample_lose(s, "events.over", log->dropped);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A server that stops answering at tick 3, a fast one, and two that tell little or nothing, one of
 * which somebody waits for.
 */
#include "scene.h"

#define MS 1000000ULL
#define SILENT 3	/* ticks */

void scene_mounts(const struct scene *scene, struct sample *s, unsigned tick)
{
	bool off = scene->off & SRC_MOUNTS;
	uint64_t answered = tick < SILENT ? tick : SILENT;
	const struct sample_mount rows[] = {
		{
			.dev = 41, .have = MOUNT_WAITING | MOUNT_CALLS, .kind = "nfs4",
			.source = "filer:/home", .point = "/home",
			.waiting = tick < SILENT ? 2 : 7, .answers = 900 * answered,
			.calls = 900 * answered, .errors = 3 * answered,
			.ns = 900 * answered * 4 * MS, .rtt_ns = 900 * answered * 3 * MS,
			.retrans = tick < SILENT ? 0 : tick - SILENT,
			.read = answered << 22, .write = answered << 20,
		},
		{
			.dev = 42, .have = MOUNT_WAITING | MOUNT_CALLS, .kind = "nfs",
			.source = "old:/export", .point = "/srv/old", .waiting = 0,
			.answers = 20 * tick, .calls = 20 * tick, .ns = 20 * tick * MS / 2,
			.rtt_ns = 20 * tick * MS / 4, .read = tick << 14,
		},
		{
			.dev = 43, .have = MOUNT_WAITING, .kind = "fuse.sshfs",
			.source = scene->hostile ? "\x1b[31mred\n" : "me@host:",
			.point = "/mnt/ssh", .waiting = tick % 2,
		},
		{ .dev = 44, .kind = "9p", .source = "share", .point = "/mnt/host" },
	};

	sample_source(s, SRC_MOUNTS, off ? SOURCE_OFF : SOURCE_ON, off ? "not there" : NULL);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]) && !off; i++)
		*sample_add_row(s, MOUNT, struct sample_mount) = rows[i];
	/* Nobody waits for a disk. */
	sample_source(s, SRC_OFFCPU, SOURCE_ON, NULL);
	/* A shell that waits for the slow one. */
	sample_each(s, TASK, struct sample_task, t) {
		if (t->id.tid != 8100)
			continue;
		t->server_ns = tick * 980 * MS;
		t->server_dev = 43;
	}
}

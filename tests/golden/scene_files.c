/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files behind the I/O: that threads share, deleted, without a name, and what is of none. */
#include "scene.h"

#include "base/macro.h"

#define NVME (259u << 20)
#define SDA (8u << 20)
#define KB 1024ull
#define MB (KB * KB)
#define DD 8133
#define DD_END 8	/* as in scene.c */
#define BUCKETS 12	/* of a histogram */

/* What a task does to a file in a tick. */
struct use {
	uint32_t tid, dev;
	uint64_t ino, read, write;	/* bytes */
	const char *path;
	uint32_t size;			/* of one I/O */
	uint32_t bucket;		/* in which they end */
	uint32_t flags;
};

static const struct use uses[] = {
	{ 2211, NVME, 71, 90 * MB, 0, "/var/lib/postgresql/base/16384/2619", 64 * KB, 9, 0 },
	{ 2211, NVME, 72, 0, 512 * KB, "/var/lib/postgresql/pg_wal/000000010000000000000001",
	  16 * KB, 7, 0 },
	{ 2214, NVME, 72, 0, 768 * KB, "/var/lib/postgresql/pg_wal/000000010000000000000001",
	  16 * KB, 8, 0 },
	{ 2214, NVME, 73, 0, 256 * KB, NULL, 16 * KB, 6, 0 },
	{ 8120, SDA, 901, 24 * MB, 0, "/srv/mail/archive.mbox", 256 * KB, 10, 0 },
	{ 8120, SDA, 902, 7 * MB, 0, "/srv/mail/index.db", 128 * KB, 10, 0 },
	{ DD, NVME, 71, 0, 12 * MB, "/var/lib/postgresql/base/16384/2619", MB, 11, 0 },
	{ 9001, SDA, 903, 0, 4 * KB, "/tmp/scratch", 4 * KB, 11, FILE_DELETED },
	{ RESIDUAL_JOURNAL, SDA, NO_FILE_METADATA, 0, 64 * KB, NULL, 64 * KB, 5, 0 },
	{ 8120, SDA, NO_FILE_METADATA, 40 * KB, 0, NULL, 4 * KB, 8, 0 },
	{ RESIDUAL_UNATTRIBUTED, SDA, NO_FILE_OTHER, 20 * KB, 4 * KB, NULL, 4 * KB, 0, 0 },
};

/* What calls of a task asked of a file in a tick. */
struct asked {
	uint32_t tid, dev, op;
	uint64_t ino, count, bytes;
	const char *path;
};

static const struct asked asked[] = {
	{ 2211, NVME, LAYER_READ, 71, 90 * KB, 720 * MB, "/var/lib/postgresql/base/16384/2619" },
	{ 2211, NVME, LAYER_OPEN, 71, 2, 0, "/var/lib/postgresql/base/16384/2619" },
	{ 2211, NVME, LAYER_WRITE, 72, 64, 256 * KB, NULL },
	{ 2211, NVME, LAYER_FSYNC, 72, 60, 0, NULL },
	{ 8120, SDA, LAYER_READ, 901, 96, 24 * MB, "/srv/mail/archive.mbox" },
	{ 8120, SDA, LAYER_READ, 905, 12, 3 * MB, "/srv/mail/cached" },
};

static void scene_asked(const struct scene *scene, struct sample *s, unsigned tick)
{
	/* Those of the layers are others. */
	if (scene->layers)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(asked); i++) {
		const struct asked *a = &asked[i];

		*sample_add_row(s, CALLER, struct sample_caller) = (struct sample_caller){
			.id = scene_task(a->tid), .ino = a->ino, .sdev = a->dev, .dev = a->dev,
			.layer = LAYER_SYSCALL, .op = a->op, .path = a->path,
			.count = tick * a->count, .total_ns = tick * a->count * 20000,
			.bytes = tick * a->bytes, .max_ns = 300000,
		};
	}
	sample_source(s, SRC_CALLERS, SOURCE_ON, NULL);
}

void scene_files(const struct scene *scene, struct sample *s, unsigned tick)
{
	for (size_t i = 0; i < ARRAY_SIZE(uses); i++) {
		const struct use *u = &uses[i];
		bool none = u->ino <= NO_FILE_OTHER;
		struct sample_file *f;
		uint64_t *hist;

		/* What dd did is forgotten when it has ended. */
		if (u->tid == DD && tick > DD_END)
			continue;
		f = sample_add_row(s, FILE, struct sample_file);
		hist = arena_new(&s->arena, uint64_t, BUCKETS);
		*f = (struct sample_file){
			.cause = u->tid <= RESIDUAL_OUTSIDE ? (struct task_id){ .tid = u->tid }
							    : scene_task(u->tid),
			.dev = u->dev, .sdev = none ? 0 : u->dev,
			.ino = u->ino, .path = u->path, .read = tick * u->read,
			.write = tick * u->write, .flags = u->flags,
			.rios = tick * u->read / u->size, .wios = tick * u->write / u->size,
			.mount = none ? NULL : u->dev == NVME ? "/var/lib" : "/",
			.fs = none ? NULL : u->dev == NVME ? "xfs" : "ext4",
		};
		if (u->ino == NO_FILE_OTHER)
			continue;
		f->done = hist[u->bucket] = f->rios + f->wios;
		f->lat_ns = f->done * (1200ull << u->bucket / 2);
		f->max_ns = 1500ull << u->bucket / 2;
		f->hist = (struct blob){ hist, BUCKETS * sizeof(*hist) };
	}
	*sample_add_row(s, DIRTY, struct sample_dirty) = (struct sample_dirty){
		.cause = scene_task(2214), .dev = NVME, .sdev = NVME, .ino = 72,
		.path = uses[2].path, .mount = "/var/lib", .fs = "xfs", .comm = "postgres",
		.bytes = tick * 96 * KB,
	};
	*sample_add_row(s, DIRTY, struct sample_dirty) = (struct sample_dirty){
		.cause = { .tid = RESIDUAL_UNATTRIBUTED }, .dev = SDA, .sdev = SDA, .ino = 904,
		.path = "/srv/shared", .mount = "/", .fs = "ext4", .bytes = 5 * MB,
	};
	sample_source(s, SRC_FILES, SOURCE_ON, NULL);
	scene_asked(scene, s, tick);
}

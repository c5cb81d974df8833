/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A database that syncs its log, a copy on another disk, and times of each at every layer. */
#include "data/histogram.h"
#include "scene.h"

#define DEV(major, minor) ((uint32_t)(major) << 20 | (minor))
#define NVME DEV(259, 0)
#define SDA DEV(8, 0)
#define US 1000ull
#define MS 1000000ull

static const struct {
	uint32_t dev, layer, op;
	const char *fs;
	uint64_t count, latency;	/* of a tick; ns of a common one, a tenth takes four
					 * times as long */
	uint64_t running;
} rows[] = {
	{ NVME, LAYER_SYSCALL, LAYER_FSYNC, "ext4", 40, 9 * MS, 1 },
	{ NVME, LAYER_FS, LAYER_FSYNC, "ext4", 40, 9 * MS, 1 },
	{ NVME, LAYER_FS, LAYER_DATA, "ext4", 40, 800 * US, 0 },
	{ NVME, LAYER_FS, LAYER_JOURNAL, "ext4", 30, 6 * MS, 0 },
	{ NVME, LAYER_FS, LAYER_JOINED, "ext4", 10, 4 * MS, 0 },
	{ NVME, LAYER_FS, LAYER_FLUSH, "ext4", 10, 5 * MS, 0 },
	{ NVME, LAYER_FS, LAYER_COMMIT, "ext4", 32, 6 * MS, 0 },
	{ NVME, LAYER_SYSCALL, LAYER_WRITE, "ext4", 2000, 6 * US, 0 },
	{ NVME, LAYER_VFS, LAYER_WRITE, "ext4", 2000, 5500, 0 },
	{ NVME, LAYER_FS, LAYER_WRITE, "ext4", 2000, 5 * US, 0 },
	{ NVME, LAYER_SYSCALL, LAYER_READ, "ext4", 22000, 90 * US, 0 },
	{ NVME, LAYER_SYSCALL, LAYER_OPEN, "ext4", 12, 3 * US, 0 },
	{ NVME, LAYER_CACHE, LAYER_READ, "ext4", 9000, 180 * US, 0 },
	{ NVME, LAYER_CACHE, LAYER_FAULT, "ext4", 700, 160 * US, 0 },
	{ NVME, LAYER_QUEUE, LAYER_READ, NULL, 11000, 12 * US, 0 },
	{ NVME, LAYER_DEVICE, LAYER_READ, NULL, 11000, 150 * US, 0 },
	{ NVME, LAYER_QUEUE, LAYER_WRITE, NULL, 160, 40 * US, 0 },
	{ NVME, LAYER_DEVICE, LAYER_WRITE, NULL, 160, 300 * US, 0 },
	{ NVME, LAYER_DEVICE, LAYER_FLUSH, NULL, 64, 3 * MS, 0 },
	{ SDA, LAYER_SYSCALL, LAYER_READ, "xfs", 120, 4 * MS, 0 },
	{ SDA, LAYER_DEVICE, LAYER_READ, NULL, 130, 4 * MS, 0 },
	{ 0, LAYER_SYSCALL, LAYER_SYNC, NULL, 0, 0, 1 },
};

static const struct {
	uint32_t tid, op;
	uint64_t ino;
	const char *comm, *path;
	uint64_t count, latency;	/* of a tick; ns */
} callers[] = {
	{ 2211, LAYER_READ, 12, "postgres", "/var/lib/postgresql/base/16384/2619", 15000, 90 * US },
	{ 2214, LAYER_READ, 13, "postgres", "/var/lib/postgresql/base/16384/1259", 5000, 100 * US },
	{ 8120, LAYER_READ, 12, "rsync", "/var/lib/postgresql/base/16384/2619", 2000, 120 * US },
	{ 2214, LAYER_FSYNC, 20, "postgres", "/var/lib/postgresql/pg_wal/000000010000000000000001",
	  40, 9 * MS },
};

/* Of a read there is the call and what it waits for; of an fsync() the call and the file system. */
static void scene_callers(struct sample *s, unsigned tick)
{
	for (size_t i = 0; i < 2 * ARRAY_SIZE(callers); i++) {
		bool below = i & 1;
		struct sample_caller *c = sample_add_row(s, CALLER, struct sample_caller);
		uint64_t ns = callers[i / 2].latency / (below ? 2 : 1);

		*c = (struct sample_caller){
			.id = scene_task(callers[i / 2].tid), .ino = callers[i / 2].ino,
			.sdev = NVME, .dev = NVME, .op = callers[i / 2].op,
			.layer = !below ? LAYER_SYSCALL : callers[i / 2].op == LAYER_READ ?
				LAYER_CACHE : LAYER_FS,
			.comm = callers[i / 2].comm, .path = callers[i / 2].path,
			.count = callers[i / 2].count * tick,
			.total_ns = callers[i / 2].count * tick * ns, .max_ns = 4 * ns,
		};
	}
}

void scene_layers(const struct scene *scene, struct sample *s, unsigned tick)
{
	bool off = scene->off & SRC_LAYERS;

	sample_source(s, SRC_LAYERS, off ? SOURCE_OFF : SOURCE_PART,
		      off ? "no CAP_BPF: run as root"
			  : "this kernel lets no functions be probed: no layer vfs, of file "
			    "systems what their tracepoints tell");
	if (!off && !(scene->off & SRC_CALLERS)) {
		sample_source(s, SRC_CALLERS, SOURCE_ON, NULL);
		scene_callers(s, tick);
	}
	for (size_t i = 0; i < ARRAY_SIZE(rows) && !off; i++) {
		uint64_t *hist = arena_new(&s->arena, uint64_t, HIST_BUCKETS),
			 slow = rows[i].count / 10 * tick;
		struct sample_layer *l = sample_add_row(s, LAYER, struct sample_layer);

		hist[hist_bucket(rows[i].latency)] = rows[i].count * tick - slow;
		hist[hist_bucket(rows[i].latency * 4)] += slow;
		*l = (struct sample_layer){
			.dev = rows[i].dev,
			.layer = rows[i].layer,
			.op = rows[i].op,
			.fs = rows[i].fs,
			.count = rows[i].count * tick,
			.total_ns = (rows[i].count * tick + 3 * slow) * rows[i].latency,
			.max_ns = rows[i].latency * 4,
			.running = rows[i].running,
			.running_ns = rows[i].running * (rows[i].count ? 5 * MS : tick * 1000 * MS),
			.hist = { hist, HIST_BUCKETS * sizeof(*hist) },
		};
		if (rows[i].running && !rows[i].count)
			l->max_ns = l->running_ns;
	}
}

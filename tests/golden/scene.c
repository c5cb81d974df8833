/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scene.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/macro.h"
#include "data/model.h"

#define SEC NSEC_PER_SEC
#define MB (1ULL << 20)
#define KB (1ULL << 10)
#define BOOTED 100000	/* seconds the machine is up at tick 0 */
#define EPOCH 1769868120ULL	/* 2026-01-31T14:02:00Z */
#define NVME (259u << 20)
#define SDA (8u << 20)
#define DD 8133
#define DD_END 8	/* the tick in which it ends */
#define JOURNAL 611

/* One flow of I/O: bytes a tick, repeating. */
struct flow {
	uint32_t tgid, tid, by;	/* who causes it; tid of who submits, 0: itself */
	uint32_t dev, op;
	uint32_t size;		/* of one I/O */
	uint64_t latency;	/* ns */
	uint64_t bytes[8];
};

static const struct flow flows[] = {
	{ 2211, 2211, 0, NVME, OP_READ, 8 * KB, 180000,
	  { 20 * MB, 60 * MB, 180 * MB, 170 * MB, 150 * MB, 175 * MB, 170 * MB, 180 * MB } },
	{ 2211, 2214, 0, NVME, OP_WRITE, 16 * KB, 410000,
	  { 0, 0, 1 * MB, 1200 * KB, 0, 1100 * KB, 1 * MB, 1146 * KB } },
	{ 8120, 8120, 0, SDA, OP_READ, 256 * KB, 4100000,
	  { 1 * MB, 1 * MB, 1 * MB, 8 * MB, 12 * MB, 20 * MB, 31 * MB, 31 * MB } },
	{ DD, DD, 77, NVME, OP_WRITE, 1 * MB, 310000,
	  { 12 * MB, 12 * MB, 12 * MB, 12 * MB, 12 * MB, 12 * MB, 12 * MB, 12 * MB } },
	{ 0, RESIDUAL_JOURNAL, JOURNAL, SDA, OP_WRITE, 64 * KB, 900000,
	  { 3174 * KB, 0, 3174 * KB, 0, 3174 * KB, 0, 3174 * KB, 0 } },
	{ 9001, 9001, 0, SDA, OP_WRITE, 4 * KB, 96000000,
	  { 0, 0, 0, 4 * KB, 0, 0, 0, 0 } },
};

struct actor {
	uint32_t tgid, tid, ppid, uid, prio, flags;
	char state;
	const char *comm, *command;
	double io;	/* share of its time it waits for I/O */
};

#define BE(level) (2u << 13 | (level))

static const struct actor actors[] = {
	{ 1, 1, 0, 0, 0, 0, 'S', "systemd", "/sbin/init", 0 },
	{ 77, 77, 2, 0, 0, TASK_KTHREAD, 'I', "kworker/u8:1", "", 0 },
	{ JOURNAL, JOURNAL, 2, 0, 0, TASK_KTHREAD, 'S', "jbd2/sda2-8", "", 0.01 },
	{ 2211, 2211, 1, 26, BE(4), 0, 'D', "postgres", "postgres: checkpointer", 0.713 },
	{ 2211, 2214, 1, 26, BE(4), 0, 'S', "postgres", "postgres: checkpointer", 0.02 },
	{ 8100, 8100, 1, 34, 0, 0, 'S', "bash", "-bash", 0 },
	{ 8120, 8120, 8100, 34, BE(7), 0, 'D', "rsync", "rsync -a /srv /mnt/backup", 0.93 },
	{ DD, DD, 8100, 0, BE(4), 0, 'R', "dd", "dd if=/dev/zero of=/srv/x bs=1M count=300",
	  0.124 },
	{ 9001, 9001, 1, 1000, 0, 0, 'S', "sh", "sh", 0 },
};

static const char hostile_comm[] = "e\033[2Jv\nil\xff";
static const char hostile_command[] =
	"evil \033]0;owned\007 \xe2\x80\xae"
	"rtl \xe6\x96\x87\xe4\xbb\xb6 e\xcc\x81 \xf0\x9f\x92\xbe\tend";

static uint64_t started(const struct actor *a)
{
	return (BOOTED - 3000 + a->tid % 1000) * SEC;
}

struct task_id scene_task(uint32_t tid)
{
	for (size_t i = 0; i < ARRAY_SIZE(actors); i++)
		if (actors[i].tid == tid)
			return (struct task_id){ actors[i].tgid, tid, started(&actors[i]) };
	return (struct task_id){ 0, tid, 0 };
}

/* Sum of a repeating pattern over the ticks 1 … n. */
static uint64_t total(const struct flow *f, unsigned n)
{
	uint64_t sum = 0;

	if (f->tid == DD && n > DD_END)
		n = DD_END;
	for (unsigned i = 1; i <= n; i++)
		sum += f->bytes[(i - 1) % ARRAY_SIZE(f->bytes)];
	return sum;
}

static void add_tasks(const struct scene *scene, struct sample *s, unsigned tick)
{
	for (size_t i = 0; i < ARRAY_SIZE(actors); i++) {
		const struct actor *a = &actors[i];
		struct sample_task *t;

		if (a->tid == DD && tick > DD_END)
			continue;
		t = sample_add_row(s, TASK, struct sample_task);
		t->id = scene_task(a->tid);
		t->ppid = a->ppid;
		t->uid = a->uid;
		t->state = a->state;
		t->ioprio = a->prio;
		t->cgroup = a->uid + 1;
		t->flags =
			a->flags | TASK_LISTED | (a->tid == DD && tick == DD_END ? TASK_ENDED : 0);
		t->have = (SRC_TASKS | SRC_TASKIO | SRC_DELAYS) & ~scene->off;
		t->comm = scene->hostile && a->tid == 9001 ? hostile_comm : a->comm;
		t->blkio_ns = (uint64_t)(a->io * tick * SEC);
		for (size_t k = 0; k < ARRAY_SIZE(flows); k++) {
			if (flows[k].tid != a->tid)
				continue;
			if (flows[k].op == OP_READ)
				t->read_bytes += total(&flows[k], tick);
			else
				t->write_bytes += total(&flows[k], tick);
		}
		if (a->tid == DD && tick == DD_END)
			t->exit = s->boot - SEC / 2;
	}
	for (unsigned i = 0; i < scene->idle; i++) {
		struct sample_task *t = sample_add_row(s, TASK, struct sample_task);

		t->id = (struct task_id){ 20000 + i, 20000 + i, (BOOTED - 500) * SEC };
		t->ppid = 1;
		t->uid = 1000;
		t->state = 'S';
		t->flags = TASK_LISTED;
		t->have = (SRC_TASKS | SRC_TASKIO | SRC_DELAYS) & ~scene->off;
		t->comm = "idle";
	}
}

static void add_io(const struct scene *scene, struct sample *s, unsigned tick)
{
	if (scene->off & SRC_BLOCK)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(flows); i++) {
		const struct flow *f = &flows[i];
		uint64_t bytes = total(f, tick);
		struct sample_io *io;

		if (!bytes)
			continue;
		io = sample_add_row(s, IO, struct sample_io);
		io->cause = scene_task(f->tid);
		io->submitter = scene_task(f->by ? f->by : f->tid);
		io->dev = f->dev;
		io->op = f->op;
		io->bytes = bytes;
		io->ios = io->done = bytes / f->size;
		io->lat_ns = io->done * f->latency;
		io->max_ns = f->latency * 3;
		if (scene->pattern)
			io->pattern_ios = io->ios;
		/* Reads go on from where they were, writes go here and there. */
		if (scene->pattern && f->op == OP_READ)
			io->sequential = io->ios / 10 * 9;
	}
	sample_source(s, SRC_PATTERN, scene->pattern ? SOURCE_ON : SOURCE_OFF, NULL);
}

static void add_disk(struct sample *s, uint32_t dev, const char *name, unsigned tick)
{
	struct sample_disk *d = sample_add_row(s, DISK, struct sample_disk);

	d->dev = d->whole = dev;
	d->flags = DISK_LOWEST;
	d->name = name;
	d->type = "disk";
	for (size_t i = 0; i < ARRAY_SIZE(flows); i++) {
		if (flows[i].dev != dev)
			continue;
		if (flows[i].op == OP_READ)
			d->rd_sectors += total(&flows[i], tick) / 512;
		else
			d->wr_sectors += total(&flows[i], tick) / 512;
	}
}

static void add_names(struct sample *s)
{
	static const struct {
		uint32_t uid;
		const char *user, *cgroup;
	} names[] = {
		{ 0, "root", "/" },
		{ 26, "postgres", "/system.slice/postgresql.service" },
		{ 34, "backup", "/user.slice/user-34.slice/session-2.scope" },
		{ 1000, "a-very-long-user-name", "/user.slice/user-1000.slice" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct sample_user *u = sample_add_row(s, USER, struct sample_user);
		struct sample_cgroup *g = sample_add_row(s, CGROUP, struct sample_cgroup);

		u->uid = names[i].uid;
		u->name = names[i].user;
		g->id = names[i].uid + 1;
		g->path = names[i].cgroup;
	}
}

static void add_system(const struct scene *scene, struct sample *s, unsigned tick)
{
	struct sample_system *sys;

	if (scene->unrecorded & SRC_SYSTEM)
		return;
	sys = sample_add_row(s, SYSTEM, struct sample_system);

	sys->host = "db1";
	sys->ncpu = 4;
	sys->delayacct = scene->off & SRC_DELAYS ? 0 : 1;
	sys->tasks = ARRAY_SIZE(actors) + scene->idle - (tick > DD_END);
	sys->page_size = 4096;
	sys->psi = 1;
	sys->psi_some_us = tick * 380000ULL;
	sys->psi_full_us = tick * 210000ULL;
	sys->vmstat = 1;
	sys->dirty = 5000 + tick;
	sys->writeback = 300;
	sys->dirty_threshold = 40000;
	sys->dirty_background_threshold = 20000;
	sys->refault_file = tick * 256ULL;
	sys->refault_anon = tick * 2ULL;
	sys->scan_direct = tick * 64ULL;
	sys->steal_direct = tick * 32ULL;
	sys->psi_memory = 1;
	sys->psi_memory_some_us = tick * 15000ULL;
	sys->psi_memory_full_us = tick * 5000ULL;
}

static void add_sources(const struct scene *scene, struct sample *s)
{
	static const struct {
		enum source source;
		const char *reason;
	} sources[] = {
		{ SRC_BLOCK, "no CAP_BPF: run as root" },
		{ SRC_TASKS, "no list of tasks" },
		{ SRC_TASKIO, "no I/O accounting" },
		{ SRC_DELAYS, "kernel.task_delayacct is 0 (^T switches it on)" },
		{ SRC_EXITS, "no CAP_NET_ADMIN" },
		{ SRC_DISKS, "/proc/diskstats cannot be read" },
		{ SRC_SYSTEM, "/proc/vmstat cannot be read" },
		{ SRC_CMDLINE, "/proc is hidden" },
		{ SRC_NAMES, "no names" },
	};

	for (unsigned i = 0; i < SRC_COUNT; i++)
		if (scene->unrecorded >> i & 1)
			sample_source(s, 1u << i, SOURCE_OFF, source_unrecorded);
	for (size_t i = 0; i < ARRAY_SIZE(sources); i++) {
		bool off = scene->off & sources[i].source;

		sample_source(s, sources[i].source, off ? SOURCE_OFF : SOURCE_ON,
			      off ? sources[i].reason : NULL);
	}
	sample_source(s, SRC_WAITS, SOURCE_OFF,
		      scene->off & SRC_DELAYS ? "no CAP_BPF: run as root" : NULL);
}

void scene_sample(const struct scene *scene, struct sample *s, unsigned tick)
{
	s->mono = s->boot = (BOOTED + tick) * SEC;
	s->real = (EPOCH + tick) * SEC;
	add_sources(scene, s);
	add_system(scene, s, tick);
	add_tasks(scene, s, tick);
	add_io(scene, s, tick);
	if (scene->disks) {
		scene_disks(scene, s, tick);
	} else if (!(scene->off & SRC_DISKS)) {
		add_disk(s, NVME, "nvme0n1", tick);
		add_disk(s, SDA, "sda", tick);
	}
	if (scene->stacks)
		scene_stacks(scene, s, tick);
	if (scene->layers)
		scene_layers(scene, s, tick);
	if (scene->mounts)
		scene_mounts(scene, s, tick);
	if (scene->memory)
		scene_memory(s, tick);
	if (scene->events)
		scene_events(scene, s, tick);
	if (scene->files)
		scene_files(scene, s, tick);
	if (scene->findings)
		scene_findings(scene, s, tick);
	if (scene->offcpu)
		scene_offcpu(scene, s, tick);
	add_names(s);
	sample_lose(s, "block.owners-full", tick >= 3 ? scene->lost : 0);
}

void scene_command(const struct scene *scene, struct sample *s, const struct task_id *id)
{
	const char *text = "idle --wait";
	struct sample_cmdline *c;

	for (size_t i = 0; i < ARRAY_SIZE(actors); i++)
		if (actors[i].tgid == id->tgid)
			text = actors[i].command;
	if (scene->hostile && id->tgid == 9001)
		text = hostile_command;
	c = sample_add_row(s, CMDLINE, struct sample_cmdline);
	c->id = *id;
	c->id.tid = c->id.tgid;
	c->args = text;
}

static unsigned source_of(const char *name)
{
	for (unsigned i = 0; i < SRC_COUNT; i++)
		if (!strcmp(source_name(1u << i), name))
			return 1u << i;
	return 0;
}

static bool source_off(struct scene *scene, const char *name)
{
	scene->off |= source_of(name);
	return source_of(name);
}

bool scene_word(struct scene *scene, const char *word)
{
	const struct {
		const char *name;
		bool *on;
	} parts[] = {
		{ "disks", &scene->disks },	{ "stacks", &scene->stacks },
		{ "hidden", &scene->hidden },	{ "layers", &scene->layers },
		{ "mounts", &scene->mounts },	{ "events", &scene->events },
		{ "offcpu", &scene->offcpu },	{ "files", &scene->files },
		{ "hostile", &scene->hostile }, { "findings", &scene->findings },
		{ "memory", &scene->memory },	{ "pattern", &scene->pattern },
	};

	if (!strncmp(word, "off=", 4))
		return source_off(scene, word + 4);
	if (!strncmp(word, "unrecorded=", 11)) {
		scene->unrecorded |= source_of(word + 11);
		return source_off(scene, word + 11);
	}
	if (sscanf(word, "idle=%u", &scene->idle) == 1 ||
	    sscanf(word, "lost=%u", &scene->lost) == 1 ||
	    sscanf(word, "turn=%u", &scene->turn) == 1)
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		if (strcmp(word, parts[i].name) != 0)
			continue;
		*parts[i].on = true;
		return true;
	}
	return false;
}

const struct model *scene_model(const struct scene *scene, struct engine *engine,
				struct sample *samples[2])
{
	const struct model *model = NULL;

	for (unsigned tick = 0; tick < 6; tick++) {
		struct sample **s = &samples[tick % 2];

		if (!*s)
			*s = sample_new();
		sample_reset(*s);
		scene_sample(scene, *s, tick);
		model = engine_advance(engine, *s, ~0u);
	}
	return model;
}

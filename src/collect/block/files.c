// SPDX-License-Identifier: GPL-2.0-or-later
/* The files behind the I/O. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/i18n.h"
#include "base/macro.h"
#include "bpf/block/files.skel.h"
#include "collect/block/attribution.h"
#include "collect/block/block.h"
#include "collect/block/mountpath.h"
#include "collect/block/task_refs.h"
#include "collect/block/views.h"
#include "collect/bpf/addresses.h"
#include "collect/bpf/counters.h"
#include "collect/bpf/programs.h"
#include "collect/collector.h"
#include "collect/probe_list.h"
#include "collect/set.h"

#define IDLE_ROUNDS 600	/* a file without I/O for so many samples makes room */
/*
 * What one task does to one file at one disk, for so many of the files whose owner is kept: at
 * least, and with its names 1.3 KiB each.
 */
#define FILES_PART 64
#define FILES_LEAST 64
#define FILES_IDLE 4096	/* with more of them those without I/O soon make room: all are read at
			 * each sample */

static const struct bpf_hook hooks[] = {
	BPF_TWO_FORMS(file_bio_queue, block_bio_queue, 1, 2),
	{ .program = "file_rq_complete", .point = "block_rq_complete", .args = 3 },
	{ .program = "file_bio_complete", .point = "block_bio_complete", .args = 2 },
};

_Static_assert((int)ABI_NO_FILE == NO_FILE && (int)ABI_FILE_METADATA == NO_FILE_METADATA &&
		       (int)ABI_FILE_DEVICE == NO_FILE_DEVICE &&
		       (int)ABI_FILE_BELOW == NO_FILE_BELOW,
	       "what is of no file");
_Static_assert(RESIDUAL_OUTSIDE < ABI_REF_FIRST, "no task ref is a residual");

struct files {
	struct collect_set *set;
	struct bpf_programs programs;
	struct files_bpf *skel;
	struct counters counters;
	struct block_attribution block;
	struct task_refs refs;
	struct mountpath mounts;
	struct views views;
	struct bpf_window dirty_window;
	bool dirty;		/* files with dirty pages are listed */
	bool begun;		/* a first sample was taken */
};

static void set_sizes(struct files *f)
{
	uint32_t files = block_files_max(collect_set_options(f->set));

	bpf_map__set_max_entries(f->skel->maps.fileios, MAX(files / FILES_PART, FILES_LEAST));
	bpf_map_grow(f->skel->maps.fileios);
	bpf_map__set_max_entries(f->skel->maps.file_flights, f->block.inflight_sets);
}

static int set_up(void *state, void *skel, struct err *err)
{
	struct files *f = state;

	f->skel = skel;
	set_sizes(f);
	addresses_set(collect_set_options(f->set)->proc, f->skel->rodata->addresses);
	f->skel->rodata->block_inflight_sets = f->block.inflight_sets;
	f->skel->rodata->block_anchor_at = f->block.anchor_at;
	f->skel->rodata->block_throttled_flag = f->block.throttled_flag;
	return block_attribution_share(&f->block, f->skel->obj, err);
}

#define NO_DIRTY N_("this kernel lets no program list dirty pages: DIRTY is not known")

BPF_PROGRAMS(files, .what = "the programs for files", .set_up = set_up);

static void files_close(void *state)
{
	struct files *f = state;

	counters_release(&f->counters);
	task_refs_release(&f->refs);
	mountpath_release(&f->mounts);
	views_release(&f->views);
	bpf_window_close(&f->dirty_window);
	bpf_programs_close(&f->programs);
	free(f);
}

/*
 * Has files with dirty pages listed, from a set of the block programs on, which it moves to the one
 * that is next. False: the kernel runs no such program (before 5.10).
 */
static bool dirty_list(const struct files *f, uint32_t *set)
{
	uint64_t args[] = { *set };
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = args, .ctx_size_in = sizeof(args));

	if (bpf_prog_test_run_opts(bpf_program__fd(f->skel->progs.dirty_files), &opts) < 0 ||
	    opts.retval <= *set)
		return false;
	*set = opts.retval;
	return true;
}

static int dirty_open(struct files *f, struct err *err)
{
	uint32_t set = 0;
	int r = bpf_window_open(&f->dirty_window, f->skel->maps.dirty_records,
				sizeof(struct abi_dirty));

	if (r < 0)
		return err_set(err, -r, "the list of dirty files cannot be mapped: %m");
	bpf_window_map_up_to(&f->dirty_window, f->dirty_window.size);
	f->dirty = dirty_list(f, &set);
	return 0;
}

static int files_open(struct collect_set *set, unsigned sources, void **ret_state, struct err *err)
{
	struct block_attribution block;
	struct files *f;
	int r;

	if (!block_attribution(set, &block))
		return err_set(err, ENOTSUP, N_("the block programs are not there"));
	f = *ret_state = mem_zalloc(sizeof(*f));
	f->set = set;
	f->block = block;
	bpf_programs_init(&f->programs, &files_programs);
	task_refs_init(&f->refs, block.refs);
	r = bpf_programs_load(&f->programs, f, err);
	if (r < 0)
		return r;
	counters_init(&f->counters, f->skel->maps.fileios);
	f->counters.full = MIN(f->counters.full, FILES_IDLE);
	r = dirty_open(f, err);
	if (r >= 0)
		r = bpf_programs_attach(&f->programs, sources, err);
	set_reads_counted(set, UINT64_MAX);
	return r;
}

struct reading {
	struct files *files;
	struct sample *sample;
	uint32_t interval;	/* number of the one that just ended */
	struct mountpath_told mount;
};

/*
 * Nobody knows any more whose a ref is that was given to another task: as many who are
 * unattributed.
 */
static struct task_id owner_of(struct files *f, uint32_t ref)
{
	const struct task_ref *owner = task_refs_get(&f->refs, ref);

	return owner ? owner->task : (struct task_id){ .tid = ref };
}

static struct blob read_hist(struct sample *s, const uint32_t hist[ABI_FILE_BUCKETS])
{
	size_t n = ABI_FILE_BUCKETS;
	uint64_t *counts;

	/* Empty buckets at the end are left out: a recording stays small. */
	while (n && !hist[n - 1])
		n--;
	counts = arena_new(&s->arena, uint64_t, n);
	for (size_t i = 0; i < n; i++)
		counts[i] = hist[i];
	return (struct blob){ .data = counts, .len = n * sizeof(*counts) };
}

static void file_row(void *arg, const void *key, const void *value)
{
	const struct abi_file_key *k = key;
	const struct abi_file *v = value;
	struct reading *r = arg;
	struct sample_file *row = sample_add_row(r->sample, FILE, struct sample_file);

	*row = (struct sample_file){
		.cause = owner_of(r->files, k->owner),
		.dev = k->dev,
		.sdev = k->sdev,
		.ino = k->ino,
		.read = v->read,
		.write = v->write,
		.rios = v->rios,
		.wios = v->wios,
		.done = v->done,
		.lat_ns = v->lat_ns,
		.untimed = v->untimed,
		.max_ns = bpf_longest_read(v->max, r->interval),
		.hist = read_hist(r->sample, v->hist),
		.flags = v->at.flags & ABI_FILE_DELETED ? FILE_DELETED : 0,
	};
	if (!k->sdev)
		return;
	row->path = mountpath_name(&r->files->mounts, r->sample, k->sdev, &v->at);
	row->seen = views_seen(&r->files->views, r->sample, &row->cause, k->sdev, &v->at, row->path,
			       NULL);
	mountpath_tell(&r->files->mounts, r->sample, k->sdev, &r->mount);
	row->mount = r->mount.point;
	row->fs = r->mount.fs;
}

static void dirty_row(struct reading *r, const struct abi_dirty *d)
{
	const struct task_ref *owner = task_refs_get(&r->files->refs, d->owner);
	struct sample_dirty *row = sample_add_row(r->sample, DIRTY, struct sample_dirty);

	*row = (struct sample_dirty){
		.cause = owner_of(r->files, d->owner),
		.dev = d->dev,
		.sdev = d->sdev,
		.ino = d->ino,
		.comm = owner ? sample_str(r->sample, owner->comm, sizeof(owner->comm)) : NULL,
		.flags = d->at.flags & ABI_FILE_DELETED ? FILE_DELETED : 0,
		.bytes = (uint64_t)d->pages * (uint64_t)sysconf(_SC_PAGESIZE),
	};
	if (!d->sdev)
		return;
	row->path = mountpath_name(&r->files->mounts, r->sample, d->sdev, &d->at);
	row->seen = views_seen(&r->files->views, r->sample, &row->cause, d->sdev, &d->at, row->path,
			       NULL);
	mountpath_tell(&r->files->mounts, r->sample, d->sdev, &r->mount);
	row->mount = r->mount.point;
	row->fs = r->mount.fs;
}

static void read_dirty(struct files *f, struct reading *r)
{
	const struct abi_dirty *records = f->dirty_window.memory;
	struct sample_rows *rows = &r->sample->tables[TABLE_DIRTY];
	uint32_t set = 0, sets = bpf_map__max_entries(f->block.inodes);

	f->skel->bss->dirty_named = 0;
	while (f->dirty && set < sets) {
		f->dirty = dirty_list(f, &set);
		for (uint32_t i = 0; f->dirty && i < f->skel->bss->dirty_listed; i++)
			dirty_row(r, &records[i]);
	}
	/* A part of them is not shown for all. */
	if (!f->dirty)
		rows->lacks = ~0ull >> (64 - sample_tables[TABLE_DIRTY].nfields);
}

/* Files for which there was no room: a row a disk. */
static void read_rest(struct files *f, struct sample *s)
{
	int fd = bpf_map__fd(f->skel->maps.files_rest);
	struct abi_file_rest rest;
	uint32_t dev, *before = NULL;

	while (!bpf_map_get_next_key(fd, before, &dev)) {
		before = &dev;
		if (bpf_map_lookup_elem(fd, &dev, &rest))
			continue;
		*sample_add_row(s, FILE, struct sample_file) = (struct sample_file){
			.cause = { .tid = RESIDUAL_UNATTRIBUTED },
			.dev = dev,
			.ino = NO_FILE_OTHER,
			.read = rest.read,
			.write = rest.write,
			.rios = rest.rios,
			.wios = rest.wios,
		};
	}
}

static int files_collect(void *state, struct sample *sample, struct err *err)
{
	struct files *f = state;
	struct reading r = { f, sample, .interval = f->skel->bss->epoch };
	const typeof(f->skel->progs) *progs = &f->skel->progs;
	int ret;

	if (!block_attribution_valid(f->set, f->block.anchor))
		return err_set(err, ENOTSUP, N_("the block programs are not there"));
	f->skel->bss->epoch = r.interval + 1;
	task_refs_round(&f->refs);
	mountpath_read(&f->mounts, collect_set_options(f->set)->proc);
	views_round(&f->views, collect_set_options(f->set)->proc,
		    collect_set_options(f->set)->helper);
	ret = counters_read(&f->counters, IDLE_ROUNDS, file_row, &r);
	if (ret < 0)
		return err_set(err, -ret, "the files cannot be read: %m");
	sample->counted = f->counters.read_ns;
	/* What is counted by now is the baseline, or of an interval that was watched in part. */
	if (!f->begun)
		set_reads_counted(f->set, clock_mono());
	f->begun = true;
	read_rest(f, sample);
	read_dirty(f, &r);
	sample_lose(sample, "files", f->skel->bss->files_full);
	sample_lose(sample, "files.missed",
		    bpf_program_misses(progs->file_bio_queue) +
			    bpf_program_misses(progs->file_bio_queue_q));
	sample_lose(sample, "files.ends-missed",
		    bpf_program_misses(progs->file_rq_complete) +
			    bpf_program_misses(progs->file_bio_complete));
	sample_source(sample, SRC_FILES, f->dirty ? SOURCE_ON : SOURCE_PART,
		      f->dirty ? NULL : NO_DIRTY);
	return 0;
}

static void files_probe(void *state, struct probe_list *list)
{
	struct files *f = state;

	bpf_hooks_probe(&f->programs.hooks, list);
	probe_add(list, "dirty pages", f->dirty, "%s", f->dirty ? "program, called" : NO_DIRTY);
	bpf_maps_probe(f->skel->obj, list);
}

const struct collector collector_files = {
	.name = "files",
	.bpf = true,
	.places = true,
	.provides = SRC_FILES,
	.privileges = PRIV_PROGRAMS | PRIV_TASKS,
	.open = files_open,
	.collect = files_collect,
	.probe = files_probe,
	.close = files_close,
};

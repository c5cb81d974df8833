// SPDX-License-Identifier: GPL-2.0-or-later
/* The files behind the I/O. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/libbpf.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/i18n.h"
#include "bpf/block/files.skel.h"
#include "collect/block/attribution.h"
#include "collect/block/block.h"
#include "collect/block/mountpath.h"
#include "collect/block/task_refs.h"
#include "collect/bpf/addresses.h"
#include "collect/bpf/counters.h"
#include "collect/bpf/programs.h"
#include "collect/collector.h"
#include "collect/set.h"

#define IDLE_ROUNDS 600	/* a file without I/O for so many samples makes room */
/*
 * What one task does to one file at one disk, for so many of the files whose owner is kept: at
 * least, and with its names 1 KiB each.
 */
#define FILES_PART 64
#define FILES_LEAST 64
#define FILES_IDLE 4096	/* with more of them those without I/O soon make room: all are read at
			 * each sample */

static const struct bpf_hook hooks[] = {
	BPF_TWO_FORMS(file_bio_queue, block_bio_queue, 1, 2),
};

struct files {
	struct collect_set *set;
	struct bpf_programs programs;
	struct files_bpf *skel;
	struct counters counters;
	struct block_attribution block;
	struct task_refs refs;
	struct mountpath mounts;
};

static void set_sizes(struct files *f)
{
	uint32_t files = block_files_max(collect_set_options(f->set));

	bpf_map__set_max_entries(f->skel->maps.fileios, MAX(files / FILES_PART, FILES_LEAST));
}

static int set_up(void *state, void *skel, struct err *err)
{
	struct files *f = state;

	f->skel = skel;
	set_sizes(f);
	addresses_set(collect_set_options(f->set)->proc, f->skel->rodata->addresses);
	f->skel->rodata->block_inflight_sets = f->block.inflight_sets;
	f->skel->rodata->block_anchor_at = f->block.anchor_at;
	return block_attribution_share(&f->block, f->skel->obj, err);
}

BPF_PROGRAMS(files, .what = "the programs for files", .set_up = set_up);

static void files_close(void *state)
{
	struct files *f = state;

	counters_release(&f->counters);
	task_refs_release(&f->refs);
	mountpath_release(&f->mounts);
	bpf_programs_close(&f->programs);
	free(f);
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
	return bpf_programs_attach(&f->programs, sources, err);
}

struct reading {
	struct files *files;
	struct sample *sample;
};

static void file_row(void *arg, const void *key, const void *value)
{
	const struct abi_file_key *k = key;
	const struct abi_file *v = value;
	struct reading *r = arg;
	const struct task_ref *owner = task_refs_get(&r->files->refs, k->owner);

	if (!owner)
		return;
	*sample_add_row(r->sample, FILE, struct sample_file) = (struct sample_file){
		.cause = owner->task,
		.dev = k->dev,
		.sdev = k->sdev,
		.ino = k->ino,
		.path = mountpath_name(&r->files->mounts, r->sample, k->sdev, &v->at),
		.read = v->read,
		.write = v->write,
	};
}

static int files_collect(void *state, struct sample *sample, struct err *err)
{
	struct files *f = state;
	struct reading r = { f, sample };
	int ret;

	if (!block_attribution_valid(f->set, f->block.anchor))
		return err_set(err, ENOTSUP, N_("the block programs are not there"));
	task_refs_round(&f->refs);
	mountpath_read(&f->mounts, collect_set_options(f->set)->proc);
	ret = counters_read(&f->counters, IDLE_ROUNDS, file_row, &r);
	if (ret < 0)
		return err_set(err, -ret, "the files cannot be read: %s", strerror(-ret));
	sample_lose(sample, "files", f->skel->bss->files_full);
	sample_lose(sample, "files.missed", bpf_hooks_misses(&f->programs.hooks, f->skel->obj));
	sample_source(sample, SRC_FILES, SOURCE_ON, NULL);
	return 0;
}

static void files_probe(void *state, struct probe_list *list)
{
	struct files *f = state;

	bpf_hooks_probe(&f->programs.hooks, list);
	bpf_maps_probe(f->skel->obj, list);
}

const struct collector collector_files = {
	.name = "files",
	.bpf = true,
	.provides = SRC_FILES,
	.privileges = PRIV_PROGRAMS,
	.open = files_open,
	.collect = files_collect,
	.probe = files_probe,
	.close = files_close,
};

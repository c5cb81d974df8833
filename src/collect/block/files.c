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
#include "collect/block/block.h"
#include "collect/block/mountpath.h"
#include "collect/block/task_refs.h"
#include "collect/bpf/addresses.h"
#include "collect/bpf/counters.h"
#include "collect/bpf/hooks.h"
#include "collect/collector.h"

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
	{ .program = "file_bio_queue", .point = "block_bio_queue", .args = 1 },
	{ .program = "file_bio_queue_q",
	  .point = "block_bio_queue",
	  .args = 2,
	  .first = "request_queue" },
};

struct files {
	struct collect_set *set;
	struct bpf_hooks hooks;
	struct files_bpf *skel;
	struct counters counters;
	struct block_causes block;
	struct causes causes;
	struct mountpath mounts;
};

static void set_sizes(struct files *f)
{
	uint32_t files = block_files_max(collect_set_options(f->set));

	bpf_map__set_max_entries(f->skel->maps.fileios, MAX(files / FILES_PART, FILES_LEAST));
}

/* In the maps of the block programs are the causes. */
static int share_causes(struct files *f)
{
	struct files_bpf *skel = f->skel;

	skel->rodata->block_flight_sets = f->block.flight_sets;
	skel->rodata->block_anchor_at = f->block.anchor_at;
	return block_causes_share(&f->block, skel->obj);
}

static int load(struct files *f, struct err *err)
{
	int r;

	do {
		files_bpf__destroy(f->skel);
		f->skel = files_bpf__open_opts(bpf_host_open_opts());
		if (!f->skel)
			return err_set(err, errno, "the programs for files cannot be read: %s",
				       strerror(errno));
		set_sizes(f);
		addresses_put(collect_set_options(f->set)->proc, f->skel->rodata->addresses);
		r = share_causes(f);
		if (r < 0)
			return err_set(err, -r, "the maps of the block programs: %s", strerror(-r));
		r = bpf_hooks_choose(&f->hooks, f->skel->obj, err);
		if (r < 0)
			return r;
		r = files_bpf__load(f->skel);
	} while (r < 0 && bpf_hooks_retry(&f->hooks, r, err));
	return r;
}

static void files_close(void *state)
{
	struct files *f = state;

	bpf_hooks_detach(&f->hooks);
	counters_release(&f->counters);
	causes_release(&f->causes);
	mountpath_release(&f->mounts);
	files_bpf__destroy(f->skel);
	free(f);
}

static int files_open(struct collect_set *set, unsigned wanted, void **ret_state, struct err *err)
{
	struct block_causes block;
	struct files *f;
	int r = bpf_host_check(err);

	if (r < 0)
		return r;
	if (!block_causes(set, &block))
		return err_set(err, ENOTSUP, N_("the block programs are not there"));
	f = mem_zalloc(sizeof(*f));
	f->set = set;
	f->block = block;
	bpf_hooks_init(&f->hooks, hooks, ARRAY_SIZE(hooks));
	causes_init(&f->causes, block.owners);
	r = load(f, err);
	if (!r) {
		counters_init(&f->counters, f->skel->maps.fileios);
		f->counters.full = MIN(f->counters.full, FILES_IDLE);
		r = bpf_hooks_attach(&f->hooks, f->skel->obj, wanted, err);
	}
	if (r < 0) {
		files_close(f);
		return r;
	}
	*ret_state = f;
	return 0;
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
	const struct cause *cause = causes_get(&r->files->causes, k->cause);

	if (!cause)
		return;
	*sample_add_row(r->sample, FILE, struct sample_file) = (struct sample_file){
		.cause = cause->task,
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
	struct block_causes now;
	int ret;

	/* The block collector may have been closed meanwhile, and its maps with it. */
	if (!block_causes(f->set, &now) || now.anchor != f->block.anchor)
		return err_set(err, ENOTSUP, N_("the block programs are not there"));
	causes_round(&f->causes);
	mountpath_read(&f->mounts, collect_set_options(f->set)->proc);
	ret = counters_read(&f->counters, IDLE_ROUNDS, file_row, &r);
	if (ret < 0)
		return err_set(err, -ret, "the files cannot be read: %s", strerror(-ret));
	sample_lose(sample, "files", f->skel->bss->files_full);
	sample_lose(sample, "files.missed", bpf_hooks_misses(&f->hooks, f->skel->obj));
	sample_source(sample, SRC_FILES, SOURCE_ON, NULL);
	return 0;
}

static void files_probe(void *state, struct probe_list *list)
{
	struct files *f = state;

	bpf_hooks_probe(&f->hooks, list);
	bpf_maps_probe(f->skel->obj, list);
}

const struct collector collector_files = {
	.name = "files",
	.provides = SRC_FILES,
	.privileges = PRIV_BPF | PRIV_SYMBOLS | PRIV_FILES,
	.open = files_open,
	.collect = files_collect,
	.probe = files_probe,
	.close = files_close,
};

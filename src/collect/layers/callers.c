// SPDX-License-Identifier: GPL-2.0-or-later
/* Whose the time at the layers is, as rows of a sample. */
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/clock.h"
#include "bpf/abi.h"
#include "bpf/layers/layers.skel.h"
#include "collect/layers/layers.h"

#define IDLE_ROUNDS 2	/* who did nothing for so many samples makes room; the model keeps what
			 * was */

#define WITH_FILES (ABI_CALLERS / 4 * 3)	/* counters of a task and a file */

struct reading {
	struct layers *l;
	struct sample *s;
	uint32_t interval;
	struct abi_names names, seen;
	struct mountpath_told mount;
};

/* n counters are in the map. A task matters more than its files: there is room for it without. */
static void make_room(struct layers *l, size_t n)
{
	l->skel->bss->callers_room = n < WITH_FILES ? WITH_FILES - n : 0;
	l->skel->bss->callers_made = 0;
}

void layers_callers_enable(struct layers *l, bool on)
{
	int fd = bpf_map__fd(l->skel->maps.callers);
	struct abi_caller_key key;

	if (on == l->callers)
		return;
	l->callers = on;
	make_room(l, 0);
	l->skel->bss->callers_enabled = on;
	layers_callers_close(l);
	while (!on && bpf_map_get_next_key(fd, NULL, &key) == 0)
		if (bpf_map_delete_elem(fd, &key) < 0)
			break;
	if (!on)
		return;
	counters_init(&l->caller_counters, l->skel->maps.callers);
	l->skel->bss->reads_compared = clock_mono();
}

void layers_callers_close(struct layers *l)
{
	counters_release(&l->caller_counters);
	mountpath_release(&l->mounts);
	views_release(&l->views);
}

/* Where its file is, and where the task sees it. */
static void set_paths(struct reading *r, const struct abi_caller_key *k, struct sample_caller *row)
{
	struct abi_names_key key = { .ino = k->ino, .sdev = k->sdev };
	int fd = bpf_map__fd(r->l->skel->maps.caller_files);
	bool overlaid;

	if (!k->ino)
		return;
	mountpath_tell(&r->l->mounts, r->s, k->sdev, &r->mount);
	row->mount = r->mount.point;
	row->fs = r->mount.fs;
	if (bpf_map_lookup_elem(fd, &key, &r->names) < 0)
		return;
	key.seen = 1;
	overlaid = r->l->skel->bss->overlays_seen &&
		   bpf_map_lookup_elem(fd, &key, &r->seen) == 0;
	row->path = mountpath_name(&r->l->mounts, r->s, k->sdev, &r->names);
	row->seen = views_seen(&r->l->views, r->s, &row->id, k->sdev, &r->names, row->path,
			       overlaid ? &r->seen : NULL);
}

static void caller_row(void *arg, const void *key, const void *value)
{
	const struct abi_caller_key *k = key;
	const struct abi_caller *c = value;
	struct reading *r = arg;
	const struct abi_layer_key *what;
	struct sample_caller *row;

	if (k->entry >= r->l->room)
		return;
	what = &r->l->entries[k->entry].key;
	row = sample_add_row(r->s, CALLER, struct sample_caller);
	*row = (struct sample_caller){
		.id = { .tgid = k->tgid, .tid = k->tid, .start = k->start }, .ino = k->ino,
		.sdev = k->sdev,
		.dev = what->dev, .layer = what->layer, .op = what->op,
		.is_block = what->is_block,
		.comm = sample_str(r->s, c->comm, sizeof(c->comm)),
		.count = c->count, .total_ns = c->total_ns, .bytes = c->bytes,
		.before_bytes = c->before_bytes,
		.max_ns = bpf_longest_read(c->max, r->interval),
	};
	set_paths(r, k, row);
}

void layers_callers_read(struct layers *l, struct sample *s, uint32_t interval)
{
	struct reading r = { .l = l, .s = s, .interval = interval };
	int ret;

	if (!l->callers)
		return;
	layers_map_entries(l);
	mountpath_read(&l->mounts, l->proc);
	views_round(&l->views, l->proc, l->helper);
	ret = counters_read(&l->caller_counters, IDLE_ROUNDS, caller_row, &r);
	make_room(l, l->caller_counters.n);
	sample_lose(s, "layers.callers", l->skel->bss->callers_full);
	sample_lose(s, "layers.files", l->skel->bss->callers_nameless);
	sample_source(s, SRC_CALLERS, ret < 0 ? SOURCE_OFF : SOURCE_ON,
		      ret < 0 ? strerror(-ret) : NULL);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Whose the time at the layers is, as rows of a sample. */
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/buf.h"
#include "bpf/abi.h"
#include "bpf/layers/layers.skel.h"
#include "collect/block/mountpath.h"
#include "collect/layers/layers.h"

#define IDLE_ROUNDS 2	/* who did nothing for so many samples makes room; the model keeps what
			 * was */

#define WITH_FILES (ABI_CALLERS / 4 * 3)	/* counters of a task and a file */

struct reading {
	struct layers *l;
	struct sample *s;
	uint32_t interval;
	struct mountpath mounts;
	struct abi_names names;
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
	counters_release(&l->caller_counters);
	while (!on && bpf_map_get_next_key(fd, NULL, &key) == 0)
		if (bpf_map_delete_elem(fd, &key) < 0)
			break;
	if (on)
		counters_init(&l->caller_counters, l->skel->maps.callers);
}

void layers_callers_close(struct layers *l)
{
	counters_release(&l->caller_counters);
}

/* NULL: unknown. */
static const char *path_of(struct reading *r, const struct abi_caller_key *k)
{
	struct abi_names_key key = { .ino = k->ino, .sdev = k->sdev };

	if (!k->ino ||
	    bpf_map_lookup_elem(bpf_map__fd(r->l->skel->maps.caller_files), &key, &r->names) < 0)
		return NULL;
	return mountpath_name(&r->mounts, r->s, k->sdev, &r->names);
}

static void caller_row(void *arg, const void *key, const void *value)
{
	const struct abi_caller_key *k = key;
	const struct abi_caller *c = value;
	struct reading *r = arg;
	const struct abi_layer_key *what;

	if (k->entry >= ABI_LAYER_ENTRIES)
		return;
	what = &r->l->entries[k->entry].key;
	*sample_add_row(r->s, CALLER, struct sample_caller) = (struct sample_caller){
		.id = { .tgid = k->tgid, .tid = k->tid, .start = k->start }, .ino = k->ino,
		.sdev = k->sdev,
		.dev = what->dev, .layer = what->layer, .op = what->op,
		.is_block = what->is_block,
		.comm = sample_str(r->s, c->comm, sizeof(c->comm)), .path = path_of(r, k),
		.count = c->count, .total_ns = c->total_ns, .bytes = c->bytes,
		.max_ns = bpf_longest(c->max, r->interval),
	};
}

void layers_callers_read(struct layers *l, struct sample *s, uint32_t interval)
{
	struct reading r = { .l = l, .s = s, .interval = interval };
	int ret;

	if (!l->callers)
		return;
	layers_map_entries(l);
	mountpath_read(&r.mounts, l->proc);
	ret = counters_read(&l->caller_counters, IDLE_ROUNDS, caller_row, &r);
	mountpath_release(&r.mounts);
	make_room(l, l->caller_counters.n);
	sample_lose(s, "layers.callers", l->skel->bss->callers_full);
	sample_lose(s, "layers.files", l->skel->bss->callers_nameless);
	sample_source(s, SRC_CALLERS, ret < 0 ? SOURCE_OFF : SOURCE_ON,
		      ret < 0 ? strerror(-ret) : NULL);
}

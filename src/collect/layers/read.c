// SPDX-License-Identifier: GPL-2.0-or-later
/* What the programs of the layers counted, as rows of a sample. */
#include "base/clock.h"
#include "base/macro.h"
#include "bpf/abi.h"
#include "bpf/layers/layers.skel.h"
#include "collect/bpf/iterator.h"
#include "collect/layers/layers.h"

_Static_assert((int)ABI_LAYER_SYSCALL == LAYER_SYSCALL && (int)ABI_LAYER_FS == LAYER_FS, "layers");
_Static_assert((int)ABI_LAYER_CACHE == LAYER_CACHE, "layers");
_Static_assert((int)ABI_LAYER_DEVICE == LAYER_DEVICE && (int)ABI_LAYERS == LAYER_COUNT, "layers");
_Static_assert((int)ABI_LAYER_READ == LAYER_READ && (int)ABI_LAYER_FSYNC == LAYER_FSYNC,
	       "operations");
_Static_assert((int)ABI_LAYER_FLUSH == LAYER_FLUSH && (int)ABI_LAYER_OPS == LAYER_OP_COUNT,
	       "operations");

/* What is going on at one entry. */
struct running {
	uint64_t n, sum_ns, max_ns;
};

struct reading {
	struct layers *l;
	struct sample *s;
	uint32_t interval;
	struct running *running;	/* by entry */
};

static void add_running(void *arg, const void *record)
{
	const struct abi_layer_running *one = record;
	struct reading *r = arg;
	struct running *to;
	uint64_t now = clock_mono(), ns = now > one->start ? now - one->start : 0;

	if (!one->start || !one->entry || one->entry >= r->l->room || ns < r->l->min_ns)
		return;
	to = &r->running[one->entry];
	to->n++;
	to->sum_ns += ns;
	to->max_ns = MAX(to->max_ns, ns);
}

static void read_entry(struct reading *r, uint32_t entry)
{
	const struct abi_layer_entry *p = &r->l->entries[entry];
	const struct running *running = &r->running[entry];
	struct abi_hist *hist = arena_new(&r->s->arena, struct abi_hist, 1);
	struct sample_layer sum = {
		.dev = p->key.dev,
		.layer = p->key.layer,
		.op = p->key.op,
		.is_block = p->key.is_block,
		.running = running->n,
		.running_ns = running->sum_ns,
		.max_ns = running->max_ns,
	};

	for (uint32_t i = 0; i < r->l->stripes; i++) {
		const struct abi_layer *stat = &r->l->stats[entry * r->l->stripes + i];

		sum.count += stat->count;
		sum.total_ns += stat->total_ns;
		sum.running_ns += stat->before_ns;
		sum.max_ns = MAX(sum.max_ns, bpf_longest_read(stat->max, r->interval));
		for (unsigned k = 0; k < ABI_HIST_BUCKETS; k++)
			hist->count[k] += stat->hist.count[k];
	}
	if (!sum.count && !sum.running_ns && !sum.running)
		return;
	sum.hist = (struct blob){ .data = hist->count, .len = sizeof(hist->count) };
	if (p->fs[0])
		sum.fs = sample_str(r->s, p->fs, sizeof(p->fs));
	*sample_add_row(r->s, LAYER, struct sample_layer) = sum;
}

void layers_map_entries(struct layers *l)
{
	size_t entries = MIN(l->skel->bss->entry_places.taken + 1, l->room);

	bpf_window_map_up_to(&l->entry_window, entries * sizeof(*l->entries));
}

void layers_read(struct layers *l, struct sample *s, uint32_t interval, struct bpf_link *list)
{
	struct reading *r = arena_new(&s->arena, struct reading, 1);
	struct abi_layer_running records[256];
	uint32_t entries = (uint32_t)MIN(l->skel->bss->entry_places.taken + 1, l->room);
	uint64_t begin;

	r->l = l;
	r->s = s;
	r->interval = interval;
	r->running = arena_new(&s->arena, struct running, l->room);
	/* Before the counters: what ends in between is counted twice for a moment, and not lost. */
	if (list)
		bpf_iterator_run(list, records, sizeof(*records), ARRAY_SIZE(records), add_running,
				 r);
	begin = clock_mono();
	layers_map_entries(l);
	bpf_window_map_up_to(&l->stat_window, (size_t)entries * l->stripes * sizeof(*l->stats));
	for (uint32_t i = 1; i < entries; i++)
		if (l->entries[i].key.dev || l->entries[i].key.layer || l->entries[i].key.op)
			read_entry(r, i);
	s->counted = begin / 2 + clock_mono() / 2;
}

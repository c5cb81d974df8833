/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the disk state to the model's rows: names, the stack of devices, amplification. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/units.h"
#include "base/utf8.h"
#include "data/disk/disk_heat.h"
#include "data/disk/disk_load.h"
#include "data/disk/disk_state.h"
#include "data/disk/topology.h"
#include "data/model.h"
#include "data/names.h"

/* What a disk told of its limits is shown for so long (ns): it is asked each 10 s. */
#define LIMITS_LAST (25 * NSEC_PER_SEC)

/* What build() works with: one sample's. */
struct build {
	struct disk_state *st;
	struct model *m;
	struct names *names;
	struct topology topology;
};

/* A disk that is seldom looked at and often there in numbers. */
static bool is_spare(const struct disk_row *r)
{
	return !r->size || !strncmp(r->name, "loop", 4) || !strncmp(r->name, "ram", 3);
}

static unsigned row_flags(const struct disk_state *st, const struct disk_entry *e,
			  const struct disk_row *r)
{
	unsigned flags = 0, tick = st->disks->tick;

	if (e->alive_tick != tick)
		flags |= ROW_ENDED;
	if (e->first_tick == tick && tick > 1)
		flags |= ROW_NEW;
	if (is_spare(r) && (!e->c.active || tick - e->c.active > HISTORY_TICKS))
		flags |= ROW_UNASKED;
	return flags;
}

static unsigned row_have(const struct model *m, const struct disk_entry *e)
{
	unsigned have = 0;
	bool unseen = !e->maps.ever && disk_has_moved(disk_sum(e));

	if (e->stats.seen)
		have |= SRC_DISKS;
	/*
	 * A disk whose I/O the block programs do not see: they have nothing to say about it, which
	 * is not zero.
	 */
	if (e->maps.seen || (m->have & SRC_BLOCK && !(e->flags & DISK_PARTITION) && !unseen))
		have |= SRC_BLOCK;
	if (have & SRC_BLOCK)
		have |= m->have & SRC_PATTERN;
	if (e->hists || (have & SRC_BLOCK && m->have & SRC_HIST))
		have |= SRC_HIST;
	return have;
}

static void row_hists(struct disk_row *r, const struct disk_entry *e)
{
	if (!e->hists)
		return;
	r->hist = &e->hists->now;
	r->hist_sum = &e->hists->sum;
	r->heat = e->heat;
}

static void row_fill(const struct build *b, struct disk_row *r, struct disk_entry *e)
{
	const struct names_disk *d = names_disk(b->names, e->dev);

	r->dev = e->dev;
	r->whole = d->whole;
	r->flags = e->flags;
	r->major = e->dev >> 20;
	r->minor = e->dev & 0xfffff;
	r->name = d->name;
	r->disk = names_disk_people(b->names, e->dev);
	r->file = d->label && strchr(d->label, '/') ? d->label : NULL;
	r->in_flight = disk_in_flight(e);
	r->tags_told = e->maps.tags_told;
	r->limits_told = e->limits_told;
	if (b->st->mono - e->limits_at <= LIMITS_LAST)
		r->limits = e->limits;
	r->slow = NAN;
	if (e->usual.usual_ns) {
		r->usual_ns = e->usual.usual_ns / e->usual.ios;
		r->slow = (double)e->usual.device_ns / (double)e->usual.usual_ns;
	}
	r->row.key = e->serial << 32 | e->dev;
	r->row.name = r->disk;
	r->row.history = &e->history;
	r->row.have = row_have(b->m, e);
	for (size_t i = 0; i < 4; i++)
		r->amp[i / 2][i % 2] = NAN;
	row_hists(r, e);
}

static const char *const *names_of(const struct build *b, struct topo_node *const *nodes, size_t n)
{
	const char **ret = arena_new(&b->m->arena, const char *, n);

	for (size_t i = 0; i < n; i++)
		ret[i] = names_disk_people(b->names, nodes[i]->dev);
	return ret;
}

static size_t mounts_add(const struct build *b, const char **out, const char *mounts)
{
	size_t n = 0;

	for (const char *p = mounts; p && *p; p += strspn(p, "\n")) {
		size_t len = strcspn(p, "\n");

		if (out && len)
			out[n] = utf8_clean(&b->m->arena, p, len);
		n += len > 0;
		p += len;
	}
	return n;
}

/* Its own mount points, and those of its partitions, which are often folded away. */
static void row_mounts(const struct build *b, struct disk_row *r, const struct topo_node *node)
{
	size_t n = mounts_add(b, NULL, node->disk->mounts);
	const char **mounts;

	for (size_t i = 0; i < node->nabove; i++)
		if (node->above[i]->disk->flags & DISK_PARTITION)
			n += mounts_add(b, NULL, node->above[i]->disk->mounts);
	mounts = arena_new(&b->m->arena, const char *, n);
	n = mounts_add(b, mounts, node->disk->mounts);
	for (size_t i = 0; i < node->nabove; i++)
		if (node->above[i]->disk->flags & DISK_PARTITION)
			n += mounts_add(b, mounts + n, node->above[i]->disk->mounts);
	r->mounts = mounts;
	r->nmounts = n;
}

static void row_topology(const struct build *b, struct disk_row *r, const struct topo_node *node)
{
	const struct sample_disk *d = node->disk;

	r->size = d->size;
	r->type = d->type ? utf8_clean(&b->m->arena, d->type, strlen(d->type)) : NULL;
	r->sched = d->sched ? utf8_clean(&b->m->arena, d->sched, strlen(d->sched)) : NULL;
	r->below = names_of(b, node->below, node->nbelow);
	r->nbelow = node->nbelow;
	r->above = names_of(b, node->above, node->nabove);
	r->nabove = node->nabove;
	row_mounts(b, r, node);
}

/* Which bytes: of the interval or since the start, read or written. */
struct which {
	bool sum;
	unsigned op;
};

static uint64_t node_bytes(const struct topo_node *node, const void *arg)
{
	const struct disk_row *r = node->user;
	const struct which *w = arg;
	const struct disk_counters *c;

	if (!r)
		return 0;
	c = w->sum ? r->row.sum : r->row.now;
	return c->op[w->op].bytes;
}

/* "r 1.00 w 2.00"; of what is unknown nothing. */
static const char *amp_text(struct arena *a, const double amp[2])
{
	char text[2][40] = { "", "" }, number[32];

	for (size_t i = 0; i < 2; i++) {
		if (isnan(amp[i]))
			continue;
		unit_format(number, sizeof(number), UNIT_RATIO, amp[i], NULL);
		snprintf(text[i], sizeof(text[i]), "%c %s", i ? 'w' : 'r', number);
	}
	if (!*text[0] && !*text[1])
		return NULL;
	return arena_printf(a, "%s%s%s", text[0], *text[0] && *text[1] ? " " : "", text[1]);
}

/* Of several devices on it the first that carries something more. */
static const struct row *turned_parent(const struct topo_node *node)
{
	for (size_t i = 0; i < node->nabove; i++)
		if (node->above[i]->nabove)
			return node->above[i]->user;
	return node->nabove ? node->above[0]->user : NULL;
}

/* Partitions with nothing on them are seldom worth a line. */
static bool only_partitions(const struct topo_node *node)
{
	for (size_t i = 0; i < node->nabove; i++)
		if (node->above[i]->nabove || !(node->above[i]->disk->flags & DISK_PARTITION))
			return false;
	return node->nabove;
}

/*
 * A device on several disks hangs below the first, as its other parents name it too; turned over, a
 * disk below the first on it.
 */
static void rows_link(const struct build *b)
{
	for (size_t i = 0; i < b->topology.n; i++) {
		const struct topo_node *node = &b->topology.nodes[i];
		struct disk_row *r = node->user;

		if (!r)
			continue;
		r->row.parent = node->nbelow ? node->below[0]->user : NULL;
		r->row.turned_parent = turned_parent(node);
		if (only_partitions(node))
			r->row.flags |= ROW_FOLDED;
		for (size_t k = 0; k < 4; k++) {
			struct which w = { .sum = k / 2, .op = k % 2 ? OP_WRITE : OP_READ };

			r->amp[k / 2][k % 2] = topology_amplification(node, node_bytes, &w);
		}
		for (size_t k = 0; k < 2; k++)
			r->amp_text[k] = amp_text(&b->m->arena, r->amp[k]);
	}
}

static void build(void *state, struct model *m, const struct sample *cur)
{
	struct build b = { .st = state, .m = m, .names = engine_name_table(m->engine) };
	struct disk_entry *e;

	disk_state_update(b.st, m, engine_get_options(m->engine)->accumulated);
	disk_heat_update(b.st, m);
	topology_build(&b.topology, &m->arena, cur);
	counter_table_each(b.st->disks, e) {
		struct topo_node *node = topology_find(&b.topology, e->dev);
		struct disk_row *r;

		if (!disk_entry_shown(b.st->disks, e) || !names_disk(b.names, e->dev)->shown)
			continue;
		r = model_add_counted(m, ENTITY_DISK, &e->c);
		row_fill(&b, r, e);
		if (node) {
			node->user = r;
			row_topology(&b, r, node);
		}
		r->row.flags = row_flags(b.st, e, r);
	}
	rows_link(&b);
	topology_release(&b.topology);
}

const struct entity entity_disk = {
	.name = "disk",
	.row_size = sizeof(struct disk_row),
	.nsum = DISK_COUNTERS_SUM,
	.nmax = DISK_COUNTERS_MAX,
	.columns = disk_columns,
	.needs = SRC_DISKS,
	.hangs = true,
	.turns = true,
	.groups = 1u << GROUP_NONE,
	.state_new = disk_state_new,
	.state_free = disk_state_free,
	.build = build,
};

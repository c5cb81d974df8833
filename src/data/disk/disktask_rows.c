/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who is on which disk: the links of the task rows, added up by process, disk and operation.
 * Nothing is kept from tick to tick.
 */
#include "base/hash.h"
#include "data/disk/disk.h"
#include "data/model.h"
#include "data/names.h"
#include "data/task/task.h"

/* A row while it is added up; in the model's arena. */
struct sums {
	struct {
		uint64_t process;	/* the task rows' number for it */
		uint32_t dev, op;
	} key;				/* hash key */
	struct disktask_row *row;
	struct disktask_counters now, sum, all_now, all_sum;
};

/* Residuals are no process: each is one of its own, with a number that no process has. */
static uint64_t process_of(const struct task_row *t)
{
	return t->id.start ? t->process : UINT64_MAX - t->id.tid;
}

static struct sums *sums_new(struct model *m, const struct sums *probe, const struct task_row *t,
			     struct names *names)
{
	struct sums *s = arena_new(&m->arena, struct sums, 1);
	struct disktask_row *r = model_add_row(m, ENTITY_DISKTASK);

	s->key = probe->key;
	s->row = r;
	r->row.key = hash_bytes(&s->key, sizeof(s->key));
	r->row.now = &s->now;
	r->row.sum = &s->sum;
	r->row.have = m->have | SRC_BLOCK;
	r->row.flags = (t->row.flags & (ROW_ENDED | ROW_RESIDUAL | ROW_KTHREAD)) | ROW_QUIET |
		       ROW_UNSELECTED;
	r->row.members = 0;
	r->all_now = &s->all_now;
	r->all_sum = &s->all_sum;
	r->pid = t->id.start ? t->id.tgid : 0;
	r->comm = r->row.name = task_leader(t)->comm;
	if (r->pid)
		r->row.name = arena_printf(&m->arena, "%s %u", r->comm, t->id.tgid);
	r->dev = s->key.dev;
	r->op = s->key.op;
	r->major = s->key.dev >> 20;
	r->minor = s->key.dev & 0xfffff;
	r->disk = names_disk_people(names, s->key.dev);
	return s;
}

static void counters_add(struct disktask_counters *to, const struct io_counters *from)
{
	to->ios += from->ios;
	to->bytes += from->bytes;
	to->done += from->done;
	to->lat_ns += from->lat_ns;
	to->held_unseen += from->held_unseen;
	to->max_ns = MAX(to->max_ns, from->max_ns);
}

static void link_add(struct model *m, struct hash *all, const struct task_row *t,
		     const struct task_link *l, struct names *names)
{
	struct sums probe = { .key = { process_of(t), l->disk->whole, l->op } };
	struct sums *s = hash_get(all, &probe.key);

	if (!s) {
		s = sums_new(m, &probe, t, names);
		hash_put(all, s);
	}
	if (!(t->row.flags & ROW_ENDED))
		s->row->row.flags &= ~(unsigned)ROW_ENDED;
	s->row->row.members++;
	counters_add(&s->all_now, l->now);
	counters_add(&s->all_sum, l->sum);
	if (!(t->row.flags & ROW_UNSELECTED)) {
		counters_add(&s->now, l->now);
		counters_add(&s->sum, l->sum);
		s->row->row.flags &= ~(unsigned)ROW_UNSELECTED;
	}
}

static void build(_unused_ void *state, struct model *m, _unused_ const struct sample *cur)
{
	bool submitter = engine_get_options(m->engine)->attribute == ATTRIBUTE_SUBMITTER;
	struct names *names = engine_name_table(m->engine);
	struct hash all;
	const struct task_row *t;

	hash_init(&all, offsetof(struct sums, key), sizeof(((struct sums *)0)->key));
	row_each(t, &m->rows[ENTITY_TASK]) {
		const struct task_link *l = submitter ? t->submitted : t->caused;

		for (; l; l = submitter ? l->next_submitted : l->next_caused)
			if ((l->sum->ios || l->sum->bytes || l->sum->done) && l->disk->shown)
				link_add(m, &all, t, l, names);
	}
	hash_release(&all);
}

const struct entity entity_disktask = {
	.name = "disktask",
	.row_size = sizeof(struct disktask_row),
	.nsum = DISKTASK_COUNTERS_SUM,
	.nmax = DISKTASK_COUNTERS_MAX,
	.columns = disktask_columns,
	.needs = SRC_BLOCK,
	.derived = true,
	.load_average = true,
	.build = build,
};

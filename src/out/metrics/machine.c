// SPDX-License-Identifier: GPL-2.0-or-later
/* What is wrong, what was lost, which sources there are. */
#include <string.h>

#include "data/finding/finding.h"
#include "out/metrics/state.h"

#define FINDINGS 64	/* at most; the worst come first */

/* "rsync 4711" is "rsync": a process id would make a new series each time. */
static void label_who(struct buf *out, const char *who)
{
	const char *space = strrchr(who, ' ');
	struct buf name = { 0 };

	if (space && space[1] && !space[1 + strspn(space + 1, "0123456789")])
		buf_putn(&name, who, (size_t)(space - who));
	else
		buf_puts(&name, who);
	label_put(out, "who", name.data ? name.data : "");
	buf_release(&name);
}

static const char *disk_of(const struct finding_row *f)
{
	for (size_t i = 0; i < f->ntexts; i++)
		if (!strcmp(f->texts[i].key, "disk"))
			return f->texts[i].text;
	return NULL;
}

static void add_findings(struct metrics *x, const struct model *m)
{
	const struct row_list *list = &m->rows[ENTITY_FINDING];

	for (size_t i = 0; i < MIN(list->n, FINDINGS); i++) {
		const struct finding_row *f = (const struct finding_row *)list->rows[i];
		struct buf labels = { 0 };
		struct series *s;
		bool more;

		label_put(&labels, "name", f->name);
		label_put(&labels, "severity", severity_names[f->severity]);
		if (disk_of(f))
			label_put(&labels, "disk", disk_of(f));
		if (f->who)
			label_who(&labels, f->who);
		/* Of two with the same labels the older. */
		s = series_find(&x->series, SET_FINDING, labels.data);
		more = s && s->tick == x->series.tick;
		s = series_get(&x->series, SET_FINDING, labels.data);
		s->values[FINDING_ACTIVE] = 1;
		s->values[FINDING_SINCE] = more ? MIN(s->values[FINDING_SINCE], f->since_ns)
						: f->since_ns;
		buf_release(&labels);
	}
}

static void add_losses(struct metrics *x, const struct model *m)
{
	for (size_t i = 0; i < m->nlosses; i++) {
		struct buf labels = { 0 };
		struct series *s;

		label_put(&labels, "kind", m->losses[i].name);
		s = series_get(&x->series, SET_LOST, labels.data);
		s->values[0] = MAX(s->values[0], m->losses[i].total);
		buf_release(&labels);
	}
}

/* What nobody asked for is off without a reason. */
static void add_sources(struct metrics *x, const struct model *m)
{
	for (unsigned i = 0; i < SRC_COUNT; i++) {
		const struct model_source *source = &m->sources[i];
		struct buf labels = { 0 };
		struct series *s;

		if (!(x->sources & 1u << i) || (source->state == SOURCE_OFF && !source->reason))
			continue;
		label_put(&labels, "source", source_name((enum source)(1u << i)));
		s = series_get(&x->series, SET_SOURCE, labels.data);
		s->values[SOURCE_UP] = source->state != SOURCE_OFF;
		s->values[SOURCE_IN_PART] = source->state == SOURCE_PART;
		buf_release(&labels);
	}
}

static bool has_gone(struct series *s, void *arg)
{
	const struct series_table *t = arg;

	return s->set == SET_FINDING && s->tick != t->tick;
}

void metrics_of_machine(struct metrics *x, const struct model *m)
{
	struct series *s;

	add_findings(x, m);
	add_losses(x, m);
	add_sources(x, m);
	s = series_get(&x->series, SET_SELF, "");
	s->values[SELF_SAMPLES]++;
	s->values[SELF_INTERVAL] = (uint64_t)(m->interval * 1e9);
	s->values[SELF_TIME] = m->real_ns;
	s->values[SELF_LIMIT] = x->max_series;
	series_get(&x->series, SET_BUILD, "version=\"" PACKAGE_VERSION "\"")->values[0] = 1;
	for (size_t i = 0; i < x->series.sets[SET_FINDING].n; i++)
		if (has_gone(x->series.sets[SET_FINDING].items[i], &x->series)) {
			series_drop(&x->series, has_gone, &x->series);
			break;
		}
}

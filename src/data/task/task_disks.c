// SPDX-License-Identifier: GPL-2.0-or-later
#include "data/task/task_disks.h"

#include <string.h>

#include "base/utf8.h"
#include "data/names.h"
#include "data/task/task_links.h"

static void disks_add(struct task_row *row, const struct task_disk *disk, size_t room,
		      struct arena *a)
{
	size_t i = 0;

	while (i < row->ndisks && row->disks[i].dev != disk->dev)
		i++;
	if (i == row->ndisks) {
		if (!row->disks)
			row->disks = arena_new(a, struct task_disk, room);
		row->disks[row->ndisks++] = *disk;
		return;
	}
	row->disks[i].now += disk->now;
	row->disks[i].sum += disk->sum;
}

/* Most in the interval; where nothing was done in it, most since the start. */
static const char *busiest(const struct task_row *row)
{
	const struct task_disk *best = row->disks;

	for (size_t i = 1; i < row->ndisks; i++) {
		const struct task_disk *d = &row->disks[i];

		if (d->now != best->now ? d->now > best->now : d->sum > best->sum)
			best = d;
	}
	return best ? best->name : NULL;
}

void task_disks_set(struct task_row *row, const struct task_entry *e, enum attribute attribute,
		    struct arena *a)
{
	bool submitter = attribute == ATTRIBUTE_SUBMITTER;
	const struct link_entry *first = submitter ? e->submitted : e->caused, *l;
	size_t n = 0;

	for (l = first; l; l = submitter ? l->next_submitted : l->next_caused)
		n += l->lowest;
	for (l = first; l; l = submitter ? l->next_submitted : l->next_caused) {
		const struct task_disk disk = {
			.dev = l->link.dev,
			.name = l->link.disk->name,
			.now = l->link.now->read + l->link.now->write,
			.sum = l->link.sum->read + l->link.sum->write,
		};

		if (l->lowest)
			disks_add(row, &disk, n, a);
	}
	row->disk = busiest(row);
}

const char *task_server_mount(struct model *m, uint32_t dev)
{
	sample_each(m->cur, MOUNT, const struct sample_mount, s)
		if (dev && s->dev == dev)
			return utf8_clean(&m->arena, s->point, strlen(s->point));
	return NULL;
}

const struct sample_disk *task_frozen_disk(const struct model *m, uint32_t dev)
{
	sample_each(m->cur, DISK, const struct sample_disk, d)
		if (d->dev == dev || d->own == dev)
			return d;
	return NULL;
}

void task_disks_join(struct task_row *group, struct arena *a)
{
	size_t room = 0;

	for (uint32_t i = 0; i < group->row.members; i++)
		room += ((const struct task_row *)group->row.parts[i])->ndisks;
	group->disks = NULL;
	group->ndisks = 0;
	for (uint32_t i = 0; i < group->row.members; i++) {
		const struct task_row *t = (const struct task_row *)group->row.parts[i];

		for (size_t k = 0; k < t->ndisks; k++)
			disks_add(group, &t->disks[k], room, a);
	}
	group->disk = busiest(group);
	for (size_t i = 0; i < group->row.members && !group->disk; i++)
		group->disk = ((const struct task_row *)group->row.parts[i])->disk;
}

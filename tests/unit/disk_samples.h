/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hand-written samples of disks, and what the model says of them. For the tests of disks only. */
#ifndef IOTOP_TESTS_DISK_SAMPLES_H
#define IOTOP_TESTS_DISK_SAMPLES_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/disk/disk.h"
#include "samples.h"

#define SEC NSEC_PER_SEC
#define MS 1000000u
#define DEV(major, minor) ((uint32_t)(major) << 20 | (minor))
#define SDA DEV(8, 0)
#define SDA1 DEV(8, 1)
#define SDB DEV(8, 16)
#define MD0 DEV(9, 0)
#define WANTED (SRC_TASKS | SRC_BLOCK | SRC_HIST | SRC_DISKS)

static inline struct sample_disk *disk(struct sample *s, uint32_t dev, const char *name,
				       const char *below)
{
	struct sample_disk *d = sample_add_row(s, DISK, struct sample_disk);

	*d = (struct sample_disk){
		.dev = dev,
		.whole = dev,
		.name = name,
		.below = below,
		.flags = below ? 0 : DISK_LOWEST,
		.size = 1 << 30,
	};
	return d;
}

static inline struct sample_disk *partition(struct sample *s, uint32_t dev, uint32_t whole,
					    const char *name)
{
	struct sample_disk *d = disk(s, dev, name, NULL);

	d->whole = whole;
	d->flags = DISK_PARTITION;
	d->type = "part";
	return d;
}

/* ios requests of 4 KiB that took ms each. */
static inline struct sample_diskop *diskop(struct sample *s, uint32_t dev, uint32_t op,
					   uint64_t ios, uint64_t ms)
{
	struct sample_diskop *o = sample_add_row(s, DISKOP, struct sample_diskop);
	uint64_t *hist = arena_new(&s->arena, uint64_t, HIST_BUCKETS);

	hist[hist_bucket(ms * MS)] = ios;
	*o = (struct sample_diskop){
		.dev = dev, .op = op, .ios = ios, .bytes = ios * 4096, .lat_ns = ios * ms * MS,
		.queue_ns = ios * ms * MS / 4,
		.device_ns = ios * ms * MS / 4 * 3, .max_ns = ms * MS,
		.hist = { hist, HIST_BUCKETS * sizeof(*hist) },
	};
	return o;
}

static inline const struct model *advance(struct sample *s)
{
	return engine_advance(engine, s, WANTED);
}

static inline const struct disk_row *row_of(const struct model *m, const char *name)
{
	for (size_t i = 0; i < m->rows[ENTITY_DISK].n; i++) {
		const struct disk_row *r = (const struct disk_row *)m->rows[ENTITY_DISK].rows[i];

		if (!strcmp(r->name, name))
			return r;
	}
	return NULL;
}

static inline struct value cell(const struct model *m, const char *name, const char *key)
{
	const struct disk_row *r = row_of(m, name);

	ck_assert_msg(r, "no disk %s", name);
	return column_value(entity_column(&entity_disk, key), &r->row, m, SPAN_TICK, &unit_texts);
}

static inline double number(const struct model *m, const char *name, const char *key)
{
	struct value v = cell(m, name, key);
	double d = NAN;

	ck_assert_msg(value_number(&v, &d), "%s of %s is no number", key, name);
	return d;
}

static inline bool is_none(const struct model *m, const char *name, const char *key)
{
	return cell(m, name, key).kind == VAL_NONE;
}

/* keys: with blanks between them. */
static inline void check_none(const struct model *m, const char *name, const char *keys)
{
	char words[128], *save;

	snprintf(words, sizeof(words), "%s", keys);
	for (const char *key = strtok_r(words, " ", &save); key; key = strtok_r(NULL, " ", &save))
		ck_assert_msg(is_none(m, name, key), "%s of %s", key, name);
}

#endif

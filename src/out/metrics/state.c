// SPDX-License-Identifier: GPL-2.0-or-later
#include "out/metrics/state.h"

#include <string.h>

#include "data/histogram.h"
#include "data/names.h"

/* Powers of two of ns, from 33 µs to 8.6 s: every second one where disks seldom are. */
static const unsigned char bounds[SERIES_BUCKETS - 1] = {
	15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 27, 29, 31, 33,
};

/* Bounds are in their bucket; those of the histogram are not. */
uint64_t metrics_bound(unsigned bucket)
{
	return (1ULL << bounds[bucket]) - 1;
}

void metrics_histogram(struct series *s, const uint64_t *hist, uint64_t sum_ns)
{
	unsigned bucket = 0;
	uint64_t n = 0;

	for (unsigned i = 0; i < HIST_BUCKETS; i++) {
		while (bucket < SERIES_BUCKETS - 1 && hist_lower(i) > metrics_bound(bucket))
			bucket++;
		s->values[bucket] += hist[i];
		n += hist[i];
	}
	/* While the histograms are off the kernel's statistics have a sum of their own. */
	if (n)
		s->values[HIST_SUM] += sum_ns;
}

void label_device(struct buf *out, const struct model *m, uint32_t dev)
{
	struct names *names = engine_name_table(m->engine);
	const char *name = names_disk(names, dev)->name, *people = names_disk_people(names, dev);

	label_put(out, "device", name);
	if (strcmp(people, name))
		label_put(out, "name", people);
}

struct series *metrics_series(struct metrics *x, enum series_set set, const char *labels,
			      const char *instead)
{
	struct series *s = series_find(&x->series, set, labels);

	if (!s && x->series.lines >= x->max_series)
		labels = instead;
	return series_get(&x->series, set, labels);
}

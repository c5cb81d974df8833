// SPDX-License-Identifier: GPL-2.0-or-later
#include "out/metrics/metrics.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"
#include "out/metrics/groups.h"
#include "out/metrics/state.h"

enum metric_type {
	METRIC_COUNTER,
	METRIC_GAUGE,
	METRIC_HISTOGRAM,
	METRIC_INFO,
};

enum metric_unit {
	METRIC_NONE,
	METRIC_BYTES,
	METRIC_SECONDS,	/* the value is in ns */
};

/* A family of series with one name. */
struct metric {
	const char *name;	/* without _total, with its unit */
	enum metric_type type;
	enum metric_unit unit;
	enum series_set set;
	unsigned value;		/* index in the values of the set; of a histogram 0 */
	unsigned sources;	/* enum source bits, any of them: whoever counts it; 0: always */
	const char *help;	/* read by programs: not translated */
};

/* clang-format off */
static const struct metric metrics[] = {
	{ "iotop_disk_io_bytes", METRIC_COUNTER, METRIC_BYTES, SET_DISK_OP, DISK_OP_BYTES,
	  SRC_DISKS | SRC_BLOCK, "Bytes that were read, written or discarded." },
	{ "iotop_disk_ios", METRIC_COUNTER, METRIC_NONE, SET_DISK_OP, DISK_OP_IOS,
	  SRC_DISKS | SRC_BLOCK, "Requests that were completed." },
	{ "iotop_disk_merges", METRIC_COUNTER, METRIC_NONE, SET_DISK_OP, DISK_OP_MERGES,
	  SRC_DISKS | SRC_BLOCK, "Requests that were merged with others." },
	{ "iotop_disk_errors", METRIC_COUNTER, METRIC_NONE, SET_DISK_OP, DISK_OP_ERRORS,
	  SRC_BLOCK, "Requests that failed." },
	{ "iotop_disk_requeues", METRIC_COUNTER, METRIC_NONE, SET_DISK_OP, DISK_OP_REQUEUES,
	  SRC_BLOCK, "Requests that the driver gave back to be tried again." },
	{ "iotop_disk_queue_seconds", METRIC_COUNTER, METRIC_SECONDS, SET_DISK_OP, DISK_OP_QUEUE,
	  SRC_BLOCK, "Time from submission until the device had the request, summed." },
	{ "iotop_disk_device_seconds", METRIC_COUNTER, METRIC_SECONDS, SET_DISK_OP,
	  DISK_OP_DEVICE, SRC_BLOCK, "Time that the device took for its requests, summed." },
	{ "iotop_disk_busy_seconds", METRIC_COUNTER, METRIC_SECONDS, SET_DISK, DISK_BUSY,
	  SRC_DISKS | SRC_BLOCK, "Time with at least one request in flight." },
	{ "iotop_disk_inflight_seconds", METRIC_COUNTER, METRIC_SECONDS, SET_DISK, DISK_DEPTH,
	  SRC_DISKS | SRC_BLOCK, "Time in flight of all requests, summed: its rate is the depth." },
	{ "iotop_disk_inflight", METRIC_GAUGE, METRIC_NONE, SET_DISK, DISK_INFLIGHT,
	  SRC_DISKS | SRC_BLOCK, "Requests in flight." },
	{ "iotop_disk_latency_seconds", METRIC_HISTOGRAM, METRIC_SECONDS, SET_LATENCY, 0,
	  SRC_HIST | SRC_LAYERS,
	  "Latency of requests: total from submission to completion, and its two parts." },

	{ "iotop_cgroup_io_bytes", METRIC_COUNTER, METRIC_BYTES, SET_CGROUP_IO, CGROUP_IO_BYTES,
	  SRC_BLOCK | SRC_TASKIO,
	  "Bytes at the lowest disks, charged to who caused them, writeback too." },
	{ "iotop_cgroup_ios", METRIC_COUNTER, METRIC_NONE, SET_CGROUP_IO, CGROUP_IO_IOS,
	  SRC_BLOCK, "I/Os at the lowest disks, charged to who caused them." },
	{ "iotop_cgroup_io_latency_seconds", METRIC_COUNTER, METRIC_SECONDS, SET_CGROUP_IO,
	  CGROUP_IO_TIME, SRC_BLOCK, "Submission to completion of these I/Os, summed." },
	{ "iotop_cgroup_io_wait_seconds", METRIC_COUNTER, METRIC_SECONDS, SET_CGROUP,
	  CGROUP_WAIT, SRC_WAITS | SRC_DELAYS,
	  "Time in which tasks could not go on for I/O, summed over threads." },
	{ "iotop_cgroup_throttled_seconds", METRIC_COUNTER, METRIC_SECONDS, SET_CGROUP,
	  CGROUP_THROTTLED, SRC_BLOCK,
	  "Time in which limits (io.max, iocost) held I/O of tasks back." },
	{ "iotop_cgroup_dirty_throttled_seconds", METRIC_COUNTER, METRIC_SECONDS, SET_CGROUP,
	  CGROUP_THROTTLE, SRC_THROTTLE,
	  "Time in which tasks that dirty pages were held back (balance_dirty_pages)." },
	{ "iotop_cgroup_dirtied_bytes", METRIC_COUNTER, METRIC_BYTES, SET_CGROUP,
	  CGROUP_DIRTIED, SRC_TASKIO, "Bytes of pages dirtied, less those dropped unwritten." },
	{ "iotop_cgroup_dirty_bytes", METRIC_GAUGE, METRIC_BYTES, SET_CGROUP_DIRTY, 0, SRC_FILES,
	  "Bytes of pages that its tasks dirtied and that are not written yet." },
	{ "iotop_unattributed_bytes", METRIC_COUNTER, METRIC_BYTES, SET_UNATTRIBUTED, 0,
	  SRC_BLOCK | SRC_TASKIO, "Bytes at the lowest disks that are no control group's." },

	{ "iotop_layer_latency_seconds", METRIC_HISTOGRAM, METRIC_SECONDS, SET_LAYER, 0,
	  SRC_LAYERS, "How long operations took at this layer." },
	{ "iotop_fsync_seconds", METRIC_HISTOGRAM, METRIC_SECONDS, SET_FSYNC, 0, SRC_LAYERS,
	  "fsync(): the call (total) and its parts." },
	{ "iotop_blocked_seconds", METRIC_COUNTER, METRIC_SECONDS, SET_BLOCKED, 0, SRC_OFFCPU,
	  "Time in which tasks were off the processor, by what their stack says." },

	{ "iotop_finding", METRIC_GAUGE, METRIC_NONE, SET_FINDING, FINDING_ACTIVE, 0,
	  "What is wrong now: 1." },
	{ "iotop_finding_since_timestamp_seconds", METRIC_GAUGE, METRIC_SECONDS, SET_FINDING,
	  FINDING_SINCE, 0, "Since when it has been." },
	{ "iotop_lost", METRIC_COUNTER, METRIC_NONE, SET_LOST, 0, 0,
	  "What could not be counted, by kind." },
	{ "iotop_source_up", METRIC_GAUGE, METRIC_NONE, SET_SOURCE, SOURCE_UP, 0,
	  "1: the source works; 0: it does not." },
	{ "iotop_source_partial", METRIC_GAUGE, METRIC_NONE, SET_SOURCE, SOURCE_IN_PART, 0,
	  "1: the source works, but with something missing." },

	{ "iotop_bpf_run_seconds", METRIC_COUNTER, METRIC_SECONDS, SET_PROGRAM, PROGRAM_TIME, 0,
	  "Time that a kernel program of this program ran, while the kernel counted that." },
	{ "iotop_bpf_run_count", METRIC_COUNTER, METRIC_NONE, SET_PROGRAM, PROGRAM_RUNS, 0,
	  "How often it ran." },
	{ "iotop_cpu_seconds", METRIC_COUNTER, METRIC_SECONDS, SET_PROCESS, PROCESS_CPU, 0,
	  "Processor time of this program's processes." },
	{ "iotop_resident_bytes", METRIC_GAUGE, METRIC_BYTES, SET_PROCESS, PROCESS_RESIDENT, 0,
	  "Memory of this program's processes." },
	{ "iotop_scrape_samples", METRIC_GAUGE, METRIC_NONE, SET_SELF, SELF_SERIES, 0,
	  "Series in this text." },
	{ "iotop_series_limit", METRIC_GAUGE, METRIC_NONE, SET_SELF, SELF_LIMIT, 0,
	  "Series there may be (--max-series)." },
	{ "iotop_samples", METRIC_COUNTER, METRIC_NONE, SET_SELF, SELF_SAMPLES, 0,
	  "How often the counters of the system were read." },
	{ "iotop_sample_interval_seconds", METRIC_GAUGE, METRIC_SECONDS, SET_SELF,
	  SELF_INTERVAL, 0, "Time between the two newest of these." },
	{ "iotop_sample_timestamp_seconds", METRIC_GAUGE, METRIC_SECONDS, SET_SELF, SELF_TIME, 0,
	  "When the newest of these was." },
	{ "iotop_build", METRIC_INFO, METRIC_NONE, SET_BUILD, 0, 0, "The version." },
};
/* clang-format on */

static size_t lines_of(const struct metric *metric)
{
	return metric->type == METRIC_HISTOGRAM ? SERIES_BUCKETS + 2 : 1;
}

struct metrics *metrics_new(size_t max_series, unsigned sources)
{
	struct metrics *x = mem_zalloc(sizeof(*x));
	size_t lines[SET_COUNT] = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(metrics); i++)
		lines[metrics[i].set] += lines_of(&metrics[i]);
	series_init(&x->series, lines);
	groups_init(&x->groups);
	x->sources = sources;
	x->max_series = max_series ? max_series : METRICS_SERIES;
	return x;
}

void metrics_free(struct metrics *x)
{
	if (!x)
		return;
	groups_clear(&x->groups);
	series_release(&x->series);
	buf_release(&x->labels);
	free(x);
}

static bool is_known(const struct metrics *x, const struct metric *metric)
{
	return !metric->sources || metric->sources & x->known;
}

/*
 * A gauge is of now: of a disk that has gone there is none. A counter stays, but where a limit held
 * I/O back and nobody ever saw for how long that is not told as 0.
 */
static bool is_told(const struct metrics *x, const struct metric *metric, const struct series *s)
{
	if (metric->set == SET_CGROUP && metric->value == CGROUP_THROTTLED &&
	    s->values[CGROUP_UNSEEN] && !s->values[CGROUP_THROTTLED])
		return false;
	return metric->type != METRIC_GAUGE || s->tick == x->series.tick;
}

size_t metrics_count(const struct metrics *x)
{
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(metrics); i++) {
		const struct series_list *l = &x->series.sets[metrics[i].set];

		for (size_t k = 0; is_known(x, &metrics[i]) && k < l->n; k++)
			if (is_told(x, &metrics[i], l->items[k]))
				n += lines_of(&metrics[i]);
	}
	return n;
}

void metrics_update(struct metrics *x, const struct model *m)
{
	x->series.tick++;
	x->now = m->elapsed;
	x->known |= m->have & x->sources;
	metrics_of_disks(x, m);
	if (x->sources & SRC_LAYERS)
		metrics_of_layers(x, m);
	if (x->sources & SRC_OFFCPU)
		metrics_of_blocked(x, m);
	metrics_of_machine(x, m);
	metrics_of_tasks(x, m);
	series_get(&x->series, SET_SELF, "")->values[SELF_SERIES] = metrics_count(x);
}

/* What fell was loaded again, and began anew. */
static void add_difference(uint64_t *sum, uint64_t *last, uint64_t now)
{
	*sum += now >= *last ? now - *last : now;
	*last = now;
}

void metrics_program(struct metrics *x, const char *object, const char *name, uint64_t runs,
		     uint64_t run_ns)
{
	struct buf labels = { 0 };
	struct series *s;

	label_put(&labels, "program", name);
	label_put(&labels, "object", object);
	s = series_get(&x->series, SET_PROGRAM, labels.data);
	add_difference(&s->values[PROGRAM_TIME], &s->values[PROGRAM_LAST_TIME], run_ns);
	add_difference(&s->values[PROGRAM_RUNS], &s->values[PROGRAM_LAST_RUNS], runs);
	buf_release(&labels);
}

void metrics_processes(struct metrics *x, const struct metrics_process *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct buf labels = { 0 };
		struct series *s;

		label_put(&labels, "process", p[i].name);
		s = series_get(&x->series, SET_PROCESS, labels.data);
		s->values[PROCESS_CPU] = MAX(s->values[PROCESS_CPU], p[i].cpu_ns);
		s->values[PROCESS_RESIDENT] = p[i].resident;
		buf_release(&labels);
	}
	series_get(&x->series, SET_SELF, "")->values[SELF_SERIES] = metrics_count(x);
}

/* ns as seconds, exactly. */
static void put_seconds(struct buf *out, uint64_t ns)
{
	char text[16];
	uint64_t rest = ns % NSEC_PER_SEC;
	size_t n = 0;

	buf_u64(out, ns / NSEC_PER_SEC);
	if (!rest)
		return;
	for (uint64_t digit = NSEC_PER_SEC / 10; rest; digit /= 10) {
		text[n++] = (char)('0' + rest / digit);
		rest %= digit;
	}
	buf_putc(out, '.');
	buf_putn(out, text, n);
}

static void put_value(struct buf *out, const struct metric *metric, uint64_t value)
{
	buf_putc(out, ' ');
	if (metric->unit == METRIC_SECONDS)
		put_seconds(out, value);
	else
		buf_u64(out, value);
	buf_putc(out, '\n');
}

static void put_name(struct buf *out, const struct metric *metric, const char *suffix,
		     const struct series *s)
{
	buf_puts(out, metric->name);
	buf_puts(out, suffix);
	if (!*s->labels)
		return;
	buf_putc(out, '{');
	buf_puts(out, s->labels);
	buf_putc(out, '}');
}

static void put_histogram(struct buf *out, const struct metric *metric, const struct series *s)
{
	uint64_t count = 0;

	for (unsigned i = 0; i < SERIES_BUCKETS; i++) {
		count += s->values[i];
		buf_puts(out, metric->name);
		buf_puts(out, "_bucket{");
		buf_puts(out, s->labels);
		buf_puts(out, *s->labels ? ",le=\"" : "le=\"");
		if (i < SERIES_BUCKETS - 1)
			put_seconds(out, metrics_bound(i));
		else
			buf_puts(out, "+Inf");
		buf_puts(out, "\"} ");
		buf_u64(out, count);
		buf_putc(out, '\n');
	}
	put_name(out, metric, "_sum", s);
	put_value(out, metric, s->values[HIST_SUM]);
	put_name(out, metric, "_count", s);
	buf_putc(out, ' ');
	buf_u64(out, count);
	buf_putc(out, '\n');
}

static const char *suffix_of(const struct metric *metric)
{
	return metric->type == METRIC_COUNTER ? "_total"
	       : metric->type == METRIC_INFO  ? "_info"
					      : "";
}

static void put_series(struct buf *out, const struct metric *metric, const struct series *s)
{
	if (metric->type == METRIC_HISTOGRAM) {
		put_histogram(out, metric, s);
		return;
	}
	put_name(out, metric, suffix_of(metric), s);
	put_value(out, metric, s->values[metric->value]);
}

/* A family is called by the name of its samples in the older format, not in the newer. */
static void put_head(struct buf *out, const struct metric *metric, enum metrics_format format)
{
	static const char *const types[] = { "counter", "gauge", "histogram", "info" };
	static const char *const units[] = { NULL, "bytes", "seconds" };
	bool newer = format == METRICS_OPENMETRICS;
	const char *suffix = newer ? "" : suffix_of(metric);
	const char *type = !newer && metric->type == METRIC_INFO ? "gauge" : types[metric->type];

	buf_printf(out, "# TYPE %s%s %s\n", metric->name, suffix, type);
	if (newer && units[metric->unit])
		buf_printf(out, "# UNIT %s %s\n", metric->name, units[metric->unit]);
	buf_printf(out, "# HELP %s%s %s\n", metric->name, suffix, metric->help);
}

void metrics_write(const struct metrics *x, enum metrics_format format, struct buf *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(metrics); i++) {
		const struct metric *metric = &metrics[i];
		const struct series_list *l = &x->series.sets[metric->set];

		if (!l->n || !is_known(x, metric))
			continue;
		put_head(out, metric, format);
		for (size_t k = 0; k < l->n; k++)
			if (is_told(x, metric, l->items[k]))
				put_series(out, metric, l->items[k]);
	}
	if (format == METRICS_OPENMETRICS)
		buf_puts(out, "# EOF\n");
}

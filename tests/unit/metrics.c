// SPDX-License-Identifier: GPL-2.0-or-later
/* Metrics: the text character by character, and that sums stay whatever ends. */
#include "data/histogram.h"
#include "metric_texts.h"

START_TEST(texts)
{
	struct sample *s = sample_at(0, SOURCES);

	sda(s, 8000);
	group(s, 7, "/a\"b\\c\nd\377.service");
	writer(s, 10, 7, 4096);
	step(s);
	s = sample_at(1, SOURCES);
	sda(s, 8016);
	group(s, 7, "/a\"b\\c\nd\377.service");
	writer(s, 10, 7, 3 * 4096);
	step(s);
	expect(METRICS_OPENMETRICS,
	       "# TYPE iotop_disk_io_bytes counter\n"
	       "# UNIT iotop_disk_io_bytes bytes\n"
	       "# HELP iotop_disk_io_bytes Bytes that were read, written or discarded.\n"
	       "iotop_disk_io_bytes_total{device=\"sda\",operation=\"read\"} 0\n"
	       "iotop_disk_io_bytes_total{device=\"sda\",operation=\"write\"} 8192\n"
	       "# TYPE iotop_disk_ios counter\n"
	       "# HELP iotop_disk_ios Requests that were completed.\n"
	       "iotop_disk_ios_total{device=\"sda\",operation=\"read\"} 0\n"
	       "iotop_disk_ios_total{device=\"sda\",operation=\"write\"} 2\n");
	expect(METRICS_OPENMETRICS, "# TYPE iotop_build info\n"
				    "# HELP iotop_build The version.\n"
				    "iotop_build_info{version=\"" PACKAGE_VERSION "\"} 1\n"
				    "# EOF\n");
	expect(METRICS_PROMETHEUS,
	       "# TYPE iotop_disk_ios_total counter\n"
	       "# HELP iotop_disk_ios_total Requests that were completed.\n"
	       "iotop_disk_ios_total{device=\"sda\",operation=\"read\"} 0\n");
	expect(METRICS_PROMETHEUS, "# TYPE iotop_build_info gauge\n");
	/* The model makes names harmless; quotes and backslashes are escaped here. */
	expect(METRICS_PROMETHEUS,
	       "iotop_cgroup_io_bytes_total{cgroup=\"/a\\\"b\\\\c\\\\nd\357\277\275.service\","
	       "unit=\"a\\\"b\\\\c\\\\nd\357\277\275.service\",device=\"sda\","
	       "operation=\"write\"} 8192\n");
	expect(METRICS_PROMETHEUS, "iotop_cgroup_io_latency_seconds_total{cgroup=");
	expect(METRICS_PROMETHEUS, "operation=\"write\"} 0.000002\n");
	ck_assert(value("iotop_sample_timestamp_seconds") == 1001);
	ck_assert(value("iotop_source_up{source=\"block\"}") == 1);
	/* Nobody counted them: they are unknown, which is not zero. */
	ck_assert(sum_of("iotop_fsync_seconds") == 0);
	ck_assert(sum_of("iotop_cgroup_io_wait_seconds") == 0);
}
END_TEST

START_TEST(counts_lines)
{
	struct sample *s = sample_at(0, SOURCES);
	size_t lines = 0;
	char *all;

	sda(s, 0);
	step(s);
	all = text(METRICS_OPENMETRICS);
	for (const char *p = all; p; p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL)
		lines += *p && *p != '#';
	ck_assert_uint_eq(lines, metrics_count(metrics));
	ck_assert((size_t)value("iotop_scrape_samples") == lines);
	free(all);
}
END_TEST

/* What a disk counted stays when it has gone; how much is in flight there is nobody's to say. */
START_TEST(a_disk_goes)
{
	for (unsigned i = 0; i < 3; i++) {
		struct sample *s = sample_at(i, SOURCES);
		struct sample_disk *d = sample_disk(s, LOOP_DEV + 1, "nvme0n1");

		d->size = 1 << 20;
		d->label = "data";
		d->in_flight = 7;
		if (i < 2)
			sda(s, i * 8);
		step(s);
	}
	ck_assert(value("iotop_disk_io_bytes_total{device=\"sda\",operation=\"write\"}") == 4096);
	ck_assert(value("iotop_disk_inflight{device=\"sda\"}") == -1);
	ck_assert(value("iotop_disk_inflight{device=\"nvme0n1\",name=\"data\"}") == 7);
	ck_assert((size_t)value("iotop_scrape_samples") == metrics_count(metrics));
}
END_TEST

static void latencies(struct sample *s, const uint64_t *counts)
{
	struct sample_diskop *o = sample_add_row(s, DISKOP, struct sample_diskop);

	*o = (struct sample_diskop){ .dev = DISK_DEV, .op = OP_WRITE, .ios = hist_total(counts),
				     .lat_ns = hist_total(counts) * 1500,
				     .hist = { counts, HIST_BUCKETS * sizeof(*counts) } };
}

START_TEST(histograms)
{
	static uint64_t counts[HIST_BUCKETS];
	struct sample *s = sample_at(0, SOURCES);

	memset(counts, 0, sizeof(counts));
	sda(s, 0);
	latencies(s, counts);
	step(s);
	/* The bound 32767 ns and what is beyond it; the longest of all. */
	counts[hist_bucket(32767)] = 3;
	counts[hist_bucket(32768)] = 5;
	counts[HIST_BUCKETS - 1] = 1;
	s = sample_at(1, SOURCES);
	sda(s, 72);
	latencies(s, counts);
	step(s);
#define LATENCY(rest) "iotop_disk_latency_seconds" rest
#define OF "device=\"sda\",operation=\"write\",stage=\"total\""
	ck_assert(value(LATENCY("_bucket{" OF ",le=\"0.000032767\"}")) == 3);
	ck_assert(value(LATENCY("_bucket{" OF ",le=\"0.000065535\"}")) == 8);
	ck_assert(value(LATENCY("_bucket{" OF ",le=\"8.589934591\"}")) == 8);
	ck_assert(value(LATENCY("_bucket{" OF ",le=\"+Inf\"}")) == 9);
	ck_assert(value(LATENCY("_count{" OF "}")) == 9);
	ck_assert(value(LATENCY("_sum{" OF "}")) > 13.49e-6 &&
		  value(LATENCY("_sum{" OF "}")) < 13.51e-6);
}
END_TEST

/* A task that ended, one whose task is forgotten, a service that was started again. */
START_TEST(ends)
{
	struct task_id id;
	struct sample *s;

	for (unsigned i = 0; i < 80; i++) {
		s = sample_at(i, SOURCES);
		sda(s, 0);
		group(s, 7, "/system.slice/a.service");
		/* A listing without it says that it ended. */
		task(s, 99, 99, -50);
		if (i < 2)
			id = writer(s, 10, 7, i * 4096);
		else
			io(s, id, id, DISK_DEV, OP_WRITE, i < 79 ? 4096 : 5 * 4096);
		step(s);
	}
#define A "cgroup=\"/system.slice/a.service\",unit=\"a.service\",device=\"sda\","
	ck_assert(value("iotop_cgroup_io_bytes_total{" A "operation=\"write\"}") == 4096);
	ck_assert(value("iotop_unattributed_bytes_total{reason=\"ended\",operation=\"write\"}") ==
		  4 * 4096);
	s = sample_at(80, SOURCES);
	sda(s, 0);
	group(s, 8, "/system.slice/a.service");
	writer(s, 20, 8, 4096);
	step(s);
	ck_assert(value("iotop_cgroup_io_bytes_total{" A "operation=\"write\"}") == 2 * 4096);
}
END_TEST

START_TEST(residuals)
{
	const struct task_id journal = { .tid = RESIDUAL_JOURNAL };
	struct sample *s;

	for (uint64_t i = 0; i < 2; i++) {
		s = sample_at((double)i, SOURCES);
		sda(s, 0);
		io(s, journal, journal, DISK_DEV, OP_WRITE, 4096 + i * 8192);
		writer(s, 10, 0, 4096 + i * 4096);
		step(s);
	}
	ck_assert(value("iotop_unattributed_bytes_total{reason=\"journal\",device=\"sda\","
			"operation=\"write\"}") == 8192);
	ck_assert(value("iotop_unattributed_bytes_total{reason=\"no_cgroup\",device=\"sda\","
			"operation=\"write\"}") == 4096);
}
END_TEST

#define HASH "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define POD "12345678-1234-1234-1234-123456789abc"

START_TEST(containers)
{
	static const char *const paths[] = {
		"/system.slice/docker-" HASH ".scope",
		"/kubepods.slice/kubepods-pod12345678_1234_1234_1234_123456789abc.slice/"
		"cri-containerd-" HASH ".scope",
		"/kubepods/burstable/pod" POD "/" HASH,
		"/lxc.payload.web/system.slice/cron.service",
		"",
	};
	static const char *const labels[] = {
		"/system.slice/docker-" HASH ".scope\",container=\"0123456789ab\","
		"unit=\"docker-" HASH ".scope\",device",
		"\",container=\"0123456789ab\",pod=\"" POD "\",unit=\"cri-containerd-",
		"/kubepods/burstable/pod" POD "/" HASH
		"\",container=\"0123456789ab\",pod=\"" POD "\",device=",
		"\",container=\"web\",unit=\"cron.service\",device",
		"{cgroup=\"/\",device=\"sda\"",
	};

	for (uint64_t i = 0; i < 2; i++) {
		struct sample *s = sample_at((double)i, SOURCES);

		sda(s, 0);
		for (uint32_t k = 0; k < ARRAY_SIZE(paths); k++) {
			group(s, k + 1, paths[k]);
			writer(s, 10 + k, k + 1, i * 4096);
		}
		step(s);
	}
	for (size_t k = 0; k < ARRAY_SIZE(labels); k++)
		expect(METRICS_PROMETHEUS, labels[k]);
}
END_TEST

UNIT_FIXTURE_MAIN("metrics", setup, teardown, texts, counts_lines, a_disk_goes, histograms, ends,
		  residuals, containers)

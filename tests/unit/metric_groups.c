// SPDX-License-Identifier: GPL-2.0-or-later
/* Which control groups have series, and that counters begin and end without falling. */
#include "metric_texts.h"

/* What is loaded again begins anew; the counter does not. */
START_TEST(programs)
{
	struct sample *s = sample_at(0, SOURCES);

	step(s);
	ck_assert(value("iotop_bpf_run_count_total{program=\"a\",object=\"block\"}") == -1);
	metrics_program(metrics, "block", "a", 10, 1500);
	metrics_program(metrics, "block", "a", 30, 2500);
	metrics_program(metrics, "block", "a", 5, 500);
	ck_assert(value("iotop_bpf_run_count_total{program=\"a\",object=\"block\"}") == 35);
	ck_assert(value("iotop_bpf_run_seconds_total{program=\"a\",object=\"block\"}") ==
		  0.000003);
}
END_TEST

#define GROUPS 60
#define LIMIT 150

static void many(unsigned tick, uint32_t busy, uint64_t *bytes, uint64_t *total)
{
	struct sample *s = sample_at(tick, SOURCES);

	sda(s, 0);
	for (uint32_t k = 0; k < GROUPS; k++) {
		char path[32];

		snprintf(path, sizeof(path), "/g%u", k);
		group(s, k + 1, sample_str(s, path, sizeof(path)));
		if (tick && (k < GROUPS / 2 || k == busy)) {
			uint64_t more = (k == busy ? 1000 : k + 1) * 4096;

			bytes[k] += more;
			*total += more;
		}
		writer(s, 100 + k, k + 1, bytes[k]);
	}
	step(s);
}

static bool has_own(unsigned k)
{
	char series[96];

	snprintf(series, sizeof(series),
		 "iotop_cgroup_io_bytes_total{cgroup=\"/g%u\",device=\"sda\","
		 "operation=\"write\"}", k);
	return value(series) >= 0;
}

/* Whose group had no task for long is in "other"; one that comes back before goes on. */
START_TEST(ended_groups)
{
	static const double times[] = { 0, 1, 400, 800, 1401, 1402, 1403, 1404 };
#define WEB "iotop_cgroup_io_bytes_total{cgroup=\"/web\",device=\"sda\",operation=\"write\"}"
#define OTHERS "iotop_cgroup_io_bytes_total{cgroup=\"other\",device=\"sda\",operation=\"write\"}"
	static const double own[] = { -1, 4096, 4096, 8192, -1, -1, 4096, 8192 };
	static const uint64_t bytes[] = { 4096, 8192, 0, 4096, 0, 4096, 8192, 12288 };

	for (size_t i = 0; i < ARRAY_SIZE(times); i++) {
		struct sample *s = sample_at(times[i], SOURCES);

		sda(s, 0);
		task(s, 99, 99, -50);
		/* Twice a service of this name: 7, then 8 and, long after, 9. */
		if (bytes[i]) {
			uint32_t id = i < 2 ? 7 : i == 3 ? 8 : 9;
			struct sample_task *t;

			group(s, id, "/web");
			t = task(s, 10 * id, 10 * id, i == 3 ? 700 : i > 3 ? 1400 : -50);
			t->cgroup = id;
			io(s, t->id, t->id, DISK_DEV, OP_WRITE, bytes[i]);
		}
		step(s);
		ck_assert_msg(value(WEB) == own[i], "%zu: %f", i, value(WEB));
		ck_assert(value(OTHERS) == (i < 4 ? -1 : i == 4 ? 8192 : 12288));
	}
}
END_TEST

/* Beyond the limit are those that do least; one that does much gets in, and nobody flaps. */
START_TEST(limit)
{
	uint64_t bytes[GROUPS] = { 0 }, total = 0;
	const unsigned last = GROUPS - 1;
	unsigned tick = 0;

	metrics_free(metrics);
	metrics = metrics_new(LIMIT, SOURCES);
	for (; tick < 200; tick++) {
		many(tick, GROUPS, bytes, &total);
		ck_assert(sum_of("iotop_cgroup_io_bytes_total{") == (double)total);
		ck_assert_uint_le(metrics_count(metrics), LIMIT);
	}
	ck_assert(value("iotop_cgroup_io_bytes_total{cgroup=\"other\",device=\"sda\","
			"operation=\"write\"}") > 0);
	/* Each of those does more than ten times what the least does: there was room for them. */
	for (unsigned k = GROUPS / 2 - 5; k < GROUPS / 2; k++)
		ck_assert(has_own(k));
	ck_assert(!has_own(last));
	for (; tick < 210; tick++)
		many(tick, last, bytes, &total);
	ck_assert(has_own(last));
	for (; tick < 250; tick++) {
		many(tick, GROUPS, bytes, &total);
		ck_assert(has_own(last) && has_own(GROUPS / 2 - 1));
		ck_assert(sum_of("iotop_cgroup_io_bytes_total{") == (double)total);
		ck_assert_uint_le(metrics_count(metrics), LIMIT);
	}
}
END_TEST

#define ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define POD "12345678-1234-1234-1234-123456789abc"

/* Names come late: the counter goes on under them. */
START_TEST(late_names)
{
#define OF "iotop_cgroup_io_bytes_total{cgroup=\"/kubepods/pod" POD "/" ID "\","
#define REST "device=\"sda\",operation=\"write\"}"
#define DOCKER "iotop_cgroup_io_bytes_total{cgroup=\"/system.slice/docker-" ID ".scope\","
	for (uint64_t i = 0; i < 4; i++) {
		struct sample *s = sample_at((double)i, SOURCES);
		const char *called[] = { i > 1 ? "shop/web-1/nginx" : NULL, i > 2 ? "db" : NULL };
		const char *paths[] = { "/kubepods/pod" POD "/" ID,
					"/system.slice/docker-" ID ".scope" };

		sda(s, 0);
		for (uint32_t k = 0; k < 2; k++) {
			*sample_add_row(s, CGROUP, struct sample_cgroup) = (struct sample_cgroup){
				.id = 7 + k, .path = paths[k], .name = called[k] };
			writer(s, 10 + k, 7 + k, 4096 + i * 4096);
		}
		step(s);
		ck_assert(value(OF "container=\"0123456789ab\",pod=\"" POD "\"," REST) ==
			  (i == 1 ? 4096 : -1));
		ck_assert(value(OF "namespace=\"shop\",pod=\"web-1\",container=\"nginx\"," REST) ==
			  (i < 2 ? -1 : (double)i * 4096));
		ck_assert(value(DOCKER "container=\"db\",unit=\"docker-" ID ".scope\"," REST) ==
			  (i < 3 ? -1 : (double)i * 4096));
	}
}
END_TEST

UNIT_FIXTURE_MAIN("metric_groups", setup, teardown, late_names, ended_groups, programs, limit)

// SPDX-License-Identifier: GPL-2.0-or-later
/* Any bytes as any text of /proc: every reader gets all of it. */
#include <string.h>

#include "collect/proc/proc.h"
#include "collect/disks/mounts.h"
#include "collect/disks/nfs_stats.h"
#include "fuzz.h"

static void read_tasks(const char *text)
{
	const char *path = NULL;
	struct proc_stat st;
	struct proc_io io;
	uint32_t uid;
	size_t len = 0;
	bool unified;

	if (proc_stat_parse(text, &st) == 0) {
		FUZZ_CHECK(memchr(st.comm, '\0', sizeof(st.comm)));
		FUZZ_CHECK(st.nice >= -20 && st.nice <= 19);
	}
	proc_io_parse(text, &io);
	proc_status_uid(text, &uid);
	if (proc_cgroup_parse(text, &path, &len, &unified) == 0)
		FUZZ_CHECK(len && path[0] == '/' && path >= text &&
			   path + len <= text + strlen(text) && !memchr(path, '\n', len));
}

static void read_system(const char *text)
{
	uint64_t a, b, load[3];

	proc_value(text, "pswpin", &a);
	proc_pressure_parse(text, &a, &b);
	proc_loadavg_parse(text, load, &a);
}

static void read_disks(const char *text)
{
	const char *p = text, *last = text, *name;
	struct sample_disk d;
	size_t len;
	int r;

	while ((r = proc_diskstats_line(&p, &d, &name, &len)) != 0) {
		FUZZ_CHECK(p > last);
		last = p;
		if (r > 0)
			FUZZ_CHECK(len && name + len <= text + strlen(text));
	}
}

static void read_nfs(const char *text)
{
	const char *p = text, *last = text, *end = text + strlen(text);
	struct nfs_stats stats;

	while (nfs_stats_next(&p, &stats)) {
		FUZZ_CHECK(p > last);
		last = p;
		FUZZ_CHECK(stats.point + stats.point_len <= end);
		FUZZ_CHECK(stats.source + stats.source_len <= stats.point);
	}
}

static void read_mounts(const char *text)
{
	struct disk_node *n = disk_node_new(8 << 20, "sda", 3);
	struct mounts m = { 0 };

	mounts_parse(&m, text, -1);
	for (size_t i = 0; i < m.n; i++)
		FUZZ_CHECK(m.items[i].point && m.items[i].source);
	free(mounts_of_disk(&m, n));
	mounts_of_path(&m, text);
	mounts_are_local(&m, text);
	mounts_release(&m);
	disk_node_free(n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	memcpy(text, data, size);
	text[size] = '\0';
	read_tasks(text);
	read_system(text);
	read_disks(text);
	read_nfs(text);
	read_mounts(text);
	free(text);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/proc/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "base/parse.h"

#define PF_EXITING 0x00000004u
#define PF_KTHREAD 0x00200000u
#define FIRST_PID_NS 0xeffffffcu	/* its inode number, PROC_PID_INIT_INO */

uint64_t proc_tick_ns(void)
{
	static uint64_t ns;
	long hz;

	if (!ns) {
		hz = sysconf(_SC_CLK_TCK);
		ns = NSEC_PER_SEC / (hz > 0 ? (uint64_t)hz : 100);
	}
	return ns;
}

int proc_dir(const char *path)
{
	int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

int proc_pid_dir(const char *proc, uint32_t tgid)
{
	char path[300];

	snprintf(path, sizeof(path), "%s/%u", proc, tgid);
	return proc_dir(path);
}

void proc_read_clocks(void)
{
	FILE *f = fopen("/proc/self/timens_offsets", "re");
	int64_t mono = 0, boot = 0;
	long long s, ns;
	char name[16];

	while (f && fscanf(f, "%15s %lld %lld", name, &s, &ns) == 3)
		*(strcmp(name, "boottime") ? &mono : &boot) = s * (int64_t)NSEC_PER_SEC + ns;
	if (f)
		fclose(f);
	clock_set_offsets(mono, boot);
}

const char *proc_namespace_limit(int proc)
{
	struct stat st;

	if (fstatat(proc, "self/ns/pid", &st, 0) < 0 || st.st_ino == FIRST_PID_NS)
		return NULL;
	return N_("only the tasks of this pid namespace");
}

static void skip_blanks(const char **p)
{
	*p += strspn(*p, " \t");
}

/* The word at *p, which moves behind it; empty at the end of the line. */
static const char *next_word(const char **p, size_t *ret_len)
{
	const char *s;

	skip_blanks(p);
	s = *p;
	while (**p && **p != ' ' && **p != '\t' && **p != '\n')
		(*p)++;
	*ret_len = (size_t)(*p - s);
	return s;
}

static bool word_is(const char *s, size_t len, const char *what)
{
	return strlen(what) == len && !memcmp(s, what, len);
}

/* The fields after the name; those that are missing (older kernels) stay 0. */
static void stat_fields(const char *p, struct proc_stat *st)
{
	for (int field = 4; field <= 42; field++) {
		bool negative;
		uint64_t v;

		skip_blanks(&p);
		if (!*p || *p == '\n')
			return;
		negative = *p == '-';
		p += negative;
		v = scan_u64(&p);
		switch (field) {
		case 4:
			st->ppid = (uint32_t)v;
			break;
		case 9:
			st->kthread = v & PF_KTHREAD;
			st->exiting = v & PF_EXITING;
			break;
		case 10:
		case 12:
			st->faults += v;
			break;
		case 14:
		case 15:
			st->cpu += v;
			break;
		case 19:
			st->nice = negative ? -(int64_t)MIN(v, 20) : (int64_t)MIN(v, 19);
			break;
		case 20:
			st->threads = v;
			break;
		case 22:
			st->start = v;
			break;
		case 42:
			st->blkio = v;
			break;
		default:
			break;
		}
		p += strcspn(p, " \n");
	}
}

int proc_stat_parse(const char *text, struct proc_stat *ret)
{
	/* The name may hold anything, brackets and line breaks too: it ends at the last bracket. */
	const char *p = text, *open = strchr(text, '('), *close = strrchr(text, ')');
	struct proc_stat st = { .pid = (uint32_t)scan_u64(&p) };
	size_t len;

	if (!open || !close || close < open || !st.pid)
		return -EINVAL;
	len = MIN((size_t)(close - open - 1), sizeof(st.comm) - 1);
	memcpy(st.comm, open + 1, len);
	p = close + 1;
	skip_blanks(&p);
	if ((*p < 'A' || *p > 'Z') && (*p < 'a' || *p > 'z'))
		return -EINVAL;
	st.state = *p++;
	stat_fields(p, &st);
	/* A time namespace is mostly ahead by whole seconds. */
	st.start -= (uint64_t)(clock_boot_offset() / (int64_t)proc_tick_ns());
	*ret = st;
	return 0;
}

int proc_io_parse(const char *text, struct proc_io *ret)
{
	struct proc_io io = { 0 };
	const struct {
		const char *name;
		uint64_t *value;
	} lines[] = {
		{ "rchar:", &io.rchar },
		{ "wchar:", &io.wchar },
		{ "read_bytes:", &io.read_bytes },
		{ "write_bytes:", &io.write_bytes },
		{ "cancelled_write_bytes:", &io.cancelled_bytes },
	};
	size_t found = 0;

	for (const char *p = text; *p; scan_line(&p)) {
		size_t len;
		const char *name = next_word(&p, &len);

		for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
			if (!word_is(name, len, lines[i].name))
				continue;
			skip_blanks(&p);
			*lines[i].value = scan_u64(&p);
			found++;
		}
	}
	if (found != ARRAY_SIZE(lines))
		return -EINVAL;
	*ret = io;
	return 0;
}

int proc_status_uid(const char *text, uint32_t *ret)
{
	uint64_t uid;
	int r = proc_value(text, "Uid:", &uid);

	if (r < 0 || uid > UINT32_MAX)
		return -EINVAL;
	*ret = (uint32_t)uid;
	return 0;
}

int proc_value(const char *text, const char *name, uint64_t *ret)
{
	size_t len = strlen(name);
	const char *end;

	for (const char *p = text; *p; p = *end ? end + 1 : end) {
		skip_blanks(&p);
		if (!strncmp(p, name, len) && (p[len] == ' ' || p[len] == '\t' || p[len] == '\n' ||
					       !p[len])) {
			p += len;
			skip_blanks(&p);
			if (*p < '0' || *p > '9')
				return -EINVAL;
			*ret = scan_u64(&p);
			return 0;
		}
		end = strchrnul(p, '\n');
	}
	return -ENOENT;
}

/* How much a hierarchy says about a task; -1: nothing. */
static int cgroup_rank(const char *controllers, size_t len, bool unified, bool root)
{
	if (root)
		return unified ? 0 : -1;
	if (unified)
		return 3;
	if (word_is(controllers, len, "name=systemd"))
		return 2;
	return word_is(controllers, len, "blkio") ? 1 : -1;
}

int proc_cgroup_parse(const char *text, const char **ret_path, size_t *ret_len, bool *ret_unified)
{
	int best = -1;

	for (const char *p = text; *p; scan_line(&p)) {
		const char *end = strchrnul(p, '\n');
		const char *names = memchr(p, ':', (size_t)(end - p)), *path;
		bool unified;
		int rank;

		if (!names)
			continue;
		names++;
		/* A controller's name may hold a colon no more than a hierarchy's; the path may. */
		path = memchr(names, ':', (size_t)(end - names));
		if (!path || path[1] != '/')
			continue;
		unified = path == names;
		path++;
		rank = cgroup_rank(names, (size_t)(path - 1 - names), unified, end - path == 1);
		if (rank <= best)
			continue;
		best = rank;
		*ret_path = path;
		*ret_len = (size_t)(end - path);
		*ret_unified = unified;
	}
	return best < 0 ? -ENOENT : 0;
}

int proc_pressure_parse(const char *text, uint64_t *ret_some, uint64_t *ret_full)
{
	uint64_t totals[2] = { 0 };
	bool some = false;

	for (const char *p = text; *p; scan_line(&p)) {
		size_t len;
		const char *kind = next_word(&p, &len), *end = strchrnul(p, '\n');
		const char *total = memmem(p, (size_t)(end - p), "total=", 6);
		bool full = word_is(kind, len, "full");

		if (!total || (!full && !word_is(kind, len, "some")))
			continue;
		total += 6;
		totals[full] = scan_u64(&total);
		some |= !full;
	}
	if (!some)
		return -EINVAL;
	*ret_some = totals[0];
	*ret_full = totals[1];
	return 0;
}

int proc_loadavg_parse(const char *text, uint64_t ret_load[static 3], uint64_t *ret_tasks)
{
	const char *p = text;
	uint64_t load[3], tasks;

	for (int i = 0; i < 3; i++) {
		skip_blanks(&p);
		if (*p < '0' || *p > '9')
			return -EINVAL;
		load[i] = scan_u64(&p) * 100;
		if (*p++ != '.')
			return -EINVAL;
		load[i] += scan_u64(&p) % 100;
	}
	skip_blanks(&p);
	scan_u64(&p);
	if (*p++ != '/')
		return -EINVAL;
	tasks = scan_u64(&p);
	memcpy(ret_load, load, sizeof(load));
	*ret_tasks = tasks;
	return 0;
}

int proc_diskstats_line(const char **p, struct sample_disk *ret, const char **ret_name,
			size_t *ret_len)
{
	struct sample_disk d = { 0 };
	uint64_t *const counters[] = {
		&d.rd_ios,	&d.rd_merges,  &d.rd_sectors, &d.rd_ms,	     &d.wr_ios,
		&d.wr_merges,	&d.wr_sectors, &d.wr_ms,      &d.in_flight,  &d.io_ms,
		&d.weighted_ms, &d.dc_ios,     &d.dc_merges,  &d.dc_sectors, &d.dc_ms,
		&d.fl_ios,	&d.fl_ms,
	};
	uint64_t major, minor;
	size_t i;

	if (!**p)
		return 0;
	skip_blanks(p);
	major = scan_u64(p);
	skip_blanks(p);
	minor = scan_u64(p);
	*ret_name = next_word(p, ret_len);
	for (i = 0; i < ARRAY_SIZE(counters); i++) {
		skip_blanks(p);
		if (**p < '0' || **p > '9')
			break;
		*counters[i] = scan_u64(p);
	}
	scan_line(p);
	/* 11 fields since 2.6, discards since 4.18, flushes since 5.5. */
	if (!*ret_len || i < 11 || major >= 1u << 12 || minor >= 1u << 20)
		return -EINVAL;
	d.dev = (uint32_t)(major << 20 | minor);
	*ret = d;
	return 1;
}

int proc_mountinfo_line(const char **p, struct proc_mount *ret)
{
	struct proc_mount m = { 0 };
	uint64_t major, minor;
	const char *word;
	size_t len;

	if (!**p)
		return 0;
	next_word(p, &len);
	next_word(p, &len);
	skip_blanks(p);
	major = scan_u64(p);
	if (**p == ':')
		(*p)++;
	minor = scan_u64(p);
	m.root = next_word(p, &m.root_len);
	m.point = next_word(p, &m.point_len);
	next_word(p, &len);
	/* Optional fields up to a lone hyphen. */
	do {
		word = next_word(p, &len);
	} while (len && !word_is(word, len, "-"));
	m.fstype = next_word(p, &m.fstype_len);
	m.source = next_word(p, &m.source_len);
	m.super = next_word(p, &m.super_len);
	scan_line(p);
	if (!m.point_len || !m.source_len || major >= 1u << 12 || minor >= 1u << 20)
		return -EINVAL;
	m.dev = (uint32_t)(major << 20 | minor);
	*ret = m;
	return 1;
}

void proc_unescape(char *out, const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (s[i] == '\\' && i + 3 < len && s[i + 1] >= '0' && s[i + 1] <= '3' &&
		    s[i + 2] >= '0' && s[i + 2] <= '7' && s[i + 3] >= '0' && s[i + 3] <= '7') {
			*out++ = (char)((s[i + 1] - '0') << 6 | (s[i + 2] - '0') << 3 |
					(s[i + 3] - '0'));
			i += 3;
		} else {
			*out++ = s[i];
		}
	}
	*out = '\0';
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* The page of --probes: what is attached where, what falls back to what, and why. */
#include <cap-ng.h>
#include <errno.h>
#include <linux/capability.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#ifdef HAVE_BPF
#include <bpf/libbpf.h>
#endif

#include "base/i18n.h"
#include "base/utf8.h"
#include "collect/proc/proc.h"
#include "collect/set.h"

#define INDENT 2	/* columns: lines of a collector, below its own */

struct probe_line {
	const char *of;		/* the collector that the line belongs to; NULL: none, or the
				 * line is the collector's own */
	const char *what;
	bool ok;
	const char *text;
};

struct probe_list {
	struct arena arena;
	struct probe_line *lines;
	size_t n, cap;
	const char *of;		/* of lines that are added now */
};

void probe_add(struct probe_list *list, const char *what, bool ok, const char *fmt, ...)
{
	struct probe_line *line;
	char text[1024];
	va_list args;

	if (list->n == list->cap) {
		list->cap = list->cap ? list->cap * 2 : 32;
		list->lines = mem_realloc(list->lines, list->cap * sizeof(*list->lines));
	}
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	line = &list->lines[list->n++];
	line->what = utf8_clean(&list->arena, what, strlen(what));
	line->of = list->of;
	line->ok = ok;
	line->text = utf8_clean(&list->arena, text, strlen(text));
}

static void add_kernel(struct probe_list *list)
{
	struct utsname uts = { "" };

	uname(&uts);
	probe_add(list, "iotop", true, "%s", PACKAGE_VERSION);
	probe_add(list, "kernel", true, "%s", uts.release);
	probe_add(list, "architecture", true, "%s", uts.machine);
	probe_add(list, "btf", access("/sys/kernel/btf/vmlinux", R_OK) == 0, "%s",
		  access("/sys/kernel/btf/vmlinux", R_OK) == 0 ? "/sys/kernel/btf/vmlinux"
							       : strerror(errno));
#ifdef HAVE_BPF
	probe_add(list, "libbpf", true, "%u.%u", libbpf_major_version(), libbpf_minor_version());
#else
	probe_add(list, "libbpf", false, "%s", _("this iotop was built without BPF"));
#endif
}

static void add_lockdown(struct probe_list *list)
{
	_cleanup_(buf_release) struct buf b = { 0 };
	const char *open, *close;

	if (buf_read_file(&b, -1, "/sys/kernel/security/lockdown", 256) < 0 || !b.len)
		return;
	open = strchr(b.data, '[');
	close = open ? strchr(open, ']') : NULL;
	if (close)
		probe_add(list, "lockdown", strncmp(open, "[none]", 6) == 0, "%.*s",
			  (int)(close - open - 1), open + 1);
}

static void add_capabilities(struct probe_list *list)
{
	static const struct {
		unsigned number, privilege;
		const char *name, *use;
	} caps[] = {
		{ CAP_BPF, PRIV_BPF, "CAP_BPF", N_("load BPF programs") },
		{ CAP_PERFMON, PRIV_BPF, "CAP_PERFMON", N_("attach them to the kernel") },
		{ CAP_NET_ADMIN, PRIV_ACCOUNTING, "CAP_NET_ADMIN",
		  N_("taskstats: accounting, and tasks that end") },
		{ CAP_SYS_PTRACE, PRIV_TASKS, "CAP_SYS_PTRACE",
		  N_("I/O of other users' tasks in /proc") },
		{ CAP_DAC_READ_SEARCH, PRIV_FILES, "CAP_DAC_READ_SEARCH",
		  N_("cgroup names by their ids") },
		{ CAP_SYSLOG, PRIV_SYMBOLS, "CAP_SYSLOG", N_("names of kernel functions") },
		{ CAP_SYS_RESOURCE, PRIV_BPF, "CAP_SYS_RESOURCE",
		  N_("maps beyond RLIMIT_MEMLOCK on kernels before 5.11") },
		{ CAP_SYS_ADMIN, PRIV_BPF, "CAP_SYS_ADMIN", N_("all of it on kernels before 5.8") },
	};

	probe_add(list, "user", true, "%u", (unsigned)geteuid());
	for (size_t i = 0; i < ARRAY_SIZE(caps); i++) {
		uint64_t before = privilege_raise(caps[i].privilege);

		probe_add(list, caps[i].name, privilege_has((int)caps[i].number), "%s",
			  _(caps[i].use));
		privilege_restore(before);
	}
}

/* "all", "none", or "cap_bpf,cap_perfmon" of a line of /proc/PID/status. */
static void put_capabilities(struct buf *out, const char *status, const char *line)
{
	const char *p = strstr(status, line);
	uint64_t set = p ? strtoull(p + strlen(line), NULL, 16) : 0;
	const char *gap = "";

	if (!set)
		buf_puts(out, _("none"));
	for (unsigned i = 0; i < 64 && set; i++) {
		const char *name = set & 1ULL << i ? capng_capability_to_name(i) : NULL;

		if (!(set & 1ULL << i))
			continue;
		if (name)
			buf_printf(out, "%s%s", gap, name);
		else
			buf_printf(out, "%s%u", gap, i);
		gap = ",";
	}
}

static unsigned long status_number(const char *status, const char *line)
{
	const char *p = strstr(status, line);

	return p ? strtoul(p + strlen(line), NULL, 10) : 0;
}

/* "Max address space  268435456  268435456  bytes" */
static void put_memory_limit(struct buf *out, const char *limits)
{
	static const char line[] = "Max address space";
	const char *p = limits ? strstr(limits, line) : NULL;
	unsigned long long bytes = p ? strtoull(p + strlen(line), NULL, 10) : 0;

	if (bytes)
		buf_printf(out, _(", at most %llu MiB"), bytes >> 20);
}

void probe_process(struct probe_list *list, const char *what, uint32_t pid)
{
	_cleanup_(buf_release) struct buf status = { 0 }, limits = { 0 }, text = { 0 };
	char path[64];

	snprintf(path, sizeof(path), "/proc/%u/status", pid);
	if (buf_read_file(&status, -1, path, 65536) < 0 || !status.len) {
		probe_add(list, what, false, "%s", _("has ended"));
		return;
	}
	snprintf(path, sizeof(path), "/proc/%u/limits", pid);
	if (buf_read_file(&limits, -1, path, 65536) < 0)
		buf_reset(&limits);
	buf_puts(&text, _("effective: "));
	put_capabilities(&text, status.data, "\nCapEff:");
	buf_puts(&text, _("; permitted: "));
	put_capabilities(&text, status.data, "\nCapPrm:");
	buf_printf(&text, _("; no new privileges: %s"),
		   status_number(status.data, "\nNoNewPrivs:") ? _("yes") : _("no"));
	buf_printf(&text, _("; system calls: %s"),
		   status_number(status.data, "\nSeccomp:") == 2 ? _("filtered") : _("all"));
	put_memory_limit(&text, limits.data);
	probe_add(list, what, true, "%s", text.data);
}

/* The first ones of a machine have fixed numbers (PROC_PID_INIT_INO and the like). */
static void add_namespaces(struct probe_list *list)
{
	static const struct {
		const char *path, *name, *first;
	} spaces[] = {
		{ "/proc/self/ns/pid", "pid namespace", "pid:[4026531836]" },
		{ "/proc/self/ns/user", "user namespace", "user:[4026531837]" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(spaces); i++) {
		char link[64];
		ssize_t n = readlink(spaces[i].path, link, sizeof(link) - 1);

		if (n < 0)
			continue;
		link[n] = '\0';
		if (!strcmp(link, spaces[i].first))
			probe_add(list, spaces[i].name, true, "%s", _("the first"));
		else
			probe_add(list, spaces[i].name, false, "%s",
				  _("not the first: a container?"));
	}
}

/* What /proc/self/mountinfo has of cgroups. */
static void add_cgroups(struct probe_list *list)
{
	_cleanup_(buf_release) struct buf b = { 0 };
	bool v1, v2;

	if (buf_read_file(&b, -1, "/proc/self/mountinfo", 0) < 0 || !b.len)
		return;
	v1 = strstr(b.data, " - cgroup ");
	v2 = strstr(b.data, " - cgroup2 ");
	probe_add(list, "cgroups", v1 || v2, "%s",
		  v1 && v2 ? _("v1 and v2")
		  : v2	   ? _("v2")
		  : v1	   ? _("v1")
			   : _("not mounted"));
}

static void add_symbols(struct probe_list *list)
{
	_cleanup_(buf_release) struct buf b = { 0 };
	bool debug = access("/usr/lib/debug", R_OK) == 0;

	if (buf_read_file(&b, -1, "/proc/sys/kernel/kptr_restrict", 16) >= 0 && b.len)
		probe_add(list, "kernel.kptr_restrict",
			  b.data[0] == '0' ||
				  (b.data[0] == '1' && privilege_permitted(PRIV_SYMBOLS)),
			  "%.1s", b.data);
	probe_add(list, "user symbols", true, "%s", debug ?
		  _("tables in the files, perf-PID.map, debug files in /usr/lib/debug") :
		  _("tables in the files, perf-PID.map; there is no /usr/lib/debug"));
}

static void add_pressure(struct probe_list *list)
{
	bool there = access("/proc/pressure/io", R_OK) == 0;

	probe_add(list, "pressure", there, "/proc/pressure/io%s%s", there ? "" : ": ",
		  there ? "" : strerror(errno));
}

static void add_delayacct(const struct collect_set *set, struct probe_list *list)
{
	int on = delayacct_get(set->delayacct);

	if (on < 0)
		probe_add(list, "delayacct", false, "kernel.task_delayacct: %s", strerror(-on));
	else if (on == 2)
		probe_add(list, "delayacct", true, "%s", _("always on: this kernel has no switch"));
	else
		probe_add(list, "delayacct", on, "kernel.task_delayacct is %d%s", on,
			  delayacct_repaired(set->delayacct)
				  ? _(": put back after an iotop that was killed")
				  : "");
}

/* "block hist files" */
static void put_sources(struct buf *out, unsigned sources)
{
	const char *gap = "";

	for (unsigned bit = 1; bit < 1u << SRC_COUNT; bit <<= 1) {
		if (!(sources & bit))
			continue;
		buf_printf(out, "%s%s", gap, source_name(bit));
		gap = " ";
	}
}

static void add_slot(const struct collect_set *set, const struct slot *slot,
		     struct probe_list *list)
{
	_cleanup_(buf_release) struct buf serves = { 0 };
	unsigned allowed;
	const char *refusal = slot_refusal(set, slot, &allowed);
	uint64_t before;

	put_sources(&serves, slot->open ? slot->serves : slot->c->provides);
	if (slot->open)
		probe_add(list, slot->c->name, true, _("serves: %s"), serves.data);
	else if (slot->failed)
		probe_add(list, slot->c->name, false, "%s", slot->why.text);
	else if (refusal && !(allowed & set->wanted))
		probe_add(list, slot->c->name, false, "%s", _(refusal));
	else
		probe_add(list, slot->c->name, false, _("not needed; could serve: %s"),
			  serves.data);
	list->of = slot->c->name;
	before = privilege_raise(slot->c->privileges);
	if (slot->open && slot->c->probe)
		slot->c->probe(slot->state, list);
	privilege_restore(before);
	list->of = NULL;
}

static void put_json_string(struct buf *out, const char *s)
{
	buf_putc(out, '"');
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			buf_putc(out, '\\');
		buf_putc(out, *s);
	}
	buf_putc(out, '"');
}

static void put_json(const struct probe_list *list, struct buf *out)
{
	buf_puts(out, "{\"probes\":[");
	for (size_t i = 0; i < list->n; i++) {
		buf_puts(out, i ? ",{\"what\":" : "{\"what\":");
		put_json_string(out, list->lines[i].what);
		if (list->lines[i].of) {
			buf_puts(out, ",\"of\":");
			put_json_string(out, list->lines[i].of);
		}
		buf_printf(out, ",\"ok\":%s,\"text\":", list->lines[i].ok ? "true" : "false");
		put_json_string(out, list->lines[i].text);
		buf_putc(out, '}');
	}
	buf_puts(out, "]}\n");
}

static int what_width(const struct probe_line *line)
{
	return utf8_width(line->what) + (line->of ? INDENT : 0);
}

static void put_text(const struct probe_list *list, struct buf *out)
{
	int width = 0;

	for (size_t i = 0; i < list->n; i++)
		width = MAX(width, what_width(&list->lines[i]));
	for (size_t i = 0; i < list->n; i++) {
		const struct probe_line *line = &list->lines[i];

		buf_printf(out, "%s  %*s%s%*s  %s\n", line->ok ? "+" : "-", line->of ? INDENT : 0,
			   "", line->what, width - what_width(line), "", line->text);
	}
}

void collect_probes(struct collect_set *set, struct buf *out, bool json)
{
	struct probe_list list = { .n = 0 };

	arena_init(&list.arena);
	add_kernel(&list);
	add_lockdown(&list);
	add_capabilities(&list);
	add_namespaces(&list);
	add_cgroups(&list);
	add_symbols(&list);
	add_pressure(&list);
	add_delayacct(set, &list);
	helper_probe(set->helper, &list);
	for (size_t i = 0; i < set->n; i++)
		add_slot(set, &set->slots[i], &list);
	if (json)
		put_json(&list, out);
	else
		put_text(&list, out);
	free(list.lines);
	arena_release(&list.arena);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* The page of --probes: what is attached where, what falls back to what, and why. */
#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#ifdef HAVE_BPF
#include <bpf/libbpf.h>
#endif

#include "base/i18n.h"
#include "collect/collect.h"
#include "collect/delayacct.h"
#include "collect/helper/helper.h"
#include "collect/probe_list.h"
#include "collect/proc/proc.h"
#include "collect/set.h"

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

/*
 * The first ones of a machine have fixed numbers (PROC_PID_INIT_INO and the like). Pids, ages and
 * users are those of another one where it is not the first.
 */
static void add_namespaces(struct probe_list *list)
{
	static const struct {
		const char *path, *name, *first;
		bool rare;
	} spaces[] = {
		{ "/proc/self/ns/pid", "pid namespace", "pid:[4026531836]", false },
		{ "/proc/self/ns/time", "time namespace", "time:[4026531834]", true },
		{ "/proc/self/ns/user", "user namespace", "user:[4026531837]", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(spaces); i++) {
		char link[64];
		ssize_t n = readlink(spaces[i].path, link, sizeof(link) - 1);

		if (n < 0)
			continue;
		link[n] = '\0';
		if (strcmp(link, spaces[i].first))
			probe_add(list, spaces[i].name, false,
				  _("%s, not the first: a container?"), link);
		else if (!spaces[i].rare)
			probe_add(list, spaces[i].name, true, "%s", _("the first"));
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
	else if (refusal && !(allowed & set->sources))
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

void collect_probes(struct collect_set *set, struct buf *out, bool json)
{
	struct probe_list list;

	probe_list_init(&list);
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
		probe_list_json(&list, out);
	else
		probe_list_text(&list, out);
	probe_list_release(&list);
}

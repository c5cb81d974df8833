// SPDX-License-Identifier: GPL-2.0-or-later
/* Probing functions of the kernel, for the layers vfs and fs. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/buf.h"
#include "base/i18n.h"
#include "base/macro.h"
#include "bpf/abi.h"
#include "bpf/layers.skel.h"
#include "collect/layers.h"

#define KALLSYMS_MAX (64u << 20)

/* The programs for the begin and the end, and the layer it is for. */
struct pair {
	struct bpf_program *enter, *leave;
	unsigned layer;
};

static struct pair pair_of(const struct layers_bpf *skel, enum layer_probe probe)
{
	struct bpf_program *const enter[PROBE_COUNT] = {
		[PROBE_VFS_READ] = skel->progs.layer_vfs_read,
		[PROBE_VFS_WRITE] = skel->progs.layer_vfs_write,
		[PROBE_VFS_FSYNC] = skel->progs.layer_vfs_fsync,
		[PROBE_VFS_OPEN] = skel->progs.layer_vfs_open,
		[PROBE_FS_READ] = skel->progs.layer_fs_read,
		[PROBE_FS_WRITE] = skel->progs.layer_fs_write,
		[PROBE_FS_FSYNC] = skel->progs.layer_fs_fsync,
		[PROBE_FS_OPEN] = skel->progs.layer_fs_open,
	};
	bool fs = probe >= PROBE_FS_READ;

	return (struct pair){
		.enter = enter[probe],
		.leave = fs ? skel->progs.layer_fs_left : skel->progs.layer_vfs_left,
		.layer = 1u << (fs ? LAYER_FS : LAYER_VFS),
	};
}

/* Of a switch that cannot be read nothing is known. */
static bool switched_off(const char *root, const char *name)
{
	_cleanup_(buf_release) struct buf text = { 0 };
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", root, name);
	return !buf_read_file(&text, AT_FDCWD, path, 16) && text.data && text.data[0] == '0';
}

void layers_probing(struct layers *l, const char *proc, const char *sys)
{
	char path[128];

	l->probing = PROBING_NONE;
	/* The type of program is there for uprobes, too. */
	snprintf(path, sizeof(path), "%s/bus/event_source/devices/kprobe", sys);
	if (access(path, F_OK) != 0)
		return;
	/* There where kprobes on many functions at once were built in (5.18). */
	l->probing = bpf_host_struct("bpf_kprobe_multi_link") ? PROBING_MULTI : PROBING_KPROBE;
	/* With these off everything can be attached, and nothing is ever called; kprobes at the begin of a function are ftrace's. */
	if (switched_off(proc, "sys/kernel/ftrace_enabled"))
		snprintf(l->none, sizeof(l->none), "kernel.ftrace_enabled is 0");
	else if (l->probing == PROBING_KPROBE && switched_off(sys, "kernel/debug/kprobes/enabled"))
		snprintf(l->none, sizeof(l->none), "kprobes are switched off (kprobes/enabled in debugfs)");
	if (l->none[0])
		l->probing = PROBING_NONE;
}

void layers_probe_choose(struct layers *l)
{
	for (int i = 0; i < PROBE_COUNT; i++) {
		struct pair pair = pair_of(l->skel, (enum layer_probe)i);
		bool on = l->probing != PROBING_NONE && (l->layers & pair.layer);

		bpf_program__set_autoload(pair.enter, on);
		bpf_program__set_autoload(pair.leave, on);
		if (l->probing != PROBING_MULTI)
			continue;
		bpf_program__set_expected_attach_type(pair.enter, BPF_TRACE_KPROBE_MULTI);
		bpf_program__set_expected_attach_type(pair.leave, BPF_TRACE_KPROBE_MULTI);
	}
}

#define GROUP LAYER_FUNCTIONS_MAX	/* of links: they are of several functions */

static int link_add(struct layers *l, size_t function, struct bpf_link *link)
{
	if (!link)
		return -errno;
	l->links[l->nlinks].function = function;
	l->links[l->nlinks++].link = link;
	return 0;
}

/* Functions of one purpose: the end first, so that no begin stays without one. */
static int attach_multi(struct layers *l, size_t function, const struct pair *pair, const char **names, size_t n)
{
	LIBBPF_OPTS(bpf_kprobe_multi_opts, opts, .cnt = n);
	int r;

	if (l->nlinks + 2 > ARRAY_SIZE(l->links))
		return -ENOSPC;
	opts.syms = names;
	opts.retprobe = true;
	r = link_add(l, function, bpf_program__attach_kprobe_multi_opts(pair->leave, NULL, &opts));
	opts.retprobe = false;
	return r ? r : link_add(l, function, bpf_program__attach_kprobe_multi_opts(pair->enter, NULL, &opts));
}

static int attach_one(struct layers *l, size_t function, const struct pair *pair)
{
	const char *name = layer_functions[function].name;
	int r;

	if (l->probing == PROBING_MULTI)
		return attach_multi(l, function, pair, &name, 1);
	if (l->nlinks + 2 > ARRAY_SIZE(l->links))
		return -ENOSPC;
	r = link_add(l, function, bpf_program__attach_kprobe(pair->leave, true, name));
	return r ? r : link_add(l, function, bpf_program__attach_kprobe(pair->enter, false, name));
}

/* Begins before ends. What it shares with others stays, and does no harm. */
static void detach_one(struct layers *l, size_t function)
{
	size_t kept = l->nlinks;

	l->probed[function] = 0;
	for (size_t i = l->nlinks; i-- > 0;) {
		if (l->links[i].function != function)
			continue;
		bpf_link__destroy(l->links[i].link);
		for (size_t k = i; k + 1 < kept; k++)
			l->links[k] = l->links[k + 1];
		kept--;
	}
	l->nlinks = kept;
}

/* Those functions in the list (numbers) that serve one purpose: together, which costs the kernel as much as one, else one by one. */
static void attach_all(struct layers *l, const struct pair *pair, const size_t *list, size_t n, const uint64_t *address)
{
	const char *names[LAYER_FUNCTIONS_MAX];
	size_t nlinks = l->nlinks;
	bool together;

	for (size_t i = 0; i < n; i++)
		names[i] = layer_functions[list[i]].name;
	together = n > 1 && l->probing == PROBING_MULTI && !attach_multi(l, GROUP, pair, names, n);
	while (!together && l->nlinks > nlinks)
		bpf_link__destroy(l->links[--l->nlinks].link);
	for (size_t i = 0; i < n; i++) {
		int r = together ? 0 : attach_one(l, list[i], pair);

		if (!r)
			l->probed[list[i]] = address[list[i]];
		else
			l->probe_error = r;
	}
}

static void read_text(const struct layers *l, const char *name, struct buf *text)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", l->proc, name);
	if (buf_read_file(text, AT_FDCWD, path, KALLSYMS_MAX) < 0)
		buf_reset(text);
}

/* What is there and not probed yet; what went away with its module, and came back with it elsewhere. */
void layers_probe_attach(struct layers *l)
{
	_cleanup_(buf_release) struct buf modules = { 0 }, kallsyms = { 0 };
	uint64_t address[LAYER_FUNCTIONS_MAX] = { 0 }, loaded;

	if (l->probing == PROBING_NONE)
		return;
	read_text(l, "modules", &modules);
	loaded = layer_modules(modules.len ? modules.data : "");
	if (loaded == l->modules)
		return;
	l->modules = loaded;
	read_text(l, "kallsyms", &kallsyms);
	layer_functions_find(kallsyms.len ? kallsyms.data : "", address);
	for (size_t i = 0; i < layer_functions_count; i++)
		if (l->probed[i] && l->probed[i] != address[i])
			detach_one(l, i);
	for (int probe = 0; probe < PROBE_COUNT; probe++) {
		struct pair pair = pair_of(l->skel, (enum layer_probe)probe);
		size_t list[LAYER_FUNCTIONS_MAX], n = 0;

		for (size_t i = 0; i < layer_functions_count && (l->layers & pair.layer); i++)
			if (layer_functions[i].probe == (enum layer_probe)probe && address[i] && !l->probed[i])
				list[n++] = i;
		if (n)
			attach_all(l, &pair, list, n, address);
	}
}

void layers_probe_settle(struct layers *l)
{
	if (l->probing == PROBING_NONE || l->nlinks || !(l->layers & (1u << LAYER_VFS | 1u << LAYER_FS)))
		return;
	snprintf(l->none, sizeof(l->none), "no function could be probed: %s",
		 l->probe_error ? strerror(-l->probe_error) : "/proc/kallsyms names none that is known");
	l->probing = PROBING_NONE;
}

void layers_probe_detach(struct layers *l)
{
	while (l->nlinks)
		bpf_link__destroy(l->links[--l->nlinks].link);
}

uint64_t layers_probe_misses(const struct layers *l)
{
	const struct layers_bpf *skel = l->skel;
	uint64_t n = bpf_program_misses(skel->progs.layer_vfs_left) + bpf_program_misses(skel->progs.layer_fs_left);

	for (int i = 0; i < PROBE_COUNT; i++)
		n += bpf_program_misses(pair_of(skel, (enum layer_probe)i).enter);
	return n;
}

const char *layers_probe_reason(const struct layers *l, char *out, size_t size)
{
	if (!(l->layers & (1u << LAYER_VFS | 1u << LAYER_FS)))
		return NULL;
	if (l->probing != PROBING_NONE)
		return NULL;
	if (!l->none[0])
		return N_("this kernel lets no functions be probed: no layer vfs, of file systems what their tracepoints tell");
	snprintf(out, size, "%s: no layer vfs, of file systems what their tracepoints tell", l->none);
	return out;
}

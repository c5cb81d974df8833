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
#include "bpf/layers/layers.skel.h"
#include "collect/bpf/kernel.h"
#include "collect/collector.h"
#include "collect/layers/layers.h"
#include "collect/probe_list.h"

_Static_assert((int)ABI_PROBES == PROBE_COUNT && (int)ABI_PROBE_VFS_OPEN == PROBE_VFS_OPEN,
	       "purposes of functions");
_Static_assert((int)ABI_PROBE_FS_READ == PROBE_FS_READ && (int)ABI_PROBE_FS_OPEN == PROBE_FS_OPEN,
	       "purposes of functions");

#define GROUP LAYER_FUNCTIONS_MAX	/* of links: they are of several functions */
#define NO_FUNCTION LAYER_FUNCTIONS_MAX

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
		[PROBE_VFS_FSYNC_FD] = skel->progs.layer_vfs_fsync_fd,
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
	l->fentry = l->layers & (1u << LAYER_VFS | 1u << LAYER_FS) && bpf_host_fentry("vfs_read");
	/*
	 * kprobe.multi is ftrace's, and can be there alone. The type of program is there for
	 * uprobes, too.
	 */
	snprintf(path, sizeof(path), "%s/bus/event_source/devices/kprobe", sys);
	if (kernel_has_kprobe_multi())
		l->probing = PROBING_MULTI;
	else if (!access(path, F_OK))
		l->probing = PROBING_KPROBE;
	else
		return;
	/*
	 * With these off everything can be attached, and nothing is ever called; kprobes at the
	 * begin of a function are ftrace's.
	 */
	if (switched_off(proc, "sys/kernel/ftrace_enabled"))
		snprintf(l->none, sizeof(l->none), "%s", _("kernel.ftrace_enabled is 0"));
	else if (l->probing == PROBING_KPROBE && switched_off(sys, "kernel/debug/kprobes/enabled"))
		snprintf(l->none, sizeof(l->none), "%s",
			 _("kprobes are switched off (kprobes/enabled in debugfs)"));
	if (l->none[0]) {
		l->probing = PROBING_NONE;
		l->fentry = false;
	}
}

static struct pair slot_pair(const struct layers *l, size_t slot)
{
	char begin[32], end[32];

	snprintf(begin, sizeof(begin), "layer_begin_%zu", slot);
	snprintf(end, sizeof(end), "layer_end_%zu", slot);
	return (struct pair){
		.enter = bpf_object__find_program_by_name(l->skel->obj, begin),
		.leave = bpf_object__find_program_by_name(l->skel->obj, end),
	};
}

/* A pair of programs for a function, if its types are known. */
static void slot_take(struct layers *l, size_t function)
{
	struct pair pair = slot_pair(l, l->nslots);
	const char *name = layer_functions[function].name;

	if (!pair.enter || !pair.leave || bpf_program__set_attach_target(pair.enter, 0, name) < 0 ||
	    bpf_program__set_attach_target(pair.leave, 0, name) < 0)
		return;
	bpf_program__set_autoload(pair.enter, true);
	bpf_program__set_autoload(pair.leave, true);
	*(uint8_t *)(uintptr_t)&l->skel->rodata->slot_probe[l->nslots] =
		layer_functions[function].probe;
	l->slots[l->nslots++] = function;
}

/*
 * Reads and writes are what is called often: each pair of programs takes the kernel some ms to
 * check. The others, and those of modules that are not loaded yet, are kprobes. Where there are
 * none, it is all of vfs, and of the file systems their tracepoints tell.
 */
static bool wants_slot(const struct layers *l, enum layer_probe probe)
{
	if (!(l->layers & 1u << (probe >= PROBE_FS_READ ? LAYER_FS : LAYER_VFS)))
		return false;
	if (l->probing == PROBING_NONE)
		return probe < PROBE_FS_READ;
	return probe == PROBE_VFS_READ || probe == PROBE_VFS_WRITE || probe == PROBE_FS_READ ||
	       probe == PROBE_FS_WRITE;
}

static void choose_slots(struct layers *l)
{
	l->nslots = 0;
	if (!l->fentry)
		return;
	l->here = addresses_of_kernel(l->proc);
	for (int probe = 0; probe < PROBE_COUNT; probe++)
		for (size_t i = 0; i < layer_functions_count && l->nslots < ABI_LAYER_SLOTS; i++)
			if (layer_functions[i].probe == (enum layer_probe)probe &&
			    l->here->function[i] && wants_slot(l, (enum layer_probe)probe))
				slot_take(l, i);
}

void layers_probe_list(const struct layers *l, const char *kprobe, struct probe_list *list)
{
	uint64_t own[LAYER_FUNCTIONS_MAX] = { 0 }, others[LAYER_FUNCTIONS_MAX];
	const char *names;
	char text[200];

	memcpy(others, l->probed, sizeof(others));
	for (size_t i = 0; i < l->nslots; i++) {
		if (l->slots[i] == NO_FUNCTION)
			continue;
		own[l->slots[i]] = l->probed[l->slots[i]];
		others[l->slots[i]] = 0;
	}
	names = layer_functions_text(own, text, sizeof(text));
	if (names)
		probe_add(list, "functions", true, "fentry: %s", names);
	else if (l->probing != PROBING_NONE && !l->fentry)
		probe_add(list, "functions", false, "%s", _("the kernel refuses fentry"));
	names = layer_functions_text(others, text, sizeof(text));
	probe_add(list, "functions", names != NULL, "%s%s%s", l->none[0] ? l->none : kprobe,
		  names ? ": " : "", names ? names : "");
}

bool layers_probe_retry(struct layers *l)
{
	bool fewer = l->nslots;

	l->fentry = false;
	return fewer;
}

void layers_probe_choose(struct layers *l)
{
	choose_slots(l);
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

static int link_add(struct layers *l, size_t function, struct bpf_link *link)
{
	if (!link)
		return -errno;
	l->links[l->nlinks].function = function;
	l->links[l->nlinks++].link = link;
	return 0;
}

/* Functions of one purpose: the end first, so that no begin stays without one. */
static int attach_multi(struct layers *l, size_t function, const struct pair *pair,
			const char **names, size_t n)
{
	LIBBPF_OPTS(bpf_kprobe_multi_opts, opts, .cnt = n);
	int r;

	if (l->nlinks + 2 > ARRAY_SIZE(l->links))
		return -ENOSPC;
	opts.syms = names;
	opts.retprobe = true;
	r = link_add(l, function, bpf_program__attach_kprobe_multi_opts(pair->leave, NULL, &opts));
	opts.retprobe = false;
	return r ? r
		 : link_add(l, function,
			    bpf_program__attach_kprobe_multi_opts(pair->enter, NULL, &opts));
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

/* Begins before ends. What it shares with others stays, and does no harm. Returns NO_FUNCTION. */
static size_t detach_one(struct layers *l, size_t function)
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
	return NO_FUNCTION;
}

/*
 * Those functions in the list (numbers) that serve one purpose: together, which costs the kernel as
 * much as one, else one by one.
 */
static void attach_all(struct layers *l, const struct pair *pair, const size_t *list, size_t n)
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
			l->probed[list[i]] = l->here->function[list[i]];
		else
			l->probe_error = r;
	}
}

/* Functions with programs of their own; where that fails they are as the others. */
static void attach_slots(struct layers *l)
{
	for (size_t n = 0; n < l->nslots; n++) {
		size_t function = l->slots[n];
		struct pair pair = slot_pair(l, n);

		if (function == NO_FUNCTION || l->probed[function] ||
		    l->nlinks + 2 > ARRAY_SIZE(l->links))
			continue;
		if (!link_add(l, function, bpf_program__attach_trace(pair.leave)) &&
		    !link_add(l, function, bpf_program__attach_trace(pair.enter)))
			l->probed[function] = l->here->function[function];
		else
			l->slots[n] = detach_one(l, function);
	}
}

/*
 * What is there and not probed yet; what went away with its module, and came back with it
 * elsewhere.
 */
void layers_probe_attach(struct layers *l)
{
	if (l->probing == PROBING_NONE && !l->nslots)
		return;
	l->here = addresses_of_kernel(l->proc);
	if (l->attached == l->here->modules)
		return;
	l->attached = l->here->modules;
	attach_slots(l);
	if (l->probing == PROBING_NONE)
		return;
	for (size_t i = 0; i < layer_functions_count; i++)
		if (l->probed[i] && l->probed[i] != l->here->function[i])
			detach_one(l, i);
	for (int probe = 0; probe < PROBE_COUNT; probe++) {
		struct pair pair = pair_of(l->skel, (enum layer_probe)probe);
		size_t list[LAYER_FUNCTIONS_MAX], n = 0;

		for (size_t i = 0; i < layer_functions_count && (l->layers & pair.layer); i++)
			if (layer_functions[i].probe == (enum layer_probe)probe &&
			    l->here->function[i] && !l->probed[i])
				list[n++] = i;
		if (n)
			attach_all(l, &pair, list, n);
	}
}

/* How many functions have programs of their own that are attached. */
static size_t slots_used(const struct layers *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->nslots; i++)
		n += l->slots[i] != NO_FUNCTION;
	return n;
}

void layers_probe_settle(struct layers *l)
{
	/* Each of them has two links. */
	if (l->probing == PROBING_NONE || l->nlinks > 2 * slots_used(l) ||
	    !(l->layers & (1u << LAYER_VFS | 1u << LAYER_FS)))
		return;
	snprintf(l->none, sizeof(l->none), _("no function could be probed: %s"),
		 l->probe_error ? strerror(-l->probe_error)
				: _("/proc/kallsyms names none that is known"));
	l->probing = PROBING_NONE;
	/* Of file systems their tracepoints tell then, reads and writes, too: they count once. */
	for (size_t i = 0; i < l->nslots; i++)
		if (l->slots[i] != NO_FUNCTION &&
		    layer_functions[l->slots[i]].probe >= PROBE_FS_READ)
			l->slots[i] = detach_one(l, l->slots[i]);
}

void layers_probe_detach(struct layers *l)
{
	while (l->nlinks)
		bpf_link__destroy(l->links[--l->nlinks].link);
}

uint64_t layers_probe_misses(const struct layers *l)
{
	const struct layers_bpf *skel = l->skel;
	uint64_t n = skel->bss->ends_missed + bpf_program_misses(skel->progs.layer_vfs_left) +
		     bpf_program_misses(skel->progs.layer_fs_left);

	for (int i = 0; i < PROBE_COUNT; i++)
		n += bpf_program_misses(pair_of(skel, (enum layer_probe)i).enter);
	for (size_t i = 0; i < l->nslots; i++) {
		struct pair pair = slot_pair(l, i);

		n += bpf_program_misses(pair.enter) + bpf_program_misses(pair.leave);
	}
	return n;
}

const char *layers_probe_reason(const struct layers *l, char *out, size_t size)
{
	if (!(l->layers & (1u << LAYER_VFS | 1u << LAYER_FS)))
		return NULL;
	if (l->probing != PROBING_NONE)
		return NULL;
	if (!l->none[0])
		return slots_used(l) ?
			N_("this kernel has no kprobes: of file systems what their tracepoints "
			   "tell") :
			N_("this kernel lets no functions be probed: no layer vfs, of file systems "
			   "what their tracepoints tell");
	snprintf(out, size, slots_used(l) ?
		_("%s: of vfs reads and writes, of file systems what their tracepoints tell") :
		 _("%s: no layer vfs, of file systems what their tracepoints tell"), l->none);
	return out;
}

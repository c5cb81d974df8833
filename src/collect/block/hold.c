// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * When bios begin to be held back by blk-throttle (bpf/block/hold.bpf.c): by a program at the end
 * of the function that does it or, where the kernel allows none (x86), by debug registers that
 * watch its counts. These are few, and other debuggers want them: one is taken for a disk at which
 * something was held back lately, and given back later.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/macro.h"
#include "base/mem.h"
#include "bpf/abi.h"
#include "bpf/block/block.skel.h"
#include "bpf/block/hold.skel.h"
#include "collect/bpf/addresses.h"
#include "collect/block/block.h"
#include "collect/collector.h"
#include "collect/probe_list.h"

#define NO_REGISTERS N_("debug registers do not fire here: how long blk-throttle holds I/O back " \
			"is not known")
#define INTERVALS 30	/* without anything held back, until a register is given back */

struct watch {
	uint64_t at;	/* address; 0: not in use */
	struct bpf_link **links;	/* one a CPU; NULL: it was offline */
};

struct hold {
	struct hold_bpf *skel;
	struct bpf_link *exit;
	struct watch watches[ABI_THROTTLES];
	unsigned ncpus;
	const char *function;	/* of the kernel, at whose end the program is; NULL: none */
	char why[128];	/* nothing could be attached; empty: it could, or was not needed yet */
};

static const char *function_of_kernel(void)
{
	/* The second before 5.18, for bios without a limit as well. */
	static const char *const names[] = { "__blk_throtl_bio", "blk_throtl_bio" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (bpf_host_function(names[i]) >= 0)
			return bpf_host_fentry(names[i]) ? names[i] : NULL;
	return NULL;
}

/* Of x86 only; NULL: this is another. */
static struct bpf_program *program(const struct hold *h, const char *name)
{
	return bpf_object__find_program_by_name(h->skel->obj, name);
}

static int load(const struct block *b, struct hold *h)
{
	static const char *const watches[] = { "hold_watch", "hold_try" };
	int r;

	h->skel = hold_bpf__open_opts(bpf_host_open_opts(NULL));
	if (!h->skel)
		return -errno;
	addresses_set(b->opt->proc, h->skel->rodata->addresses);
	r = bpf_map__reuse_fd(h->skel->maps.block_held, bpf_map__fd(b->skel->maps.held));
	if (h->function && !r)
		r = bpf_program__set_attach_target(h->skel->progs.hold_exit, 0, h->function);
	bpf_program__set_autoload(h->skel->progs.hold_exit, h->function);
	for (size_t i = 0; i < ARRAY_SIZE(watches) && !h->function && !r; i++) {
		struct bpf_program *p = program(h, watches[i]);

		r = p ? bpf_program__set_autoload(p, true) : -ENOTSUP;
	}
	return r < 0 ? r : hold_bpf__load(h->skel);
}

static void unload(struct hold *h)
{
	if (h->skel)
		hold_bpf__destroy(h->skel);
	h->skel = NULL;
}

static void watch_end(struct hold *h, struct watch *w)
{
	for (unsigned i = 0; w->links && i < h->ncpus; i++)
		bpf_link__destroy(w->links[i]);
	free(w->links);
	*w = (struct watch){ 0 };
}

/* pid, cpu: as of perf_event_open(). */
static int watch_open(uint64_t at, pid_t pid, int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_BREAKPOINT,
		.size = sizeof(attr),
		.bp_type = HW_BREAKPOINT_W,
		.bp_addr = at,
		.bp_len = HW_BREAKPOINT_LEN_8,
		.sample_period = 1,
		.exclude_user = 1,
		.exclude_hv = 1,
	};

	return (int)syscall(SYS_perf_event_open, &attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static void refused(struct hold *h, int r)
{
	snprintf(h->why, sizeof(h->why), "refused by the kernel: %s", strerror(-r));
}

/*
 * Whether a debug register fires when the kernel writes: some hypervisors let one be set and forget
 * it. 1, also where others have them all now; 0: it does not; or -errno.
 */
static int fires(const struct hold *h)
{
	LIBBPF_OPTS(bpf_test_run_opts, run);
	int program_fd = bpf_program__fd(program(h, "hold_try")), fd, r;
	uint64_t n = 1;

	if (bpf_prog_test_run_opts(program_fd, &run) < 0)
		return -errno;
	fd = watch_open(h->skel->bss->tried, 0, -1);
	if (fd < 0)
		return errno == ENOSPC ? 1 : -errno;
	r = bpf_prog_test_run_opts(program_fd, &run);
	if (r < 0 || read(fd, &n, sizeof(n)) < 0)
		r = -errno;
	close(fd);
	return r < 0 ? r : n != 0;
}

/* Loads what watches; false: it cannot be, and why says so. */
static bool load_watch(const struct block *b, struct hold *h)
{
	int r = load(b, h);

	if (!r)
		r = fires(h);
	if (r < 0)
		refused(h, r);
	else if (!r)
		snprintf(h->why, sizeof(h->why), "%s", NO_REGISTERS);
	if (r <= 0)
		unload(h);
	return r > 0;
}

static struct bpf_link *watch_cpu(const struct hold *h, uint64_t at, unsigned cpu)
{
	LIBBPF_OPTS(bpf_perf_event_opts, opts, .bpf_cookie = at);
	int fd = watch_open(at, -1, (int)cpu);
	struct bpf_link *link;

	if (fd < 0)
		return NULL;
	link = bpf_program__attach_perf_event_opts(program(h, "hold_watch"), fd, &opts);
	if (!link)
		close(fd);
	return link;
}

/* The counts of both directions are watched as one: they must not lie across two words. */
static void watch_begin(struct hold *h, struct watch *w, uint64_t at)
{
	bool any = false;

	if (at % sizeof(uint64_t))
		return;
	*w = (struct watch){ .at = at, .links = mem_zalloc(h->ncpus * sizeof(*w->links)) };
	for (unsigned i = 0; i < h->ncpus; i++) {
		w->links[i] = watch_cpu(h, at, i);
		any |= w->links[i] != NULL;
	}
	h->why[0] = '\0';
	if (any)
		return;
	/* Others may have them all; the next sample tries again. */
	snprintf(h->why, sizeof(h->why), "no debug register can be had: %s", strerror(errno));
	watch_end(h, w);
}

static void watch_refresh(struct block *b, struct hold *h)
{
	for (unsigned i = 0; i < ABI_THROTTLES; i++) {
		uint64_t at = b->skel->bss->throttle_at[i];
		uint32_t ago = b->skel->bss->epoch - b->skel->bss->throttle_epoch[i];
		bool lately = at && ago < INTERVALS;
		struct watch *w = &h->watches[i];

		if (w->at && (!lately || w->at != at))
			watch_end(h, w);
		if (lately && !w->at && h->skel)
			watch_begin(h, w, at);
	}
}

void block_hold_open(struct block *b)
{
	struct hold *h = b->hold = mem_zalloc(sizeof(*h));
	int r;

	h->ncpus = bpf_host_cpus();
	h->function = function_of_kernel();
	if (!h->function)
		return;
	r = load(b, h);
	if (!r) {
		h->exit = bpf_program__attach(h->skel->progs.hold_exit);
		r = h->exit ? 0 : -errno;
	}
	if (r < 0) {
		refused(h, r);
		unload(h);
	}
}

void block_hold_refresh(struct block *b)
{
	struct hold *h = b->hold;

	if (!b->skel->bss->any_held || h->function || (!h->skel && h->why[0]))
		return;
	if (h->skel || load_watch(b, h))
		watch_refresh(b, h);
}

const char *block_hold_missing(const struct block *b)
{
	return b->skel->bss->throttle_epoch[0] && b->hold->why[0] ? b->hold->why : NULL;
}

void block_hold_close(struct block *b)
{
	struct hold *h = b->hold;

	if (!h)
		return;
	for (unsigned i = 0; i < ABI_THROTTLES; i++)
		watch_end(h, &h->watches[i]);
	bpf_link__destroy(h->exit);
	unload(h);
	free(h);
	b->hold = NULL;
}

void block_hold_probe(const struct block *b, struct probe_list *list)
{
	struct hold *h = b->hold;
	unsigned n = 0;

	if (!h->function && !h->skel && !h->why[0] && load_watch(b, h))
		unload(h);
	for (unsigned i = 0; i < ABI_THROTTLES; i++)
		n += h->watches[i].at != 0;
	if (h->why[0])
		probe_add(list, "__blk_throtl_bio", false, "%s", h->why);
	else if (h->function)
		probe_add(list, h->function, true, "fexit, attached");
	else if (n)
		probe_add(list, "__blk_throtl_bio", true, "debug registers: %u", n);
	else
		probe_add(list, "__blk_throtl_bio", true,
			  "debug register, not attached: not needed now");
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* The machine as a whole: memory that is short, swap traffic, pressure, load. */
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/kept_file.h"
#include "base/macro.h"
#include "collect/collector.h"
#include "collect/delayacct.h"
#include "collect/proc/proc.h"
#include "collect/set.h"

#define CPU_ROUNDS 8	/* samples until it is looked how many processors are online */

struct system_state {
	int proc;
	struct kept_file vmstat, pressure_io, pressure_memory, loadavg;
	const struct delayacct *delayacct;
	struct utsname uts;
	uint64_t ncpu;		/* online */
	unsigned rounds;
	struct buf buf;
};

static int system_open(struct collect_set *set, unsigned sources, void **ret_state, struct err *err)
{
	const char *path = collect_set_options(set)->proc;
	int proc = proc_dir(path);
	struct system_state *st;

	if (proc < 0)
		return err_set(err, -proc, "%s: %m", path);
	st = mem_alloc(sizeof(*st));
	*st = (struct system_state){
		.proc = proc,
		.vmstat = KEPT_FILE,
		.pressure_io = KEPT_FILE,
		.pressure_memory = KEPT_FILE,
		.loadavg = KEPT_FILE,
		.delayacct = set->delayacct,
	};
	uname(&st->uts);
	*ret_state = st;
	return 0;
}

static void read_vmstat(struct system_state *st, struct sample_system *row)
{
	const struct {
		const char *name;
		uint64_t *to;
	} values[] = {
		{ "nr_dirty", &row->dirty },
		{ "nr_writeback", &row->writeback },
		{ "nr_dirty_threshold", &row->dirty_threshold },
		{ "nr_dirty_background_threshold", &row->dirty_background_threshold },
		{ "workingset_refault_file", &row->refault_file },
		{ "workingset_refault_anon", &row->refault_anon },
		{ "pgscan_direct", &row->scan_direct },
		{ "pgsteal_direct", &row->steal_direct },
	};

	if (kept_file_read(&st->vmstat, &st->buf, st->proc, "vmstat", 0) < 0 || !st->buf.len)
		return;
	proc_value(st->buf.data, "pswpin", &row->swap_in);
	proc_value(st->buf.data, "pswpout", &row->swap_out);
	row->vmstat = 1;
	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		if (proc_value(st->buf.data, values[i].name, values[i].to) < 0)
			row->vmstat = 0;
}

/* 1: some and full are there. */
static uint64_t read_pressure(struct system_state *st, struct kept_file *k, const char *file,
			      uint64_t *some, uint64_t *full)
{
	return kept_file_read(k, &st->buf, st->proc, file, 4096) >= 0 && st->buf.len &&
	       !proc_pressure_parse(st->buf.data, some, full);
}

static void read_loadavg(struct system_state *st, struct sample_system *row)
{
	uint64_t load[3];

	if (kept_file_read(&st->loadavg, &st->buf, st->proc, "loadavg", 4096) < 0 ||
	    !st->buf.len ||
	    proc_loadavg_parse(st->buf.data, load, &row->tasks) < 0)
		return;
	row->load1 = load[0];
	row->load5 = load[1];
	row->load15 = load[2];
}

static int system_collect(void *state, struct sample *s, struct err *err)
{
	struct system_state *st = state;
	struct sample_system *row = sample_add_row(s, SYSTEM, struct sample_system);
	int on = delayacct_now(st->delayacct);

	row->host = arena_strdup(&s->arena, st->uts.nodename);
	row->release = arena_strdup(&s->arena, st->uts.release);
	row->machine = arena_strdup(&s->arena, st->uts.machine);
	/* A file of /sys is read for it. */
	if (st->rounds++ % CPU_ROUNDS == 0)
		st->ncpu = (uint64_t)MAX(sysconf(_SC_NPROCESSORS_ONLN), 1);
	row->ncpu = st->ncpu;
	row->page_size = (uint64_t)sysconf(_SC_PAGESIZE);
	row->delayacct = on < 0 ? 0 : (uint64_t)on;
	read_vmstat(st, row);
	row->psi = read_pressure(st, &st->pressure_io, "pressure/io", &row->psi_some_us,
				 &row->psi_full_us);
	row->psi_memory = read_pressure(st, &st->pressure_memory, "pressure/memory",
					&row->psi_memory_some_us, &row->psi_memory_full_us);
	read_loadavg(st, row);
	if (row->psi)
		sample_source(s, SRC_SYSTEM, SOURCE_ON, NULL);
	else
		sample_source(s, SRC_SYSTEM, SOURCE_PART,
			      "no I/O pressure: this kernel has no PSI or booted with psi=0");
	return 0;
}

static void system_close(void *state)
{
	struct system_state *st = state;

	kept_file_close(&st->vmstat);
	kept_file_close(&st->pressure_io);
	kept_file_close(&st->pressure_memory);
	kept_file_close(&st->loadavg);
	buf_release(&st->buf);
	close(st->proc);
	free(st);
}

const struct collector collector_system = {
	.name = "system",
	.provides = SRC_SYSTEM,
	.open = system_open,
	.collect = system_collect,
	.close = system_close,
};

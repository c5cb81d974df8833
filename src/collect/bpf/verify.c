// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/bpf/verify.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/fd.h"
#include "base/macro.h"
#include "base/offload.h"

/* More would be for machines on which few programs are long, and for a tenth of a second. */
#define THREADS 4

struct later {
	const struct bpf_program *prog;
	struct bpf_insn *insns;
	size_t ninsns;
	struct bpf_prog_load_opts opts;	/* points to what the object has */
	int fd;				/* or -errno */
};

/* Of the object that is loaded now. */
static struct {
	unsigned threads;	/* 0: nothing is put off */
	struct later *programs;
	size_t n;
	atomic_size_t taken;	/* so many of them are loaded or being loaded */
} batch;

static unsigned usable_processors(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) ? 1 : (unsigned)CPU_COUNT(&set);
}

void bpf_verify_begin(void)
{
	unsigned cpus = usable_processors();

	batch.threads = cpus > 1 ? MIN(cpus, THREADS) : 0;
	atomic_store(&batch.taken, 0);
}

int bpf_verify_later(struct bpf_program *prog, struct bpf_prog_load_opts *opts)
{
	/* return 0 */
	static struct bpf_insn nothing[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	struct later *later;
	size_t n = bpf_program__insn_cnt(prog);

	if (!batch.threads)
		return 0;
	batch.programs = mem_realloc(batch.programs, (batch.n + 1) * sizeof(*batch.programs));
	later = &batch.programs[batch.n++];
	*later = (struct later){ .prog = prog, .ninsns = n, .opts = *opts, .fd = -ECANCELED };
	/* No log: the buffer that a level needs libbpf would only make later. */
	later->opts.log_level = 0;
	later->insns = mem_alloc(n * sizeof(*later->insns));
	memcpy(later->insns, bpf_program__insns(prog), n * sizeof(*later->insns));
	/* These are about the instructions of the program itself. */
	opts->func_info_cnt = 0;
	opts->line_info_cnt = 0;
	return bpf_program__set_insns(prog, nothing, ARRAY_SIZE(nothing));
}

static void load(void *arg)
{
	size_t i;

	(void)arg;
	while ((i = atomic_fetch_add(&batch.taken, 1)) < batch.n) {
		struct later *l = &batch.programs[i];

		l->fd = bpf_prog_load(bpf_program__type(l->prog), bpf_program__name(l->prog), "GPL",
				      l->insns, l->ninsns, &l->opts);
		if (l->fd < 0)
			l->fd = -errno;
	}
}

static int longer_first(const void *a, const void *b)
{
	const struct later *x = a, *y = b;

	return (x->ninsns < y->ninsns) - (x->ninsns > y->ninsns);
}

/* All of them; this thread takes part. */
static void load_all(void)
{
	struct offload others[THREADS];
	unsigned n = 0;

	/* A long one that comes last would be alone on its processor. */
	qsort(batch.programs, batch.n, sizeof(*batch.programs), longer_first);
	while (n + 1 < MIN(batch.threads, batch.n) && offload_begin(&others[n], load, NULL))
		n++;
	load(NULL);
	while (n)
		offload_end(&others[--n]);
}

/* Into the place that libbpf has for it. */
static int put(const struct later *l)
{
	int r = dup3(l->fd, bpf_program__fd(l->prog), O_CLOEXEC) < 0 ? -errno : 0;

	close(l->fd);
	return r;
}

int bpf_verify_end(int r, const struct bpf_program **ret_refused)
{
	*ret_refused = NULL;
	if (!r && batch.n)
		load_all();
	for (size_t i = 0; i < batch.n; i++) {
		struct later *l = &batch.programs[i];

		if (!r && l->fd < 0) {
			*ret_refused = l->prog;
			r = l->fd;
		} else if (!r) {
			r = put(l);
		} else {
			fd_close(l->fd);
		}
		free(l->insns);
	}
	free(batch.programs);
	batch.programs = NULL;
	batch.n = batch.threads = 0;
	return r;
}

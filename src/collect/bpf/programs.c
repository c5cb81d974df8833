// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/bpf/programs.h"

#include <errno.h>
#include <string.h>

#include "collect/bpf/types.h"
#include "collect/bpf/verify.h"

static struct bpf_programs *first;

const struct bpf_programs *bpf_programs_first(void)
{
	return first;
}

static void forget(const struct bpf_programs *p)
{
	struct bpf_programs **at = &first;

	while (*at && *at != p)
		at = &(*at)->next;
	if (*at)
		*at = p->next;
}

void bpf_programs_init(struct bpf_programs *p, const struct bpf_programs_type *type)
{
	*p = (struct bpf_programs){ .type = type };
	bpf_hooks_init(&p->hooks, type->hooks, type->nhooks);
}

static void destroy(struct bpf_programs *p)
{
	if (!p->skel)
		return;
	forget(p);
	p->type->destroy(p->skel);
	p->skel = NULL;
}

#define LOG_STATS 4	/* BPF_LOG_STATS of the kernel's verifier: what went wrong, and sums */

/*
 * A program that the kernel refuses libbpf loads once more, for a log of each instruction on each
 * path: a start with refused programs took 33 s instead of 20. Asked for less at once it does not.
 */
static void limit_logs(struct bpf_object *obj)
{
	struct bpf_program *prog;

	bpf_object__for_each_program(prog, obj)
		bpf_program__set_log_level(prog, LOG_STATS);
}

/* types: the file with the types that the object is loaded with, or NULL. */
static int prepare(struct bpf_programs *p, void *state, const char *types, struct err *err)
{
	const struct bpf_programs_type *type = p->type;
	int r;

	destroy(p);
	p->skel = type->open(bpf_host_open_opts(types), &p->obj);
	if (!p->skel)
		return err_set(err, errno, "%s cannot be read: %m", type->what);
	p->next = first;
	first = p;
	bpf_maps_grow(p->obj);
	limit_logs(p->obj);
	r = type->set_up ? type->set_up(state, p->skel, err) : 0;
	return r < 0 ? r : bpf_hooks_choose(&p->hooks, p->obj, err);
}

static bool write_types(const struct bpf_programs *p)
{
	size_t size;
	const void *elf = p->type->elf(&size);

	return bpf_host_types(p->obj, elf, size) >= 0;
}

/*
 * Whether user space has the programs' variables in its memory. Libbpf leaves them out without an
 * error where it takes the kernel for one that cannot map them (before 5.5).
 */
static bool has_variables(const struct bpf_object *obj)
{
	const struct bpf_map *map;

	bpf_object__for_each_map(map, obj)
		if (strstr(bpf_map__name(map), ".bss") &&
		    !(bpf_map__map_flags(map) & BPF_F_MMAPABLE))
			return false;
	return true;
}

/* All of them at once, as far as they can be (verify.h). */
static int load(struct bpf_programs *p)
{
	const struct bpf_program *refused;
	int r;

	bpf_verify_begin();
	r = bpf_verify_end(p->type->load(p->skel), &refused);
	if (refused)
		bpf_host_failed_note(bpf_program__name(refused));
	return r || has_variables(p->obj) ? r : -ENOTSUP;
}

int bpf_programs_load(struct bpf_programs *p, void *state, struct err *err)
{
	const struct bpf_programs_type *type = p->type;
	int r;

	do {
		const char *types = bpf_types_file();

		r = prepare(p, state, types, err);
		if (!r && types && !write_types(p))
			r = prepare(p, state, NULL, err);
		if (r < 0)
			return r;
		r = load(p);
	} while (r < 0 && (bpf_hooks_retry(&p->hooks, r, err) ||
			   (type->fewer && type->fewer(state))));
	return r;
}

int bpf_programs_attach(struct bpf_programs *p, unsigned sources, struct err *err)
{
	return bpf_hooks_attach(&p->hooks, p->obj, sources, err);
}

void bpf_programs_close(struct bpf_programs *p)
{
	bpf_hooks_detach(&p->hooks);
	destroy(p);
}

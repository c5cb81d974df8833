/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The programs of one BPF object, all the way: opened, set up, loaded (once more without those that
 * the kernel refuses), attached, closed. A collector has one of these and says what is its own.
 */
#ifndef IOTOP_COLLECT_BPF_PROGRAMS_H
#define IOTOP_COLLECT_BPF_PROGRAMS_H

#include "base/macro.h"
#include "collect/bpf/hooks.h"

struct bpf_programs_type {
	const char *what;	/* "the block programs", for messages */
	const char *object;	/* its name: "block" */
	const struct bpf_hook *hooks;
	unsigned nhooks;
	/* Functions of the skeleton. open() returns it, and its object in *ret_obj; or NULL. */
	void *(*open)(const struct bpf_object_open_opts *opts, struct bpf_object **ret_obj);
	int (*load)(void *skel);
	const void *(*elf)(size_t *ret_size);	/* the object's file */
	void (*destroy)(void *skel);
	/*
	 * Sizes of maps and constants, each time before the object is loaded: skel is a new one.
	 * 0, or -errno and the reason.
	 */
	int (*set_up)(void *state, void *skel, struct err *err);
	/* Loading failed: whether to try again with fewer programs. NULL: never. */
	bool (*fewer)(void *state);
};

/* Defines NAME_programs for the skeleton struct NAME_bpf and the array hooks[] of its file. */
#define BPF_PROGRAMS(name, ...)                                                                    \
	static void *name##_skel_open(const struct bpf_object_open_opts *opts,                     \
				      struct bpf_object **ret_obj)                                 \
	{                                                                                          \
		struct name##_bpf *skel = name##_bpf__open_opts(opts);                             \
\
		*ret_obj = skel ? skel->obj : NULL;                                                \
		return skel;                                                                       \
	}                                                                                          \
	static int name##_skel_load(void *skel)                                                    \
	{                                                                                          \
		return name##_bpf__load(skel);                                                     \
	}                                                                                          \
	static void name##_skel_destroy(void *skel)                                                \
	{                                                                                          \
		name##_bpf__destroy(skel);                                                         \
	}                                                                                          \
	static const void *name##_skel_elf(size_t *ret_size)                                       \
	{                                                                                          \
		return name##_bpf__elf_bytes(ret_size);                                            \
	}                                                                                          \
	_Static_assert(ARRAY_SIZE(hooks) <= BPF_HOOKS_MAX, "room for every hook");                 \
	static const struct bpf_programs_type name##_programs = {                                  \
		.object = #name,                                                                   \
		.hooks = hooks,                                                                    \
		.nhooks = ARRAY_SIZE(hooks),                                                       \
		.open = name##_skel_open,                                                          \
		.load = name##_skel_load,                                                          \
		.elf = name##_skel_elf,                                                            \
		.destroy = name##_skel_destroy,                                                    \
		__VA_ARGS__                                                                        \
	}

struct bpf_programs {
	const struct bpf_programs_type *type;
	void *skel;		/* NULL: not open */
	struct bpf_object *obj;	/* of skel */
	struct bpf_hooks hooks;
	struct bpf_programs *next;	/* of those that are open */
};

/* Before anything else; hooks may then be refused (bpf_hooks_refuse()) before they are loaded. */
void bpf_programs_init(struct bpf_programs *p, const struct bpf_programs_type *type);
/* 0, or -errno and the reason. state: for the functions of the type. */
int bpf_programs_load(struct bpf_programs *p, void *state, struct err *err);
/* Attaches what these sources (enum source bits) need and detaches the rest. */
int bpf_programs_attach(struct bpf_programs *p, unsigned sources, struct err *err);
/* Detaches and unloads; does nothing where it was never opened. */
void bpf_programs_close(struct bpf_programs *p);
/* All that are open; for the thread that opens and closes them. NULL: none. */
const struct bpf_programs *bpf_programs_first(void);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every collector with kernel programs needs of the host: is BPF to be had at all, what the
 * kernel's types are, why a load failed, memory shared with a map. libbpf's own messages are kept
 * here and never shown as they are.
 */
#ifndef IOTOP_COLLECT_BPF_BPF_H
#define IOTOP_COLLECT_BPF_BPF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/types.h>

#include "base/err.h"

struct bpf_link;
struct bpf_map;
struct bpf_object;
struct bpf_object_open_opts;
struct bpf_program;
struct probe_list;

/* 0 when BPF can be tried at all; else a negative errno and the reason. */
int bpf_host_check(struct err *err);
/* How to open a skeleton here. */
const struct bpf_object_open_opts *bpf_host_open_opts(void);
/*
 * Arguments of a tracepoint by the kernel's BTF, and the name of the struct that the first points
 * to (or NULL); or -ENOENT.
 */
int bpf_host_args(const char *tracepoint, const char **ret_first);
/* Does the kernel's BTF have this struct? */
bool bpf_host_struct(const char *name);
/* Does that struct have this member, by itself (not in a struct or union within)? */
bool bpf_host_member(const char *type, const char *name);
/* Does it have this variable of each processor? It knows of no others. */
bool bpf_host_variable(const char *name);
/* The number of a kernel function in its BTF, or a negative errno. */
int bpf_host_function(const char *name);
/*
 * Gives back the kernel's types, read by the questions above and kept until then: they take 6 MB.
 */
void bpf_host_release(void);
/* The program that libbpf's last warnings were about, "" for none; and none from now on. */
const char *bpf_host_failed(void);
void bpf_host_failed_forget(void);
/*
 * Before loading: whether this process may open as many descriptors as the object needs, which
 * takes the hard limit where the soft one is too small. -EMFILE: without them libbpf takes the
 * kernel for one that lacks what it could not ask for, and each program seems to be refused for
 * another reason.
 */
int bpf_host_room(const struct bpf_object *obj, struct err *err);
/*
 * What the error r of loading a program ("" when not known which) means here. Returns it as
 * err_set() does.
 */
int bpf_host_explain(int r, const char *program, struct err *err);
/* The value of an enumerator of an enum without a name; or -ENOENT. */
int bpf_host_enumerator(const char *name);
/* Can programs be attached to the begin of this function (fentry)? Tried. */
bool bpf_host_fentry(const char *function);
/* Does the kernel have this type of map (enum bpf_map_type)? */
bool bpf_host_map_type(int type);
/* Processors that may come to be. */
unsigned bpf_host_cpus(void);

/* For --probes: how many keys each of its hash maps has, a system call for each. */
void bpf_maps_probe(const struct bpf_object *obj, struct probe_list *list);
/* How often a program did not run because it was running already on that processor (from 6.1). */
uint64_t bpf_program_misses(const struct bpf_program *prog);
/*
 * An array map as memory shared with the kernel, of which only the beginning that is in use is
 * mapped: every mapped page of such a map is resident. The addresses of the whole are reserved, so
 * pointers stay.
 */
struct bpf_window {
	void *memory;
	size_t size, mapped;	/* bytes */
	int fd;			/* the map's, borrowed */
};

/* 0 or -errno. value_size: of the struct; the map rounds it up to 8. */
int bpf_window_open(struct bpf_window *w, const struct bpf_map *map, size_t value_size);
/*
 * Maps at least so many bytes. When the kernel refuses, what is beyond reads as zero (and goes
 * nowhere when written).
 */
void bpf_window_map_up_to(struct bpf_window *w, size_t bytes);
void bpf_window_close(struct bpf_window *w);

/*
 * The longest time of an interval (ns), from its two slots by parity (ABI_MAX_NS()); 0: the slot is
 * of another interval.
 */
uint64_t bpf_longest(const __u64 max[static 2], uint32_t interval);

#endif

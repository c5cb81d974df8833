/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the host offers for BPF: whether it can be used at all, the types of the kernel (BTF), why a
 * load failed, array maps as memory. Messages of libbpf are kept here and never shown as they are.
 */
#ifndef IOTOP_COLLECT_BPF_BPF_H
#define IOTOP_COLLECT_BPF_BPF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/types.h>

#include "base/err.h"

struct bpf_map;
struct bpf_object;
struct bpf_object_open_opts;
struct bpf_program;
struct probe_list;

#define BPF_HOST_BTF "/sys/kernel/btf/vmlinux"

/*
 * 0 when BPF can be tried; else a negative errno and the reason. places: /proc, where addresses of
 * the kernel's code will be asked for (addresses.h): they are looked for meanwhile; or NULL.
 */
int bpf_host_check(const char *places, struct err *err);
/*
 * Reads the types of the kernel, until bpf_host_release(). Whoever asks below does so. 0 or -errno.
 */
int bpf_host_read(void);
/* Options to open a skeleton with. types: a file that has the kernel's types, or NULL. */
const struct bpf_object_open_opts *bpf_host_open_opts(const char *types);
/* Writes those that an object (its ELF file) needs into bpf_types_file(). 0 or -errno. */
int bpf_host_types(const struct bpf_object *obj, const void *elf, size_t size);
/*
 * Number of arguments of a tracepoint by BTF, and the name of the struct that the first points to
 * (or NULL); or -ENOENT.
 */
int bpf_host_args(const char *tracepoint, const char **ret_first);
/* The number of a struct in BTF; 0: the kernel has none. */
uint32_t bpf_host_struct(const char *name);
/* Whether that struct has this member itself, not in a struct or union within. */
bool bpf_host_member(const char *type, const char *name);
/* Whether BTF has this per-CPU variable. BTF has no other variables. */
bool bpf_host_variable(const char *name);
/* The BTF id of a kernel function, of a typedef; or a negative errno. */
int bpf_host_function(const char *name);
int bpf_host_typedef(const char *name);
/* Frees the types, 6 MB, when nobody has asked for so long (ns). */
void bpf_host_release(uint64_t idle);
/* The program that could not be loaded, "" for none; dropping its name, noting it. */
const char *bpf_host_failed(void);
void bpf_host_failed_forget(void);
void bpf_host_failed_note(const char *program);
/*
 * Before loading: whether this process may open as many descriptors as the object needs; raises the
 * soft limit if it must. -EMFILE: without descriptors libbpf would take the kernel for one that
 * lacks features, and each program would seem to be refused for another reason.
 */
int bpf_host_room(const struct bpf_object *obj, struct err *err);
/* Explains the error r of loading a program ("": not known which). Returns as err_set() does. */
int bpf_host_explain(int r, const char *program, struct err *err);
/* The value of an enumerator of an enum without a name; or -ENOENT. */
int bpf_host_enumerator(const char *name);
/* Whether fentry programs can be attached to this function: tried. */
bool bpf_host_fentry(const char *function);
/* Whether the kernel has this type of map (enum bpf_map_type). */
bool bpf_host_map_type(int type);
/* Number of possible CPUs. */
unsigned bpf_host_cpus(void);

/*
 * State of tasks is in task storage or, before 5.11, in a hash for so many; the other map is not
 * made. Before loading. Returns whether it is in task storage.
 */
bool bpf_task_state(struct bpf_map *storage, struct bpf_map *hash, uint32_t tasks);
/* Where that is, for --probes. */
void bpf_task_state_probe(bool storage, const char *what, struct probe_list *list);
/* So many processors share a counter's memory: a power of two. */
uint32_t bpf_stripes(void);
/* For so many disks a map has room: those there are and as many to come, 64 to ABI_DISKS. */
uint32_t bpf_disks(void);

/*
 * Pushes free places, n from the first on, into a queue: by running the program of that name (which
 * knows the queue by the number), or singly where this kernel runs no such program (before 5.10).
 * Returns how many there was room for.
 */
uint32_t bpf_fill(const struct bpf_object *obj, const char *program, unsigned number,
		  const struct bpf_map *queue, uint32_t first, uint32_t n);

/* For --probes: how many keys each hash map has; a system call for each key. */
void bpf_maps_probe(const struct bpf_object *obj, struct probe_list *list);
/*
 * Before loading: the object's hash maps will take memory for what is in them, not for all that
 * they have room for. Only where programs that interrupt the allocator may fill such a map: since
 * 6.1 (fba1a1c6c912, "bpf: Convert hash map to bpf_mem_alloc"). Of elements of 256 bytes or less it
 * keeps four ready on each processor from the begin, and dozens later; of larger ones just one,
 * until an interrupt brings more: a program that stores two with interrupts off would lose one, so
 * those are allocated beforehand, unless bpf_map_grow() is called for their map: whoever stores
 * there does so with interrupts on, and tries again.
 */
void bpf_maps_grow(const struct bpf_object *obj);
void bpf_map_grow(struct bpf_map *map);
/* How often the kernel skipped a program because it was running on that CPU (since 6.1). */
uint64_t bpf_program_misses(const struct bpf_program *prog);
/*
 * An array map as memory. Only the part in use is mapped, since every mapped page of such a map is
 * resident; the addresses of the whole are reserved, so that pointers stay valid.
 */
struct bpf_window {
	void *memory;
	size_t size, mapped;	/* bytes */
	int fd;			/* the map's, borrowed */
};

/* 0 or -errno. value_size: of the struct; the map rounds it up to 8. */
int bpf_window_open(struct bpf_window *w, const struct bpf_map *map, size_t value_size);
/* The same of a map of so many bytes. */
int bpf_window_open_fd(struct bpf_window *w, int fd, size_t size);
/*
 * Maps at least so many bytes. Where the kernel refuses, the rest reads as zero, and writes to it
 * are lost.
 */
void bpf_window_map_up_to(struct bpf_window *w, size_t bytes);
void bpf_window_close(struct bpf_window *w);

/*
 * The longest time of an interval (ns), from its two slots by parity (ABI_MAX_NS()); 0: the slot is
 * of another interval.
 */
uint64_t bpf_longest(const __u64 max[static 2], uint32_t interval);
/*
 * The same where counters are read some time after the interval was ended: what came in between is
 * counted in them, so that the longest is never shorter than the average.
 */
uint64_t bpf_longest_read(const __u64 max[static 2], uint32_t interval);

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
/* Maps from outside: how full they are, and arrays as memory. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/i18n.h"
#include "base/macro.h"
#include "bpf/abi.h"
#include "collect/bpf/bpf.h"
#include "collect/bpf/kernel.h"
#include "collect/collector.h"
#include "collect/probe_list.h"

/* Keys are no longer than this. */
#define KEY_MAX 512

static unsigned map_fill(const struct bpf_map *map)
{
	unsigned char key[KEY_MAX], next[KEY_MAX];
	unsigned n = 0, max = bpf_map__max_entries(map);
	int fd = bpf_map__fd(map);

	if (bpf_map__key_size(map) > sizeof(key))
		return 0;
	/* A key that goes away meanwhile begins it anew: never more than there is room for. */
	while (n < max && bpf_map_get_next_key(fd, n ? key : NULL, next) == 0) {
		memcpy(key, next, sizeof(key));
		n++;
	}
	return n;
}

#define ELEMENT 48	/* bytes of the kernel's struct htab_elem, before key and value */
#define ELEMENT_SMALL 256

static bool is_small(const struct bpf_map *map)
{
	return ELEMENT + bpf_map__key_size(map) + bpf_map__value_size(map) <= ELEMENT_SMALL;
}

static bool can_grow(void)
{
	return bpf_host_member("bpf_htab", "ma");
}

static void set_growing(struct bpf_map *map)
{
	bpf_map__set_map_flags(map, bpf_map__map_flags(map) | BPF_F_NO_PREALLOC);
}

void bpf_map_grow(struct bpf_map *map)
{
	if (can_grow())
		set_growing(map);
}

void bpf_maps_grow(const struct bpf_object *obj)
{
	struct bpf_map *map;

	if (!can_grow())
		return;
	bpf_object__for_each_map(map, obj)
		if (bpf_map__type(map) == BPF_MAP_TYPE_HASH && is_small(map))
			set_growing(map);
}

static bool is_hash(const struct bpf_map *map)
{
	enum bpf_map_type type = bpf_map__type(map);

	return type == BPF_MAP_TYPE_HASH || type == BPF_MAP_TYPE_LRU_HASH ||
	       type == BPF_MAP_TYPE_PERCPU_HASH || type == BPF_MAP_TYPE_LRU_PERCPU_HASH;
}

void bpf_maps_probe(const struct bpf_object *obj, struct probe_list *list)
{
	const struct bpf_map *map;

	bpf_object__for_each_map(map, obj) {
		char what[64];

		if (!is_hash(map) || bpf_map__fd(map) < 0)
			continue;
		snprintf(what, sizeof(what), _("map %s"), bpf_map__name(map));
		probe_add(list, what, true, _("%u of %u"), map_fill(map),
			  bpf_map__max_entries(map));
	}
}

bool bpf_task_state(struct bpf_map *storage, struct bpf_map *hash, uint32_t tasks)
{
	bool has_storage = kernel_has_task_storage();

	bpf_map__set_autocreate(storage, has_storage);
	bpf_map__set_autocreate(hash, !has_storage);
	bpf_map__set_max_entries(hash, tasks);
	return has_storage;
}

void bpf_task_state_probe(bool storage, const char *what, struct probe_list *list)
{
	probe_add(list, what, true, "%s",
		  storage ? _("in task storage") : _("in a hash (before Linux 5.11)"));
}

#define STRIPES_MAX 8

uint32_t bpf_stripes(void)
{
	uint32_t stripes = 1;

	while (stripes < bpf_host_cpus() && stripes < STRIPES_MAX)
		stripes *= 2;
	return stripes;
}

#define DISKS_LEAST 64

uint32_t bpf_disks(void)
{
	DIR *dir = opendir("/sys/block");
	uint32_t n = 0;

	while (dir && readdir(dir))
		n++;
	if (dir)
		closedir(dir);
	return MIN(MAX(2 * n, DISKS_LEAST), ABI_DISKS);
}

/* How much of a map is mapped at once: a multiple of every page size. */
#define WINDOW_STEP (64u << 10)

int bpf_window_open_fd(struct bpf_window *w, int fd, size_t size)
{
	size_t page = sysconf(_SC_PAGESIZE);
	void *memory;

	size = (size + page - 1) & ~(page - 1);
	memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	*w = (struct bpf_window){ .fd = fd, .size = size };
	if (memory == MAP_FAILED)
		return -errno;
	w->memory = memory;
	return 0;
}

int bpf_window_open(struct bpf_window *w, const struct bpf_map *map, size_t value_size)
{
	return bpf_window_open_fd(w, bpf_map__fd(map),
				  bpf_map__max_entries(map) * ((value_size + 7) & ~(size_t)7));
}

void bpf_window_map_up_to(struct bpf_window *w, size_t bytes)
{
	size_t until = MIN((bytes + WINDOW_STEP - 1) / WINDOW_STEP * WINDOW_STEP, w->size);

	if (until <= w->mapped)
		return;
	if (mmap((char *)w->memory + w->mapped, until - w->mapped, PROT_READ | PROT_WRITE,
		 MAP_SHARED | MAP_FIXED, w->fd, (off_t)w->mapped) != MAP_FAILED)
		w->mapped = until;
}

void bpf_window_close(struct bpf_window *w)
{
	if (w->memory)
		munmap(w->memory, w->size);
	w->memory = NULL;
}

uint64_t bpf_longest(const __u64 max[static 2], uint32_t interval)
{
	uint64_t v = max[interval & 1];

	return ABI_MAX_EPOCH(v) == (interval & ABI_EPOCH_MASK) ? ABI_MAX_NS(v) : 0;
}

uint64_t bpf_longest_read(const __u64 max[static 2], uint32_t interval)
{
	return MAX(bpf_longest(max, interval), bpf_longest(max, interval + 1));
}

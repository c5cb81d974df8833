// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/stacks/unwind_maps.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/macro.h"

/* A program takes microseconds, but may be preempted. */
#define LEAVING NSEC_PER_SEC

static int make(const char *name, uint32_t value_size, uint32_t entries, struct bpf_window *window,
		struct err *err)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_MMAPABLE);
	int fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, name, sizeof(uint32_t), value_size, entries,
				&opts), r;

	if (fd < 0)
		return err_set(err, errno, "the memory for unwind tables: %m");
	r = bpf_window_open_fd(window, fd, (size_t)value_size * entries);
	if (r < 0) {
		close(fd);
		return err_set(err, -r, "the memory for unwind tables: %m");
	}
	return fd;
}

static void room_init(struct unwind_room *room, uint32_t n)
{
	*room = (struct unwind_room){ .taken = mem_zalloc(n), .n = n };
}

int unwind_maps_open(struct unwind_maps *m, uint64_t bytes, struct err *err)
{
	uint32_t npages = (uint32_t)MIN(MAX(bytes / sizeof(*m->pages), 16u), ABI_UNWIND_PAGES_MAX);

	*m = (struct unwind_maps){ .pages_fd = -1, .mappings_fd = -1, .spaces_fd = -1 };
	m->pages_fd = make("unwind_pages", sizeof(*m->pages), npages, &m->pages_window, err);
	if (m->pages_fd < 0)
		return m->pages_fd;
	m->mappings_fd = make("unwind_mappings", sizeof(*m->mappings), ABI_UNWIND_MAPPINGS,
			      &m->mappings_window, err);
	if (m->mappings_fd < 0)
		return m->mappings_fd;
	m->spaces_fd = make("unwind_spaces", sizeof(*m->sets), ABI_UNWIND_SETS,
			    &m->spaces_window, err);
	if (m->spaces_fd < 0)
		return m->spaces_fd;
	bpf_window_map_up_to(&m->spaces_window, sizeof(*m->sets) * ABI_UNWIND_SETS);
	m->pages = m->pages_window.memory;
	m->mappings = m->mappings_window.memory;
	m->sets = m->spaces_window.memory;
	room_init(&m->page_room, npages);
	room_init(&m->mapping_room, ABI_UNWIND_MAPPINGS);
	return 0;
}

void unwind_maps_close(struct unwind_maps *m)
{
	const int fds[] = { m->pages_fd, m->mappings_fd, m->spaces_fd };

	bpf_window_close(&m->pages_window);
	bpf_window_close(&m->mappings_window);
	bpf_window_close(&m->spaces_window);
	for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
		fd_close(fds[i]);
	free(m->page_room.taken);
	free(m->mapping_room.taken);
	free(m->leaving);
}

int unwind_maps_share(const struct unwind_maps *m, const struct bpf_object *obj)
{
	const struct {
		const char *name;
		int fd;
	} maps[] = {
		{ "unwind_pages", m->pages_fd },
		{ "unwind_mappings", m->mappings_fd },
		{ "unwind_spaces", m->spaces_fd },
	};
	int r = 0;

	for (size_t i = 0; i < ARRAY_SIZE(maps) && !r; i++) {
		struct bpf_map *own = bpf_object__find_map_by_name(obj, maps[i].name);

		r = own ? bpf_map__reuse_fd(own, maps[i].fd) : -ENOENT;
	}
	return r;
}

/* The first n free ones in a row, zeroed; each has `size` bytes. */
static int take(struct unwind_room *room, struct bpf_window *window, size_t size, uint32_t n,
		uint32_t *ret_first)
{
	uint32_t run = 0;

	for (uint32_t i = 0; n && i < room->n; i++) {
		run = room->taken[i] ? 0 : run + 1;
		if (run < n)
			continue;
		*ret_first = i + 1 - n;
		memset(room->taken + *ret_first, 1, n);
		room->used += n;
		room->top = MAX(room->top, i + 1);
		bpf_window_map_up_to(window, room->top * size);
		memset((char *)window->memory + *ret_first * size, 0, n * size);
		return 0;
	}
	return -ENOMEM;
}

int unwind_pages_take(struct unwind_maps *m, uint32_t n, uint32_t *ret_first)
{
	return take(&m->page_room, &m->pages_window, sizeof(*m->pages), n, ret_first);
}

int unwind_mappings_take(struct unwind_maps *m, uint32_t n, uint32_t *ret_first)
{
	return take(&m->mapping_room, &m->mappings_window, sizeof(*m->mappings), n, ret_first);
}

void unwind_leave(struct unwind_maps *m, struct unwind_room *room, uint32_t first, uint32_t n)
{
	if (!n)
		return;
	m->leaving = mem_grow(m->leaving, m->nleaving, &m->leaving_cap, sizeof(*m->leaving));
	m->leaving[m->nleaving++] = (struct unwind_leaving){ room, first, n, clock_mono() };
}

void unwind_maps_round(struct unwind_maps *m)
{
	uint64_t now = clock_mono();
	size_t left = 0;

	for (size_t i = 0; i < m->nleaving; i++) {
		struct unwind_leaving *l = &m->leaving[i];

		if (now - l->since < LEAVING) {
			m->leaving[left++] = *l;
			continue;
		}
		memset(l->room->taken + l->first, 0, l->n);
		l->room->used -= l->n;
	}
	m->nleaving = left;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* What is read between two samples, as it comes. */
#include "base/macro.h"
#include "collect/collect.h"
#include "collect/helper/helper.h"
#include "collect/set.h"

/* -1: there is none. */
static int slot_fd(const struct slot *slot)
{
	return slot->open && slot->c->fd ? slot->c->fd(slot->state) : -1;
}

size_t collect_pollfds(struct collect_set *set, struct pollfd *fds, size_t n)
{
	size_t used = helper_pollfds(set->helper, fds, n);

	for (size_t i = 0; i < set->n && used < n; i++) {
		int fd = slot_fd(&set->slots[i]);

		if (fd >= 0)
			fds[used++] = (struct pollfd){ .fd = fd, .events = POLLIN };
	}
	return used;
}

static bool is_ready(const struct pollfd *fds, size_t n, int fd)
{
	for (size_t i = 0; i < n; i++)
		if (fds[i].fd == fd && fds[i].revents)
			return true;
	return false;
}

void collect_drain(struct collect_set *set, const struct pollfd *fds, size_t n)
{
	size_t ready = 0;

	for (size_t i = 0; i < n; i++)
		ready += fds[i].revents != 0;
	for (size_t i = 0; i < set->n; i++) {
		const struct slot *slot = &set->slots[i];
		int fd = slot_fd(slot);
		uint64_t before;

		if (fd < 0 || !is_ready(fds, n, fd))
			continue;
		ready--;
		before = privilege_raise(slot->c->privileges);
		slot->c->drain(slot->state);
		privilege_restore(before);
	}
	/* The others are its own. */
	if (ready)
		helper_drain(set->helper);
}

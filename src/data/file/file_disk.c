// SPDX-License-Identifier: GPL-2.0-or-later
/* The disks at which a file has its I/O. */
#include "data/file/file_state.h"

void file_disk_charge(unsigned tick, struct file_entry *e, const struct file_disk *more)
{
	struct file_disk *d = e->disks, *before = NULL;

	for (; d && d->dev != more->dev; d = d->next)
		before = d;
	if (!d) {
		d = mem_zalloc(sizeof(*d));
		d->dev = more->dev;
	} else if (before) {
		before->next = d->next;
	}
	if (d->tick != tick)
		d->now_read = d->now_write = 0;
	d->tick = tick;
	if (more->tick == tick) {
		d->now_read += more->now_read;
		d->now_write += more->now_write;
	}
	d->read += more->read;
	d->write += more->write;
	if (d == e->disks)
		return;
	if (!e->disks || d->read + d->write > e->disks->read + e->disks->write) {
		d->next = e->disks;
		e->disks = d;
	} else {
		d->next = e->disks->next;
		e->disks->next = d;
	}
}

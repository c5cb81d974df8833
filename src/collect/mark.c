// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/mark.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER "iotop"
#define NAME "delayacct"
#define TRIES 50	/* while another iotop comes or goes, 10 ms each */

/* The folder of the mark, when nobody else can change what is in it. */
static int folder_open(const char *run, bool create)
{
	int above = open(run, O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct stat st;
	int fd, r;

	if (above < 0)
		return -errno;
	if (create)
		mkdirat(above, FOLDER, 0700);
	fd = openat(above, FOLDER, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	r = fd < 0 ? -errno : fstat(fd, &st) < 0 ? -errno : 0;
	close(above);
	if (!r && (st.st_uid != geteuid() || st.st_mode & (S_IWGRP | S_IWOTH)))
		r = -EPERM;
	if (r && fd >= 0)
		close(fd);
	return r ? r : fd;
}

static int mark_open(const char *run, bool create)
{
	int folder = folder_open(run, create);
	int fd, r;

	if (folder < 0)
		return folder;
	fd = openat(folder, NAME,
		    O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC |
			    (create ? O_CREAT : 0),
		    0600);
	r = fd < 0 ? -errno : fd;
	close(folder);
	return r;
}

/*
 * Whether what is open and locked is the mark: a plain file of ours with one name. -ESTALE: it was
 * removed before it was locked.
 */
static int mark_check(int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	if (!st.st_nlink)
		return -ESTALE;
	return S_ISREG(st.st_mode) && st.st_uid == geteuid() && st.st_nlink == 1 &&
			       !(st.st_mode & (S_IWGRP | S_IWOTH))
		       ? 0
		       : -EPERM;
}

/* -ENODATA: its iotop was killed before anything was in it, and before anything was changed. */
static int value_read(int fd)
{
	char text[2];

	if (pread(fd, text, sizeof(text), 0) != sizeof(text) ||
	    (text[0] != '0' && text[0] != '1') || text[1] != '\n')
		return -ENODATA;
	return text[0] - '0';
}

static int value_write(int fd, int value)
{
	ssize_t n;

	if (value < 0)
		return value;
	if (ftruncate(fd, 0) < 0)
		return -errno;
	n = pwrite(fd, value ? "1\n" : "0\n", 2, 0);
	return n == 2 ? 0 : n < 0 ? -errno : -ENOSPC;
}

/* Whoever is first writes the value while the mark is his alone; it is shared from then on. */
static int try_hold(int fd, int (*now)(void *arg), void *arg)
{
	bool alone = !flock(fd, LOCK_EX | LOCK_NB);
	int r;

	if (!alone && flock(fd, LOCK_SH | LOCK_NB) < 0)
		return -errno;
	r = mark_check(fd);
	if (!r && alone && value_read(fd) < 0)
		r = value_write(fd, now(arg));
	if (r || !alone)
		return r ? r : value_read(fd) < 0 ? -EWOULDBLOCK : 0;
	/* For a moment it is nobody's, and may be removed. */
	if (flock(fd, LOCK_SH | LOCK_NB) < 0)
		return -errno;
	return mark_check(fd);
}

int mark_hold(const char *run, int (*now)(void *arg), void *arg)
{
	int r = -EWOULDBLOCK;

	for (int i = 0; i < TRIES && (r == -EWOULDBLOCK || r == -ESTALE); i++) {
		int fd;

		if (i && r == -EWOULDBLOCK)
			usleep(10000);
		fd = mark_open(run, true);
		if (fd < 0)
			return fd;
		r = try_hold(fd, now, arg);
		if (!r)
			return fd;
		close(fd);
	}
	return r;
}

int mark_find(const char *run, int *ret_before)
{
	int fd = mark_open(run, false);
	int r;

	if (fd < 0)
		return fd;
	r = mark_alone(fd);
	/* One with nothing in it is of nobody, and says nothing. */
	if (r == -ENODATA)
		mark_release(run, fd, true);
	else if (r < 0)
		close(fd);
	else
		*ret_before = r;
	return r < 0 ? r : fd;
}

int mark_alone(int fd)
{
	int r = flock(fd, LOCK_EX | LOCK_NB) < 0 ? -errno : mark_check(fd);

	return r < 0 ? r : value_read(fd);
}

void mark_release(const char *run, int fd, bool remove)
{
	int folder = remove ? folder_open(run, false) : -1;

	if (folder >= 0) {
		unlinkat(folder, NAME, 0);
		close(folder);
	}
	close(fd);
}

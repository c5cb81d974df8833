// SPDX-License-Identifier: GPL-2.0-or-later
/* The power goes while a store is written: what was on the disk is there, and the next goes on. */
#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/syscall.h>

#include "pages.h"

static const char *long_path(const char *name)
{
	static char whole[320];

	snprintf(whole, sizeof(whole), "%s/%s", folder, name);
	return whole;
}

static void copy_file(const char *from, const char *to, size_t most)
{
	struct buf b = { 0 };
	int fd;

	ck_assert_int_eq(buf_read_file(&b, AT_FDCWD, long_path(from), 0), 0);
	fd = open(long_path(to), O_WRONLY | O_CREAT | O_TRUNC, 0600);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, b.data, MIN(b.len, most)), (ssize_t)MIN(b.len, most));
	close(fd);
	buf_release(&b);
}

static char other[80];

/* The store as it is, with so many bytes of its WAL, in another folder. */
static void copy_store(const char *name, const char *wal, size_t most)
{
	char to[160];

	snprintf(other, sizeof(other), "%s/copy", folder);
	ck_assert_int_eq(mkdir(other, 0700), 0);
	snprintf(to, sizeof(to), "copy/%s", name);
	copy_file(name, to, SIZE_MAX);
	snprintf(to, sizeof(to), "copy/%s", wal);
	copy_file(wal, to, most);
}

static void remove_copy(void)
{
	char command[160];

	snprintf(command, sizeof(command), "rm -r '%s'", other);
	ck_assert_int_eq(system(command), 0);
}

/*
 * The power goes: of the WAL there is what was written by then, cut off anywhere, and what lies in
 * memory is not there. Whatever is left opens, up to some sample, and the next recorder goes on.
 */
START_TEST(power_lost)
{
	struct store_options opt = { .path = other };
	struct store *st = open_store(&unbounded), *after;
	uint64_t seed = 100 + (uint64_t)_i;
	unsigned last = 0, before = 0;
	struct err err = { "" };
	char names[8][64], wal[80];
	struct replay *r;
	struct stat size;

	write_pages(st, 0, 60 + (unsigned)_i);
	ck_assert_uint_eq(list(".iotop", names), 1);
	snprintf(wal, sizeof(wal), "%s-wal", names[0]);
	ck_assert_int_eq(stat(long_path(wal), &size), 0);
	for (unsigned i = 0; i < 12; i++) {
		size_t most = i == 11 ? (size_t)size.st_size
				      : (size_t)(dice(&seed) % (uint64_t)size.st_size);

		copy_store(names[0], wal, most);
		if (replay_open_folder(other, &r, &err) == 0) {
			before = (unsigned)replay_count(r);
			check_pages(r, before - 1);
			assert_notes(r, NULL);
			replay_close(r);
		} else {
			/* Not even its tables were written. */
			ck_assert_uint_lt(most, 48 << 10);
			before = 0;
		}
		last = MAX(last, before);
		ck_assert_msg(store_open(&opt, &after, &err) == 0, "%s", err.text);
		write_pages(after, 200, 210);
		store_close(after);
		ck_assert_msg(replay_open_folder(other, &r, &err) == 0, "%s", err.text);
		ck_assert_uint_eq(replay_count(r), before + 10);
		replay_close(r);
		remove_copy();
	}
	/* All that was written was there at last. */
	ck_assert_uint_eq(last, 60 + (unsigned)_i);
	store_close(st);
}
END_TEST

static _Atomic off_t synced;

/* In the place of the C library's: how much of a WAL is on the disk for sure. */
int fdatasync(int fd)
{
	char link[32], name[256] = "";
	struct stat st;
	int r;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	ck_assert_int_gt(readlink(link, name, sizeof(name) - 1), 4);
	ck_assert_int_eq(fstat(fd, &st), 0);
	r = (int)syscall(SYS_fdatasync, fd);
	if (!strcmp(name + strlen(name) - 4, "-wal"))
		synced = st.st_size;
	return r;
}

/* The power goes an interval after a sample was written: it is there. */
START_TEST(on_disk)
{
	struct store *st = open_store(&unbounded);
	char names[8][64], wal[80];
	struct err err = { "" };
	struct replay *r;
	struct stat size;

	for (unsigned i = 0; i < 30; i++) {
		synced = 0;
		write_pages(st, i, i + 1);
		ck_assert_uint_eq(list(".iotop", names), 1);
		snprintf(wal, sizeof(wal), "%s-wal", names[0]);
		ck_assert_int_eq(stat(long_path(wal), &size), 0);
		for (unsigned wait = 0; synced < size.st_size && wait < 10000; wait++)
			usleep(1000);
		copy_store(names[0], wal, (size_t)synced);
		ck_assert_msg(replay_open_folder(other, &r, &err) == 0, "%s", err.text);
		ck_assert_uint_eq(replay_count(r), i + 1);
		replay_close(r);
		remove_copy();
	}
	store_close(st);
}
END_TEST

/* No moment at which an hour is closed has a journal of it, which would keep readers out. */
START_TEST(closed)
{
	int watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	struct store *st = open_store(&unbounded);
	char events[4096], names[4][64];
	ssize_t n;

	write_pages(st, 0, 10);
	ck_assert_int_eq(list("-wal", names), 1);
	ck_assert_int_ge(inotify_add_watch(watch, folder, IN_CREATE), 0);
	store_close(st);
	ck_assert_int_eq(list("-wal", names), 0);
	n = read(watch, events, sizeof(events));
	ck_assert_msg(n < 0 && errno == EAGAIN, "%s was made",
		      n > 0 ? ((const struct inotify_event *)(const void *)events)->name : "?");
	close(watch);
}
END_TEST

int main(void)
{
	TCase *tcase = unit_case("store_power", setup, folder_teardown);

	/* A busy machine is no failure. */
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, power_lost, 0, 8);
	tcase_add_test(tcase, on_disk);
	tcase_add_test(tcase, closed);
	return unit_run();
}

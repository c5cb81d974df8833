// SPDX-License-Identifier: GPL-2.0-or-later
/* The processes that look at what others control: they hang, they end, and nobody else does. */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "collect/helper/process.h"
#include "folder.h"

static struct helper *helper;

/* In place of /proc: the process 7 has a command line that nobody ever writes, 8 has one. */
static void setup(void)
{
	folder_setup();
	ck_assert_int_eq(mkdir(path_of("7"), 0700), 0);
	ck_assert_int_eq(mkdir(path_of("8"), 0700), 0);
	ck_assert_int_eq(mkfifo(path_of("7/cmdline"), 0600), 0);
	write_file("8/cmdline", "there\0it\0is", 12);
	helper = helper_start(folder, NULL);
	ck_assert_ptr_nonnull(helper);
}

static void teardown(void)
{
	helper_stop(helper);
	folder_teardown();
}

struct told {
	bool done, failed;
	char text[64];
};

static void told(void *arg, const void *data, size_t len)
{
	struct wire_reader r = wire_reader(data, len);
	struct told *t = arg;
	const char *text;
	size_t n;

	t->done = true;
	t->failed = !data;
	if (!data)
		return;
	ck_assert_uint_eq(wire_u32(&r), 1);
	text = wire_text(&r, sizeof(t->text) - 1, &n);
	memcpy(t->text, text, n);
	ck_assert(!r.short_);
}

static void ask(struct told *t, uint32_t pid)
{
	struct buf b = { 0 };

	*t = (struct told){ .done = false };
	wire_put_u32(&b, 1);
	wire_put_u32(&b, pid);
	wire_put_u32(&b, pid);
	wire_put_u64(&b, 0);
	helper_ask(helper, HELPER_NAMES, MESSAGE_COMMANDS, b.data, b.len, told, t, t);
	buf_release(&b);
}

static bool is_done(void *arg)
{
	return ((struct told *)arg)->done;
}

static bool wait_for(struct told *t, double seconds)
{
	helper_wait(helper, HELPER_NAMES, clock_mono() + (uint64_t)(seconds * (double)NSEC_PER_SEC),
		    is_done, t);
	return t->done;
}

/*
 * What hangs keeps its helper; the others are told by another one, and it is given up in the end.
 */
START_TEST(one_that_hangs)
{
	struct told hung, other, later;
	uint64_t start = clock_mono();

	ask(&hung, 7);
	ask(&other, 8);
	ck_assert(wait_for(&other, 20));
	ck_assert(!other.failed && !hung.done);
	ck_assert_str_eq(other.text, "there");
	ck_assert_ptr_null(helper_reason(helper));
	ck_assert(wait_for(&hung, 60));
	ck_assert(hung.failed);
	ck_assert_uint_ge(clock_mono() - start, HELPER_GIVE_UP);
	ck_assert_ptr_nonnull(strstr(helper_reason(helper), "does not answer"));
	ask(&later, 8);
	ck_assert(wait_for(&later, 20) && !later.failed);
	ck_assert_uint_eq(helper_pending(helper, HELPER_NAMES), 0);
}
END_TEST

/*
 * Many that hang: those that do not are told all the same, and the number of processes has an end.
 */
START_TEST(many_that_hang)
{
	struct told hung[8], other;

	for (size_t i = 0; i < ARRAY_SIZE(hung); i++)
		ask(&hung[i], 7);
	ask(&other, 8);
	/* Four hang at a time, five seconds each. */
	ck_assert(wait_for(&other, 60));
	ck_assert(!other.failed);
	for (size_t i = 0; i < ARRAY_SIZE(hung); i++)
		ck_assert(wait_for(&hung[i], 60) && hung[i].failed);
}
END_TEST

/* Kills the processes of this name that descend from this one; how many there were. */
static unsigned end_all(const char *name)
{
	DIR *dir = opendir("/proc");
	struct dirent *e;
	unsigned n = 0;

	while ((e = readdir(dir))) {
		_cleanup_(buf_release) struct buf stat = { 0 };
		char path[300], *comm;
		int ppid, grandparent;

		snprintf(path, sizeof(path), "/proc/%s/stat", e->d_name);
		if (buf_read_file(&stat, AT_FDCWD, path, 4096) < 0 || !stat.len ||
		    !(comm = strchr(stat.data, '(')) || strncmp(comm + 1, name, strlen(name)) ||
		    sscanf(strrchr(stat.data, ')'), ") %*c %d", &ppid) != 1)
			continue;
		snprintf(path, sizeof(path), "/proc/%d/stat", ppid);
		if (buf_read_file(&stat, AT_FDCWD, path, 4096) < 0 || !stat.len ||
		    sscanf(strrchr(stat.data, ')'), ") %*c %d", &grandparent) != 1 ||
		    (ppid != getpid() && grandparent != getpid()))
			continue;
		n += !kill(atoi(e->d_name), SIGKILL);
	}
	closedir(dir);
	return n;
}

/* A helper that ends is replaced; a request over which two have ended fails. */
START_TEST(one_that_ends)
{
	struct told t, hung;

	ask(&t, 8);
	ck_assert(wait_for(&t, 20) && !t.failed);
	ck_assert_uint_eq(end_all("iotop-opener"), 1);
	ask(&t, 8);
	ck_assert(wait_for(&t, 20) && !t.failed);
	ask(&hung, 7);
	ask(&t, 8);
	for (int i = 0; i < 2; i++) {
		/* Until the next one is there. */
		for (unsigned n = 0; !n; n = end_all("iotop-opener"))
			ck_assert(!wait_for(&hung, 0.1) || i);
	}
	ck_assert(wait_for(&hung, 20) && hung.failed);
	ck_assert(wait_for(&t, 20) && !t.failed);
	/* Where there is nobody to start another one everything fails, at once. */
	ck_assert_uint_ge(end_all("iotop-keeper"), 1);
	end_all("iotop-opener");
	ask(&t, 8);
	ck_assert(wait_for(&t, 20) && t.failed);
	ck_assert_ptr_nonnull(strstr(helper_reason(helper), "cannot be started"));
}
END_TEST

START_TEST(cancelled)
{
	struct told one, other;

	ask(&one, 7);
	ask(&other, 8);
	helper_cancel(helper, &one);
	ck_assert(one.done && one.failed && !other.done);
	ck_assert(wait_for(&other, 20) && !other.failed);
}
END_TEST

/*
 * An answer of an id that was not asked for, and one without an end: whoever sends that is not
 * listened to.
 */
START_TEST(one_that_lies)
{
	static char much[WIRE_DATA];
	struct wire_head head = { .kind = MESSAGE_COMMANDS, .id = 77, .len = 4 };
	struct told t;
	int sockets[2];

	helper_stop(helper);
	ck_assert_int_eq(wire_pair(sockets), 0);
	helper = helper_at(sockets[0]);
	ask(&t, 8);
	ck_assert_int_eq(wire_send(sockets[1], &head, much, -1, true), 0);
	ck_assert(wait_for(&t, 20) && t.failed);
	close(sockets[1]);
	helper_stop(helper);
	ck_assert_int_eq(wire_pair(sockets), 0);
	helper = helper_at(sockets[0]);
	ask(&t, 8);
	head = (struct wire_head){
		.kind = MESSAGE_COMMANDS, .id = 1, .len = sizeof(much), .more = 1
	};
	for (unsigned i = 0; i <= HELPER_ANSWER_MAX / sizeof(much) && !t.done; i++) {
		if (wire_send(sockets[1], &head, much, -1, false) < 0)
			break;
		helper_drain(helper);
	}
	ck_assert(wait_for(&t, 20) && t.failed);
	close(sockets[1]);
}
END_TEST

static void got(void *arg, const void *data, size_t len)
{
}

/* What the helper at the other end was asked next; 0: nothing. */
static uint32_t asked(int socket)
{
	static struct wire_packet packet;

	return wire_recv(socket, &packet, NULL, false) == 1 ? packet.head.id : 0;
}

static void answer(int socket, uint32_t id)
{
	ck_assert_int_eq(wire_send_all(socket, 0, id, "", 0), 0);
	helper_drain(helper);
}

/* Unwind tables are asked for one by one, while there is nothing else to be told. */
START_TEST(tables_that_have_time)
{
	static const uint32_t kinds[] = { MESSAGE_UNWIND, MESSAGE_PLACES, MESSAGE_UNWIND,
					  MESSAGE_PLACES, MESSAGE_UNWIND };
	int sockets[2];

	helper_stop(helper);
	ck_assert_int_eq(wire_pair(sockets), 0);
	helper = helper_at(sockets[0]);
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		helper_ask(helper, HELPER_NAMES, kinds[i], NULL, 0, got, NULL, helper);
	/* The first was sent when there was nothing else yet. */
	ck_assert_uint_eq(asked(sockets[1]), 1);
	ck_assert_uint_eq(asked(sockets[1]), 2);
	ck_assert_uint_eq(asked(sockets[1]), 4);
	ck_assert_uint_eq(asked(sockets[1]), 0);
	answer(sockets[1], 1);
	answer(sockets[1], 2);
	ck_assert_uint_eq(asked(sockets[1]), 0);
	answer(sockets[1], 4);
	ck_assert_uint_eq(asked(sockets[1]), 3);
	ck_assert_uint_eq(asked(sockets[1]), 0);
	ck_assert_uint_eq(helper_pending(helper, HELPER_NAMES), 2);
	helper_ask(helper, HELPER_NAMES, MESSAGE_PLACES, NULL, 0, got, NULL, helper);
	ck_assert_uint_eq(asked(sockets[1]), 6);
	answer(sockets[1], 3);
	answer(sockets[1], 6);
	ck_assert_uint_eq(asked(sockets[1]), 5);
	helper_cancel(helper, helper);
	close(sockets[1]);
}
END_TEST

/* When it is stopped nothing of it is left, hung or not. */
START_TEST(stopped)
{
	struct told t;
	uint64_t start;

	ask(&t, 7);
	helper_drain(helper);
	start = clock_mono();
	helper_stop(helper);
	helper = NULL;
	ck_assert_uint_lt(clock_mono() - start, 30 * NSEC_PER_SEC);
	ck_assert_uint_eq(end_all("iotop-"), 0);
}
END_TEST

UNIT_FIXTURE_MAIN("helper", setup, teardown, one_that_hangs, many_that_hang, one_that_ends,
		  cancelled, one_that_lies, tables_that_have_time, stopped)

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * struct taskstats of all versions, laid out here by hand: not by the header of the build machine.
 */
#include "unit.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "collect/proc/acct.h"

/* The kernel's declaration, member by member: what each version has, in its order. */
struct layout {
	char data[1024];
	size_t len;
};

static void put(struct layout *l, size_t size, uint64_t v)
{
	l->len = (l->len + size - 1) / size * size;
	memcpy(l->data + l->len, &v, size);
	l->len += size;
}

static void align8(struct layout *l)
{
	l->len = (l->len + 7) / 8 * 8;
}

/* A count and a total, in version 15 also a maximum and a minimum. */
static void put_delay(struct layout *l, unsigned version, uint64_t total)
{
	put(l, 8, 0xc0c0);
	put(l, 8, total);
	if (version == 15) {
		put(l, 8, 0xbad1);
		put(l, 8, 0xbad2);
	}
}

static void put_basic(struct layout *l)
{
	static const char comm[32] = "a (task) name";

	memcpy(l->data + l->len, comm, sizeof(comm));
	l->len += sizeof(comm);
	put(l, 1, 0);			/* ac_sched */
	align8(l);
	put(l, 4, 1000);		/* ac_uid */
	put(l, 4, 100);
	put(l, 4, 4711);		/* ac_pid */
	put(l, 4, 4000);		/* ac_ppid */
	put(l, 4, 0x5f5e100);		/* ac_btime */
	put(l, 8, 1234567);		/* ac_etime */
	for (int i = 0; i < 4; i++)	/* ac_utime … ac_majflt */
		put(l, 8, 0xdead);
	for (int i = 0; i < 8; i++)	/* coremem … write_syscalls */
		put(l, 8, 0xbeef);
	put(l, 8, 40960);		/* read_bytes */
	put(l, 8, 81920);
	put(l, 8, 4096);		/* cancelled_write_bytes */
	put(l, 8, 30);			/* nvcsw */
	put(l, 8, 12);
	for (int i = 0; i < 3; i++)	/* ac_utimescaled … cpu_scaled_run_real_total */
		put(l, 8, 0xf00d);
}

static void build(struct layout *l, unsigned version)
{
	memset(l, 0, sizeof(*l));
	put(l, 2, version);
	put(l, 4, 0);			/* ac_exitcode */
	put(l, 1, 0);
	put(l, 1, (uint8_t)-5);		/* ac_nice */
	align8(l);
	put_delay(l, version, 1);	/* cpu */
	put_delay(l, version, 700000);	/* blkio */
	put_delay(l, version, 900000);	/* swapin */
	put(l, 8, 0xaaaa);
	put(l, 8, 0xbbbb);
	put_basic(l);
	put_delay(l, version, 2);	/* freepages */
	put_delay(l, version, 3);	/* thrashing */
	if (version >= 10)
		put(l, 8, 0x1234567890);	/* ac_btime64 */
	if (version >= 11)
		put_delay(l, version, 4);	/* compact */
	if (version >= 12) {
		put(l, 4, 4700);		/* ac_tgid */
		put(l, 8, 1);
		put(l, 8, 2);
		put(l, 8, 3);
	}
	if (version >= 13)
		put_delay(l, version, 5);	/* wpcopy */
	if (version >= 14)
		put_delay(l, version, 6);	/* irq */
	for (int i = 0; version >= 16 && i < 16; i++)
		put(l, 8, 0xbad3);		/* the maxima and minima, now at the end */
	for (int i = 0; version >= 17 && i < 16; i++)
		put(l, 8, 0xbad4);
}

START_TEST(versions)
{
	struct layout l;
	struct acct a;

	build(&l, (unsigned)_i);
	ck_assert_int_eq(acct_parse(l.data, l.len, &a), 0);
	ck_assert_uint_eq(a.version, _i);
	ck_assert_str_eq(a.comm, "a (task) name");
	ck_assert_int_eq(a.nice, -5);
	ck_assert_uint_eq(a.uid, 1000);
	ck_assert_uint_eq(a.pid, 4711);
	ck_assert_uint_eq(a.ppid, 4000);
	ck_assert_uint_eq(a.etime_us, 1234567);
	ck_assert_uint_eq(a.blkio_ns, 700000);
	ck_assert_uint_eq(a.swapin_ns, 900000);
	ck_assert_uint_eq(a.read_bytes, 40960);
	ck_assert_uint_eq(a.write_bytes, 81920);
	ck_assert_uint_eq(a.cancelled_bytes, 4096);
	ck_assert_uint_eq(a.switches, 42);
	ck_assert_uint_eq(a.btime, _i >= 10 ? 0x1234567890 : 0x5f5e100);
	ck_assert_uint_eq(a.tgid, _i >= 12 ? 4700 : 0);
}
END_TEST

START_TEST(lengths)
{
	struct layout l;
	struct acct a;

	build(&l, 14);
	ck_assert_uint_eq(l.len, 432);
	for (size_t len = 0; len < 272; len++)
		ck_assert_int_eq(acct_parse(l.data, len, &a), -EINVAL);
	/* Cut off behind the I/O counters: what is not there is unknown. */
	ck_assert_int_eq(acct_parse(l.data, 272, &a), 0);
	ck_assert_uint_eq(a.cancelled_bytes, 4096);
	ck_assert_uint_eq(a.tgid, 0);
	ck_assert_uint_eq(a.btime, 0x5f5e100);
	build(&l, 15);
	ck_assert_uint_eq(l.len, 560);
	/* A 15 that is as short as a 14 has not the members in between. */
	build(&l, 14);
	memcpy(l.data, &(uint16_t){ 15 }, 2);
	ck_assert_int_eq(acct_parse(l.data, l.len, &a), 0);
	ck_assert_uint_eq(a.read_bytes, 40960);
}
END_TEST

static size_t attr(char *out, unsigned type, const void *data, size_t len)
{
	uint16_t head[2] = { (uint16_t)(len + 4), (uint16_t)type };

	memcpy(out, head, 4);
	memmove(out + 4, data, len);
	memset(out + 4 + len, 0, (4 - len % 4) % 4);
	return 4 + (len + 3) / 4 * 4;
}

/* A message with the aggregate of a task, and of its group when it ends too. */
static size_t message(char *out, uint32_t tid, uint32_t tgid)
{
	struct layout l;
	char inner[1200];
	size_t n, len;

	build(&l, 12);
	n = attr(inner, 1, &tid, 4);
	n += attr(inner + n, 3, l.data, l.len);
	len = attr(out, 4, inner, n);
	if (tgid) {
		n = attr(inner, 2, &tgid, 4);
		n += attr(inner + n, 3, l.data, l.len);
		len += attr(out + len, 5, inner, n);
	}
	return len;
}

START_TEST(messages)
{
	char data[4096];
	struct acct_message m;
	size_t len = message(data, 4711, 4700), cut;

	ck_assert_int_eq(acct_message_parse(data, len, &m), 0);
	ck_assert(m.has_task);
	ck_assert(m.has_group);
	ck_assert_uint_eq(m.tid, 4711);
	ck_assert_uint_eq(m.tgid, 4700);
	ck_assert_uint_eq(m.task.read_bytes, 40960);
	cut = message(data, 4711, 0);
	ck_assert_int_eq(acct_message_parse(data, cut, &m), 0);
	ck_assert(!m.has_group);
	for (size_t n = 0; n < cut; n++)
		ck_assert_int_eq(acct_message_parse(data, n, &m), -EINVAL);
	/* An attribute shorter than its own header must not stop the clock. */
	memset(data, 0, sizeof(data));
	ck_assert_int_eq(acct_message_parse(data, sizeof(data), &m), -EINVAL);
	memset(data, 0xff, sizeof(data));
	ck_assert_int_eq(acct_message_parse(data, sizeof(data), &m), -EINVAL);
}
END_TEST

int main(void)
{
	TCase *tcase = unit_case("acct", NULL, NULL);

	tcase_add_loop_test(tcase, versions, 9, 19);
	tcase_add_test(tcase, lengths);
	tcase_add_test(tcase, messages);
	return unit_run();
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/proc/acct.h"

#include <errno.h>
#include <linux/netlink.h>
#include <linux/taskstats.h>
#include <string.h>

#include "base/macro.h"

#define OFF(member) offsetof(struct taskstats, member)

/*
 * Of every version from 9 on. The build machine's header may be older than the kernel, never
 * different here.
 */
_Static_assert(OFF(ac_nice) == 9, "struct taskstats");
_Static_assert(OFF(blkio_delay_total) == 40, "struct taskstats");
_Static_assert(OFF(swapin_delay_total) == 56, "struct taskstats");
_Static_assert(OFF(ac_comm) == 80, "struct taskstats");
_Static_assert(OFF(cancelled_write_bytes) == 264, "struct taskstats");
_Static_assert(OFF(thrashing_delay_total) == 336, "struct taskstats");

#define OFF_BTIME64 344		/* version 10 */
#define OFF_TGID 368		/* version 12 */
#define LEN_MIN (OFF(cancelled_write_bytes) + sizeof(uint64_t))
#define LEN_15 560		/* of 14, 432 bytes, and a maximum and a minimum for each of
				 * eight delays */

/*
 * 6.14.0 to 6.14.8 and 6.15.0 call themselves 15 and have a maximum and a minimum after each delay
 * (kernel commits f65c64f311ee and b016d0873777); 16 moved them to the end. How many bytes that
 * puts before a member.
 */
static size_t moved(size_t off)
{
	static const size_t after[] = {
		OFF(cpu_delay_total),	    OFF(blkio_delay_total),
		OFF(swapin_delay_total),    OFF(freepages_delay_total),
		OFF(thrashing_delay_total), 360, /* compact_delay_total */
	};
	size_t n = 0;

	while (n < ARRAY_SIZE(after) && off > after[n])
		n++;
	return n * 2 * sizeof(uint64_t);
}

/*
 * Member of size bytes at off (as in version 14) into to; zero when the kernel's struct ends
 * before.
 */
static void take(void *to, size_t size, const char *data, size_t len, bool is_15, size_t off)
{
	if (is_15)
		off += moved(off);
	if (off + size <= len)
		memcpy(to, data + off, size);
	else
		memset(to, 0, size);
}

int acct_parse(const void *data, size_t len, struct acct *ret)
{
	struct acct a = { 0 };
	uint64_t forced;
	uint32_t btime;
	bool is_15;

	if (len < LEN_MIN)
		return -EINVAL;
	memcpy(&a.version, data, sizeof(a.version));
	is_15 = a.version == 15 && len >= LEN_15;
#define TAKE(to, off) take(&(to), sizeof(to), data, len, is_15, (off))
	take(a.comm, TS_COMM_LEN, data, len, is_15, OFF(ac_comm));
	TAKE(a.nice, OFF(ac_nice));
	TAKE(a.uid, OFF(ac_uid));
	TAKE(a.pid, OFF(ac_pid));
	TAKE(a.ppid, OFF(ac_ppid));
	TAKE(btime, OFF(ac_btime));
	TAKE(a.etime_us, OFF(ac_etime));
	TAKE(a.blkio_ns, OFF(blkio_delay_total));
	TAKE(a.swapin_ns, OFF(swapin_delay_total));
	TAKE(a.read_bytes, OFF(read_bytes));
	TAKE(a.write_bytes, OFF(write_bytes));
	TAKE(a.cancelled_bytes, OFF(cancelled_write_bytes));
	TAKE(a.switches, OFF(nvcsw));
	TAKE(forced, OFF(nivcsw));
	a.switches += forced;
	if (a.version >= 10)
		TAKE(a.btime, OFF_BTIME64);
	if (a.version >= 12)
		TAKE(a.tgid, OFF_TGID);
#undef TAKE
	if (!a.btime)
		a.btime = btime;
	*ret = a;
	return 0;
}

/* An attribute at *p; false at the end or when it does not fit. */
static bool next_attr(const char **p, const char *end, unsigned *ret_type, const char **ret_data,
		      size_t *ret_len)
{
	struct nlattr a;
	size_t step;

	if ((size_t)(end - *p) < NLA_HDRLEN)
		return false;
	memcpy(&a, *p, sizeof(a));
	if (a.nla_len < NLA_HDRLEN || a.nla_len > end - *p)
		return false;
	*ret_type = a.nla_type & NLA_TYPE_MASK;
	*ret_data = *p + NLA_HDRLEN;
	*ret_len = a.nla_len - NLA_HDRLEN;
	step = NLA_ALIGN((size_t)a.nla_len);
	*p = step < (size_t)(end - *p) ? *p + step : end;
	return true;
}

/* TASKSTATS_TYPE_AGGR_…: an id and a struct. */
static int parse_aggregate(const char *data, size_t len, uint32_t *ret_id, struct acct *ret)
{
	const char *p = data, *at;
	bool id = false, stats = false;
	unsigned type;
	size_t n;

	while (next_attr(&p, data + len, &type, &at, &n)) {
		if ((type == TASKSTATS_TYPE_PID || type == TASKSTATS_TYPE_TGID) &&
		    n >= sizeof(*ret_id)) {
			memcpy(ret_id, at, sizeof(*ret_id));
			id = true;
		} else if (type == TASKSTATS_TYPE_STATS) {
			stats = acct_parse(at, n, ret) == 0;
		}
	}
	return id && stats ? 0 : -EINVAL;
}

int acct_message_parse(const void *data, size_t len, struct acct_message *ret)
{
	struct acct_message m = { 0 };
	const char *p = data, *end = p + len, *at;
	struct acct group;
	unsigned type;
	size_t n;

	while (next_attr(&p, end, &type, &at, &n)) {
		if (type == TASKSTATS_TYPE_AGGR_PID)
			m.has_task = parse_aggregate(at, n, &m.tid, &m.task) == 0;
		else if (type == TASKSTATS_TYPE_AGGR_TGID)
			m.has_group = parse_aggregate(at, n, &m.tgid, &group) == 0;
	}
	if (!m.has_task && !m.has_group)
		return -EINVAL;
	*ret = m;
	return 0;
}

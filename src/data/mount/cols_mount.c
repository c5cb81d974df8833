// SPDX-License-Identifier: GPL-2.0-or-later
/* The columns of the mounts screen. What the kernel does not count of a file system is unknown. */
#include "data/counters.h"
#include "data/mount/mount.h"

#define FIELD(member) COL_FIELD(struct mount_row, member)
#define ROW(c) ((const struct mount_row *)(c)->row)
#define COUNTERS(c) ((const struct mount_counters *)(c)->counters)

static struct value rate(const struct cell *c, uint64_t n)
{
	return ROW(c)->have & MOUNT_CALLS ? cell_rate(c, (double)n) : value_none();
}

static struct value count(const struct cell *c, uint64_t n)
{
	return ROW(c)->have & MOUNT_CALLS ? value_u64(n) : value_none();
}

COL_GETTER(read, rate(c, COUNTERS(c)->read))
COL_GETTER(write, rate(c, COUNTERS(c)->write))
COL_GETTER(calls, rate(c, COUNTERS(c)->calls))
COL_GETTER(avg, value_mean(COUNTERS(c)->ns, COUNTERS(c)->calls))
COL_GETTER(rtt, value_mean(COUNTERS(c)->rtt_ns, COUNTERS(c)->calls))
COL_GETTER(waiting, ROW(c)->have & MOUNT_WAITING ? value_u64(ROW(c)->waiting) : value_none())
COL_GETTER(silent, ROW(c)->silent_ns != UINT64_MAX ? value_u64(ROW(c)->silent_ns) : value_none())
COL_GETTER(retrans, count(c, COUNTERS(c)->retrans))
COL_GETTER(errors, count(c, COUNTERS(c)->errors))

const struct column mount_columns[] = {
	{
		COLUMN("mount", N_("MOUNTED ON"), N_("mount point")),
		FIELD(mount), .width = 20, .wide = 40,
	},
	{
		COLUMN("fs", N_("FS"), N_("kind of file system")),
		FIELD(fs), .width = 10, .priority = 4,
	},
	{
		COLUMN("read", N_("READ"), N_("bytes from the server per second")),
		.kind = VAL_F64, .unit = UNIT_BYTES,
		.flags = COL_READ | COL_ACTIVITY | COL_PER_SECOND, .width = 8,
		.priority = 3, .needs = SRC_MOUNTS, .get = get_read,
	},
	{
		COLUMN("write", N_("WRITE"), N_("bytes to the server per second")),
		.kind = VAL_F64, .unit = UNIT_BYTES,
		.flags = COL_WRITE | COL_ACTIVITY | COL_PER_SECOND, .width = 8,
		.priority = 3, .needs = SRC_MOUNTS, .get = get_write,
	},
	{
		COLUMN("calls", N_("CALLS"), N_("calls to the server that ended per second")),
		.kind = VAL_F64, .unit = UNIT_COUNT, .flags = COL_ACTIVITY | COL_PER_SECOND,
		.width = 7,
		.priority = 2, .needs = SRC_MOUNTS, .get = get_calls,
	},
	{
		COLUMN("avg", N_("AVG"), N_("average time of a call, from its begin to its end")),
		.kind = VAL_U64, .unit = UNIT_NS, .width = 6, .priority = 1, .needs = SRC_MOUNTS,
		.get = get_avg,
	},
	{
		COLUMN("rtt", N_("RTT"), N_("average time from sending a call to its answer")),
		.kind = VAL_U64, .unit = UNIT_NS, .width = 6, .priority = 4, .needs = SRC_MOUNTS,
		.get = get_rtt,
	},
	{
		COLUMN("waiting", N_("WAIT"),
		       N_("calls that the server has not answered yet; with NFS of all mounts of "
			  "that server")),
		.kind = VAL_U64, .unit = UNIT_COUNT, .flags = COL_ACTIVITY, .width = 5,
		.needs = SRC_MOUNTS, .get = get_waiting,
	},
	{
		COLUMN("silent", N_("SILENT"),
		       N_("so long calls wait and the server has answered none")),
		.kind = VAL_U64, .unit = UNIT_NS, .width = 6, .needs = SRC_MOUNTS,
		.get = get_silent,
	},
	{
		COLUMN("retrans", N_("RETR"), N_("times that a call was sent again")),
		.kind = VAL_U64, .unit = UNIT_COUNT, .width = 5, .priority = 5,
		.needs = SRC_MOUNTS, .get = get_retrans,
	},
	{
		COLUMN("errors", N_("ERR"), N_("calls that ended with an error")),
		.kind = VAL_U64, .unit = UNIT_COUNT, .width = 4, .priority = 5,
		.needs = SRC_MOUNTS, .get = get_errors,
	},
	{
		COLUMN("source", N_("SOURCE"), N_("the server, as it was said when mounting")),
		FIELD(source), .flags = COL_GROW, .width = 12, .priority = 2,
	},
	{
		COLUMN("process", N_("PROCESS"),
		       N_("the process of this machine that answers: with FUSE, once it has "
			  "answered a call")),
		FIELD(server), .width = 14, .wide = 20, .priority = 6,
	},
	{ 0 }
};

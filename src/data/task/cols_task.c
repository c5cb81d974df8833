/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns of the process screen. */
#include "base/clock.h"
#include "base/macro.h"
#include "data/model.h"
#include "data/pattern.h"
#include "data/task/task.h"
#include "data/task/task_memory.h"

#define FIELD(member) COL_FIELD(struct task_row, member)
#define COUNT(member) COL_COUNT(struct task_counters, member, VAL_U64)
#define ROW(c) ((const struct task_row *)(c)->row)
#define COUNTERS(c) ((const struct task_counters *)(c)->counters)

static struct value get_nice(const struct cell *c)
{
	const struct task_facts *facts = ROW(c)->facts;

	return facts && facts->sampled ? value_i64(facts->nice) : value_none();
}

/* A sleeper of whom that is 0 has slept for an unknown time. */
static struct value get_asleep(const struct cell *c)
{
	const struct task_facts *facts = ROW(c)->facts;

	if (!facts || !facts->sampled || (facts->state == 'D' && !facts->asleep_ns))
		return value_none();
	return value_u64(facts->asleep_ns);
}

static struct value get_how(const struct cell *c)
{
	static const char *const names[] = {
		[HOW_EXACT + 1] = "exact",
		[HOW_INODE + 1] = "inode",
		[HOW_DEVICE + 1] = "device",
		[HOW_CGROUP + 1] = "cgroup",
		[HOW_KERNEL + 1] = "kernel",
		[HOW_LOST + 1] = "lost",
	};

	return value_str(names[ROW(c)->how]);
}

static struct value get_command(const struct cell *c)
{
	const struct task_row *r = ROW(c);

	/* Of a group that nobody leads the name, if its members have one in common. */
	if (r->row.parts && !r->comm)
		return column_value(entity_column(&entity_task, "comm"), &r->row, c->model,
				    c->span, c->texts);
	return value_str(task_command(r));
}

static struct value get_throttled(const struct cell *c)
{
	const struct task_counters *n = COUNTERS(c);
	double percent, most = 100.0 * (double)MAX(c->row->members, 1);

	if (n->held_unseen || !(c->seconds > 0))
		return value_none();
	percent = 100 * (double)n->throttled_ns / (c->seconds * NSEC_PER_SEC);
	return value_f64(MIN(percent, most));
}

COL_GETTER(uid, ROW(c)->facts ? value_u64(ROW(c)->facts->uid) : value_none())
COL_GETTER(total, cell_rate(c, (double)COUNTERS(c)->read + COUNTERS(c)->write))
COL_GETTER(members, value_u64(c->row->members))
COL_GETTER(files, value_list(ROW(c)->file_texts, ROW(c)->nfiles))
/* Those that were held back for an unknown time would be missing, the longest of all. */
#define TIMED(c) (COUNTERS(c)->held_unseen ? 0 : COUNTERS(c)->done)
COL_GETTER(lat, value_mean(COUNTERS(c)->lat_ns, TIMED(c)))
COL_GETTER(max, TIMED(c) ? value_u64(COUNTERS(c)->max_ns) : value_none())
COL_GETTER(hit, pattern_share(COUNTERS(c)->hits, COUNTERS(c)->hits + COUNTERS(c)->misses))
COL_GETTER(rsize, value_mean(COUNTERS(c)->read, COUNTERS(c)->rios))
COL_GETTER(wsize, value_mean(COUNTERS(c)->write, COUNTERS(c)->wios))

#define PATTERN(c) (&COUNTERS(c)->pattern)

static uint64_t ordered(const struct io_pattern *p)
{
	return p->reads + p->writes;
}

COL_GETTER(seq, pattern_share(PATTERN(c)->sequential, ordered(PATTERN(c))))
COL_GETTER(rand, pattern_share(ordered(PATTERN(c)) - PATTERN(c)->sequential,
			       ordered(PATTERN(c))))
COL_GETTER(ra, pattern_share(PATTERN(c)->ahead, PATTERN(c)->reads))
COL_GETTER(sync, pattern_share(PATTERN(c)->sync, PATTERN(c)->writes))

/* Of its control group: the same in all of its tasks. */
#define OF_GROUP(column, member, more, ...)                                                  \
	{                                                                                    \
		column, .kind = VAL_F64, .fold = FOLD_MAX, .flags = COL_HIDDEN | (more),     \
		.priority = 8, .needs = SRC_MEMORY | SRC_TASKIO,                             \
		.reads = { COL_READS(MEMORY, memory, member) }, __VA_ARGS__                  \
	}

#define READS(...)                                                                           \
	{                                                                                    \
		__VA_ARGS__, .priority = 8, .needs = SRC_CALLERS | SRC_FILES,                \
		.reads = { COL_READS(CALLER, caller, bytes) },                               \
	}

const struct column task_columns[] = {
	{
		COLUMN("pid", N_("PID"), N_("process id")),
		FIELD(pid), .fold = FOLD_FIRST, .flags = COL_NONZERO | COL_WHOLE,
		.width = 7, .priority = 1,
	},
	{
		COLUMN("tid", N_("TID"), N_("thread id")),
		FIELD(tid), .fold = FOLD_FIRST, .flags = COL_NONZERO | COL_WHOLE,
		.width = 7,
	},
	{
		COLUMN("prio", N_("PRIO"), N_("I/O priority: class and level")),
		FIELD(prio), .fold = FOLD_FIRST, .width = 4, .priority = 7,
	},
	{
		COLUMN("user", N_("USER"), N_("effective user")),
		FIELD(user), .fold = FOLD_SAME, .width = 9, .priority = 5,
		.needs = SRC_NAMES,
	},
	{
		COLUMN("uid", N_("UID"), N_("effective user, as a number")),
		.kind = VAL_U64, .fold = FOLD_SAME, .flags = COL_HIDDEN, .width = 6, .priority = 9,
		.get = get_uid,
	},
	{
		COLUMN("cgroup", N_("CGROUP"),
		       N_("control group: name of the unit, container or pod")),
		FIELD(cgroup), .fold = FOLD_SAME, .flags = COL_HIDDEN, .width = 19,
		.wide = 52, .priority = 3, .needs = SRC_NAMES,
	},
	{
		COLUMN("read", N_("READ"), N_("bytes read at the disk, per second")),
		COUNT(read), .unit = UNIT_BYTES, .fold = FOLD_SUM,
		.flags = COL_RATE | COL_READ | COL_ACTIVITY, .width = 8,
		.either = SRC_BLOCK | SRC_TASKIO,
	},
	{
		COLUMN("write", N_("WRITE"),
		       N_("bytes written at the disk, per second, charged to who caused them")),
		COUNT(write), .unit = UNIT_BYTES, .fold = FOLD_SUM,
		.flags = COL_RATE | COL_WRITE | COL_ACTIVITY, .width = 8,
		.either = SRC_BLOCK | SRC_TASKIO,
	},
	{
		COLUMN("total", N_("R+W"), N_("bytes read and written at the disk, per second")),
		.kind = VAL_F64, .unit = UNIT_BYTES, .fold = FOLD_SUM,
		.flags = COL_HIDDEN | COL_WHOLE | COL_PER_SECOND, .width = 8, .priority = 8,
		.either = SRC_BLOCK | SRC_TASKIO, .get = get_total,
	},
	{
		COLUMN("riops", N_("RIO"),
		       N_("reads submitted per second, before the disk's queue merges or "
			  "splits them")),
		COUNT(rios), .unit = UNIT_COUNT, .fold = FOLD_SUM, .flags = COL_RATE | COL_READ,
		.width = 5, .priority = 6, .needs = SRC_BLOCK,
	},
	{
		COLUMN("wiops", N_("WIO"),
		       N_("writes submitted per second, before the disk's queue merges or "
			  "splits them")),
		COUNT(wios), .unit = UNIT_COUNT, .fold = FOLD_SUM, .flags = COL_RATE | COL_WRITE,
		.width = 5, .priority = 6, .needs = SRC_BLOCK,
	},
	{
		COLUMN("lat", N_("LAT"),
		       N_("average time of its requests, submission to completion")),
		.kind = VAL_U64, .unit = UNIT_NS, .fold = FOLD_MEAN, .width = 6, .priority = 3,
		.needs = SRC_BLOCK, .get = get_lat,
	},
	{
		COLUMN("max", N_("MAX"), N_("longest request")),
		.kind = VAL_U64, .unit = UNIT_NS, .fold = FOLD_MAX, .flags = COL_WHOLE, .width = 6,
		.priority = 6, .needs = SRC_BLOCK, .get = get_max,
	},
	{
		COLUMN("swapin", N_("SWAP%"), N_("time spent waiting for pages to be swapped in")),
		COUNT(swap_ns), .unit = UNIT_PERCENT, .fold = FOLD_SUM,
		.flags = COL_PERCENT | COL_ACTIVITY, .width = 5, .priority = 8, .needs = SRC_DELAYS,
	},
	{
		COLUMN("io", N_("IO%"),
		       N_("time in which it could not go on for block I/O, or for the server of a "
			  "file system (FUSE)")),
		COUNT(wait_ns), .unit = UNIT_PERCENT, .fold = FOLD_SUM,
		.flags = COL_PERCENT | COL_ACTIVITY, .width = 5, .priority = 2,
		.either = SRC_DELAYS | SRC_WAITS,
	},
	{
		COLUMN("throttle", N_("THROT%"),
		       N_("time throttled while dirtying pages (balance_dirty_pages)")),
		COUNT(throttle_ns), .unit = UNIT_PERCENT, .fold = FOLD_SUM,
		.flags = COL_PERCENT | COL_HIDDEN, .width = 6, .priority = 8, .needs = SRC_THROTTLE,
	},
	{
		COLUMN("dirty", N_("DIRTY"),
		       N_("bytes of pages dirtied per second, less those cancelled before they "
			  "were written; without BPF direct writes count as well")),
		COUNT(dirty), .unit = UNIT_BYTES, .fold = FOLD_SUM,
		.flags = COL_RATE | COL_WRITE | COL_HIDDEN, .width = 8, .priority = 5,
		.needs = SRC_TASKIO,
	},
	{
		COLUMN("disk", N_("DISK"),
		       N_("the disk with most of its I/O; without any what it waits for: the mount "
			  "of a server (FUSE), the disk of a frozen file system")),
		FIELD(disk), .fold = FOLD_FIRST, .flags = COL_WHOLE, .width = 7,
		.priority = 4, .needs = SRC_BLOCK,
	},
	{
		COLUMN("state", N_("S"),
		       N_("state: R running, S sleeping, D uninterruptible, T stopped, Z zombie, "
			  "I idle")),
		FIELD(state), .fold = FOLD_FIRST, .flags = COL_HIDDEN, .width = 1,
		.priority = 8,
	},
	{
		COLUMN("age", N_("AGE"), N_("time since it started")),
		FIELD(age_ns), .unit = UNIT_NS, .fold = FOLD_MAX,
		.flags = COL_HIDDEN | COL_NONZERO, .width = 6, .priority = 8,
	},
	{
		COLUMN("ios", N_("IOS"),
		       N_("I/O of any kind submitted per second, flushes and discards as well")),
		COUNT(ios), .unit = UNIT_COUNT, .fold = FOLD_SUM, .flags = COL_RATE | COL_HIDDEN,
		.width = 5, .priority = 8, .needs = SRC_BLOCK,
	},
	{
		COLUMN("members", N_("N"), N_("threads in this row")),
		.kind = VAL_U64, .fold = FOLD_SUM, .flags = COL_HIDDEN, .width = 5, .priority = 1,
		.get = get_members,
	},
	{
		COLUMN("how", N_("HOW"),
		       N_("how the owner was determined: "
			  "exact, inode, device, cgroup, kernel, lost")),
		.kind = VAL_STR, .fold = FOLD_FIRST, .flags = COL_HIDDEN | COL_WHOLE, .width = 6,
		.priority = 9, .needs = SRC_BLOCK, .get = get_how,
	},
	{
		COLUMN("files", N_("FILES"), N_("files behind its I/O, hottest first")),
		.kind = VAL_LIST, .fold = FOLD_FIRST, .flags = COL_HIDDEN | COL_WHOLE, .width = 20,
		.priority = 9, .needs = SRC_FILES | SRC_BLOCK, .get = get_files,
	},
	{
		COLUMN("history", N_("HISTORY"), N_("the last intervals, read and write together")),
		.kind = VAL_NONE, .fold = FOLD_FIRST, .flags = COL_GRAPH, .width = 10,
		.priority = 5,
	},
	{
		COLUMN("comm", N_("COMM"), N_("name of the task")),
		FIELD(comm), .fold = FOLD_FIRST, .flags = COL_HIDDEN, .width = 15,
		.priority = 0,
	},
	{
		COLUMN("command", N_("COMMAND"), N_("command line")),
		.kind = VAL_STR, .fold = FOLD_FIRST, .flags = COL_GROW | COL_WHOLE, .width = 12,
		.priority = 0, .either = SRC_TASKS | SRC_CMDLINE, .get = get_command,
	},
	/* New columns go to the end: scripts count the fields of CSV (tests/unit/columns). */
	{
		COLUMN("nice", N_("NI"),
		       N_("nice value: from -20, most of the processor, to 19, least")),
		.kind = VAL_I64, .fold = FOLD_SAME, .flags = COL_HIDDEN, .width = 3, .priority = 8,
		.get = get_nice,
	},
	{
		COLUMN("iowait", N_("IOWAIT%"),
		       N_("time that the kernel calls iowait: in a ring of io_uring also without "
			  "I/O")),
		COUNT(iowait_ns), .unit = UNIT_PERCENT, .fold = FOLD_SUM,
		.flags = COL_PERCENT | COL_HIDDEN, .width = 7, .priority = 8,
		.either = SRC_DELAYS | SRC_WAITS,
	},
	{
		COLUMN("throttled", N_("LIMIT%"),
		       N_("time in which a limit of its control group (io.max, iocost, iolatency) "
			  "held I/O back")),
		.kind = VAL_F64, .unit = UNIT_PERCENT, .fold = FOLD_SUM,
		.flags = COL_HIDDEN | COL_WHOLE | COL_ACTIVITY, .width = 6, .priority = 8,
		.needs = SRC_BLOCK, .get = get_throttled,
		.reads = { COL_READS(IO, io, throttled_ns), COL_READS(IO, io, held_unseen) },
	},
	{
		COLUMN("limit", N_("LIMIT"),
		       N_("limits of its control group, where one held I/O back: io.max, "
			  "blkio.throttle, io.latency, with iocost io.weight")),
		FIELD(limit), .fold = FOLD_SAME, .flags = COL_HIDDEN, .width = 20,
		.wide = 52, .priority = 9, .needs = SRC_BLOCK | SRC_NAMES,
	},
	{
		COLUMN("memstall", N_("MEM%"),
		       N_("time stalled for memory: direct reclaim, and waiting for pages that "
			  "had just been evicted")),
		COUNT(memstall_ns), .unit = UNIT_PERCENT, .fold = FOLD_SUM,
		.flags = COL_PERCENT | COL_HIDDEN, .width = 5, .priority = 8,
		.needs = SRC_MEMSTALL, .reads = { COL_READS(TASK, task, memstall_ns) },
	},
	{
		COLUMN("refaults", N_("REFAULT"),
		       N_("bytes that its control group read back soon after they were evicted, "
			  "per second")),
		.kind = VAL_F64, .unit = UNIT_BYTES, .fold = FOLD_MAX,
		.flags = COL_HIDDEN | COL_READ | COL_PER_SECOND, .width = 8, .priority = 8,
		.needs = SRC_MEMORY | SRC_TASKIO, .get = task_refaults,
	},
	{
		COLUMN("atlimit", N_("ATLIM"),
		       N_("times that its control group reached memory.high or memory.max")),
		.kind = VAL_U64, .unit = UNIT_COUNT, .fold = FOLD_MAX,
		.flags = COL_HIDDEN | COL_COUNTED, .width = 5, .priority = 8,
		.needs = SRC_MEMORY | SRC_TASKIO, .get = task_atlimit,
	},
	{
		COLUMN("container", N_("CONTAINER"),
		       N_("container or virtual machine, by the name that people gave it where "
			  "that can be read")),
		FIELD(container), .fold = FOLD_SAME, .flags = COL_HIDDEN, .width = 19,
		.wide = 52, .priority = 8, .needs = SRC_NAMES,
	},
	{
		COLUMN("cgroup_path", N_("CGROUP PATH"),
		       N_("control group, as a path from where control groups are mounted")),
		FIELD(cgroup_path), .fold = FOLD_SAME, .flags = COL_HIDDEN, .width = 28,
		.wide = 80, .priority = 9, .needs = SRC_NAMES,
	},
	{
		COLUMN("dirtynow", N_("DIRTYNOW"),
		       N_("bytes of pages that it dirtied and that were not handed in to be "
			  "written yet")),
		FIELD(dirty_now), .unit = UNIT_BYTES, .fold = FOLD_SUM,
		.flags = COL_WRITE | COL_ACTIVITY | COL_HIDDEN, .width = 8, .priority = 8,
		.needs = SRC_FILES | SRC_BLOCK, .reads = { COL_READS(DIRTY, dirty, bytes) },
	},
	PATTERN_COLUMNS(IO, io, .needs = SRC_BLOCK),
	READS(COLUMN("hits", N_("HITS"),
		     N_("bytes that its read calls returned without reading the disk, per second")),
	      .unit = UNIT_BYTES, .width = 8, COUNT(hits), .fold = FOLD_SUM,
	      .flags = COL_RATE | COL_READ | COL_HIDDEN),
	READS(COLUMN("misses", N_("MISSES"),
		     N_("bytes that its read calls returned and that it had to read from a disk, "
			"per second")),
	      .unit = UNIT_BYTES, .width = 8, COUNT(misses), .fold = FOLD_SUM,
	      .flags = COL_RATE | COL_READ | COL_HIDDEN),
	READS(COLUMN("hit", N_("HIT%"),
		     N_("of the bytes that its read calls returned, those without "
			"reading the disk")),
	      .unit = UNIT_PERCENT, .width = 5, .kind = VAL_F64, .fold = FOLD_MEAN,
	      .flags = COL_HIDDEN, .get = get_hit),
	OF_GROUP(COLUMN("cgsome", N_("CGSOME%"),
			N_("time in which a task of its control group waited for I/O "
			   "(io.pressure)")),
		 psi_some_us, 0, .unit = UNIT_PERCENT, .width = 7, .get = task_pressure_some),
	OF_GROUP(COLUMN("cgfull", N_("CGFULL%"),
			N_("time in which no task of its control group could go on for I/O")),
		 psi_full_us, 0, .unit = UNIT_PERCENT, .width = 7, .get = task_pressure_full),
	OF_GROUP(COLUMN("evicted", N_("EVICTED"),
			N_("bytes taken from its control group for want of memory, per second")),
		 evicted, COL_PER_SECOND, .unit = UNIT_BYTES, .width = 8, .get = task_evicted),
	{
		COLUMN("limits", N_("LIMITS"),
		       N_("all limits that hold for its control group: of I/O and of memory")),
		.kind = VAL_STR, .fold = FOLD_SAME, .width = 20, .wide = 60, .flags = COL_HIDDEN,
		.priority = 9, .get = task_limits, .needs = SRC_MEMORY | SRC_TASKIO,
		.reads = { COL_READS(MEMORY, memory, limits) },
	},
	{
		COLUMN("meta", N_("META"),
		       N_("bytes of its I/O that are of the file system itself, as folders, inodes "
			  "and journals are, per second")),
		COUNT(meta), .unit = UNIT_BYTES, .fold = FOLD_SUM, .flags = COL_RATE | COL_HIDDEN,
		.width = 8, .priority = 8, .needs = SRC_FILES | SRC_BLOCK,
		.reads = { COL_READS(FILE, file, read), COL_READS(FILE, file, write) },
	},
	{
		COLUMN("asleep", N_("ASLEEP"),
		       N_("for how long it has been in its present uninterruptible sleep (D)")),
		.kind = VAL_U64, .unit = UNIT_NS, .fold = FOLD_MAX, .flags = COL_HIDDEN,
		.width = 6, .priority = 8, .get = get_asleep,
		.reads = { COL_READS(TASK, task, asleep_ns) },
	},
	{
		COLUMN("server", N_("SERV%"),
		       N_("time in which it waited for the server of a file system (FUSE), part "
			  "of IO%")),
		COUNT(server_ns), .unit = UNIT_PERCENT, .fold = FOLD_SUM,
		.flags = COL_PERCENT | COL_HIDDEN, .width = 5, .priority = 8, .needs = SRC_MOUNTS,
		.reads = { COL_READS(TASK, task, server_ns) },
	},
	{ 0 }
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns of the files screen. */
#include <math.h>
#include <stdlib.h>

#include "data/file/file.h"
#include "data/pattern.h"

#define FIELD(member) COL_FIELD(struct file_row, member)
#define COUNT(member) COL_COUNT(struct file_counters, member, VAL_U64)
#define ROW(c) ((const struct file_row *)(c)->row)
#define COUNTERS(c) ((const struct file_counters *)(c)->counters)

/* How many of its requests have a time, 0 where those that took longest may have none. */
static uint64_t timed(const struct cell *c)
{
	return COUNTERS(c)->untimed ? 0 : COUNTERS(c)->done;
}

static struct value get_p99(const struct cell *c)
{
	const struct file_counters *n = COUNTERS(c);
	uint64_t ns = n->untimed ? 0 : file_percentile(n->hist, 99);

	/* Within its bucket it may seem longer than the longest. */
	return ns ? value_u64(MIN(ns, n->max_ns)) : value_none();
}

/* How many processes, and the one with most of it. What is of nobody who is known is none. */
static size_t processes(const struct cell *c, const struct file_part **ret_most)
{
	size_t n, count = 0;
	const struct file_part *list = file_parts(c->row, FILE_BY_PROCESS, c->texts, &n);

	*ret_most = list;
	for (size_t i = 0; i < n; i++)
		if (list[i].pid && !count++)
			*ret_most = &list[i];
	return count;
}

/* A process by name and number, of several with most of it the name and how many there are. */
static struct value get_who(const struct cell *c)
{
	const struct file_part *most;
	size_t n;

	if (!ROW(c)->comm)
		return value_none();
	n = processes(c, &most);
	if (n > 1)
		return value_str(arena_printf(c->texts, "%s (%zu)", most->name, n));
	if (!most->pid)
		return value_str(most->name);
	return value_str(arena_printf(c->texts, "%s %llu", most->name,
				      (unsigned long long)most->pid));
}

static struct value get_procs(const struct cell *c)
{
	const struct file_part *most;

	return value_u64(processes(c, &most));
}

static uint64_t bytes_of(const struct file_row *r, enum span span)
{
	const struct file_counters *n = row_counters(&r->row, span);

	return n->read + n->write;
}

/* Of a group that of the member with most of it. */
static struct value get_disk(const struct cell *c)
{
	const struct file_row *most = ROW(c);

	for (uint32_t i = 0; c->row->parts && i < c->row->members; i++) {
		const struct file_row *r = (const struct file_row *)c->row->parts[i];

		if (!i || bytes_of(r, c->span) > bytes_of(most, c->span))
			most = r;
	}
	return value_str(most->disk);
}

static int by_number(const void *pa, const void *pb)
{
	uint64_t a = *(const uint64_t *)pa, b = *(const uint64_t *)pb;

	return ORDER(a, b);
}

/* Members are processes at files. */
static struct value get_files(const struct cell *c)
{
	size_t members = c->row->parts ? c->row->members : 0;
	uint64_t *files = arena_new(c->texts, uint64_t, members), n = 1;

	for (size_t i = 0; i < members; i++)
		files[i] = ((const struct file_row *)c->row->parts[i])->file;
	if (members)
		qsort(files, members, sizeof(*files), by_number);
	for (size_t i = 1; i < members; i++)
		n += files[i] != files[i - 1];
	return value_u64(n);
}

static uint64_t calls_of(const struct file_counters *n)
{
	return n->rcalls + n->wcalls + n->opens + n->fsyncs;
}

/* A ratio of what two sources count is of one time, which they were both watched for. */
static bool watched_alike(const struct cell *c)
{
	double calls = model_watched(c->model, SRC_CALLERS, cell_is_sum(c)),
	       files = model_watched(c->model, SRC_FILES, cell_is_sum(c));

	return fabs(calls - files) <= 0.02 * files;
}

static struct value get_amp(const struct cell *c)
{
	const struct file_counters *n = COUNTERS(c);

	return n->wcall_bytes && !ROW(c)->is_block && watched_alike(c)
		       ? value_f64((double)n->write / (double)n->wcall_bytes) : value_none();
}

COL_GETTER(total, cell_rate(c, (double)COUNTERS(c)->read + (double)COUNTERS(c)->write))
COL_GETTER(lat, value_mean(COUNTERS(c)->lat_ns, timed(c)))
COL_GETTER(max, timed(c) ? value_u64(COUNTERS(c)->max_ns) : value_none())
COL_GETTER(ino, value_nonzero(ino_shown(ROW(c)->ino)))
COL_GETTER(state, value_phrase(ROW(c)->state))

/* Of a file what became of it; a folder of them has a column for that. */
static struct value get_path(const struct cell *c)
{
	struct value v = value_str(ROW(c)->path);

	v.deleted = ROW(c)->file && ROW(c)->state;
	return v;
}

COL_GETTER(clat, value_mean(COUNTERS(c)->calls_ns, calls_of(COUNTERS(c))))
COL_GETTER(hit, pattern_share(COUNTERS(c)->hits, COUNTERS(c)->hits + COUNTERS(c)->misses))

#define CALLS(name, heading, sentence, more)                                           \
	{                                                                              \
		COLUMN(#name, heading, sentence), COUNT(name), .unit = UNIT_COUNT,     \
		.fold = FOLD_SUM, .flags = COL_RATE | COL_HIDDEN | (more), .width = 8, \
		.priority = 5, .needs = SRC_CALLERS | SRC_FILES,                       \
	}

const struct column file_columns[] = {
	{
		COLUMN("path", N_("FILE"),
		       N_("path of the file as it is reached here, behind the number of its file "
			  "system where that is mounted nowhere here; disk and inode where it has "
			  "none; of a group what its files have in common")),
		.kind = VAL_STR, .flags = COL_GROW | COL_WHOLE | COL_PATH, .width = 32,
		.least = 18, .get = get_path,
	},
	{
		COLUMN("dir", N_("FOLDER"), N_("folder of the file")),
		FIELD(dir), .fold = FOLD_SAME, .flags = COL_HIDDEN | COL_PATH, .width = 24,
		.wide = 60, .priority = 5,
	},
	{
		COLUMN("mount", N_("MOUNTED ON"), N_("where its file system is mounted")),
		FIELD(mount), .fold = FOLD_SAME, .flags = COL_HIDDEN, .width = 14,
		.wide = 40, .priority = 6, .reads = { COL_READS(FILE, file, mount) },
	},
	{
		COLUMN("fs", N_("FS"), N_("kind of its file system")),
		FIELD(fs), .fold = FOLD_SAME, .flags = COL_HIDDEN, .width = 6,
		.priority = 6, .reads = { COL_READS(FILE, file, fs) },
	},
	{
		COLUMN("inode", N_("INODE"), N_("number of its inode")),
		.kind = VAL_U64, .fold = FOLD_SAME, .flags = COL_HIDDEN | COL_WHOLE, .width = 10,
		.priority = 8, .get = get_ino,
	},
	{
		COLUMN("disk", N_("DISK"), N_("the disk with most of its I/O")),
		.kind = VAL_STR, .flags = COL_WHOLE, .width = 7, .priority = 3, .get = get_disk,
	},
	{
		COLUMN("who", N_("WHO"),
		       N_("the process that most of it is of; of how many, where there are "
			  "several")),
		.kind = VAL_STR, .flags = COL_WHOLE, .width = 16, .wide = 24, .priority = 1,
		.get = get_who,
	},
	{
		COLUMN("procs", N_("PROCS"), N_("processes whose I/O it is")),
		.kind = VAL_U64, .flags = COL_HIDDEN | COL_WHOLE, .width = 5, .priority = 7,
		.get = get_procs,
	},
	{
		COLUMN("read", N_("READ"), N_("bytes read at the disk, per second")),
		COUNT(read), .unit = UNIT_BYTES, .fold = FOLD_SUM,
		.flags = COL_RATE | COL_READ | COL_ACTIVITY, .width = 8, .needs = SRC_FILES,
	},
	{
		COLUMN("write", N_("WRITE"), N_("bytes written at the disk, per second")),
		COUNT(write), .unit = UNIT_BYTES, .fold = FOLD_SUM,
		.flags = COL_RATE | COL_WRITE | COL_ACTIVITY, .width = 8, .needs = SRC_FILES,
	},
	{
		COLUMN("total", N_("R+W"), N_("bytes read and written at the disk, per second")),
		.kind = VAL_F64, .unit = UNIT_BYTES, .fold = FOLD_SUM,
		.flags = COL_HIDDEN | COL_WHOLE | COL_PER_SECOND, .width = 8, .priority = 8,
		.needs = SRC_FILES,
		.get = get_total,
	},
	{
		COLUMN("riops", N_("RIO"),
		       N_("reads submitted per second, before the disk's queue merges or "
			  "splits them")),
		COUNT(rios), .unit = UNIT_COUNT, .fold = FOLD_SUM, .flags = COL_RATE | COL_READ,
		.width = 5, .priority = 5, .needs = SRC_FILES,
		.reads = { COL_READS(FILE, file, rios) },
	},
	{
		COLUMN("wiops", N_("WIO"),
		       N_("writes submitted per second, before the disk's queue merges or "
			  "splits them")),
		COUNT(wios), .unit = UNIT_COUNT, .fold = FOLD_SUM, .flags = COL_RATE | COL_WRITE,
		.width = 5, .priority = 5, .needs = SRC_FILES,
		.reads = { COL_READS(FILE, file, wios) },
	},
	{
		COLUMN("lat", N_("LAT"),
		       N_("average time of its requests, from when they were queued")),
		.kind = VAL_U64, .unit = UNIT_NS, .fold = FOLD_MEAN, .width = 6, .priority = 2,
		.needs = SRC_FILES,
		.reads = { COL_READS(FILE, file, lat_ns), COL_READS(FILE, file, done) },
		.get = get_lat,
	},
	{
		COLUMN("p99", N_("P99"), N_("99 of 100 of its requests took no longer")),
		.kind = VAL_U64, .unit = UNIT_NS, .fold = FOLD_MEAN, .width = 6, .priority = 3,
		.needs = SRC_FILES,
		.reads = { COL_READS(FILE, file, hist), COL_READS(FILE, file, max_ns) },
		.get = get_p99,
	},
	{
		COLUMN("max", N_("MAX"), N_("longest request")),
		.kind = VAL_U64, .unit = UNIT_NS, .fold = FOLD_MAX, .flags = COL_WHOLE, .width = 6,
		.priority = 5, .needs = SRC_FILES,
		.reads = { COL_READS(FILE, file, max_ns), COL_READS(FILE, file, done) },
		.get = get_max,
	},
	{
		COLUMN("state", N_("STATE"), N_("deleted: it has no name any more")),
		.kind = VAL_STR, .flags = COL_WHOLE | COL_HIDDEN, .width = 8, .priority = 4,
		.reads = { COL_READS(FILE, file, flags) }, .get = get_state,
	},
	{
		COLUMN("history", N_("HISTORY"), N_("the last intervals, read and write together")),
		.kind = VAL_NONE, .flags = COL_GRAPH, .width = 10, .priority = 6,
	},
	{
		COLUMN("pid", N_("PID"), N_("process id")),
		FIELD(pid), .fold = FOLD_SAME, .flags = COL_HIDDEN | COL_NONZERO,
		.width = 7, .priority = 2,
	},
	{
		COLUMN("comm", N_("COMM"), N_("name of the process")),
		FIELD(comm), .fold = FOLD_SAME, .flags = COL_HIDDEN, .width = 15,
		.priority = 2,
	},
	{
		COLUMN("cgroup", N_("CGROUP"),
		       N_("control group: name of the unit, container or pod")),
		FIELD(cgroup), .fold = FOLD_SAME, .flags = COL_HIDDEN, .width = 19,
		.wide = 52, .priority = 3, .needs = SRC_NAMES,
	},
	{
		COLUMN("ext", N_("EXT"), N_("extension of the file's name")),
		FIELD(ext), .fold = FOLD_SAME, .flags = COL_HIDDEN, .width = 6,
		.priority = 7,
	},
	{
		COLUMN("files", N_("FILES"), N_("files in this row")),
		.kind = VAL_U64, .flags = COL_HIDDEN | COL_WHOLE, .width = 5, .priority = 7,
		.get = get_files,
	},
	/* New columns go to the end: scripts count the fields of CSV (tests/unit/columns). */
	CALLS(rcalls, N_("RCALL"), N_("read calls that ended, per second"),
	      COL_ACTIVITY | COL_READ),
	CALLS(wcalls, N_("WCALL"), N_("write calls that ended, per second"),
	      COL_ACTIVITY | COL_WRITE),
	{
		COLUMN("rcall_bytes", N_("RASKED"),
		       N_("bytes that read calls returned, per second, from the page cache or "
			  "from the disk")),
		COUNT(rcall_bytes), .unit = UNIT_BYTES, .fold = FOLD_SUM,
		.flags = COL_RATE | COL_HIDDEN | COL_READ, .width = 8, .priority = 5,
		.needs = SRC_CALLERS | SRC_FILES, .reads = { COL_READS(CALLER, caller, bytes) },
	},
	{
		COLUMN("wcall_bytes", N_("WASKED"),
		       N_("bytes that write calls took, per second, into the page cache or to the "
			  "disk")),
		COUNT(wcall_bytes), .unit = UNIT_BYTES, .fold = FOLD_SUM,
		.flags = COL_RATE | COL_HIDDEN | COL_WRITE, .width = 8, .priority = 6,
		.needs = SRC_CALLERS | SRC_FILES, .reads = { COL_READS(CALLER, caller, bytes) },
	},
	CALLS(opens, N_("OPEN"), N_("times it was opened, per second"), COL_ACTIVITY),
	CALLS(fsyncs, N_("FSYNC"), N_("calls of fsync and the like that ended, per second"),
	      COL_ACTIVITY),
	{
		COLUMN("clat", N_("CLAT"), N_("average time of these calls")),
		.kind = VAL_U64, .unit = UNIT_NS, .fold = FOLD_MEAN, .flags = COL_HIDDEN,
		.width = 6, .priority = 6, .needs = SRC_CALLERS | SRC_FILES, .get = get_clat,
	},
	{
		COLUMN("hit", N_("HIT%"),
		       N_("of the bytes that its read calls returned, those without "
			  "reading the disk")),
		.kind = VAL_F64, .unit = UNIT_PERCENT, .fold = FOLD_MEAN, .flags = COL_HIDDEN,
		.width = 5, .priority = 2, .needs = SRC_CALLERS | SRC_FILES, .get = get_hit,
		.reads = { COL_READS(CALLER, caller, bytes) },
	},
	{
		COLUMN("amp", N_("AMP"),
		       N_("bytes written to the disk for each byte that write calls took")),
		.kind = VAL_F64, .unit = UNIT_RATIO, .fold = FOLD_MEAN, .flags = COL_HIDDEN,
		.width = 6, .priority = 6, .needs = SRC_CALLERS | SRC_FILES, .get = get_amp,
		.reads = { COL_READS(CALLER, caller, bytes) },
	},
	{
		COLUMN("dirtynow", N_("DIRTY"),
		       N_("bytes of its pages that are dirty and were not handed in to be written "
			  "yet")),
		FIELD(dirty), .unit = UNIT_BYTES, .fold = FOLD_SUM,
		.flags = COL_WRITE | COL_ACTIVITY, .width = 8, .priority = 3, .needs = SRC_FILES,
		.reads = { COL_READS(DIRTY, dirty, bytes) },
	},
	{
		COLUMN("seen", N_("SEEN AS"),
		       N_("path of the file as its process sees it, where that is another one: in "
			  "a container, below another root")),
		FIELD(seen), .fold = FOLD_SAME, .flags = COL_HIDDEN, .width = 24,
		.wide = 60, .priority = 5, .reads = { COL_READS(FILE, file, seen) },
	},
	{ 0 }
};

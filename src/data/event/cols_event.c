// SPDX-License-Identifier: GPL-2.0-or-later
/* The columns of the events screen. */
#include <errno.h>

#include "base/macro.h"
#include "data/event/event.h"

#define FIELD(member) COL_FIELD(struct event_row, member)
#define ROW(c) ((const struct event_row *)(c)->row)
#define EVENT(c) (&ROW(c)->event)

static struct value known(uint64_t v)
{
	return v == EVENT_UNKNOWN ? value_none() : value_u64(v);
}

static struct value number(uint32_t v)
{
	return v == EVENT_NO_NUMBER ? value_none() : value_u64(v);
}

static struct value get_kind(const struct cell *c)
{
	static const char *const names[EVENT_KINDS] = {
		[EVENT_REQUEST] = "request",
		[EVENT_CALL] = "call",
	};

	return value_str(names[EVENT(c)->kind]);
}

static struct value get_flags(const struct cell *c)
{
	static const struct {
		uint32_t flag;
		const char *name;
	} flags[] = {
		{ EVENT_SYNC, "sync" },	    { EVENT_FUA, "fua" },
		{ EVENT_PREFLUSH, "flush" }, { EVENT_AHEAD, "readahead" },
		{ EVENT_META, "meta" },	    { EVENT_NOWAIT, "nowait" },
		{ EVENT_PRIO, "priority" }, { EVENT_BACKGROUND, "background" },
		{ EVENT_PART, "part" },
	};
	const char *text = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
		if (EVENT(c)->flags & flags[i].flag)
			text = text ? arena_concat(c->texts, text, ",", flags[i].name, NULL)
				    : flags[i].name;
	return value_str(text);
}

static struct value get_error(const struct cell *c)
{
	static const struct {
		uint32_t error;
		const char *name;
	} names[] = {
		{ EIO, "EIO" },		{ ENOSPC, "ENOSPC" },	{ EAGAIN, "EAGAIN" },
		{ ETIMEDOUT, "ETIMEDOUT" }, { EOPNOTSUPP, "EOPNOTSUPP" }, { ENODATA, "ENODATA" },
		{ ENOLINK, "ENOLINK" },	{ EREMOTEIO, "EREMOTEIO" }, { EBADE, "EBADE" },
		{ EILSEQ, "EILSEQ" },	{ ENOMEM, "ENOMEM" },	{ EBUSY, "EBUSY" },
		{ EREMCHG, "EREMCHG" },
		{ EINVAL, "EINVAL" },	{ EINTR, "EINTR" },	{ EFBIG, "EFBIG" },
		{ EDQUOT, "EDQUOT" },	{ EROFS, "EROFS" },	{ EBADF, "EBADF" },
	};

	if (!EVENT(c)->error)
		return value_none();
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i].error == EVENT(c)->error)
			return value_str(names[i].name);
	return value_str(arena_printf(c->texts, "E%u", EVENT(c)->error));
}

COL_GETTER(path, value_str(EVENT(c)->path))
COL_GETTER(op, value_str(EVENT(c)->kind == EVENT_CALL ? layer_op_names[EVENT(c)->op]
						      : io_op_name(EVENT(c)->op)))
COL_GETTER(result, EVENT(c)->kind == EVENT_CALL ? value_i64(EVENT(c)->result) : value_none())
COL_GETTER(sector, known(EVENT(c)->sector))
COL_GETTER(bytes, known(EVENT(c)->bytes))
COL_GETTER(queue, known(EVENT(c)->queue_ns))
COL_GETTER(tag, number(EVENT(c)->tag))
COL_GETTER(hwqueue, number(EVENT(c)->hwqueue))
COL_GETTER(limit, known(EVENT(c)->limit_ns))
COL_GETTER(device, known(EVENT(c)->device_ns))
COL_GETTER(total, known(EVENT(c)->total_ns))
COL_GETTER(offset, known(EVENT(c)->offset))
COL_GETTER(ino, value_nonzero(ino_shown(EVENT(c)->ino)))

const struct column event_columns[] = {
	{
		COLUMN("time", N_("TIME"), N_("when it ended")),
		FIELD(time_ns), .unit = UNIT_CLOCK, .flags = COL_ACTIVITY, .width = 15,
	},
	{
		COLUMN("kind", N_("KIND"), N_("a request at a disk, or a call of a program")),
		.kind = VAL_STR, .width = 7, .priority = 9, .get = get_kind,
	},
	{
		COLUMN("comm", N_("TASK"), N_("name of the task it is charged to")),
		FIELD(comm), .width = 15,
	},
	{
		COLUMN("pid", N_("PID"), N_("process id")),
		FIELD(pid), .flags = COL_NONZERO, .width = 7, .priority = 8,
	},
	{
		COLUMN("tid", N_("TID"), N_("thread id")),
		FIELD(tid), .flags = COL_NONZERO, .width = 7, .priority = 2,
	},
	{
		COLUMN("cgroup", N_("CGROUP"),
		       N_("control group: name of the unit, container or pod")),
		FIELD(cgroup), .flags = COL_HIDDEN, .width = 19, .wide = 52, .priority = 5,
		.needs = SRC_NAMES,
	},
	{
		COLUMN("op", N_("OP"), N_("read, write, discard, flush, or other")),
		.kind = VAL_STR, .width = 7, .get = get_op,
	},
	{
		COLUMN("flags", N_("FLAGS"),
		       N_("sync: somebody waits; fua: past the disk's cache; flush: of that cache "
			  "before; readahead; meta: metadata; nowait; priority; background; part: "
			  "of a request that ended in parts")),
		.kind = VAL_STR, .width = 9, .wide = 18, .priority = 3, .get = get_flags,
	},
	{
		COLUMN("disk", N_("DISK"), N_("the disk")),
		FIELD(disk), .width = 8, .priority = 1, .needs = SRC_DISKS,
	},
	{
		COLUMN("sector", N_("SECTOR"), N_("where it began, in sectors of 512 bytes")),
		.kind = VAL_U64, .width = 11, .priority = 6, .get = get_sector,
	},
	{
		COLUMN("bytes", N_("SIZE"), N_("bytes")),
		.kind = VAL_U64, .unit = UNIT_BYTES, .width = 8, .get = get_bytes,
	},
	{
		COLUMN("queue", N_("QUEUE"),
		       N_("time from its submission until it went to the device")),
		.kind = VAL_U64, .unit = UNIT_NS, .width = 7, .priority = 4, .get = get_queue,
	},
	{
		COLUMN("tag", N_("TAG"), N_("its number in the hardware queue")),
		.kind = VAL_U64, .width = 5, .priority = 9, .get = get_tag,
	},
	{
		COLUMN("limit", N_("LIMIT"),
		       N_("time for which a limit of its control group held it back")),
		.kind = VAL_U64, .unit = UNIT_NS, .width = 7, .priority = 7, .get = get_limit,
	},
	{
		COLUMN("device", N_("DEVICE"), N_("time in the device")),
		.kind = VAL_U64, .unit = UNIT_NS, .width = 7, .priority = 4, .get = get_device,
	},
	{
		COLUMN("total", N_("TOTAL"), N_("all of its time: limit, queue and device")),
		.kind = VAL_U64, .unit = UNIT_NS, .width = 7, .get = get_total,
	},
	{
		COLUMN("path", N_("FILE"), N_("the file, of the first of its pages")),
		.kind = VAL_STR, .flags = COL_GROW | COL_PATH, .width = 18, .priority = 3,
		.get = get_path,
	},
	{
		COLUMN("offset", N_("OFFSET"), N_("where in the file it began, bytes")),
		.kind = VAL_U64, .width = 11, .priority = 8, .get = get_offset,
	},
	{
		COLUMN("error", N_("ERROR"), N_("why it failed; nothing where it did not")),
		.kind = VAL_STR, .width = 6, .priority = 5, .get = get_error,
	},
	{
		COLUMN("hwqueue", N_("HWQ"), N_("number of the hardware queue")),
		.kind = VAL_U64, .width = 4, .priority = 9, .get = get_hwqueue,
	},
	{
		COLUMN("ino", N_("INODE"), N_("inode number of the file")),
		.kind = VAL_U64, .width = 9, .priority = 9, .get = get_ino,
	},
	{
		COLUMN("result", N_("RESULT"),
		       N_("what a call returned: bytes, a descriptor, a negative error; calls are "
			  "looked for while it is shown")),
		.kind = VAL_I64, .flags = COL_HIDDEN, .width = 7, .priority = 1,
		.needs = SRC_CALLS, .get = get_result,
	},
	{ 0 }
};

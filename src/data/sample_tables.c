// SPDX-License-Identifier: GPL-2.0-or-later
/* The fields of the rows of a sample, in the order of the columns of a recording. */
#include "data/sample.h"

#define FIELD(row, member, of, ...) \
	{ .name = #member, .kind = FIELD_##of, .off = offsetof(row, member), __VA_ARGS__ }
#define U32(row, member, ...) FIELD(row, member, U32, __VA_ARGS__)
#define U64(row, member) FIELD(row, member, U64)
#define COUNT(row, member, ...) FIELD(row, member, U64, .sense = FIELD_COUNTS, __VA_ARGS__)
#define SINCE(row, member, of) FIELD(row, member, of, .sense = FIELD_SINCE)
#define I64(row, member) FIELD(row, member, I64)
#define STR(row, member, ...) FIELD(row, member, STR, __VA_ARGS__)
#define BLOB(row, member) FIELD(row, member, BLOB)
/* The three fields of a struct task_id member; pre goes before their names. */
#define TASK_ID(row, member, pre)                                                        \
	{ .name = pre "tgid", .kind = FIELD_U32, .off = offsetof(row, member.tgid) },    \
	{ .name = pre "tid", .kind = FIELD_U32, .off = offsetof(row, member.tid) },      \
	{ .name = pre "start", .kind = FIELD_U64, .off = offsetof(row, member.start) }

static const struct field system_fields[] = {
	STR(struct sample_system, host),
	STR(struct sample_system, release),
	STR(struct sample_system, machine),
	U64(struct sample_system, ncpu),
	U64(struct sample_system, delayacct),
	U64(struct sample_system, tasks),
	COUNT(struct sample_system, swap_in), COUNT(struct sample_system, swap_out),
	U64(struct sample_system, page_size),
	COUNT(struct sample_system, psi_some_us), COUNT(struct sample_system, psi_full_us),
	U64(struct sample_system, psi),
	U64(struct sample_system, load1), U64(struct sample_system, load5),
	U64(struct sample_system, load15),
	U64(struct sample_system, vmstat),
	U64(struct sample_system, dirty), U64(struct sample_system, writeback),
	U64(struct sample_system, dirty_threshold),
	U64(struct sample_system, dirty_background_threshold),
	COUNT(struct sample_system, refault_file), COUNT(struct sample_system, refault_anon),
	COUNT(struct sample_system, scan_direct), COUNT(struct sample_system, steal_direct),
	COUNT(struct sample_system, psi_memory_some_us),
	COUNT(struct sample_system, psi_memory_full_us),
	U64(struct sample_system, psi_memory),
	STR(struct sample_system, trigger),
};

static const struct field source_fields[] = {
	U32(struct sample_source, source, .max = 1u << (SRC_COUNT - 1)),
	U32(struct sample_source, state, .max = SOURCE_PART), STR(struct sample_source, reason),
	U64(struct sample_source, since), U64(struct sample_source, late),
};

static const struct field loss_fields[] = {
	STR(struct sample_loss, name, .required = true),
	COUNT(struct sample_loss, count),
};

static const struct field task_fields[] = {
	TASK_ID(struct sample_task, id, ""),
	U64(struct sample_task, process),
	U32(struct sample_task, ppid), U32(struct sample_task, uid),
	U32(struct sample_task, state, .max = 127),
	U64(struct sample_task, asleep_ns),
	U32(struct sample_task, ioprio),
	I64(struct sample_task, nice),
	U32(struct sample_task, flags),
	U32(struct sample_task, have),
	U64(struct sample_task, cgroup),
	STR(struct sample_task, comm, .required = true),
	U64(struct sample_task, exit),
	COUNT(struct sample_task, read_bytes),
	COUNT(struct sample_task, write_bytes),
	COUNT(struct sample_task, cancelled_bytes),
	COUNT(struct sample_task, blkio_ns),
	COUNT(struct sample_task, swapin_ns),
	COUNT(struct sample_task, wait_ns),
	COUNT(struct sample_task, iowait_ns, .like = 1),
	COUNT(struct sample_task, throttle_ns), COUNT(struct sample_task, memstall_ns),
	COUNT(struct sample_task, server_ns), U32(struct sample_task, server_dev),
	U32(struct sample_task, frozen_dev),
};

static const struct field io_fields[] = {
	TASK_ID(struct sample_io, cause, "cause_"),
	TASK_ID(struct sample_io, submitter, "submitter_"),
	U32(struct sample_io, dev),
	U32(struct sample_io, op, .max = OP_COUNT - 1),
	U32(struct sample_io, how, .max = HOW_COUNT - 1),
	COUNT(struct sample_io, ios),
	COUNT(struct sample_io, bytes),
	COUNT(struct sample_io, done, .like = 2),
	COUNT(struct sample_io, lat_ns),
	SINCE(struct sample_io, max_ns, U64),
	COUNT(struct sample_io, throttled_ns),
	COUNT(struct sample_io, held_ns),
	COUNT(struct sample_io, held_unseen),
	COUNT(struct sample_io, pattern_ios),
	COUNT(struct sample_io, sequential),
	COUNT(struct sample_io, flagged),
};

static const struct field owner_fields[] = {
	TASK_ID(struct sample_owner, id, ""),
	U32(struct sample_owner, uid),
	U32(struct sample_owner, flags),
	U64(struct sample_owner, cgroup),
	STR(struct sample_owner, comm, .required = true),
	COUNT(struct sample_owner, dirtied),
};

static const struct field disk_fields[] = {
	U32(struct sample_disk, dev),
	U32(struct sample_disk, whole), U32(struct sample_disk, flags),
	STR(struct sample_disk, name, .required = true),
	STR(struct sample_disk, label),
	STR(struct sample_disk, type),
	STR(struct sample_disk, below),
	STR(struct sample_disk, mounts),
	STR(struct sample_disk, kinds),
	STR(struct sample_disk, sched),
	U64(struct sample_disk, size),
	COUNT(struct sample_disk, rd_ios), COUNT(struct sample_disk, rd_merges),
	COUNT(struct sample_disk, rd_sectors), COUNT(struct sample_disk, rd_ms),
	COUNT(struct sample_disk, wr_ios), COUNT(struct sample_disk, wr_merges),
	COUNT(struct sample_disk, wr_sectors), COUNT(struct sample_disk, wr_ms),
	U64(struct sample_disk, in_flight),
	COUNT(struct sample_disk, io_ms),
	COUNT(struct sample_disk, weighted_ms),
	COUNT(struct sample_disk, dc_ios), COUNT(struct sample_disk, dc_merges),
	COUNT(struct sample_disk, dc_sectors), COUNT(struct sample_disk, dc_ms),
	COUNT(struct sample_disk, fl_ios),
	COUNT(struct sample_disk, fl_ms),
	U32(struct sample_disk, limits, .max = LIMITS_SILENT),
	COUNT(struct sample_disk, limits_ns),
	COUNT(struct sample_disk, volume_iops_ns), COUNT(struct sample_disk, volume_throughput_ns),
	COUNT(struct sample_disk, instance_iops_ns),
	COUNT(struct sample_disk, instance_throughput_ns),
	U32(struct sample_disk, own),
};

static const struct field diskop_fields[] = {
	U32(struct sample_diskop, dev),
	U32(struct sample_diskop, op, .max = OP_COUNT - 1),
	COUNT(struct sample_diskop, ios), COUNT(struct sample_diskop, bytes),
	COUNT(struct sample_diskop, lat_ns), COUNT(struct sample_diskop, queue_ns),
	COUNT(struct sample_diskop, device_ns), COUNT(struct sample_diskop, unsplit),
	SINCE(struct sample_diskop, max_ns, U64),
	COUNT(struct sample_diskop, errors), COUNT(struct sample_diskop, requeues),
	COUNT(struct sample_diskop, merges), COUNT(struct sample_diskop, held_ns),
	COUNT(struct sample_diskop, held_unseen), COUNT(struct sample_diskop, tag_ns),
	COUNT(struct sample_diskop, timed, .like = 13),
	COUNT(struct sample_diskop, pattern_ios), COUNT(struct sample_diskop, sequential),
	COUNT(struct sample_diskop, flagged),
	BLOB(struct sample_diskop, sizes),
	BLOB(struct sample_diskop, hist),
	BLOB(struct sample_diskop, places),
	U64(struct sample_diskop, place_bytes),
};

static const struct field diskload_fields[] = {
	U32(struct sample_diskload, dev),
	COUNT(struct sample_diskload, busy_ns),
	COUNT(struct sample_diskload, depth_ns),
	U64(struct sample_diskload, in_flight),
	COUNT(struct sample_diskload, tag_waits),
	COUNT(struct sample_diskload, timeouts),
	U32(struct sample_diskload, tags_told),
};

static const struct field user_fields[] = {
	U32(struct sample_user, uid),
	STR(struct sample_user, name, .required = true),
};

static const struct field cgroup_fields[] = {
	U64(struct sample_cgroup, id),
	STR(struct sample_cgroup, path, .required = true),
	SINCE(struct sample_cgroup, limit, STR),
	STR(struct sample_cgroup, name),
};

static const struct field cmdline_fields[] = {
	TASK_ID(struct sample_cmdline, id, ""),
	STR(struct sample_cmdline, args, .required = true),
};

static const struct field file_fields[] = {
	TASK_ID(struct sample_file, cause, "cause_"),
	U32(struct sample_file, dev),
	U32(struct sample_file, sdev),
	U64(struct sample_file, ino),
	STR(struct sample_file, path),
	COUNT(struct sample_file, read),
	COUNT(struct sample_file, write),
	COUNT(struct sample_file, rios),
	COUNT(struct sample_file, wios),
	COUNT(struct sample_file, done),
	COUNT(struct sample_file, lat_ns),
	SINCE(struct sample_file, max_ns, U64),
	BLOB(struct sample_file, hist),
	U32(struct sample_file, flags),
	STR(struct sample_file, mount),
	STR(struct sample_file, fs),
	STR(struct sample_file, seen), COUNT(struct sample_file, untimed),
};

static const struct field dirty_fields[] = {
	TASK_ID(struct sample_dirty, cause, "cause_"),
	U32(struct sample_dirty, dev),
	U32(struct sample_dirty, sdev),
	U64(struct sample_dirty, ino),
	STR(struct sample_dirty, path),
	STR(struct sample_dirty, mount),
	STR(struct sample_dirty, fs),
	STR(struct sample_dirty, comm),
	U32(struct sample_dirty, flags),
	U64(struct sample_dirty, bytes),
	STR(struct sample_dirty, seen),
};

static const struct field offcpu_fields[] = {
	TASK_ID(struct sample_offcpu, id, ""),
	TASK_ID(struct sample_offcpu, waker, "waker_"),
	TASK_ID(struct sample_offcpu, holder, "holder_"),
	U64(struct sample_offcpu, kstack),
	U64(struct sample_offcpu, ustack),
	U64(struct sample_offcpu, waker_kstack),
	U64(struct sample_offcpu, waker_ustack),
	U32(struct sample_offcpu, dev),
	U32(struct sample_offcpu, op, .max = OP_COUNT - 1),
	U32(struct sample_offcpu, state, .max = 127),
	U32(struct sample_offcpu, iowait, .max = 1),
	U32(struct sample_offcpu, via, .max = 1),
	U32(struct sample_offcpu, lock, .max = WAIT_JOURNAL),
	U32(struct sample_offcpu, memstall, .max = 1),
	U32(struct sample_offcpu, limited, .max = 1),
	U32(struct sample_offcpu, waker_kind, .max = WAKER_UNKNOWN),
	COUNT(struct sample_offcpu, blocked_ns),
	COUNT(struct sample_offcpu, count),
	COUNT(struct sample_offcpu, io_ns),
	SINCE(struct sample_offcpu, max_ns, U64),
	U64(struct sample_offcpu, cgroup),
	U32(struct sample_offcpu, uid),
	STR(struct sample_offcpu, comm, .required = true),
	STR(struct sample_offcpu, waker_comm),
	STR(struct sample_offcpu, holder_comm),
};

static const struct field memory_fields[] = {
	U64(struct sample_memory, cgroup),
	U32(struct sample_memory, have),
	COUNT(struct sample_memory, refault_file), COUNT(struct sample_memory, refault_anon),
	COUNT(struct sample_memory, high), COUNT(struct sample_memory, max),
	COUNT(struct sample_memory, psi_some_us), COUNT(struct sample_memory, psi_full_us),
	COUNT(struct sample_memory, evicted),
	STR(struct sample_memory, limits),
};

static const struct field groupdisk_fields[] = {
	U64(struct sample_groupdisk, cgroup),
	U64(struct sample_groupdisk, dev),
	COUNT(struct sample_groupdisk, read), COUNT(struct sample_groupdisk, write),
	COUNT(struct sample_groupdisk, rios), COUNT(struct sample_groupdisk, wios),
};

static const struct field mount_fields[] = {
	U32(struct sample_mount, dev),
	U32(struct sample_mount, have),
	STR(struct sample_mount, kind, .required = true),
	STR(struct sample_mount, source, .required = true),
	STR(struct sample_mount, point, .required = true),
	U64(struct sample_mount, waiting),
	COUNT(struct sample_mount, answers), COUNT(struct sample_mount, calls),
	COUNT(struct sample_mount, errors), COUNT(struct sample_mount, ns),
	COUNT(struct sample_mount, rtt_ns), COUNT(struct sample_mount, retrans),
	COUNT(struct sample_mount, read), COUNT(struct sample_mount, write),
	U32(struct sample_mount, server),
	STR(struct sample_mount, server_comm),
};

static const struct field stackio_fields[] = {
	TASK_ID(struct sample_stackio, cause, "cause_"),
	TASK_ID(struct sample_stackio, submitter, "submitter_"),
	U32(struct sample_stackio, dev),
	U32(struct sample_stackio, op, .max = OP_COUNT - 1),
	U64(struct sample_stackio, kstack),
	U64(struct sample_stackio, ustack),
	COUNT(struct sample_stackio, ios),
	COUNT(struct sample_stackio, bytes),
	COUNT(struct sample_stackio, done),
	COUNT(struct sample_stackio, lat_ns),
	STR(struct sample_stackio, comm, .required = true),
	STR(struct sample_stackio, cause_comm), COUNT(struct sample_stackio, untimed),
};

static const struct field frames_fields[] = {
	U64(struct sample_frames, id),
	U32(struct sample_frames, flags),
	STR(struct sample_frames, text, .required = true),
};

static const struct field layer_fields[] = {
	U32(struct sample_layer, dev),
	U32(struct sample_layer, layer, .max = LAYER_COUNT - 1),
	U32(struct sample_layer, op, .max = LAYER_OP_COUNT - 1),
	U32(struct sample_layer, is_block),
	STR(struct sample_layer, fs),
	COUNT(struct sample_layer, count),
	COUNT(struct sample_layer, total_ns),
	SINCE(struct sample_layer, max_ns, U64),
	U64(struct sample_layer, running),
	U64(struct sample_layer, running_ns),
	BLOB(struct sample_layer, hist),
};

static const struct field caller_fields[] = {
	TASK_ID(struct sample_caller, id, ""),
	U64(struct sample_caller, ino),
	U32(struct sample_caller, sdev), U32(struct sample_caller, dev),
	U32(struct sample_caller, layer, .max = LAYER_COUNT - 1),
	U32(struct sample_caller, op, .max = LAYER_OP_COUNT - 1),
	U32(struct sample_caller, is_block),
	STR(struct sample_caller, comm, .required = true), STR(struct sample_caller, path),
	COUNT(struct sample_caller, count),
	COUNT(struct sample_caller, total_ns),
	SINCE(struct sample_caller, max_ns, U64),
	COUNT(struct sample_caller, bytes),
	STR(struct sample_caller, seen),
	COUNT(struct sample_caller, before_bytes),
	STR(struct sample_caller, mount), STR(struct sample_caller, fs),
};

static const struct field event_fields[] = {
	TASK_ID(struct sample_event, id, ""),
	U64(struct sample_event, ns),
	U32(struct sample_event, kind, .max = EVENT_KINDS - 1),
	U32(struct sample_event, op, .max = LAYER_OP_COUNT - 1),
	U32(struct sample_event, flags), U32(struct sample_event, uid),
	U32(struct sample_event, dev), U32(struct sample_event, sdev),
	U32(struct sample_event, tag), U32(struct sample_event, hwqueue),
	U64(struct sample_event, cgroup),
	U64(struct sample_event, sector), U64(struct sample_event, bytes),
	U64(struct sample_event, limit_ns),
	U64(struct sample_event, queue_ns),
	U64(struct sample_event, device_ns),
	U64(struct sample_event, total_ns),
	U64(struct sample_event, ino),
	U64(struct sample_event, offset),
	U32(struct sample_event, error),
	I64(struct sample_event, result),
	STR(struct sample_event, comm),
	STR(struct sample_event, path),
};

static const struct field eventlog_fields[] = {
	U64(struct sample_eventlog, min_ns),
	COUNT(struct sample_eventlog, sent),
	COUNT(struct sample_eventlog, dropped),
};

#define TABLE(id, text, row, key_len, ...)                                                        \
	[TABLE_##id] = {                                                                          \
		.name = #text, .size = sizeof(struct sample_##row), .key = (key_len),             \
		.fields = row##_fields, .nfields = ARRAY_SIZE(row##_fields), __VA_ARGS__          \
	}
/* The key is the row up to the end of its member m. */
#define UPTO(row, m) (offsetof(struct sample_##row, m) + sizeof(((struct sample_##row *)0)->m))

const struct table_info sample_tables[TABLE_COUNT] = {
	TABLE(SYSTEM, system, system, 0),
	TABLE(SOURCE, source, source, UPTO(source, source)),
	TABLE(LOSS, loss, loss, 0),
	TABLE(TASK, task, task, UPTO(task, id)),
	TABLE(IO, io, io, UPTO(io, how)),
	TABLE(OWNER, owner, owner, UPTO(owner, id)),
	TABLE(DISK, disk, disk, UPTO(disk, dev), .drops = true, .begins_visible = true),
	TABLE(DISKOP, diskop, diskop, UPTO(diskop, op)),
	TABLE(DISKLOAD, diskload, diskload, UPTO(diskload, dev)),
	TABLE(USER, user, user, UPTO(user, uid)),
	TABLE(CGROUP, cgroup, cgroup, UPTO(cgroup, id)),
	TABLE(CMDLINE, cmdline, cmdline, UPTO(cmdline, id), .late = true),
	TABLE(FILE, file, file, UPTO(file, ino), .drops = true),
	TABLE(STACKIO, stackio, stackio, UPTO(stackio, ustack), .drops = true),
	TABLE(FRAMES, frames, frames, UPTO(frames, id), .late = true),
	TABLE(LAYER, layer, layer, UPTO(layer, is_block)),
	TABLE(CALLER, caller, caller, UPTO(caller, is_block), .drops = true),
	TABLE(OFFCPU, offcpu, offcpu, UPTO(offcpu, waker_kind), .drops = true),
	TABLE(MOUNT, mount, mount, UPTO(mount, dev), .begins_visible = true),
	TABLE(MEMORY, memory, memory, UPTO(memory, cgroup)),
	TABLE(DIRTY, dirty, dirty, UPTO(dirty, ino), .now = true),
	TABLE(EVENT, event, event, 0, .log = true),
	TABLE(EVENTLOG, eventlog, eventlog, 0),
	TABLE(GROUPDISK, groupdisk, groupdisk, UPTO(groupdisk, dev)),
};

_Static_assert(sizeof(struct task_id) == 16, "a hash key must have no padding");
_Static_assert(offsetof(struct sample_io, dev) == 32, "the key of sample_io must have no padding");
_Static_assert(offsetof(struct sample_stackio, ustack) == 48,
	       "the key of sample_stackio must have no padding");
_Static_assert(offsetof(struct sample_file, ino) == 24, "the key of sample_file has no padding");
_Static_assert(offsetof(struct sample_caller, is_block) == 40,
	       "the key of sample_caller must have no padding");

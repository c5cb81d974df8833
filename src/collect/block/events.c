// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Single requests, as the block programs send them. They come through a ring buffer that is there
 * only while somebody asks for them, and wait here for the next sample.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/fd.h"
#include "base/hash.h"
#include "bpf/abi.h"
#include "bpf/block/block.skel.h"
#include "collect/block/block.h"
#include "collect/block/chosen.h"
#include "collect/block/mountpath.h"
#include "collect/bpf/addresses.h"
#include "collect/collector.h"

#define WAITING_MOST (1u << 19)	/* for the next sample: 56 MiB */
#define FILES_MOST 16384	/* whose names are kept */
#define FILES_IDLE 600		/* samples without an event of it */

/* The names of a file; they stay for the events that come later. */
struct named {
	struct abi_event_inode file;	/* key */
	unsigned round;		/* of the sample that had it last */
	const char *path;	/* in the arena of the sample of this round; NULL: not asked yet */
	uint32_t count, flags, len;	/* as in abi_names; len: of names */
	char names[];
};

struct block_events {
	int map;
	struct ring_buffer *ring;
	struct abi_event *waiting;
	struct abi_event_call *calls;
	size_t n, cap, ncalls, capcalls;
	uint64_t overflowed;	/* beyond WAITING_MOST of each */
	struct hash files;	/* struct named */
	unsigned round;
	struct mountpath mounts;
	int cgroup;		/* the folder of --cgroup, -1: not there, or not asked for */
	struct err why;		/* there is no ring */
};

void block_events_set(struct block *b)
{
	chosen_set(CHOSEN(b->skel), b->opt);
}

static size_t names_length(const struct abi_names *names)
{
	size_t at = 0;

	for (uint32_t i = 0; i < names->count && at < sizeof(names->name); i++)
		at += strnlen(names->name + at, sizeof(names->name) - at) + 1;
	return MIN(at, sizeof(names->name));
}

static void take_file(struct block_events *e, const struct abi_event_file *file)
{
	size_t len = names_length(&file->at);
	struct named *named = mem_alloc(sizeof(*named) + len);

	*named = (struct named){ .file = file->file, .round = e->round,
				 .count = file->at.count, .flags = file->at.flags,
				 .len = (uint32_t)len };
	memcpy(named->names, file->at.name, len);
	free(hash_del(&e->files, &file->file));
	hash_put(&e->files, named);
}

/* Room for one more of so many bytes behind n of *items, or NULL. */
static void *wait_here(struct block_events *e, void **items, size_t *n, size_t *cap, size_t size)
{
	if (*n == WAITING_MOST) {
		e->overflowed++;
		return NULL;
	}
	*items = mem_grow(*items, *n, cap, size);
	return (char *)*items + (*n)++ * size;
}

static void take_event(struct block_events *e, const struct abi_event *event)
{
	struct abi_event *to = wait_here(e, (void **)&e->waiting, &e->n, &e->cap, sizeof(*to));

	if (to)
		*to = *event;
}

static void take_call(struct block_events *e, const struct abi_event_call *call)
{
	struct abi_event_call *to =
		wait_here(e, (void **)&e->calls, &e->ncalls, &e->capcalls, sizeof(*to));

	if (to)
		*to = *call;
}

static int take(void *arg, void *data, size_t size)
{
	struct block_events *e = arg;
	const uint32_t *kind = data;

	if (size >= sizeof(struct abi_event_file) && *kind == ABI_EVENT_FILE)
		take_file(e, data);
	else if (size >= sizeof(struct abi_event) && *kind == ABI_EVENT_REQUEST)
		take_event(e, data);
	else if (size >= sizeof(struct abi_event_call) && *kind == ABI_EVENT_CALL)
		take_call(e, data);
	return 0;
}

/* The whole disk of --disk, major << 20 | minor; 0: all, or a name that the kernel has not. */
static uint32_t disk_of(const struct collect_options *opt)
{
	_cleanup_(buf_release) struct buf path = { 0 }, text = { 0 };
	bool part;

	if (!opt->disk)
		return 0;
	buf_printf(&path, "%s/class/block/%s/partition", opt->sys, opt->disk);
	part = !access(path.data, F_OK);
	buf_reset(&path);
	buf_printf(&path, "%s/class/block/%s/%sdev", opt->sys, opt->disk, part ? "../" : "");
	if (buf_read_file(&text, AT_FDCWD, path.data, 64) < 0 || !text.len)
		return 0;
	return block_parse_dev(text.data);
}

/* The variables by which the programs choose. Last of all: that they are to send. */
static void ask(struct block *b, bool on)
{
	const struct collect_options *opt = b->opt;
	struct block_bpf__bss *bss = b->skel->bss;

	if (on) {
		bss->event_dio_end =
			addresses_of_kernel(opt->proc)->at[ABI_AT_iomap_dio_bio_end_io];
		bss->event_ops = opt->event_ops;
		bss->event_dev = disk_of(opt);
		bss->event_errors = opt->errors;
		bss->event_min_ns = opt->event_latency;
		bss->event_most = opt->max_rate;
		bss->event_ring_size = ABI_EVENT_RING;
	}
	bss->want_events = on;
}

/* What --cgroup asks for is told by its ids; those that come later, at the next sample. */
static int choose_group(struct block *b, struct err *err)
{
	int r = b->opt->cgroup ? chosen_follow(b->opt, &b->events->cgroup, err) : 0;

	if (b->events->cgroup >= 0)
		chosen_scan(CHOSEN(b->skel), b->events->cgroup);
	return r;
}

static int make_ring(struct block *b, struct err *err)
{
	struct block_events *e = b->events;
	uint32_t zero = 0;
	int rings = bpf_map__fd(b->skel->maps.event_rings);

	e->map = bpf_map_create(BPF_MAP_TYPE_RINGBUF, "events", 0, 0, ABI_EVENT_RING, NULL);
	if (e->map >= 0 && bpf_map_update_elem(rings, &zero, &e->map, 0) >= 0)
		e->ring = ring_buffer__new(e->map, take, e, NULL);
	return e->ring ? 0 : err_set(err, errno, "the ring buffer of events cannot be made: %m");
}

static void events_open(struct block *b)
{
	struct block_events *e = b->events = mem_zalloc(sizeof(*e));
	struct err gone;	/* each sample says so */

	e->map = e->cgroup = -1;
	hash_init(&e->files, offsetof(struct named, file), sizeof(struct abi_event_inode));
	chosen_fill(CHOSEN(b->skel), b->opt);
	choose_group(b, &gone);
	if (make_ring(b, &e->why) >= 0)
		ask(b, true);
}

static void events_close(struct block *b)
{
	struct block_events *e = b->events;
	uint32_t zero = 0;

	ask(b, false);
	bpf_map_delete_elem(bpf_map__fd(b->skel->maps.event_rings), &zero);
	if (e->ring)
		ring_buffer__free(e->ring);
	fd_close(e->map);
	fd_close(e->cgroup);
	hash_clear(&e->files, hash_free_value, NULL);
	mountpath_release(&e->mounts);
	free(e->waiting);
	free(e->calls);
	free(e);
	b->events = NULL;
}

void block_events_enable(struct block *b, bool on)
{
	if (on && !b->events)
		events_open(b);
	else if (!on && b->events)
		events_close(b);
}

int block_events_fd(void *block)
{
	const struct block *b = block;

	return b->events && b->events->ring ? ring_buffer__epoll_fd(b->events->ring) : -1;
}

void block_events_drain(void *block)
{
	const struct block *b = block;

	if (b->events && b->events->ring)
		ring_buffer__consume(b->events->ring);
}

/* The path, once a sample. */
static const char *path_of(struct block_events *e, struct sample *s,
			   const struct abi_event_inode *file)
{
	struct named *named = file->ino ? hash_get(&e->files, file) : NULL;
	struct abi_names names;

	if (!named)
		return NULL;
	if (!named->path || named->round != e->round) {
		names.count = named->count;
		names.flags = named->flags;
		memset(names.name, 0, sizeof(names.name));
		memcpy(names.name, named->names, named->len);
		named->path = mountpath_name(&e->mounts, s, named->file.sdev, &names);
	}
	named->round = e->round;
	return named->path;
}

static uint32_t flags_of(uint32_t from)
{
	static const struct {
		uint32_t abi, flag;
	} flags[] = {
		{ ABI_EVENT_SYNC, EVENT_SYNC },
		{ ABI_EVENT_FUA, EVENT_FUA },
		{ ABI_EVENT_PREFLUSH, EVENT_PREFLUSH },
		{ ABI_EVENT_AHEAD, EVENT_AHEAD },
		{ ABI_EVENT_META, EVENT_META },
		{ ABI_EVENT_NOWAIT, EVENT_NOWAIT },
		{ ABI_EVENT_PRIO, EVENT_PRIO },
		{ ABI_EVENT_BACKGROUND, EVENT_BACKGROUND },
		{ ABI_EVENT_PART, EVENT_PART },
	};
	uint32_t to = 0;

	for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
		to |= from & flags[i].abi ? flags[i].flag : 0;
	return to;
}

/* Of the block layer's own numbers those that have not moved since 5.8; others are I/O errors. */
static uint32_t errno_of(uint32_t error)
{
	static const uint32_t status[] = {
		0, EOPNOTSUPP, ETIMEDOUT, ENOSPC, ENOLINK, EREMOTEIO, EBADE, ENODATA, EILSEQ,
		ENOMEM, EIO, EREMCHG, EAGAIN, EBUSY,
	};

	if ((int32_t)error < 0)
		return -error;
	return error < ARRAY_SIZE(status) ? status[error] : EIO;
}

_Static_assert(ABI_EVENT_UNKNOWN == EVENT_UNKNOWN && ABI_EVENT_NONE == EVENT_NO_NUMBER,
	       "what is not known");

static void add_owner(struct block *b, struct sample *s, struct sample_event *row, uint32_t owner)
{
	const struct abi_task_ref *ref = &b->refs[ABI_REF_INDEX(owner)];

	if (!owner || !block_ref_id(b, owner, &row->id) || !row->id.start)
		return;
	row->uid = ref->uid;
	row->cgroup = ref->cgroup;
	row->comm = sample_str(s, ref->comm, ABI_COMM);
}

static void add_event(struct block *b, struct sample *s, const struct abi_event *from)
{
	struct sample_event *row = sample_add_row(s, EVENT, struct sample_event);

	*row = (struct sample_event){
		.ns = from->ns, .kind = EVENT_REQUEST, .op = from->op,
		.flags = flags_of(from->flags), .dev = from->dev, .sdev = from->file.sdev,
		.tag = from->tag, .hwqueue = from->queue, .sector = from->sector,
		.bytes = from->bytes, .limit_ns = from->limit_ns, .queue_ns = from->queue_ns,
		.device_ns = from->device_ns, .total_ns = from->total_ns, .ino = from->file.ino,
		.offset = from->offset, .error = errno_of(from->error),
		.path = path_of(b->events, s, &from->file),
	};
	add_owner(b, s, row, from->owner);
}

static void add_call(struct block *b, struct sample *s, const struct abi_event_call *from)
{
	bool moved = from->result >= 0 && (from->op == LAYER_READ || from->op == LAYER_WRITE);

	*sample_add_row(s, EVENT, struct sample_event) = (struct sample_event){
		.id = { .tgid = from->tgid, .tid = from->tid, .start = from->start },
		.ns = from->ns, .kind = EVENT_CALL, .op = from->op, .uid = from->uid,
		.dev = from->dev, .sdev = from->file.sdev, .tag = EVENT_NO_NUMBER,
		.hwqueue = EVENT_NO_NUMBER, .cgroup = from->cgroup, .sector = EVENT_UNKNOWN,
		.bytes = moved ? (uint64_t)from->result : EVENT_UNKNOWN,
		.limit_ns = EVENT_UNKNOWN, .queue_ns = EVENT_UNKNOWN,
		.device_ns = EVENT_UNKNOWN, .total_ns = from->total_ns, .ino = from->file.ino,
		.offset = EVENT_UNKNOWN, .error = from->result < 0 ? (uint32_t)-from->result : 0,
		.result = from->result, .comm = sample_str(s, from->comm, ABI_COMM),
		.path = path_of(b->events, s, &from->file),
	};
}

static void forget_file(void *value, _unused_ void *arg)
{
	free(value);
}

/* Whether there are any. */
static bool tell_source(struct block *b, struct sample *s)
{
	const struct block_events *e = b->events;
	struct err gone;

	if (!e->ring)
		sample_source(s, SRC_EVENTS, SOURCE_OFF, e->why.text);
	else if (choose_group(b, &gone) < 0)
		sample_source(s, SRC_EVENTS, SOURCE_PART, gone.text);
	else
		sample_source(s, SRC_EVENTS, SOURCE_ON, NULL);
	return e->ring;
}

void block_events_read(struct block *b, struct sample *s)
{
	const struct block_bpf__bss *bss = b->skel->bss;
	struct block_events *e = b->events;
	struct sample_eventlog *log;

	if (!e || !tell_source(b, s))
		return;
	ring_buffer__consume(e->ring);
	block_map_refs(b);
	e->round++;
	if (e->n || e->ncalls)
		mountpath_read(&e->mounts, b->opt->proc);
	for (size_t i = 0; i < e->n; i++)
		add_event(b, s, &e->waiting[i]);
	for (size_t i = 0; i < e->ncalls; i++)
		add_call(b, s, &e->calls[i]);
	e->n = e->ncalls = 0;
	hash_age_rounds(&e->files, FILES_MOST, FILES_IDLE, offsetof(struct named, round), e->round,
			forget_file, e);
	log = sample_add_row(s, EVENTLOG, struct sample_eventlog);
	log->min_ns = b->opt->event_latency;
	log->sent = bss->events_sent;
	log->dropped = bss->events_over + bss->events_full + e->overflowed;
	sample_lose(s, "events.over", bss->events_over);
	sample_lose(s, "events.full", bss->events_full + e->overflowed);
}

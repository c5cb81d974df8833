// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The process that opens: /proc of other processes, what they have mapped, debug files, command
 * lines. It reads what the kernel writes, and hands descriptors of what others wrote to the parser.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/fd.h"
#include "base/macro.h"
#include "collect/helper/commands.h"
#include "collect/helper/process.h"
#include "collect/helper/view_key.h"
#include "collect/proc/proc.h"
#ifdef HAVE_BPF
#include "collect/helper/engines.h"
#include "collect/symbols/mapped.h"
#include "collect/symbols/space.h"
#endif

#define PLACES_MAX 256	/* addresses in a request: more than a stack has */

struct opener {
	char *proc;
	int proc_fd;
	struct buf text;
#ifdef HAVE_BPF
	struct parser parser;
	struct mapped *files;
	struct spaces *spaces;
	int root;	/* of this machine's files; the owner of what is read there */
	uid_t owner;
#endif
};

#ifdef HAVE_BPF

/* What a test puts in place of /proc it puts in place of / as well. */
static void find_root(struct opener *o)
{
	bool real = !strcmp(o->proc, "/proc");
	struct stat st;

	o->root = open(real ? "/" : o->proc, O_PATH | O_DIRECTORY | O_CLOEXEC);
	o->owner = !real && fstat(o->root, &st) == 0 ? st.st_uid : 0;
}

struct opener *opener_new(const char *proc, int fetched, int parser)
{
	struct opener *o = mem_zalloc(sizeof(*o));

	o->proc = mem_strdup(proc);
	o->proc_fd = proc_dir(proc);
	parser_init(&o->parser, parser);
	o->files = mapped_new(o->proc, fetched, &o->parser);
	o->spaces = spaces_new(o->proc, o->files, &o->parser);
	find_root(o);
	return o;
}

static void release_names(struct opener *o)
{
	spaces_free(o->spaces);
	mapped_free(o->files);
	parser_release(&o->parser);
	fd_close(o->root);
}

/* The parser is when it answers. */
static void serve_ready(struct opener *o, struct buf *out)
{
	parser_names(&o->parser, 0, NULL, 0, out);
}

static int serve_register(struct opener *o, struct wire_reader *r, struct buf *out)
{
	struct space_key key = wire_space(r);
	bool missed = false;

	if (r->short_)
		return -EPROTO;
	space_get(o->spaces, &key, &missed);
	wire_put_u32(out, missed);
	return 0;
}

/* Its number among the files of an answer: one more when it is not among them yet. */
static uint32_t file_number(struct helper_file *files, uint32_t *n, const struct helper_file *f)
{
	/* Files of one space are the same when their mapping is. */
	for (uint32_t i = 0; i < *n; i++)
		if (files[i].start == f->start)
			return i;
	files[*n] = *f;
	return (*n)++;
}

static int serve_places(struct opener *o, struct wire_reader *r, struct buf *out)
{
	struct space_key key = wire_space(r);
	uint32_t n = wire_u32(r), nfiles = 0;
	struct helper_file files[PLACES_MAX];
	struct { uint32_t what; uint64_t offset; } places[PLACES_MAX];
	struct space *space;
	bool missed = false;

	if (r->short_ || n > PLACES_MAX)
		return -EPROTO;
	space = space_get(o->spaces, &key, &missed);
	for (uint32_t i = 0; i < n; i++) {
		uint64_t address = wire_u64(r);
		struct helper_file f;

		places[i].offset = address;
		if (!space_place(o->spaces, space, address, &f, &places[i].offset))
			places[i].what = PLACE_NOWHERE;
		else if (!f.path_len)
			places[i].what = PLACE_NO_FILE;
		else
			places[i].what = PLACE_FILE + file_number(files, &nfiles, &f);
	}
	wire_put_u32(out, missed);
	wire_put_u32(out, nfiles);
	for (uint32_t i = 0; i < nfiles; i++)
		wire_put_file(out, &files[i]);
	for (uint32_t i = 0; i < n; i++) {
		wire_put_u32(out, places[i].what);
		wire_put_u64(out, places[i].offset);
	}
	return r->short_ ? -EPROTO : 0;
}

/* u32 n, u64 v[n]; -EPROTO. */
static int read_offsets(struct wire_reader *r, uint64_t v[HELPER_NAMES_MAX])
{
	uint32_t n = wire_u32(r);

	if (n > HELPER_NAMES_MAX)
		return -EPROTO;
	for (uint32_t i = 0; i < n; i++)
		v[i] = wire_u64(r);
	return r->short_ ? -EPROTO : (int)n;
}

static int serve_file_names(struct opener *o, struct wire_reader *r, struct buf *out)
{
	struct helper_file f = wire_file(r);
	uint64_t offsets[HELPER_NAMES_MAX];
	struct buf names = { 0 };
	int n = read_offsets(r, offsets);

	if (n < 0)
		return n;
	wire_put_u32(out, (uint32_t)mapped_names(o->files, &f, offsets, (size_t)n, &names));
	buf_putn(out, names.data, names.len);
	buf_release(&names);
	return 0;
}

static int serve_space_names(struct opener *o, struct wire_reader *r, struct buf *out)
{
	struct space_key key = wire_space(r);
	uint64_t addresses[HELPER_NAMES_MAX];
	int n = read_offsets(r, addresses);
	bool missed;

	if (n >= 0)
		space_names(o->spaces, space_get(o->spaces, &key, &missed), addresses, (size_t)n,
			    out);
	return MIN(n, 0);
}

static int serve_mappings(struct opener *o, struct wire_reader *r, struct buf *out)
{
	struct space_key key = wire_space(r);
	uint32_t again = wire_u32(r), n = 0;
	struct space *space;
	struct helper_file f;
	bool missed = false;
	size_t count_at;

	if (r->short_)
		return -EPROTO;
	space = space_get(o->spaces, &key, &missed);
	if (again)
		space_again(o->spaces, space);
	wire_put_u32(out, missed);
	count_at = out->len;
	wire_put_u32(out, 0);
	while (n < HELPER_MAPPINGS_MAX && out->len < HELPER_ANSWER_MAX - 2 * HELPER_PATH_MAX &&
	       space_mapping(space, n, &f)) {
		wire_put_file(out, &f);
		n++;
	}
	memcpy(out->data + count_at, &n, sizeof(n));
	return 0;
}

static int serve_unwind(struct opener *o, struct wire_reader *r, struct buf *out)
{
	struct helper_file f = wire_file(r);
	uint32_t from = wire_u32(r);

	if (r->short_)
		return -EPROTO;
	mapped_unwind(o->files, &f, from, out);
	return 0;
}

static bool is_id(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!text[i] || !strchr("0123456789abcdef", text[i]))
			return false;
	return n == CONTAINER_ID;
}

static int serve_container(struct opener *o, struct wire_reader *r, struct buf *out)
{
	uint32_t kind = wire_u32(r);
	size_t n;
	const char *text = wire_text(r, CONTAINER_ID, &n);
	char id[CONTAINER_ID + 1] = "", path[PATH_MAX];
	struct buf name = { 0 };

	if (r->short_ || kind >= CONTAINER_KINDS || !is_id(text, n))
		return -EPROTO;
	memcpy(id, text, n);
	for (const struct engine_file *f = engine_files; f->path && !name.len; f++) {
		int fd;

		if (!(f->kinds & 1u << kind))
			continue;
		snprintf(path, sizeof(path), f->path, id);
		fd = engine_open(o->root, path, o->owner);
		if (fd < 0)
			continue;
		parser_engine(&o->parser, f->form, id, fd, &name);
		close(fd);
	}
	wire_put_text(out, name.data, name.len);
	buf_release(&name);
	return 0;
}

#else

struct opener *opener_new(const char *proc, int fetched, int parser)
{
	struct opener *o = mem_zalloc(sizeof(*o));

	o->proc = mem_strdup(proc);
	o->proc_fd = proc_dir(proc);
	return o;
}

static void release_names(struct opener *o)
{
}

static void serve_ready(struct opener *o, struct buf *out)
{
}

#endif

void opener_free(struct opener *o)
{
	if (!o)
		return;
	release_names(o);
	buf_release(&o->text);
	fd_close(o->proc_fd);
	free(o->proc);
	free(o);
}

int opener_serve(struct opener *o, uint32_t message, const void *data, size_t len, struct buf *out)
{
	struct wire_reader r = wire_reader(data, len);

	switch ((enum message)message) {
	case MESSAGE_READY:
		serve_ready(o, out);
		return 0;
	case MESSAGE_COMMANDS:
		return commands_serve(o->proc_fd, &o->text, &r, out);
	case MESSAGE_VIEW:
		return view_key_serve(o->proc, &r, out);
#ifdef HAVE_BPF
	case MESSAGE_REGISTER:
		return serve_register(o, &r, out);
	case MESSAGE_PLACES:
		return serve_places(o, &r, out);
	case MESSAGE_FILE_NAMES:
		return serve_file_names(o, &r, out);
	case MESSAGE_SPACE_NAMES:
		return serve_space_names(o, &r, out);
	case MESSAGE_MAPPINGS:
		return serve_mappings(o, &r, out);
	case MESSAGE_UNWIND:
		return serve_unwind(o, &r, out);
	case MESSAGE_CONTAINER:
		return serve_container(o, &r, out);
#else
	/* Without a parser: nobody reads what it would open. */
	case MESSAGE_CONTAINER:
		wire_put_text(out, "", 0);
		return 0;
	case MESSAGE_REGISTER:
	case MESSAGE_PLACES:
	case MESSAGE_FILE_NAMES:
	case MESSAGE_SPACE_NAMES:
	case MESSAGE_MAPPINGS:
	case MESSAGE_UNWIND:
#endif
	/* For other processes. */
	case MESSAGE_START:
	case MESSAGE_KILL:
	case MESSAGE_USER:
	case MESSAGE_ELF:
	case MESSAGE_DEBUG:
	case MESSAGE_PERF:
	case MESSAGE_TABLE:
	case MESSAGE_ROWS:
	case MESSAGE_ENGINE:
		break;
	}
	return -EPROTO;
}

void opener_run(int requests, int parser, int fetched, const char *proc)
{
	static struct wire_packet packet;
	struct opener *o = opener_new(proc, fetched, parser);
	struct buf out = { 0 };

	while (wire_recv(requests, &packet, NULL, true) == 1) {
		buf_reset(&out);
		if (opener_serve(o, packet.head.kind, packet.data, packet.head.len, &out) < 0 ||
		    wire_send_all(requests, packet.head.kind, packet.head.id, out.data, out.len) <
			    0)
			break;
	}
	buf_release(&out);
	opener_free(o);
}

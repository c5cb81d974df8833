// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The process that reads what others wrote: ELF files, debug files, perf maps. It has nothing but
 * the descriptors it is given.
 */
#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "base/fd.h"
#include "base/macro.h"
#include "collect/helper/engines.h"
#include "collect/helper/process.h"
#include "collect/symbols/ehframe.h"
#include "collect/symbols/elfsyms.h"
#include "collect/symbols/tables.h"

static void put_debug(struct buf *out, const struct elfsyms_debug *debug)
{
	wire_put_text(out, (const char *)debug->id, debug->id_len);
	wire_put_text(out, debug->link, strlen(debug->link));
	wire_put_u32(out, debug->crc);
}

static void serve_elf(struct tables *t, uint32_t number, int fd, struct buf *out)
{
	struct elfsyms_debug debug = { .id_len = 0 };
	int r = fd < 0 ? -EBADF : tables_elf(t, number, fd, &debug);

	wire_put_u32(out, (uint32_t)-r);
	put_debug(out, &debug);
}

/* Of too many frames the outer ones are told: the last is what was called. */
static void put_frames(struct buf *out, const struct buf *frames)
{
	size_t skip = 0;
	const char *end;

	if (frames->len >= HELPER_NAME_MAX) {
		skip = frames->len - HELPER_NAME_MAX + 1;
		end = strchr(frames->data + skip, '\n');
		skip = end ? (size_t)(end - frames->data) + 1 : skip;
	}
	wire_put_text(out, frames->data ? frames->data + skip : "", frames->len - skip);
}

static int serve_names(struct tables *t, uint32_t number, struct wire_reader *r, struct buf *out)
{
	uint32_t n = wire_u32(r);
	struct buf name = { 0 };

	if (n > HELPER_NAMES_MAX)
		return -EPROTO;
	wire_put_u32(out, tables_has(t, number) ? 0 : ENOENT);
	for (uint32_t i = 0; i < n; i++) {
		buf_reset(&name);
		tables_name(t, number, wire_u64(r), &name);
		put_frames(out, &name);
	}
	tables_named(t);
	buf_release(&name);
	return r->short_ ? -EPROTO : 0;
}

static int serve_engine(uint32_t form, struct wire_reader *r, int fd, struct buf *out)
{
	size_t n;
	const char *text = wire_text(r, CONTAINER_ID, &n);
	char id[CONTAINER_ID + 1] = "";
	struct buf file = { 0 }, name = { 0 };
	bool found;

	if (r->short_ || form >= ENGINE_FORMS)
		return -EPROTO;
	memcpy(id, text, n);
	found = fd >= 0 && buf_read_fd(&file, fd, ENGINE_FILE_MAX) == 0 &&
		engine_name(file.data, file.len, (enum engine_form)form, id, &name);
	wire_put_u32(out, found ? 0 : ENOENT);
	wire_put_text(out, name.data, name.len);
	buf_release(&file);
	buf_release(&name);
	return 0;
}

static int serve_rows(struct tables *t, uint32_t number, struct wire_reader *r, int fd,
		      struct buf *out)
{
	uint32_t from = wire_u32(r), n;
	int error;
	const struct ehframe *e = r->short_ ? NULL : tables_unwind(t, number, fd, &error);

	if (r->short_)
		return -EPROTO;
	if (e && from > e->n) {
		error = EINVAL;
		e = NULL;
	}
	wire_put_u32(out, e ? 0 : (uint32_t)error);
	if (!e)
		return 0;
	wire_put_u64(out, e->base);
	wire_put_u32(out, (uint32_t)e->n);
	wire_put_u32(out, e->loads.n);
	buf_putn(out, (const char *)e->loads.v, e->loads.n * sizeof(e->loads.v[0]));
	n = MIN((uint32_t)e->n - from, HELPER_ROWS_MAX);
	wire_put_u32(out, n);
	buf_putn(out, (const char *)(e->rows + from), n * sizeof(*e->rows));
	return 0;
}

int parser_serve(struct tables *t, uint32_t message, const void *data, size_t len, int fd,
		 struct buf *out)
{
	struct wire_reader r = wire_reader(data, len);
	uint32_t number = wire_u32(&r);
	int result = r.short_ ? -EPROTO : 0;

	if (!result && message == MESSAGE_ELF)
		serve_elf(t, number, fd, out);
	else if (!result && message == MESSAGE_DEBUG)
		wire_put_u32(out, fd < 0 ? EBADF : (uint32_t)-tables_debug(t, number, fd));
	else if (!result && message == MESSAGE_PERF)
		wire_put_u32(out, fd < 0 ? EBADF : (uint32_t)-tables_perf(t, number, fd));
	else if (!result && message == MESSAGE_ROWS)
		result = serve_rows(t, number, &r, fd, out);
	else if (!result && message == MESSAGE_ENGINE)
		result = serve_engine(number, &r, fd, out);
	else if (!result)
		result = message == MESSAGE_TABLE ? serve_names(t, number, &r, out) : -EPROTO;
	fd_close(fd);
	return result;
}

void parser_run(int requests)
{
	static struct wire_packet packet;
	struct tables *tables = tables_new();
	struct buf out = { 0 };
	int fd;

	while (wire_recv(requests, &packet, &fd, true) == 1) {
		buf_reset(&out);
		if (parser_serve(tables, packet.head.kind, packet.data, packet.head.len, fd, &out) <
			    0 ||
		    wire_send_all(requests, packet.head.kind, packet.head.id, out.data, out.len) <
			    0)
			break;
	}
	buf_release(&out);
	tables_free(tables);
}

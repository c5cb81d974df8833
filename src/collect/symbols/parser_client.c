// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/symbols/parser_client.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "collect/helper/process.h"
#include "collect/symbols/tables.h"

void parser_init(struct parser *p, int socket)
{
	*p = (struct parser){ .socket = socket };
	if (socket < 0)
		p->tables = tables_new();
}

void parser_release(struct parser *p)
{
	tables_free(p->tables);
	buf_release(&p->request);
	buf_release(&p->answer);
}

uint32_t parser_number(struct parser *p)
{
	return ++p->numbers;
}

static void receive(struct parser *p, uint32_t message)
{
	do {
		if (wire_recv(p->socket, &p->packet, NULL, true) != 1 ||
		    p->packet.head.kind != message || p->answer.len > HELPER_ANSWER_MAX)
			_exit(1);
		buf_putn(&p->answer, (const char *)p->packet.data, p->packet.head.len);
	} while (p->packet.head.more);
}

/* Sends p->request; its answer, to be read to its end. */
static struct wire_reader call(struct parser *p, uint32_t message, int fd)
{
	struct wire_head head = { .kind = message, .len = (uint32_t)p->request.len };

	buf_reset(&p->answer);
	buf_putn(&p->answer, "", 0);
	if (p->socket < 0) {
		parser_serve(p->tables, message, p->request.data, p->request.len,
			     fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 0), &p->answer);
	} else {
		if (wire_send(p->socket, &head, p->request.data, fd, true) < 0)
			_exit(1);
		receive(p, message);
	}
	return wire_reader(p->answer.data, p->answer.len);
}

static void begin(struct parser *p, uint32_t number)
{
	buf_reset(&p->request);
	wire_put_u32(&p->request, number);
}

/* The errno that an answer begins with; what cannot be one is another. */
static int result_of(struct wire_reader *r)
{
	uint32_t code = wire_u32(r);

	return r->short_ || code > 4095 ? -EPROTO : -(int)code;
}

int parser_elf(struct parser *p, uint32_t number, int fd, struct elfsyms_debug *ret_debug)
{
	struct elfsyms_debug debug = { .id_len = 0 };
	struct wire_reader r;
	const char *text;
	size_t n;
	int result;

	begin(p, number);
	r = call(p, MESSAGE_ELF, fd);
	result = result_of(&r);
	text = wire_text(&r, sizeof(debug.id), &debug.id_len);
	memcpy(debug.id, text, debug.id_len);
	text = wire_text(&r, sizeof(debug.link) - 1, &n);
	memcpy(debug.link, text, n);
	debug.crc = wire_u32(&r);
	*ret_debug = debug;
	return r.short_ ? -EPROTO : result;
}

static int load(struct parser *p, uint32_t message, uint32_t number, int fd)
{
	struct wire_reader r;

	begin(p, number);
	r = call(p, message, fd);
	return result_of(&r);
}

int parser_debug(struct parser *p, uint32_t number, int fd)
{
	return load(p, MESSAGE_DEBUG, number, fd);
}

int parser_perf(struct parser *p, uint32_t number, int fd)
{
	return load(p, MESSAGE_PERF, number, fd);
}

void parser_rows(struct parser *p, uint32_t number, uint32_t from, int fd, struct buf *out)
{
	struct wire_reader r;

	begin(p, number);
	wire_put_u32(&p->request, from);
	r = call(p, MESSAGE_ROWS, fd);
	buf_putn(out, (const char *)r.at, (size_t)(r.end - r.at));
}

int parser_engine(struct parser *p, uint32_t form, const char *id, int fd, struct buf *ret)
{
	struct wire_reader r;
	const char *name;
	int result;
	size_t n;

	begin(p, form);
	wire_put_text(&p->request, id, strlen(id));
	r = call(p, MESSAGE_ENGINE, fd);
	result = result_of(&r);
	name = wire_text(&r, HELPER_NAME_MAX, &n);
	if (!result && r.short_)
		result = -EPROTO;
	if (!result)
		buf_putn(ret, name, n);
	return result;
}

int parser_names(struct parser *p, uint32_t number, const uint64_t *at, size_t n, struct buf *out)
{
	size_t before = out->len;
	struct wire_reader r;
	int result;

	begin(p, number);
	wire_put_u32(&p->request, (uint32_t)n);
	for (size_t i = 0; i < n; i++)
		wire_put_u64(&p->request, at[i]);
	r = call(p, MESSAGE_TABLE, -1);
	result = result_of(&r);
	for (size_t i = 0; i < n && !result; i++) {
		size_t len;
		const char *text = wire_text(&r, HELPER_NAME_MAX, &len);

		wire_put_text(out, text, len);
	}
	if (!result && r.short_)
		result = -EPROTO;
	if (result)
		out->len = before;
	return result;
}

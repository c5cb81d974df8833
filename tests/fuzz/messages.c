// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any bytes as messages between our processes: requests to the opener and to the parser, and
 * answers to the main process. The first byte chooses whose, the second the message.
 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "collect/helper/process.h"
#include "collect/proc/cmdline.h"
#ifdef HAVE_BPF
#include "collect/symbols/symbols.h"
#include "collect/symbols/tables.h"
#endif
#include "fuzz.h"

/* A folder of /proc that has nobody in it: what is opened is none of this machine's. */
#define NOWHERE "/nonexistent"

static void ask_opener(uint32_t message, const uint8_t *data, size_t size)
{
	struct opener *o = opener_new(NOWHERE, -1, -1);
	struct buf out = { 0 };

	for (int again = 0; again < 2; again++) {
		buf_reset(&out);
		opener_serve(o, message, data, size, &out);
		FUZZ_CHECK(out.len < HELPER_ANSWER_MAX);
	}
	buf_release(&out);
	opener_free(o);
}

/* The message's data is the file as well. */
static void ask_parser(uint32_t message, const uint8_t *data, size_t size)
{
#ifdef HAVE_BPF
	static const uint32_t messages[] = { MESSAGE_ELF, MESSAGE_DEBUG, MESSAGE_PERF,
					     MESSAGE_TABLE, MESSAGE_ENGINE, MESSAGE_ROWS };
	struct tables *t = tables_new();
	struct buf out = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(messages); i++) {
		int fd = memfd_create("fuzz", MFD_CLOEXEC);

		FUZZ_CHECK(fd >= 0 && write(fd, data, size) == (ssize_t)size &&
			   lseek(fd, 0, SEEK_SET) == 0);
		buf_reset(&out);
		parser_serve(t, i ? messages[i] : message, data, size, fd, &out);
		FUZZ_CHECK(out.len < HELPER_ANSWER_MAX);
	}
	buf_release(&out);
	tables_free(t);
#endif
}

/* Answers what is asked, in the order in which it was asked, with these bytes. */
static void tell(int socket, const uint8_t *data, size_t size, bool whole)
{
	static struct wire_packet packet;

	while (wire_recv(socket, &packet, NULL, false) == 1) {
		struct wire_head head = { packet.head.kind, packet.head.id,
					  (uint32_t)MIN(size, (size_t)WIRE_DATA), 0 };

		if (whole)
			wire_send(socket, &head, data, -1, false);
		else
			FUZZ_CHECK(!size || write(socket, data, size) == (ssize_t)size);
	}
}

#ifdef HAVE_BPF

/* One address is a frame, or several of functions that are inlined: of three parts each. */
static void check_frames(const struct buf *text)
{
	unsigned tabs = 0;

	for (size_t i = 0; i <= text->len; i++) {
		bool end = i == text->len || text->data[i] == '\n';

		FUZZ_CHECK(!end || tabs == 2);
		tabs = end ? 0 : tabs + (text->data[i] == '\t');
	}
}

static void placed(void *arg, const struct place *places)
{
	struct place *to = arg;

	if (places)
		memcpy(to, places, 4 * sizeof(*to));
}

static void be_told_symbols(struct helper *h, int socket, const uint8_t *data, size_t size,
			    bool whole)
{
	struct symbols *s = symbols_new(NOWHERE, h);
	struct space_key key = { .tgid = 7 };
	uint64_t addresses[4] = { 1, 2, 3, 4 };
	struct place places[4] = { { 0 } };
	struct buf text = { 0 };

	symbols_register(s, &key);
	symbols_places(s, &key, addresses, 4, placed, places);
	tell(socket, data, size, whole);
	symbols_wait(s, clock_mono(), NULL, NULL);
	symbols_ask(s, places, 4);
	tell(socket, data, size, whole);
	symbols_wait(s, clock_mono(), NULL, NULL);
	for (int i = 0; i < 4; i++) {
		buf_reset(&text);
		symbols_user_text(s, &places[i], &text);
		check_frames(&text);
	}
	buf_release(&text);
	symbols_free(s);
}

#else

static void be_told_symbols(struct helper *h, int socket, const uint8_t *data, size_t size,
			    bool whole)
{
}

#endif

static void be_told(const uint8_t *data, size_t size, bool whole)
{
	struct task_id ids[2] = { { .tgid = 1, .tid = 1 }, { .tgid = 2, .tid = 2 } };
	struct sample *sample = sample_new();
	struct cmdlines *c;
	struct helper *h;
	int sockets[2];

	FUZZ_CHECK(!wire_pair(sockets));
	h = helper_at(sockets[0]);
	be_told_symbols(h, sockets[1], data, size, whole);
	c = cmdlines_new(h);
	cmdlines_fill(c, sample, ids, 2, 0);
	tell(sockets[1], data, size, whole);
	cmdlines_fill(c, sample, ids, 2, 0);
	cmdlines_free(c);
	helper_stop(h);
	close(sockets[1]);
	sample_free(sample);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2)
		return 0;
	switch (data[0] % 4) {
	case 0:
		ask_opener(data[1], data + 2, size - 2);
		break;
	case 1:
		ask_parser(data[1], data + 2, size - 2);
		break;
	default:
		be_told(data + 2, size - 2, data[0] % 4 == 2);
		break;
	}
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any bytes as a program and its debug information, as /proc/PID/maps, as a runtime's list of
 * functions, as a mangled name.
 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "collect/symbols/demangle.h"
#include "collect/symbols/elfsyms.h"
#include "collect/symbols/inlined.h"
#include "collect/symbols/maps.h"
#include "collect/symbols/perfmap.h"
#include "fuzz.h"

static void read_program(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct elfsyms_debug debug;
	struct elfsyms *e;

	FUZZ_CHECK(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	if (elfsyms_read(fd, &e, &debug) == 0) {
		for (uint64_t at = 0; at < size + 64; at += 7) {
			const char *name = elfsyms_name(e, at);

			FUZZ_CHECK(!name || *name);
		}
		elfsyms_name(e, UINT64_MAX);
		elfsyms_free(e);
	}
	/* As a debug file of itself. */
	if (elfsyms_read(fd, &e, &debug) == 0) {
		elfsyms_add_debug(e, &debug, fd);
		elfsyms_free(e);
	}
	close(fd);
}

/* Frames are names, each maybe with a place behind a tab. */
static void read_debug(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct inlined *in;

	FUZZ_CHECK(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	if (!inlined_has(fd)) {
		close(fd);
		return;
	}
	if (inlined_open(fd, &in) < 0)
		return;
	for (uint64_t at = 0; at < 0x200; at += 3) {
		struct buf out = { 0 };

		inlined_put(in, 0x400000 + at, at & 1 ? "f" : NULL, &out);
		FUZZ_CHECK(!out.len || (out.data[0] != '\n' && out.data[0] != '\t'));
		buf_release(&out);
	}
	inlined_close(in);
}

static void read_maps(const char *text)
{
	struct maps m;

	maps_init(&m);
	maps_parse(&m, text);
	for (size_t i = 0; i < m.n; i++) {
		FUZZ_CHECK(m.v[i].start < m.v[i].end && m.v[i].path);
		FUZZ_CHECK(!i || m.v[i - 1].start <= m.v[i].start);
		FUZZ_CHECK(!strchr(m.v[i].path, '\n'));
	}
	maps_find(&m, 0);
	maps_find(&m, UINT64_MAX);
	maps_release(&m);
}

static void read_names(const char *text)
{
	struct perfmap *m = perfmap_parse(text);
	char out[256];

	for (uint64_t at = 0; at < 4096; at += 16)
		perfmap_name(m, at);
	perfmap_name(m, UINT64_MAX);
	perfmap_free(m);
	if (demangle(out, sizeof(out), text))
		FUZZ_CHECK(out[0] && strlen(out) < sizeof(out));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	memcpy(text, data, size);
	text[size] = '\0';
	read_program(data, size);
	read_debug(data, size);
	read_maps(text);
	read_names(text);
	free(text);
	return 0;
}

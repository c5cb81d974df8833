// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/helper/view_key.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "collect/helper/wire.h"

#define NAMESPACE_MAX 64	/* bytes of "mnt:[4026531841]" */

bool view_key_read(const char *proc, const char *process, char key[VIEW_KEY])
{
	char path[512];
	ssize_t n;

	memset(key, 0, VIEW_KEY);
	snprintf(path, sizeof(path), "%s/%s/ns/mnt", proc, process);
	n = readlink(path, key, NAMESPACE_MAX);
	if (n <= 0)
		return false;
	snprintf(path, sizeof(path), "%s/%s/root", proc, process);
	return readlink(path, key + n, VIEW_KEY - 1 - (size_t)n) > 0;
}

bool view_key_answer(const void *data, size_t len, char key[VIEW_KEY])
{
	struct wire_reader r = wire_reader(data, len);
	size_t n = 0;
	const char *text = data ? wire_text(&r, VIEW_KEY - 1, &n) : NULL;

	memset(key, 0, VIEW_KEY);
	if (!text || !n || r.short_)
		return false;
	memcpy(key, text, n);
	return true;
}

int view_key_serve(const char *proc, struct wire_reader *r, struct buf *out)
{
	uint32_t tgid = wire_u32(r);
	char name[16], key[VIEW_KEY];
	bool there;

	if (r->short_)
		return -EPROTO;
	snprintf(name, sizeof(name), "%u", tgid);
	there = view_key_read(proc, name, key);
	wire_put_text(out, key, there ? strlen(key) : 0);
	return 0;
}

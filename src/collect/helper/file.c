// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/helper/file.h"

#include "collect/helper/process.h"

void wire_put_file(struct buf *b, const struct helper_file *f)
{
	const uint64_t numbers[] = {
		f->dev, f->ino, f->size, f->mtime, f->start, f->end, f->offset
	};

	buf_putn(b, (const char *)numbers, sizeof(numbers));
	wire_put_u32(b, f->tgid);
	wire_put_u32(b, f->slow);
	wire_put_text(b, f->path, f->path_len);
}

struct helper_file wire_file(struct wire_reader *r)
{
	struct helper_file f = { .dev = 0 };
	uint64_t numbers[7];

	wire_read(r, numbers, sizeof(numbers));
	f.dev = numbers[0];
	f.ino = numbers[1];
	f.size = numbers[2];
	f.mtime = numbers[3];
	f.start = numbers[4];
	f.end = numbers[5];
	f.offset = numbers[6];
	f.tgid = wire_u32(r);
	f.slow = wire_u32(r);
	f.path = wire_text(r, HELPER_PATH_MAX, &f.path_len);
	return f;
}

void wire_put_space(struct buf *b, const struct space_key *key)
{
	wire_put_u32(b, key->tgid);
	wire_put_u32(b, 0);
	wire_put_u64(b, key->start);
	wire_put_u64(b, key->mm);
}

struct space_key wire_space(struct wire_reader *r)
{
	struct space_key key = { .tgid = wire_u32(r) };

	wire_u32(r);
	key.start = wire_u64(r);
	key.mm = wire_u64(r);
	return key;
}

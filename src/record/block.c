// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/block.h"

#include "collect/privilege.h"
#include "record/columns.h"

static void pack(void *arg)
{
	struct block *b = arg;

	b->good = columns_split(&b->columns, &b->samples, b->layout);
	if (b->good)
		b->how = bytes_pack(&b->bytes, &b->columns);
}

static void pack_in_thread(void *arg)
{
	privilege_limit(0);
	pack(arg);
}

void block_begin(struct block *b, struct buf *samples, int64_t first, int64_t last,
		 const struct delta_layout *layout)
{
	b->samples = *samples;
	*samples = (struct buf){ 0 };
	b->first = first;
	b->last = last;
	b->layout = layout;
	b->threaded = offload_begin(&b->offload, pack_in_thread, b);
	if (!b->threaded)
		pack(b);
}

bool block_is_done(const struct block *b)
{
	return !b->threaded || offload_is_done(&b->offload);
}

const struct buf *block_wait(struct block *b)
{
	if (b->threaded)
		offload_end(&b->offload);
	b->threaded = false;
	if (!b->good)
		return NULL;
	return b->how == PACK_NONE ? &b->columns : &b->bytes;
}

void block_end(struct block *b)
{
	if (block_is_begun(b))
		block_wait(b);
	b->first = 0;
	buf_release(&b->samples);
	buf_release(&b->columns);
	buf_release(&b->bytes);
}

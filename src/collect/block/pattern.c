// SPDX-License-Identifier: GPL-2.0-or-later
/* The order of I/O: an array that is there while somebody asks. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/fd.h"
#include "bpf/abi.h"
#include "bpf/block/block.skel.h"
#include "collect/block/block.h"

static size_t patterns_size(const struct block *b)
{
	return sizeof(struct abi_pattern) * (b->counter_pool.max + ABI_PATTERN_ALL);
}

static int make(struct block *b, struct err *err)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = ABI_PATTERN_FLAGS);
	int arrays = bpf_map__fd(b->skel->maps.pattern_arrays);
	uint32_t zero = 0;
	void *memory = MAP_FAILED;
	int fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "patterns", sizeof(uint32_t),
				sizeof(struct abi_pattern),
				b->counter_pool.max + ABI_PATTERN_ALL, &opts);

	if (fd >= 0 && bpf_map_update_elem(arrays, &zero, &fd, 0) >= 0)
		memory = mmap(NULL, patterns_size(b), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (memory == MAP_FAILED)
		err_set(err, errno, "the map of patterns cannot be made: %m");
	else
		b->patterns = memory;
	/* The memory keeps the map. */
	fd_close(fd);
	return b->patterns ? 0 : -1;
}

static void pattern_open(struct block *b)
{
	b->skel->bss->pattern_disks = b->counter_pool.max;
	b->skel->bss->want_pattern = !make(b, &b->patterns_why);
}

static void pattern_close(struct block *b)
{
	uint32_t zero = 0;

	b->skel->bss->want_pattern = false;
	bpf_map_delete_elem(bpf_map__fd(b->skel->maps.pattern_arrays), &zero);
	munmap(b->patterns, patterns_size(b));
	b->patterns = NULL;
}

void block_pattern_enable(struct block *b, bool on)
{
	if (on && !b->patterns)
		pattern_open(b);
	else if (!on && b->patterns)
		pattern_close(b);
}

void block_pattern_tell(const struct block *b, struct sample *s)
{
	if (b->sources & SRC_PATTERN)
		sample_source(s, SRC_PATTERN, b->patterns ? SOURCE_ON : SOURCE_OFF,
			      b->patterns ? NULL : b->patterns_why.text);
}

struct abi_pattern block_pattern(const struct block *b, uint32_t index)
{
	return b->patterns ? b->patterns[index] : (struct abi_pattern){ 0 };
}

struct abi_pattern block_pattern_of_disk(const struct block *b, uint32_t disk, uint32_t op)
{
	if (op > ABI_WRITE)
		return (struct abi_pattern){ 0 };
	return block_pattern(b, b->counter_pool.max + ABI_PATTERN_OF_DISK(disk, op));
}

const uint64_t *block_places(const struct block *b, uint32_t disk, uint32_t op)
{
	size_t first = b->counter_pool.max + ABI_PATTERN_DISKS + ABI_PLACES_OF_DISK(disk, op);

	/* Four counts in place of each entry. */
	return b->patterns && op <= ABI_WRITE ? (const uint64_t *)&b->patterns[first] : NULL;
}

void block_pattern_return(struct block *b, uint32_t index)
{
	if (b->patterns)
		b->patterns[index] = (struct abi_pattern){ 0 };
}

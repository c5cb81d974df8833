// SPDX-License-Identifier: GPL-2.0-or-later
/* Counters that stand still leave their map, be it by one call of the kernel or by two. */
#include "collect/bpf/counters.h"

#include <errno.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "bpf/mounts/fuse.skel.h"
#include "unit.h"

#define KERNEL_ENOTSUPP 524	/* include/linux/errno.h */
#define ROOM 16
#define FULL 12
#define IDLE 20

/* In place of the kernel: a map of numbers, and whether a hash gives and deletes in one step. */
static struct {
	bool used[ROOM];
	uint64_t value[ROOM];
	bool one_step;
} kernel;
static struct counters counters;
static uint64_t last[ROOM];	/* that each() was told */

int __wrap_bpf_map_lookup_batch(int fd, void *in, void *out, void *keys, void *values,
				__u32 *count, const struct bpf_map_batch_opts *opts);
int __wrap_bpf_map_lookup_elem(int fd, const void *key, void *value);
int __wrap_bpf_map_delete_elem(int fd, const void *key);
int __wrap_bpf_map_lookup_and_delete_elem(int fd, const void *key, void *value);

int __wrap_bpf_map_lookup_batch(int fd, void *in, void *out, void *keys, void *values,
				__u32 *count, const struct bpf_map_batch_opts *opts)
{
	(void)fd, (void)in, (void)out, (void)opts;
	*count = 0;
	for (uint32_t i = 0; i < ROOM; i++) {
		if (!kernel.used[i])
			continue;
		memset((char *)keys + *count * counters.key_size, 0, counters.key_size);
		memset((char *)values + *count * counters.value_size, 0, counters.value_size);
		memcpy((char *)keys + *count * counters.key_size, &i, sizeof(i));
		memcpy((char *)values + *count * counters.value_size, &kernel.value[i],
		       sizeof(kernel.value[i]));
		++*count;
	}
	return -ENOENT;
}

static uint32_t place_of(const void *key)
{
	uint32_t place;

	memcpy(&place, key, sizeof(place));
	ck_assert_uint_lt(place, ROOM);
	return place;
}

int __wrap_bpf_map_lookup_elem(int fd, const void *key, void *value)
{
	(void)fd;
	if (!kernel.used[place_of(key)])
		return -ENOENT;
	memcpy(value, &kernel.value[place_of(key)], sizeof(kernel.value[0]));
	return 0;
}

int __wrap_bpf_map_delete_elem(int fd, const void *key)
{
	(void)fd;
	kernel.used[place_of(key)] = false;
	return 0;
}

int __wrap_bpf_map_lookup_and_delete_elem(int fd, const void *key, void *value)
{
	if (!kernel.one_step)
		return -KERNEL_ENOTSUPP;
	__wrap_bpf_map_lookup_elem(fd, key, value);
	return __wrap_bpf_map_delete_elem(fd, key);
}

static void told(void *arg, const void *key, const void *value)
{
	(void)arg;
	memcpy(&last[place_of(key)], value, sizeof(last[0]));
}

static struct fuse_bpf *skel;

static void setup(void)
{
	memset(&kernel, 0, sizeof(kernel));
	memset(last, 0, sizeof(last));
	skel = fuse_bpf__open();
	ck_assert_ptr_nonnull(skel);
	bpf_map__set_max_entries(skel->maps.mounts, ROOM);
	counters_init(&counters, skel->maps.mounts);
	ck_assert_uint_eq(counters.full, FULL);
}

static void teardown(void)
{
	counters_release(&counters);
	fuse_bpf__destroy(skel);
}

/* So many are in the map, and read so many times; the first one counts. Returns how many stay. */
static size_t left_of(unsigned n, unsigned times)
{
	for (unsigned i = 0; i < n; i++) {
		kernel.used[i] = true;
		kernel.value[i] = 100 + i;
	}
	for (unsigned i = 0; i < times; i++) {
		kernel.value[0]++;
		counters_read(&counters, IDLE, told, NULL);
	}
	n = 0;
	for (unsigned i = 0; i < ROOM; i++)
		n += kernel.used[i];
	ck_assert_uint_eq(counters.n, n);
	return n;
}

START_TEST(in_one_step)
{
	kernel.one_step = true;
	ck_assert_uint_eq(left_of(FULL, IDLE), FULL);
	ck_assert_uint_eq(left_of(FULL, 1), 1);
	ck_assert(kernel.used[0]);
	ck_assert_uint_eq(last[FULL - 1], 100 + FULL - 1);
}
END_TEST

/* Two steps may lose what is counted between them: only a map that gets full is worth that. */
START_TEST(in_two_steps)
{
	ck_assert_uint_eq(left_of(FULL, 2 * IDLE), FULL);
	ck_assert_uint_eq(left_of(ROOM, 2 * IDLE), 1 + ROOM - FULL);
	ck_assert(kernel.used[0] && kernel.used[FULL]);
	ck_assert_uint_eq(last[FULL - 1], 100 + FULL - 1);
}
END_TEST

UNIT_FIXTURE_MAIN("idle_counters", setup, teardown, in_one_step, in_two_steps)

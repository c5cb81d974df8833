// SPDX-License-Identifier: GPL-2.0-or-later
/* When users and control groups are asked for again. The helper is the test; the clock is moved. */
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "collect/helper/helper.h"
#include "collect/helper/process.h"
#include "collect/proc/cgroup_names.h"
#include "collect/proc/owner_names.h"
#include "data/sample.h"
#include "folder.h"

static struct {
	uint32_t uid;
	helper_answer *told;
	void *arg;
} asked[8];
static size_t nasked;
static bool waited;		/* for what was asked */

void helper_ask(struct helper *h, enum helper_kind kind, uint32_t message, const void *data,
		size_t len, helper_answer *answer, void *arg, const void *owner)
{
	ck_assert_uint_eq(message, MESSAGE_USER);
	ck_assert_uint_lt(nasked, ARRAY_SIZE(asked));
	memcpy(&asked[nasked].uid, data, sizeof(uint32_t));
	asked[nasked].told = answer;
	asked[nasked++].arg = arg;
}

bool helper_wait(struct helper *h, enum helper_kind kind, uint64_t until, bool (*done)(void *arg),
		 void *arg)
{
	waited = !done || !done(arg);
	return !waited;
}

void helper_cancel(struct helper *h, const void *owner)
{
	for (size_t i = 0; i < nasked; i++)
		asked[i].told(asked[i].arg, NULL, 0);
	nasked = 0;
}

static struct owner_names *names;
static struct sample *s;
static uint64_t moved;

static void after(uint64_t seconds)
{
	moved += seconds * NSEC_PER_SEC;
	clock_set_offsets(-(int64_t)moved, 0);
}

static void setup(void)
{
	static char proc[96];
	static struct collect_options opt = { .proc = proc };
	char line[256];

	folder_setup();
	snprintf(proc, sizeof(proc), "%s/proc", folder);
	snprintf(line, sizeof(line), "30 20 0:26 / %s/mount rw - cgroup2 cgroup2 rw\n", folder);
	write_text("proc/self/mountinfo", line);
	ck_assert_int_eq(mkdir(path_of("mount"), 0700), 0);
	names = owner_names_new(&opt, NULL);
	s = sample_new();
}

static void teardown(void)
{
	sample_free(s);
	owner_names_free(names);
	folder_teardown();
	clock_set_offsets(0, 0);
}

static void task(uint32_t uid, uint64_t cgroup)
{
	struct sample_task *t = sample_add_row(s, TASK, struct sample_task);

	*t = (struct sample_task){ .uid = uid, .cgroup = cgroup };
}

/* A sample of two users, of one two tasks; what was asked for it. */
static size_t sample(void)
{
	size_t before = nasked;

	sample_reset(s);
	task(7, 0);
	task(8, 0);
	task(7, 0);
	owner_names_fill(names, s, 0);
	return nasked - before;
}

/* Answers the first that was asked; name "": has none, NULL: nobody answers. */
static void tell(uint32_t uid, const char *name)
{
	struct buf b = { 0 };

	ck_assert_uint_gt(nasked, 0);
	ck_assert_uint_eq(asked[0].uid, uid);
	if (name)
		wire_put_text(&b, name, strlen(name));
	asked[0].told(asked[0].arg, name ? b.data : NULL, b.len);
	memmove(asked, asked + 1, --nasked * sizeof(*asked));
	buf_release(&b);
}

static const char *name_of(uint32_t uid)
{
	sample_each(s, USER, const struct sample_user, u)
		if (u->uid == uid)
			return u->name;
	return NULL;
}

START_TEST(users)
{
	ck_assert_uint_eq(sample(), 2);
	ck_assert(waited);
	tell(7, "alice");
	ck_assert_uint_eq(sample(), 0);
	ck_assert(waited);
	tell(8, NULL);
	ck_assert_uint_eq(sample(), 0);
	ck_assert(!waited);
	ck_assert_str_eq(name_of(7), "alice");
	/* Nobody answered: soon again, which no sample waits for. */
	after(6);
	ck_assert_uint_eq(sample(), 1);
	ck_assert(!waited);
	tell(8, "");
	after(6);
	ck_assert_uint_eq(sample(), 0);
	ck_assert_ptr_null(name_of(8));
	after(60);
	ck_assert_uint_eq(sample(), 2);
	tell(7, "bob");
	tell(8, "carol");
	ck_assert_uint_eq(sample(), 0);
	ck_assert_str_eq(name_of(7), "bob");
	ck_assert_str_eq(name_of(8), "carol");
	/* A name stays while the service that knew it is away. */
	after(61);
	ck_assert_uint_eq(sample(), 2);
	tell(7, "");
	tell(8, NULL);
	ck_assert_uint_eq(sample(), 0);
	ck_assert_str_eq(name_of(7), "bob");
	ck_assert_str_eq(name_of(8), "carol");
}
END_TEST

/* Its id is the number of its folder. */
static uint64_t make_group(const char *path)
{
	struct stat st;

	ck_assert_int_eq(mkdir(path_of(path), 0700), 0);
	ck_assert_int_eq(stat(path_of(path), &st), 0);
	return st.st_ino;
}

static const char *path_by_id(uint64_t id)
{
	sample_reset(s);
	task(7, id);
	owner_names_fill(names, s, 0);
	sample_each(s, CGROUP, const struct sample_cgroup, c)
		if (c->id == id)
			return c->path;
	return NULL;
}

/* No handle opens these folders: they are found by walks, of which there is one in five seconds. */
START_TEST(groups)
{
	const uint64_t outside = 1ULL << 50;
	uint64_t id = make_group("mount/first"), second, third;

	ck_assert_str_eq(path_by_id(id), "/first");
	second = make_group("mount/second");
	ck_assert_ptr_null(path_by_id(second));
	after(6);
	ck_assert_str_eq(path_by_id(second), "/second");
	/* One that no walk finds has one walk made for it. */
	ck_assert_ptr_null(path_by_id(outside));
	after(6);
	ck_assert_ptr_null(path_by_id(outside));
	third = make_group("mount/third");
	after(6);
	ck_assert_ptr_null(path_by_id(outside));
	ck_assert_str_eq(path_by_id(third), "/third");
}
END_TEST

UNIT_FIXTURE_MAIN("owner_names", setup, teardown, users, groups)
